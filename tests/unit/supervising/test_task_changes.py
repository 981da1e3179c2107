"""What changes mean for the plan of a watched run of tasks: invalid settings, and settings that look unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from scripted_changes import ScriptedChanges

from rt_supervisor.plan.model import MODE_FILTER, RunPlan
from rt_supervisor.supervising.task_changes import TaskBatch, TaskChanges


class Run:
    """A run whose plan is the list of the texts of its manifests; an empty one is invalid."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.watched = ScriptedChanges()
        self.texts: tuple[str, ...] = ()
        plan = RunPlan(MODE_FILTER, (), 4, False)
        self.changes = TaskChanges(plan, self.watched, settings=[], make_plan=self._make, clock=lambda: 100.0)

    def _make(self, changed: Sequence[str]) -> tuple[RunPlan, bool] | None:
        texts = tuple(path.read_text() for path in sorted(self.root.glob("*/package.json")))
        if "" in texts:
            return None
        is_other, self.texts = texts != self.texts, texts
        return RunPlan(MODE_FILTER, (), 4, False), is_other

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        self.watched.waiting.append(str(path))

    def take(self) -> tuple[set[str], bool] | None:
        batch: TaskBatch | None = self.changes.take(())
        if batch is None:
            return None
        return {str(Path(path).relative_to(self.root)) for path in batch.changed}, batch.is_other


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def test_settings_are_kept_until_there_is_a_plan(run: Run) -> None:
    run.write("a/package.json", "one")
    run.write("b/package.json", "one")
    assert run.take() == ({"a/package.json", "b/package.json"}, True)
    run.write("a/package.json", "")
    run.write("b/package.json", "two")
    run.write("b/x.ts", "1")
    assert run.take() == ({"b/x.ts"}, False)
    run.write("a/x.ts", "1")
    assert run.take() == ({"a/x.ts"}, False)
    run.write("b/package.json", "two")
    assert run.take() is None
    run.write("a/package.json", "one")
    run.write("b/package.json", "two")
    assert run.take() == ({"a/package.json", "b/package.json"}, True)


def test_settings_that_changed_back_while_the_plan_was_made(run: Run) -> None:
    run.write("a/package.json", "one")
    assert run.take() == ({"a/package.json"}, True)
    run.write("a/package.json", "two")
    assert run.take() == ({"a/package.json"}, True)
    run.texts = ("three",)  # which the plan was made of, before the file got its earlier content back
    run.write("a/package.json", "two")
    assert run.take() == ({"a/package.json"}, True)


def test_a_successor_looks_at_everything_again(run: Run) -> None:
    """Changes before its files were watched have no events."""
    (run.root / "a").mkdir()
    (run.root / "a/package.json").write_text("one")
    batch = run.changes.look_again()
    assert batch is not None and batch.is_other
    batch = run.changes.look_again()
    assert batch is not None and not batch.is_other
    (run.root / "a/package.json").write_text("")
    assert run.changes.look_again() is None
