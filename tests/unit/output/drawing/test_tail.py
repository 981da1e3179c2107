"""The tail gives the same result as processing everything."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.output.drawing.spool import SLOT_BYTES, SlotFile, Spool
from rt_supervisor.output.drawing.tail import LONGEST_LINE, OutputTail
from rt_supervisor.vocabulary.errors import Failed

chunks = st.lists(st.text(alphabet="ab\n\r", max_size=30).map(str.encode), max_size=12)


def expected_lines(text: bytes) -> list[bytes]:
    """Return the last state of every line; an unfinished one counts if it has a state."""
    lines = text.split(b"\n")
    states = [line.rstrip(b"\r").rpartition(b"\r")[2] for line in lines]
    if not states[-1]:
        states.pop()
    return states


@given(chunks, st.integers(1, 5))
def test_last_lines_and_count(blocks: list[bytes], keep: int) -> None:
    tail = OutputTail(keep, Spool(SlotFile()))
    for block in blocks:
        tail.feed(1, block)
    tail.finish(1)
    whole = b"".join(blocks)
    lines = expected_lines(whole if whole.endswith(b"\n") or not whole else whole + b"\n")
    if whole and not whole.endswith(b"\n") and not whole.rpartition(b"\n")[2].strip(b"\r"):
        return  # whether a tail of only carriage returns is a line is ambiguous
    assert tail.count == len(lines)
    assert [line for _, line in tail.last(keep)] == lines[-keep:]
    assert [line for _, line in tail.all_lines()] == lines


def test_lines_of_two_streams_do_not_mix() -> None:
    tail = OutputTail(9)
    tail.feed(1, b"out ")
    tail.feed(2, b"err ")
    tail.feed(1, b"more\n")
    tail.feed(2, b"more\n")
    assert [line for _, line in tail.last(9)] == [b"out more", b"err more"]


def test_colours_are_known_at_each_line() -> None:
    tail = OutputTail(2)
    tail.feed(1, b"\x1b[31mone\ntwo\nthr")
    tail.feed(1, b"ee\x1b[0m\nfour\n")
    assert tail.last(2) == [(b"\x1b[31m", b"three\x1b[0m"), (b"", b"four")]


def test_one_block_may_hold_more_lines_than_are_kept() -> None:
    tail = OutputTail(3)
    tail.feed(1, b"begun ")
    tail.feed(1, b"".join(b"%d\n" % number for number in range(1000)) + b"open")
    assert tail.count == 1001
    assert [line for _, line in tail.last(3)] == [b"998", b"999", b"open"]


def test_memory_for_endless_lines_is_bounded() -> None:
    tail = OutputTail(3, Spool(SlotFile(), limit=1 << 20))
    for _ in range(100):
        tail.feed(1, b"x" * 100_000)
    tail.feed(1, b"\nend\n")
    assert [len(line) for _, line in tail.last(3)] == [LONGEST_LINE, 3]
    assert tail.count == 2


@given(st.lists(st.binary(max_size=3 * SLOT_BYTES), max_size=6))
def test_a_spool_gives_back_what_it_got(blocks: list[bytes]) -> None:
    spool = Spool(SlotFile())
    for block in blocks:
        spool.append(block)
    assert b"".join(spool.blocks()) == b"".join(blocks)


def test_spools_share_a_file_and_reuse_its_slots() -> None:
    file = SlotFile()
    first, second = Spool(file), Spool(file)
    first.append(b"a" * 5 * SLOT_BYTES)
    second.append(b"b" * 3 * SLOT_BYTES)
    first.discard()
    third = Spool(file)
    third.append(b"c" * 5 * SLOT_BYTES)
    assert b"".join(second.blocks()) == b"b" * 3 * SLOT_BYTES
    assert b"".join(third.blocks()) == b"c" * 5 * SLOT_BYTES
    assert file._slots == 8
    file.close()


@pytest.mark.parametrize("size", [1000, SLOT_BYTES, 10 * SLOT_BYTES])
def test_a_limited_spool_keeps_the_end_and_counts_dropped_bytes(size: int) -> None:
    spool = Spool(SlotFile(), limit=4 * SLOT_BYTES)
    text = b"".join(b"line %d\n" % number for number in range(200_000))
    for start in range(0, len(text), size):
        spool.append(text[start : start + size])
    kept = b"".join(spool.blocks())
    assert text.endswith(kept)
    assert 3 * SLOT_BYTES < len(kept) <= 5 * SLOT_BYTES
    assert spool.lost_lines + kept.count(b"\n") == 200_000


def test_small_outputs_never_touch_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/nowhere/at/all")  # a folder in which no file can be opened
    spool = Spool(SlotFile())
    spool.append(b"x" * SLOT_BYTES)
    assert b"".join(spool.blocks()) == b"x" * SLOT_BYTES


def test_a_full_disk_is_reported_if_output_must_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/nowhere/at/all")
    tail = OutputTail(3, Spool(SlotFile()))
    with pytest.raises(Failed, match=re.escape("/nowhere/at/all: No such file or directory (ENOENT)")):
        tail.feed(1, b"x\n" * SLOT_BYTES)


def test_no_room_costs_only_the_abort_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/nowhere/at/all")
    tail = OutputTail(3, Spool(SlotFile(), limit=1 << 20))
    tail.feed(1, b"x\n" * SLOT_BYTES)
    assert tail.obtainable == 3
    assert len(list(tail.all_lines())) == 3
