"""What `js/node/net` asks of the host: sockets that listen and connect, all in the loop's wait.

A socket is its descriptor, never blocking; its bytes and new connections are native (`native/src/event_loop`).
Failures are negative errno values. Names are resolved elsewhere (`dns`): addresses here are numeric.
"""

from __future__ import annotations

import _socket
import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..host import Host

FAMILIES = {4: _socket.AF_INET, 6: _socket.AF_INET6}


def operations(worker: Host) -> dict[str, Any]:
    loop = worker.loop
    connecting: set[int] = set()  # what keeps the program alive until it is known or given up

    def owned(descriptor: int) -> int:
        if descriptor >= 0:
            loop.own(descriptor)
        return descriptor

    def listen(address: str, port: int, options: dict[str, Any]) -> int:
        """Listen on a TCP address; `options`: family, backlog, ipv6Only, reusePort."""
        family = FAMILIES[options["family"]]

        def prepare(socket: _socket.socket) -> None:
            socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
            if options["reusePort"]:
                socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEPORT, 1)
            if family == _socket.AF_INET6:
                socket.setsockopt(_socket.IPPROTO_IPV6, _socket.IPV6_V6ONLY, int(options["ipv6Only"]))
            socket.bind(_place(address, port, family))
            socket.listen(options["backlog"])

        return owned(_made(family, prepare))

    def listen_unix(path: str, backlog: int, mode: int) -> int:
        """Listen on a path; `mode` is added to the permissions of its file."""

        def prepare(socket: _socket.socket) -> None:
            socket.bind(_unix_name(path))
            if mode and not path.startswith("\0"):
                os.chmod(path, os.stat(path).st_mode | mode)
            socket.listen(backlog)

        return owned(_made(_socket.AF_UNIX, prepare))

    def connect(address: str, port: int, options: dict[str, Any], callback: Any) -> int:
        """Begin to connect; the descriptor. `callback(0 or a negative errno)` follows; `options`: family, localAddress,
        localPort."""
        family = FAMILIES[options["family"]]

        def prepare(socket: _socket.socket) -> None:
            if options["localAddress"] or options["localPort"]:
                any_address = "::" if family == _socket.AF_INET6 else "0.0.0.0"
                socket.bind(_place(options["localAddress"] or any_address, options["localPort"], family))

        descriptor = owned(_made(family, prepare))
        if descriptor < 0:
            return descriptor
        return _connected(worker, connecting, descriptor, _place(address, port, family), callback)

    def connect_unix(path: str, callback: Any) -> int:
        descriptor = owned(_made(_socket.AF_UNIX, lambda socket: None))
        return descriptor if descriptor < 0 else _connected(worker, connecting, descriptor, _unix_name(path), callback)

    def give_up(descriptor: int) -> None:
        """Close a socket that is connecting or listening."""
        loop.unwatch(descriptor)
        loop.unwatch_writable(descriptor)
        if descriptor in connecting:
            connecting.discard(descriptor)
            loop.references -= 1
        loop.disown(descriptor)
        os.close(descriptor)

    return {
        "listen": listen,
        "listenUnix": listen_unix,
        "connect": connect,
        "connectUnix": connect_unix,
        "giveUp": give_up,
        "localName": lambda descriptor: _with(descriptor, lambda socket: _name(socket, socket.getsockname())),
        "remoteName": lambda descriptor: _with(descriptor, lambda socket: _name(socket, socket.getpeername())),
        "setNoDelay": lambda descriptor, on: _with(
            descriptor, lambda socket: socket.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, int(on))
        ),
        "setKeepAlive": _set_keep_alive,
        "resetOnClose": lambda descriptor: _with(
            descriptor,
            lambda socket: socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_LINGER, b"\1\0\0\0\0\0\0\0"),
        ),
        "typeOfService": _type_of_service,
    }


def _made(family: int, prepare: Callable[[_socket.socket], None]) -> int:
    """Return the descriptor of a new socket that `prepare` has made ready, or a negative errno."""
    try:
        socket = _socket.socket(family, _socket.SOCK_STREAM | _socket.SOCK_NONBLOCK | _socket.SOCK_CLOEXEC)
    except OSError as error:
        return -(error.errno or errno.EINVAL)
    try:
        prepare(socket)
    except OSError as error:
        socket.close()
        return -(error.errno or errno.EINVAL)
    except OverflowError:
        socket.close()
        return -errno.EINVAL
    return socket.detach()


def _connected(worker: Host, connecting: set[int], descriptor: int, place: Any, callback: Any) -> int:
    """Connect `descriptor`; its outcome is told in a later turn, as it is when it is known at once."""

    def done(outcome: int) -> None:
        if descriptor not in connecting:
            return  # given up meanwhile
        connecting.discard(descriptor)
        worker.loop.references -= 1
        worker.entry.invoke("call", callback, outcome)

    def writable() -> None:
        worker.loop.unwatch_writable(descriptor)
        outcome = _with(descriptor, lambda socket: socket.getsockopt(_socket.SOL_SOCKET, _socket.SO_ERROR))
        done(-outcome)

    socket = _socket.socket(fileno=descriptor)
    try:
        outcome = socket.connect_ex(place)
    except OSError as error:
        outcome = error.errno or errno.EINVAL
    finally:
        socket.detach()
    connecting.add(descriptor)
    worker.loop.references += 1
    if outcome in (errno.EINPROGRESS, 0):
        worker.loop.watch_writable(descriptor, writable)
    else:
        worker.loop.complete(lambda: done(-outcome))
    return descriptor


def _with(descriptor: int, work: Callable[[_socket.socket], Any]) -> Any:
    """Return what `work` makes of the socket; a negative errno for a failure."""
    socket = None
    try:
        socket = _socket.socket(fileno=descriptor)
        return work(socket)
    except OSError as error:
        return -(error.errno or 0)
    finally:
        if socket is not None:
            socket.detach()


def _place(address: str, port: int, family: int) -> tuple[Any, ...]:
    """Return an address as the system takes it; the part after % of a link-local one is its interface."""
    if family == _socket.AF_INET:
        return (address, port)
    host, _, scope = address.partition("%")
    if not scope:
        return (host, port, 0, 0)
    return (host, port, 0, int(scope) if scope.isdigit() else _socket.if_nametoindex(scope))


def _name(socket: _socket.socket, name: Any) -> list[Any]:
    if socket.family == _socket.AF_UNIX:
        return [os.fsdecode(name), "pipe", 0]
    return [name[0], "IPv6" if socket.family == _socket.AF_INET6 else "IPv4", name[1]]


def _unix_name(path: str) -> bytes:
    return os.fsencode(path)


def _set_keep_alive(descriptor: int, on: bool, delay_s: int) -> Any:
    def work(socket: _socket.socket) -> None:
        socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_KEEPALIVE, int(on))
        if on and delay_s > 0:
            socket.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_KEEPIDLE, delay_s)
            socket.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_KEEPINTVL, 1)
            socket.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_KEEPCNT, 10)

    return _with(descriptor, work)


def _type_of_service(descriptor: int, value: int) -> Any:
    """Set the type of service, or with a negative `value` return it."""

    def work(socket: _socket.socket) -> int:
        is_v6 = socket.family == _socket.AF_INET6
        level, option = (_socket.IPPROTO_IPV6, _socket.IPV6_TCLASS) if is_v6 else (_socket.IPPROTO_IP, _socket.IP_TOS)
        if value >= 0:
            socket.setsockopt(level, option, value)
        return socket.getsockopt(level, option)

    return _with(descriptor, work)
