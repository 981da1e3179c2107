"""The README's commands, run as they stand there in the workspace that it shows."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from rig import Box

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text()
# Commands that go on until they are ended: tested where they belong.
GOES_ON = ("--watch",)
SHOWN = re.findall(r"^    \$ (rt .*)|^    (rt .*)", TEXT, re.MULTILINE)
COMMANDS = [
    re.sub(r" +#.*", "", one or other) for one, other in SHOWN if not any(word in one + other for word in GOES_ON)
]


@pytest.fixture
def harbour(box: Box) -> Box:
    shutil.copytree(ROOT / "fixtures/monorepo", box.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("dist"))
    box.write(
        {
            "hello.ts": 'const greet = (name: string) => `hello ${name}`;\nconsole.log(greet("world"));\n',
            "b.js": "",
            "b.ts": "",
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
    shown = TEXT.partition(f"$ {command}\n")[2].split("\n\n", 1)[0].partition("\n    $ ")[0]
    if command in ("rt hello.ts", "rt run greet world") or " -p " in command:
        expected = [line.strip() for line in shown.splitlines() if not line.strip().startswith("$ ")]
        assert done.stdout.decode().splitlines() == expected
