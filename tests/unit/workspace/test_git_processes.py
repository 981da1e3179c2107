"""Git's processes: input, output and failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from rt_supervisor.workspace.git import finish, run, start


def test_output_and_failure(tmp_path: Path) -> None:
    assert run(str(tmp_path), "init", "-q") == b""
    assert run(str(tmp_path), "rev-parse", "--show-prefix") == b"\n"
    assert run(str(tmp_path), "no-such-command") is None
    assert run(str(tmp_path / "absent"), "status") is None


def test_more_input_and_output_than_a_pipe_holds(tmp_path: Path) -> None:
    run(str(tmp_path), "init", "-q")
    (tmp_path / ".gitignore").write_text("ignored*\n")
    names = [b"ignored%d" % number for number in range(20_000)]
    found = run(str(tmp_path), "check-ignore", "-z", "--stdin", data=b"\0".join(names))
    assert found is not None
    assert found.split(b"\0")[:-1] == names


def test_processes_run_beside_each_other(tmp_path: Path) -> None:
    processes = [start(str(tmp_path), "version") for _ in range(3)]
    assert all((finish(process) or b"").startswith(b"git version") for process in reversed(processes))


def test_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert start(str(tmp_path), "version") is None
    assert run(str(tmp_path), "version") is None
