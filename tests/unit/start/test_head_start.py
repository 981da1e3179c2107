"""Which command lines start V8 before rt has interpreted them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rt_supervisor.start import head_start

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "main.ts").write_text("console.log('main', 1 as number)")
    (tmp_path / "data.txt").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "argv",
    [["main.ts"], ["main.ts", "--watch"], ["./main.ts"], ["run", "./main.ts"], ["-e", "1"], ["run", "--print", "1"]],
)
def test_programs(argv: list[str]) -> None:
    assert head_start.is_program(argv, "rt")


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["run"],
        ["run", "main.ts"],
        ["absent.ts"],
        ["build"],
        ["data.txt"],
        ["--smol", "main.ts"],
        ["--parallel", "main.ts"],
    ],
)
def test_ambiguous_input(argv: list[str]) -> None:
    assert not head_start.is_program(argv, "rt")


def test_called_as_node_it_runs_only_files() -> None:
    assert head_start.is_program(["main.ts"], "node")


def test_a_config_file_with_smol_prevents_the_head_start(folder: Path) -> None:
    (folder / "rtfig.toml").write_text("smol = true\n")
    assert head_start._may_save_memory()
