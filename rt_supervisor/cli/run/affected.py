"""`rt affected`: the packages that changed since a commit, and their dependents, with the reason for each and their tasks."""

from __future__ import annotations

from ...graph import find_edges
from ...tasks.definitions import names_of
from ...tasks.sources import read_tasks
from ...vocabulary.errors import Failed
from ...workspace.changed import affected_base, changed_since
from ..streams import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...tasks.sources import TaskWorkspace
    from ..request import Request

SCHEMA_VERSION = 1


def show_affected(request: Request) -> int:
    """Print what is affected since the commit after the command, or since the base of --affected. Raises Failed."""
    words = request.invocation.arguments
    if len(words) > 1:
        raise Failed("affected-usage", "usage: rt affected [commit]")
    tasks = read_tasks(request.folder)
    root = tasks.workspace.root
    base = words[0] if words else affected_base(root, request.environment)
    global_files = tasks.table.globals.dependencies if tasks.table is not None else ()
    since = changed_since(tasks.workspace, base, global_files=global_files)
    reasons = _with_dependents(tasks, since.packages)
    if request.invocation.is_set("json"):
        import json

        packages = [
            {
                "package": tasks.name(place),
                "folder": tasks.packages[place].folder,
                "reason": reason,
                "tasks": _tasks_of(tasks, place),
            }
            for place, reason in sorted(reasons.items())
        ]
        document = {
            "schemaVersion": SCHEMA_VERSION,
            "base": base,
            "root": since.root_reason or None,
            "packages": packages,
        }
        write(1, json.dumps(document, indent=2) + "\n")
        return 0
    lines = [f"Affected since {base}: {len(reasons)} of {len(tasks.workspace.packages)} packages"]
    for place, reason in sorted(reasons.items()):
        names = ", ".join(_tasks_of(tasks, place))
        lines.append(f"  {tasks.name(place)}: {reason}{f' (tasks: {names})' if names else ''}")
    if since.root_reason:
        lines.append(f"  the root: {since.root_reason}")
    write(1, "\n".join(lines) + "\n")
    return 0


def _with_dependents(tasks: TaskWorkspace, changed: Mapping[int, str]) -> dict[int, str]:
    """Return `changed` with everything that depends on it; the reason of a dependent is a dependency that is affected."""
    reasons = dict(changed)
    dependents: dict[int, list[int]] = {}
    for place, following in enumerate(find_edges(tasks.workspace.packages)):
        for other in following:
            dependents.setdefault(other, []).append(place)
    todo = list(reasons)
    for place in todo:
        for dependent in dependents.get(place, ()):
            if dependent not in reasons:
                reasons[dependent] = f"depends on {tasks.name(place)}"
                todo.append(dependent)
    return reasons


def _tasks_of(tasks: TaskWorkspace, place: int) -> list[str]:
    """Return the tasks that the package at `place` has."""
    if tasks.table is None:
        return []
    package = tasks.packages[place]
    names = names_of(package.name, package.folder, is_root=place == tasks.root_place)
    return [task for task in tasks.table.names() if package.script(task) and tasks.table.resolve(names, task)]
