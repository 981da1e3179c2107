"""The interface between watching files and acting on changes: `watching.watcher.Watcher` as supervising uses it; which package a change
belongs to.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from typing import Protocol

    from ..vocabulary.identity import Identity

    class Changes(Protocol):
        """Reports changed files. `take` may return some when `fileno` (if any) is readable, or after `timeout_s`.

        `new` are the files of the last batch that did not exist before, `brief` those that exist no more and are not in it.
        """

        new: frozenset[str]
        brief: frozenset[str]

        def fileno(self) -> int | None: ...
        @property
        def timeout_s(self) -> float | None: ...
        def take(self) -> list[str]: ...
        def follow_files(self, files: Mapping[str, Identity]) -> None: ...
        def close(self) -> None: ...


def nearest_folder(path: str, folders: Container[str]) -> str:
    """Return that of `folders` which is the nearest above `path`; "" if there is none."""
    folder = os.path.dirname(path)
    while folder not in folders:
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above
    return folder
