"""The files of a workspace that tasks can depend on: which exist, and their digests.

In a git repository, these are the files that git does not ignore; elsewhere all files outside `node_modules` and
`.git`. Ignored files count if a pattern of `inputs` names them.
"""

from __future__ import annotations

import os
from bisect import bisect_left

from .digests import DigestMemo
from .git_files import GitFiles, GitReading
from .globs import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .globs import Globs

NEVER_INPUTS = frozenset({"node_modules", ".git"})


class FileIndex:
    """The files below `root`. Paths are relative to it."""

    def __init__(self, root: str, reading: GitReading | None, memo: DigestMemo) -> None:
        self._root = root
        self._memo = memo
        known = reading.result() if reading is not None else None
        if known is None:
            known = GitFiles(dict.fromkeys(walk(root, ""), None), (), ())
        for folder in known.folders:
            known.files.update(dict.fromkeys(walk(root, folder), None))
        self._known = known.files
        self._paths = sorted(known.files)
        self._ignored = known.ignored

    def below(self, folder: str) -> list[str]:
        """Return the files at any depth below `folder`, "" for the root."""
        return _below(self._paths, folder)

    def inputs(self, patterns: Sequence[str] | None, folder: str, written: Sequence[Globs] = ()) -> list[str]:
        """Return the inputs of a task of the package at `folder`, sorted; all its files if `patterns` is None.

        Files that `written` matches are not inputs.
        """
        if patterns is None:
            found = self.below(folder)
        else:
            globs = parse(patterns, folder)
            paths = set(globs.without_excluded(self.below(folder))) if globs.has_default else set()
            for start in globs.starts():
                candidates = [*self._at_or_below(start), *self._ignored_below(start)]
                paths.update(globs.matching(candidates))
            found = sorted(paths)
        outputs = {path for globs in written for path in globs.matching(found)}
        return [path for path in found if path not in outputs] if outputs else found

    def digest(self, path: str) -> tuple[int, str]:
        """Return git's mode and the digest of a file."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._memo.digest(os.path.join(self._root, path))
        return known

    def fresh_digest(self, path: str) -> tuple[int, str]:
        """Return git's mode and the digest that a file has now."""
        return self._memo.digest(os.path.join(self._root, path))

    def _at_or_below(self, start: str) -> list[str]:
        found = self.below(start)
        return [start, *found] if start in self._known else found

    def _ignored_below(self, start: str) -> Iterator[str]:
        """Yield ignored files at or below `start`. Folders that are never inputs are only entered if `start` names
        them."""
        for path in _below(self._ignored, start):
            if path.endswith("/"):
                if not NEVER_INPUTS.intersection(path[len(start) :].split("/")):
                    yield from walk(self._root, path.rstrip("/"))
            else:
                yield path
        if self._is_in_ignored_folder(start):
            yield from walk(self._root, start)
        if start and _contains(self._ignored, start):
            yield start

    def _is_in_ignored_folder(self, start: str) -> bool:
        """Return whether `start` is an ignored folder or lies in one."""
        parts = start.split("/") if start else []
        return any(_contains(self._ignored, f"{'/'.join(parts[:count])}/") for count in range(1, len(parts) + 1))

    def ignored_at(self, starts: Sequence[str]) -> list[str]:
        """Return the ignored files and folders at or below `starts`. Folders that are never inputs are left out unless `starts` name
        them."""
        found = []
        for start in starts:
            below = [path.rstrip("/") for path in _below(self._ignored, start)]
            found += [path for path in below if not NEVER_INPUTS.intersection(path[len(start) :].split("/"))]
            if start and (self._is_in_ignored_folder(start) or _contains(self._ignored, start)):
                found.append(start)
        return found


def walk(root: str, folder: str) -> Iterator[str]:
    """Yield the files at or below `folder`, which is relative to `root`, in no particular order."""
    todo = [folder]
    while todo:
        at = todo.pop()
        try:
            entries = list(os.scandir(os.path.join(root, at)))
        except NotADirectoryError:
            yield at
            continue
        except OSError:
            continue
        for entry in entries:
            path = f"{at}/{entry.name}" if at else entry.name
            if not entry.is_dir(follow_symlinks=False):
                yield path
            elif entry.name not in NEVER_INPUTS:
                todo.append(path)


def _below(paths: Sequence[str], folder: str) -> list[str]:
    """Return those of the sorted `paths` that are below `folder`."""
    if not folder:
        return list(paths)
    return list(paths[bisect_left(paths, f"{folder}/") : bisect_left(paths, f"{folder}0")])  # "0" follows "/"


def is_any_below(paths: Sequence[str], start: str) -> bool:
    """Return whether one of the sorted `paths` is `start` or below it ("" for the root)."""
    return bool(paths) and (not start or _contains(paths, start) or bool(_below(paths, start)))


def _contains(paths: Sequence[str], path: str) -> bool:
    place = bisect_left(paths, path)
    return place < len(paths) and paths[place] == path
