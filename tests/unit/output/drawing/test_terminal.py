"""The painter's output puts exactly its rows on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import example, given, settings
from hypothesis import strategies as st

from rt_supervisor.output.drawing.cells import cut, cut_row, expand_tabs, line_width
from rt_supervisor.output.drawing.frame import share
from rt_supervisor.output.drawing.terminal import Painter

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..conftest import Terminal

ROWS, COLUMNS = 8, 12
row = st.text(alphabet="ab日", max_size=6)
frames = st.lists(st.tuples(st.lists(row, max_size=ROWS - 1), st.lists(row.filter(bool), max_size=3)), max_size=8)


@settings(deadline=None)
@given(drawn=frames)
def test_the_screen_shows_the_rows_below_everything_printed_above(
    make_terminal: Callable[..., Terminal], drawn: list[tuple[list[str], list[str]]]
) -> None:
    terminal = make_terminal(COLUMNS, ROWS)
    painter = Painter()
    printed: list[str] = []
    for rows, above in drawn:
        frame = painter.frame(rows, above="".join(f"{line}\r\n" for line in above))
        if frame:
            terminal.write(frame)
        printed += above
        shown = [line.replace("日 ", "日") for line in terminal.everything]
        expected = [*printed, *rows]
        assert "\n".join(shown).rstrip() == "\n".join(expected).rstrip()


def test_typing_does_not_disturb_the_next_frame(make_terminal: Callable[..., Terminal]) -> None:
    terminal = make_terminal(20, 8)
    painter = Painter()
    terminal.write(painter.frame(["one", "two"]))
    terminal.stream.feed(b"^C")
    terminal.write(painter.frame(["one", "2", "three"]))
    assert terminal.lines == ["one", "2", "three"]


def test_reflowed_rows_are_counted(make_terminal: Callable[..., Terminal]) -> None:
    painter = Painter()
    painter.frame(["x" * 30, "y"])
    painter.resized(columns=10, screen_rows=24, rewraps=True)
    assert painter.frame(["a"]).count(b"\x1b[A") == 4
    painter.resized(columns=10, screen_rows=24, rewraps=False)
    assert painter.frame(["a"]).count(b"\x1b[A") == 1


@example("\u200d\u200daaa", 2)
@given(st.text(alphabet="ab日e\u0301\u200d👩🎉\ufe0f❤", max_size=30), st.integers(0, 20))
def test_a_cut_line_fits(line: str, columns: int) -> None:
    fitting = cut(line, columns)
    assert line_width(fitting) <= columns
    if line_width(line) <= columns:
        assert fitting == line
    elif columns:
        assert fitting.endswith("…")


def test_colours_are_not_counted_and_closed_when_cut() -> None:
    row = "\x1b[31mabcdef\x1b[0m"
    assert cut_row(row, 6) == row
    assert cut_row(row, 4) == "\x1b[31mabc…\x1b[0m"


def test_tabs_know_wide_characters_and_colours() -> None:
    assert expand_tabs("a\tb") == "a       b"
    assert expand_tabs("日本\tb") == "日本    b"
    assert expand_tabs("\x1b[31mab\x1b[0m\tb\tc") == "\x1b[31mab\x1b[0m      b       c"


@given(st.lists(st.integers(0, 12), max_size=9), st.integers(0, 40))
def test_shares_are_fair_and_fit(wanted: list[int], room: int) -> None:
    grants = share(wanted, room)
    assert sum(grants) <= room
    assert all(grant <= want for grant, want in zip(grants, wanted, strict=True))
    if sum(wanted) <= room:
        assert grants == wanted
    short = [grant for grant, want in zip(grants, wanted, strict=True) if grant < want]
    assert not short or max(grants) - min(short) <= 1
