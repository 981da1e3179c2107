"""The report contains the memory of a script's whole process tree, including processes that the script did not wait
for.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from rig import Box, wait_until

MIB = 1 << 20
HOG = "import signal, sys; kept = b'x' * (60 << 20); open(sys.argv[1], 'w').close(); signal.pause()"


def has_looked(pid: int) -> bool:
    """Return whether rt has loaded psutil and is back in poll(2): its first measurement is over then."""
    try:
        is_loaded = "psutil" in Path(f"/proc/{pid}/maps").read_text()
        return is_loaded and Path(f"/proc/{pid}/syscall").read_text().split()[0] == "7"
    except OSError:
        return False


# rt's measurement, in a separate process whose timing the test controls.
LOOKER = """
import ctypes, os, signal, subprocess, sys, time
from rt_supervisor.vocabulary.events import StepStarted
from rt_supervisor.output.reports.timings import Timings
from rt_supervisor.output.reports.tree_memory import TreeMemory
from rt_supervisor.plan.model import MODE_PARALLEL, RunPlan, Step, Task

ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # orphans become its children, as they become rt's guardian's
script = subprocess.Popen(["bash", "run.sh"], process_group=0)
step = Step("a", "", (), {})
timings = Timings(RunPlan(MODE_PARALLEL, (Task(0, "", "a", "a", "", (step,), ()),), 1, False, ()))
meter = TreeMemory(timings)
meter.event(StepStarted(0, 0, script.pid, 0.0))
while len([name for name in os.listdir() if name.startswith("ready.")]) < 3:
    time.sleep(0.01)
meter.look()
print(timings.tasks[0].tree_peak_bytes)
os.killpg(script.pid, signal.SIGKILL)
"""


@pytest.mark.parametrize("way", ["children", "orphans"])
def test_processes_beside_each_other_are_added_up(box: Box, way: str) -> None:
    hogs = " ".join(f"{sys.executable} hog.py ready.{number} &" for number in range(3))
    started = hogs if way == "children" else f"( {hogs} )"
    box.write({"hog.py": HOG, "looker.py": LOOKER, "run.sh": f"{started}\nuntil [ -e over ]; do sleep 0.01; done"})
    looker = [sys.executable, "looker.py"]
    result = subprocess.run(looker, cwd=box.folder, env=box.environment(), capture_output=True, text=True, check=True)
    assert 180 * MIB < int(result.stdout) < 300 * MIB
    box.await_nothing_left()


def test_the_report_contains_it(box: Box) -> None:
    box.scripts(a="until [ -e over ]; do sleep 0.01; done")
    process = box.start("run", "--parallel", "--report", "report.json", "a")
    wait_until(lambda: has_looked(process.pid), "rt has looked")
    (box.folder / "over").touch()
    process.communicate(timeout=60)
    (task,) = json.loads((box.folder / "report.json").read_text())["tasks"]
    assert task["treePeakBytes"] == task["steps"][0]["treePeakBytes"] > 0
