"""OpenTelemetry: a span for the run, one for each task, and one for each step that ran, sent by OTLP over HTTP.

They are sent while the run goes on, in a thread of the SDK, which reads the address, the headers and the other settings from the usual
variables (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`). The span of the run is a child of the one that
`TRACEPARENT` names, and scripts get those of their tasks (`trace_parents`). A collector that does not answer never fails the run: at its end,
`say` receives one message.
"""

from __future__ import annotations

import logging

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Status, StatusCode, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from ...vocabulary.events import Exited, Signaled, StepEnded, TaskEnded
from ...vocabulary.signal_names import signal_name
from .timings import DONE, FAILED, INTERRUPTED, SKIPPED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.trace import Span

    from ...vocabulary.events import Event
    from .timings import StepTimes, TaskTimes, Timings
    from .trace_parents import TraceParents

_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_RESULTS = {DONE: "success", FAILED: "failure", INTERRUPTED: "cancellation", SKIPPED: "skip"}
_LOGGER = "opentelemetry"
_NS = 1_000_000_000


class Spans:
    """An observer that sends spans. `timings` observes the same run before it; `parents` has the identities that scripts know."""

    def __init__(
        self,
        timings: Timings,
        environment: Mapping[str, str],
        *,
        say: Callable[[str], None],
        parents: TraceParents | None,
    ) -> None:
        self._timings = timings
        self._say = say
        self._saved: dict[int, float] = {}
        self._exporter = _CountingExporter(environment)
        self._ids = _Ids(parents)
        self._provider = TracerProvider(
            resource=Resource.create({} if environment.get("OTEL_SERVICE_NAME") else {"service.name": "rt"}),
            shutdown_on_exit=False,
            id_generator=self._ids,
        )
        self._provider.add_span_processor(BatchSpanProcessor(self._exporter))
        self._tracer = self._provider.get_tracer("rt")
        carrier = {name.lower(): environment.get(name, "") for name in ("TRACEPARENT", "TRACESTATE")}
        outer = TraceContextTextMapPropagator().extract(carrier)
        self._run = self._tracer.start_span("rt run", outer, start_time=self._unix_ns(timings.begun_at))
        self._context = set_span_in_context(self._run)

    def event(self, event: Event) -> None:
        match event:
            case StepEnded(task=task, saved_seconds=float(saved)):
                self._saved[task] = saved
            case TaskEnded(task=task):
                self._add_task(self._timings.tasks[task], self._saved.pop(task, None), event.at)

    def close(self) -> None:
        """End the span of the run and send what was not sent yet, for at most the time that the exporter gives a request."""
        timings = self._timings
        self._run.set_attributes({f"rt.tasks.{state}": timings.count(state) for state in _RESULTS})
        if timings.count(FAILED) or timings.interrupted_by is not None:
            _set_error(self._run, "")
        self._run.end(self._unix_ns(timings.ended_at))
        self._provider.shutdown()
        if self._exporter.lost:
            reason = f": {self._exporter.reason}" if self._exporter.reason else ""
            self._say(f"{self._exporter.lost} spans were not sent to the OpenTelemetry collector{reason}")

    def _add_task(self, times: TaskTimes, saved: float | None, at: float) -> None:
        begun = at if times.started_at is None else times.started_at
        result = "timeout" if times.has_timed_out else _RESULTS.get(times.state, "error")
        self._ids.begin_task(times.task.key)
        span = self._tracer.start_span(times.task.label, self._context, start_time=self._unix_ns(begun))
        span.set_attributes(
            {
                "cicd.pipeline.task.name": times.task.label,
                "cicd.pipeline.task.run.result": result,
                "rt.package": times.task.package,
                "rt.script": times.task.script,
                "rt.attempts": times.attempts,
                "rt.cached": saved is not None,
            }
        )
        if saved is not None:
            span.set_attribute("rt.saved_seconds", saved)
        if times.skipped_because is not None:
            span.set_attribute("rt.skipped_because", times.skipped_because)
        if result in ("failure", "timeout", "error"):
            _set_error(span, _describe(times.failure))
        context = set_span_in_context(span)
        for step in times.steps if saved is None else ():
            if step.started_at is not None and step.outcome is not None:
                self._add_step(step, step.started_at, context)
        span.end(self._unix_ns(at))

    def _add_step(self, step: StepTimes, begun: float, context: Context) -> None:
        span = self._tracer.start_span(step.step.name, context, start_time=self._unix_ns(begun))
        span.set_attributes(
            {
                "process.command_line": step.step.command,
                "process.pid": step.pid or 0,
                "rt.cpu_seconds": step.cpu_seconds,
                "rt.peak_bytes": step.peak_bytes,
            }
        )
        if isinstance(step.outcome, Exited):
            span.set_attribute("process.exit.code", step.outcome.code)
        if step.outcome != Exited(0):
            _set_error(span, _describe(step.outcome))
        span.end(self._unix_ns(begun + step.seconds))

    def _unix_ns(self, at: float) -> int:
        """Return a time of `time.monotonic` as nanoseconds of Unix time."""
        return int((self._timings.begun_clock + at - self._timings.begun_at) * _NS)


def _describe(outcome: Exited | Signaled | None) -> str:
    match outcome:
        case None:
            return ""
        case Exited(code=code):
            return f"exited with code {code}"
        case Signaled(signal=number):
            return f"terminated by {signal_name(number)}"


def _set_error(span: Span, description: str) -> None:
    span.set_status(Status(StatusCode.ERROR, description))


class _Ids(RandomIdGenerator):
    """Gives the first span of each task the identity that its scripts know, and all others a random one."""

    def __init__(self, parents: TraceParents | None) -> None:
        self._parents = parents
        self._begun: set[int] = set()
        self._next: int | None = None

    def begin_task(self, task: int) -> None:
        """Make the next span that of `task`."""
        if self._parents is not None and task not in self._begun:
            self._begun.add(task)
            self._next = self._parents.span_id(task)

    def generate_span_id(self) -> int:
        known, self._next = self._next, None
        return super().generate_span_id() if known is None else known

    def generate_trace_id(self) -> int:
        return super().generate_trace_id() if self._parents is None else self._parents.trace_id


class _CountingExporter(SpanExporter):
    """The exporter of the SDK, which logs why it could not send something: `reason` is the last such message.

    `lost` counts the spans that were not sent.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.lost = 0
        self.reason = ""
        protocol = next((environment[name] for name in _PROTOCOLS if environment.get(name)), "http/protobuf")
        self._refusal = "" if protocol == "http/protobuf" else f"rt sends http/protobuf only, not {protocol}"
        logger = logging.getLogger(_LOGGER)
        logger.propagate = False
        logger.addHandler(_LastMessage(self))
        self._inner = OTLPSpanExporter()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.reason = self._refusal or self.reason
        result = SpanExportResult.FAILURE if self._refusal else self._inner.export(spans)
        if result is not SpanExportResult.SUCCESS:
            self.lost += len(spans)
        return result

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._inner.force_flush(timeout_millis)

    def shutdown(self) -> None:
        self._inner.shutdown()  # type: ignore[no-untyped-call]


class _LastMessage(logging.Handler):
    def __init__(self, exporter: _CountingExporter) -> None:
        super().__init__(logging.WARNING)
        self._exporter = exporter

    def emit(self, record: logging.LogRecord) -> None:
        self._exporter.reason = record.getMessage()
