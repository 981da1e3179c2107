"""The record of a run of several scripts (`plan.run_record`): for the run core of this process, and for the launcher's cache.

Only runs that print lines to something other than a terminal, and whose scripts are all processes, are cached: the launcher can
execute them alone.
"""

from __future__ import annotations

import errno
import os

from ...output import plain, run_words
from ...output.reports import collector
from ...output.writer import cannot_write
from ...plan import run_record
from ...plan.model import MODE_FILTER
from ...settings.environment import DROPPED
from ...start.dependencies import RecordedVariables, dependencies
from ...vocabulary.messages import DESCRIPTOR_LIMIT, GUARDIAN_LOST, GUARDIAN_UNANSWERED
from ...workers.outcomes import refusals
from ..colours import wants_colour
from ..streams import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...plan.model import RunPlan
    from ..request import Request


def record_of(
    request: Request,
    plan: RunPlan,
    *,
    grace_s: float,
    is_printed: bool = True,
    is_cached: bool = False,
    has_processes: bool = True,
) -> bytes:
    """Return the record of `plan`. It has prefixes if the core prints the run, and messages about all problems if the launcher
    may carry it out: Python makes those itself. One that has no processes is for a driven run."""
    variables = RecordedVariables(request.environment)
    colour = wants_colour(1, variables)
    return run_record.encode(
        plan,
        run_words.words_of(plan, colour=colour, is_terminal=os.isatty(1), has_prefixes=is_printed),
        run_words.failures_of(plan, is_ci=bool(variables.get("CI")), annotates=bool(variables.get("GITHUB_ACTIONS"))),
        _problems(variables) if is_cached else run_record.Problems(run_words.FOLDER_GONE),
        grace_ms=int(grace_s * 1000),
        dropped=DROPPED,
        joins_streams=plan.mode == MODE_FILTER and request.invocation.text("output") != "raw",
        has_processes=has_processes,
    )


def may_be_cached(request: Request, plan: RunPlan) -> bool:
    """Return whether the launcher could carry out the run of `plan`."""
    invocation = request.invocation
    is_plain = (
        invocation.text("output") == "stream" and not invocation.is_set("watch") and not invocation.is_set("detach")
    )
    is_reported = bool(invocation.options.get("summary")) or not invocation.options.keys().isdisjoint(
        ("report", "trace")
    )
    is_seen = os.isatty(1) or (plan.mode != MODE_FILTER and os.isatty(2))
    depends_on_cpus = "%" in (invocation.text("concurrency") or "")
    return (
        dependencies.question is not None
        and dependencies.is_recording
        and request.environment is os.environ
        and is_plain
        and not (is_reported or is_seen or depends_on_cpus)
        and not collector.is_named(RecordedVariables(request.environment))
        and bool(plan.tasks)
        and not any(step.program for task in plan.tasks for step in task.steps)
    )


def _problems(variables: RecordedVariables) -> run_record.Problems:
    colour = wants_colour(2, variables)

    def line(message: str) -> str:
        return shown(2, plain.error(message, colour=colour) + "\n")

    return run_record.Problems(
        folder_gone=run_words.FOLDER_GONE,
        refusals=refusals(line),
        lost=line(GUARDIAN_LOST),
        unanswered=line(GUARDIAN_UNANSWERED),
        descriptor_limit=line(DESCRIPTOR_LIMIT),
        output={number: line(cannot_write(number, os.strerror(number))) for number in sorted(errno.errorcode)},
    )
