"""Which other tasks a restart or stop of a task concerns. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from ..plan.model import RunPlan


def with_needed(plan: RunPlan, keys: Iterable[int], among: Container[int]) -> set[int]:
    """Return `keys` with the tasks that they depend on, directly or not, that are `among` these."""
    found = set(keys)
    todo = list(found)
    while todo:
        for need in plan.tasks[todo.pop()].after:
            if need in among and need not in found:
                found.add(need)
                todo.append(need)
    return found


def with_dependents(plan: RunPlan, keys: Iterable[int], among: Container[int]) -> set[int]:
    """Return `keys` with the tasks that depend on them, directly or over others `among` these."""
    dependents: dict[int, list[int]] = {}
    for task in plan.tasks:
        for need in task.after:
            dependents.setdefault(need, []).append(task.key)
    found = set(keys)
    todo = list(found)
    while todo:
        for dependent in dependents.get(todo.pop(), ()):
            if dependent in among and dependent not in found:
                found.add(dependent)
                todo.append(dependent)
    return found
