"""Dispatch, messages and exit statuses, as observed from outside the process."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import Run


def test_version(run: Run) -> None:
    for flag in ("--version", "-v"):
        result = run(flag, "f.js")
        assert (result.returncode, result.stderr) == (0, "")
        assert re.fullmatch(r"\d+\.\d+\.\d+\n", result.stdout)
    assert re.fullmatch(r"\d+\.\d+\.\d+(\+[0-9a-f]{9})?\n", run("--revision").stdout)


def test_listing(run: Run, project: Path) -> None:
    result = run("run")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.partition("package.json scripts")[2] == (
        " (3 found):\n  $ rt run build\n    tsc -p .\n\n  $ rt run build:css\n    echo a\\necho b\n\n  $ rt run dev\n    x\n\n"
    )


def test_nothing_to_list(run: Run, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("{}")
    assert 'No "scripts" found in package.json.\n' in run("run").stdout
    (tmp_path / "package.json").unlink()
    assert "No package.json found.\n" in run("run").stdout


@pytest.mark.parametrize(
    ("argv", "status", "printed"),
    [
        (["run", "build", "a", "-b"], 7, "single script build ['a', '-b'] {}"),
        (["dev"], 7, "single script dev [] {}"),
        (["tool", "x"], 7, "single binary tool ['x'] {}"),
        (["run", "ls", "-l"], 7, "single system ls ['-l'] {}"),
        (["x", "-y", "--bun", "tool", "--help"], 7, "single binary tool ['--help'] {'rt': True}"),
        (["--filter", "a", "build", "x"], 8, "many ['build'] ['x'] {'filter': ('a',)}"),
        (["run", "--parallel", "a", "b"], 8, "many ['a', 'b'] [] {'parallel': True}"),
        (["graph", "--format=dot"], 9, "graph dot"),
        (["run", "--dry-run", "build", "a"], 8, "many ['build'] ['a'] {'dry-run': '', 'sequential': True}"),
        (["run", "--dry-run=json", "tool"], 8, "many ['tool'] [] {'dry-run': 'json', 'sequential': True}"),
        (["run", "--no-summary", "--output=stream", "build"], 7, "single script build"),
    ],
)
def test_dispatch_to_commands(run: Run, project: Path, argv: list[str], status: int, printed: str) -> None:
    result = run(*argv)
    assert (result.returncode, result.stderr) == (status, "")
    assert result.stdout.startswith(printed)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["run", "nope"], 'Script not found "nope"'),
        (["ls"], 'Script not found "ls"'),
        (["run", "./gone.ts"], 'Module not found "./gone.ts"'),
        (["run", "empty"], 'Script not found "empty"'),
        (["run", "--parallel", "--sequential", "a"], "--parallel and --sequential cannot be used together"),
        (["run", "--parallel"], "--parallel/--sequential requires at least one script name"),
        (["run", "--parallel", "--filter", "*"], "--parallel/--sequential requires at least one script name"),
        (["--filter", "*"], "No script name provided"),
        (["run", "--workspaces"], "No script name provided"),
        (["-e"], "The argument '-e' requires a value but none was supplied."),
        (["--cwd", "gone", "run"], 'Could not change directory to "gone": No such file or directory'),
        (["--config=gone.toml", "run"], 'cannot read config file "gone.toml": No such file or directory'),
        (["completions", "tcsh"], 'rt completions needs the name of a shell, bash, zsh or fish; got "tcsh"'),
        (["x"], "rt x needs the name of a binary, such as `rt x eslint`"),
        (
            ["test"],
            '"test" is not a command of this version of rt: use `rt --test`, which runs tests written for node:test',
        ),
        (
            ["build"],
            '"build" is not a command of this version of rt: rt has no bundler\n'
            "note: to run the script of that name in package.json, use `rt run build`",
        ),
        (
            ["x", "--no-install", "nope"],
            'Binary not found "nope"\n'
            "note: no installed package has it; add the one that has it with npm, pnpm or yarn",
        ),
    ],
)
def test_errors(run: Run, project: Path, argv: list[str], message: str) -> None:
    before = sorted(project.rglob("*"))
    result = run(*argv)
    assert (result.returncode, result.stdout, result.stderr) == (1, "", f"error: {message}\n")
    assert sorted(project.rglob("*")) == before, "nothing is touched"


def test_flags_of_npx_are_left_to_npx(run: Run, project: Path) -> None:
    (project / "npx").write_text("#!/bin/sh\n")
    (project / "npx").chmod(0o755)
    result = run("x", "--yes", "--call", "cowsay hi", PATH=f"{project}:/usr/bin:/bin")
    assert result.stdout.startswith("single system npx ['--yes', '--call', 'cowsay hi']")


def test_if_present(run: Run, project: Path) -> None:
    for name in ("nope", "./gone.ts", "gone.js"):
        result = run("run", "--if-present", name)
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert run("--if-present", "build:css").returncode == 7


def test_a_broken_manifest_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("{")
    result = run("run", "hello")
    assert result.stderr == f'error: Script not found "hello"\nnote: {tmp_path}/package.json:1:1: broken\n'
    assert run("run", "ls").returncode == 7


def test_cwd(run: Run, project: Path, tmp_path: Path) -> None:
    (project / "sub").mkdir()
    (project / "sub/package.json").write_text('{"scripts": {"inner": "x"}}')
    for argv in (["--cwd", "sub", "run", "inner"], ["run", f"--cwd={project}/sub", "inner"], ["--cwd=sub", "inner"]):
        assert run(*argv).stdout.endswith(f"{project}/sub\n")


def test_config_under_the_command_line(run: Run, project: Path) -> None:
    (project / "rtfig.toml").write_text('[run]\nsilent = true\nshell = "rt"\n')
    assert "{'silent': True, 'shell': 'rt'}" in run("run", "build").stdout
    assert "'shell': 'system'" in run("run", "--shell=system", "build").stdout
    (project / "rtfig.toml").write_text("[run]\nloud = true\n")
    result = run("run", "build")
    assert (result.returncode, result.stderr) == (7, 'warn: rtfig.toml:2: unknown key "run.loud"\n')
    (project / "rtfig.toml").write_text("[run")
    assert run("run", "build").stderr.startswith("error: rtfig.toml:1:5: ")
    assert run("--version").returncode == 0


def test_unknown_flags_in_a_config_do_no_harm(run: Run, project: Path) -> None:
    (project / "rtfig.toml").write_text('preload = ["./p.ts"]\n')
    assert run("run", "build").returncode == 7


def test_a_missing_env_file_is_a_warning(run: Run, project: Path) -> None:
    result = run("run", "--env-file", "gone", "build")
    assert (result.returncode, result.stderr) == (7, 'warn: --env-file "gone" was not found\n')


def test_colours(run: Run, project: Path) -> None:
    assert run("run", "nope", FORCE_COLOR="1").stderr.startswith("\x1b[31merror\x1b[0m")
    assert "\x1b" in run("run", FORCE_COLOR="1").stdout
    assert "\x1b" not in run("run", FORCE_COLOR="0").stdout
    assert "\x1b" not in run("--help").stdout


def test_called_as_node(run: Run, project: Path) -> None:
    result = run("build", STAND_IN_NAME="node")
    assert result.stderr.startswith(f"Error: Cannot find module '{project}/build' {{\n  code: 'MODULE_NOT_FOUND',")
    (project / "main.ts").write_text("console.log(process.argv.length as number)")
    assert run("--max-old-space-size=1", "main.ts", "x", STAND_IN_NAME="node").stdout == "3\n"
