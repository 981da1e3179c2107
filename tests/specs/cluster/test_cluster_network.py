"""A cluster on a network of its own: which ports its machines open to others, and an agent that is unplugged during a run."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from clusters import Server, is_alive
from networks import Machine, Network
from rig import Box, wait_until

LISTENS = "0A"  # a state in /proc/net/tcp
LOOPBACK = "0100007F"
# Sends a request of a browser to each port, and prints the answers.
BROWSER = """
import socket, sys
for port in sys.argv[2:]:
    with socket.create_connection((sys.argv[1], int(port))) as connection:
        connection.settimeout(0.5)
        connection.sendall(b"GET /info/main/workers.html HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
        try:
            print(port, connection.recv(100)[:4] == b"HTTP")
        except TimeoutError:
            print(port, False)
"""
WORK = "echo $$ >> $PIDS; while [ ! -e $GO ]; do sleep 0.01; done; echo done"


def ports_of(machine: Machine) -> list[str]:
    """Return the ports of a machine that others can connect to."""
    rows = [line.split() for line in machine.run("cat", "/proc/net/tcp").splitlines()[1:]]
    listening = [row[1].split(":") for row in rows if row[3] == LISTENS]
    return [str(int(port, 16)) for address, port in listening if address != LOOPBACK]


def test_an_unplugged_agent_loses_its_tasks_and_ends_them(tmp_path: Path, box: Box) -> None:
    try:
        network = Network()
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no network namespaces: {error}")
    box.write(
        {
            "package.json": {"name": "app", "scripts": {"one": WORK, "two": WORK}},
            "rtfig.toml": "".join(f'[tasks.{name}]\nenv = ["PIDS", "GO"]\ncache = false\n' for name in ("one", "two")),
        }
    )
    pids, go = tmp_path / "pids", tmp_path / "go"
    servers = Box(tmp_path / "servers")
    servers.folder.mkdir()
    started: list[Server] = []
    try:
        _run_and_unplug(box, network, servers, started, pids, go)
    finally:
        for server in started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.process.pid, signal.SIGKILL)
            server.process.wait()
        servers.close()
        network.close()


def _run_and_unplug(box: Box, network: Network, servers: Box, started: list[Server], pids: Path, go: Path) -> None:
    """Run two tasks on two machines of `network` and unplug the second one; adds the servers to `started`."""

    def start(machine: Machine, slots: str, *arguments: str) -> Server:
        given = (*arguments, "--insecure", "--slots", slots, "--folder", f"agent{machine.pid}")
        started.append(Server(servers, *given, prefix=machine.prefix))
        return started[-1]

    scheduler = start(network.first, "2", "--scheduler", "--host", Network.FIRST, "--port", "0")
    scheduler.await_start()
    agent = start(network.second, "1", scheduler.address)
    agent.await_start()

    answers = network.second.run(sys.executable, "-c", BROWSER, Network.FIRST, *ports_of(network.first)).split()
    assert len(answers) >= 6 and "True" not in answers, (
        answers
    )  # the scheduler, a nanny and a worker: none is a web server

    process = box.start(
        *("run", "--on", scheduler.address, "--insecure", "--tasks", "one", "two"),
        environment={"PIDS": str(pids), "GO": str(go), "RT_CLUSTER_SILENCE": "1"},
        prefix=network.first.prefix,
    )
    wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 2, "both tasks run")
    there = [int(pid) for pid in pids.read_text().split() if network.second.has(int(pid))]
    assert len(there) == 1
    network.unplug()
    wait_until(lambda: len(pids.read_text().split()) == 3, "the task runs again")
    assert network.first.has(int(pids.read_text().split()[-1]))
    wait_until(lambda: not is_alive(there[0]), "the agent ends the task that nothing requests any more")
    go.write_text("")
    out, err = process.communicate()
    assert process.returncode == 0, (out, err)
    assert re.search(
        rf"the agent tcp://{re.escape(Network.SECOND)}:\d+ does not answer; its tasks run elsewhere", err.decode()
    )
