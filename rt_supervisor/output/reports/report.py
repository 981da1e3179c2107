"""`--report FILE`: all data about a run as one JSON document; `docs/output.md` describes the schema.

The file is written atomically, also after a failed or interrupted run. Whether it can be written is checked before the
first script starts.
"""

from __future__ import annotations

import os
import time

from ...vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ...vocabulary.events import Event
    from .timings import StepTimes, TaskTimes, Timings

SCHEMA_VERSION = 1
READER_PATIENCE_S = 5.0
READER_STEP_S = 0.02


class ReportWriter:
    """An observer that writes the data of `timings` (an observer before it) at the end of the run."""

    def __init__(self, timings: Timings, *, path: str, make: Callable[[Timings], dict[str, Any]] | None = None) -> None:
        """`make` returns the document; by default, it is the report. Raises Failed if a file cannot be written to `path`."""
        self._timings = timings
        self._make = make or report_of
        self._path = path
        folder = os.path.dirname(os.path.abspath(path))
        if os.path.isdir(path):
            raise _unwritable(path, "it is a folder")
        if not os.path.isdir(folder):
            raise _unwritable(path, f"the folder {folder} does not exist")
        if not os.access(path if _is_special(path) else folder, os.W_OK):
            raise _unwritable(path, "permission denied")

    def event(self, event: Event) -> None:
        return

    def close(self) -> None:
        """Write the report. Raises Failed."""
        import json

        text = json.dumps(self._make(self._timings), indent=2, ensure_ascii=False)
        try:
            # Invalid UTF-8 in a name becomes U+FFFD, because JSON is UTF-8.
            data = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").encode()
            _write(self._path, data + b"\n")
        except OSError as error:
            raise _unwritable(self._path, error.strerror or str(error)) from error


def report_of(timings: Timings) -> dict[str, Any]:
    """Return the report as plain data."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "run": run_of(timings),
        "tasks": [_task(task, timings.begun_at) for task in timings.tasks],
    }


def run_of(timings: Timings) -> dict[str, Any]:
    """Return what is known of the run as a whole."""
    from ...vocabulary.signal_names import signal_name

    plan = timings.plan
    return {
        "mode": plan.mode,
        "concurrency": plan.concurrency,
        "exitOnError": plan.exit_on_error,
        "startedAt": _iso(timings.begun_clock),
        "seconds": _round(timings.wall_seconds),
        "status": next((task.status for task in timings.tasks if task.status), 0),
        "interruptedBy": None if timings.interrupted_by is None else signal_name(timings.interrupted_by),
        "parallelism": round(timings.parallelism, 3),
        "longestChain": [task.task.key for task in timings.longest_chain()],
        "warnings": list(plan.warnings),
    }


def _task(times: TaskTimes, origin: float) -> dict[str, Any]:
    task = times.task
    return {
        "key": task.key,
        "label": task.label,
        "package": task.package,
        "script": task.script,
        "folder": task.folder,
        "after": list(task.after),
        "why": task.why,
        "state": times.state,
        "status": times.status,
        "timedOut": times.has_timed_out,
        "attempts": times.attempts,
        "startedAtSeconds": _since(times.started_at, origin),
        "endedAtSeconds": _since(times.ended_at if times.started_at is not None else None, origin),
        "seconds": _round(times.seconds),
        "cpuSeconds": _round(times.cpu_seconds),
        "peakBytes": times.peak_bytes,
        "treePeakBytes": times.tree_peak_bytes,
        "steps": [_step(step, origin) for step in times.steps],
    }


def _step(times: StepTimes, origin: float) -> dict[str, Any]:
    from ..drawing.outcomes import as_json

    outcome = {"outcome": "skipped" if times.skipped_because is not None else "unfinished"}
    return {
        "name": times.step.name,
        "command": times.step.command,
        **(outcome if times.outcome is None else as_json(times.outcome)),
        "skippedBecause": times.skipped_because,
        "pid": times.pid,
        "startedAtSeconds": _since(times.started_at, origin),
        "seconds": _round(times.seconds),
        "cpuSeconds": _round(times.cpu_seconds),
        "peakBytes": times.peak_bytes,
        "treePeakBytes": times.tree_peak_bytes,
    }


def _write(path: str, data: bytes) -> None:
    if _is_special(path):  # /dev/stderr or a pipe cannot be replaced
        _write_through(path, data)
        return
    target = os.path.realpath(path)
    unfinished = f"{target}.{os.getpid()}.tmp"
    try:
        with open(unfinished, "xb") as file:
            file.write(data)
        os.replace(unfinished, target)
    except BaseException:
        if os.path.exists(unfinished):
            os.unlink(unfinished)
        raise


def _write_through(path: str, data: bytes) -> None:
    """Write to a pipe or device. Does not wait forever for a reader that never opens it or stops reading."""
    import errno
    import select

    end = time.monotonic() + READER_PATIENCE_S
    while True:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
            break
        except OSError as error:
            if error.errno != errno.ENXIO or time.monotonic() > end:
                raise
            time.sleep(READER_STEP_S)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLOUT)
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(descriptor, view) :]
            except BlockingIOError:
                if not poll.poll(READER_PATIENCE_S * 1000):
                    raise OSError(errno.EAGAIN, "nothing reads from it") from None
    finally:
        os.close(descriptor)


def _is_special(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path)


def _unwritable(path: str, reason: str) -> Failed:
    return Failed("report-unwritable", f'Cannot write the report "{path}": {reason}')


def _iso(clock: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(clock)) + f".{int(clock % 1 * 1000):03d}Z"


def _round(seconds: float) -> float:
    return round(seconds, 6)


def _since(at: float | None, origin: float) -> float | None:
    return None if at is None else _round(at - origin)
