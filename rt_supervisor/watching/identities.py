"""The identities of followed files as of the last look."""

from __future__ import annotations

from ..vocabulary.identity import identity_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..vocabulary.identity import Identity


class FileStates:
    """Paths and their last known identities; `take_changed` compares them with the current ones."""

    def __init__(self) -> None:
        self._known: dict[str, Identity] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._known

    def __len__(self) -> int:
        return len(self._known)

    @property
    def paths(self) -> list[str]:
        return list(self._known)

    def add(self, path: str, known: Identity = None, *, is_known: bool = False) -> None:
        """Follow `path` from now on, whether or not it exists; with `is_known`, its identity was `known` a moment
        ago."""
        if path not in self._known:
            self._known[path] = known if is_known else identity_of(path)

    def modified_since(self, paths: Iterable[str], since_ns: int) -> list[str]:
        """Return those of the followed `paths` that were modified after `since_ns` when they were last looked at."""
        return [path for path in paths if (known := self._known.get(path)) is not None and known[0] > since_ns]

    def forget(self, path: str) -> None:
        self._known.pop(path, None)

    def take_changed(self, paths: Iterable[str]) -> list[str]:
        """Check those of `paths` that are followed; return the changed ones and store their new identities."""
        changed = []
        for path in paths:
            if path not in self._known:
                continue
            now = identity_of(path)
            if now != self._known[path]:
                self._known[path] = now
                changed.append(path)
        return changed
