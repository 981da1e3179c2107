"""What the elided view shows of failed scripts, and of scripts that keep others waiting."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rt_supervisor.output.drawing.blocks import LONG_WAIT_S
from rt_supervisor.output.drawing.frame import MOST_FAILED_LINES
from rt_supervisor.vocabulary.events import (
    Exited,
    Signaled,
)

if TYPE_CHECKING:
    from .conftest import Show


def numbers(first: int, last: int) -> str:
    return "".join(f"{number}\n" for number in range(first, last + 1))


def test_a_failed_script_shows_its_whole_output(show: Show) -> None:
    terminal, run, display = show("foo", "bar")
    for task in (0, 1):
        run.start(task)
        run.say(task, numbers(1, 30))
    run.draw()
    run.end(0, Exited(3))
    run.end(1)
    display.close()
    assert terminal.everything == [
        "foo build $ build foo",
        *(f"│ {number}" for number in range(1, 31)),
        "└─ Exited with code 3",
        "bar build $ build bar",
        "│ [20 lines elided]",
        *(f"│ {number}" for number in range(21, 31)),
        "└─ Done in 12 ms",
    ]


def test_a_file_has_what_a_failed_script_printed_beyond_the_bound(
    show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    terminal, run, display = show("@scope/foo", columns=200)
    run.start(0)
    run.say(0, numbers(1, MOST_FAILED_LINES + 500))
    run.end(0, Exited(1))
    display.close()
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("rt--scope-foo-build-")
    assert path.read_text() == numbers(1, MOST_FAILED_LINES + 500)
    assert terminal.everything[1] == f"│ [500 lines elided; they are in {path}]"
    assert terminal.everything[2:4] == ["│ 501", "│ 502"]


def test_an_interrupted_script_needs_no_file(show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    _, run, display = show("foo")
    run.start(0)
    run.say(0, numbers(1, MOST_FAILED_LINES + 500))
    run.end(0, Signaled(2, True))
    display.close()
    assert list(tmp_path.iterdir()) == []


WAITS = "app waits until lib build has ended; --parallel does not wait"


@pytest.mark.parametrize("rows", [24, 4])
def test_a_script_that_keeps_others_waiting_is_named(show: Show, rows: int) -> None:
    now = [0.0]
    terminal, run, display = show("lib", "app<lib", "page<app", rows=rows, columns=100, clock=lambda: now[0])
    run.start(0)
    run.draw()
    assert WAITS not in "\n".join(terminal.lines)
    assert display.interval_ms is not None
    assert display.interval_ms <= LONG_WAIT_S * 1000, "rt looks again although nothing happens"
    now[0] = LONG_WAIT_S
    run.draw()
    assert WAITS in "\n".join(terminal.lines)
    run.end(0)
    run.start(1)
    run.draw()
    assert WAITS not in "\n".join(terminal.lines)
    display.close()
    assert "waits until" not in "\n".join(terminal.everything)


def test_a_script_that_nothing_waits_for_is_not_named(show: Show) -> None:
    now = [0.0]
    terminal, run, display = show("lib", "app", clock=lambda: now[0])
    run.start(0)
    run.start(1)
    run.draw()
    now[0] = 10 * LONG_WAIT_S
    run.say(0, "1\n")
    run.draw()
    assert "waits until" not in "\n".join(terminal.lines)
    assert display.interval_ms is None
