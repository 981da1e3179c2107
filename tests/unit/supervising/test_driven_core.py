"""The native run core under a driver that schedules, with real processes; the Rust tests cover each command by itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

DRIVER = r"""
import json, os, sys
from rt_supervisor._native import RunCore
from rt_supervisor.output import run_words
from rt_supervisor.plan import run_record
from rt_supervisor.plan.model import MODE_FILTER, RunPlan, Step, Task
from rt_supervisor.workers.client import GuardianClient

# A server that a task depends on, the task, a task whose result is cached, and one that does not run.
COMMANDS = ["echo ready; exec sleep 600", "echo connected", "echo must not run", "echo must not run"]

def task(key, command):
    step = Step("build", command, ("/bin/sh", "-c", command), dict(os.environ))
    return Task(key, f"t{key}:build", f"t{key}", "build", os.getcwd(), (step,), (0,) if key else (), "")

plan = RunPlan(MODE_FILTER, tuple(task(key, command) for key, command in enumerate(COMMANDS)), 1, True)
record = run_record.encode(
    plan,
    run_words.words_of(plan, colour=False, is_terminal=False, has_prefixes=True),
    run_words.failures_of(plan, is_ci=False, annotates=False),
    run_record.Problems(run_words.FOLDER_GONE),
    grace_ms=60_000,
    dropped=(),
    joins_streams=True,
    has_processes=False,
)
guardian, channel, mark = GuardianClient(share_terminal=False).hand_over()
core = RunCore(
    record, guardian=guardian, channel=channel, mark=mark, prints=True, lists_failures=True, is_watched=False, is_driven=True
)
core.begin()
processes = run_record.ProcessEncoder(())
core.start(0, processes.encode_steps(plan.tasks[0]))
ends = []
while not core.is_finished:
    for event in core.turn(None, -1):
        if event[:2] == ("output", 0) and b"ready" in event[4]:
            core.start(1, processes.encode_steps(plan.tasks[1]))
            core.finish(2, [(0, 1, b"stored\n")], b"cached")
            core.skip(3, 0)
        if event[0] == "task-ended":
            ends.append(event[1:4])
            if event[1] == 1:
                core.end(0, 15, 60.0)
core.close()
print(json.dumps([ends, core.exit_status, core.running]))
"""


def test_a_driver_starts_a_task_while_its_dependency_runs_and_finishes_another_without_a_process(
    tmp_path: Path,
) -> None:
    ran = subprocess.run([sys.executable, "-c", DRIVER], cwd=tmp_path, capture_output=True, text=True, check=True)
    *lines, last = ran.stdout.splitlines()
    ends, status, running = json.loads(last)
    assert sorted(ends) == [[0, 143, False], [1, 0, False], [2, 0, False], [3, 0, True]]
    assert (status, running) == (0, [])
    assert "t0 build: ready" in lines
    assert "t1 build: connected" in lines
    assert lines.index("t2 build: stored") + 1 == lines.index("t2 build: cached")
    assert "must not run" not in ran.stdout
