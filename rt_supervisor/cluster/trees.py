"""The trees of runs: folders of links into the store of contents. The tree of a run that has ended becomes that of the next one.

A file stays where it is if it is still the link to the content that the next run wants there; a script that has replaced it, or has changed
the stored content, has left another inode. So the second run of a workspace makes only the links that differ.
"""

from __future__ import annotations

import os
import shutil
import threading

from .manifests import LINK_MODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .contents import ContentStore
    from .manifests import Row


class SpareTree:
    """At most one tree that no run uses, in the folder `place`. The methods may be called by any thread."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._count = 0
        self._path = ""

    def keep(self, tree: str) -> None:
        """Keep `tree`, and remove the one that was kept before."""
        if not os.path.isdir(tree):
            return
        with self._lock:
            before, self._count = self._path, self._count + 1
            self._path = os.path.join(self._place, f"spare-{self._count}")
            os.rename(tree, self._path)
        if before:
            shutil.rmtree(before, ignore_errors=True)

    def move_to(self, tree: str) -> None:
        """Make the kept tree that at `tree`, if there is one."""
        with self._lock:
            path, self._path = self._path, ""
            if path:
                os.rename(path, tree)


def make_tree(tree: str, rows: Sequence[Row], contents: ContentStore) -> None:
    """Make `tree` have exactly the files `rows`; it may exist, with what earlier runs have left of it. Raises OSError."""
    try:
        _change_tree(tree, rows, contents)
    except OSError:  # a script has made a folder that cannot be changed
        shutil.rmtree(tree, ignore_errors=True)
        _change_tree(tree, rows, contents)


def clean_tree(tree: str, rows: Sequence[Row], contents: ContentStore) -> None:
    """Remove what is not one of the files `rows`, such as the outputs of tasks. Raises OSError."""
    _remove_others(tree, {row.path: row for row in rows}, contents)


def _change_tree(tree: str, rows: Sequence[Row], contents: ContentStore) -> None:
    os.makedirs(tree, exist_ok=True)
    wanted = {row.path: row for row in rows}
    found, present = _remove_others(tree, wanted, contents)
    for path, row in wanted.items():
        if path in present:
            continue
        at, folder = f"{tree}/{path}", path.rpartition("/")[0]
        if folder not in found:
            os.makedirs(f"{tree}/{folder}", exist_ok=True)
            found.add(folder)
        if row.mode == LINK_MODE:
            os.symlink(os.fsdecode(contents.read(row.digest) or b""), at)
        else:
            contents.place_file(row.digest, row.mode & 0o777, at)


def _remove_others(tree: str, wanted: dict[str, Row], contents: ContentStore) -> tuple[set[str], set[str]]:
    """Remove what does not belong into the tree. Return the folders and the files that were there and stay."""
    folders = {""}
    for path in wanted:
        while (path := path.rpartition("/")[0]) not in folders:
            folders.add(path)
    found, present = {""}, set()
    todo = [""]
    while todo:
        at = todo.pop()
        for entry in os.scandir(f"{tree}/{at}"):
            path = f"{at}/{entry.name}" if at else entry.name
            if entry.is_dir(follow_symlinks=False):
                if path in folders:
                    found.add(path)
                    todo.append(path)
                else:
                    shutil.rmtree(entry.path)
                continue
            row = wanted.get(path)
            if row is not None and row.mode != LINK_MODE and contents.inode(row.digest, row.mode) == entry.inode():
                present.add(path)
            else:
                os.unlink(entry.path)
    return found, present
