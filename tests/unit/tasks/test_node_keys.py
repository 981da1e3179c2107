"""The keys of the tasks of one run."""

from __future__ import annotations

import json
import time
from pathlib import Path

from rt_supervisor.plan.model import MODE_FILTER, RunPlan, Task
from rt_supervisor.tasks.digests import DigestMemo
from rt_supervisor.tasks.file_index import FileIndex
from rt_supervisor.tasks.keys import KeyMaker
from rt_supervisor.tasks.node_keys import NodeKeys
from rt_supervisor.tasks.sources import read_tasks
from rt_supervisor.tasks.task_plan import make_plan

COUNT = 5000  # more than Python's stack has frames


def test_a_long_chain_of_tasks_in_one_package(tmp_path: Path) -> None:
    """What the tasks before it write is never an input of a task: all of that, also of the last one."""
    scripts = {f"t{number}": "true" for number in range(COUNT)}
    (tmp_path / "package.json").write_text(json.dumps({"scripts": scripts}))
    settings = "".join(
        f'[tasks.t{number}]\noutputs = ["out/{number}.txt"]\ndependsOn = {[f"t{number - 1}"] if number else []}\n'
        for number in range(COUNT)
    )
    (tmp_path / "rtfig.toml").write_text(settings)
    (tmp_path / "out").mkdir()
    written = [0, 1, 2500, COUNT - 1]
    for number in written:
        (tmp_path / f"out/{number}.txt").write_text("")
    tasks = read_tasks(str(tmp_path))
    chosen = make_plan(tasks, places=[0], names=[f"t{COUNT - 1}"], only=False, if_present=False)
    plan = RunPlan(MODE_FILTER, tuple(Task(key, "", "", "", "", ()) for key in range(COUNT)), 1, False)

    def make() -> KeyMaker:
        index = FileIndex(str(tmp_path), None, DigestMemo(), read_ns=time.time_ns())
        return KeyMaker(tasks, index, base={}, packages={})

    keys = NodeKeys(chosen, plan, make)
    number_of = {node.settings.task: number for number, node in enumerate(chosen.graph.nodes)}
    for last in (COUNT - 1, *written, 1000):
        number = number_of[f"t{last}"]
        found = [path for path in keys.parts(number).files if path.startswith("out/")]
        assert found == sorted(f"out/{each}.txt" for each in written if each > last)
