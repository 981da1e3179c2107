"""The first of bash, sh, zsh on PATH."""

from __future__ import annotations

from pathlib import Path

import pytest

from rt_supervisor.settings.shell_choice import system_shell
from rt_supervisor.vocabulary.errors import Failed


def put(folder: Path, name: str, mode: int = 0o755) -> str:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return str(path)


def test_order_of_names_comes_before_order_of_folders(tmp_path: Path) -> None:
    zsh = put(tmp_path / "a", "zsh")
    path = f"{tmp_path / 'a'}:{tmp_path / 'b'}"
    assert system_shell(path) == zsh
    sh = put(tmp_path / "b", "sh")
    assert system_shell(path) == sh
    bash = put(tmp_path / "b", "bash")
    assert system_shell(path) == bash


def test_files_that_cannot_be_executed_are_skipped(tmp_path: Path) -> None:
    put(tmp_path, "bash", 0o644)
    (tmp_path / "sh").mkdir()
    zsh = put(tmp_path, "zsh")
    assert system_shell(str(tmp_path)) == zsh


def test_none_at_all(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="none of bash, sh, zsh is on PATH"):
        system_shell(str(tmp_path))
