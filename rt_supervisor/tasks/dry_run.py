"""Describes which tasks of a plan the cache contains, without running anything or changing the disk."""

from __future__ import annotations

from .resuming import LeftOut
from .task_cache import Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..plan.model import RunPlan
    from .task_cache import Miss, TaskCache

_NOTHING = LeftOut()
_SHOWN = 12  # characters of a key


def decide_all(cache: TaskCache, plan: RunPlan, left_out: LeftOut = _NOTHING) -> dict[int, Hit | Miss | None]:
    """Return the decision about each task by its key.

    It is None for a task with a dependency that would run, because the outputs of the dependency are part of its key.
    """
    found: dict[int, Hit | Miss | None] = {}
    todo = {task.key: task for task in plan.tasks}
    while todo:
        ready = [key for key, task in todo.items() if todo.keys().isdisjoint(task.after)]
        for key in ready:
            task = todo.pop(key)
            is_known = all(
                isinstance(found[other], Hit) or _is_left_out(found[other], other, left_out) for other in task.after
            )
            found[key] = cache.decide(key, changes_disk=False) if is_known else None
            if _is_left_out(found[key], key, left_out):
                cache.leave_out(key)
    return found


def _is_left_out(decision: Hit | Miss | None, key: int, left_out: LeftOut) -> bool:
    is_cacheable = not isinstance(decision, Hit) and decision is not None and decision.is_cacheable
    return not isinstance(decision, Hit) and bool(left_out.reason(key, is_cacheable=is_cacheable))


def decision_words(cache: TaskCache | None, plan: RunPlan, left_out: LeftOut = _NOTHING) -> dict[int, str]:
    """Return a description of the decision about each task; without a cache, only of those that are left out."""
    if cache is None:
        return {task.key: left_out.reason(task.key, is_cacheable=False) for task in plan.tasks}
    words = {}
    found = decide_all(cache, plan, left_out)
    for key, decision in found.items():
        if _is_left_out(decision, key, left_out):
            words[key] = left_out.reason(key, is_cacheable=False)
        elif decision is None:
            waits = next(
                other
                for other in plan.tasks[key].after
                if not isinstance(found[other], Hit) and not _is_left_out(found[other], other, left_out)
            )
            words[key] = f"cache: unknown, {plan.tasks[waits].label} would run first"
        elif isinstance(decision, Hit):
            words[key] = f"cache: hit {decision.key[:_SHOWN]}"
        else:
            words[key] = f"cache: miss {decision.key[:_SHOWN]}, {decision.reason}"
    return words
