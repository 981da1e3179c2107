"""Reports of the files that a program has loaded: each file once, and in messages of bounded size."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.vocabulary.identity import identity_of
from rt_supervisor.vocabulary.load_report import LARGEST, LoadReporter, LoadReports, decode, encode

PATHS = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=300).map("/{}".format)
NUMBERS = st.integers(0, 2**63)
FILES = st.lists(st.tuples(PATHS, st.none() | st.tuples(NUMBERS, NUMBERS, NUMBERS)))


@given(FILES)
def test_every_file_arrives_in_datagrams_that_fit(files: list[tuple[str, tuple[int, int, int] | None]]) -> None:
    datagrams = encode(files)
    assert all(len(datagram) <= LARGEST for datagram in datagrams)
    assert [file for datagram in datagrams for file in decode(datagram)] == files


@given(st.binary())
def test_any_bytes_are_read_or_skipped(data: bytes) -> None:
    assert all(path.startswith("/") for path, _ in decode(data))


def test_invalid_utf_8_survives_and_relative_paths_do_not() -> None:
    odd = os.fsdecode(b"/a\xff")
    assert decode(encode([(odd, None)])[0]) == [(odd, None)]
    assert decode(b"a\x00/b\x00\x00x,1/c") == [("/b", None)]
    assert encode([("/" + "x" * LARGEST, None)]) == []


def test_a_program_reports_each_file_once(tmp_path: Path) -> None:
    there = str(tmp_path / "a")
    Path(there).write_text("1")
    reports = LoadReports()
    reporter = LoadReporter(reports.channel)
    reporter.report([there, "/b", there])
    reporter.report(["/b", "/c"])
    assert reports.take() == {there: identity_of(there), "/b": None, "/c": None}
    assert reports.take() == {}
    reports.close()
    reporter.report(["/d"])  # no listener is left
    reporter.close()
