"""Chooses what shows a run of several scripts, and has the native run core carry it out."""

from __future__ import annotations

import os

from ... import _native
from ...output.reports import collector
from ...output.writer import Writer
from ...plan.run_record import ProcessEncoder
from ...settings.environment import DROPPED
from ...supervising.run_stops import failure_of
from ...supervising.watched_run import RunResult
from ..colours import wants_colour
from .run_form import BLOCKS, STREAM, TUI, form_of
from .run_records import record_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..._native import RunCore
    from ...control.server import ControlServer
    from ...output.display import Display, Meter, Observer
    from ...output.displays.elided import ElidedDisplay
    from ...output.reports.process_samples import ProcessSamples
    from ...output.reports.report import ReportWriter
    from ...output.reports.task_summary import Describe
    from ...output.reports.timings import Timings
    from ...output.reports.trace_parents import TraceParents
    from ...plan.model import RunPlan, Task
    from ...screen.display import ScreenDisplay
    from ...supervising.supervisor import Supervisor
    from ...supervising.watched_run import Watch
    from ...workers.client import GuardianClient
    from ..request import Request
    from .run_form import Form

    MakeControl = Callable[[], ControlServer | None]
    Encode = Callable[[RunPlan], bytes]
    EncodeProcesses = Callable[[Task], bytes]
    MakeRunner = Callable[[RunCore, Display, Encode, EncodeProcesses, MakeControl | None], Supervisor]


def supervise(
    request: Request,
    plan: RunPlan,
    client: GuardianClient,
    *,
    grace_s: float,
    watch: Watch | None = None,
    record: bytes | None = None,
    make_runner: MakeRunner | None = None,
    describe: Describe | None = None,
    has_service: bool = False,
) -> RunResult:
    """Run `plan` and show it as the flags and the terminal require; again and again with `watch`. Raises Failed.

    `record` is that of `plan`, if it was made already. `make_runner` makes the policy of a run that schedules its tasks itself;
    `describe` is what --summarize needs to know of each. `has_service` says whether a task is persistent.
    """
    form = form_of(request, plan, has_service=has_service)
    is_printed = form == STREAM
    is_driven = make_runner is not None
    is_watched = watch is not None or (make_runner is not None and request.invocation.is_set("watch"))

    parents = None if is_watched else _trace_parents(request)

    def encode(plan: RunPlan) -> bytes:
        if parents is not None and not is_driven:
            plan = parents.in_environment(plan)
        return record_of(request, plan, grace_s=grace_s, is_printed=is_printed, has_processes=not is_driven)

    processes = ProcessEncoder(DROPPED)

    def encode_processes(task: Task) -> bytes:
        return processes.encode_steps(task if parents is None else parents.in_environment_of(task))

    screen: ScreenDisplay | None = None
    is_controlled = is_watched or form == TUI or (form == BLOCKS and has_service) or request.invocation.is_set("detach")

    def open_control() -> ControlServer | None:
        from . import controlled_run

        control = controlled_run.open_control(request, plan, has_terminals=form == TUI)
        if control is not None and form == BLOCKS and blocks is not None and os.isatty(0):
            from ...control.block_keys import BlockKeys

            control.read_keys(BlockKeys(0, blocks.announce))
        if screen is not None:
            screen.open(None if control is None else controlled_run.own_folder())
        return control

    make_control = open_control if is_controlled else None
    guardian, channel, mark = client.hand_over()
    core = _native.RunCore(
        record if record and parents is None else encode(plan),
        guardian=guardian,
        channel=channel,
        mark=mark,
        prints=is_printed,
        lists_failures=not os.isatty(1) and request.invocation.text("output") not in ("json", "raw") and not is_watched,
        is_watched=is_watched,
        is_driven=is_driven,
        reports_output=is_controlled,
        terminal=_view_size() if form == TUI else None,
        make_cleaner=_make_cleaner if os.isatty(1) or os.isatty(2) else None,
    )
    out, err = Writer(1, core.write), Writer(2, core.write)
    observers, meters = _observers(request, plan, out, describe, parents)
    is_only_printed = is_printed and make_control is None and not observers
    if is_only_printed and make_runner is None:
        return _run_printed(core)
    if is_only_printed:
        core.hide_replays()
    blocks = _blocks(request, plan, out) if form in (BLOCKS, TUI) else None
    display = _display(request, plan, form, out, err) if blocks is None else blocks
    if form == TUI:
        display = screen = _screen(request, display, out)
    if observers:
        from ...output.displays.fan_out import FanOut

        display = FanOut(display, *observers, meters=meters)
    if make_runner is not None:
        supervisor = make_runner(core, display, encode, encode_processes, make_control)
    else:
        from ...supervising.supervisor import Supervisor

        supervisor = Supervisor(core, display, encode=encode, watch=watch, make_control=make_control, grace_s=grace_s)
    if make_control is None:
        return supervisor.run()
    from .controlled_run import close_control

    result = None
    try:
        result = supervisor.run()
    finally:
        if result is None or result.next_plan is None:
            close_control()
    return result


def _run_printed(core: RunCore) -> RunResult:
    """Have the core run the plan to its end without a policy. Raises Failed."""
    failed = None
    for act in (core.run, core.close, core.print_failures):
        try:
            act()
        except _native.RunStopped as stopped:
            failed = failure_of(stopped) or failed
    if failed is not None:
        raise failed
    return RunResult(core.exit_status, core.signal)


def _make_cleaner(descriptor: int) -> Callable[[bytes], bytes] | None:
    """Return what removes control sequences from a script's stream that goes to a terminal; what is piped is left as it is."""
    if not os.isatty(descriptor):
        return None
    from ...output.drawing.sanitize import Sanitizer

    return Sanitizer()


def _display(request: Request, plan: RunPlan, form: Form, out: Writer, err: Writer) -> Display:
    """Return what shows the run in a form other than blocks."""
    colour = wants_colour(1, request.environment)
    match form:
        case "stream":
            from ...output.displays.prefixed import PrefixedDisplay

            return PrefixedDisplay(err=err)
        case "json":
            from ...output.displays.json_lines import JsonLinesDisplay

            return JsonLinesDisplay(plan, out=out)
        case "grouped":
            from ...output.displays.grouped import GroupedDisplay

            return GroupedDisplay(plan, out=out, colour=colour, is_terminal=os.isatty(1))
        case "raw":
            from ...output.displays.raw import RawDisplay

            return RawDisplay(plan, out=out, err=err)
    raise AssertionError(f"{form} is not a form of lines")


def _blocks(request: Request, plan: RunPlan, out: Writer) -> ElidedDisplay:
    from ...output.displays.elided import ElidedDisplay

    colour = wants_colour(1, request.environment)
    return ElidedDisplay(
        plan,
        out=out,
        elide_lines=request.invocation.number("elide-lines") or 0,
        colour=colour,
        clears=colour and request.invocation.is_set("watch") and not request.invocation.is_set("no-clear-screen"),
    )


def _view_size() -> tuple[int, int]:
    """Return the rows and columns of a script's terminal in the screen."""
    from ...output.drawing.terminal import terminal_size
    from ...screen.layout import layout_of

    layout = layout_of(*terminal_size(1))
    return layout.view_rows, layout.view_columns


def _screen(request: Request, behind: Display, out: Writer) -> ScreenDisplay:
    from ...screen.display import ScreenDisplay
    from ..streams import warn

    invocation = request.invocation
    history = invocation.number("ui-scrollback") or 0
    return ScreenDisplay(behind, out=out, settings=invocation.texts("ui-key"), history=history, warn=warn)


def _observers(
    request: Request, plan: RunPlan, out: Writer, describe: Describe | None, parents: TraceParents | None
) -> tuple[list[Observer], list[Meter]]:
    """Return the timings and the other observers (the files, and on a terminal the summary), and those that measure; none if none is
    wanted.
    """
    from ...output.reports import summary

    requested = request.invocation.options.get("summary")
    is_terminal = os.isatty(1) and request.invocation.text("output") == "stream"
    wants_summary = summary.is_wanted(
        plan, is_terminal=is_terminal, requested=None if requested is None else bool(requested)
    )
    report = request.invocation.text("report") if "report" in request.invocation.options else None
    trace = request.invocation.text("trace") if "trace" in request.invocation.options else None
    summarize = request.invocation.text("summarize") if describe is not None else None
    has_spans = _has_spans(request)
    if not (wants_summary or report is not None or trace is not None or summarize or has_spans):
        return [], []
    from ...output.reports.timings import Timings
    from ...output.reports.tree_memory import TreeMemory

    timings = Timings(plan)
    observers: list[Observer] = [timings]
    meters: list[Meter] = [TreeMemory(timings)]
    if report is not None:
        from ...output.reports.report import ReportWriter

        observers.append(ReportWriter(timings, path=report))
    if trace is not None:
        from ...output.reports.process_samples import ProcessSamples

        samples = ProcessSamples()
        meters.append(samples)
        observers += _trace(timings, samples, trace)
    if summarize and describe is not None:
        observers.append(_summarize(timings, summarize, describe))
    if has_spans:
        from ...output.reports.spans import Spans
        from ..streams import warn

        observers.append(Spans(timings, request.environment, say=warn, parents=parents))
    if wants_summary:
        observers.append(summary.Summary(timings, out=out, colour=wants_colour(1, request.environment)))
    return observers, meters


def _has_spans(request: Request) -> bool:
    return collector.is_named(request.environment) and collector.has_exporter()


def _trace_parents(request: Request) -> TraceParents | None:
    """Return the identities of the spans of a run, None if it sends none. In a watched run, a task has a span for each of its runs."""
    if not _has_spans(request):
        return None
    from ...output.reports.trace_parents import TraceParents

    return TraceParents(request.environment)


def _trace(timings: Timings, samples: ProcessSamples, path: str) -> list[Observer]:
    """Return the observers that write a trace to `path`. Raises Failed if that is not possible."""
    from ...output.reports.report import ReportWriter
    from ...output.reports.trace import Trace

    trace = Trace(timings.plan, begun_at=timings.begun_at, samples=samples)
    return [trace, ReportWriter(timings, path=path, make=lambda _: trace.document())]


def _summarize(timings: Timings, path: str, describe: Describe) -> ReportWriter:
    from ...output.reports.report import ReportWriter
    from ...output.reports.task_summary import summary_of

    return ReportWriter(timings, path=path, make=lambda known: summary_of(known, describe))
