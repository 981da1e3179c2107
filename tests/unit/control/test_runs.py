"""The folder of running runs: who may write to it, and what is left of dead runs."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rt_supervisor.control.client import ControlClient
from rt_supervisor.control.protocol import encode_message
from rt_supervisor.control.runs import living_runs, make_run, runs_folder
from rt_supervisor.vocabulary.errors import Failed


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder for sockets; its path is longer than the address of a socket."""
    folder = tmp_path / ("x" * 120)
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    return folder


def test_a_run_is_found_until_it_ends(runtime: Path) -> None:
    own = make_run()
    assert living_runs() == []  # not published
    own.publish({"pid": os.getpid(), "startedAt": 1.5})
    assert Path(own.folder).parent == runtime / "rt/runs"
    assert os.stat(own.folder).st_mode & 0o777 == 0o700
    assert living_runs() == [(own.folder, {"id": own.id, "pid": os.getpid(), "startedAt": 1.5})]
    own.close()
    assert living_runs() == []
    assert not Path(own.folder).exists()


MAKES_RUN = "from rt_supervisor.control.runs import make_run; import os; make_run().publish({'pid': 1}); os._exit(9)"


def test_what_a_killed_run_has_left_is_removed(runtime: Path) -> None:
    subprocess.run([sys.executable, "-c", MAKES_RUN], check=False)
    (left,) = (runtime / "rt/runs").iterdir()
    assert (left / "socket").exists()
    assert living_runs() == []
    assert not left.exists()
    unfinished = runtime / "rt/runs/abcd"
    unfinished.mkdir(mode=0o700)
    assert living_runs() == []
    assert unfinished.exists()  # its rt may be about to publish it
    os.utime(unfinished, (0, 0))
    assert living_runs() == []
    assert not unfinished.exists()


def test_an_entry_that_others_can_read_is_ignored(runtime: Path) -> None:
    own = make_run()
    own.publish({"pid": 1})
    os.chmod(own.folder, 0o755)
    assert living_runs() == []
    own.close()


def test_a_folder_that_others_can_write_to_is_refused(
    runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (runtime / "rt").mkdir()
    (runtime / "rt/runs").mkdir()
    os.chmod(runtime / "rt/runs", 0o777)
    with pytest.raises(Failed, match="cannot be used for running runs: others can write to it"):
        make_run()
    (runtime / "rt/runs").rmdir()
    (runtime / "rt/runs").symlink_to(tmp_path)
    with pytest.raises(Failed, match="others can write to it"):
        living_runs()
    (runtime / "rt/runs").unlink()
    (runtime / "rt/runs").write_text("a file")
    with pytest.raises(Failed, match="cannot be used for running runs: File exists"):
        living_runs()
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setattr("rt_supervisor.control.runs.cache_folder", lambda name: None)
    with pytest.raises(Failed, match="no folder for running runs that only you can write to"):
        runs_folder()


def test_without_a_runtime_folder_the_cache_folder_is_used(
    runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for other in ("/nowhere", ""):
        monkeypatch.setenv("XDG_RUNTIME_DIR", other)
        assert runs_folder() == str(tmp_path / "cache/rt/runs")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.setattr(os, "geteuid", lambda: os.stat(runtime).st_uid + 1)  # as sudo may leave it
    with pytest.raises(Failed, match="cache/rt/runs cannot be used for running runs: others can write to it"):
        runs_folder()  # the folder of this cache is not that user's either


@pytest.mark.parametrize(
    ("greeting", "message"),
    [
        (
            encode_message({"type": "hello", "protocol": 99, "version": "7.0"}),
            "started by rt 7.0, which speaks protocol 99; this is rt 1.2, which speaks protocol 1\nnote: use the rt that",
        ),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "does not answer as a run of rt does"),
        (b"", "does not answer as a run of rt does"),
    ],
)
def test_another_server_is_refused(tmp_path: Path, greeting: bytes, message: str) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        listener.listen()

        def serve() -> None:
            peer, _ = listener.accept()
            with peer:
                peer.sendall(greeting)

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(Failed, match=message):
            ControlClient(str(tmp_path), version="1.2")
        thread.join()
    (tmp_path / "socket").unlink()
    with pytest.raises(Failed, match="does not answer: No such file or directory"):
        ControlClient(str(tmp_path), version="1.2")
