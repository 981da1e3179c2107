"""Operations of `js/node/dgram`: UDP sockets on the event loop.

A socket is represented by its descriptor, which is non-blocking. Failures are negative errno values. Addresses are
numeric.
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
MOST_BYTES = 65536
MOST_IN_A_TURN = 32

OPTIONS = {
    "broadcast": (_socket.SOL_SOCKET, _socket.SO_BROADCAST, _socket.SOL_SOCKET, _socket.SO_BROADCAST),
    "ttl": (_socket.IPPROTO_IP, _socket.IP_TTL, _socket.IPPROTO_IPV6, _socket.IPV6_UNICAST_HOPS),
    "multicastTtl": (_socket.IPPROTO_IP, _socket.IP_MULTICAST_TTL, _socket.IPPROTO_IPV6, _socket.IPV6_MULTICAST_HOPS),
    "multicastLoopback": (
        _socket.IPPROTO_IP,
        _socket.IP_MULTICAST_LOOP,
        _socket.IPPROTO_IPV6,
        _socket.IPV6_MULTICAST_LOOP,
    ),
}
BUFFERS = {"receive": _socket.SO_RCVBUF, "send": _socket.SO_SNDBUF}
ADD_SOURCE, DROP_SOURCE = 39, 40  # IP_ADD_SOURCE_MEMBERSHIP, IP_DROP_SOURCE_MEMBERSHIP
GROUP_ADD_SOURCE, GROUP_DROP_SOURCE = 46, 47  # MCAST_JOIN_SOURCE_GROUP, MCAST_LEAVE_SOURCE_GROUP


def operations(host: Host) -> dict[str, Any]:
    loop = host.loop

    def open_socket(family: int, options: dict[str, Any]) -> int:
        """Return a new socket; `options`: reuseAddr, reusePort, ipv6Only."""
        try:
            kind = _socket.SOCK_DGRAM | _socket.SOCK_NONBLOCK | _socket.SOCK_CLOEXEC
            socket = _socket.socket(FAMILIES[family], kind)
        except OSError as error:
            return -(error.errno or errno.EINVAL)
        if options["reuseAddr"]:
            socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
        if options["reusePort"]:
            socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEPORT, 1)
        if family == 6:
            socket.setsockopt(_socket.IPPROTO_IPV6, _socket.IPV6_V6ONLY, int(options["ipv6Only"]))
        descriptor = socket.detach()
        loop.own(descriptor)
        return descriptor

    def kind_of(descriptor: int) -> int:
        """Return the family of an inherited socket; 0 for a descriptor that is not a UDP socket."""

        def work(socket: _socket.socket) -> int:
            if socket.type & 0xF != _socket.SOCK_DGRAM:
                return 0
            return 6 if socket.family == _socket.AF_INET6 else 4 if socket.family == _socket.AF_INET else 0

        found = _with(descriptor, work)
        if found > 0:
            os.set_blocking(descriptor, False)
        return max(_whole(found), 0)

    def at(descriptor: int, what: str, address: str, port: int) -> int:
        def work(socket: _socket.socket) -> int:
            place = _place(address, port, socket.family)
            if what == "bind":
                socket.bind(place)
                return 0
            return -socket.connect_ex(place)

        return _whole(_with(descriptor, work))

    def disconnect(descriptor: int) -> int:
        """Connect to AF_UNSPEC, which Python's sockets do not support."""
        import ctypes

        library = ctypes.CDLL(None, use_errno=True)
        return -ctypes.get_errno() if library.connect(descriptor, b"\0" * 16, 16) != 0 else 0

    def send(descriptor: int, data: bytes, address: str, port: int) -> int:
        def work(socket: _socket.socket) -> int:
            if port == 0:
                return socket.send(data)
            return socket.sendto(data, _place(address, port, socket.family))

        return _whole(_with(descriptor, work))

    def send_later(descriptor: int, data: bytes, address: str, port: int, callback: Any) -> None:
        """Send when the socket is writable, then call `callback(count or a negative errno)`."""

        def writable() -> None:
            outcome = send(descriptor, data, address, port)
            if outcome != -errno.EAGAIN:
                loop.unwatch_writable(descriptor)
                host.entry.invoke("call", callback, outcome)

        loop.watch_writable(descriptor, writable)

    def receive(descriptor: int, callback: Any) -> None:
        """Call `callback(bytes, address, port)` for each message, `callback(negative errno)` for an error."""

        def readable() -> None:
            for _ in range(MOST_IN_A_TURN):
                if receiving.get(descriptor) is not callback:
                    return  # closed; another socket may have its number by now
                got = _with(descriptor, lambda socket: socket.recvfrom(MOST_BYTES))
                if isinstance(got, int):
                    if got != -errno.EAGAIN:
                        host.entry.invoke("call", callback, got)
                    return
                data, place = got
                address = place[0]
                host.entry.invoke("call", callback, data, address, place[1])

        receiving[descriptor] = callback
        loop.watch(descriptor, readable)

    receiving: dict[int, Any] = {}

    def close(descriptor: int) -> None:
        if descriptor in receiving:
            del receiving[descriptor]
            loop.unwatch(descriptor)
        loop.unwatch_writable(descriptor)
        loop.disown(descriptor)
        os.close(descriptor)

    def set_option(descriptor: int, name: str, value: int) -> int:
        def work(socket: _socket.socket) -> int:
            level, option, level6, option6 = OPTIONS[name]
            if socket.family == _socket.AF_INET6:
                level, option = level6, option6
            socket.setsockopt(level, option, value)
            return 0

        return _whole(_with(descriptor, work))

    def multicast_interface(descriptor: int, address: str) -> int:
        def work(socket: _socket.socket) -> int:
            if ":" in address:
                index = _parse_scoped(address)[1]
                socket.setsockopt(_socket.IPPROTO_IPV6, _socket.IPV6_MULTICAST_IF, index)
            else:
                place = _socket.inet_pton(_socket.AF_INET, address)
                socket.setsockopt(_socket.IPPROTO_IP, _socket.IP_MULTICAST_IF, place)
            return 0

        return _whole(_with(descriptor, _numeric(work)))

    def membership(descriptor: int, group: str, interface: str, is_added: bool) -> int:
        def work(socket: _socket.socket) -> int:
            if socket.family == _socket.AF_INET6:
                index = _parse_scoped(interface)[1] if interface else 0
                request = _parse_scoped(group)[0] + index.to_bytes(4, "little")
                option = _socket.IPV6_JOIN_GROUP if is_added else _socket.IPV6_LEAVE_GROUP
                socket.setsockopt(_socket.IPPROTO_IPV6, option, request)
                return 0
            request = _socket.inet_pton(_socket.AF_INET, group)
            request += _socket.inet_pton(_socket.AF_INET, interface or "0.0.0.0")
            option = _socket.IP_ADD_MEMBERSHIP if is_added else _socket.IP_DROP_MEMBERSHIP
            socket.setsockopt(_socket.IPPROTO_IP, option, request)
            return 0

        return _whole(_with(descriptor, _numeric(work)))

    def source_membership(descriptor: int, source: str, group: str, interface: str, is_added: bool) -> int:
        def work(socket: _socket.socket) -> int:
            if socket.family == _socket.AF_INET6:
                request = b"\0" * 8 + _storage(group) + _storage(source)
                socket.setsockopt(_socket.IPPROTO_IPV6, GROUP_ADD_SOURCE if is_added else GROUP_DROP_SOURCE, request)
                return 0
            parts = (group, interface or "0.0.0.0", source)
            request = b"".join(_socket.inet_pton(_socket.AF_INET, part) for part in parts)
            socket.setsockopt(_socket.IPPROTO_IP, ADD_SOURCE if is_added else DROP_SOURCE, request)
            return 0

        return _whole(_with(descriptor, _numeric(work)))

    def buffer_size(descriptor: int, which: str, size: int) -> int:
        """Set the size of a buffer, or with 0 return it."""

        def work(socket: _socket.socket) -> int:
            if size > 0:
                socket.setsockopt(_socket.SOL_SOCKET, BUFFERS[which], size)
                return size
            return socket.getsockopt(_socket.SOL_SOCKET, BUFFERS[which])

        return _whole(_with(descriptor, work))

    return {
        "open": open_socket,
        "kindOf": kind_of,
        "at": at,
        "disconnect": disconnect,
        "send": (send, "vbsv"),
        "sendLater": (send_later, "vbsvv"),
        "receive": receive,
        "close": close,
        "localName": lambda descriptor: _with(descriptor, lambda socket: _name(socket, socket.getsockname())),
        "remoteName": lambda descriptor: _with(descriptor, lambda socket: _name(socket, socket.getpeername())),
        "setOption": set_option,
        "multicastInterface": multicast_interface,
        "membership": membership,
        "sourceMembership": source_membership,
        "bufferSize": buffer_size,
    }


def _whole(outcome: Any) -> int:
    return int(outcome)


def _numeric(work: Any) -> Any:
    """Wrap `work`: an invalid address or interface is EINVAL."""

    def checked(socket: _socket.socket) -> Any:
        try:
            return work(socket)
        except OSError as error:
            if error.errno is None:
                raise OSError(errno.EINVAL, "no address") from error
            raise

    return checked


def _parse_scoped(address: str) -> tuple[bytes, int]:
    """Return an IPv6 address and the index of the interface after its `%`; 0 (any) for an unknown interface."""
    place, _, name = address.partition("%")
    packed = _socket.inet_pton(_socket.AF_INET6, place)
    try:
        return packed, _socket.if_nametoindex(name) if name else 0
    except OSError:
        return packed, 0


def _storage(address: str) -> bytes:
    """Return a `struct sockaddr_storage` with an IPv6 address."""
    head = _socket.AF_INET6.to_bytes(2, "little") + b"\0" * 6 + _socket.inet_pton(_socket.AF_INET6, address)
    return head.ljust(128, b"\0")


def _with(descriptor: int, work: Callable[[_socket.socket], Any]) -> Any:
    """Return the result of `work` for the socket; a negative errno for a failure."""
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
    """Return an address in the system's form; the part after the % of a link-local address is its interface."""
    if family == _socket.AF_INET:
        return (address, port)
    host, _, scope = address.partition("%")
    if not scope:
        return (host, port, 0, 0)
    return (host, port, 0, int(scope) if scope.isdigit() else _socket.if_nametoindex(scope))


def _name(socket: _socket.socket, name: Any) -> list[Any]:
    return [name[0], "IPv6" if socket.family == _socket.AF_INET6 else "IPv4", name[1]]
