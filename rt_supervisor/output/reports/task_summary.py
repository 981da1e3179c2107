"""`--summarize FILE`: a run of tasks as one JSON document, with what the cache decided; `docs/tasks.md` describes the schema."""

from __future__ import annotations

from .report import run_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .timings import TaskTimes, Timings

    Describe = Callable[[int], Mapping[str, Any]]
    """The function that returns what `cli` knows of a task: its title, key, cache decision and dependencies."""

SCHEMA_VERSION = 1


def summary_of(timings: Timings, describe: Describe) -> dict[str, Any]:
    """Return the summary as plain data."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "run": run_of(timings),
        "tasks": [_task(times, describe(times.task.key), timings.begun_at) for times in timings.tasks],
    }


def _task(times: TaskTimes, described: Mapping[str, Any], origin: float) -> dict[str, Any]:
    started_at = times.started_at
    return {
        **described,
        "folder": times.task.folder,
        "state": times.state,
        "status": times.status,
        "timedOut": times.has_timed_out,
        "attempts": times.attempts,
        "startedAtSeconds": None if started_at is None else round(started_at - origin, 6),
        "seconds": round(times.seconds, 6),
        "cpuSeconds": round(times.cpu_seconds, 6),
        "peakBytes": times.peak_bytes,
    }
