"""A run of several scripts as bytes, for the native run core: `native/wire/src/plan.rs` decodes them.

A record holds the plan and every message that the run may print, as templates with named fields (`{name}`), with line
ends and colours. The core makes no decision about what runs and contains no messages itself.
"""

from __future__ import annotations

import os

from ..start.decision import Refusals, data, listed, number, refusals, text
from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .model import RunPlan, Step, Task


@record
class Words:
    """Messages about the ends of steps.

    `prefixes` are printed before each line, by task and step. Fields: `exited` has `code`, `signaled` has `signal` (one
    of `signals`, at its number), `done` has `duration`. If `done` is empty, `exited` is printed for success; if
    `skipped` is empty, nothing is printed.
    """

    prefixes: Sequence[Sequence[bytes]]
    exited: str
    signaled: str
    done: str
    skipped: str
    signals: Sequence[str]


@record
class Failures:
    """The list of failures at the end of a run.

    It is printed if `is_always`, if there are annotations, or with `lists_skipped` if a task was skipped. `names` and
    `annotated_names` are by task and step. Fields: `head` has `count`; `exited` and `annotated_exit` have `name` and `code`;
    `signaled` and `annotated_signal` have `name` and `signal`; `skipped` has `name` and `reason`, which is `dependency` (with
    `name`) or `unrelated`. Empty annotations are not printed.
    """

    is_always: bool
    lists_skipped: bool
    names: Sequence[Sequence[str]]
    annotated_names: Sequence[Sequence[str]]
    head: str
    exited: str
    signaled: str
    skipped: str
    dependency: str
    unrelated: str
    annotated_exit: str = ""
    annotated_signal: str = ""


@record
class Problems:
    """Messages about errors that end the run with exit status `failed`, with line ends.

    `refusals` are about a process that the system did not start. `output` is by errno, for output that cannot be written.
    `folder_gone` has the field `folder`: it is printed if the folder of a watched script was deleted.
    """

    folder_gone: str
    refusals: Refusals = Refusals()
    lost: str = ""
    unanswered: str = ""
    descriptor_limit: str = ""
    output: Mapping[int, str] = {}
    failed: int = 1


def encode(
    plan: RunPlan,
    words: Words,
    failures: Failures,
    problems: Problems,
    *,
    grace_ms: int,
    dropped: tuple[str, ...],
    joins_streams: bool,
    has_processes: bool = True,
) -> bytes:
    """Return the record of `plan`. With `joins_streams` each script has one pipe for both of its streams. A record that has no processes
    is for a driven run, whose driver supplies them (`ProcessEncoder`) when a task starts.

    Scripts get the environment of the process that runs the record, without the variables whose names begin with one of
    `dropped`, and with the differences between rt's present environment and that of each step.
    """
    processes = ProcessEncoder(dropped)
    encode_process = processes.encode if has_processes else _no_process
    known = processes.texts
    per_task = zip(plan.tasks, words.prefixes, failures.names, failures.annotated_names, strict=True)
    tasks = [
        b"".join(
            (
                text(task.label),
                text(task.folder),
                listed([number(key) for key in task.after]),
                listed(
                    [
                        b"".join(
                            (
                                data(prefix),
                                *[known.get(each) or text(each) for each in (step.name, name, annotated)],
                                encode_process(step),
                            )
                        )
                        for step, prefix, name, annotated in zip(
                            task.steps, prefixes, names, annotated_names, strict=True
                        )
                    ]
                ),
            )
        )
        for task, prefixes, names, annotated_names in per_task
    ]
    return b"".join(
        (
            number(grace_ms),
            number(plan.concurrency),
            number(plan.is_adaptive),
            number(plan.exit_on_error),
            number(joins_streams),
            listed(map(text, dropped)),
            listed(tasks),
            *map(text, (words.exited, words.signaled, words.done, words.skipped)),
            _signals(tuple(words.signals)),
            number(failures.is_always),
            number(failures.lists_skipped),
            *map(text, (failures.head, failures.exited, failures.signaled, failures.skipped)),
            *map(text, (failures.dependency, failures.unrelated, failures.annotated_exit, failures.annotated_signal)),
            refusals(problems.refusals),
            text(problems.lost),
            text(problems.unanswered),
            text(problems.descriptor_limit),
            listed(number(errno) + text(line) for errno, line in problems.output.items()),
            text(problems.folder_gone),
            number(problems.failed),
        )
    )


def _signals(names: tuple[str, ...]) -> bytes:
    """Encode the names of signals, which are the same in all records of a process."""
    encoded = _ENCODED.get(names)
    if encoded is None:
        encoded = _ENCODED[names] = listed(map(text, names))
    return encoded


_ENCODED: dict[tuple[str, ...], bytes] = {}


def _no_process(_: Step) -> bytes:
    return _NO_PROCESS


_NO_PROCESS = listed(()) * 5 + text("")


class _ExactTexts(dict[str, bytes]):
    """The encodings of texts, which must be possible without loss. Most variables are the same for all steps."""

    def __missing__(self, value: str) -> bytes:
        encoded = self[value] = data(os.fsencode(value))
        return encoded


class ProcessEncoder:
    """Encodes what steps start. Scripts do not get the variables of rt that begin with `dropped`."""

    def __init__(self, dropped: tuple[str, ...]) -> None:
        self._base = dict(os.environ)
        self._dropped = dropped
        self.texts = _ExactTexts({"": text("")})
        self._removed: dict[tuple[str, ...], bytes] = {}  # by the names of the variables that a step has

    def encode_steps(self, task: Task) -> bytes:
        """Encode the processes of a task, which `RunCore.start` requires if the record has none."""
        return listed(map(self.encode, task.steps))

    def encode(self, step: Step) -> bytes:
        """Encode a process. A step whose arguments cannot be encoded as bytes is refused at its turn."""
        get, exact = self._base.get, self.texts
        changed = {name: value for name, value in step.environment.items() if get(name) != value}
        if not step.program:  # a worker of a zygote receives only the differences; the run is never cached
            changed.update(step.variables)
        try:
            return b"".join(
                (
                    *[listed([exact[word] for word in each]) for each in (step.argv, step.direct, step.program)],
                    number(len(changed)),
                    *[exact[each] for variable in changed.items() for each in variable],
                    self._removed_by(tuple(step.environment)),
                    exact[""],
                )
            )
        except UnicodeEncodeError as error:
            return listed(()) * 5 + text(str(error))

    def _removed_by(self, names: tuple[str, ...]) -> bytes:
        """Encode the names of the variables of rt that are not among `names`. Most steps have the same variables."""
        encoded = self._removed.get(names)
        if encoded is None:
            removed = [name for name in sorted(self._base.keys() - set(names)) if not name.startswith(self._dropped)]
            encoded = self._removed[names] = listed([self.texts[name] for name in removed])
        return encoded
