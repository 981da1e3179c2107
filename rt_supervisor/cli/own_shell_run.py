"""Carrying out a decision whose scripts run in rt's own shell: a fork of the guardian, which has to be Python for that.

The launcher has no guardian of that kind: the answer that is kept for it has each script's shell as a process of its own
(`shell/script_process.py`), which does the same and needs nothing of what this run had to decide.
"""

from __future__ import annotations

import os
import sys

from ..vocabulary.errors import Failed
from ..vocabulary.events import Exited
from ..workers.foreground import Foreground
from .streams import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..plan.decision import Decision, Step

_LONGEST_TEXT = 100_000  # bytes; the system takes 128 KiB as one argument


def carry_out(decision: Decision, environment: Mapping[str, str]) -> tuple[int, int]:
    """Run `decision` to its end; return exit status and signal (0: none). Raises Failed."""
    foreground: Foreground | None = None
    base = {name: value for name, value in environment.items() if not name.startswith(tuple(decision.dropped))}
    try:
        for step in decision.steps:
            _say(step.echo)
            _check(step)
            foreground = foreground or Foreground(grace_s=decision.grace_ms / 1000)
            outcome = foreground.run(
                argv=step.argv, program=step.argv, environment={**base, **step.variables}, folder=step.folder
            )
            if isinstance(outcome, Exited):
                if outcome.code and outcome.code not in step.quiet and step.exited:
                    say(f"{step.exited}{outcome.code}")
                if outcome.code:
                    return outcome.code, 0
            else:
                words = decision.signals[outcome.signal]
                if words and step.signaled:
                    _say(step.signaled + words)
                return 0, outcome.signal
    finally:
        if foreground is not None:
            foreground.close()
    return 0, 0


def as_processes(decision: Decision) -> Decision | None:
    """`decision` with processes that anybody can start; None where a text is too long, or is no text of the shell."""
    from ..plan.decision import Decision, Step
    from ..shell import script_process
    from ..shell.parser import parse
    from ..shell.tree import SyntaxProblem
    from .shell_bundle import bundle

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


def _check(step: Step) -> None:
    """Raise Failed when rt's own shell cannot read the text of a script: then nothing of it runs."""
    from ..shell.parser import parse
    from ..shell.places import pointed_at
    from ..shell.tree import SyntaxProblem

    text = step.argv[-1]
    try:
        parse(text)
    except SyntaxProblem as problem:
        message = f"Failed to run script {step.variables['npm_lifecycle_event']} due to error {problem.message}"
        raise Failed("shell-syntax", message, hint=pointed_at(text, problem.at)) from problem
