"""What runs and agents print while they wait for a scheduler or an agent, and why they fail."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from clusters import Server
from rig import Box

LONG = {"RT_CLUSTER_WAIT": "3600"}


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Box]:
    """Return a box for schedulers and agents, which are ended with it."""
    box = Box(tmp_path / "servers")
    box.folder.mkdir()
    yield box
    box.close()


@contextmanager
def reserved_port() -> Iterator[tuple[socket.socket, str]]:
    """Provide a port that refuses connections, bound by the socket, and its address."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        yield holder, f"tcp://127.0.0.1:{holder.getsockname()[1]}"


def workspace(box: Box) -> None:
    box.write({"package.json": {"name": "app", "scripts": {"work": "echo works"}}, "rtfig.toml": "[tasks.work]\n"})


def read_line(process: Any) -> str:
    line: bytes = process.stderr.readline()
    return line.decode()


def test_a_run_reports_once_that_no_scheduler_answers(box: Box, servers: Box) -> None:
    workspace(box)
    with reserved_port() as (holder, address):
        process = box.start("run", "--on", address, "--tasks", "work", environment=LONG)
        joining = servers.start("agent", address, "--folder", "joining", "--wait", "3600")
        expected = f"warn: no scheduler answers at {address} yet (Connection refused); waiting up to 3600 seconds"
        assert read_line(process) == f"{expected} (RT_CLUSTER_WAIT sets how long)\n"
        assert read_line(joining) == f"{expected} (--wait sets how long)\n"
        holder.close()
    joining.kill()
    joining.communicate()
    port = address.rpartition(":")[2]
    server = Server(servers, "--scheduler", "--once", "--port", port, "--slots", "1", "--folder", "agent")
    server.await_start()
    out, err = process.communicate()
    assert (process.returncode, out, err) == (0, b"app work: works\napp work: Exited with code 0\n", b"")
    server.process.wait()


def test_a_run_reports_that_the_scheduler_has_no_agents(box: Box, servers: Box) -> None:
    workspace(box)
    with reserved_port() as (holder, address):
        holder.close()
    port = address.rpartition(":")[2]
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port]
    environment = servers.environment()
    with subprocess.Popen([*command, "--no-dashboard"], env=environment, stderr=subprocess.DEVNULL) as scheduler:
        process = box.start("run", "--on", address, "--tasks", "work", environment=LONG)
        lines = [read_line(process)]
        if "no scheduler" in lines[0]:  # on a slow machine, the run is there first
            lines.append(read_line(process))
        assert lines[-1] == (
            f"warn: the scheduler at {address} has no agent of rt: start one with `rt agent {address}` on each machine; "
            "waiting up to 3600 seconds (RT_CLUSTER_WAIT sets how long)\n"
        )
        agent = Server(servers, address, "--slots", "1", "--folder", "agent")
        out, err = process.communicate()
        assert (process.returncode, out, err) == (0, b"app work: works\napp work: Exited with code 0\n", b"")
        agent.end()
        agent.process.wait()
        scheduler.terminate()


def test_a_run_fails_at_a_port_that_never_answers(box: Box) -> None:
    workspace(box)
    with reserved_port() as (holder, address):
        holder.listen()
        result = box.run("run", "--on", address, "--tasks", "work", environment={"RT_CLUSTER_WAIT": "0"})
    assert result.returncode == 1
    assert result.stderr.decode() == (
        f"error: no scheduler answers at {address} (it accepts connections, but does not answer as a scheduler): "
        "start one with `rt agent --scheduler`, or check the address\n"
    )


def test_failures_to_join_name_the_reason(box: Box) -> None:
    with reserved_port() as (_, address):
        result = box.run("agent", address, "--folder", "agent", "--wait", "0")
    assert result.returncode == 1
    assert result.stderr.decode() == (
        f"error: no scheduler answers at {address} (Connection refused): start one with `rt agent --scheduler`, or check "
        "the address\n"
    )


def test_ctrl_c_ends_a_run_that_waits(box: Box) -> None:
    workspace(box)
    with reserved_port() as (_, address):
        process = box.start("run", "--on", address, "--tasks", "work", environment=LONG)
        assert read_line(process).startswith("warn: no scheduler answers")
        process.send_signal(2)
        process.communicate()
    assert process.returncode in (130, -2)


def test_other_certificates_are_named(box: Box, servers: Box) -> None:
    workspace(box)
    for folder in ("own", "other"):
        assert box.run("agent", "--make-certificates", folder).returncode == 0
    keys = str(box.folder / "own")
    server = Server(servers, "--scheduler", "--port", "0", "--certificates", keys, "--slots", "1", "--folder", "agent")
    server.await_start()

    def refusal(address: str, *arguments: str) -> str:
        result = box.run("run", "--on", address, "--tasks", "work", *arguments, environment={"RT_CLUSTER_WAIT": "1"})
        assert (result.returncode, result.stdout) == (1, b"")
        return result.stderr.decode()

    message = refusal(server.address, "--certificates", "other")
    assert message.startswith(
        f"error: the scheduler at {server.address} and this machine do not accept each other's certificates ("
    )
    assert message.endswith("): both need files that one `rt agent --make-certificates` has written\n")
    assert "error: cannot read missing/ca.pem: No such file or directory; " in refusal(
        server.address, "--certificates", "missing"
    )
    plain = server.address.replace("tls://", "tcp://")
    assert f"error: no scheduler answers at {plain} (" in refusal(plain)
    server.end()
    server.process.wait()
