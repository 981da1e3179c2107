"""The interface between watching files and acting on changes: `watching.watcher.Watcher` as supervising uses it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from ..vocabulary.identity import Identity

    class Changes(Protocol):
        """Reports changed files. `take` may return some when `fileno` (if any) is readable, or after `timeout_s`.

        `new` are the files of the last batch that did not exist before.
        """

        new: frozenset[str]

        def fileno(self) -> int | None: ...
        @property
        def timeout_s(self) -> float | None: ...
        def take(self) -> list[str]: ...
        def follow_files(self, files: Mapping[str, Identity]) -> None: ...
        def close(self) -> None: ...
