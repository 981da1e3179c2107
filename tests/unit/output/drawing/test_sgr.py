"""Which colours are active after a text."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.output.drawing.sgr import after


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (b"plain", b""),
        (b"\x1b[31mred", b"\x1b[31m"),
        (b"\x1b[31mred\x1b[0m", b""),
        (b"\x1b[31mred\x1b[m", b""),
        (b"\x1b[31mred\x1b[39m", b""),
        (b"\x1b[1;31mbold\x1b[22m", b"\x1b[31m"),
        (b"\x1b[1m\x1b[2m", b"\x1b[1;2m"),
        (b"\x1b[38;5;200mx\x1b[48;2;1;2;3my", b"\x1b[38;5;200;48;2;1;2;3m"),
        (b"\x1b[38;5;200;1mx", b"\x1b[38;5;200;1m"),
        (b"\x1b[38:2::1:2:3mx", b"\x1b[38:2::1:2:3m"),
        (b"\x1b[4:3mcurly\x1b[4:0m", b""),
        (b"\x1b[31;0;4mx", b"\x1b[4m"),
        (b"\x1b[38mx", b"\x1b[38;m"),
        (b"\x1b[12345678901234567890mx", b""),
    ],
)
def test_state(text: bytes, state: bytes) -> None:
    assert after(b"", text) == state


codes = st.sampled_from(
    ["0", "", "1", "3", "4", "7", "22", "23", "24", "27", "31", "39", "44", "49", "97", "104", "38;5;9", "48;2;1;2;3"]
)
sequences = st.lists(st.one_of(codes.map(lambda code: f"\x1b[{code}m"), st.just("x")), max_size=12).map("".join)


@given(sequences, sequences)
def test_the_state_represents_the_text_before(first: str, second: str) -> None:
    """A terminal shows the same after the whole text as after the state followed by the rest."""
    whole = pyte.Screen(80, 2)
    pyte.Stream(whole).feed(first + second + "@")
    rest = pyte.Screen(80, 2)
    pyte.Stream(rest).feed(after(b"", first.encode()).decode() + second + "@")

    def look(screen: pyte.Screen) -> tuple[object, ...]:
        cell = screen.buffer[0][screen.cursor.x - 1]
        return cell.data, cell.fg, cell.bg, cell.bold, cell.italics, cell.underscore, cell.reverse

    assert look(whole) == look(rest)
    assert after(after(b"", first.encode()), second.encode()) == after(b"", (first + second).encode())
