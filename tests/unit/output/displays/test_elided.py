"""The elided view, as seen on a terminal emulator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rt_supervisor.output.displays.elided import ElidedDisplay
from rt_supervisor.output.drawing.tail import LONGEST_LINE
from rt_supervisor.vocabulary.events import (
    Exited,
    RunInterrupted,
    Signaled,
    StepSkipped,
    TaskEnded,
    TaskRetried,
    TasksRestarted,
)

if TYPE_CHECKING:
    from ..conftest import KeepingWriter, MakePlan, RunOf
    from .conftest import Show


def numbers(first: int, last: int) -> str:
    return "".join(f"{number}\n" for number in range(first, last + 1))


def test_ten_lines_stay_by_default(show: Show) -> None:
    terminal, run, display = show("foo")
    run.start(0)
    run.say(0, numbers(1, 30))
    run.end(0)
    display.close()
    assert terminal.lines == [
        "foo build $ build foo",
        "│ [20 lines elided]",
        *(f"│ {number}" for number in range(21, 31)),
        "└─ Done in 12 ms",
    ]


def test_elide_lines_zero_shows_all(show: Show) -> None:
    terminal, run, display = show("foo", elide_lines=0)
    run.start(0)
    run.say(0, numbers(1, 3000))
    run.draw()
    run.end(0)
    display.close()
    assert terminal.everything == [
        "foo build $ build foo",
        *(f"│ {number}" for number in range(1, 3001)),
        "└─ Done in 12 ms",
    ]


def test_more_lines_than_memory_keeps_come_from_the_spool(show: Show) -> None:
    terminal, run, display = show("foo", elide_lines=1000)
    run.start(0)
    run.say(0, numbers(1, 40_000))
    run.end(0)
    display.close()
    assert terminal.everything == [
        "foo build $ build foo",
        "│ [39000 lines elided]",
        *(f"│ {number}" for number in range(39_001, 40_001)),
        "└─ Done in 12 ms",
    ]


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Exited(4), "Exited with code 4"),
        (Signaled(15), "Signaled with code SIGTERM"),
        (Signaled(2), "Interrupted"),
        (Signaled(15, requested=True), "Interrupted"),
    ],
)
def test_the_footer_shows_how_it_ended(show: Show, outcome: Exited | Signaled, words: str) -> None:
    terminal, run, display = show("foo")
    run.start(0)
    run.end(0, outcome)
    display.close()
    assert terminal.lines == ["foo build $ build foo", f"└─ {words}"]


def test_seconds_have_two_decimals(show: Show) -> None:
    terminal, run, display = show("foo")
    run.start(0)
    run.end(0, seconds=1.314)
    display.close()
    assert terminal.lines[-1] == "└─ Done in 1.31 s"


def test_blocks_stay_in_listing_order_and_show_what_they_wait_for(show: Show) -> None:
    terminal, run, _ = show("a+", "b<a", "c")
    run.start(0)
    run.start(2)
    run.say(2, "hello")
    run.draw()
    assert terminal.lines == [
        "a prebuild $ prebuild a",
        "└─ Running...",
        "a build $ build a",
        "└─ Waiting for 1 other script(s)",
        "a postbuild $ postbuild a",
        "└─ Waiting for 1 other script(s)",
        "b build $ build b",
        "└─ Waiting for 3 other script(s)",
        "c build $ build c",
        "│ hello",
        "└─ Running...",
    ]
    run.end(0, last=False)
    run.draw()
    assert "└─ Waiting for 2 other script(s)" in terminal.lines


def test_dependents_of_a_failed_script_are_skipped(show: Show) -> None:
    terminal, run, display = show("a", "b<a")
    run.start(0)
    run.end(0, Exited(1))
    display.event(StepSkipped(1, 0, "a:build"))
    display.event(TaskEnded(1, 0, True, run.now))
    display.close()
    assert terminal.lines == ["a build $ build a", "└─ Exited with code 1", "b build $ build b", "└─ Skipped"]


def test_an_abort_prints_every_line(show: Show) -> None:
    terminal, run, display = show("a", "b<a")
    run.start(0)
    run.say(0, numbers(1, 20))
    run.draw()
    display.event(RunInterrupted(2))
    run.end(0, Signaled(2, requested=True))
    display.close()
    assert terminal.everything == [
        "a build $ build a",
        *(f"│ {number}" for number in range(1, 21)),
        "└─ Interrupted",
        "b build $ build b",
        "└─ Skipped",
    ]


def test_an_abort_after_megabytes_says_how_much_is_gone(
    make_plan: MakePlan, writer: KeepingWriter, run_of: RunOf
) -> None:
    display = ElidedDisplay(make_plan("a"), out=writer, size=lambda: (80, 24), colour=False)
    run = run_of(display)
    run.start(0)
    for _ in range(40):
        run.say(0, b"0123456789abcdef\n" * 10_000)
    run.end(0, Signaled(2))
    display.event(RunInterrupted(2))
    display.close()
    lines = writer.text.split("\r\n")
    elided = next(line for line in lines if "lines elided" in line)
    shown = sum("0123456789abcdef" in line for line in lines)
    assert int(elided.split("[")[1].split()[0]) + shown == 400_000
    assert 20_000 < shown < 100_000


def test_an_unterminated_line_is_shown_and_counted(show: Show) -> None:
    terminal, run, display = show("a", elide_lines=2)
    run.start(0)
    run.say(0, "1\n2\n3")
    run.draw()
    assert terminal.lines == ["a build $ build a", "│ [1 lines elided]", "│ 2", "│ 3", "└─ Running..."]
    run.say(0, "4\n")
    run.end(0)
    display.close()
    assert terminal.lines == ["a build $ build a", "│ [1 lines elided]", "│ 2", "│ 34", "└─ Done in 12 ms"]


def test_a_progress_bar_shows_its_last_state(show: Show) -> None:
    terminal, run, display = show("a")
    run.start(0)
    for percent in range(0, 100, 10):
        run.say(0, f"\r{percent}% \x1b[K")
    run.draw()
    assert terminal.lines == ["a build $ build a", "│ 90%", "└─ Running..."]
    run.say(0, "\r100%\r\nnext\n")
    run.end(0)
    display.close()
    assert terminal.lines == ["a build $ build a", "│ 100%", "│ next", "└─ Done in 12 ms"]


def test_live_rows_are_cut_and_lasting_lines_are_whole(show: Show) -> None:
    terminal, run, display = show("a", columns=20)
    run.start(0)
    run.say(0, "日本語日本語日本語日本語\n" + "x" * 30 + "\n" + "e\u0301" * 17 + "\n")
    run.draw()
    assert [line.replace(" ", "") for line in terminal.lines[1:3]] == ["│日本語日本語日本…", "│" + "x" * 17 + "…"]
    assert all(len(line) <= 20 for line in terminal.lines)
    assert len(terminal.lines) == 5
    run.end(0)
    display.close()
    assert "x" * 30 in terminal.text


def test_tabs_stop_where_they_would_without_the_frame(show: Show) -> None:
    terminal, run, display = show("a")
    run.start(0)
    run.say(0, "a\tb\n日本\tc\n\x1b[31mab\x1b[0m\td\n")
    run.end(0)
    display.close()
    assert [line.replace("日本", "日本 ").split("c")[0] for line in terminal.lines[1:2]] == ["│ a       b"]
    assert "日本    c" in terminal.text
    assert "\x1b[31mab\x1b[0m      d" in terminal.text


def test_colours_go_on_in_the_next_line_but_not_into_the_frame(show: Show) -> None:
    terminal, run, display = show("a", "b")
    run.start(0)
    run.say(0, "\x1b[31mred\nstill red\n\x1b[39mplain\n")
    run.end(0)
    display.close()
    rows = terminal.screen.buffer
    assert rows[1][0].fg == "default"
    assert rows[1][2].fg == "red"
    assert rows[2][0].fg == "default"
    assert rows[2][2].fg == "red"
    assert rows[3][2].fg == "default"
    assert rows[4][0].fg == "default"


def test_scripts_and_names_cannot_move_the_cursor(show: Show) -> None:
    terminal, run, display = show("e\x1b[2Jvil\x07\u202e")
    run.start(0)
    run.say(0, b"a\x1b[2Jb\x1b]0;title\x07c\x1b[10Ad\x08\x08\x0be\x9bf\xc2\x9b5Ag\x1bP1q\x1b\\h\x1b[?1049hi\n")
    run.end(0)
    display.close()
    assert terminal.lines == ["evil build $ build evil", "│ abcde�fghi", "└─ Done in 12 ms"]


def test_nothing_of_rt_is_coloured_without_colours(show: Show) -> None:
    terminal, run, display = show("a", "b", rows=4, colour=False)
    run.start(0)
    run.start(1)
    run.say(0, numbers(1, 20))
    run.draw()
    run.end(0)
    run.end(1, Exited(3))
    display.close()
    assert "m" not in "".join(part[:4] for part in terminal.text.split("\x1b[")[1:] if part[0].isdigit())


def test_the_cursor_is_visible_and_below_between_frames(show: Show) -> None:
    terminal, run, _ = show("a")
    run.start(0)
    run.say(0, "x\n")
    run.draw()
    assert not terminal.screen.cursor.hidden
    assert (terminal.screen.cursor.y, terminal.screen.cursor.x) == (3, 0)
    for frame in terminal.writes:
        assert frame.startswith(b"\x1b[?2026h\x1b[?25l")
        assert frame.endswith(b"\x1b[?25h\x1b[?2026l")
        assert frame.count(b"\x1b[?7l") == frame.count(b"\x1b[?7h")


def test_only_changed_rows_are_written(show: Show) -> None:
    terminal, run, display = show("a", "b")
    run.start(0)
    run.start(1)
    run.say(0, "first\n")
    run.draw()
    terminal.writes.clear()
    run.say(1, "second\n")
    run.draw()
    assert len(terminal.writes) == 1
    assert b"first" not in terminal.writes[0]
    terminal.writes.clear()
    display.event(TaskEnded(7, 0, False, 0.0))
    run.draw()
    assert terminal.writes == []


def test_at_most_thirty_frames_a_second_and_none_without_news(show: Show) -> None:
    terminal, run, display = show("a", clock=lambda: 0.0)
    run.start(0)
    for step in range(1000):
        run.say(0, f"{step}\n")
        display.tick(run.now + step / 1000)
    assert 28 <= len(terminal.writes) <= 32
    run.now += 2
    run.draw()
    assert display.interval_ms is None
    run.say(0, "more\n")
    assert display.interval_ms is not None


def test_a_slow_terminal_gets_fewer_frames(show: Show) -> None:
    times = iter(number / 10 for number in range(1000))  # each frame takes 100 ms
    terminal, run, display = show("a", clock=lambda: next(times))
    run.start(0)
    for step in range(1000):
        run.say(0, f"{step}\n")
        display.tick(run.now + step / 1000)
    assert 2 <= len(terminal.writes) <= 4


def test_a_small_screen_gets_finished_blocks_above_and_running_ones_below(show: Show) -> None:
    terminal, run, display = show(*(f"p{number}" for number in range(20)), rows=12)
    for key in range(4):
        run.start(key)
        run.say(key, numbers(1, 9))
    run.end(2)
    run.draw()
    assert terminal.everything[:11] == ["p2 build $ build p2", *(f"│ {n}" for n in range(1, 10)), "└─ Done in 12 ms"]
    assert terminal.lines[-1] == "3 running · 16 waiting · 1 done"
    assert len(terminal.lines) <= 11
    for key in (0, 1, 3):
        assert f"p{key} build $ build p{key}" in terminal.lines
        assert "│ 9" in terminal.lines
    for key in (0, 1, 3):
        run.end(key)
    for key in range(4, 20):
        run.start(key)
        run.end(key)
        run.draw()
    display.close()
    heads = [line for line in terminal.everything if " $ " in line]
    assert sorted(heads) == sorted(f"p{key} build $ build p{key}" for key in range(20))
    assert not any("running" in line or "Running" in line for line in terminal.everything)


@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_more_running_scripts_than_rows(show: Show, rows: int) -> None:
    terminal, run, display = show(*(f"p{number}" for number in range(9)), rows=rows, columns=30)
    for key in range(9):
        run.start(key)
        run.say(key, f"line of {key}\n")
        run.draw()
    assert terminal.everything == terminal.lines, "nothing was scrolled out"
    assert len(terminal.lines) < max(2, rows)
    if rows == 5:
        assert terminal.lines == ["p0 build │ line of 0", "p1 build │ line of 1", "… 7 more running", "9 running"]
    for key in range(9):
        run.end(key)
    display.close()
    assert sum(" $ " in line for line in terminal.everything) == 9


def test_resize_redraws_for_the_new_size(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TMUX", "VTE_VERSION", "KITTY_WINDOW_ID"):
        monkeypatch.delenv(name, raising=False)
    terminal, run, display = show("a", "b", columns=60, rows=24)
    run.start(0)
    run.start(1)
    run.say(0, "x" * 50 + "\n")
    run.say(1, numbers(1, 5))
    run.draw()
    terminal.resize(20, 24)
    display.resized()
    run.draw()
    assert terminal.lines == [
        "a build $ build a",
        "│ " + "x" * 17 + "…",
        "└─ Running...",
        "b build $ build b",
        *(f"│ {number}" for number in range(1, 6)),
        "└─ Running...",
    ]
    terminal.resize(60, 24)
    display.resized()
    run.draw()
    assert terminal.lines[1] == "│ " + "x" * 50
    run.end(0)
    run.end(1)
    display.close()
    assert terminal.lines[-1] == "└─ Done in 12 ms"
    assert len(terminal.lines) == 10


def test_close_twice_and_without_any_event(show: Show) -> None:
    terminal, _, display = show("a")
    display.close()
    display.close()
    assert terminal.lines == ["a build $ build a", "└─ Waiting for its turn"]


def test_a_line_of_many_megabytes_is_cut_not_kept(show: Show) -> None:
    terminal, run, display = show("a")
    run.start(0)
    for _ in range(64):
        run.say(0, b"x" * (1 << 20))
    run.say(0, b"\nlast\n")
    run.end(0)
    display.close()
    assert terminal.lines[-2:] == ["│ last", "└─ Done in 12 ms"]
    assert terminal.text.count("x") <= LONGEST_LINE


def test_a_change_is_named_above_the_blocks(show: Show) -> None:
    terminal, run, display = show("foo")
    run.start(0)
    run.end(0)
    display.event(TasksRestarted(tasks=(0,), changed=(str(Path("src/a.ts").absolute()),)))
    run.start(0)
    run.draw()
    assert terminal.lines == ["rt: src/a.ts changed", "foo build $ build foo", "└─ Running..."]
    display.close()
    assert terminal.everything[0] == "rt: src/a.ts changed"


def test_a_later_attempt_is_named_and_the_output_of_the_earlier_one_stays(show: Show) -> None:
    terminal, run, display = show("foo")
    run.start(0)
    run.say(0, b"first\n")
    run.end(0, Exited(1))
    display.event(TaskRetried(task=0, attempt=2, at=0.0))
    run.draw()
    run.start(0)
    run.say(0, b"second\n")
    run.end(0)
    display.close()
    assert terminal.lines == ["foo build (attempt 2) $ build foo", "│ first", "│ second", "└─ Done in 12 ms"]
