"""The files of `globalDependencies`: which of them exist, with their digests, and which were added since.

Their patterns often match in all folders of a workspace. To find an added file, all of these folders are listed once; after that, only
those whose time of change is another one.
"""

from __future__ import annotations

import os
import time

from ..start.dependencies import CLOCK_TICK_NS
from .file_index import NEVER_INPUTS
from .git_files import without_ignored
from .globs import escape, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from .file_index import FileIndex


class SharedFiles:
    """The files below `root` that `patterns` match. Paths are relative to `root`.

    Ignored files count if they existed when `index` was made, or if a pattern without wildcards names them.
    """

    def __init__(self, root: str, index: FileIndex, patterns: Sequence[str]) -> None:
        self._root = root
        self._index = index
        self._globs = parse(patterns, "")
        starts = self._globs.starts()
        found = {path for start in starts for path in self._globs.matching(index.inputs([escape(start) or "**"], ""))}
        self.files = {path: index.digest(path) for path in sorted(found)}
        """Mode and digest of each file."""
        self._named = [start for start in starts if escape(start) in self._globs.included]
        self._folders = [start for start in starts if start not in self._named]
        self._listed_ns: dict[str, int] = {}  # the time of change of each folder when it was listed last
        self._added: set[str] = set()

    def added(self, own: Collection[str] = ()) -> str:
        """Return a file that did not exist when the index was made, "" without one. Files in `own` do not count."""
        named = {path for start in self._named for path in self._at_or_below(start) if path not in self.files}
        new = sorted({path for path in self._new_files() if path not in self.files})
        matching = self._globs.matching(new)
        self._added.update(without_ignored(self._root, matching) if matching else ())
        candidates = sorted({*self._globs.matching(sorted(named)), *self._added}.difference(own))
        return next(filter(self._index.is_file, candidates), "")

    def places(self) -> list[str]:
        """Return the ignored files and folders that the patterns reach, and what they name that does not exist."""
        absent = [path for path in self._named if path not in self.files]
        return sorted({*self._index.ignored_at(self._globs.starts()), *absent})

    def _new_files(self) -> Iterator[str]:
        """Yield the files in folders that were not listed yet, or have changed since."""
        todo = [folder for folder in self._folders if folder not in self._listed_ns]
        for folder, listed_ns in list(self._listed_ns.items()):
            changed_ns = self._time_of(folder)
            if changed_ns is None:
                del self._listed_ns[folder]
            elif changed_ns != listed_ns:
                todo.append(folder)
        while todo:
            folder = todo.pop()
            now, changed_ns = time.time_ns(), self._time_of(folder)
            if changed_ns is None:
                continue
            # A folder that changes twice within one tick of the clock has the same time both times.
            self._listed_ns[folder] = changed_ns if changed_ns < now - CLOCK_TICK_NS else 0
            for entry in self._entries(folder):
                path = f"{folder}/{entry.name}" if folder else entry.name
                if not entry.is_dir(follow_symlinks=False):
                    yield path
                elif entry.name not in NEVER_INPUTS and path not in self._listed_ns:
                    todo.append(path)

    def _at_or_below(self, start: str) -> Iterator[str]:
        todo = [start]
        while todo:
            path = todo.pop()
            if os.path.isdir(os.path.join(self._root, path)):
                todo += [f"{path}/{entry.name}" for entry in self._entries(path) if entry.name not in NEVER_INPUTS]
            else:
                yield path

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            return list(os.scandir(os.path.join(self._root, folder)))
        except OSError:
            return []

    def _time_of(self, folder: str) -> int | None:
        try:
            return os.stat(os.path.join(self._root, folder)).st_mtime_ns
        except OSError:
            return None
