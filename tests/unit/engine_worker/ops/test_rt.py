"""The host functions of the RT global, beyond the tables in tests/specs/engine/rt_global."""

from __future__ import annotations

import pytest

from rt_supervisor import _native
from rt_supervisor.engine_worker.ops.rt import ambiguous_count, hash_short, parse_color


def test_unknown_hashes_are_rejected() -> None:
    with pytest.raises(ValueError, match="no such hash: md5"):
        _native.hash_bytes("md5", b"", 0)
    assert hash_short("crc32", b"a", 0) == 3904355907
    assert hash_short("adler32", b"a", 5) == 6422626


def test_large_input_is_hashed_the_same() -> None:
    block = bytes(range(256)) * 512
    assert _native.hash_bytes("wyhash", block, 1) == _native.hash_bytes("wyhash", bytes(bytearray(block)), 1)
    assert _native.hash_bytes("wyhash", block, 1) != _native.hash_bytes("wyhash", block, 2)


def test_colours_of_a_page_have_no_channels() -> None:
    assert parse_color("currentcolor") == {"css": "currentColor", "channels": _native.null}
    assert parse_color("grün") is None
    red = parse_color("red")
    assert red is not None
    assert red["channels"] == [255, 0, 0, 255]


def test_ambiguous_characters() -> None:
    assert ambiguous_count("a☆⚠é") == 2
    assert ambiguous_count("e\u0301日") == 0


@pytest.mark.parametrize(
    "pattern",
    [
        "{1..1000000}",
        "{a..",
        "@(" * 400 + "a" + ")" * 400,
        "+(+(+(a)))" * 50,
        "*" * 900,
        "@(a|",
        "(",
        "{1..2}" * 160,
        "!(a)" * 4 + "b",
        "!(" * 300,
        "*!(*a*|!(a*))*!(b)!(c)b",
        "@(!(a)|b)" * 60,
    ],
)
def test_hostile_patterns_are_matched_in_time(pattern: str) -> None:
    assert _native.match_glob(pattern, ["a" * 2000], extended=True) in ([], [0])


def test_ranges_are_written_out() -> None:
    texts = ["a1", "a2", "a3", "a12", "b"]
    assert _native.match_glob("a{1..2}", texts, extended=True) == [0, 1]
    assert _native.match_glob("{a..b}*", texts, extended=True) == [0, 1, 2, 3, 4]
    assert _native.match_glob("a{3..1}", texts, extended=True) == [0, 1, 2]
    assert _native.match_glob("a{1..2}", texts) == []
