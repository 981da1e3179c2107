"""The events of one run that an agent has for the requesting machine, which fetches them.

Events are numbered from 1 and stay until a later request acknowledges them. `put` waits while too many bytes of output are
unacknowledged, and with it the script that writes.

A request costs both sides as much as dozens of events. So an answer waits for more events: longest while the agent has more jobs than it
runs, because nothing idles meanwhile. An urgent event ends that wait.
"""

from __future__ import annotations

import asyncio
import collections

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MOST_BYTES = 2 << 20  # of the output that waits on an agent, for each run
_FREQUENT_S = 0.2


@record
class Delays:
    """How long an answer waits for more events, in seconds: `after_pause_s`, `frequent_s` if the last answer was not long ago, and `busy_s` if
    other jobs wait on the agent as well.
    """

    after_pause_s: float = 0.01
    frequent_s: float = 0.04
    busy_s: float = 0.2


class Outbox:
    """The events of one run on one agent. `has_more_jobs` returns whether jobs wait there for one that runs. All methods are called in the
    agent's event loop.
    """

    def __init__(self, has_more_jobs: Callable[[], bool], delays: Delays | None = None) -> None:
        self._delays = delays or Delays()
        self._has_more_jobs = has_more_jobs
        self._events: collections.deque[tuple[int, int, tuple[Any, ...]]] = collections.deque()
        self._last = 0
        self._bytes = 0
        self._wait: asyncio.Future[None] | None = None  # for an event
        self._urgent_wait: asyncio.Future[None] | None = None  # for an urgent one
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._answered_s = 0.0

    def add(self, *event: Any, is_urgent: bool = False) -> None:
        """Add an event that is not output."""
        self._append(0, event)
        if is_urgent:
            _end(self._urgent_wait)

    async def put(self, size: int, *event: Any) -> None:
        """Add an event with `size` bytes of output, once there is room."""
        if not self._has_room.is_set():
            await self._has_room.wait()
        self._append(size, event)

    async def take(self, after: int, wait_s: float) -> list[tuple[int, tuple[Any, ...]]]:
        """Return the events after that of number `after`, with their numbers; wait for one. Those up to `after` are acknowledged."""
        while self._events and self._events[0][0] <= after:
            self._bytes -= self._events.popleft()[1]
        if self._bytes < MOST_BYTES:
            self._has_room.set()
        if not self._events:
            loop = asyncio.get_running_loop()
            self._wait = loop.create_future()
            self._urgent_wait = loop.create_future()
            await _await(self._wait, wait_s)
            if not self._events:
                return []
            await _await(self._urgent_wait, self._batch_s())
            self._answered_s = loop.time()
        return [(number, event) for number, _, event in self._events]

    def _batch_s(self) -> float:
        if asyncio.get_running_loop().time() - self._answered_s > _FREQUENT_S:
            return self._delays.after_pause_s
        return self._delays.busy_s if self._has_more_jobs() else self._delays.frequent_s

    def _append(self, size: int, event: tuple[Any, ...]) -> None:
        self._last += 1
        self._events.append((self._last, size, event))
        self._bytes += size
        if self._bytes >= MOST_BYTES:
            self._has_room.clear()
            _end(self._urgent_wait)
        _end(self._wait)


def _end(wait: asyncio.Future[None] | None) -> None:
    if wait is not None and not wait.done():
        wait.set_result(None)


async def _await(wait: asyncio.Future[None], seconds: float) -> None:
    """Wait until `wait` has ended, at most for `seconds`."""
    timer = asyncio.get_running_loop().call_later(seconds, _end, wait)
    try:
        await wait
    finally:
        timer.cancel()
