"""The decision for one script, binary or system command: its commands and the messages about them."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path

import pytest

from rt_supervisor._native import Manifest
from rt_supervisor.cli.line.arguments import parse
from rt_supervisor.cli.request import make_request
from rt_supervisor.cli.run.foreground import decide
from rt_supervisor.settings.node_link import NodeLink
from rt_supervisor.settings.target import BINARY, SCRIPT, Target
from rt_supervisor.start.decision import Decision
from rt_supervisor.workspace.manifest import read_manifest

MANIFEST = '{"name": "p", "scripts": {"prebuild": "echo {code}", "build": "tsc \\"$X\\"", "{code}": "exit 3"}}'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "package.json").write_text(MANIFEST)
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "CI", "npm_config_user_agent"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


def decision(target: Target, *argv: str) -> Decision:
    request = make_request(parse(["run", *argv]))
    manifest = read_manifest(f"{request.folder}/package.json")
    assert isinstance(manifest, Manifest)
    return decide(request, manifest, target, NodeLink(request.executable))


def test_hooks_come_before_the_script_which_gets_the_arguments(folder: Path) -> None:
    made = decision(Target(SCRIPT, "build"), "build", "a b", "--flag")
    assert [(command.name, command.echo) for command in made.commands] == [
        ("prebuild", "$ echo {code}\n"),
        ("build", '$ tsc "$X" "a b" --flag\n'),
    ]
    hook, script = made.commands
    assert script.argv[-1] == 'tsc "$X" "a b" --flag'
    assert (hook.variables["npm_lifecycle_event"], script.variables["npm_lifecycle_event"]) == ("prebuild", "build")
    assert (hook.folder, script.quiet) == (str(folder), (0, 2))


def test_messages_are_templates_and_names_are_fields(folder: Path) -> None:
    made = decision(Target(SCRIPT, "{code}"), "{code}")
    assert made.commands[0].name == "{code}"
    assert made.exited == 'error: script "{name}" exited with code {code}\n'
    assert made.signaled == 'error: script "{name}" was terminated by signal {signal}\n'
    assert made.signals[signal.SIGTERM] == "SIGTERM (Polite quit request)"
    assert made.signals[signal.SIGINT] == ""
    assert made.refusals.other == "error: cannot start: {reason}\n"
    assert made.refusals.other_file == "error: cannot start {path}: {reason}\n"
    assert set(made.refusals.by_errno) == {errno.EAGAIN, errno.E2BIG, errno.ENOMEM}
    assert made.refusals.by_errno[errno.ENOMEM] == "error: cannot start another process: out of memory\n"


def test_a_binary_has_messages_of_its_own_and_no_echo(folder: Path) -> None:
    made = decision(Target(BINARY, "tool", "/bin/tool"), "tool", "x")
    (command,) = made.commands
    assert (command.name, command.echo, command.argv, command.quiet) == ("tool", "", ("/bin/tool", "x"), (0,))
    assert "npm_lifecycle_event" not in command.variables
    assert made.exited == 'error: "{name}" exited with code {code}\n'
    assert made.signaled == 'error: Failed to run "{name}" due to signal {signal}\n'


def test_silent(folder: Path) -> None:
    made = decision(Target(SCRIPT, "build"), "--silent", "build")
    assert {command.echo for command in made.commands} == {""}
    assert (made.exited, made.signaled) == ("", "")
    assert made.lost.startswith("error: ")


def test_scripts_get_the_variables_of_named_env_files(folder: Path) -> None:
    (folder / "my.env").write_text("FROM_FILE=1\nNODE_OPTIONS=--x")
    made = decision(Target(SCRIPT, "{code}"), "--env-file=my.env", "{code}")
    assert made.commands[0].variables["FROM_FILE"] == "1"
    assert "FROM_FILE" not in os.environ
