"""The trees of runs: folders of links into the store of contents. The tree of a run that has ended becomes that of the next one.

A file stays where it is if it is still the link to the content that the next run wants there; a script that has replaced it, or has changed
the stored content, has left another inode. So the second run of a workspace makes only the links that differ. What an ended run has
left is cleaned at once, and remembered: the next run compares its files with that list, without reading a folder.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import threading

from .manifests import LINK_MODE, PLAIN_MODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .contents import ContentStore
    from .manifests import Row

    Files = Mapping[str, int]
    """The inodes of the regular files of a tree, by path."""


class SpareTree:
    """At most one tree that no run uses, in the folder `place`. Only `expect` and `settle` have to be called in the agent's event loop."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._count = 0
        self._path = ""
        self._files: Files = {}
        self._coming: set[asyncio.Task[None]] = set()

    def expect(self, cleaning: asyncio.Task[None]) -> None:
        """Have `settle` wait for `cleaning`, which ends with `keep`."""
        self._coming.add(cleaning)
        cleaning.add_done_callback(self._coming.discard)

    async def settle(self) -> None:
        """Wait for a tree that is being cleaned, unless another one is here: making one takes longer."""
        if self._coming and not self._path:
            await asyncio.wait(self._coming, return_when=asyncio.FIRST_COMPLETED)

    def keep(self, tree: str, files: Files) -> None:
        """Keep `tree`, which has `files` and no others, and remove the one that was kept before."""
        if not os.path.isdir(tree):
            return
        with self._lock:
            before, self._count = self._path, self._count + 1
            self._path, self._files = os.path.join(self._place, f"spare-{self._count}"), files
            os.rename(tree, self._path)
        if before:
            shutil.rmtree(before, ignore_errors=True)

    def move_to(self, tree: str) -> Files | None:
        """Make the kept tree that at `tree`, and return its files; None if there is none."""
        with self._lock:
            path, files, self._path, self._files = self._path, self._files, "", {}
            if path:
                os.rename(path, tree)
        return files if path else None


def make_tree(
    tree: str, rows: Sequence[Row], contents: ContentStore, *, inodes: Mapping[str, int], known: Files | None = None
) -> None:
    """Make `tree` have exactly the files `rows`; it may exist, with what earlier runs have left of it: exactly `known`, if that is
    given. `inodes` are those of the contents (`ContentStore.inodes`). Raises OSError.
    """
    try:
        _change_tree(tree, rows, contents, inodes, known)
    except OSError:  # a script has made a folder that cannot be changed
        shutil.rmtree(tree, ignore_errors=True)
        _change_tree(tree, rows, contents, inodes, None)


def clean_tree(tree: str, rows: Sequence[Row], contents: ContentStore) -> Files:
    """Remove what is not one of the files `rows`, such as the outputs of tasks, and return what stays. Raises OSError."""
    inodes = contents.remember(row.digest for row in rows)
    return _remove_others(tree, {row.path: row for row in rows}, contents, inodes)


def _change_tree(
    tree: str, rows: Sequence[Row], contents: ContentStore, inodes: Mapping[str, int], known: Files | None
) -> None:
    os.makedirs(tree, exist_ok=True)
    if known is None:
        present = _remove_others(tree, {row.path: row for row in rows}, contents, inodes)
    else:
        present = _remove_known(tree, known, rows, contents, inodes)
    folders: set[str] = {""}
    for row in rows:
        if row.path in present:
            continue
        at, folder = f"{tree}/{row.path}", row.path.rpartition("/")[0]
        if folder not in folders:
            os.makedirs(f"{tree}/{folder}", exist_ok=True)
            folders.add(folder)
        if row.mode == LINK_MODE:
            os.symlink(os.fsdecode(contents.read(row.digest) or b""), at)
        else:
            contents.place_file(row.digest, row.mode & 0o777, at)


def _remove_known(
    tree: str, known: Files, rows: Sequence[Row], contents: ContentStore, inodes: Mapping[str, int]
) -> dict[str, int]:
    """Remove those of the files `known` that do not belong into the tree, and folders that become empty. Return the others. A run of many
    files waits for this before its first task, so that most files take two look-ups.
    """
    plain = {row.path: inodes.get(row.digest) for row in rows if row.mode == PLAIN_MODE}
    present = {path: inode for path, inode in known.items() if plain.get(path) == inode}
    if len(present) < len(known):
        wanted = {row.path: row for row in rows if row.path not in present}
        for path in known.keys() - present.keys():
            row = wanted.get(path)
            if row is not None and _is_wanted(row, known[path], contents, inodes):
                present[path] = known[path]
            else:
                os.unlink(f"{tree}/{path}")
                _remove_empty(tree, path.rpartition("/")[0])
    return present


def _remove_empty(tree: str, folder: str) -> None:
    while folder:
        try:
            os.rmdir(f"{tree}/{folder}")
        except OSError:  # it has other files
            return
        folder = folder.rpartition("/")[0]


def _remove_others(
    tree: str, wanted: Mapping[str, Row], contents: ContentStore, inodes: Mapping[str, int]
) -> dict[str, int]:
    """Remove what does not belong into the tree. Return the files that were there and stay."""
    folders = _folders_of(wanted)
    present: dict[str, int] = {}
    todo = [""]
    while todo:
        at = todo.pop()
        for entry in os.scandir(f"{tree}/{at}"):
            path = f"{at}/{entry.name}" if at else entry.name
            if entry.is_dir(follow_symlinks=False):
                if path in folders:
                    todo.append(path)
                else:
                    shutil.rmtree(entry.path)
            elif _is_wanted(wanted.get(path), entry.inode(), contents, inodes):
                present[path] = entry.inode()
            else:
                os.unlink(entry.path)
    return present


def _folders_of(paths: Iterable[str]) -> set[str]:
    folders = {""}
    for path in paths:
        while (path := path.rpartition("/")[0]) not in folders:
            folders.add(path)
    return folders


def _is_wanted(row: Row | None, inode: int, contents: ContentStore, inodes: Mapping[str, int]) -> bool:
    """Return whether a file is the link to the content that `row` names. Links of scripts, which have no content, are made again."""
    if row is None or row.mode == LINK_MODE:
        return False
    stored = inodes.get(row.digest) if row.mode == PLAIN_MODE else contents.inode(row.digest, row.mode)
    return stored == inode
