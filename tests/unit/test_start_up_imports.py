"""The modules that each command may import before its first child process (or its end), measured in a real
interpreter.

Start-up time is a feature: every module in these lists is a decision. Import times, compared with 10 ms for the whole
interpreter: asyncio 41 ms, rich.live 37, tomllib 15, dataclasses 14, subprocess 10, pathlib 9, typing 8, json 7,
socket 6, re 5, signal 4, enum 3.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STAND_IN = Path(__file__).parent / "cli" / "stand_in.py"

FORBIDDEN = frozenset(
    """argparse asyncio contextlib dataclasses enum inspect json logging networkx pathlib pathspec psutil re rich shutil
    signal socket subprocess tempfile textwrap threading tomllib traceback typing urllib watchdog""".split()  # noqa: SIM905
)
CORE = {
    "rt_supervisor",
    "rt_supervisor.cli",
    "rt_supervisor.cli.line",
    "rt_supervisor.cli.line.arguments",
    "rt_supervisor.cli.colours",
    "rt_supervisor.cli.line.commands",
    "rt_supervisor.cli.line.flags",
    "rt_supervisor.cli.main",
    "rt_supervisor.cli.run",
    "rt_supervisor.cli.run.programs",  # imported by the stand-in
    "rt_supervisor.cli.request",
    "rt_supervisor.cli.streams",
    "rt_supervisor.settings",
    "rt_supervisor.settings.environment",
    "rt_supervisor.vocabulary",
    "rt_supervisor.vocabulary.errors",
    "rt_supervisor.start",
    "rt_supervisor.start.dependencies",  # recorded by every lookup
    "rt_supervisor.vocabulary.extensions",
    "rt_supervisor.vocabulary.record",
    "rt_supervisor.settings.target",
}
COMPLETIONS = {
    "rt_supervisor.cli.line.completions",
    "rt_supervisor.cli.line.listing",
    "rt_supervisor.cli.run.completions",
}
ERROR = {"rt_supervisor.output", "rt_supervisor.output.plain"}

# command line, allowed modules besides CORE, allowed modules of FORBIDDEN
COMMANDS: list[tuple[str, set[str], set[str]]] = [
    ("run build", set(), set()),
    ("build:css a b", set(), set()),
    ("run --silent build", set(), set()),
    ("run tool", set(), set()),
    ("x tool", {"rt_supervisor.cli.line.binary_words", "rt_supervisor.cli.run.binary"}, set()),
    ("run ls", set(), set()),
    ("run", {"rt_supervisor.cli.line.listing"}, set()),
    ("--version", {"rt_supervisor._native", "rt_supervisor.cli.run.version"}, set()),
    ("--help", {"rt_supervisor.cli.line.topics", "rt_supervisor.cli.line.help"}, set()),
    ("run --help", {"rt_supervisor.cli.line.help"}, set()),
    ("completions bash", COMPLETIONS, set()),
    ("completions --complete run b", COMPLETIONS, set()),
    ("run --filter * build", {"rt_supervisor.cli.line.flag_values"}, set()),
    ("run --parallel build build:css", set(), set()),
    (
        "run --env-file my.env build",
        {"rt_supervisor._native", "rt_supervisor.cli.line.flag_values", "rt_supervisor.settings.env_files"},
        set(),
    ),
    (
        "run --cwd=configured build",
        {
            "rt_supervisor.cli.line.config_keys",
            "rt_supervisor.cli.line.flag_values",
            "rt_supervisor.settings.config",
            "rt_supervisor.vocabulary.toml",
        },
        {"re", "enum", "typing", "tomllib", "contextlib"},
    ),
    ("run nope", ERROR, set()),
    ("install", ERROR, set()),
]


def modules_of(argv: list[str], folder: Path) -> set[str]:
    """Return the modules rt loaded for `argv`, except those that every interpreter has."""
    listing = folder / "modules"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    bare = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules)"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    subprocess.run(
        [sys.executable, str(STAND_IN), *argv],
        cwd=folder,
        env=environment | {"STAND_IN_MODULES": str(listing)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    return set(listing.read_text().split("\n")) - set(bare.stdout.split())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "package.json").write_text('{"scripts": {"build": "x", "build:css": "x"}}')
    (tmp_path / "my.env").write_text("A=$B")
    (tmp_path / "configured").mkdir()
    (tmp_path / "configured/rtfig.toml").write_text("[run]\nsilent = true\n")
    binary = tmp_path / "node_modules/.bin/tool"
    binary.parent.mkdir(parents=True)
    binary.write_text("#!/bin/sh\n")
    binary.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(("line", "more", "excused"), COMMANDS, ids=[line for line, _, _ in COMMANDS])
def test_imports(folder: Path, line: str, more: set[str], excused: set[str]) -> None:
    loaded = modules_of(line.split(" "), folder)
    own = {name for name in loaded if name.partition(".")[0] == "rt_supervisor"}
    assert own - CORE - more == set(), "a module on the start-up path that nobody decided on"
    assert more - own == set(), "this list is not current"
    foreign = {name.partition(".")[0] for name in loaded} - excused
    assert foreign & FORBIDDEN == set()
    if not excused:
        assert foreign <= {"rt_supervisor", "__future__", "_collections_abc", "builtins"}


def test_the_list_of_forbidden_modules_catches_them(folder: Path) -> None:
    """The test detects such an import: the config command, which is exempt, does import re."""
    assert "tomllib" in modules_of(["run", "--cwd=configured", "build"], folder)
