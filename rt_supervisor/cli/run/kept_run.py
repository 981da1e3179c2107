"""What is kept of a run of several scripts for the launcher: its plan, with every word that it may print (`plan.kept_plan`).

Only runs that print lines off a terminal, all of whose scripts are processes, are kept. What they print is what
`output.displays.prefixed` and `output.reports.failures` do; `native/guardian/src/prefixed.rs` prints it without them.
"""

from __future__ import annotations

import errno
import os

from ...output import plain
from ...output.displays.prefixed import PrefixedDisplay
from ...output.reports import failures
from ...output.writer import Writer, refusal_words
from ...plan import kept_plan
from ...plan.model import MODE_FILTER
from ...settings.environment import DROPPED
from ...start import cached_start as replay
from ...start.dependencies import Asked, evidence
from ...vocabulary.events import ANOTHER_FAILED, Exited, Signaled
from ...vocabulary.signal_names import signal_name
from ...workers.outcomes import DESCRIPTOR_LIMIT, GUARDIAN_LOST, GUARDIAN_UNANSWERED, refusal
from ..colours import wants_colour
from ..streams import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...plan.model import RunPlan
    from ..request import Request

_REAL_TIME_END = 65
_REFUSED = (errno.EAGAIN, errno.E2BIG, errno.ENOMEM)
_NUMBER = 999


def answer(request: Request, plan: RunPlan, *, grace_s: float) -> bytes | None:
    """Return what is to be kept, as things are now; None where nobody asks, or the launcher cannot carry it out."""
    if not _may_be_kept(request, plan):
        return None
    asked = Asked(request.environment)
    if asked.get("GITHUB_ACTIONS"):  # annotations
        return None
    is_filter = plan.mode == MODE_FILTER
    display = PrefixedDisplay(plan, out=Writer(1), err=Writer(2), colour=wants_colour(1, asked))
    words = kept_plan.Words(
        prefixes=[[display.prefix(task.key, step) for step in range(len(task.steps))] for task in plan.tasks],
        names=[[failures.name_of(task.label, step.name) for step in task.steps] for task in plan.tasks],
        exited=display.words_of(Exited(_NUMBER)).removesuffix(str(_NUMBER)),
        signaled=display.words_of(Signaled(_NUMBER)).removesuffix(signal_name(_NUMBER)),
        done="" if is_filter else "Done in ",
        skipped="Skipped" if is_filter else "",
        signals=["", *(signal_name(number) for number in range(1, _REAL_TIME_END))],
    )
    told = kept_plan.Failures(
        is_always=bool(asked.get("CI")),
        tells_skipped=is_filter,
        head=("error: ", f" of {len(plan.tasks)} scripts failed\n"),
        exited=" exited with code ",
        ended=" ended by ",
        did_not_run=" did not run, because ",
        failed=" failed",
        another=ANOTHER_FAILED,
    )
    colour = wants_colour(2, asked)

    def line(message: str) -> str:
        return shown(2, plain.error(message, colour=colour) + "\n")

    problems = kept_plan.Problems(
        refused={number: line(refusal(number, "", None).failure.message) for number in _REFUSED},
        refused_else=(line(refusal(0, "", None).failure.message).removesuffix(": \n"), ": ", "\n"),
        lost=line(GUARDIAN_LOST),
        unanswered=line(GUARDIAN_UNANSWERED),
        descriptor_limit=line(DESCRIPTOR_LIMIT),
        output={number: line(refusal_words(number, os.strerror(number))) for number in sorted(errno.errorcode)},
    )
    return replay.answer_of_several(
        kept_plan.encode(plan, words, told, problems, grace_ms=int(grace_s * 1000), dropped=DROPPED)
    )


def _may_be_kept(request: Request, plan: RunPlan) -> bool:
    invocation = request.invocation
    is_plain = invocation.text("output") == "stream" and not invocation.is_set("watch")
    is_reported = bool(invocation.options.get("summary")) or "report" in invocation.options
    is_seen = os.isatty(1) or (plan.mode != MODE_FILTER and os.isatty(2))
    depends_on_cpus = "%" in (invocation.text("concurrency") or "")
    return (
        evidence.is_whole
        and request.environment is os.environ
        and is_plain
        and not (is_reported or is_seen or depends_on_cpus)
        and bool(plan.tasks)
        and not any(step.program for task in plan.tasks for step in task.steps)
    )
