"""G8: rt's exit status is the first failing script's, for every code and signal, in every mode."""

from __future__ import annotations

import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from rig import Box


@pytest.mark.parametrize("mode", ["plain", "parallel", "filter"])
def test_every_exit_code(box: Box, mode: str) -> None:
    box.write({"package.json": {"workspaces": ["p"], "scripts": {"x": "exit $CODE"}}})
    box.write({"p/package.json": {"name": "p", "scripts": {"x": "exit $CODE"}}})
    arguments = {"plain": ("run", "x"), "parallel": ("run", "--parallel", "x"), "filter": ("run", "--filter", "p", "x")}

    def run(code: int) -> int:
        return box.run(*arguments[mode], environment={"CODE": str(code)}).returncode

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, range(256))) == list(range(256))


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGUSR1, signal.SIGPIPE]
)
def test_signals(box: Box, number: int) -> None:
    box.scripts(die=f"kill -{int(number)} $$")
    assert box.run("run", "die").returncode == -number
    assert box.run("run", "--parallel", "die").returncode == 128 + number


def test_the_first_failing_script_in_listing_order_counts(box: Box) -> None:
    box.scripts(a="until [ -e b.done ]; do sleep 0.01; done; exit 3", b="touch b.done; exit 5", c="true")
    assert box.run("run", "--parallel", "--no-exit-on-error", "a", "b", "c").returncode == 3


SENT = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.mark.parametrize(
    ("program", "number"),
    [*(("bash", number) for number in SENT), *(("rt", number) for number in (*SENT, signal.SIGQUIT))],
)  # bash ignores SIGQUIT
def test_a_script_that_signals_its_parent_means_rt(box: Box, program: str, number: signal.Signals) -> None:
    box.write({"a.js": f"process.kill(process.ppid, '{number.name}'); setInterval(() => {{}}, 1e6)"})
    box.scripts(bash=f"kill -{int(number)} $PPID; while :; do sleep 1000; done", direct="rt a.js")
    name = {"bash": "bash", "rt": "direct"}[program]
    done = box.run("run", name)
    assert done.returncode == -number, done.stderr.decode()
    box.await_nothing_left()


def test_a_signal_from_elsewhere_stops_at_the_guardian(box: Box) -> None:
    outsider = "until read parent < parent; do sleep 0.01; done; kill -INT $parent; touch sent"
    box.scripts(a="echo $PPID > parent.new; mv parent.new parent; until [ -e sent ]; do sleep 0.01; done; exit 3")
    with subprocess.Popen(["bash", "-c", outsider], cwd=box.folder, stderr=subprocess.DEVNULL):
        assert box.run("run", "a").returncode == 3
