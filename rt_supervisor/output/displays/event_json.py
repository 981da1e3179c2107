"""The events of a run as JSON: for `--output json`, and for the clients of a run (`control`). `docs/output.md` describes them.

Output of scripts is not an event; each of the two sends it in its own form.
"""

from __future__ import annotations

import time

from ...vocabulary.events import (
    ReadinessChanged,
    RunInterrupted,
    RunWaits,
    StepEnded,
    StepSkipped,
    StepStarted,
    TaskAssigned,
    TaskEnded,
    TaskRetried,
    TasksRestarted,
)
from ...vocabulary.signal_names import signal_name
from ..drawing.outcomes import as_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...plan.model import RunPlan
    from ...vocabulary.events import Event


def described(event: Event, plan: RunPlan, *, origin: float) -> dict[str, Any]:
    """Return `event` as an object: its name as "event", its fields, and when it happened, in seconds after `origin` (monotonic)."""
    name, fields, at = _fields(event, plan)
    return {"event": name, **fields, "at": round((time.monotonic() if at is None else at) - origin, 6)}


def described_tasks(plan: RunPlan) -> list[dict[str, Any]]:
    """Return what a client needs to know of the tasks of a plan before the first event."""
    return [
        {
            "task": task.key,
            "label": task.label,
            "package": task.package,
            "script": task.script,
            "folder": task.folder,
            "after": task.after,
            "steps": [{"name": step.name, "command": step.command} for step in task.steps],
        }
        for task in plan.tasks
    ]


def _fields(event: Event, plan: RunPlan) -> tuple[str, dict[str, Any], float | None]:
    match event:
        case StepStarted(task=task, step=step, pid=pid, at=at):
            return "step-started", {**_names(plan, task, step), "pid": pid}, at
        case StepEnded(task=task, step=step, outcome=outcome, at=at, seconds=seconds):
            numbers = {
                "seconds": round(seconds, 6),
                "cpuSeconds": round(event.cpu_seconds, 6),
                "peakBytes": event.peak_bytes,
            }
            if event.saved_seconds is not None:
                numbers["savedSeconds"] = round(event.saved_seconds, 6)
            return "step-ended", {**_names(plan, task, step), **as_json(outcome), **numbers}, at
        case StepSkipped(task=task, step=step, because=because):
            return "step-skipped", {**_names(plan, task, step), "because": because}, None
        case TaskEnded(task=task, status=status, skipped=skipped, at=at):
            reasons = {"stopped": event.was_stopped, "timedOut": event.has_timed_out}
            given = {name: True for name, applies in reasons.items() if applies}
            return "task-ended", {**_task(plan, task), "status": status, "skipped": skipped, **given}, at
        case TaskRetried(task=task, attempt=attempt, at=at):
            return "task-retried", {**_task(plan, task), "attempt": attempt}, at
        case TaskAssigned(task=task, agent=agent, at=at):
            return "task-assigned", {**_task(plan, task), "agent": agent}, at
        case ReadinessChanged(task=task, is_ready=is_ready, at=at):
            return "readiness-changed", {**_task(plan, task), "ready": is_ready}, at
        case TasksRestarted(tasks=tasks, changed=changed):
            return "tasks-restarted", {"tasks": tasks, "changed": changed}, None
        case RunInterrupted(signal=number):
            return "interrupted", {"signal": signal_name(number)}, None
        case RunWaits():
            return "waiting", {}, None


def _task(plan: RunPlan, task: int) -> dict[str, Any]:
    return {"task": task, "label": plan.tasks[task].label}


def _names(plan: RunPlan, task: int, step: int) -> dict[str, Any]:
    described = plan.tasks[task]
    return {"task": task, "step": step, "label": described.label, "script": described.steps[step].name}
