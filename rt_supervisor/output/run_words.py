"""The messages of a run of several scripts that is printed line by line, and of the list of failures at its end.

The native core prints them (`plan.run_record`). The list goes to stderr, in runs whose output is likely to be a log: if
scripts of a `--filter` run were skipped because a dependency failed, or in CI. In GitHub Actions, each failure is also
an annotation. A run on a terminal has blocks and a summary instead.
"""

from __future__ import annotations

import os

from ..plan.model import MODE_FILTER
from ..plan.run_record import Failures, Words
from ..vocabulary import messages
from ..vocabulary.events import ANOTHER_FAILED
from ..vocabulary.signal_names import signal_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..plan.model import RunPlan, Task

FOLDER_GONE = f"error: {messages.FOLDER_GONE}\n"
_PALETTE = (36, 33, 35, 32, 34, 96, 93, 95, 92, 94)
_REAL_TIME_END = 65


def words_of(plan: RunPlan, *, colour: bool, is_terminal: bool, has_prefixes: bool = True) -> Words:
    """Return the messages about the steps of `plan`; without prefixes if another display shows the run."""
    is_filter = plan.mode == MODE_FILTER
    return Words(
        prefixes=(
            prefixes(plan, colour=colour, is_terminal=is_terminal)
            if has_prefixes
            else [[b""] * len(task.steps) for task in plan.tasks]
        ),
        exited="Exited with code {code}",
        signaled="Signaled with code {signal}" if is_filter else "Signaled: {signal}",
        done="" if is_filter else "Done in {duration}",
        skipped="Skipped" if is_filter else "",
        signals=["", *(signal_name(number) for number in range(1, _REAL_TIME_END))],
    )


def failures_of(plan: RunPlan, *, is_ci: bool, annotates: bool) -> Failures:
    """Return the messages of the list of failures; `annotates` adds GitHub's workflow commands."""
    names = [[_name(task.label, step.name) for step in task.steps] for task in plan.tasks]
    return Failures(
        is_always=is_ci,
        lists_skipped=plan.mode == MODE_FILTER,
        names=names,
        annotated_names=[[_escape(name) if annotates else "" for name in each] for each in names],
        head=f"error: {{count}} of {len(plan.tasks)} scripts failed\n",
        exited="  {name} exited with code {code}\n",
        signaled="  {name} ended by {signal}\n",
        skipped="  {name} did not run, because {reason}\n",
        dependency="{name} failed",
        unrelated=ANOTHER_FAILED,
        annotated_exit="::error title={name}::{name} exited with code {code}\n" if annotates else "",
        annotated_signal="::error title={name}::{name} ended by {signal}\n" if annotates else "",
    )


def prefixes(plan: RunPlan, *, colour: bool, is_terminal: bool) -> list[list[bytes]]:
    """Return the prefix of each line, by task and step; on a terminal, labels are sanitized."""
    shown = _harmless if is_terminal else str
    if plan.mode == MODE_FILTER:
        return [
            [os.fsencode(shown(f"{task.package} {step.name}{_attempt(task)}{_agent(task)}: ")) for step in task.steps]
            for task in plan.tasks
        ]
    labels = [shown(task.label) for task in plan.tasks]
    width = max(map(_cells, labels), default=0)
    made = []
    for key, (task, label) in enumerate(zip(plan.tasks, labels, strict=True)):
        label += " " * (width - _cells(label))
        if colour:
            label = f"\x1b[{_PALETTE[key % len(_PALETTE)]}m{label}\x1b[0m"
        made.append([os.fsencode(f"{label} | ")] * len(task.steps))
    return made


def _attempt(task: Task) -> str:
    return f" (attempt {task.attempt})" if task.attempt > 1 else ""


def _agent(task: Task) -> str:
    return f" @{task.agent}" if task.agent else ""


def _name(label: str, step: str) -> str:
    """Return a task's label, with the name of the hook if the hook failed."""
    return label if label.endswith(step) else f"{label} ({step})"


def _escape(text: str) -> str:
    """Escape text for a property of a GitHub workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace(":", "%3A").replace(",", "%2C")


def _harmless(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    from .drawing.sanitize import harmless_label

    return harmless_label(text)


def _cells(text: str) -> int:
    if text.isascii():
        return len(text)
    from .drawing.cells import width

    return width(text)
