"""The waiting half of the event loop: what ends a wait, what is called, when the program is over."""

from __future__ import annotations

import os
import threading
import time

from rt_supervisor.engine_worker.loop import Loop


def test_nothing_pending_is_the_end() -> None:
    assert not Loop(lambda: None).turn(False, -1)


def test_output_is_flushed_before_a_wait() -> None:
    seen: list[str] = []
    loop = Loop(lambda: seen.append("flushed"))
    loop.complete(lambda: seen.append("called"))
    assert loop.turn(False, -1)
    assert seen == ["flushed", "called"]


def test_a_completion_made_by_a_completion_waits_for_the_next_turn() -> None:
    seen: list[int] = []
    loop = Loop(lambda: None)
    loop.complete(lambda: (seen.append(1), loop.complete(lambda: seen.append(2))))  # type: ignore[func-returns-value]
    assert loop.turn(False, -1)
    assert seen == [1]
    assert loop.turn(False, -1)
    assert seen == [1, 2]
    assert not loop.turn(False, -1)


def test_a_thread_ends_the_wait() -> None:
    loop = Loop(lambda: None)
    loop.waker()
    loop.references += 1
    seen: list[str] = []

    def done() -> None:
        loop.references -= 1
        seen.append("done")

    thread = threading.Thread(target=lambda: loop.complete(done))
    thread.start()
    while not seen:
        assert loop.turn(False, -1)
    thread.join()
    assert not loop.turn(False, -1)


def test_a_readable_descriptor_is_reported_until_it_is_no_longer_watched() -> None:
    loop = Loop(lambda: None)
    read, write = os.pipe()
    seen: list[bytes] = []
    loop.references += 1
    loop.watch(read, lambda: seen.append(os.read(read, 1)))
    os.write(write, b"ab")
    assert loop.turn(False, -1)
    assert loop.turn(False, -1)
    assert seen == [b"a", b"b"]
    loop.unwatch(read)
    loop.unwatch(read)
    os.write(write, b"c")
    assert loop.turn(True, 0)
    assert seen == [b"a", b"b"]
    os.close(read)
    os.close(write)


def test_a_timer_that_is_due_waits_for_nothing_and_one_that_is_not_does() -> None:
    loop = Loop(lambda: None)
    assert loop.turn(True, 0)
    start = time.monotonic()
    assert loop.turn(True, 20)
    assert time.monotonic() - start >= 0.015


def test_completions_of_the_loop_s_own_thread_are_as_many_as_they_like() -> None:
    """They need no byte in the pipe that wakes the loop, which would be full after 65,536."""
    loop = Loop(lambda: None)
    loop.waker()
    seen: list[int] = []
    for number in range(70_000):
        loop.complete(lambda number=number: seen.append(number))  # type: ignore[misc]
    assert loop.turn(False, -1)
    assert len(seen) == 70_000
    assert not loop.turn(False, -1)


def test_a_thread_may_complete_more_than_the_pipe_holds() -> None:
    loop = Loop(lambda: None)
    loop.waker()
    seen: list[int] = []
    thread = threading.Thread(target=lambda: [loop.complete(lambda: seen.append(0)) for _ in range(70_000)])
    thread.start()
    thread.join()
    assert loop.turn(False, -1)
    assert len(seen) == 70_000
