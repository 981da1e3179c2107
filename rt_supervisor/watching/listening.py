"""Keeps track of the descriptor to wait for, which a watcher changes when it falls back to polling."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Listening:
    """Makes a poll or a loop wait for the descriptor last passed to `follow`; `add` and `remove` are methods of the
    poll or loop."""

    def __init__(self, *, add: Callable[[int], object], remove: Callable[[int], object]) -> None:
        self._add = add
        self._remove = remove
        self._descriptor: int | None = None

    def follow(self, descriptor: int | None) -> None:
        """Wait for `descriptor` from now on; None waits for nothing."""
        before, self._descriptor = self._descriptor, descriptor
        if descriptor == before:
            return
        if before is not None:
            self._remove(before)
        if descriptor is not None:
            self._add(descriptor)
