"""Signals that arrive while output is written: handled at once, or as soon as the write blocks."""

from __future__ import annotations

import os
import select
import signal
import threading
import time

import pytest

from rt_supervisor.output.writer import OutputAbandoned, Writer
from rt_supervisor.supervising.run_signals import RunSignals


class Writing:
    """The part of a writer that signal handling uses."""

    descriptor = 1
    is_writing = False
    on_writing = None


def is_ready(signals: RunSignals) -> bool:
    poll = select.poll()
    poll.register(signals.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def test_signals_are_queued_in_order_until_they_are_handled() -> None:
    signals = RunSignals([], act=lambda: None)
    signals.listen()
    assert not is_ready(signals)
    os.kill(os.getpid(), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGHUP)
    assert is_ready(signals)
    signals.clear()
    assert [signals.take(), signals.take(), signals.take()] == [signal.SIGTERM, signal.SIGHUP, None]


def test_a_signal_during_a_write_is_handled_at_once() -> None:
    writer = Writing()
    taken: list[int | None] = []
    signals = RunSignals([writer], act=lambda: taken.append(signals.take()))  # type: ignore[list-item]
    signals.listen()
    os.kill(os.getpid(), signal.SIGTERM)
    assert taken == []
    writer.is_writing = True
    os.kill(os.getpid(), signal.SIGHUP)
    assert taken == [signal.SIGTERM]


def test_a_signal_that_does_not_interrupt_the_write_is_handled_too() -> None:
    """Like a signal that arrives just before the write blocks: another thread receives it, so that this one's write
    continues.
    """
    reading, writing = os.pipe()
    writer = Writer(writing)
    stopped: list[int | None] = []

    def act() -> None:
        stopped.append(signals.take())
        raise OutputAbandoned

    signals = RunSignals([writer], act=act)
    signals.listen()
    blocks = threading.Event()

    def get_the_signal() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        blocks.wait()
        while not is_full(writing):
            time.sleep(0.001)
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    thread = threading.Thread(target=get_the_signal)
    thread.start()
    try:
        blocks.set()
        with pytest.raises(OutputAbandoned):
            writer.write(bytes(1 << 20))  # far more than a pipe holds
    finally:
        thread.join()
        signals.close()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(reading)
        os.close(writing)
    assert stopped == [signal.SIGTERM]


def test_a_signal_pending_when_a_write_begins_is_handled_when_it_blocks() -> None:
    reading, writing = os.pipe()
    writer = Writer(writing)
    taken: list[int | None] = []

    def act() -> None:
        taken.append(signals.take())
        raise OutputAbandoned

    signals = RunSignals([writer], act=act)
    signals.listen()
    os.kill(os.getpid(), signal.SIGTERM)
    assert taken == []
    try:
        with pytest.raises(OutputAbandoned):
            writer.write(bytes(1 << 20))
    finally:
        signals.close()
        os.close(reading)
        os.close(writing)
    assert taken == [signal.SIGTERM]


def is_full(descriptor: int) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return not poll.poll(0)


def test_a_resize_is_reported_once() -> None:
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
        select.select([], [], [])  # like a write that never completes; the alarm ends it
    signals.close()


def test_nothing_interrupts_the_end() -> None:
    signals = RunSignals([], act=lambda: None)
    signals.listen()
    signals.close()
    os.kill(os.getpid(), signal.SIGTERM)
    assert signals.take() is None
