"""What `js/node/dns` asks of the host: names and addresses as the system resolves them, on a few threads of their own.

The system's resolver waits, so threads ask it, beside the loop.
"""

from __future__ import annotations

import _socket
import os

from .threads import Threads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..host import Host

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
    threads = Threads(host)

    def lookup(name: str, family: int, flags: int, callback: Any) -> None:
        """Look a name up; `callback(code, None)` or `callback(None, [address and family, one after the other])`."""
        threads.ask(lambda: _asked(lambda: _addresses(name, FAMILIES[family], flags)), callback)

    def lookup_service(address: str, port: int, callback: Any) -> None:
        """Find the names of a numeric address and a port; as `lookup`, with [host, service]."""
        threads.ask(lambda: _asked(lambda: _names(address, port)), callback)

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
    host.loop.own(descriptor)

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


def _names(address: str, port: int) -> list[Any]:
    return list(_socket.getnameinfo((address, port), _socket.NI_NAMEREQD))


def _asked(question: Callable[[], list[Any]]) -> list[Any]:
    """Return [code, None] or [None, answer]."""
    try:
        return [None, question()]
    except _socket.gaierror as error:
        return [ERRORS.get(error.errno or 0, "ENOTFOUND"), None]
    except (OSError, UnicodeError):
        return ["ENOTFOUND", None]
