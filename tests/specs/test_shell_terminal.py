"""`rt shell` on a terminal: editing, history, completion, multi-line commands, Ctrl-C and Ctrl-D."""

from __future__ import annotations

from typing import Any

import pytest
from rig import Box
from screens import Session

NO_QUESTIONS: dict[str, Any] = {"PROMPT_TOOLKIT_NO_CPR": "1"}  # this terminal does not report its cursor position


@pytest.fixture
def shell(box: Box) -> Session:
    box.write({"with space.txt": "content\n"})
    session = Session(box, "shell", **NO_QUESTIONS)
    await_prompt(session)
    return session


def await_prompt(session: Session, status: str = "", *, after: int = 0) -> None:
    """Read until the shell waits for its next line: more than `after` prompts have been shown, and the last one is
    empty.
    """
    while prompts(session) <= after or session.lines[-1].rstrip() != f"{status}~ $":
        assert session._read()


def prompts(session: Session) -> int:
    return sum("~ $" in line for line in session.lines)


def enter(session: Session, keys: str, *, status: str = "") -> None:
    before = prompts(session)
    session.type(f"{keys}\r")
    await_prompt(session, status, after=before)


def test_lines_are_edited_remembered_and_completed(shell: Session) -> None:
    enter(shell, "echo one-x\x1b[D-y")
    assert "one--yx" in shell.lines
    shell.type("cat wi\t")
    shell.read_until("cat with\\ space.txt")
    enter(shell, "")
    assert "content" in shell.lines
    enter(shell, "\x1b[A\x1b[A\x7f\x7fz")
    assert "one--z" in shell.lines
    shell.type("exit\r")
    assert shell.finish() == 0


def test_keys_typed_after_a_completion_find_it(shell: Session) -> None:
    enter(shell, "cat with\t")
    assert "content" in shell.lines
    shell.type("exit\r")
    assert shell.finish() == 0


def test_a_command_of_several_lines_is_one(shell: Session) -> None:
    enter(shell, "for i in 1 2\rdo\recho item-$i\rdone")
    assert shell.lines.count("item-2") == 1
    enter(shell, "echo between")
    shell.type("\x12for")  # found again as a whole
    shell.read_until("for i in 1 2")
    enter(shell, "\r")
    assert shell.lines.count("item-2") == 2
    shell.type("exit\r")
    assert shell.finish() == 0


def test_keys_that_end_things(shell: Session) -> None:
    shell.type("echo given-up\x03")
    await_prompt(shell, "[130] ", after=1)
    shell.type("echo before; sleep 1000\r")
    while "before" not in shell.lines:
        assert shell._read()
    shell.type("\x03")
    await_prompt(shell, "[130] ", after=2)
    enter(shell, "echo status-$?")
    assert "status-130" in shell.lines
    enter(shell, "(exit 3)", status="[3] ")
    shell.type("\x04")
    assert shell.finish() == 3
