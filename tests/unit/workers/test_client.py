"""The guardian with real processes, driven by Python's client."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig import children_of

from rt_supervisor import _native
from rt_supervisor.vocabulary import protocol
from rt_supervisor.workers.client import GuardianClient


@pytest.fixture
def client() -> Iterator[GuardianClient]:
    client = GuardianClient(share_terminal=False)
    yield client
    client.close()


def spawn(client: GuardianClient, key: int, text: str, **options: Any) -> None:
    settings: dict[str, Any] = {"environment": dict(os.environ), "folder": "/"} | options
    client.spawn(key, argv=["/bin/sh", "-c", text], **settings)


def received_reports(client: GuardianClient) -> list[tuple[Any, ...]]:
    """Return the reports that have arrived, with the fields of their kind."""
    return list(client.receive())


def reports_until_end(client: GuardianClient, count: int = 1) -> list[tuple[Any, ...]]:
    """Return all reports up to the given number of ends."""
    reports: list[tuple[Any, ...]] = []
    while sum(report[0] == protocol.ENDED for report in reports) < count:
        reports += received_reports(client)
        assert not client.lost
    return reports


def test_a_script_starts_and_ends(client: GuardianClient) -> None:
    spawn(client, 3, "exit 7")
    started, ended = reports_until_end(client)
    assert started[:2] == (protocol.STARTED, 3)
    assert ended[:3] == (protocol.ENDED, 3, 7 << 8)
    assert ended[4] > 100_000  # bytes


def test_its_environment_is_complete_and_its_output_its_own(client: GuardianClient) -> None:
    reader, writer = os.pipe()
    null = os.open("/dev/null", os.O_RDONLY)
    environment = {"PATH": "/bin:/usr/bin", "A": "1\n2"}
    spawn(client, 0, 'echo "$A-${HOME-none}"; pwd', environment=environment, descriptors=(null, writer, writer))
    os.close(writer)
    os.close(null)
    reports_until_end(client)
    with os.fdopen(reader, "rb") as output:
        assert output.read() == b"1\n2-none\n/\n"


def test_signals_reach_one_script_or_all(client: GuardianClient) -> None:
    for key in range(3):
        spawn(client, key, "sleep 100")
    client.signal(signal.SIGTERM, 1)
    assert reports_until_end(client)[-1][:3] == (protocol.ENDED, 1, signal.SIGTERM)
    client.kill(0)
    assert reports_until_end(client)[-1][:3] == (protocol.ENDED, 0, signal.SIGKILL)
    client.signal(signal.SIGHUP)
    assert reports_until_end(client)[-1][:3] == (protocol.ENDED, 2, signal.SIGHUP)


def test_commands_that_cannot_start_are_rejected(client: GuardianClient) -> None:
    spawn(client, 1, "true", folder="/nowhere/at/all")
    (refused,) = received_reports(client)
    assert refused[:2] == (protocol.REFUSED, 1)
    assert refused[4] == "/nowhere/at/all"
    client.spawn(2, argv=["/no/such/program"], environment={}, folder="/")
    (refused,) = received_reports(client)
    assert refused[4] == "/no/such/program"
    spawn(client, 3, "\ud800")
    (refused,) = received_reports(client)
    assert refused[:3] == (protocol.REFUSED, 3, 0)
    spawn(client, 4, "true")
    reports_until_end(client)


def test_leftovers_of_a_script_end_before_its_end_is_reported(client: GuardianClient) -> None:
    spawn(client, 1, "sleep 100 & echo $! > /dev/null; exit 0")
    spawn(client, 2, "setsid sleep 100 & exit 0")
    reports_until_end(client, 2)
    assert len([pid for pid in children_of(client.pid) if not _native.is_gone(pid)]) <= 1  # the watcher


def test_a_guardian_that_is_killed_is_lost(client: GuardianClient) -> None:
    spawn(client, 1, "sleep 100")
    (started,) = received_reports(client)
    os.kill(client.pid, signal.SIGKILL)
    while not client.lost:
        client.receive()
    client.kill_everything()
    with pytest.raises(ProcessLookupError):
        os.kill(started[2], 0)


REPORT = _native.refuse_order(1, "")  # an order instead of a report


@given(st.binary(max_size=40))
def test_invalid_reports_are_rejected_and_incomplete_ones_wait(data: bytes) -> None:
    reader = _native.ReportReader()
    try:
        reports = reader.feed(data)
    except ValueError:
        return
    assert len(reports) * 16 <= len(data)


def test_an_order_is_not_a_report() -> None:
    with pytest.raises(ValueError):
        _native.ReportReader().feed(REPORT)
    assert _native.ReportReader().feed(REPORT[:-1]) == []


def test_orders_and_reports_do_not_wait_for_each_other(client: GuardianClient) -> None:
    """More orders are sent than the channel takes, and there are more reports than it takes before the first is read."""
    count = 2000
    environment = {"FILLER": "x" * 500}
    for key in range(count):
        spawn(client, key, "true", folder="/nowhere/at/all", environment=environment)
    reports: list[tuple[Any, ...]] = []
    while len(reports) < count:
        reports += received_reports(client)
        assert not client.lost
    assert sorted(report[:2] for report in reports) == [(protocol.REFUSED, key) for key in range(count)]
