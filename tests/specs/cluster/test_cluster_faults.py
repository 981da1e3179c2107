"""Agents, schedulers and clients that are killed, stopped or interrupted during a run."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clusters import Cluster, agent_of_task, is_alive, read_pid, tree_of
from rig import Box, wait_until


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a scheduler and two agents with two slots each. The second agent may be killed or stopped."""
    box = Box(tmp_path_factory.mktemp("cluster"))
    made = Cluster(box)
    made.add("--tag", "second").await_start()
    yield made
    made.close()
    box.close()


# The task writes half of its output and the number of its process, and waits for a file; an agent that has already
# run it finds the file.
WORK = 'mkdir -p out; echo half > out/file; echo $$ >> $PIDS; echo "runs in $$"; while [ ! -e $GO ]; do sleep 0.01; done; echo whole > out/file'


def workspace(box: Box, settings: str = 'outputs = ["out/**"]') -> dict[str, str]:
    """Write a workspace with a task that waits, and one that follows it. Return the variables of the run."""
    scripts = {"before": "echo before", "work": WORK, "after": "cat out/file"}
    box.write(
        {
            ".gitignore": "out\n",
            "package.json": {"name": "app", "scripts": scripts},
            "rtfig.toml": '[tasks.before]\n[tasks.work]\nenv = ["PIDS", "GO"]\ndependsOn = ["before"]\n'
            f'{settings}\n[tasks.after]\ndependsOn = ["work"]\n',
        }
    )
    return {"PIDS": str(box.folder.parent / "pids"), "GO": str(box.folder.parent / "go")}


def start(cluster: Cluster, box: Box, environment: dict[str, str], *arguments: str) -> tuple[Any, int]:
    """Start a run, and return it and the process of its task once that waits."""
    process = box.start("run", "--on", cluster.address, "--tasks", *arguments, "after", environment=environment)
    assert process.stdout is not None
    while not re.match(rb"app work( @\S+)?: runs in", process.stdout.readline()):
        assert process.poll() is None
    return process, read_pid(Path(environment["PIDS"]))


def finish(process: Any) -> tuple[int, str, str]:
    out, err = process.communicate()
    return process.returncode, out.decode(), err.decode()


def test_the_tasks_of_a_killed_agent_run_elsewhere(cluster: Cluster, box: Box) -> None:
    environment = workspace(box)
    process, pid = start(cluster, box, environment, "--show-agents")
    worker = agent_of_task(pid)
    os.kill(worker, signal.SIGKILL)
    pids = Path(environment["PIDS"])
    wait_until(lambda: len(pids.read_text().split()) == 2, "the task runs again")
    wait_until(lambda: not is_alive(pid), "nothing survives the agent")
    assert not (box.folder / "out").exists()  # nothing of the first execution is visible
    Path(environment["GO"]).write_text("")
    status, out, err = finish(process)
    lines = [re.sub(r"@\S+-(\d+)-0:", "@agent:", line) for line in out.splitlines()]
    assert status == 0 and lines[-2:] == ["app after @agent: whole", "app after @agent: Exited with code 0"], out
    moved = re.search(r"warning: (\S+) was lost while it ran app work, which runs again on (\S+)\n", err)
    assert moved is not None, err
    assert moved[1] != moved[2]
    second = re.search(r"^app work @(\S+): runs in", out, re.MULTILINE)
    assert second is not None and second[1] == moved[2], out
    assert (box.folder / "out/file").read_text() == "whole\n"


def test_the_tasks_of_a_silent_agent_run_elsewhere(cluster: Cluster, box: Box) -> None:
    environment = workspace(box) | {"RT_CLUSTER_SILENCE": "1"}
    process, pid = start(cluster, box, environment)
    worker = agent_of_task(pid)
    os.kill(worker, signal.SIGSTOP)
    try:
        wait_until(lambda: len(Path(environment["PIDS"]).read_text().split()) == 2, "the task runs again")
        Path(environment["GO"]).write_text("")
        status, out, err = finish(process)
    finally:
        os.kill(worker, signal.SIGCONT)
    assert status == 0 and out.endswith("app after: whole\napp after: Exited with code 0\n"), (out, err)
    assert "does not answer; its tasks run elsewhere" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_on_agents_after_the_client(cluster: Cluster, box: Box, number: signal.Signals) -> None:
    other = Box(box.folder.parent / "other")
    other.folder.mkdir()
    theirs = workspace(other) | {"PIDS": str(other.folder / "pids"), "GO": str(other.folder / "go")}
    environment = workspace(box)
    other_process, other_pid = start(cluster, other, theirs)
    process, pid = start(cluster, box, environment)
    process.send_signal(number)
    wait_until(lambda: not is_alive(pid), "the task has ended")
    assert finish(process)[0] == -number
    assert not (box.folder / "out").exists()
    assert is_alive(other_pid)  # the run of another client goes on
    (other.folder / "go").write_text("")
    assert finish(other_process)[0] == 0
    other.close()
    if number == signal.SIGINT:  # after SIGKILL, only the end of a lease removes the tree
        wait_until(lambda: not list(cluster.box.folder.glob("agent*/runs/*/r*")), "the trees of both runs are removed")


def test_a_run_resumes_after_its_scheduler_was_lost(box: Box, tmp_path: Path) -> None:
    servers = Box(tmp_path / "servers")
    servers.folder.mkdir()
    own = Cluster(servers, slots=1)
    environment = workspace(box, "cache = false")
    process, pid = start(own, box, environment)
    own.servers[0].process.kill()
    status, _, err = finish(process)
    assert status == 1, err
    expected = f"error: the scheduler at {own.address} does not answer any more; 1 of 3 tasks have ended. The same command with --resume"
    assert expected in err
    wait_until(lambda: not is_alive(pid), "the agent has ended with its scheduler")
    servers.close()
    Path(environment["GO"]).write_text("")
    resumed = box.run("run", "--on", "local:1", "--tasks", "--resume", "after", environment=environment)
    assert resumed.returncode == 0 and b"app before: before" not in resumed.stdout, resumed
    box.await_nothing_left()


def test_a_run_fails_when_the_only_agent_for_a_task_does_not_come_back(box: Box, tmp_path: Path) -> None:
    servers = Box(tmp_path / "servers")
    servers.folder.mkdir()
    own = Cluster(servers, slots=1)
    agent = own.add("--tag", "second")
    agent.await_start()
    environment = workspace(box, 'cache = false\ntags = ["second"]') | {"RT_CLUSTER_WAIT": "2"}
    process, pid = start(own, box, environment)
    agent.process.kill()
    status, _, err = finish(process)
    assert status == 1, err
    lack = f'no agent at {own.address} has the tag "second", which //#work requires: start one with'
    assert err.count(f"warning: {lack}") == 1 and f"error: {lack}" in err
    assert "; 1 of 3 tasks have ended. The same command with --resume runs the others" in err
    wait_until(lambda: not is_alive(pid), "nothing survives the agent")
    own.close()
    servers.close()


def test_certificates_are_required_and_accepted(box: Box, tmp_path: Path) -> None:
    workspace(box)
    made = box.run("agent", "--make-certificates", "keys")
    assert made.returncode == 0 and (box.folder / "keys/agent.pem").stat().st_mode & 0o777 == 0o600, made
    assert b"keys/ca.pem exists already" in box.run("agent", "--make-certificates", "keys").stderr
    servers = Box(tmp_path / "servers")
    servers.folder.mkdir()
    keys = str(box.folder / "keys")
    process = servers.start(
        "agent",
        "--scheduler",
        "--once",
        "--port",
        "0",
        "--certificates",
        keys,
        "--slots",
        "1",
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    address = process.stdout.readline().decode().strip()
    assert address.startswith("tls://")
    refused = box.run("run", "--on", address, "--tasks", "before", environment={"RT_CLUSTER_WAIT": "1"})
    assert (
        refused.returncode == 1 and b" requires certificates: name their folder with --certificates\n" in refused.stderr
    )
    result = box.run("run", "--on", address, "--certificates", keys, "--tasks", "before")
    assert (result.returncode, result.stdout) == (0, b"app before: before\napp before: Exited with code 0\n"), result
    process.communicate()  # --once: it ends with the run
    assert process.returncode == 0
    assert tree_of(box.folder) == {}
    servers.close()
