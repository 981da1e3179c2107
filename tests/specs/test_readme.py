"""The README's commands, run as written in the workspace that it shows."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from rig import Box

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text()
# Commands that do not end by themselves, which other tests cover.
GOES_ON = ("--watch",)
SHOWN = re.findall(r"^    \$ (rt .*)|^    (rt .*)", TEXT, re.MULTILINE)
COMMANDS = [
    re.sub(r" +#.*", "", one or other) for one, other in SHOWN if not any(word in one + other for word in GOES_ON)
]
# Shown as on a terminal, which other tests cover.
ON_A_TERMINAL = ("rt run --filter '*' build",)


def shown_after(command: str) -> list[str]:
    """Return the lines that the README shows as output of a command; `…` stands for any."""
    block = re.split(r"\n(?! {4}|\n)", TEXT.partition(f"    $ {command}\n")[2], maxsplit=1)[0]
    lines = block.partition("\n    $ rt ")[0].splitlines()
    return [line[4:] for line in lines if line.strip()]


@pytest.fixture
def harbour(box: Box) -> Box:
    shutil.copytree(ROOT / "fixtures/monorepo", box.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("dist"))
    box.write(
        {
            "hello.ts": 'const greet = (name: string) => `hello ${name}`;\nconsole.log(greet("world"));\n',
        }
    )
    return box


def test_commands_are_found() -> None:
    assert len(COMMANDS) >= 9, COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_works(harbour: Box, command: str) -> None:
    _, *words = shlex.split(command)
    done = harbour.run(*words)
    assert done.returncode == 0, done.stderr.decode()
    if command in ON_A_TERMINAL:
        return
    expected = shown_after(command)
    printed = (done.stdout + done.stderr).decode().splitlines()
    if "…" in expected:
        assert [line for line in expected if line != "…" and line not in printed] == []
    elif expected:
        assert sorted(line for line in printed if line) == sorted(expected)
