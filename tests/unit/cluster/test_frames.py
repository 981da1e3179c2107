"""Messages between an agent and its slots: as they were sent, wherever the stream is cut."""

from __future__ import annotations

import os

from rt_supervisor.cluster import frames

MESSAGES: list[tuple[object, ...]] = [("started", 0), ("output", 0, 1, b"x" * 300), ("ended", 0, 0, 0, 0.1, 0.01, 4096)]


def test_a_decoder_returns_messages_once_they_are_complete() -> None:
    data = b"".join(map(frames.encode, MESSAGES))
    first = len(frames.encode(MESSAGES[0]))
    for cut in range(len(data)):
        decoder = frames.Decoder()
        before = decoder.feed(data[:cut])
        assert before == MESSAGES[: len(before)] and (len(before) > 0) == (cut >= first)
        assert before + decoder.feed(data[cut:]) == MESSAGES


def test_written_messages_are_read_in_order_and_a_cut_one_is_the_end() -> None:
    reader, writer = os.pipe()
    try:
        frames.write_frames(writer, MESSAGES)
        os.write(writer, frames.encode(MESSAGES[0])[:-1])
    finally:
        os.close(writer)
    try:
        assert [frames.read_frame(reader) for _ in MESSAGES] == MESSAGES
        assert frames.read_frame(reader) is None
    finally:
        os.close(reader)
