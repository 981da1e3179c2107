"""Only colours reach a terminal, wherever the blocks are split."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.output.drawing.sanitize import Sanitizer, harmless_label, is_plain, strip_controls
from rt_supervisor.output.drawing.sgr import after

HOSTILE = [
    (b"\x1b[2J\x1b[Hx", b"x"),
    (b"\x1b[10Ax", b"x"),
    (b"\x1b]0;title\x07x", b"x"),
    (b"\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", b"link"),
    (b"\x1b]52;c;aGVsbG8=\x07x", b"x"),
    (b"\x1bP1$qm\x1b\\x", b"x"),
    (b"\x1b_apc\x1b\\x", b"x"),
    (b"\x1b^pm\x1b\\x", b"x"),
    (b"\x1bcx", b"x"),
    (b"\x1b(0x", b"x"),
    (b"\x1b[?1049hx", b"x"),
    (b"\x1b[>4;2mx", b"x"),
    (b"\x1b[?4mx", b"x"),
    (b"\x1b[5nx", b"x"),
    (b"\x1b[3\x071mx", b"31mx"),
    (b"\xc2\x9b2Jx", b"x"),
    (b"\xc2\x9d0;t\x07x", b"x"),
    (b"\xc2\x85x", b"x"),
    (b"\x9b2Jx", "\ufffd2Jx".encode()),
    (b"a\x07\x08\x0b\x0c\x0e\x0f\x7f\x00b", b"ab"),
    (b"\x1b\x1b[2Jx", b"x"),
    (b"\x1b[1;2 qx", b"x"),
    (b"\x1b]0;never ended\nx", b"\nx"),
    (b"\xe9\x9b\x9b", b"\xe9\x9b\x9b"),
    ("é日本🎉".encode(), "é日本🎉".encode()),
    (b"\x1b[31mred\x1b[0m", b"\x1b[31mred\x1b[0m"),
]
COLOURS = re.compile(rb"\x1b\[[0-9;:]*m")
SAFE = re.compile(rb"(?:\x1b\[[0-9;:]*m|[^\x00-\x08\x0b-\x1f\x7f])*")
pieces = st.one_of(
    st.sampled_from([text for text, _ in HOSTILE]),
    st.sampled_from(
        [b"\x1b", b"\x1b[", b"\x1b]", b"\xc2", b"\x9b", b"\n", b"\r", b"\r\n", b"\x1b[31m", b"\x1b[0m", b"abc", b"\t"]
    ),
    st.binary(max_size=4),
)
streams = st.lists(pieces, max_size=12)


@pytest.mark.parametrize(("text", "shown"), HOSTILE)
def test_hostile(text: bytes, shown: bytes) -> None:
    assert Sanitizer()(text + b"\n") == shown + b"\n"
    assert strip_controls(text) == shown


@pytest.mark.parametrize(("text", "shown"), HOSTILE)
def test_hostile_cut_anywhere(text: bytes, shown: bytes) -> None:
    for cut in range(len(text) + 1):
        clean = Sanitizer()
        assert COLOURS.sub(b"", clean(text[:cut]) + clean(text[cut:] + b"\n")) == COLOURS.sub(b"", shown) + b"\n", cut


@given(streams)
def test_only_colours_pass_wherever_blocks_are_cut(blocks: list[bytes]) -> None:
    clean = Sanitizer()
    shown = [clean(block) for block in blocks]
    for text in (*shown, b"".join(shown)):
        assert SAFE.fullmatch(text)
        text.decode()
        assert not re.search(rb"\xc2[\x80-\x9f]", text)


@given(streams)
def test_every_line_closes_its_colours(blocks: list[bytes]) -> None:
    clean = Sanitizer()
    for block in blocks:
        for line in clean(block).split(b"\n"):
            assert after(b"", line) == b""


@given(st.lists(st.text(alphabet="ab \n\té日", max_size=20), max_size=5))
def test_plain_text_passes_untouched(texts: list[str]) -> None:
    clean = Sanitizer()
    assert b"".join(clean(text.encode()) for text in texts) == "".join(texts).encode()


def test_plain_blocks_are_not_copied() -> None:
    block = b"plain\n" * 1000
    assert Sanitizer()(block) is block


def test_a_split_character_is_joined() -> None:
    clean = Sanitizer()
    assert [clean(bytes([byte])) for byte in "日".encode()] == [b"", b"", "日".encode()]


def test_colours_are_reopened_in_the_next_line_and_block() -> None:
    clean = Sanitizer()
    assert clean(b"\x1b[31mred\n\nmore") == b"\x1b[31mred\x1b[0m\n\n\x1b[31mmore\x1b[0m"
    assert clean(b" red\x1b[39m plain\n") == b"\x1b[31m red\x1b[39m plain\n"
    assert clean(b"plain\n") == b"plain\n"


@pytest.mark.parametrize(
    ("blocks", "shown"),
    [
        ([b"10%\r20%\r30%\n"], [b"30%\n"]),
        ([b"a\r\nb\r\r\nc\n"], [b"a\nb\nc\n"]),
        ([b"10%\r", b"20%\r", b"30%\r\n", b"end\n"], [b"10%", b"\n20%", b"\n30%\n", b"end\n"]),
        ([b"a\r", b"\nb\n"], [b"a", b"\nb\n"]),
        ([b"\x1b[31m1\r2\x1b[0m\n"], [b"\x1b[31m2\x1b[0m\n"]),
    ],
)
def test_returns_keep_the_last_state(blocks: list[bytes], shown: list[bytes]) -> None:
    clean = Sanitizer()
    assert [clean(block) for block in blocks] == shown


def test_an_endless_control_string_does_not_grow_or_swallow_everything() -> None:
    clean = Sanitizer()
    clean(b"\x1b]0;" + b"x" * 10_000)
    assert len(clean._pending) <= 4096
    assert clean(b"y\nvisible\n").endswith(b"visible\n")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("@scope/pkg", "@scope/pkg"),
        ("a\x1b[31mb\x1b[0m", "ab"),
        ("a\nb\tc", "a b c"),
        ("a\x07\x9b\u202eb\u2066c", "abc"),
        ("\x1b]0;t\x07a", "a"),
        ("日本", "日本"),
        ("a\ud800b", "a?b"),
    ],
)
def test_labels(text: str, label: str) -> None:
    assert harmless_label(text) == label


@given(st.text(max_size=30))
def test_labels_are_one_harmless_line(text: str) -> None:
    assert is_plain(harmless_label(text).encode())
    assert "\n" not in harmless_label(text)
