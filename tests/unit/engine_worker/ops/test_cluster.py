"""Packets of a text and a descriptor between the processes of a cluster."""

from __future__ import annotations

import errno
import os
from typing import Any

from looped_operations import opened

from rt_supervisor.engine_worker.ops.cluster import operations


def test_a_packet_carries_a_descriptor_that_works_and_is_not_inherited() -> None:
    with opened(operations) as (host, cluster):
        ours, theirs = cluster["pair"]()
        reader, writer = os.pipe()
        seen: list[tuple[str, int]] = []
        assert cluster["receive"](ours, lambda text, descriptor: seen.append((text, descriptor))) == 0
        assert cluster["send"](theirs, writer, '{"key":1}') == 0
        os.close(writer)
        host.run_until(lambda: seen)
        ((text, received),) = seen
        assert text == '{"key":1}'
        assert not os.get_inheritable(received)
        os.write(received, b"through the copy")
        assert os.read(reader, 100) == b"through the copy"
        for descriptor in (received, reader, theirs):
            os.close(descriptor)
        cluster["close"](ours)


def test_packets_keep_their_order_and_their_limits() -> None:
    with opened(operations) as (host, cluster):
        ours, theirs = cluster["pair"]()
        seen: list[str] = []

        def take(text: str, descriptor: int) -> None:
            seen.append(text)
            os.close(descriptor)

        cluster["receive"](ours, take)
        reader, writer = os.pipe()
        for number in range(20):
            assert cluster["send"](theirs, reader, f"packet {number}") == 0
        host.run_until(lambda: len(seen) == 20)
        assert seen == [f"packet {number}" for number in range(20)]
        for descriptor in (reader, writer, theirs):
            os.close(descriptor)
        cluster["close"](ours)


def test_failures_are_negative_errno_values() -> None:
    with opened(operations) as (_, cluster):
        ours, theirs = cluster["pair"]()
        copy: Any = cluster["copy"](theirs)
        assert copy > theirs
        os.close(copy)
        assert cluster["copy"](copy) == -errno.EBADF
        assert cluster["send"](theirs, copy, "text") == -errno.EBADF
        os.close(ours)
        assert cluster["send"](theirs, theirs, "text") == -errno.EPIPE
        os.close(theirs)
