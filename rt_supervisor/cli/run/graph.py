"""`rt graph`: prints the packages of the workspace and their dependencies as dot, JSON, Mermaid or a page."""

from __future__ import annotations

from ...graph import find_edges
from ...vocabulary.errors import Failed
from ...workspace.finding import find_workspace
from ...workspace.graph_export import export_graph
from ...workspace.selection import select
from ..streams import warn, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..request import Request


def show_graph(request: Request) -> int:
    """Print the graph of all packages, or of those that --filter selects; with --tasks, that of tasks. Raises Failed."""
    form = request.invocation.text("format") or "dot"
    if request.invocation.is_set("tasks"):
        return _show_tasks(request, form)
    workspace = find_workspace(request.folder)
    for problem in workspace.problems:
        warn(f"{problem}; skipping this workspace package")
    places = None
    patterns = request.invocation.texts("filter")
    if patterns:
        selection = select(workspace, find_edges(workspace.packages), patterns=patterns, cwd=request.folder)
        places = selection.packages
        if not places:
            quoted = ", ".join(f'"{pattern}"' for pattern in patterns)
            raise Failed(
                "no-packages", f"No workspace packages matched the filter{'s' if len(patterns) > 1 else ''} {quoted}"
            )
    elif not workspace.packages:
        raise Failed("no-packages", "No workspace packages found")
    write(1, export_graph(workspace, form=form, places=places))
    return 0


def _show_tasks(request: Request, form: str) -> int:
    """Print the graph of the tasks that the words after the command name, of all tasks without words. Raises Failed."""
    from ...tasks.definitions import split_name
    from ...tasks.graph_export import export_tasks
    from ...tasks.sources import read_tasks
    from ...tasks.task_plan import make_plan
    from .task_run import selected_places

    tasks = read_tasks(request.folder)
    names = request.invocation.arguments
    if not names and tasks.table is not None:
        defined = {split_name(name)[1] for name in tasks.table.names()}
        names = tuple(name for name in defined if any(package.script(name) for package in tasks.packages))
    places = selected_places(request, tasks) if names else ()
    chosen = make_plan(
        tasks, places=places, names=sorted(names), only=request.invocation.is_set("only"), if_present=True
    )
    for problem in chosen.choice.warnings:
        warn(problem)
    write(1, export_tasks(chosen, form=form))
    return 0
