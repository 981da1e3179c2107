"""Clusters of real processes on loopback, for tests of `rt run --on`: a scheduler and agents that a test can kill and stop."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from rig import Box, wait_until
from shifted_clocks import compile_shift

SHIFT_S = 5 * 3600

WORKSPACE: dict[str, Any] = {
    ".gitignore": "dist\nlogs\n",
    "package.json": {"name": "root", "private": True, "workspaces": ["packages/*"]},
    "rtfig.toml": '[tasks.build]\ndependsOn = ["^build"]\noutputs = ["dist/**"]\n[tasks.test]\ndependsOn = ["build"]\noutputs = []\n',
    "packages/a/package.json": {
        "name": "a",
        "scripts": {
            "build": "mkdir -p dist/deep && cp text dist/deep && ln -s deep/text dist/link",
            "test": "cat dist/link",
        },
    },
    "packages/a/text": "text of a\n",
    "packages/b/package.json": {
        "name": "b",
        "dependencies": {"a": "*"},
        "scripts": {
            "prebuild": "echo before; echo err >&2",
            "build": "mkdir -p dist && cat ../a/dist/link > dist/all && echo b >> dist/all && chmod 755 dist/all",
            "test": "cat dist/all; exit 3",
        },
    },
    "packages/c/package.json": {
        "name": "c",
        "dependencies": {"b": "*"},
        "scripts": {
            "build": "mkdir -p dist && cat ../b/dist/all > dist/all && echo c >> dist/all",
            "test": "cat dist/all",
        },
    },
}


class Server:
    """A process of `rt agent`, whose first line of output is the scheduler's address; the rest of it is dropped."""

    def __init__(self, box: Box, *arguments: str, **options: Any) -> None:
        self.process = box.start("agent", *arguments, stderr=subprocess.DEVNULL, **options)
        self.address = ""

    def await_start(self) -> None:
        """Wait until the process is ready: an agent has joined then."""
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().decode().strip()
        assert self.address.startswith(("tcp://", "tls://")), self.address
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def end(self) -> None:
        """Have the process end, also if it was stopped."""
        for number in (signal.SIGCONT, signal.SIGTERM):
            if self.process.poll() is None:
                self.process.send_signal(number)


class Cluster:
    """A scheduler with one agent in its process, which are `given` arguments, and further agents. Each agent has another folder."""

    def __init__(self, box: Box, *given: str, slots: int = 2) -> None:
        self.box = box
        self.slots = slots
        self.servers: list[Server] = []
        arguments = ("--scheduler", "--port", "0", "--slots", str(slots), "--folder", self._folder(), *given)
        self.servers.append(Server(box, *arguments))
        self.servers[0].await_start()
        self.address = self.servers[0].address

    def add(self, *arguments: str, **options: Any) -> Server:
        """Start another agent, which joins later (`Server.await_start`)."""
        given = (self.address, "--slots", str(self.slots), "--folder", self._folder(), *arguments)
        self.servers.append(Server(self.box, *given, **options))
        return self.servers[-1]

    def _folder(self) -> str:
        return str(self.box.folder / f"agent{len(self.servers)}")

    def close(self) -> None:
        for server in self.servers:
            server.end()
        for server in self.servers:
            server.process.wait()


class RunCluster(Cluster):
    """A scheduler and four agents: one has the tags "big" and "linux", one "other", and one, whose clock is `SHIFT_S` ahead, "early". The
    scheduler shows its pages at the URL `pages`.
    """

    def __init__(self, box: Box) -> None:
        port = _free_port()
        super().__init__(box, "--dashboard", f"127.0.0.1:{port}")
        self.pages = f"http://127.0.0.1:{port}/"
        self._library = compile_shift(box.folder, SHIFT_S)
        self.add("--tag", "big,linux", environment={"ONLY_HERE": "secret of the agent"})
        self.add("--tag", "other")
        if self._library is not None:
            self.add("--tag", "early", environment={"LD_PRELOAD": self._library})
        for server in self.servers[1:]:
            server.await_start()

    def require_early_agent(self) -> None:
        """Skip the test where the clock of an agent cannot be shifted."""
        if self._library is None:
            pytest.skip("no C compiler (cc on PATH)")


def _free_port() -> int:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port: int = other.getsockname()[1]
        return port


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def agent_of_task(pid: int) -> int:
    """Return the worker that runs the task of which `pid` is a process: the nearest ancestor that is one."""
    while pid > 1 and "spawn_main" not in command_of(pid):
        pid = int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])
    assert pid > 1
    return pid


def read_pid(path: Path) -> int:
    """Wait for a file with the number of a process, and return it."""
    wait_until(lambda: path.exists() and path.read_text().endswith("\n"), f"a process in {path}")
    return int(path.read_text().split()[-1])


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # it may end between opening and reading
        return False
    return state not in (b"Z", b"X")


def tree_of(folder: Path) -> dict[str, tuple[int, str]]:
    """Return the files that tasks have written below `folder`: their modes and contents."""
    found = {}
    for path in sorted(folder.glob("packages/*/dist/**/*")):
        about = path.lstat()
        content = str(path.readlink()) if path.is_symlink() else "" if path.is_dir() else path.read_text()
        found[str(path.relative_to(folder))] = (about.st_mode if not path.is_symlink() else 0, content)
    return found


def summary_of(path: Path) -> list[dict[str, Any]]:
    """Return what a summary says of each task, without what differs between runs."""
    names = ("task", "command", "dependencies", "cache", "state", "status", "attempts", "timedOut")
    return [{name: task[name] for name in names} for task in json.loads(path.read_text())["tasks"]]
