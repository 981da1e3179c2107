"""The recent output of a task: by offset, with its streams, within a bound."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rt_supervisor.control.protocol import MOST_OUTPUT_BYTES, Output
from rt_supervisor.control.recent_output import MOST_CHANGES, MOST_SLOTS, RecentOutput
from rt_supervisor.output.drawing.spool import SLOT_BYTES, SlotFile


@pytest.fixture
def file() -> Iterator[SlotFile]:
    file = SlotFile()
    yield file
    file.close()


def pieces(output: RecentOutput, offset: int) -> list[Output]:
    found = []
    while (piece := output.read(offset)) is not None:
        found.append(piece)
        offset += len(piece.data)
    return found


def test_streams_and_steps_stay_apart(file: SlotFile) -> None:
    output = RecentOutput(3, file)
    for step, stream, block in ((0, 1, b"one"), (0, 1, b"two"), (0, 2, b"bad"), (1, 1, b"end")):
        output.append(step, stream, block)
    assert pieces(output, 0) == [Output(3, 0, 1, 0, b"onetwo"), Output(3, 0, 2, 6, b"bad"), Output(3, 1, 1, 9, b"end")]
    assert pieces(output, 7) == [Output(3, 0, 2, 7, b"ad"), Output(3, 1, 1, 9, b"end")]
    assert output.read(12) is None


def test_the_oldest_output_is_dropped_and_the_rest_is_exact(file: SlotFile) -> None:
    output = RecentOutput(0, file)
    written = bytearray()
    for number in range(60_000):
        line = f"line {number} of many, to fill more than the bound\n".encode()
        written += line
        output.append(0, 1 + number % 1000 // 990, line)
    assert output.end == len(written)
    assert MOST_SLOTS * SLOT_BYTES <= output.end - output.start <= (MOST_SLOTS + 1) * SLOT_BYTES
    found = pieces(output, output.start)
    assert all(len(piece.data) <= MOST_OUTPUT_BYTES for piece in found)
    assert b"".join(piece.data for piece in found) == written[output.start :]
    assert {piece.stream for piece in found} == {1, 2}


def test_the_number_of_changes_between_streams_is_bounded(file: SlotFile) -> None:
    output = RecentOutput(0, file)
    for number in range(5 * MOST_CHANGES):
        output.append(0, 1 + number % 2, b"x" if number % 2 else b"y")
    assert len(output._changes) <= MOST_CHANGES + 1
    found = pieces(output, output.start)
    assert len(found) >= MOST_CHANGES // 4
    assert all(piece.data == (b"x" if piece.stream == 2 else b"y") for piece in found)


def test_without_room_on_the_disk_the_newest_output_stays(file: SlotFile, monkeypatch: pytest.MonkeyPatch) -> None:
    output = RecentOutput(0, file)
    output.append(0, 1, b"a" * SLOT_BYTES)

    def refuse(data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(file, "store", refuse)
    output.append(0, 1, b"b" * (SLOT_BYTES + 5))
    assert (output.start, output.end) == (2 * SLOT_BYTES, 2 * SLOT_BYTES + 5)
    assert pieces(output, output.start) == [Output(0, 0, 1, 2 * SLOT_BYTES, b"b" * 5)]
