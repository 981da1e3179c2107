"""The summary's table and its figures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from rt_supervisor.output.displays.fan_out import FanOut
from rt_supervisor.output.drawing.cells import line_width
from rt_supervisor.output.reports.summary import Summary, is_wanted
from rt_supervisor.output.reports.summary_table import MOST_ROWS, summary_text
from rt_supervisor.output.reports.timings import DONE, FAILED, INTERRUPTED, SKIPPED, UNFINISHED, Timings
from rt_supervisor.vocabulary.events import Exited, Signaled, StepEnded, StepSkipped, StepStarted, TaskEnded

if TYPE_CHECKING:
    from collections.abc import Callable

    from rt_supervisor.plan.model import RunPlan

    from ..conftest import Run, Terminal


def report_step(
    timings: Timings, task: int, start: float, end: float, outcome: Exited | Signaled | None = None
) -> None:
    """Report a task's only step, with `start` and `end` in seconds since the start of the run."""
    outcome = outcome or Exited(0)
    origin = timings.begun_at
    timings.event(StepStarted(task, 0, 99, origin + start))
    timings.event(StepEnded(task, 0, outcome, origin + end, end - start, 0.25, 34_500_000))
    status = outcome.code if isinstance(outcome, Exited) else 128 + outcome.signal
    timings.event(TaskEnded(task, status, False, origin + end))


def report_skipped(timings: Timings, task: int, because: str) -> None:
    timings.event(StepSkipped(task, 0, because))
    timings.event(TaskEnded(task, 0, True, timings.begun_at))


@pytest.fixture
def timings(make_plan: Callable[..., RunPlan]) -> Timings:
    """types -> utils -> ui-components (fails) -> web (skipped); types -> docs (killed); lint; late (interrupted)."""
    plan = make_plan(
        "@acme/types",
        "@acme/utils<@acme/types",
        "@acme/ui-components<@acme/utils",
        "web<@acme/ui-components",
        "docs<@acme/types",
        "lint",
        "late",
    )
    timings = Timings(plan)
    report_step(timings, 0, 0.0, 0.5)
    report_step(timings, 1, 0.5, 1.0)
    report_step(timings, 2, 1.0, 3.0, Exited(3))
    report_skipped(timings, 3, "@acme/ui-components:build")
    report_step(timings, 4, 0.5, 2.0, Signaled(9))
    report_step(timings, 5, 0.0, 1.0)
    report_step(timings, 6, 3.0, 4.0, Signaled(15, requested=True))
    return timings


def test_states_and_figures(timings: Timings) -> None:
    assert [task.state for task in timings.tasks] == [DONE, DONE, FAILED, SKIPPED, FAILED, DONE, INTERRUPTED]
    assert timings.wall_seconds == pytest.approx(4.0)
    assert timings.parallelism == pytest.approx(6.5 / 4.0)
    assert [task.task.key for task in timings.longest_chain()] == [0, 1, 2]
    assert timings.tasks[2].peak_bytes == 34_500_000


def test_tasks_that_did_not_end(make_plan: Callable[..., RunPlan]) -> None:
    timings = Timings(make_plan("a", "b<a"))
    timings.event(StepStarted(0, 0, 1, timings.begun_at))
    assert [task.state for task in timings.tasks] == [UNFINISHED, SKIPPED]
    assert timings.parallelism == 0.0


def test_the_longest_chain_need_not_follow_listing_order(make_plan: Callable[..., RunPlan]) -> None:
    timings = Timings(make_plan("a<c", "b", "c"))
    report_step(timings, 2, 0.0, 1.0)
    report_step(timings, 1, 0.0, 1.5)
    report_step(timings, 0, 1.0, 2.0)
    assert [task.task.package for task in timings.longest_chain()] == ["c", "a"]


def test_wide_table(timings: Timings) -> None:
    lines = summary_text(timings, columns=110, colour=False).splitlines()
    assert lines[1].split() == ["Task", "Result", "Time", "CPU", "Memory", "Timeline"]
    rows = [re.split(r"\s{2,}", line) for line in lines[3:10]]
    assert rows[0] == ["✓", "@acme/types build", "done", "500 ms", "250 ms", "34 MB", "━━"]
    assert rows[2][:4] == ["✗", "@acme/ui-components build", "exited with code 3", "2.00 s"]
    assert rows[3] == ["○", "web build", "skipped: @acme/ui-components:build", "-", "-", "-"]
    assert rows[4][2] == "signaled with code SIGKILL"
    assert rows[6][:3] == ["■", "late build", "interrupted"]
    assert lines[-2].startswith("3 done · 2 failed · 1 interrupted · 1 skipped · 4.00 s · CPU 1.50 s · 1.6 at once")
    assert lines[-1] == "Longest chain 3.00 s: @acme/types → @acme/utils → @acme/ui-components"


@pytest.mark.parametrize("columns", [20, 24, 40, 44, 56, 66, 80, 96, 200])
@pytest.mark.parametrize("colour", [False, True])
def test_fits_every_width(timings: Timings, columns: int, colour: bool) -> None:
    text = summary_text(timings, columns=columns, colour=colour)
    assert all(line_width(line) <= columns for line in text.splitlines())
    assert ("\x1b" in text) is colour
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert sum(line[:1] in "✓✗■○" for line in plain.splitlines() if line) == 7
    assert "2.00 s" in plain, "numbers are never cut"
    if columns >= 40:
        assert "@acme/ui-components build" in plain or "@acme/ui-comp" in plain


def test_forty_columns(timings: Timings) -> None:
    lines = summary_text(timings, columns=40, colour=False).splitlines()
    assert lines[1:6] == [
        "   Task                         Time",
        "─" * 36,
        "✓  @acme/types build          500 ms",
        "✓  @acme/utils build          500 ms",
        "✗  @acme/ui-components build  2.00 s",
    ]


def test_many_tasks_show_problems_and_the_slowest(make_plan: Callable[..., RunPlan]) -> None:
    timings = Timings(make_plan(*(f"p{number}" for number in range(200))))
    for key in range(200):
        report_step(timings, key, 0.0, 0.1 + key / 100, Exited(1) if key == 7 else None)
    lines = summary_text(timings, columns=80, colour=False).splitlines()
    assert len(lines) <= MOST_ROWS + 6
    assert any("p7 build" in line and "exited with code 1" in line for line in lines)
    assert any("p199 build" in line for line in lines)
    assert "… and 189 more" in lines


def test_hostile_names_are_harmless(make_plan: Callable[..., RunPlan]) -> None:
    timings = Timings(make_plan("[red]a[/red]\x1b[2J日本", "b", "c"))
    for key in range(3):
        report_step(timings, key, 0, 1)
    text = summary_text(timings, columns=60, colour=False)
    assert "[red]a[/red]日本 build" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("count", "is_terminal", "requested", "wanted"),
    [
        (2, True, None, False),
        (3, True, None, True),
        (3, False, None, False),
        (1, False, True, True),
        (9, True, False, False),
    ],
)
def test_when_there_is_one(
    make_plan: Callable[..., RunPlan], count: int, is_terminal: bool, requested: bool | None, wanted: bool
) -> None:
    plan = make_plan(*(f"p{number}" for number in range(count)))
    assert is_wanted(plan, is_terminal=is_terminal, requested=requested) is wanted


def test_fan_out_passes_output_to_the_display_and_events_to_all(
    make_plan: Callable[..., RunPlan], make_terminal: Callable[..., Terminal], run_of: Callable[[object], Run]
) -> None:
    from rt_supervisor.output.displays.elided import ElidedDisplay

    plan = make_plan("a", "b", "c")
    terminal = make_terminal(70, 30)
    timings = Timings(plan)
    elided = ElidedDisplay(plan, out=terminal, size=terminal.size, colour=False)
    display = FanOut(elided, timings, Summary(timings, out=terminal, colour=False, size=terminal.size))
    run = run_of(display)
    assert display.interval_ms == elided.interval_ms
    for key in range(3):
        run.start(key)
        run.say(key, "x\n")
        run.draw()
    assert display.interval_ms is None
    for key in range(3):
        run.end(key)
    display.close()
    assert terminal.lines[:3] == ["a build $ build a", "│ x", "└─ Done in 12 ms"]
    assert terminal.lines[10].split() == ["Task", "Result", "Time", "CPU", "Memory"]
    assert terminal.lines[12].startswith("✓  a build")
