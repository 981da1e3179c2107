"""The native run core with a terminal for each task, with real processes; the Rust tests cover each command by itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from rig import wait_until

DRIVER = r"""
import json, os, sys
from rt_supervisor._native import RunCore
from rt_supervisor.output import run_words
from rt_supervisor.plan import run_record
from rt_supervisor.plan.model import MODE_FILTER, RunPlan, Step, Task
from rt_supervisor.workers.client import GuardianClient

COMMANDS = {
    # Each entry: a command, and the input that is typed once its output contains "ready".
    "prompt": ("stty size; echo ready; read answer; echo \"got $answer\"; [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && tty", b"42\n"),
    "interrupted": ("trap 'echo caught; exit 7' INT; echo ready; while :; do sleep 0.01; done", b"\x03"),
    "stopped": ("echo ready; cat", b"\x1a\x04"),  # Ctrl-Z has no effect, because no shell could continue the script
    "leaving": ("sh -c 'trap \"\" HUP TERM; sleep 600' & echo $! > left; echo ready", b""),
    "orphaned": ("trap '' HUP; echo $$ > orphaned; echo ready; while :; do sleep 0.01; done", b""),
}

def task(key, command):
    step = Step("build", command, ("/bin/sh", "-c", command), dict(os.environ))
    return Task(key, f"t{key}:build", f"t{key}", "build", os.getcwd(), (step,), (), "")

plan = RunPlan(MODE_FILTER, tuple(task(key, command) for key, (command, _) in enumerate(COMMANDS.values())), 9, False)
record = run_record.encode(
    plan,
    run_words.words_of(plan, colour=False, is_terminal=False, has_prefixes=True),
    run_words.failures_of(plan, is_ci=False, annotates=False),
    run_record.Problems(run_words.FOLDER_GONE),
    grace_ms=60_000,
    dropped=(),
    joins_streams=False,
)
guardian, channel, mark = GuardianClient(share_terminal=False).hand_over()
core = RunCore(
    record, guardian=guardian, channel=channel, mark=mark, prints=False, lists_failures=False, is_watched=False, terminal=(33, 99)
)
core.begin()
typed = [text for _, text in COMMANDS.values()]
output = [b""] * len(COMMANDS)
ends = {}
while len(ends) < len(COMMANDS) - 1:
    for event in core.turn(None, -1):
        if event[0] == "output":
            key = event[1]
            output[key] += event[4]
            if b"ready" in output[key] and typed[key]:
                core.write_input(key, typed[key])
                typed[key] = b""
        if event[0] == "task-ended":
            ends[event[1]] = event[2]
while b"ready" not in output[-1]:
    output[-1] += b"".join(event[4] for event in core.turn(None, -1) if event[0] == "output")
print(json.dumps([list(COMMANDS), ends, [text.decode() for text in output]]))
sys.stdout.flush()
os.kill(os.getpid(), 9)
"""


def test_a_script_on_a_terminal_of_its_own(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", DRIVER], cwd=tmp_path, capture_output=True, text=True)
    assert not ran.stderr
    names, ends, output = json.loads(ran.stdout)
    shown = dict(zip(names, output, strict=True))
    codes = {names[int(key)]: code for key, code in ends.items()}
    assert codes == {"prompt": 0, "interrupted": 7, "stopped": 0, "leaving": 0}
    *lines, device = shown["prompt"].splitlines()
    assert lines == ["33 99", "ready", "42", "got 42"]
    assert device.startswith("/dev/pts/")
    assert shown["interrupted"].splitlines() == ["ready", "^Ccaught"]
    left = int((tmp_path / "left").read_text())
    assert not os.path.exists(f"/proc/{left}"), "a process that ignores the hang-up is a leftover"
    orphaned = int((tmp_path / "orphaned").read_text())
    wait_until(
        lambda: not os.path.exists(f"/proc/{orphaned}"), "the guardian ended the script of a run that was killed"
    )
