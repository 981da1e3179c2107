"""Running a child to its end while JavaScript waits (`spawnSync` and its kin): feeds it, gathers what it prints.

It ends when the child has ended and its pipes are closed. One that takes too long or prints too much is sent a signal,
and then only its own end is waited for: who else holds its pipes does not matter any more.
"""

from __future__ import annotations

import errno
import os
import select
import time

from ... import _native
from .children import Started, how_ended, usage_of

READ_BYTES = 256 * 1024

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import HostWithChildren


def run(worker: HostWithChildren, request: dict[str, Any], given: bytes) -> Any:
    """Return {pid, error (0 or a negative errno), code, signal, output (bytes or null for each descriptor), usage}.

    Beyond what `Started` reads, `request` holds timeout in ms (0: none), most (bytes of one stream, negative: any
    number) and the number of the signal that ends it.
    """
    try:
        child = Started(worker, request)
    except OSError as error:
        return {"pid": 0, "error": -(error.errno or 0)}
    waiting = _Waiting(child, request, given)
    waiting.until_over()
    _, status, usage = os.wait4(child.pid, 0)
    os.close(child.watch)
    code, signal = how_ended(status)
    return {
        "pid": child.pid,
        "error": -waiting.problem,
        "code": code,
        "signal": signal,
        "output": [_native.null if blocks is None else b"".join(blocks) for blocks in waiting.output],
        "usage": usage_of(usage),
    }


class _Waiting:
    """One child being waited for."""

    def __init__(self, child: Started, request: dict[str, Any], given: bytes) -> None:
        self._child = child
        self._signal: int = request["killSignal"]
        self._most: int = request["most"]
        self._input = memoryview(given)
        self._poll = select.poll()
        self._poll.register(child.watch, select.POLLIN)
        self._open: dict[int, int] = {}  # our end -> the child's descriptor
        self._deadline = time.monotonic() + request["timeout"] / 1000 if request["timeout"] > 0 else None
        self.problem = 0
        self._is_running = True
        self.output: list[list[bytes] | None] = [
            None if end is None or place == 0 else [] for place, end in enumerate(child.ends)
        ]
        self._sizes = [0] * len(child.ends)
        for place, end in enumerate(child.ends):
            if end is not None:
                self._open[end] = place
                self._poll.register(end, select.POLLOUT if place == 0 else select.POLLIN)

    def until_over(self) -> None:
        while self._is_running or self._open:
            left = None if self._deadline is None else max(0.0, self._deadline - time.monotonic()) * 1000
            ready = self._poll.poll(left)
            if not ready:
                self._end(errno.ETIMEDOUT)
            for descriptor, _ in ready:
                if descriptor == self._child.watch:
                    self._is_running = False
                    self._poll.unregister(descriptor)
                elif descriptor not in self._open:
                    continue  # closed a moment ago
                elif self._open[descriptor] == 0:
                    self._feed(descriptor)
                else:
                    self._take(descriptor, self._open[descriptor])

    def _feed(self, descriptor: int) -> None:
        try:
            if self._input:
                self._input = self._input[os.write(descriptor, self._input) :]
        except BlockingIOError:
            return
        except OSError as error:
            self.problem = self.problem or error.errno or 0
            self._input = self._input[:0]
        if not self._input:
            self._close(descriptor)

    def _take(self, descriptor: int, place: int) -> None:
        blocks = self.output[place]
        assert blocks is not None
        try:
            data = os.read(descriptor, READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._close(descriptor)
            return
        blocks.append(data)
        self._sizes[place] += len(data)
        if 0 <= self._most < self._sizes[place]:
            self._end(errno.ENOBUFS)

    def _end(self, why: int) -> None:
        self.problem = self.problem or why
        self._deadline = None
        if self._is_running:
            _send(self._child.pid, self._signal)
        for descriptor in list(self._open):
            self._close(descriptor)

    def _close(self, descriptor: int) -> None:
        self._poll.unregister(descriptor)
        del self._open[descriptor]
        os.close(descriptor)


def _send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:  # it runs as another user now, or there is no such signal
        return
