"""The files of a workspace that tasks can depend on: which exist, and their digests.

In a git repository, these are the files that git does not ignore; elsewhere all files outside `node_modules` and
`.git`. Ignored files count if a pattern of `inputs` names them.
"""

from __future__ import annotations

import os
import stat

from .._native import known_below
from .digests import DigestMemo, identity_of, is_settled
from .git_files import GitFiles, GitReading, without_ignored
from .globs import parse, whole_folder
from .sorted_paths import below, is_any_below, sort_paths
from .written import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Any

    from .globs import Globs
    from .sorted_paths import SortedPaths
    from .written import Written

NEVER_INPUTS = frozenset({"node_modules", ".git"})


class FileIndex:
    """The files below `root`, not older than `read_ns`. Paths are relative to `root`."""

    def __init__(self, root: str, reading: GitReading | None, memo: DigestMemo, *, read_ns: int) -> None:
        self.read_ns = read_ns
        self._root = root
        self._memo = memo
        known = reading.result() if reading is not None else None
        self._is_in_git = known is not None
        if known is None:
            known = GitFiles(dict.fromkeys(walk(root, ""), None), (), sort_paths(()))
        for folder in known.folders:
            known.files.update(dict.fromkeys(walk(root, folder), None))
        self._known = known.files
        self._paths = sort_paths(known.files)
        self._ignored = known.ignored
        self._ignored_names = frozenset(known.ignored)

    def below(self, folder: str) -> SortedPaths:
        """Return the files at any depth below `folder`, "" for the root."""
        return below(self._paths, folder)

    def inputs(self, patterns: Sequence[str] | None, folder: str, written: Written = NOTHING) -> SortedPaths:
        """Return the inputs of a task of the package at `folder`; all its files if `patterns` is None.

        Files in `written` are not inputs.
        """
        if patterns is None:
            found = self.below(folder)
        elif start := self._start_of_all(patterns, folder):
            found = self.below(start)
        else:
            globs = parse(patterns, folder)
            starts = globs.starts()
            if len(starts) == 1 and not globs.has_default:
                found = self._matching_at_or_below(globs, starts[0])
                return written.without(found)
            paths = set(globs.without_excluded(self.below(folder))) if globs.has_default else set()
            for start in starts:
                paths.update(self._matching_at_or_below(globs, start))
            found = sort_paths(paths)
        return written.without(found)

    def digests_of_inputs(
        self, patterns: Sequence[str] | None, folder: str, written: Written, *, also: str
    ) -> dict[str, str]:
        """Return what `digest` does for the `inputs` of a task, and for the file `also`, in order."""
        start = folder if patterns is None else self._start_of_all(patterns, folder)
        if start and written.is_apart_from(start, self._paths):
            found = known_below(self._paths, self._known, start, also)
            if found is not None:
                return found
        paths = self.inputs(patterns, folder, written)
        return self.digests(paths if also in paths else sorted([also, *paths]))

    def _start_of_all(self, patterns: Sequence[str], folder: str) -> str:
        """Return the folder all of whose listed files `patterns` match, and nothing else; "" if that is not obvious."""
        start = whole_folder(tuple(patterns), folder)
        return "" if start and self._is_special(start) else start

    def _is_special(self, start: str) -> bool:
        """Return whether `start` is a file, or there are ignored files at or below it."""
        return start in self._known or is_any_below(self._ignored, start) or self._is_in_ignored_folder(start)

    def _matching_at_or_below(self, globs: Globs, start: str) -> SortedPaths:
        """Return the files at or below `start` that `globs` match."""
        listed, ignored = self._at_or_below(start), set(self._ignored_below(start))
        candidates = sort_paths({*listed, *ignored}) if ignored else listed
        return candidates if globs.has_all_below(start, candidates) else sort_paths(globs.matching(candidates))

    def added(self, patterns: Sequence[str] | None, folder: str, written: Written, known: Collection[str]) -> str:
        """Return a file that would now be among the inputs of a task but is not one of `known`, "" without one.

        The other parameters are those of `inputs`.
        """
        globs = parse(patterns or (), folder)
        named = {path for start in globs.starts() for path in self._walk(start) if path not in known}
        found = set(globs.matching(sorted(named)))
        if patterns is None or globs.has_default:
            fresh = [path for path in self._walk_default(folder) if path not in known and path not in found]
            default = written.without(sort_paths(globs.without_excluded(fresh)))
            found.update(without_ignored(self._root, default) if default and self._is_in_git else default)
        return next(filter(self.is_file, written.without(sort_paths(found))), "")

    def _walk(self, start: str) -> Iterator[str]:
        """Yield the files at or below `start`; a link counts as a file, as in git."""
        return iter((start,)) if os.path.islink(os.path.join(self._root, start)) else walk(self._root, start)

    def _walk_default(self, folder: str) -> Iterator[str]:
        """Yield the files below `folder`, except those that git ignored when the index was made."""
        return walk(self._root, folder, is_left_out=self._ignored_names.__contains__)

    def is_file(self, path: str) -> bool:
        """Return whether `path` is a file or a link; git lists nothing else."""
        try:
            kind = stat.S_IFMT(os.lstat(os.path.join(self._root, path)).st_mode)
        except OSError:
            return False
        return kind in (stat.S_IFREG, stat.S_IFLNK)

    def digest(self, path: str) -> str:
        """Return git's mode and the digest of a file, with a space between them."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self.fresh_digest(path)
        return known

    def digests(self, paths: Sequence[str]) -> dict[str, str]:
        """Return what `digest` does for each of `paths`."""
        found: dict[str, Any] = dict(zip(paths, map(self._known.get, paths), strict=True))
        if None in found.values():
            found = {path: self.digest(path) for path in paths}
        return found

    def may_have_changed(self, path: str, since_ns: int) -> bool:
        """Return whether the file at `path` is missing, or its times do not exclude a change after `since_ns`."""
        try:
            return not is_settled(identity_of(os.lstat(os.path.join(self._root, path))), since_ns)
        except OSError:
            return True

    def is_newer(self, path: str, since_ns: int) -> bool:
        """Return whether the file at `path` was changed at `since_ns` (`identity.file_time_ns`) or later."""
        try:
            about = os.lstat(os.path.join(self._root, path))
        except OSError:
            return False
        return max(about.st_mtime_ns, about.st_ctime_ns) >= since_ns

    def fresh_digest(self, path: str) -> str:
        """Return what `digest` does, of the file as it is now."""
        mode, digest = self._memo.digest(f"{self._root}/{path}")
        return f"{mode:o} {digest}"

    def _at_or_below(self, start: str) -> SortedPaths:
        found = self.below(start)
        return sort_paths((start, *found)) if start in self._known else found

    def _ignored_below(self, start: str) -> Iterator[str]:
        """Yield ignored files at or below `start`. Folders that are never inputs are only entered if `start` names
        them."""
        for path in below(self._ignored, start):
            if path.endswith("/"):
                if not NEVER_INPUTS.intersection(path[len(start) :].split("/")):
                    yield from walk(self._root, path.rstrip("/"))
            else:
                yield path
        if self._is_in_ignored_folder(start):
            yield from walk(self._root, start)
        if start in self._ignored_names:
            yield start

    def _is_in_ignored_folder(self, start: str) -> bool:
        """Return whether `start` is an ignored folder or lies in one."""
        at = start.find("/")
        while at > 0:
            if start[: at + 1] in self._ignored_names:
                return True
            at = start.find("/", at + 1)
        return f"{start}/" in self._ignored_names

    def ignored_at(self, starts: Sequence[str]) -> list[str]:
        """Return the ignored files and folders at or below `starts`. Folders that are never inputs are left out unless `starts` name
        them."""
        found = []
        for start in starts:
            paths = [path.rstrip("/") for path in below(self._ignored, start)]
            found += [path for path in paths if not NEVER_INPUTS.intersection(path[len(start) :].split("/"))]
            if start and (self._is_in_ignored_folder(start) or start in self._ignored_names):
                found.append(start)
        return found


def walk(root: str, folder: str, *, is_left_out: Callable[[str], bool] = lambda _: False) -> Iterator[str]:
    """Yield the files at or below `folder`, which is relative to `root`, in no particular order.

    `is_left_out` receives the path of each file, and that of each folder with a slash at its end.
    """
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
                if not is_left_out(path):
                    yield path
            elif entry.name not in NEVER_INPUTS and not is_left_out(f"{path}/"):
                todo.append(path)
