"""`rt affected`: the packages that changed since a commit, their dependents, and which of their tasks are affected, with all reasons."""

from __future__ import annotations

from ...graph import find_edges
from ...settings.node_link import NodeLink
from ...tasks.affected_tasks import AffectedTasks
from ...tasks.opening import open_cache
from ...tasks.remote_settings import CacheModes
from ...tasks.sources import read_tasks
from ...tasks.task_plan import make_plan
from ...vocabulary.errors import Failed
from ...vocabulary.record import replace
from ...workspace.changed import affected_base, changed_since, folders_at
from ..streams import write
from .task_run import plan_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...plan.model import RunPlan
    from ...tasks.sources import TaskWorkspace
    from ...tasks.task_plan import TaskPlan
    from ...workspace.changed import Since
    from ..request import Request

    Decisions = dict[int, list[tuple[str, bool, str]]]
    """The tasks of each package, by its place: name, whether it is affected, and why or why not."""

SCHEMA_VERSION = 2


def show_affected(request: Request) -> int:
    """Print what is affected since the commit after the command, or since the base of --affected. Raises Failed."""
    words = request.invocation.arguments
    if len(words) > 1:
        raise Failed("affected-usage", "usage: rt affected [commit]")
    tasks = read_tasks(request.folder)
    root = tasks.workspace.root
    base = words[0] if words else affected_base(root, request.environment)
    since, reasons = changes_of(tasks, base)
    decisions = _decisions(request, tasks, since, reasons)
    if request.invocation.is_set("json"):
        import json

        packages = [
            {
                "package": tasks.name(place),
                "folder": tasks.packages[place].folder,
                "reason": reason,
                "tasks": [
                    {"task": task, "isAffected": is_affected, "reason": why}
                    for task, is_affected, why in decisions.get(place, ())
                ],
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
        own = decisions.get(place, ())
        parts = [
            f"{title}: {', '.join(named)}"
            for title, wanted in (("tasks", True), ("not affected", False))
            if (named := [task for task, is_affected, _ in own if is_affected is wanted])
        ]
        shown = f" ({'; '.join(parts)})" if parts else ""
        lines.append(f"  {tasks.name(place)}: {reason}{shown}")
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


def changes_of(tasks: TaskWorkspace, base: str) -> tuple[Since, dict[int, str]]:
    """Return what changed since the commit `base`, and the packages that are affected, by their places with the reasons. Raises Failed."""
    global_files = tasks.table.globals.dependencies if tasks.table is not None else ()
    since = changed_since(tasks.workspace, base, global_files=global_files)
    return since, _with_dependents(tasks, since.packages)


def affected_tasks(
    request: Request, chosen: TaskPlan, plan: RunPlan, since: Since, reasons: Mapping[int, str]
) -> AffectedTasks:
    """Return which nodes of `chosen`, which runs as `plan`, are affected by what changed `since` a commit."""
    cache = open_cache(
        chosen, plan, base=request.environment, modes=CacheModes(), remote=None, executable=request.executable
    )
    try:
        folders = folders_at(chosen.tasks.workspace.root, since.base)
        return AffectedTasks(chosen, cache, since, folders=folders, reasons=reasons)
    finally:
        if cache is not None:
            cache.close()


def _decisions(request: Request, tasks: TaskWorkspace, since: Since, reasons: Mapping[int, str]) -> Decisions:
    """Return the tasks of the affected packages. Raises Failed."""
    if tasks.table is None or not reasons:
        return {}
    names = [name for name in tasks.table.names() if any(tasks.packages[place].script(name) for place in reasons)]
    if not names:
        return {}
    chosen = make_plan(tasks, places=list(reasons), names=names, only=False, if_present=True)
    bare = replace(
        request, invocation=replace(request.invocation, arguments=())
    )  # tasks do not get the commit as an argument
    link = NodeLink(request.executable)
    try:
        affected = affected_tasks(bare, chosen, plan_of(bare, link, chosen), since, reasons)
    finally:
        link.remove()
    found: Decisions = {}
    for number, node in enumerate(chosen.graph.nodes):
        if node.is_selected and node.command:
            found.setdefault(node.place, []).append((node.settings.task, *affected.of(number)))
    return found
