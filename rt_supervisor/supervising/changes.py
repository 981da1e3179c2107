"""The seam between changed files and what is done about them: `watching.watcher.Watcher` as supervising sees it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from ..vocabulary.identity import Identity

    class Changes(Protocol):
        """Changed files. `take` may return something once `fileno` is readable, if there is one, or after `timeout_s`.

        `new` are the files of the last batch that did not exist before.
        """

        new: frozenset[str]

        def fileno(self) -> int | None: ...
        @property
        def timeout_s(self) -> float | None: ...
        def take(self) -> list[str]: ...
        def follow_files(self, files: Mapping[str, Identity]) -> None: ...
        def close(self) -> None: ...
