"""The completions offered at the cursor, and that real shells show them."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from rt_supervisor.cli.line import completions

from ..conftest import ROOT, STAND_IN, Run


class Project:
    def script_names(self, folder: str) -> dict[str, str]:
        return (
            {"sub": "inner"} if folder.endswith("/sub") else {"build": "tsc", "build:css": "a\nb", "dev": "x", "no": ""}
        )

    def package_names(self, folder: str) -> list[str]:
        return ["foo", "bar", "@scope/baz"]

    def selected_scripts(self, folder: str, patterns: Sequence[str]) -> dict[str, int]:
        return {"build": 2, f"of-{'-'.join(patterns) or 'all'}": 1}

    def running(self, folder: str, words: Sequence[str]) -> dict[str, str]:
        return {"a#dev": "running"} if list(words) == ["k3f9"] else {"k3f9": "run", "b#dev": "stopped"}


def words(line: str) -> list[str]:
    """Return the words offered for `line`; `|` marks only its end."""
    return [answer.partition("\t")[0] for answer in completions.answers(line.split(" "), Project())]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("run b", ["build", "build:css", ":files"]),
        ("run --silent build:", ["build:css", ":files"]),
        ("stop ", ["k3f9", "b#dev"]),
        ("logs k3f9 ", ["a#dev"]),
        ("restart k3f9 --json a", ["a#dev"]),
        ("logs --", ["--json", "--follow", "--lines"]),
        ("ps ", []),
        ("agent --s", ["--slots", "--store-limit", "--scheduler"]),
        ("agent --folder ", [":files"]),
        ("agent --slots 2 --tag ", []),
        ("agent --once ", []),
        ("de", ["dev", ":files"]),
        ("buil", ["build:css", ":files"]),  # `rt build` would be a command, not the script
        ("run build ", [":files"]),
        ("run build --fil", [":files"]),
        ("run --filter ", ["foo", "bar", "@scope/baz"]),
        ("run -F b", ["bar"]),
        ("run --filter=@", ["--filter=@scope/baz"]),
        ("run --filter foo bui", ["build"]),
        ("run --filter foo -F bar --filter=baz ", ["build", "of-foo-bar-baz"]),
        ("run -F=foo -Fbar ", ["build", "of-foo-bar"]),
        ("run -bF ", ["foo", "bar", "@scope/baz"]),
        ("run -b d", ["dev", ":files"]),
        ("run --workspaces ", ["build", "of-all"]),
        ("run --parallel --filter foo build of", ["of-foo"]),
        ("run --filter foo build ", [":files"]),
        ("run --parallel build d", ["dev", ":files"]),
        ("run --shell ", ["rt", "system"]),
        ("run --shell=s", ["--shell=system"]),
        ("run --output ", ["stream", "grouped", "json", "raw"]),
        ("run --env-file ", [":files"]),
        ("run --cwd ", [":files"]),
        ("run --cwd sub s", ["sub", ":files"]),
        ("run --cwd=sub s", ["sub", ":files"]),
        ("run --par", ["--parallel"]),
        ("run --interactive", ["--interactive"]),
        ("run -- --par", [":files"]),
        ("completions ", ["bash", "zsh", "fish"]),
        ("graph ", []),
        ("graph --form", ["--format"]),
    ],
)
def test_answers(line: str, offered: list[str]) -> None:
    assert words(line) == offered


def test_the_first_word_may_be_a_command() -> None:
    offered = words("")
    assert {"run", "graph", "completions", "dev", ":files"} <= set(offered)
    assert "run" not in words("run ")


def test_descriptions_stay_on_their_line() -> None:
    assert "build:css\ta\\nb" in completions.answers(["run", "build:"], Project())


def test_binaries_of_ancestors(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "sub").mkdir()
    monkeypatch.chdir(project / "sub")
    assert completions.answers(["run", "to"], Project()) == ["tool\tbinary", ":files"]
    assert completions.answers(["x", "to"], Project()) == ["tool\tbinary"]
    assert completions.answers(["run", "--parallel", "to"], Project()) == [":files"]


def test_a_script_for_each_shell(run: Run) -> None:
    for shell in completions.SHELLS:
        result = run("completions", shell)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout == completions.script(shell)
    assert run("completions", SHELL="/usr/bin/fish").stdout == completions.script("fish")


def test_nothing_goes_wrong_where_nothing_can_be_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("{")
    result = run("completions", "--complete", "run", "x")
    assert (result.returncode, result.stdout, result.stderr) == (0, ":files\n", "")


def put_rt(folder: Path) -> Path:
    """Create a folder that contains only an `rt`, and return it."""
    binaries = folder / "shellbin"
    binaries.mkdir()
    rt = binaries / "rt"
    rt.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} {STAND_IN} "$@"\n')
    rt.chmod(0o755)
    return binaries


class Terminal:
    """An interactive shell on a pseudo-terminal: types, and waits for output."""

    def __init__(self, argv: list[str], folder: Path) -> None:
        environment = {
            "PATH": f"{put_rt(folder)}:/usr/bin:/bin",
            "HOME": str(folder),
            "TERM": "dumb" if "fish" not in argv[0] else "xterm",
            "LANG": "C.UTF-8",
            "PS1": "> ",
        }
        self._pid, self._terminal = os.forkpty()
        if self._pid == 0:
            os.chdir(folder)
            os.execve(argv[0], argv, environment)
        self._shown = b""

    def type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def wait_for(self, text: str, seconds: float = 20) -> str:
        """Read until `text` has been shown since the last wait; fail after `seconds`."""
        deadline = time.monotonic() + seconds
        while text.encode() not in self._shown:
            ready, _, _ = select.select([self._terminal], [], [], deadline - time.monotonic())
            assert ready, f"{text!r} was not shown: {self._shown.decode(errors='replace')!r}"
            self._shown += os.read(self._terminal, 65536)
        before, _, self._shown = self._shown.partition(text.encode())
        return before.decode(errors="replace")

    def close(self) -> None:
        os.close(self._terminal)
        os.kill(self._pid, 9)
        os.waitpid(self._pid, 0)


def shell_path(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("rt run build:\t", "rt run build:css"),
        ("rt run --par\t", "rt run --parallel"),
        ("rt run --filter=@\t", "rt run --filter=@scope/baz"),
        ("rt run -F @\t", "rt run -F @scope/baz"),
        ("rt run too\t", "rt run tool"),
        ("rt run ./mai\t", "rt run ./main.ts"),
        ("rt run build mai\t", "rt run build main.ts"),
    ],
)
def test_bash(project: Path, typed: str, completed: str) -> None:
    terminal = Terminal([shell_path("bash"), "--noprofile", "--norc", "-i"], project)
    try:
        terminal.type('eval "$(rt completions bash)"; rt() { printf "[%s]" "$*"; echo END; }; echo rea""dy\n')
        terminal.wait_for("ready")
        terminal.type(typed)
        terminal.type("\n")
        shown = terminal.wait_for("END")
        assert f"[{completed.removeprefix('rt ')}]" in shown.replace("\r", "")
    finally:
        terminal.close()


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("rt run build:\t", "run build:css"),
        ("rt run --par\t", "run --parallel"),
        ("rt run -F @\t", "run -F @scope/baz"),
        ("rt run too\t", "run tool"),
        ("rt run ./mai\t", "run ./main.ts"),
    ],
)
def test_zsh(project: Path, typed: str, completed: str) -> None:
    terminal = Terminal([shell_path("zsh"), "-f", "-i"], project)
    try:
        terminal.type('autoload -U compinit; compinit -D; eval "$(rt completions zsh)"; echo rea""dy\n')
        terminal.wait_for("ready")
        terminal.type("bindkey '^I' complete-word; rt() { printf '[%s]' \"$*\"; echo END; }; echo set\"\"up\n")
        terminal.wait_for("setup")
        terminal.type(typed)
        terminal.type("\n")
        assert f"[{completed}]" in terminal.wait_for("END")
    finally:
        terminal.close()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("rt run build", ["build\ttsc -p .", "build:css\techo a\\necho b"]),
        ("rt run --par", ["--parallel\tRun several scripts"]),
        ("rt run -F b", ["bar\tpackage"]),
        ("rt run ./mai", ["./main.ts"]),
        ("rt run too", ["tool\tbinary"]),
    ],
)
def test_fish(project: Path, line: str, offered: list[str]) -> None:
    result = subprocess.run(
        [shell_path("fish"), "--no-config", "-c", f"rt completions fish | source; complete -C '{line}'"],
        cwd=project,
        env={"PATH": f"{put_rt(project)}:/usr/bin:/bin", "HOME": str(project), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    shown = result.stdout.splitlines()
    assert len(shown) == len(offered), result
    for have, want in zip(shown, offered, strict=True):
        assert have.startswith(want)
