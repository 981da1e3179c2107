"""G5 at its edges: a signal that comes while a script is being started, or to an rt inside an rt, counts once too."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from rig import Box, executable, wait_until
from screens import Session

COUNTED = "; ".join(f"trap 'echo {name} >> count; touch told' {name}" for name in ("INT", "TERM", "HUP"))
COUNT = f"{COUNTED}; : > ready; until [ -e told ]; do sleep 0.01; done; until [ -e over ]; do sleep 0.01; done"

# A foreground run whose guardian stands still, so that what happens next happens before the script is started.
DRIVER = """
import os, signal
from rt_supervisor.workers.foreground import Foreground
from rt_supervisor.workers.signals import die_of

foreground = Foreground()
guardian = int(open(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read())
os.kill(guardian, signal.SIGSTOP)
print(os.getpid(), guardian, "held", flush=True)
outcome = foreground.run(argv=("/bin/bash", "-c", ": > started; exec sleep 1000"), environment=os.environ, folder=".")
foreground.close()
die_of(outcome.signal)
"""


def is_waiting(pid: int) -> bool:
    """Tell whether a process waits in poll(2), which is where rt is once it has asked for the script."""
    return Path(f"/proc/{pid}/syscall").read_text().split()[0] == "7"


def held_run(box: Box) -> tuple[Session, int, int]:
    box.write({"driver.py": DRIVER})
    session = Session(box, "driver.py", program=sys.executable)
    session.read_until("held")
    pid, guardian = map(int, session.lines[0].split()[:2])
    wait_until(lambda: is_waiting(pid), "the start has been asked for")
    return session, pid, guardian


@pytest.mark.parametrize(("key", "number"), [("\x03", signal.SIGINT), ("\x1c", signal.SIGQUIT)])
def test_a_key_pressed_while_a_script_is_being_started_reaches_it(box: Box, key: str, number: int) -> None:
    session, pid, guardian = held_run(box)
    session.type(key)
    wait_until(lambda: has_pending(pid, number), "rt has the signal")
    os.kill(guardian, signal.SIGCONT)
    assert session.finish() == -number
    box.await_nothing_left()
    assert not (box.folder / "started").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_sent_while_a_script_is_being_started_reaches_it(box: Box, number: int) -> None:
    session, pid, guardian = held_run(box)
    session.process.send_signal(number)
    wait_until(lambda: has_pending(pid, number), "rt has the signal")
    os.kill(guardian, signal.SIGCONT)
    assert session.finish() == -number
    box.await_nothing_left()


def has_pending(pid: int, number: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    return bool(int(status.partition("ShdPnd:")[2].split()[0], 16) & 1 << (number - 1))


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_a_signal_reaches_the_script_of_a_nested_run_once(box: Box, name: str, depth: int) -> None:
    """On a terminal every rt and script share one process group."""
    nest(box, depth)
    session = Session(box, "run", "s0")
    box.await_file("ready")
    session.process.send_signal(getattr(signal, f"SIG{name}"))
    box.await_file("told")
    (box.folder / "over").touch()
    assert session.finish() == 0
    assert (box.folder / "count").read_text().split() == [name]


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_without_a_terminal_too(box: Box, name: str) -> None:
    nest(box, 2)
    process = box.start("run", "s0")
    box.await_file("ready")
    process.send_signal(getattr(signal, f"SIG{name}"))
    box.await_file("told")
    (box.folder / "over").touch()
    assert process.wait(30) == 0
    assert (box.folder / "count").read_text().split() == [name]


def nest(box: Box, depth: int) -> None:
    """Scripts s0 to s`depth`; each but the last runs the next with rt, and stays in the way itself."""
    box.write({"count.sh": COUNT})
    box.scripts(
        **{f"s{number}": f"trap : INT TERM HUP; {executable()} run s{number + 1}; exit $?" for number in range(depth)},
        **{f"s{depth}": "bash count.sh"},
    )


WAITS = """
import os, time
open("ready", "w").close()
while not os.path.exists("go"):
    time.sleep(0.01)
"""


@pytest.mark.parametrize("words", [("-p", "1"), ("run", "a"), ("run", "--parallel", "a", "a")])
def test_an_interrupt_while_the_interpreter_starts(box: Box, words: tuple[str, ...]) -> None:
    """It ends rt, and Python does not say where it was."""
    box.scripts(a="touch ran")
    box.write({"site/sitecustomize.py": WAITS})
    process = box.start(*words, environment={"PYTHONPATH": f"{box.folder}/site"})
    box.await_file("ready")
    process.send_signal(signal.SIGINT)
    (box.folder / "go").touch()
    assert process.communicate() == (b"", b"")
    assert process.returncode == -signal.SIGINT
    assert not (box.folder / "ran").exists()
