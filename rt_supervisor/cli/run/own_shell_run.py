"""Runs a decision whose scripts run in rt's own shell: each in a fork of the shell's zygote (`workers/shell_host.py`).

The launcher has no zygote: a cached start runs each shell as a whole process (`shell/script_process.py`).
"""

from __future__ import annotations

import os
import sys

from ... import _native
from ...start.decision import encode
from ...vocabulary.errors import Failed
from ...workers.shell_host import ShellHost
from ...workers.zygote import zygote_starter
from ..streams import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...start.decision import Command, Decision
    from ...vocabulary.protocol import Kind
    from ...workers.zygote import Host

_LONGEST_TEXT = 100_000  # in bytes; the system's limit on one argument is 128 KiB


def carry_out(decision: Decision) -> tuple[int, int]:
    """Run `decision` to its end; return exit status and signal (0: none). Raises Failed."""
    readable = decision.commands
    problem: Failed | None = None
    for place, command in enumerate(decision.commands):
        problem = _problem_of(command)
        if problem is not None:
            readable = decision.commands[:place]
            break
    if readable:
        hosts: dict[Kind, Host] = {"shell": ShellHost()}
        code, signal = _native.carry_out(
            encode(_with(decision, readable)), zygotes=list(hosts), become_zygote=zygote_starter(hosts)
        )
        if code or signal:
            return code, signal
    if problem is not None:
        _say(decision.commands[len(readable)].echo)
        raise problem
    return 0, 0


def as_processes(decision: Decision) -> Decision | None:
    """Return `decision` with whole processes in place of forks; None if a text is too long or has a syntax
    error, or without a cache for the shell bundle."""
    from ...shell.parser import parse
    from ...shell.tree import SyntaxProblem
    from ...start.decision import Command
    from ...start.shell_bundle import store_bundle

    program = store_bundle()
    if program is None:
        return None
    commands = []
    for command in decision.commands:
        text = command.argv[-1]
        try:
            parse(text)
        except SyntaxProblem:
            return None
        if len(os.fsencode(text)) > _LONGEST_TEXT:
            return None
        words = (sys.executable, "-I", "-S", program, command.variables["npm_lifecycle_event"], text)
        commands.append(
            Command(
                name=command.name,
                echo=command.echo,
                argv=words,
                folder=command.folder,
                variables=command.variables,
                quiet=command.quiet,
            )
        )
    return _with(decision, commands)


def _with(decision: Decision, commands: Sequence[Command]) -> Decision:
    """Return `decision` with other commands."""
    from ...start.decision import Decision

    return Decision(
        commands,
        grace_ms=decision.grace_ms,
        dropped=decision.dropped,
        exited=decision.exited,
        signaled=decision.signaled,
        signals=decision.signals,
        refusals=decision.refusals,
        lost=decision.lost,
        failed=decision.failed,
    )


def _say(text: str) -> None:
    if text:
        say(text.removesuffix("\n"))


def _problem_of(command: Command) -> Failed | None:
    """Return the syntax error in the text of a script, which then does not run at all; None without one."""
    from ...shell.parser import parse
    from ...shell.places import pointed_at
    from ...shell.tree import SyntaxProblem

    text = command.argv[-1]
    try:
        parse(text)
    except SyntaxProblem as problem:
        message = f"Failed to run script {command.variables['npm_lifecycle_event']} due to error {problem.message}"
        return Failed("shell-syntax", message, hint=pointed_at(text, problem.at))
    return None
