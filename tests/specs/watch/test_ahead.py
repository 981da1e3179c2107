"""The process of the next generation is forked ahead of the change: used once, replaced, never an obstacle."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest
from rig import Box, wait_until
from watching import STAYS, Watching, save

TELLS = f"""
const about = {{ pid: process.pid, started: Date.now() - process.uptime() * 1000, origin: performance.timeOrigin }};
console.log(JSON.stringify({{ ...about, random: Math.random(), cwd: process.cwd(), args: process.argv.slice(2) }}));
{STAYS}
"""


def generation(watching: Watching) -> dict[str, object]:
    """Return what the next generation prints about itself."""
    watching.read_until('{"pid"')
    about: dict[str, object] = json.loads('{"pid"' + watching.read_until("\n"))
    return about


def children(pid: int) -> set[int]:
    return {int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def guardian_of(watching: Watching) -> int:
    (guardian,) = children(watching.process.pid)
    return guardian


def waiting_process(watching: Watching, program: int) -> int:
    """Return the process that waits to be the next generation, as soon as it does: forked after the program, by the
    zygote.
    """
    guardian = guardian_of(watching)
    waiting: list[int] = []

    def is_there() -> bool:
        stats = {pid: Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in children(guardian)}
        begun = int(stats[program][19])
        # in the guardian's group until it becomes a script; the zygote and the watcher are older
        group = os.getpgid(guardian)
        waiting[:] = [pid for pid, stat in stats.items() if int(stat[2]) == group and int(stat[19]) > begun]
        return len(waiting) == 1

    wait_until(is_there, "a process that waits")
    return waiting[0]


@pytest.fixture
def watching(box: Box) -> Watching:
    box.write({"a.js": TELLS})
    return Watching(box, "--watch", "a.js", "x y")


def test_it_becomes_the_next_generation(box: Box, watching: Watching) -> None:
    first = generation(watching)
    for number in range(3):
        ahead = waiting_process(watching, int(str(first["pid"])))
        saved_ms = time.time() * 1000
        save(box, "a.js", f"{TELLS} // {number}")
        about = generation(watching)
        assert about["pid"] == ahead
        assert (about["cwd"], about["args"]) == (str(box.folder), ["x y"])
        assert about["random"] != first["random"]
        assert min(float(str(about["started"])), float(str(about["origin"]))) > saved_ms - 50, (
            "it is as old as its process"
        )
        first = about
    assert watching.end() == -signal.SIGTERM
    box.await_nothing_left()


def test_a_killed_waiting_process_has_no_effect(box: Box, watching: Watching) -> None:
    about = generation(watching)
    for number in range(3):
        ahead = waiting_process(watching, int(str(about["pid"])))
        os.kill(ahead, signal.SIGKILL)
        wait_until(lambda pid=ahead: not Path(f"/proc/{pid}").exists(), "its end is noticed")
        save(box, "a.js", f"{TELLS} // {number}")
        about = generation(watching)
        assert about["pid"] != ahead
    watching.end()
    box.await_nothing_left()


def test_a_process_killed_with_its_order_is_replaced(box: Box, watching: Watching) -> None:
    """It is stopped, so that the order waits, and dies before it has received it, or reported so."""
    about = generation(watching)
    ahead = waiting_process(watching, int(str(about["pid"])))
    os.kill(ahead, signal.SIGSTOP)
    save(box, "a.js", f"{TELLS} // again")
    watching.read_until("rt: restarted: a.js changed\n")
    os.kill(ahead, signal.SIGKILL)
    assert generation(watching)["pid"] != ahead
    watching.end()
    box.await_nothing_left()


def test_it_is_gone_with_rt(box: Box, watching: Watching) -> None:
    about = generation(watching)
    waiting_process(watching, int(str(about["pid"])))
    watching.process.kill()
    watching.process.wait()
    box.await_nothing_left()


def test_leftovers_of_a_program_are_ended_and_the_waiting_one_is_not(box: Box) -> None:
    box.write({"a.js": f"require('child_process').spawn('sleep', ['1000'], {{ detached: true }}).unref(); {TELLS}"})
    watching = Watching(box, "--watch", "a.js")
    ahead = waiting_process(watching, int(str(generation(watching)["pid"])))
    save(box, "a.js", TELLS)
    assert generation(watching)["pid"] == ahead
    watching.end()
    box.await_nothing_left()
