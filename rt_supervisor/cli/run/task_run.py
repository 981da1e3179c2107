"""`rt run --tasks`: from a request to the graph of tasks and a supervised run of it."""

from __future__ import annotations

from ...plan.model import MODE_FILTER
from ...settings import shell_choice
from ...settings.node_link import NodeLink
from ...start.dependencies import dependencies
from ...tasks.sources import read_tasks
from ...tasks.task_plan import make_plan
from ...vocabulary.protocol import is_shell
from ...workers.signals import die_of
from ...workspace.manifest import find_nearest_manifest
from ..streams import warn
from .multi_run import assemble_plan, concurrency_of, grace_s_of, show_dry_run, start_guardian
from .supervised import supervise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from ...engine_worker.start.ready_engine import ReadyEngine
    from ...plan.model import RunPlan
    from ...supervising.watched_run import RunResult
    from ...tasks.sources import TaskWorkspace
    from ...tasks.task_plan import TaskPlan
    from ...workers.client import GuardianClient
    from ..request import Request

MOST_AT_ONCE = 10  # without --concurrency, as in Turborepo: tasks are builds, which use a CPU each


def run_tasks(request: Request, main: Callable[[ReadyEngine], NoReturn]) -> int:
    """Run the tasks that `request` names and return the exit status; dies of the signal that ended the run. Raises Failed."""
    dependencies.prevent_caching()  # the launcher knows no tasks
    link = NodeLink(request.executable)
    try:
        chosen = choose_tasks(request)
        plan = _run_plan(request, link, chosen)
        if request.invocation.is_set("dry-run"):
            return show_dry_run(request, plan)
        for message in plan.warnings:
            warn(message)
        if not plan.tasks:
            return 0
        result = _supervise(request, plan, main)
    finally:
        link.remove()
    if result.signal is not None:
        die_of(result.signal)
    return result.status


def choose_tasks(request: Request) -> TaskPlan:
    """Return the tasks that `request` names, of the packages that it selects, with what they depend on. Raises Failed."""
    invocation = request.invocation
    tasks = read_tasks(request.folder)
    return make_plan(
        tasks,
        places=_places(request, tasks),
        names=invocation.names,
        only=invocation.is_set("only"),
        if_present=invocation.is_set("if-present"),
    )


def _places(request: Request, tasks: TaskWorkspace) -> Sequence[int]:
    """Return the packages that are selected: by --filter, otherwise the package of the working folder, at the root all of them.

    A run of tasks that is only one because of rtfig.toml selects the same packages as a run without tasks.
    """
    from ...workspace.selection import named_packages

    invocation = request.invocation
    workspace = tasks.workspace
    if patterns := invocation.texts("filter"):
        return _filtered(tasks, patterns, request.folder)
    if not invocation.is_set("workspaces"):
        nearest = find_nearest_manifest(request.folder)
        own = [place for place, package in enumerate(tasks.packages) if package.path == nearest]
        is_explicit = invocation.is_set("tasks")
        if own and not (is_explicit and own[0] == tasks.root_place):
            return own
    places = (
        named_packages(workspace) if workspace.declared or not workspace.packages else range(len(workspace.packages))
    )
    root = tasks.root_place
    # A package that is a workspace by itself is its own root.
    return list(places) or ([root] if root is not None else [])


def _filtered(tasks: TaskWorkspace, patterns: Sequence[str], folder: str) -> Sequence[int]:
    from ...graph import find_edges
    from ...vocabulary.errors import Failed
    from ...workspace.selection import select

    workspace = tasks.workspace
    selection = select(workspace, find_edges(workspace.packages), patterns=patterns, cwd=folder)
    quoted = ", ".join(f'"{pattern}"' for pattern in selection.unmatched)
    message = f"No workspace packages matched the filter{'s' if len(selection.unmatched) > 1 else ''} {quoted}"
    if not selection.packages:
        raise Failed("no-packages", message)
    if selection.unmatched:
        warn(message)
    return selection.packages


def _run_plan(request: Request, link: NodeLink, chosen: TaskPlan) -> RunPlan:
    invocation = request.invocation
    return assemble_plan(
        request,
        link,
        chosen.choice,
        mode=MODE_FILTER,
        concurrency=concurrency_of(invocation.text("concurrency") or str(MOST_AT_ONCE), MODE_FILTER),
        exit_on_error=invocation.text("continue") == "never",
        takers={key for key in range(len(chosen.members)) if chosen.node(key).is_selected},
    )


def _supervise(request: Request, plan: RunPlan, main: Callable[[ReadyEngine], NoReturn]) -> RunResult:
    has_programs = any(step.program and not is_shell(step.program) for task in plan.tasks for step in task.steps)
    has_shell = shell_choice.is_rt(request.invocation.text("shell"))
    client: GuardianClient = start_guardian(request, main, has_programs=has_programs or has_shell, has_shell=has_shell)
    try:
        if has_shell:
            client.prepare("shell")
        if has_programs:
            client.prepare("engine")
        return supervise(request, plan, client, grace_s=grace_s_of(request))
    finally:
        client.close()
