"""What `js/pipe_handle.js` asks of the host: pipes and sockets of the program, read and written without ever waiting.

A pipe is known by its descriptor, which does not block and belongs to whoever made it known to JavaScript. What is
written goes out at once as far as it fits, and the rest when the loop finds room. Who wants how much is JavaScript's
decision: a pipe is read only between `read` and `stop`.
"""

from __future__ import annotations

import os
from functools import partial

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..worker import EngineWorker

READ_BYTES = 256 * 1024
DONE, WAITING = 0, 1


def operations(worker: EngineWorker) -> dict[str, Any]:
    pipes = Pipes(worker)

    def reference(change: int) -> None:
        worker.loop.references += change

    return {
        "read": pipes.read,
        "stop": worker.loop.unwatch,
        "write": pipes.write,
        "end": end,
        "close": pipes.close,
        "reference": reference,
        "adopt": adopt,
        "serialize": worker.engine.serialize,
        "deserialize": (worker.engine.deserialize, "b"),
    }


class Pipes:
    """The pipes of one program, and what waits to be written to each."""

    def __init__(self, worker: EngineWorker) -> None:
        self._worker = worker
        self._waiting: dict[int, list[tuple[memoryview, Any]]] = {}
        self._block = bytearray(READ_BYTES)  # what is read passes through it: JavaScript gets a copy of just that

    def read(self, descriptor: int, callback: Any) -> None:
        """Call `callback` with each block that arrives, null at the end, or a negative errno."""
        self._worker.loop.watch(descriptor, partial(self._readable, descriptor, callback))

    def _readable(self, descriptor: int, callback: Any) -> None:
        data: Any
        try:
            count = os.readv(descriptor, [self._block])
            data = memoryview(self._block)[:count] if count else _native.null
        except BlockingIOError:
            return
        except OSError as error:
            data = -(error.errno or 0)
        self._worker.entry.invoke("call", callback, data)

    def write(self, descriptor: int, data: Any, callback: Any) -> int:
        """Write; 0 when all is written, 1 when `callback` will be called with 0 or a negative errno, or a negative errno."""
        written = 0
        if descriptor not in self._waiting:
            try:
                written = os.write(descriptor, data)
            except BlockingIOError:
                pass
            except OSError as error:
                return -(error.errno or 0)
            if written == len(data):
                return DONE
            self._waiting[descriptor] = []
            self._worker.loop.watch_writable(descriptor, partial(self._writable, descriptor))
        with memoryview(data) as view:  # only what has to wait is copied
            self._waiting[descriptor].append((memoryview(bytes(view[written:])), callback))
        return WAITING

    def _writable(self, descriptor: int) -> None:
        waiting = self._waiting.get(descriptor)
        while waiting:
            view, callback = waiting[0]
            outcome = 0
            try:
                view = view[os.write(descriptor, view) :]
            except BlockingIOError:
                return
            except OSError as error:
                view, outcome = view[:0], -(error.errno or 0)
            if view:
                waiting[0] = (view, callback)
                continue
            waiting.pop(0)
            self._worker.entry.invoke("call", callback, outcome)
        if self._waiting.get(descriptor) == []:
            self._forget(descriptor)

    def _forget(self, descriptor: int) -> None:
        if self._waiting.pop(descriptor, None) is not None:
            self._worker.loop.unwatch_writable(descriptor)

    def close(self, descriptor: int) -> None:
        """Close it; what has not been written is forgotten, callbacks and all."""
        self._worker.loop.unwatch(descriptor)
        self._forget(descriptor)
        os.close(descriptor)


def adopt(descriptor: int) -> bool:
    """Take over a descriptor that rt was started with; whether there is one."""
    try:
        os.set_inheritable(descriptor, False)
        os.set_blocking(descriptor, False)
    except OSError:
        return False
    return True


def end(descriptor: int) -> None:
    """Tell the other side of a socket that nothing more comes, and go on reading from it."""
    import _socket

    socket = _socket.socket(fileno=descriptor)
    try:
        socket.shutdown(_socket.SHUT_WR)
    except OSError:
        return  # the other side is gone
    finally:
        socket.detach()
