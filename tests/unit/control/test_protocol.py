"""The frames of the control protocol: round trips, truncated frames, and bytes that are not frames."""

from __future__ import annotations

import pytest

from rt_supervisor.control.protocol import Decoder, Output, ProtocolError, encode_message, encode_output

FRAMES = (
    encode_message({"id": 1, "do": "stop", "tasks": ["ä#dev", 3]}),
    encode_output(Output(7, 1, 2, 1 << 40, b"\x00\xff\n")),
    encode_output(Output(0, 0, 1, 0, b"")),
    encode_message({}),
)
MEANT = [
    {"id": 1, "do": "stop", "tasks": ["ä#dev", 3]},
    Output(7, 1, 2, 1 << 40, b"\x00\xff\n"),
    Output(0, 0, 1, 0, b""),
    {},
]


@pytest.mark.parametrize("size", [1, 2, 5, 7, 1000])
def test_frames_arrive_in_pieces_of_any_size(size: int) -> None:
    sent = b"".join(FRAMES)
    decoder = Decoder()
    received: list[object] = []
    for start in range(0, len(sent), size):
        received += decoder.feed(sent[start : start + size])
    assert received == MEANT


@pytest.mark.parametrize("frame", FRAMES)
def test_a_truncated_frame_is_not_reported(frame: bytes) -> None:
    for size in range(len(frame)):
        assert list(Decoder().feed(frame[:size])) == []


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\0\0\0\0J", "a frame of 0 bytes"),
        (b"\xff\xff\xff\xffJ", "a frame of 4294967295 bytes"),
        (b"\0\0\0\x03J[]", "not an object"),
        (b"\0\0\0\x02J{", "not JSON"),
        (b"\0\0\0\x03J\xff\xff", "not JSON"),
        (b"\0\0\0\x02Ox", "kind 79"),  # too short for output
        (b"\0\0\0\x01X", "kind 88"),
        (b"GET / HTTP/1.1\r\n\r\n", "a frame of"),
    ],
)
def test_what_is_not_a_frame_is_an_error(data: bytes, problem: str) -> None:
    with pytest.raises(ProtocolError, match=problem):
        list(Decoder().feed(data))


def test_a_limit_applies_to_the_size_that_a_frame_announces() -> None:
    frame = encode_message({"x": "y" * 100})
    assert list(Decoder(most=len(frame)).feed(frame)) == [{"x": "y" * 100}]
    with pytest.raises(ProtocolError):
        list(Decoder(most=50).feed(frame[:5]))
