"""What `js/node/dns` asks of the host: names and addresses as the system resolves them, on a few threads of their own.

The system's resolver waits, so it is asked beside the loop: by at most MOST_THREADS threads, which end when nothing is
left to ask.
"""

from __future__ import annotations

import _socket
import _thread
import os
from collections import deque

from .threads import apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..host import Host

MOST_THREADS = 4
LARGEST_DATAGRAM = 64 * 1024
FAMILIES = {0: _socket.AF_UNSPEC, 4: _socket.AF_INET, 6: _socket.AF_INET6}
# getaddrinfo's errors under the names that programs know.
ERRORS = {
    _socket.EAI_AGAIN: "EAI_AGAIN",
    _socket.EAI_BADFLAGS: "EAI_BADFLAGS",
    _socket.EAI_FAIL: "EAI_FAIL",
    _socket.EAI_FAMILY: "EAI_FAMILY",
    _socket.EAI_MEMORY: "EAI_MEMORY",
    _socket.EAI_NODATA: "ENOTFOUND",
    _socket.EAI_NONAME: "ENOTFOUND",
    _socket.EAI_SERVICE: "EAI_SERVICE",
    _socket.EAI_SOCKTYPE: "EAI_SOCKTYPE",
}


def operations(host: Host) -> dict[str, Any]:
    questions = _Questions(host)

    def lookup(name: str, family: int, flags: int, callback: Any) -> None:
        """Look a name up; `callback(code, None)` or `callback(None, [address and family, one after the other])`."""
        questions.ask(lambda: _addresses(name, FAMILIES[family], flags), callback)

    def lookup_service(address: str, port: int, callback: Any) -> None:
        """Find the names of a numeric address and a port; as `lookup`, with [host, service]."""
        questions.ask(lambda: list(_socket.getnameinfo((address, port), _socket.NI_NAMEREQD)), callback)

    return {
        "lookup": lookup,
        "lookupService": lookup_service,
        "send": (lambda *arguments: _send(host, *arguments), "vvvbv"),
    }


def _send(host: Host, address: str, port: int, family: int, data: bytes, callback: Any) -> int:
    """Send a datagram to a name server; the descriptor that waits for answers. `callback(bytes or a negative errno)`."""
    try:
        socket = _socket.socket(FAMILIES[family], _socket.SOCK_DGRAM | _socket.SOCK_NONBLOCK | _socket.SOCK_CLOEXEC)
        socket.connect((address, port))
        socket.send(data)
    except OSError as error:
        return -(error.errno or 0)
    descriptor = socket.detach()

    def readable() -> None:
        try:
            answer: Any = os.read(descriptor, LARGEST_DATAGRAM)
        except BlockingIOError:
            return
        except OSError as error:
            answer = -(error.errno or 0)
        host.entry.invoke("call", callback, answer)

    host.loop.watch(descriptor, readable)
    return descriptor


def _addresses(name: str, family: int, flags: int) -> list[Any]:
    found: list[Any] = []
    for kind, _, _, _, place in _socket.getaddrinfo(name, None, family, _socket.SOCK_STREAM, 0, flags):
        found += [place[0], 6 if kind == _socket.AF_INET6 else 4]
    return found


class _Questions:
    """Questions that wait for a thread, and the threads that ask them."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._waiting: deque[tuple[Callable[[], Any], Any]] = deque()
        self._threads = 0
        self._lock = _thread.allocate_lock()

    def ask(self, question: Callable[[], Any], callback: Any) -> None:
        self._host.loop.waker()  # so that a thread can end the wait
        self._host.loop.references += 1
        with self._lock:
            self._waiting.append((question, callback))
            if self._threads == MOST_THREADS:
                return
            self._threads += 1
        apart(self._work)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._threads -= 1
                    return
                question, callback = self._waiting.popleft()
            code, answer = None, None
            try:
                answer = question()
            except _socket.gaierror as error:
                code = ERRORS.get(error.errno or 0, "ENOTFOUND")
            except (OSError, UnicodeError):
                code = "ENOTFOUND"
            self._host.loop.complete(self._told(callback, code, answer))

    def _told(self, callback: Any, code: str | None, answer: Any) -> Callable[[], None]:
        def tell() -> None:
            self._host.loop.references -= 1
            self._host.entry.invoke("call", callback, code, answer)

        return tell
