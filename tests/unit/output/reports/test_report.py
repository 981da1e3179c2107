"""`--report FILE`."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from rt_supervisor.output.reports.report import ReportWriter
from rt_supervisor.output.reports.timings import Timings
from rt_supervisor.vocabulary.errors import Failed
from rt_supervisor.vocabulary.events import Exited, RunInterrupted, Signaled, StepSkipped, TaskEnded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rt_supervisor.plan.model import RunPlan

    from ..conftest import Run


@pytest.fixture
def run_with_report(make_plan: Callable[..., RunPlan], run_of: Callable[[object], Run]) -> Callable[[str], Timings]:
    def run(path: str) -> Timings:
        timings = Timings(make_plan("a+", "b<a"))
        writer = ReportWriter(timings, path=path)
        reported = run_of(Both(timings))
        reported.start(0, 0)
        reported.end(0, last=False)
        reported.start(0, 1)
        reported.end(0, Exited(3), step=1, last=False)
        timings.event(StepSkipped(0, 2, "build"))
        timings.event(TaskEnded(0, 3, False, reported.now))
        timings.event(StepSkipped(1, 0, "a:build"))
        timings.event(TaskEnded(1, 0, True, reported.now))
        timings.close()
        writer.close()
        return timings

    return run


class Both:
    """Forwards events to timings only."""

    def __init__(self, timings: Timings) -> None:
        self.event = timings.event

    def drained(self, task: int, step: int, stream: int) -> None:
        return


def test_everything_is_in_it(run_with_report: Callable[[str], Timings], tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    run_with_report(str(path))
    report = json.loads(path.read_text())
    assert report["schemaVersion"] == 1
    assert {key: report["run"][key] for key in ("mode", "status", "interruptedBy", "longestChain", "exitOnError")} == {
        "mode": "filter",
        "status": 3,
        "interruptedBy": None,
        "longestChain": [0],
        "exitOnError": False,
    }
    failed, skipped = report["tasks"]
    assert (failed["state"], failed["status"], skipped["state"]) == ("failed", 3, "skipped")
    assert [step["outcome"] for step in failed["steps"]] == ["exited", "exited", "skipped"]
    assert [step.get("code") for step in failed["steps"]] == [0, 3, None]
    assert failed["steps"][2]["skippedBecause"] == "build"
    assert failed["cpuSeconds"] == pytest.approx(0.02)
    assert failed["peakBytes"] == 12_000_000
    assert skipped["startedAtSeconds"] is None
    assert os.listdir(tmp_path) == ["report.json"]


def test_an_interrupted_run_is_reported_too(
    make_plan: Callable[..., RunPlan], run_of: Callable[[object], Run], tmp_path: Path
) -> None:
    timings = Timings(make_plan("a", "b<a"))
    writer = ReportWriter(timings, path=str(tmp_path / "r"))
    reported = run_of(Both(timings))
    reported.start(0)
    timings.event(RunInterrupted(15))
    reported.end(0, Signaled(15, requested=True))
    writer.close()
    report = json.loads((tmp_path / "r").read_text())
    assert report["run"]["interruptedBy"] == "SIGTERM"
    assert [task["state"] for task in report["tasks"]] == ["interrupted", "skipped"]
    assert report["tasks"][0]["steps"][0]["signal"] == "SIGTERM"


def test_an_older_report_is_replaced_whole(run_with_report: Callable[[str], Timings], tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("old" * 100_000)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    run_with_report(str(link))
    assert link.is_symlink()
    assert json.loads(path.read_text())["schemaVersion"] == 1


def test_a_pipe_is_written_to_directly(run_with_report: Callable[[str], Timings], tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    run_with_report(str(fifo))
    assert json.loads(os.read(reader, 1 << 20))["schemaVersion"] == 1
    os.close(reader)


@pytest.mark.parametrize(("name", "reason"), [("missing/report.json", "the folder "), (".", "it is a folder")])
def test_an_unwritable_report_is_an_error_before_anything_runs(
    make_plan: Callable[..., RunPlan], tmp_path: Path, name: str, reason: str
) -> None:
    with pytest.raises(Failed) as failed:
        ReportWriter(Timings(make_plan("a")), path=str(tmp_path / name))
    assert failed.value.failure.reason == "report-unwritable"
    assert f'Cannot write the report "{tmp_path / name}": {reason}' in failed.value.failure.message


def test_a_folder_that_goes_away_is_a_clear_failure(make_plan: Callable[..., RunPlan], tmp_path: Path) -> None:
    folder = tmp_path / "sub"
    folder.mkdir()
    writer = ReportWriter(Timings(make_plan("a")), path=str(folder / "r.json"))
    folder.rmdir()
    with pytest.raises(Failed, match="No such file or directory"):
        writer.close()
