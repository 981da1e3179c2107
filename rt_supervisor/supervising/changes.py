"""What `watching.watcher.Watcher` is to supervising: the seam between files that change and what is done about it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from ..vocabulary.identity import Identity

    class Changes(Protocol):
        """Changed files. `fileno`, if there is one, is readable when `take` may have something, and so it is after `timeout_s`.

        `new` are those of the last batch that were not there before.
        """

        new: frozenset[str]

        def fileno(self) -> int | None: ...
        @property
        def timeout_s(self) -> float | None: ...
        def take(self) -> list[str]: ...
        def follow_files(self, files: Mapping[str, Identity]) -> None: ...
        def close(self) -> None: ...
