from __future__ import annotations

import os
import select
import signal

import pytest

from rt_supervisor.output.writer import OutputAbandoned
from rt_supervisor.supervising.run_signals import RunSignals


class Writing:
    """A writer as far as signals look at it."""

    descriptor = 1
    is_writing = False


def is_ready(signals: RunSignals) -> bool:
    poll = select.poll()
    poll.register(signals.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def test_signals_wait_in_their_order_until_they_are_taken() -> None:
    signals = RunSignals([], act=lambda: None)
    signals.listen()
    assert not is_ready(signals)
    os.kill(os.getpid(), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGHUP)
    assert is_ready(signals)
    signals.clear()
    assert [signals.take(), signals.take(), signals.take()] == [signal.SIGTERM, signal.SIGHUP, None]


def test_a_signal_during_a_write_is_acted_on_at_once() -> None:
    writer = Writing()
    taken: list[int | None] = []
    signals = RunSignals([writer], act=lambda: taken.append(signals.take()))  # type: ignore[list-item]
    signals.listen()
    os.kill(os.getpid(), signal.SIGTERM)
    assert taken == []
    writer.is_writing = True
    os.kill(os.getpid(), signal.SIGHUP)
    assert taken == [signal.SIGTERM]


def test_a_resize_is_told_once() -> None:
    signals = RunSignals([], act=lambda: None)
    signals.listen()
    os.kill(os.getpid(), signal.SIGWINCH)
    assert (signals.take_resize(), signals.take_resize(), signals.take()) == (True, False, None)


def test_a_write_that_blocks_is_abandoned_once_writes_are_limited() -> None:
    writer = Writing()
    signals = RunSignals([writer], act=lambda: None)  # type: ignore[list-item]
    signals.listen()
    signals.limit_writes()
    writer.is_writing = True
    with pytest.raises(OutputAbandoned):
        select.select([], [], [])  # as a write that nobody takes; the alarm is what ends it
    signals.close()


def test_nothing_interrupts_the_end() -> None:
    signals = RunSignals([], act=lambda: None)
    signals.listen()
    signals.close()
    os.kill(os.getpid(), signal.SIGTERM)
    assert signals.take() is None
