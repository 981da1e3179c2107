"""rt, its guardian and its zygote, killed or stopped while a script starts, ends, or is interrupted.

A script reports its phase through files and waits until the test lets it continue, so that each attack happens in its
phase.
"""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from rig import Box, wait_until

PROGRAM = """
const fs = require('fs')
const report = (what) => fs.writeFileSync(`${what}.${process.pid}`, '')
const until = (what) => { while (!fs.existsSync(what)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5) }
process.on('SIGTERM', () => { report('reported'); until('go'); process.exit(0) })
process.on('exit', () => { report('ending'); until('go') })
fs.writeFileSync('parent', `${process.ppid} ${process.pid}\\n`)
report('ready')
const timer = setInterval(() => { if (fs.existsSync('end')) clearInterval(timer) }, 5)
"""
SHELL = """
trap 'touch reported.$$; until [ -e go ]; do sleep 0.01; done; exit 0' TERM
echo $PPID $$ > parent
touch ready.$$
until [ -e end ]; do sleep 0.01; done
touch ending.$$
until [ -e go ]; do sleep 0.01; done
"""
# The scripts, and the processes that can be attacked. The last script of each line is the one that starts, ends or is
# interrupted.
KINDS = {
    "plain": (("run", "s"), ("rt", "guardian")),
    "several": (("run", "--parallel", "s", "s"), ("rt", "guardian")),
    "shell": (("run", "--shell=rt", "--parallel", "s", "s"), ("rt", "guardian")),
    "mixed": (("run", "--parallel", "s", "s", "ends.js"), ("rt", "guardian")),
    "programs": (("run", "--parallel", "main.ts", "main.ts"), ("rt", "guardian", "zygote")),
}
CASES = [
    (kind, victim, phase)
    for kind, (_, victims) in KINDS.items()
    for victim in victims
    for phase in ("ending", "interrupted")
]


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def children_of(pid: int) -> set[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return set(map(int, found.stdout.split()))


def start(box: Box, kind: str, *words: str) -> tuple[subprocess.Popen[bytes], dict[str, int]]:
    """Start the scripts of `kind`. Return rt and the processes by name, once every script waits."""
    box.write({"main.ts": PROGRAM, "wait.sh": SHELL})
    box.scripts(s=". ./wait.sh")
    arguments = words or KINDS[kind][0]
    process = box.start(*arguments)
    scripts = 2 if "--parallel" in arguments else 1
    box.await_file("ready.*", scripts)
    wait_until(lambda: (box.folder / "parent").read_text().endswith("\n"), "the parent is told")
    guardian = int((box.folder / "parent").read_text().split()[0])
    found = {"rt": process.pid, "guardian": guardian}
    if kind == "programs":
        workers = {int(path.suffix[1:]) for path in box.folder.glob("ready.*")}
        others = children_of(guardian) - workers
        (found["zygote"],) = [pid for pid in others if state_of(pid) not in "ZX" and os.getpgid(pid) == guardian]
    return process, found


def reach(box: Box, process: subprocess.Popen[bytes], kind: str, phase: str) -> None:
    """Bring the scripts into `phase`, where they wait for the file `go`."""
    if phase == "ending":
        (box.folder / "end").touch()
        box.await_file("ending.*", 1 if kind == "plain" else 2)
    else:
        process.terminate()
        box.await_file("reported.*", 1 if kind == "plain" else 2)


def expect_end(box: Box, process: subprocess.Popen[bytes], victim: str, phase: str, *, kind: str = "") -> None:
    """Wait for the end of a run whose `victim` was killed."""
    _, err = process.communicate(timeout=60)
    if victim == "rt":
        assert process.returncode == -signal.SIGKILL
    elif victim == "guardian":
        assert process.returncode in (1, -signal.SIGTERM) if phase == "interrupted" else process.returncode == 1, err
        assert b"guard" in err or process.returncode == -signal.SIGTERM
    else:
        assert process.returncode == (-signal.SIGTERM if phase == "interrupted" else 0), err
    box.await_nothing_left()


@pytest.mark.parametrize(("kind", "victim", "phase"), CASES)
def test_a_killed_process_leaves_nothing(box: Box, kind: str, victim: str, phase: str) -> None:
    process, found = start(box, kind)
    reach(box, process, kind, phase)
    os.kill(found[victim], signal.SIGKILL)
    if victim == "zygote":
        (box.folder / "go").touch()  # the scripts survive, and rt waits for them
    expect_end(box, process, victim, phase)


@pytest.mark.parametrize(("kind", "victim", "phase"), CASES)
def test_a_stopped_process_continues(box: Box, kind: str, victim: str, phase: str) -> None:
    """The scripts end meanwhile; the run ends as usual."""
    process, found = start(box, kind)
    reach(box, process, kind, phase)
    scripts = {int(path.suffix[1:]) for path in box.folder.glob("ready.*")}
    os.kill(found[victim], signal.SIGSTOP)
    if victim != "guardian":  # which rt resumes at once
        wait_until(lambda: state_of(found[victim]) in "TX", f"{victim} stands still")
    (box.folder / "go").touch()
    wait_until(lambda: all(state_of(pid) in "ZX" for pid in scripts), "the scripts have ended")
    if state_of(found[victim]) == "T":  # rt resumes a guardian that it needs
        os.kill(found[victim], signal.SIGCONT)
    _, err = process.communicate(timeout=60)
    interrupted = 0 if kind == "plain" else -signal.SIGTERM  # a plain run ends as its script does
    assert process.returncode == (interrupted if phase == "interrupted" else 0), err
    box.await_nothing_left()


def start_held(box: Box) -> tuple[subprocess.Popen[bytes], dict[str, int]]:
    """Start a run whose second script has been requested from a stopped zygote."""
    process, found = start(box, "programs", "run", "--sequential", "main.ts", "main.ts")
    os.kill(found["zygote"], signal.SIGSTOP)
    wait_until(lambda: state_of(found["zygote"]) == "T", "the zygote stands still")
    first = int((box.folder / "parent").read_text().split()[1])
    (box.folder / "go").touch()
    (box.folder / "end").touch()
    wait_until(lambda: state_of(first) == "X", "the first script has ended, and was waited for")
    return process, found


@pytest.mark.parametrize("victim", ["rt", "guardian", "zygote"])
def test_a_process_killed_while_a_script_starts_leaves_nothing(box: Box, victim: str) -> None:
    process, found = start_held(box)
    os.kill(found[victim], signal.SIGKILL)
    expect_end(box, process, victim, "starting")
    assert len(list(box.folder.glob("ready.*"))) == (2 if victim == "zygote" else 1)


@pytest.mark.parametrize("victim", ["rt", "guardian", "zygote"])
def test_a_process_stopped_while_a_script_starts_continues(box: Box, victim: str) -> None:
    process, found = start_held(box)
    os.kill(found[victim], signal.SIGSTOP)
    if victim != "guardian":  # which rt resumes at once
        wait_until(lambda: state_of(found[victim]) == "T", f"{victim} stands still")
    os.kill(found["zygote"], signal.SIGCONT)
    os.kill(found[victim], signal.SIGCONT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert len(list(box.folder.glob("ready.*"))) == 2
    box.await_nothing_left()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
@pytest.mark.parametrize("victim", ["rt", "guardian"])
@pytest.mark.parametrize("kind", ["plain", "several", "shell", "mixed"])
def test_attacks_before_the_first_script_runs(box: Box, kind: str, victim: str, number: signal.Signals) -> None:
    """As soon as the guardian exists, which is before its first order or just after."""
    box.scripts(s="touch ran.$$")
    process = box.start(*KINDS[kind][0])
    wait_until(lambda: children_of(process.pid) or process.poll() is not None, "the guardian is there")
    target = process.pid if victim == "rt" else min(children_of(process.pid), default=process.pid)
    try:
        os.kill(target, number)
        if number == signal.SIGSTOP:
            wait_until(lambda: state_of(target) in "TZX", f"{victim} stands still")
            os.kill(target, signal.SIGCONT)
    except ProcessLookupError:
        pass  # a quick run: it has ended
    _, err = process.communicate(timeout=60)
    if number == signal.SIGSTOP:
        assert process.returncode == 0, err
    else:
        assert process.returncode in (0, 1, -signal.SIGKILL), err
        assert b"Traceback" not in err
    box.await_nothing_left()
