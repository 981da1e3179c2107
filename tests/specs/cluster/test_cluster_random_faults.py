"""Runs during which workers, agents and the scheduler are killed, stopped and slowed at random moments, compared with a local run.

A moment is the number of an event of the run, so that a seed means the same on every machine. `RT_TEST_CLUSTER_FAULTS` is the number of
runs, and `RT_TEST_CLUSTER_SEED` the seed of the first one: 200 runs take half an hour.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import Cluster, command_of, tree_of
from rig import Box, wait_until

RUNS = int(os.environ.get("RT_TEST_CLUSTER_FAULTS", "2"))
FIRST = int(os.environ.get("RT_TEST_CLUSTER_SEED", "1"))
AGENTS = 3
PACKAGES = 8
EVENTS = 4 * PACKAGES  # a task is assigned, starts a step, ends it, and ends
KINDS = (
    "kill-worker",
    "kill-agent",
    "stop-worker",
    "slow-worker",
    "stop-scheduler",
    "slow-scheduler",
    "kill-scheduler",
)
SWITCH_S = 0.03  # how long a process that is slowed runs and stands still
MARK = "RT_TEST_FAULTS"
LOST = b" does not answer any more; "


def write_workspace(box: Box) -> None:
    """Write packages of which each depends on two others, and whose task leaves a half-written file for a while."""
    files: dict[str, object] = {
        ".gitignore": "dist\n",
        "package.json": {"name": "root", "private": True, "workspaces": ["packages/*"]},
        "rtfig.toml": f'[tasks.build]\ndependsOn = ["^build"]\noutputs = ["dist/**"]\nenv = ["{MARK}"]\ncache = false\n',
    }
    for number in range(PACKAGES):
        needed = {f"p{other}": "*" for other in (number - 1, number // 2) if 0 <= other < number}
        read = " ".join(f"../{name}/dist/out" for name in needed)
        build = f"mkdir -p dist; echo half > dist/out; sleep 0.1; cat {read} text > dist/out"
        manifest = {"name": f"p{number}", "scripts": {"build": build}, "dependencies": needed}
        files |= {f"packages/p{number}/package.json": manifest, f"packages/p{number}/text": f"{number}\n"}
    box.write(files)


class Faults:
    """A cluster, and what happens to it during one run. What was stopped continues, and what was killed is replaced, when it closes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self._stopped: list[int] = []
        self._end = threading.Event()
        self._slowing: list[threading.Thread] = []
        self._start_cluster()

    @property
    def address(self) -> str:
        return self._cluster.address

    def cause(self, kind: str, choice: random.Random) -> None:
        server = choice.choice(self._cluster.servers[1:]).process
        match kind:
            case "kill-worker" | "stop-worker" | "slow-worker":
                for pid in _workers_of(server.pid):
                    self._signal(pid, kind)
            case "kill-agent":
                os.killpg(server.pid, signal.SIGKILL)
            case _:
                self._signal(self._cluster.servers[0].process.pid, kind)

    def repair(self) -> None:
        """Continue what was stopped or slowed, and replace what was killed."""
        self._end.set()
        for thread in self._slowing:
            thread.join()
        self._end.clear()
        self._slowing.clear()
        for pid in self._stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self._stopped.clear()
        servers = self._cluster.servers
        if servers[0].process.poll() is not None:
            self.close()
            self._start_cluster()
        for server in [each for each in servers[1:] if each.process.poll() is not None]:
            servers.remove(server)
            self._cluster.add().await_start()

    def close(self) -> None:
        self._cluster.close()
        self._cluster.box.close()

    def _start_cluster(self) -> None:
        self._count += 1
        box = Box(self._folder / f"cluster{self._count}")
        box.folder.mkdir()
        self._cluster = Cluster(box, slots=1)
        for server in [self._cluster.add() for _ in range(AGENTS - 1)]:
            server.await_start()

    def _signal(self, pid: int, kind: str) -> None:
        if kind.startswith("kill"):
            os.kill(pid, signal.SIGKILL)
        elif kind.startswith("stop"):
            os.kill(pid, signal.SIGSTOP)
            self._stopped.append(pid)
        else:
            self._slowing.append(threading.Thread(target=self._slow, args=(pid,)))
            self._slowing[-1].start()

    def _slow(self, pid: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            while not self._end.wait(SWITCH_S):
                os.kill(pid, signal.SIGSTOP)
                self._end.wait(SWITCH_S)
                os.kill(pid, signal.SIGCONT)


def _workers_of(nanny: int) -> list[int]:
    children = Path(f"/proc/{nanny}/task/{nanny}/children").read_text().split()
    return [int(pid) for pid in children if "spawn_main" in command_of(int(pid))]


def left_of(mark: str) -> list[str]:
    """Return the processes of scripts with this value of the variable MARK."""
    wanted, found = f"{MARK}={mark}".encode(), []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if wanted in path.read_bytes().split(b"\0"):
                found.append(f"{path.parent.name}: {command_of(int(path.parent.name))}")
    return found


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[int, str]]]:
    """Return the tree of a local run."""
    box = Box(tmp_path_factory.mktemp("local"))
    write_workspace(box)
    result = box.run("run", "--tasks", "build")
    assert result.returncode == 0, result
    yield tree_of(box.folder)
    box.close()


def run_with_faults(box: Box, faults: Faults, seed: int) -> tuple[int, list[str], bytes]:
    """Run the workspace with the faults of a seed; return its status, what was done, and its errors."""
    choice = random.Random(seed)
    plan = sorted((choice.randrange(EVENTS), choice.choice(KINDS)) for _ in range(choice.randint(1, 3)))
    mark = f"{os.getpid()}-{seed}"
    errors = box.folder.with_suffix(".errors")
    arguments = ("run", "--on", faults.address, "--tasks", "--output=json", "build")
    with errors.open("wb") as file:
        process = box.start(*arguments, environment={MARK: mark, "RT_CLUSTER_SILENCE": "3"}, stderr=file)
    assert process.stdout is not None
    done: list[str] = []
    for number, line in enumerate(process.stdout):
        assert json.loads(line)
        while plan and plan[0][0] <= number:
            kind = plan.pop(0)[1]
            if "kill-scheduler" not in done and "stop-scheduler" not in done:
                faults.cause(kind, choice)
                done.append(kind)
    status = process.wait()
    wait_until(lambda: not left_of(mark), lambda: f"nothing is left of {done}: {left_of(mark)}")
    return status, done, errors.read_bytes()


def test_faults_at_random_moments_change_no_result(
    tmp_path: Path, expected: dict[str, tuple[int, str]], request: pytest.FixtureRequest
) -> None:
    faults = Faults(tmp_path)
    request.addfinalizer(faults.close)
    for seed in range(FIRST, FIRST + RUNS):
        box = Box(tmp_path / f"run{seed}")
        box.folder.mkdir()
        write_workspace(box)
        subprocess.run(["git", "init", "-q", str(box.folder)], check=True)
        status, done, err = run_with_faults(box, faults, seed)
        faults.repair()
        if status == 1 and LOST in err:
            assert {"kill-scheduler", "stop-scheduler", "slow-scheduler"} & set(done), (seed, done, err)
            found = tree_of(box.folder)
            assert found.items() <= expected.items(), (seed, done)  # nothing of a half-finished task
            resumed = box.run("run", "--on", faults.address, "--tasks", "--resume", "build")
            status, err = resumed.returncode, err + resumed.stderr
        assert status == 0, (seed, done, err)
        assert tree_of(box.folder) == expected, (seed, done, err)
        box.close()
