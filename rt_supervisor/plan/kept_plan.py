"""A plan of several scripts with every word that may have to be said about it, as bytes: `native/wire/src/plan.rs` decodes.

Whoever carries it out (`native/guardian/src/supervise.rs`) decides nothing and has no words of its own.
"""

from __future__ import annotations

from ..start.decision import data, listed, number, refusals, text
from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .model import RunPlan, Step, Task


@record
class Words:
    """What is said while a plan runs.

    `prefixes` and `names` are by task and step: what stands before each line, and what a step is called where it is told
    what failed. `exited` stands before an exit code, `signaled` before one of `signals` (at their numbers), `done` before
    how long a script took that ended well (empty: its exit code is said), `skipped` is said of what does not run.
    """

    prefixes: Sequence[Sequence[bytes]]
    names: Sequence[Sequence[str]]
    exited: str
    signaled: str
    done: str
    skipped: str
    signals: Sequence[str]


@record
class Failures:
    """What is said at the end about failures: always, or where something did not run because of them (`tells_skipped`).

    `head` is before and after how many they are; `exited` and `ended` stand between the name of a script and its exit code
    or signal, `did_not_run` between a name and the reason; `failed` follows a reason that is a name, `another` is the one that is none.
    """

    is_always: bool
    tells_skipped: bool
    head: tuple[str, str]
    exited: str
    ended: str
    did_not_run: str
    failed: str
    another: str


@record
class Problems:
    """What is said where the run cannot go on, line ends included: as in `decision.Decision`, and more that can happen here.

    `unanswered` is for a guardian that does not answer, `output` for what cannot be written, by errno.
    """

    refused: Mapping[int, str]
    refused_else: tuple[str, str, str]
    lost: str
    unanswered: str
    descriptor_limit: str
    output: Mapping[int, str]
    failed: int = 1


def encode(
    plan: RunPlan, words: Words, failures: Failures, problems: Problems, *, grace_ms: int, dropped: Sequence[str]
) -> bytes:
    """Return the bytes of `plan`. Scripts get the environment of whoever carries it out, without `dropped`, and with what is set."""
    tasks = zip(plan.tasks, words.prefixes, words.names, strict=True)
    return b"".join(
        (
            number(grace_ms),
            number(plan.concurrency),
            number(plan.exit_on_error),
            number(plan.mode == "filter"),
            listed(map(text, dropped)),
            listed(_task(task, prefixes, names) for task, prefixes, names in tasks),
            *map(text, (words.exited, words.signaled, words.done, words.skipped)),
            listed(map(text, words.signals)),
            number(failures.is_always),
            number(failures.tells_skipped),
            *map(text, failures.head),
            *map(text, (failures.exited, failures.ended, failures.did_not_run, failures.failed, failures.another)),
            refusals(problems.refused, problems.refused_else),
            text(problems.lost),
            text(problems.unanswered),
            text(problems.descriptor_limit),
            listed(number(errno) + text(line) for errno, line in problems.output.items()),
            number(problems.failed),
        )
    )


def _task(task: Task, prefixes: Sequence[bytes], names: Sequence[str]) -> bytes:
    return b"".join(
        (
            text(task.label),
            text(task.folder),
            listed(map(number, task.after)),
            listed(map(_step, task.steps, prefixes, names)),
        )
    )


def _step(step: Step, prefix: bytes, name: str) -> bytes:
    return b"".join(
        (
            data(prefix),
            text(name),
            listed(map(text, step.argv)),
            listed(map(text, step.direct)),
            listed(text(name) + text(value) for name, value in step.variables.items()),
        )
    )
