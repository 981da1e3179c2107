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
    """Print the graph of all packages, or of those that --filter selects. Raises Failed."""
    form = request.invocation.text("format") or "dot"
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
