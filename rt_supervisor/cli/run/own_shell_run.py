"""Carrying out a decision whose scripts run in rt's own shell: a fork of a zygote that has it (`workers/shell_host.py`).

The launcher has no zygote: the answer that is kept for it has each script's shell as a process of its own
(`shell/script_process.py`), which does the same and needs nothing of what this run had to decide.
"""

from __future__ import annotations

import os
import sys

from ... import _native
from ...start.decision import encode
from ...vocabulary.errors import Failed
from ...workers.shell_host import ShellHost
from ...workers.zygote import becoming
from ..streams import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...start.decision import Decision, Step
    from ...vocabulary.protocol import Kind
    from ...workers.zygote import Host

_LONGEST_TEXT = 100_000  # bytes; the system takes 128 KiB as one argument


def carry_out(decision: Decision) -> tuple[int, int]:
    """Run `decision` to its end; return exit status and signal (0: none). Raises Failed."""
    readable = decision.steps
    problem: Failed | None = None
    for place, step in enumerate(decision.steps):
        problem = _problem_of(step)
        if problem is not None:
            readable = decision.steps[:place]
            break
    if readable:
        hosts: dict[Kind, Host] = {"shell": ShellHost()}
        code, signal = _native.carry_out(
            encode(_with(decision, readable)), zygotes=list(hosts), become_zygote=becoming(hosts)
        )
        if code or signal:
            return code, signal
    if problem is not None:
        _say(decision.steps[len(readable)].echo)
        raise problem
    return 0, 0


def as_processes(decision: Decision) -> Decision | None:
    """`decision` with processes that anybody can start; None where a text is too long, or is no text of the shell."""
    from ...shell import script_process
    from ...shell.parser import parse
    from ...shell.tree import SyntaxProblem
    from ...start.decision import Step
    from ...start.shell_bundle import bundle

    steps = []
    program = ""
    for step in decision.steps:
        text = step.argv[-1]
        try:
            parse(text)
        except SyntaxProblem:
            return None
        if len(os.fsencode(text)) > _LONGEST_TEXT:
            return None
        program = program or bundle() or script_process.__file__
        words = (sys.executable, "-I", "-S", program, step.variables["npm_lifecycle_event"], text)
        steps.append(
            Step(
                echo=step.echo,
                argv=words,
                folder=step.folder,
                variables=step.variables,
                quiet=step.quiet,
                exited=step.exited,
                signaled=step.signaled,
            )
        )
    return _with(decision, steps)


def _with(decision: Decision, steps: Sequence[Step]) -> Decision:
    """`decision` with other steps."""
    from ...start.decision import Decision

    return Decision(
        steps,
        grace_ms=decision.grace_ms,
        dropped=decision.dropped,
        signals=decision.signals,
        refused=decision.refused,
        refused_else=decision.refused_else,
        lost=decision.lost,
        failed=decision.failed,
    )


def _say(text: str) -> None:
    if text:
        say(text.removesuffix("\n"))


def _problem_of(step: Step) -> Failed | None:
    """Why rt's own shell cannot read the text of a script: then nothing of it runs."""
    from ...shell.parser import parse
    from ...shell.places import pointed_at
    from ...shell.tree import SyntaxProblem

    text = step.argv[-1]
    try:
        parse(text)
    except SyntaxProblem as problem:
        message = f"Failed to run script {step.variables['npm_lifecycle_event']} due to error {problem.message}"
        return Failed("shell-syntax", message, hint=pointed_at(text, problem.at))
    return None
