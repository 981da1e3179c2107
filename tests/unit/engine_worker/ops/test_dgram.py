"""UDP sockets by descriptor: messages over loopback, addresses, options, and failures as negative errno values."""

from __future__ import annotations

import errno
import os
import socket
from typing import Any

import pytest
from looped_operations import opened

from rt_supervisor.engine_worker.ops.dgram import operations

PLAIN = {"reuseAddr": False, "reusePort": False, "ipv6Only": False}
LOOPBACK = {4: "127.0.0.1", 6: "::1"}


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as one:
            one.bind(("::1", 0))
        return True
    except OSError:
        return False


FAMILIES = [4, pytest.param(6, marks=pytest.mark.skipif(not has_ipv6(), reason="IPv6 is disabled"))]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_message_arrives_with_its_sender(family: int) -> None:
    with opened(operations) as (host, dgram):
        receiver, sender = dgram["open"](family, PLAIN), dgram["open"](family, PLAIN)
        assert dgram["at"](receiver, "bind", LOOPBACK[family], 0) == 0
        assert dgram["at"](sender, "bind", LOOPBACK[family], 0) == 0
        address, name, port = dgram["localName"](receiver)
        assert (address, name) == (LOOPBACK[family], f"IPv{family}")
        seen: list[Any] = []
        dgram["receive"](receiver, lambda *message: seen.append(message))
        assert dgram["send"](sender, b"one", address, port) == 3
        assert dgram["send"](sender, b"", address, port) == 0
        host.run_until(lambda: len(seen) == 2)
        source = dgram["localName"](sender)[2]
        assert seen == [(b"one", address, source), (b"", address, source)]
        dgram["close"](receiver)
        dgram["close"](sender)


def test_connected_sockets_need_no_address_and_can_be_disconnected() -> None:
    with opened(operations) as (_, dgram):
        receiver, sender = dgram["open"](4, PLAIN), dgram["open"](4, PLAIN)
        assert dgram["at"](receiver, "bind", "127.0.0.1", 0) == 0
        place = dgram["localName"](receiver)
        assert dgram["remoteName"](sender) == -errno.ENOTCONN
        assert dgram["at"](sender, "connect", place[0], place[2]) == 0
        assert dgram["remoteName"](sender) == place
        assert dgram["send"](sender, b"data", "", 0) == 4
        assert dgram["disconnect"](sender) == 0
        assert dgram["remoteName"](sender) == -errno.ENOTCONN
        assert dgram["send"](sender, b"data", "", 0) == -errno.EDESTADDRREQ


def test_a_callback_that_closes_its_socket_gets_no_further_messages() -> None:
    with opened(operations) as (host, dgram):
        receiver, sender = dgram["open"](4, PLAIN), dgram["open"](4, PLAIN)
        assert dgram["at"](receiver, "bind", "127.0.0.1", 0) == 0
        port = dgram["localName"](receiver)[2]
        for text in (b"first", b"second"):
            assert dgram["send"](sender, text, "127.0.0.1", port) == len(text)
        seen: list[bytes] = []

        def close_after_one(data: bytes, *_: Any) -> None:
            seen.append(data)
            dgram["close"](receiver)

        dgram["receive"](receiver, close_after_one)
        host.run_until(lambda: seen)
        assert seen == [b"first"]
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(receiver)


def test_an_unreachable_port_is_reported_to_the_connected_sender() -> None:
    with opened(operations) as (host, dgram):
        gone, sender = dgram["open"](4, PLAIN), dgram["open"](4, PLAIN)
        assert dgram["at"](gone, "bind", "127.0.0.1", 0) == 0
        port = dgram["localName"](gone)[2]
        dgram["close"](gone)
        assert dgram["at"](sender, "connect", "127.0.0.1", port) == 0
        seen: list[Any] = []
        dgram["receive"](sender, lambda *message: seen.append(message))
        assert dgram["send"](sender, b"x", "", 0) == 1
        host.run_until(lambda: seen)
        assert seen == [(-errno.ECONNREFUSED,)]


def test_sending_later_reports_the_count() -> None:
    with opened(operations) as (host, dgram):
        receiver, sender = dgram["open"](4, PLAIN), dgram["open"](4, PLAIN)
        assert dgram["at"](receiver, "bind", "127.0.0.1", 0) == 0
        counts: list[int] = []
        dgram["sendLater"](sender, b"later", "127.0.0.1", dgram["localName"](receiver)[2], counts.append)
        host.run_until(lambda: counts)
        assert counts == [5]


def test_addresses_in_use_depend_on_the_options() -> None:
    with opened(operations) as (_, dgram):
        first, second = dgram["open"](4, PLAIN), dgram["open"](4, PLAIN)
        assert dgram["at"](first, "bind", "127.0.0.1", 0) == 0
        port = dgram["localName"](first)[2]
        assert dgram["at"](second, "bind", "127.0.0.1", port) == -errno.EADDRINUSE
        shared = [dgram["open"](4, {**PLAIN, "reusePort": True}) for _ in range(2)]
        assert dgram["at"](shared[0], "bind", "127.0.0.1", 0) == 0
        assert dgram["at"](shared[1], "bind", "127.0.0.1", dgram["localName"](shared[0])[2]) == 0


def test_only_udp_sockets_are_inherited() -> None:
    with opened(operations) as (_, dgram):
        inherited = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        assert dgram["kindOf"](inherited.fileno()) == 4
        assert not os.get_blocking(inherited.fileno())
        stream, pipe = socket.socket(), os.pipe()
        assert dgram["kindOf"](stream.fileno()) == 0
        assert dgram["kindOf"](pipe[0]) == 0
        assert os.get_blocking(pipe[0])
        for descriptor in pipe:
            os.close(descriptor)
        stream.close()
        inherited.close()


def test_options_memberships_and_buffer_sizes() -> None:
    with opened(operations) as (_, dgram):
        one = dgram["open"](4, PLAIN)
        for name, value in (("broadcast", 1), ("ttl", 7), ("multicastTtl", 3), ("multicastLoopback", 0)):
            assert dgram["setOption"](one, name, value) == 0
        view = socket.socket(fileno=one)
        assert view.getsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST) == 1
        assert view.getsockopt(socket.IPPROTO_IP, socket.IP_TTL) == 7
        assert view.getsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL) == 3
        assert view.getsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP) == 0
        view.detach()
        assert dgram["setOption"](one, "ttl", 1000) == -errno.EINVAL
        assert dgram["bufferSize"](one, "receive", 8192) == 8192
        assert dgram["bufferSize"](one, "receive", 0) >= 8192
        assert dgram["membership"](one, "224.0.0.114", "127.0.0.1", True) == 0
        assert dgram["membership"](one, "224.0.0.114", "127.0.0.1", False) == 0
        assert dgram["membership"](one, "224.0.0.114", "127.0.0.1", False) == -errno.EADDRNOTAVAIL
        assert dgram["membership"](one, "127.0.0.1", "", True) == -errno.EINVAL
        assert dgram["membership"](one, "no address", "", True) == -errno.EINVAL
        assert dgram["multicastInterface"](one, "no address") == -errno.EINVAL
        assert dgram["multicastInterface"](one, "127.0.0.1") == 0


def test_a_closed_descriptor_is_a_failure() -> None:
    with opened(operations) as (_, dgram):
        one = dgram["open"](4, PLAIN)
        dgram["close"](one)
        assert dgram["localName"](one) == -errno.EBADF
        assert dgram["at"](one, "bind", "127.0.0.1", 0) == -errno.EBADF
        assert dgram["kindOf"](one) == 0
