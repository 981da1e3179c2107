"""Which tasks of a run a client means: by key, label, `package#script`, package, or script."""

from __future__ import annotations

from ..vocabulary.errors import Failed
from ..workspace.suggestions import closest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..plan.model import RunPlan


def find_tasks(plan: RunPlan, wanted: Iterable[object]) -> list[int]:
    """Return the keys of the tasks that `wanted` names, in listing order. Raises Failed for a name without a match.

    A name is compared with the labels of all tasks first, then with `package#script`, packages and scripts: the first of these that
    matches decides.
    """
    found: set[int] = set()
    for each in wanted:
        matches = _matches(plan, each)
        if not matches:
            raise _unknown(plan, each)
        found.update(matches)
    return sorted(found)


def task_name(package: str, script: str) -> str:
    """Return the name that selects one task: `package#script`, or the script outside of a package."""
    return f"{package}#{script}" if package else script


def _matches(plan: RunPlan, wanted: object) -> list[int]:
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        return [wanted] if 0 <= wanted < len(plan.tasks) else []
    for name in (
        lambda task: task.label,
        lambda task: task_name(task.package, task.script),
        lambda task: task.package,
        lambda task: task.script,
    ):
        if matches := [task.key for task in plan.tasks if name(task) == wanted]:
            return matches
    return []


def _unknown(plan: RunPlan, wanted: object) -> Failed:
    names = [task_name(task.package, task.script) for task in plan.tasks]
    known = [*names, *(task.package for task in plan.tasks), *(task.script for task in plan.tasks)]
    near = closest(str(wanted), filter(None, dict.fromkeys(known)))
    hint = f"did you mean {near}?" if near else f"tasks: {', '.join(dict.fromkeys(names))}"
    return Failed("no-such-task", f'this run has no task "{wanted}"\nnote: {hint}')
