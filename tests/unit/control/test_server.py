"""The server of a run without a process: descriptors that run out."""

from __future__ import annotations

import errno
import select
import socket
from pathlib import Path

import pytest

from rt_supervisor.control.server import ControlServer
from rt_supervisor.plan.model import MODE_FILTER, RunPlan, Step, Task
from rt_supervisor.vocabulary.events import RunWaits

PLAN = RunPlan(MODE_FILTER, (Task(0, "a dev", "a", "dev", "/a", (Step("dev", "dev", ("sh",), {}),)),), 1, False)


class Operations:
    watching = None

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"{name} is not requested")


class FullListener(socket.socket):
    """A socket that accepts nothing, as without descriptors, until `has_room`."""

    has_room = False

    def accept(self) -> tuple[socket.socket, object]:
        if not self.has_room:
            raise OSError(errno.EMFILE, "Too many open files")
        return super().accept()


def test_a_client_that_finds_no_descriptor_does_not_wake_the_run_for_ever(tmp_path: Path) -> None:
    with FullListener(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as client:
        listener.bind(str(tmp_path / "socket"))
        listener.listen()
        server = ControlServer(PLAN, listener, about={}, version="1")
        client.connect(str(tmp_path / "socket"))
        assert select.select([server.descriptor], [], [], 0)[0]
        server.act(Operations())  # type: ignore[arg-type]
        assert not select.select([server.descriptor], [], [], 0)[0]
        listener.has_room = True
        server.event(RunWaits())
        server.act(Operations())  # type: ignore[arg-type]
        assert b'"hello"' in client.recv(1 << 16)
        server.close()


def test_a_run_waits_for_its_clients_only_for_a_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as client:
        listener.bind(str(tmp_path / "socket"))
        listener.listen()
        server = ControlServer(PLAN, listener, about={"large": "x" * (4 << 20)}, version="1")
        client.connect(str(tmp_path / "socket"))
        server.act(Operations())  # type: ignore[arg-type]
        server.close()  # although the client has read nothing of the greeting
        while client.recv(1 << 20):
            pass
