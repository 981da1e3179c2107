from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.vocabulary import protocol

encode: Callable[[Any], bytes] = protocol.encode  # any values: frames know nothing of what messages mean
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text() | st.binary() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)
MESSAGES = st.lists(st.lists(VALUES, max_size=5).map(tuple), max_size=6)


@given(MESSAGES, st.lists(st.integers(1, 50), min_size=1))
def test_messages_survive_any_cutting_of_the_stream(messages: list[tuple[object, ...]], sizes: list[int]) -> None:
    stream = b"".join(map(encode, messages))
    reader = protocol.FrameReader()
    got: list[tuple[object, ...]] = []
    turn = 0
    while stream:
        size = sizes[turn % len(sizes)]
        got += reader.feed(stream[:size])
        stream = stream[size:]
        turn += 1
    assert got == messages


@given(MESSAGES.filter(bool), st.data())
def test_a_truncated_stream_yields_only_whole_messages(messages: list[tuple[object, ...]], data: st.DataObject) -> None:
    stream = b"".join(map(encode, messages))
    cut = data.draw(st.integers(0, len(stream) - 1))
    got = protocol.FrameReader().feed(stream[:cut])
    assert got == messages[: len(got)]
    assert len(got) < len(messages)


@pytest.mark.parametrize(
    "stream",
    [b"\xff\xff\xff\xff", b"\0\0\0\1?", b"\0\0\0\0", (2).to_bytes(4, "big") + b"i\0"],
    ids=["too long", "unknown type", "empty", "cut value"],
)
def test_what_is_no_frame_is_refused(stream: bytes) -> None:
    with pytest.raises(protocol.FrameError):
        protocol.FrameReader().feed(stream)


def test_a_value_that_is_no_message_is_refused() -> None:
    import marshal

    body = marshal.dumps([1])
    with pytest.raises(protocol.FrameError):
        protocol.FrameReader().feed(len(body).to_bytes(4, "big") + body)


KEYS = st.integers(0, 10_000)
PIDS = st.integers(0, 1 << 22)  # the largest pid that Linux gives
ANSWERS = st.lists(
    st.tuples(st.sampled_from([protocol.FORKED, protocol.RUNNING, protocol.UNABLE]), KEYS, PIDS), min_size=1, max_size=6
)
ORDERS = st.tuples(
    st.just(protocol.FORK),
    KEYS,
    st.lists(st.text(), min_size=1),
    st.dictionaries(st.text(), st.text()),
    st.lists(st.text()),
    st.text(),
    st.sampled_from([0, 3]),
)


@given(ANSWERS)
def test_what_a_zygote_and_its_workers_say_does_not_mix_in_their_pipe(answers: list[tuple[str, int, int]]) -> None:
    frames = [encode(answer) for answer in answers]
    assert max(map(len, frames)) <= 512, "POSIX's least PIPE_BUF"
    assert protocol.FrameReader().feed(b"".join(frames)) == answers


@given(ANSWERS, st.data())
def test_answers_cut_short_wait_for_their_rest(answers: list[tuple[str, int, int]], data: st.DataObject) -> None:
    stream = b"".join(map(encode, answers))
    cut = data.draw(st.integers(0, len(stream) - 1))
    reader = protocol.FrameReader()
    first = reader.feed(stream[:cut])
    assert len(first) < len(answers)
    assert first + reader.feed(stream[cut:]) == answers


@given(ORDERS, st.data())
def test_an_order_for_a_worker_is_whole_or_none(order: tuple[object, ...], data: st.DataObject) -> None:
    frame = encode(order)
    assert protocol.FrameReader().feed(frame) == [order]
    assert protocol.FrameReader().feed(frame[: data.draw(st.integers(0, len(frame) - 1))]) == []
