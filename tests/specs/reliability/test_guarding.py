"""Attacks on the processes that guard scripts: stopped, killed together with rt, outrun by chains of processes."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from rig import Box, executable, is_zombie, wait_until

# One script, several, and several whose guardian has a zygote.
RUNS = (("run", "s"), ("run", "--parallel", "s", "t"), ("run", "--parallel", "s", "t", "ends.js"))


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def wait_for_text(path: Path) -> str:
    wait_until(lambda: path.exists() and path.read_text().endswith("\n"), f"{path.name}")
    return path.read_text().strip()


STOPS_GUARDIAN = "kill -STOP $PPID; echo $$ > ready; sleep 1000"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("words", RUNS)
def test_a_stopped_guardian_is_woken(box: Box, number: signal.Signals, words: tuple[str, ...]) -> None:
    box.scripts(s=STOPS_GUARDIAN, t="sleep 1000")
    process = box.start(*words)
    wait_for_text(box.folder / "ready")
    process.send_signal(number)
    process.communicate()
    assert process.returncode == -number
    box.await_nothing_left()


def has_ended(pid: int) -> bool:
    """Return whether a process has ended, reaped or not."""
    try:
        return is_zombie(Path(f"/proc/{pid}"))
    except FileNotFoundError:
        return True


def test_a_script_that_ends_just_before_its_kill_keeps_its_own_status(box: Box) -> None:
    """The guardian, which is stopped meanwhile, may learn of both at once."""
    box.scripts(
        s="trap 'echo reported > reported' INT; echo $PPID $$ > ready; while [ ! -e end ]; do sleep 0.01; done; exit 7"
    )
    process = box.start("run", "--parallel", "s")
    guardian, script = map(int, wait_for_text(box.folder / "ready").split())
    process.send_signal(signal.SIGINT)
    wait_for_text(box.folder / "reported")
    os.kill(guardian, signal.SIGSTOP)
    box.write({"end": ""})
    wait_until(lambda: has_ended(script), "the script's end")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert (process.returncode, err) == (-signal.SIGINT, b"s | Exited with code 7\n")


# Attaches to the guardian, the parent of its shell, as a debugger does; then ends, or waits without detaching.
TRACES = """
import ctypes, os, pathlib, sys, time
guardian = int(pathlib.Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1])
PTRACE_ATTACH = 16
is_refused = ctypes.CDLL(None).ptrace(PTRACE_ATTACH, guardian, None, None) != 0
pathlib.Path("ready").write_text("refused\\n" if is_refused else "attached\\n")
if sys.argv[1] == "waits":
    time.sleep(1000)
"""
STOPS = {
    "a signal": "kill -STOP $PPID; echo after",
    "a debugger that leaves": f"{sys.executable} traces.py leaves; echo after",
}


@pytest.mark.parametrize("words", [("run", "s"), ("run", "--parallel", "s"), ("run", "--sequential", "s")])
@pytest.mark.parametrize("how", STOPS)
def test_a_script_that_stops_its_guardian_ends_as_others(box: Box, words: tuple[str, ...], how: str) -> None:
    box.write({"traces.py": TRACES})
    box.scripts(s=STOPS[how])
    result = box.run(*words)
    assert result.returncode == 0
    assert b"after\n" in result.stdout


@pytest.mark.parametrize("words", [("run", "s"), ("run", "--parallel", "s", "t")])
def test_a_traced_guardian_is_given_up(box: Box, words: tuple[str, ...]) -> None:
    """As long as a debugger holds the guardian, it does not act; a signal still ends the run."""
    box.write({"traces.py": TRACES})
    box.scripts(s=f"{sys.executable} traces.py waits; :", t="sleep 1000")
    process = box.start(*words[:1], "--grace-period", "100", *words[1:])
    found = wait_for_text(box.folder / "ready")
    process.terminate()
    process.communicate()
    assert process.returncode != 0
    box.await_nothing_left()
    if found == "refused":
        pytest.skip("the system does not let a script trace its parent")


@pytest.mark.parametrize("words", RUNS)
def test_a_stopped_guardian_is_given_up(box: Box, words: tuple[str, ...]) -> None:
    """A guardian that is stopped again whenever it is woken, as by a debugger."""
    again = "(while kill -STOP $PPID 2>/dev/null; do :; done) & echo $$ > ready; sleep 1000"
    box.scripts(s=f"trap '' INT TERM; {again}", t="sleep 1000")
    process = box.start(*words[:1], "--grace-period", "100", *words[1:])
    wait_for_text(box.folder / "ready")
    process.terminate()
    process.communicate()
    assert process.returncode != 0
    box.await_nothing_left()


@pytest.mark.parametrize("words", RUNS)
def test_kill_9_of_rt_and_guardian_together_leaves_nothing(box: Box, words: tuple[str, ...]) -> None:
    crowd = "sleep 1000 & setsid sleep 1000 & (setsid sh -c 'sleep 1000 & sleep 1000' &); env -i sleep 1000 &"
    box.scripts(s=f"{crowd} echo $PPID > ready; sleep 1000", t=f"{crowd} sleep 1000")
    process = box.start(*words)
    guardian = int(wait_for_text(box.folder / "ready"))
    assert parent_of(guardian) == process.pid
    os.kill(guardian, signal.SIGSTOP)
    process.send_signal(signal.SIGSTOP)
    os.kill(guardian, signal.SIGKILL)
    process.kill()
    process.communicate()
    box.await_nothing_left()


# A chain ends by itself after a while, so that a failed test does not leave a busy machine.
CHAIN = """
import os, sys, time
end = time.monotonic() + 30
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        if sys.argv[2] == "sessions":
            os.setsid()
        open("ready", "a").write("x")
        while time.monotonic() < end:
            if os.fork():
                os._exit(0)
"""


@pytest.mark.parametrize("kind", ["group", "sessions"])
@pytest.mark.parametrize("count", [1, 8])
def test_chains_of_processes_end_with_a_run(box: Box, count: int, kind: str) -> None:
    box.write({"chain.py": CHAIN})
    box.scripts(s=f"python3 chain.py {count} {kind}; sleep 1000")
    process = box.start("run", "s")
    wait_until(lambda: (box.folder / "ready").exists() and (box.folder / "ready").stat().st_size == count, "chains")
    process.terminate()
    process.communicate()
    assert process.returncode == -signal.SIGTERM
    box.await_nothing_left()


@pytest.mark.parametrize("count", [1, 8])
def test_chains_of_processes_end_with_a_program(box: Box, count: int) -> None:
    box.write({"chain.py": CHAIN})
    program = f"require('child_process').spawn('python3', ['chain.py', '{count}', 'group']); setInterval(() => {{"
    program += f" try {{ if (require('fs').statSync('ready').size === {count}) process.exit(5) }} catch {{}} }}, 10)"
    box.write({"a.cjs": program})
    assert box.run("a.cjs").returncode == 5
    box.await_nothing_left()


DEAF = "trap '' TERM INT; setsid -f sleep 1000; touch ready; sleep 1000; sleep 1000"
CHILDREN = "require('child_process').exec('setsid -f sleep 1000; touch ready; sleep 1000'); setInterval(() => {}, 1000)"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root unmounts /proc")
@pytest.mark.parametrize(
    "words", ["run s", "run --parallel s t", "run --shell=rt s", "run --parallel a.cjs t", "a.cjs", "run left"]
)
def test_nothing_is_left_without_proc(box: Box, words: str) -> None:
    box.scripts(
        s=DEAF,
        t="sleep 1000",
        left="(setsid bash -c \"trap '' TERM; touch ready; sleep 1000\" &); until [ -e ready ]; do :; done",
    )
    box.write({"a.cjs": CHILDREN})
    line = "umount -l /proc; " + f"exec {executable()} {words}".replace("run", "run --grace-period 100", 1)
    process = box.start("-m", "bash", "-c", line, executable="unshare")
    box.await_file("ready")
    process.terminate()
    process.communicate()
    box.await_nothing_left()
