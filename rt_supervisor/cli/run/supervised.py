"""Chooses what shows a multi-script run, and has it carried out."""

from __future__ import annotations

import os

from ...output.writer import Writer
from ...plan.model import MODE_FILTER
from ...supervising.supervisor import Supervisor
from ..colours import wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...output.display import Display, Observer
    from ...output.reports.timings import Timings
    from ...plan.model import RunPlan
    from ...supervising.watched_run import RunResult, Watch
    from ...workers.client import GuardianClient
    from ..request import Request


def supervise(
    request: Request, plan: RunPlan, client: GuardianClient, *, grace_s: float, watch: Watch | None = None
) -> RunResult:
    """Run `plan` and show it as the flags and the terminal want it; again and again with `watch`. Raises Failed."""
    out, err = Writer(1), Writer(2)
    display = _display(request, plan, out, err)
    timings, observers = _observers(request, plan, out)
    if not os.isatty(1) and request.invocation.text("output") != "json" and watch is None:
        from ...output.reports.failures import Failures

        observers.append(Failures(plan, err=err, environment=request.environment))
    if observers:
        from ...output.displays.fan_out import FanOut

        if timings is not None:
            from ...output.reports.tree_memory import TreeMemory

            display = FanOut(display, *observers, meter=TreeMemory(timings))
        else:
            display = FanOut(display, *observers)
    return Supervisor(plan, display, client=client, writers=(out, err), grace_s=grace_s, watch=watch).run()


def _display(request: Request, plan: RunPlan, out: Writer, err: Writer) -> Display:
    colour = wants_colour(1, request.environment)
    is_terminal = os.isatty(1)
    match request.invocation.text("output"):
        case "json":
            from ...output.displays.json_lines import JsonLinesDisplay

            return JsonLinesDisplay(plan, out=out)
        case "grouped":
            from ...output.displays.grouped import GroupedDisplay

            return GroupedDisplay(plan, out=out, colour=colour, is_terminal=is_terminal)
    if plan.mode == MODE_FILTER and is_terminal and request.environment.get("TERM") != "dumb":
        from ...output.displays.elided import ElidedDisplay

        return ElidedDisplay(
            plan,
            out=out,
            elide_lines=request.invocation.number("elide-lines") or 0,
            colour=colour,
            clears=colour and request.invocation.is_set("watch") and not request.invocation.is_set("no-clear-screen"),
        )
    from ...output.displays.prefixed import PrefixedDisplay

    return PrefixedDisplay(plan, out=out, err=err, colour=colour)


def _observers(request: Request, plan: RunPlan, out: Writer) -> tuple[Timings | None, list[Observer]]:
    """The timings, and who else observes: the report, and on a terminal the summary. None where neither is wanted."""
    from ...output.reports import summary

    asked = request.invocation.options.get("summary")
    is_terminal = os.isatty(1) and request.invocation.text("output") == "stream"
    wants_summary = summary.is_wanted(plan, is_terminal=is_terminal, asked=None if asked is None else bool(asked))
    report = request.invocation.text("report") if "report" in request.invocation.options else None
    if not wants_summary and report is None:
        return None, []
    from ...output.reports.timings import Timings

    timings = Timings(plan)
    observers: list[Observer] = [timings]
    if report is not None:
        from ...output.reports.report import ReportWriter

        observers.append(ReportWriter(timings, path=report))
    if wants_summary:
        observers.append(summary.Summary(timings, out=out, colour=wants_colour(1, request.environment)))
    return timings, observers
