"""`--output grouped`: one block for each task, folded under GitHub Actions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from rt_supervisor.output.displays.grouped import GroupedDisplay
from rt_supervisor.vocabulary.events import Exited, RunInterrupted, Signaled, StepSkipped, TaskEnded

if TYPE_CHECKING:
    from collections.abc import Callable

    from rt_supervisor.plan.model import RunPlan

    from ..conftest import KeepingWriter, Run


@pytest.fixture
def show(
    make_plan: Callable[..., RunPlan], writer: KeepingWriter, run_of: Callable[[object], Run]
) -> Callable[..., tuple[Run, GroupedDisplay]]:
    def make(*scripts: str, **options: Any) -> tuple[Run, GroupedDisplay]:
        display = GroupedDisplay(make_plan(*scripts), out=writer, **{"folds": False, **options})
        return run_of(display), display

    return make


def test_each_task_comes_in_one_piece_when_it_ends(
    show: Callable[..., tuple[Run, GroupedDisplay]], writer: KeepingWriter
) -> None:
    run, display = show("a", "b")
    run.start(0)
    run.start(1)
    run.say(0, "a1\n")
    run.say(1, "b1\n")
    run.say(0, "a2")
    assert writer.text == ""
    run.end(1, Exited(3))
    run.end(0)
    display.close()
    assert writer.text == (
        "b build\nbuild $ build b\nb1\nb build: Exited with code 3\n\n"
        "a build\nbuild $ build a\na1\na2\na build: Done in 12 ms\n\n"
    )


def test_hooks_belong_to_their_task(show: Callable[..., tuple[Run, GroupedDisplay]], writer: KeepingWriter) -> None:
    run, _ = show("a+")
    for step in range(3):
        run.start(0, step)
        run.say(0, f"says {step}", step)
        run.end(0, step=step, last=step == 2)
    assert writer.text == (
        "a build\nprebuild $ prebuild a\nsays 0\nbuild $ build a\nsays 1\npostbuild $ postbuild a\nsays 2\n"
        "a build: Done in 36 ms\n\n"
    )


def test_output_may_overtake_the_start(show: Callable[..., tuple[Run, GroupedDisplay]], writer: KeepingWriter) -> None:
    run, _ = show("a")
    run.say(0, "early\n")
    run.start(0)
    run.end(0)
    assert writer.text.startswith("a build\nbuild $ build a\nearly\n")


def test_bytes_are_exact_off_a_terminal_and_harmless_on_one(
    show: Callable[..., tuple[Run, GroupedDisplay]], writer: KeepingWriter
) -> None:
    hostile = b"\x1b[2J\xff\x00\r\n"
    run, _ = show("a")
    run.start(0)
    run.say(0, hostile * 100_000)
    run.end(0)
    assert hostile * 100_000 in b"".join(writer.writes)
    writer.writes.clear()
    run, _ = show("a", is_terminal=True)
    run.start(0)
    run.say(0, hostile)
    run.end(0)
    assert "build $ build a\n\ufffd\n" in writer.text


def test_skipped_and_interrupted_tasks_are_named(
    show: Callable[..., tuple[Run, GroupedDisplay]], writer: KeepingWriter
) -> None:
    run, display = show("a", "b<a", "c")
    run.start(0)
    run.start(2)
    display.event(RunInterrupted(2))
    run.end(0, Signaled(2, requested=True))
    display.event(StepSkipped(1, 0, "a:build"))
    display.event(TaskEnded(1, 0, True, 0.0))
    display.close()
    assert re.findall(r"^\w build: .*", writer.text, re.M) == [
        "a build: Interrupted",
        "b build: Skipped",
        "c build: Interrupted",
    ]


def test_github_folds_and_annotates(show: Callable[..., tuple[Run, GroupedDisplay]], writer: KeepingWriter) -> None:
    run, _ = show("a", "b", folds=True)
    run.start(0)
    run.say(0, "::error::evil\n##[error]evil\nno end")
    run.end(0, Exited(3))
    run.start(1)
    run.end(1)
    found = re.search(r"^::stop-commands::([0-9a-f]{32})$", writer.text, re.M)
    assert found is not None
    token = found[1]
    assert writer.text.split("\n")[:8] == [
        "::group::a build: Exited with code 3",
        f"::stop-commands::{token}",
        "build $ build a",
        "::error::evil",
        "##[error]evil",
        "no end",
        f"::{token}::",
        "::endgroup::",
    ]
    assert "::error title=a build::build: Exited with code 3\n" in writer.text
    assert writer.text.count("::stop-commands::") == 2
    assert writer.text.count(token) == 2, "every group has a token of its own"
    assert writer.text.count("::error title") == 1


def test_names_cannot_break_out_of_a_workflow_command(
    show: Callable[..., tuple[Run, GroupedDisplay]], writer: KeepingWriter
) -> None:
    run, _ = show("a|b:c%\n::error::x", folds=True)
    run.start(0)
    run.end(0, Exited(1))
    assert "\n::error::x" not in writer.text
    assert "::error title=a|b%3Ac%25 %3A%3Aerror%3A%3Ax build::" in writer.text


def test_the_environment_decides_about_folds(
    make_plan: Callable[..., RunPlan],
    writer: KeepingWriter,
    run_of: Callable[[object], Run],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    run = run_of(GroupedDisplay(make_plan("a"), out=writer))
    run.start(0)
    run.end(0)
    assert writer.text.startswith("::group::")
