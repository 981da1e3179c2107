"""Exports the graph of tasks: `rt graph --tasks`, in the formats of `workspace.graph_export`, which draws it.

The nodes are the tasks that run; edges lead from a task to those that must succeed before it, without edges that follow from others. Packages without the script pass the order
on and are not shown. The graph has no cycles.
"""

from __future__ import annotations

import os

from ..workspace.graph_export import PackageGraph, draw
from .task_graph import title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .task_plan import TaskPlan


def export_tasks(chosen: TaskPlan, *, form: str) -> str:
    """Return the graph of `chosen` in one of `workspace.graph_export.FORMATS`, ending with a newline."""
    if form == "json":
        import json

        return json.dumps({"tasks": _documents(chosen)}, indent=2, ensure_ascii=False) + "\n"
    import networkx

    root = chosen.tasks.workspace.root
    graph: networkx.DiGraph[int] = networkx.DiGraph()
    for key in range(len(chosen.members)):
        node = chosen.node(key)
        name = title(chosen.tasks, node)
        graph.add_node(key, id=name, name=name, scripts=[node.command])
    graph.add_edges_from((key, other) for key, recipe in enumerate(chosen.choice.recipes) for other in recipe.after)
    return draw(PackageGraph(os.path.basename(root) or root, graph, (), {}, noun="task"), form)


def _documents(chosen: TaskPlan) -> list[dict[str, object]]:
    titles = [title(chosen.tasks, chosen.node(key)) for key in range(len(chosen.members))]
    documents: list[dict[str, object]] = []
    for key, recipe in enumerate(chosen.choice.recipes):
        node = chosen.node(key)
        folder = chosen.tasks.folder(node.place) or "."
        documents.append(
            {
                "task": titles[key],
                "package": chosen.tasks.name(node.place),
                "folder": os.fsencode(folder).decode("utf-8", "replace"),
                "name": node.settings.task,
                "command": node.command,
                "dependencies": [titles[other] for other in recipe.after],
                "persistent": node.settings.persistent,
            }
        )
    return documents
