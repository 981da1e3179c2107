"""`--dry-run`: what would run, in what order and why, as text and (`=json`) as JSON. Runs nothing."""

from __future__ import annotations

import os

from ..drawing.palette import BOLD, CYAN, DIM, YELLOW, Palette
from ..drawing.sanitize import harmless_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...plan.model import RunPlan, Task

SCHEMA_VERSION = 1


def waves(plan: RunPlan) -> list[list[Task]]:
    """Return the tasks in waves: each task waits only for tasks of earlier waves, and is in the earliest possible
    one."""
    waiting = {task.key: len(set(task.after)) for task in plan.tasks}
    dependents: dict[int, list[int]] = {}
    for task in plan.tasks:
        for key in set(task.after):
            dependents.setdefault(key, []).append(task.key)
    found = []
    ready = [key for key, count in waiting.items() if count == 0]
    while ready:
        found.append([plan.tasks[key] for key in sorted(ready)])
        freed = []
        for key in ready:
            for dependent in dependents.get(key, ()):
                waiting[dependent] -= 1
                if waiting[dependent] == 0:
                    freed.append(dependent)
        ready = freed
    return found


def dry_run_text(plan: RunPlan, *, colour: bool = False, base: str | None = None) -> str:
    """Return the plan as text; folders are shown relative to `base` (by default, the current folder)."""
    paint = Palette(is_on=colour).paint
    ordered = waves(plan)
    limit = _limit(plan)
    lines = [f"Would run {_number(len(plan.tasks), 'script')} in {_number(len(ordered), 'wave')}{limit}:"]
    lines += [paint(f"warn: {harmless_label(warning)}", YELLOW) for warning in plan.warnings]
    for number, wave in enumerate(ordered, 1):
        lines += ["", paint(f"Wave {number}", BOLD)]
        for task in wave:
            folder = harmless_label(os.path.relpath(task.folder, base or os.getcwd()))
            name = harmless_label(f"{task.package} {task.script}" if task.package else task.label)
            lines.append(f"  {paint(name, BOLD, CYAN)}  {paint(folder, DIM)}")
            lines += [f"    {harmless_label(step.name)} $ {harmless_label(step.command)}" for step in task.steps]
            if task.after and "after " not in task.why:
                after = ", ".join(
                    harmless_label(plan.tasks[key].package or plan.tasks[key].label) for key in task.after
                )
                lines.append(f"    {paint('after', DIM)} {after}")
            if task.why:
                lines.append(f"    {paint('why', DIM)}   {harmless_label(task.why)}")
    return "\n".join(lines) + "\n"


def _limit(plan: RunPlan) -> str:
    """Return how many scripts run at once, if that is fewer than the plan has and does not depend on the machine."""
    is_limited = not plan.is_adaptive and plan.concurrency < len(plan.tasks)
    return f", at most {plan.concurrency} at once" if is_limited else ""


def dry_run_json(plan: RunPlan) -> str:
    """Return the plan as one JSON document, described in `docs/output.md`."""
    import json

    wave_of = {task.key: number for number, wave in enumerate(waves(plan), 1) for task in wave}
    document = {
        "schemaVersion": SCHEMA_VERSION,
        "mode": plan.mode,
        "concurrency": plan.concurrency,
        "exitOnError": plan.exit_on_error,
        "warnings": list(plan.warnings),
        "tasks": [
            {
                "key": task.key,
                "label": task.label,
                "package": task.package,
                "script": task.script,
                "folder": task.folder,
                "wave": wave_of.get(task.key),
                "after": list(task.after),
                "why": task.why,
                "steps": [{"name": step.name, "command": step.command} for step in task.steps],
            }
            for task in plan.tasks
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
