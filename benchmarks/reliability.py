"""The guarantees of rt under attack, in milliseconds: the limit of each beside the measured time.

    .venv/bin/python benchmarks/reliability.py [--runs 50] [G1 G6 ...]

A guarantee must hold in every run, so the slowest run counts. Leftover processes are searched on the whole machine
(`tests/rig.py`), which itself takes a millisecond or more. The tests of the same guarantees allow for slow machines;
this benchmark checks the figures. Exits with status 1 if one is missed.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from rig import Box, executable, wait_until

Measure = Callable[[Box], float]


def until_nothing_is_left(box: Box, since: float) -> float:
    wait_until(lambda: not box.left(), "nothing left")
    return (time.monotonic() - since) * 1000


def crowd(box: Box, one: str) -> subprocess.Popen[bytes]:
    """Start five scripts with ten grandchildren each."""
    command = f"for i in $(seq 10); do {one} done; touch ready.$NAME; sleep 1000"
    box.scripts(**{f"s{number}": f"NAME={number}; {command}" for number in range(5)})
    process = box.start("run", "--parallel", *(f"s{number}" for number in range(5)))
    box.await_file("ready.*", 5)
    return process


def kill_9(box: Box) -> float:
    process = crowd(box, "(sleep 1000 & wait) &")
    since = time.monotonic()
    process.kill()
    return until_nothing_is_left(box, since)


def kill_9_of_sessions(box: Box) -> float:
    process = crowd(box, "(setsid sh -c 'sleep 1000 & sleep 1000' &) ;")
    since = time.monotonic()
    process.kill()
    return until_nothing_is_left(box, since)


def second_interrupt(box: Box) -> float:
    box.write({"deaf.sh": "trap 'touch reported.$$' INT TERM; touch ready.$$; while :; do sleep 0.01; done"})
    box.scripts(a="bash deaf.sh", b="bash deaf.sh")
    process = box.start("run", "--parallel", "a", "b")
    box.await_file("ready.*", 2)
    process.send_signal(signal.SIGINT)
    box.await_file("reported.*", 2)
    since = time.monotonic()
    process.send_signal(signal.SIGINT)
    return until_nothing_is_left(box, since)


def closed_reader(box: Box) -> float:
    """From the moment the reader closes its end until rt has ended by SIGPIPE with nothing left."""
    box.scripts(tick="while :; do echo tick; done")
    read, write = os.pipe()
    process = box.start("run", "--parallel", "yes", "tick", stdout=write)
    os.close(write)
    with open(read, "rb") as reader:
        for _ in range(3):
            reader.readline()
        since = time.monotonic()
    process.wait()
    ended = (time.monotonic() - since) * 1000
    assert process.returncode == -signal.SIGPIPE, process.returncode
    until_nothing_is_left(box, since)
    return ended


def held_pipe(box: Box) -> float:
    """The additional time of a run when a background child holds the script's pipes."""
    box.scripts(held="setsid sleep 1000 & echo done", free="echo done")
    took = []
    for name in ("free", "held"):
        since = time.monotonic()
        assert box.run("run", "--parallel", name).returncode == 0
        took.append((time.monotonic() - since) * 1000)
    return took[1] - took[0]


def hostile_patterns(box: Box) -> float:
    """The slowest of some patterns that make backtracking matchers hang, as a filter over 100 packages."""
    box.write({"package.json": {"workspaces": ["*"]}})
    for number in range(100):
        box.write({f"{'a' * 60}{number}/package.json": {"name": "a" * 60 + str(number), "scripts": {"x": "true"}}})
    since = time.monotonic()
    box.run("run", "--filter", "nothing", "x")
    plain = time.monotonic() - since
    worst = 0.0
    for pattern in ("a*" * 500 + "b", "*" * 5000, "./" + "**/a*/" * 200 + "b", "{a,b}" * 200, "[!b]*" * 200 + "c"):
        since = time.monotonic()
        box.run("run", "--filter", pattern, "x")
        worst = max(worst, time.monotonic() - since - plain)
    return worst * 1000


PROMISES: dict[str, tuple[str, float, Measure]] = {
    "G1": ("kill -9 of rt: 5 scripts x 10 grandchildren gone", 200, kill_9),
    "G2": ("the same with sessions and double forks", 200, kill_9_of_sessions),
    "G6": ("a second interrupt: everything gone", 200, second_interrupt),
    "G9": ("the reader goes away: rt has ended", 100, closed_reader),
    "G16": ("a background child holds the pipe: longer by", 250, held_pipe),
    "G40": ("hostile filter patterns: longer by", 100, hostile_patterns),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="G1", help="which promises (default: all)")
    parser.add_argument("--runs", type=int, default=50)
    options = parser.parse_args()
    missed = 0
    print(f"{executable()}, {options.runs} runs each, milliseconds\n")
    print(f"{'':4} {'':52} {'promised':>9} {'median':>8} {'worst':>8}")
    for name in options.names or PROMISES:
        what, promised, measure = PROMISES[name]
        took = []
        for run in range(options.runs):
            with tempfile.TemporaryDirectory(prefix="rt-reliability-") as root:
                folder = Path(root, f"w{run}")
                folder.mkdir()
                box = Box(folder)
                try:
                    took.append(measure(box))
                finally:
                    box.close()
        held = max(took) <= promised
        missed += not held
        verdict = "" if held else "  MISSED"
        print(
            f"{name:4} {what:52} {promised:9.0f} {statistics.median(took):8.1f} {max(took):8.1f}{verdict}", flush=True
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
