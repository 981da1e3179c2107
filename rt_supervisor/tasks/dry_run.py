"""Describes which tasks of a plan the cache contains, without running anything or changing the disk."""

from __future__ import annotations

from .task_cache import Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..plan.model import RunPlan
    from .task_cache import Miss, TaskCache

_SHOWN = 12  # characters of a key


def decide_all(cache: TaskCache, plan: RunPlan) -> dict[int, Hit | Miss | None]:
    """Return the decision about each task by its key.

    It is None for a task with a dependency that would run, because the outputs of the dependency are part of its key.
    """
    found: dict[int, Hit | Miss | None] = {}
    todo = {task.key: task for task in plan.tasks}
    while todo:
        ready = [key for key, task in todo.items() if todo.keys().isdisjoint(task.after)]
        for key in ready:
            task = todo.pop(key)
            is_known = all(isinstance(found[other], Hit) for other in task.after)
            found[key] = cache.decide(key, changes_disk=False) if is_known else None
    return found


def decision_words(cache: TaskCache, plan: RunPlan) -> dict[int, str]:
    """Return a description of the decision about each task."""
    words = {}
    found = decide_all(cache, plan)
    for key, decision in found.items():
        if decision is None:
            waits = next(other for other in plan.tasks[key].after if not isinstance(found[other], Hit))
            words[key] = f"cache: unknown, {plan.tasks[waits].label} would run first"
        elif isinstance(decision, Hit):
            words[key] = f"cache: hit {decision.key[:_SHOWN]}"
        else:
            words[key] = f"cache: miss {decision.key[:_SHOWN]}, {decision.reason}"
    return words
