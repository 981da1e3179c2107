"""Which scripts run again after a change, and when: own output, edits during a run, and dependents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from scripted_changes import ScriptedChanges

from rt_supervisor.plan.model import MODE_FILTER, RunPlan, Step, Task
from rt_supervisor.supervising.own_writing import OWN_WRITING_S
from rt_supervisor.supervising.rerun import Rerun
from rt_supervisor.vocabulary.record import replace


class Run:
    """Packages a <- b (b depends on a) and c, with one task each."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = 100.0
        self.changes = ScriptedChanges()
        self.plan = self.make_plan("build")
        self.next_plan: RunPlan | None = self.plan
        self.asked: list[list[str]] = []
        self.rerun = Rerun(
            self.plan,
            self.changes,
            package_folders=[self.folder(name) for name in "abc"],
            dependents={self.folder("a"): {self.folder("b")}, self.folder("b"): set(), self.folder("c"): set()},
            settings=[str(root / ".env")],
            make_plan=self._make,
            clock=lambda: self.now,
        )

    def folder(self, name: str) -> str:
        return str(self.root / name)

    def make_plan(self, command: str, names: str = "abc") -> RunPlan:
        step = Step("build", command, ("/bin/sh", "-c", command), {})
        after = {"b": (0,)}
        tasks = tuple(
            Task(key, name, name, "build", self.folder(name), (step,), after.get(name, ()))
            for key, name in enumerate(names)
        )
        return RunPlan(MODE_FILTER, tasks, 4, False)

    def _make(self, changed: Sequence[str]) -> RunPlan | None:
        self.asked.append(list(changed))
        return self.next_plan

    def write(self, name: str, text: str = "1", *, new: bool = False) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.changes.waiting.append(str(path))
        self.changes.new = frozenset({str(path)} if new else ())

    def stale(self, *running: int) -> frozenset[int] | None:
        found = self.rerun.take(running)
        return None if found is None else found.tasks


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def test_the_changed_package_and_its_dependents(run: Run) -> None:
    run.write("a/src/x.ts")
    assert run.stale() == {0, 1}
    run.write("b/src/x.ts")
    assert run.stale() == {1}
    run.write("c/x.ts")
    run.write("b/src/x.ts", "2")
    assert run.stale() == {1, 2}
    assert run.stale() is None


def test_files_outside_of_packages_start_nothing(run: Run) -> None:
    run.write("README.md")
    assert run.stale() is None


def test_unchanged_content_starts_nothing(run: Run) -> None:
    run.write("a/dist/x.js", "same")
    assert run.stale() == {0, 1}
    run.write("a/dist/x.js", "same")
    assert run.stale() is None
    run.write("a/dist/x.js", "other")
    assert run.stale() == {0, 1}


def test_output_of_a_running_script_starts_nothing(run: Run) -> None:
    run.write("a/dist/made.js", new=True)
    assert run.stale(0) is None
    run.now += OWN_WRITING_S / 2  # it has ended; the events of its last files have arrived
    run.write("a/dist/late.js", new=True)
    assert run.stale() is None
    run.write("a/dist/made.js", "other", new=False)
    assert run.stale(0) is None, "it makes the file again, with something else in it"
    run.now += OWN_WRITING_S * 2
    run.write("a/dist/made.js", "edited by hand")
    assert run.stale() == {0, 1}
    run.write("a/src/new.ts", new=True)
    assert run.stale() == {0, 1}
    run.write("c/new.ts", new=True)
    assert run.stale(0) == {2}, "another package's script did not make it"


def test_an_edit_while_the_script_runs_is_not_lost(run: Run) -> None:
    run.write("a/src/x.ts", "edited")
    assert run.stale(0) == {0, 1}


def test_a_manifest_that_changes_a_script_replaces_it(run: Run) -> None:
    run.next_plan = run.make_plan("build faster")
    run.write("a/package.json", "{}")
    found = run.rerun.take([])
    assert found is not None
    assert (found.plan, found.tasks, found.is_other) == (run.next_plan, {0, 1}, False)
    assert run.asked == [[str(run.root / "a/package.json")]]


def test_a_manifest_that_changes_the_set_of_scripts(run: Run) -> None:
    run.next_plan = run.make_plan("build", "ac")
    run.write("b/package.json", "{}")
    found = run.rerun.take([])
    assert found is not None
    assert found.is_other
    assert found.plan is run.next_plan


def test_a_partially_written_manifest(run: Run) -> None:
    run.next_plan = None
    run.write("a/package.json", "{")
    run.write("c/src/x.ts", "edited")
    assert run.stale() is None
    run.write("b/x.ts", "edited")
    assert run.stale() == {1}
    run.next_plan = run.plan
    run.write("a/package.json", "{}")
    assert run.stale() == {0, 1, 2}, "also what came with the invalid manifest"
    run.write("a/package.json", "{}")
    assert run.stale() is None


def test_a_change_of_settings_reruns_everything(run: Run) -> None:
    run.next_plan = replace(run.plan, warnings=())
    run.write(".env", "A=1")
    assert run.stale() == {0, 1, 2}
