"""Git's information about the files below a folder: those that it does not ignore, and the digests of unchanged ones.

The digests of git's index are used only for files whose bytes are those of the blob: not with attributes or settings
that convert them, not for entries that git is configured not to compare, and not in repositories with another kind of
digest.
"""

from __future__ import annotations

import os
import time

from .._native import parse_git_index
from ..vocabulary.identity import identity_of
from ..vocabulary.record import record
from ..workspace.git import end, finish, run, start
from .sorted_paths import sort_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from .sorted_paths import SortedPaths

_MOST_READINGS = 20  # an index that is replaced each time says nothing about contents
_CONVERTS = (b"filter", b"text", b"eol", b"crlf", b"ident", b"working-tree-encoding")


@record
class GitFiles:
    """`files` maps paths, relative to the folder, to git's mode and digest with a space between them, or to None if the content has to be
    read.

    `folders` are nested repositories, whose files git does not list. `ignored` are ignored files, and folders that end in a slash.
    """

    files: dict[str, str | None]
    folders: tuple[str, ...]
    ignored: SortedPaths


class GitReading:
    """Four git processes that run while rt does other work; `result` waits for them. What it says is not older than `begun_ns`.

    If git's index is replaced meanwhile, as at the end of a checkout, some may have read the old one and others the new one: they are run
    again.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._index = _index_of(root)
        self._start()

    def _start(self) -> None:
        root = self._root
        self.begun_ns = time.time_ns()
        self._index_before = identity_of(self._index)
        self._processes = [
            start(root, "ls-files", "-z", "-s", "-v"),
            start(root, "status", "--porcelain=v1", "-z", "-uall", "--ignored=matching", "--no-renames", "--", "."),
            start(root, "rev-parse", "--show-prefix", "--show-object-format", "--git-common-dir"),
            start(root, "config", "--get-regexp", r"^core\.(autocrlf|eol|attributesfile|safecrlf)$"),
        ]

    def result(self) -> GitFiles | None:
        """Return git's information; None if the folder is not in a repository or git is not installed."""
        for _ in range(_MOST_READINGS):
            processes, self._processes = self._processes, []
            index, status, places, settings = map(finish, processes)
            is_stable = identity_of(self._index) == self._index_before
            if is_stable:
                break
            self._start()
        self.close()
        if index is None or status is None or places is None:
            return None
        prefix, form, common = [*places.decode("utf-8", "surrogateescape").split("\n"), "", ""][:3]
        is_sha1 = form == "sha1"
        files, folders = parse_git_index(index)
        ignored, changed = _status(status, prefix, files)
        if not is_stable or not is_sha1 or self._converts(files, settings or b"", common):
            changed = list(files)
        for path in changed:
            files[path] = None
        folders += [path.rstrip("/") for path in _ending(files, "/")]
        for path in folders:
            files.pop(f"{path}/", None)
        return GitFiles(files, tuple(folders), sort_paths(ignored))

    def close(self) -> None:
        """End the processes, unless `result` has waited for them."""
        processes, self._processes = self._processes, []
        for process in processes:
            end(process)

    def _converts(self, files: dict[str, str | None], settings: bytes, common: str) -> bool:
        """Return whether a file may have other bytes than its blob."""
        if b"core.autocrlf true" in settings or b"core.autocrlf input" in settings or b"attributesfile" in settings:
            return True
        ending = _ending(files, ".gitattributes")
        names = [os.path.join(self._root, path) for path in ending if os.path.basename(path) == ".gitattributes"]
        names.append(os.path.join(self._root, common, "info", "attributes"))
        above = os.path.dirname(self._root)
        while above != os.path.dirname(above):
            names.append(os.path.join(above, ".gitattributes"))
            above = os.path.dirname(above)
        return any(word in text for text in map(_text, names) for word in _CONVERTS)


def _index_of(root: str) -> str:
    """Return the path of git's index for the repository that `root` is in, "" if it is in none."""
    if named := os.environ.get("GIT_INDEX_FILE"):
        return os.path.join(root, named)
    folder = root
    while not os.path.lexists(place := os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above
    if os.path.isfile(place):  # of a linked worktree or a submodule
        with open(place, encoding="utf-8", errors="surrogateescape") as file:
            place = os.path.join(folder, file.read().removeprefix("gitdir: ").rstrip("\n"))
    return os.path.join(place, "index")


def without_ignored(root: str, paths: Sequence[str]) -> list[str]:
    """Return those of `paths`, relative to `root`, that git does not ignore; all of them where git cannot tell."""
    data = b"\0".join(map(os.fsencode, paths))
    ignored = run(root, "check-ignore", "-z", "--stdin", data=data) or b""
    names = {os.fsdecode(path) for path in ignored.split(b"\0")}
    return [path for path in paths if path not in names]


def _status(data: bytes, prefix: str, files: dict[str, str | None]) -> tuple[list[str], list[str]]:
    """Apply the entries of `status`, whose paths are relative to the repository; return ignored paths and changed files."""
    ignored, changed = [], []
    for entry in data.decode("utf-8", "surrogateescape").split("\0"):
        if len(entry) < 4 or not entry[3:].startswith(prefix):
            continue
        state, path = entry[:2], entry[3 + len(prefix) :]
        if state == "!!":
            ignored.append(path)
        elif state == "??":
            files[path] = None
        elif state[1] == "D":
            files.pop(path, None)
        elif state[1] != " " and path in files:
            changed.append(path)
    return ignored, changed


def _ending(paths: Collection[str], end: str) -> list[str]:
    """Return those of `paths` that end with `end`. Almost always none does, which one search in all of them shows."""
    return [path for path in paths if path.endswith(end)] if f"{end}\0" in "\0".join((*paths, "")) else []


def _text(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(1 << 20)
    except OSError:
        return b""
