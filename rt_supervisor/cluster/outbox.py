"""The events of one run that an agent has for the requesting machine, which fetches them.

Events are numbered from 1 and stay until a later request acknowledges them. `put` waits while too many bytes of output are
unacknowledged, and with it the script that writes.
"""

from __future__ import annotations

import asyncio
import collections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_BYTES = 2 << 20  # of the output that waits on an agent, for each run
_BATCH_S = 0.01  # how long an event waits for others, so that a busy agent answers once for many
_BUSY_BATCH_S = 0.04  # the same, if the last answer had events too and was not long ago
_BUSY_S = 0.1


class Outbox:
    """The events of one run on one agent. All methods are called in the agent's event loop."""

    def __init__(self) -> None:
        self._events: collections.deque[tuple[int, int, tuple[Any, ...]]] = collections.deque()
        self._last = 0
        self._bytes = 0
        self._has_events = asyncio.Event()
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._answered_s = 0.0

    def add(self, *event: Any) -> None:
        """Add an event that is not output."""
        self._append(0, event)

    async def put(self, size: int, *event: Any) -> None:
        """Add an event with `size` bytes of output, once there is room."""
        await self._has_room.wait()
        self._append(size, event)

    async def take(self, after: int, wait_s: float) -> list[tuple[int, tuple[Any, ...]]]:
        """Return the events after that of number `after`, with their numbers; wait for one. Those up to `after` are acknowledged."""
        while self._events and self._events[0][0] <= after:
            self._bytes -= self._events.popleft()[1]
        if self._bytes < MOST_BYTES:
            self._has_room.set()
        if not self._events:
            self._has_events.clear()
            try:
                await asyncio.wait_for(self._has_events.wait(), wait_s)
            except TimeoutError:
                return []
            loop = asyncio.get_running_loop()
            is_busy = loop.time() - self._answered_s < _BUSY_S
            await asyncio.sleep(_BUSY_BATCH_S if is_busy else _BATCH_S)
            self._answered_s = loop.time()
        return [(number, event) for number, _, event in self._events]

    def _append(self, size: int, event: tuple[Any, ...]) -> None:
        self._last += 1
        self._events.append((self._last, size, event))
        self._bytes += size
        if self._bytes >= MOST_BYTES:
            self._has_room.clear()
        self._has_events.set()
