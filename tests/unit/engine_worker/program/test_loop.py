"""The waiting half of the event loop: what ends a wait, which callbacks run, and when the program ends."""

from __future__ import annotations

import os
import threading
import time

from rt_supervisor._native import Loop


def test_nothing_pending_is_the_end() -> None:
    assert not Loop(lambda: None).turn(False, -1)


def test_output_is_flushed_before_a_wait() -> None:
    seen: list[str] = []
    loop = Loop(lambda: seen.append("flushed"))
    loop.flush_before_wait()
    loop.complete(lambda: seen.append("called"))
    assert loop.turn(False, -1)
    assert seen == ["flushed", "called"]
    assert loop.turn(True, 0)
    assert seen == ["flushed", "called"]  # nothing has been printed since


def test_a_completion_made_by_a_completion_waits_for_the_next_turn() -> None:
    seen: list[int] = []
    loop = Loop(lambda: None)
    loop.complete(lambda: (seen.append(1), loop.complete(lambda: seen.append(2))))
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


def test_a_due_timer_does_not_wait_and_another_one_does() -> None:
    loop = Loop(lambda: None)
    assert loop.turn(True, 0)
    start = time.monotonic()
    assert loop.turn(True, 20)
    assert time.monotonic() - start >= 0.015


def test_completions_of_the_loop_thread_are_unlimited() -> None:
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


def test_a_regular_file_is_always_ready() -> None:
    loop = Loop(lambda: None)
    seen: list[bytes] = []
    loop.references += 1
    with open(__file__, "rb") as file:
        loop.watch(file.fileno(), lambda: seen.append(os.read(file.fileno(), 3)))
        assert loop.turn(False, -1)
        loop.unwatch(file.fileno())
    assert seen == [b'"""']


def test_a_descriptor_closed_by_an_earlier_callback_is_not_reported() -> None:
    """Nor is another descriptor that has its number by now."""
    loop = Loop(lambda: None)
    loop.references += 1
    ends = [os.pipe() for _ in range(2)]
    seen: list[int] = []

    def take(read: int) -> None:
        seen.append(read)
        for other, _ in ends:
            loop.unwatch(other)
            os.close(other)
        again, write = os.pipe()
        loop.watch(again, lambda: seen.append(-1))
        reopened.extend((again, write))

    reopened: list[int] = []
    for read, write in ends:
        loop.watch(read, lambda read=read: take(read))  # type: ignore[misc]
        os.write(write, b"x")
    assert loop.turn(False, -1)
    assert len(seen) == 1
    for descriptor in (*reopened, *(write for _, write in ends)):
        os.close(descriptor)


def test_a_loop_belongs_to_its_thread() -> None:
    loop = Loop(lambda: None)
    problems: list[BaseException] = []

    def use() -> None:
        try:
            loop.turn(True, 0)
        except RuntimeError as error:
            problems.append(error)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert len(problems) == 1
