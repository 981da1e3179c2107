"""Exports the dependency graph: `rt graph --format dot|json|mermaid|html`.

Every format identifies a package by its folder relative to the root, which is unique, and shows its name. Edges lead
from a package to its dependencies; edges within a cycle are marked. `graph_page` makes the HTML page.
"""

from __future__ import annotations

import os

from .. import graph
from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    import networkx

    from .finding import Workspace

FORMATS = ("dot", "json", "mermaid", "html")


@record
class PackageGraph:
    """The data to export: the networkx graph, whose nodes have `id` (the folder), `name` and `scripts`, and its cycles.

    `cycle_of` maps each node of a cycle to the index of that cycle in `cycles`, whose entries are paths around the
    cycle (first node again at the end). `noun` says what a node is: a "package", or a "task" (`tasks.graph_export`).
    """

    title: str
    graph: networkx.DiGraph[int]
    cycles: tuple[tuple[int, ...], ...]
    cycle_of: dict[int, int]
    noun: str = "package"

    def name(self, node: int) -> str:
        name: str = self.graph.nodes[node]["name"]
        return name

    def is_in_cycle(self, source: int, target: int) -> bool:
        """Return whether the edge is part of a cycle."""
        return source in self.cycle_of and self.cycle_of[source] == self.cycle_of.get(target)


def export_graph(workspace: Workspace, *, form: str, places: Collection[int] | None = None) -> str:
    """Return the graph of the packages at `places` (all by default) in one of FORMATS, ending with a newline."""
    exported = package_graph(workspace, places)
    return _json(exported) if form == "json" else draw(exported, form)


def draw(exported: PackageGraph, form: str) -> str:
    """Return `exported` as dot, Mermaid or an HTML page."""
    if form == "html":
        from .graph_page import page

        return page(exported)
    return {"dot": _dot, "mermaid": _mermaid}[form](exported)


def package_graph(workspace: Workspace, places: Collection[int] | None = None) -> PackageGraph:
    edges = graph.find_edges(workspace.packages)
    whole = graph.as_networkx(workspace.packages, edges)
    shown = whole if places is None else whole.subgraph(sorted(places)).copy()
    for node in shown:
        package = workspace.packages[node]
        folder = os.path.relpath(package.folder, workspace.root)
        shown.nodes[node]["id"] = os.fsencode(folder).decode("utf-8", "replace")
        shown.nodes[node]["name"] = workspace.display_name(package)
        shown.nodes[node]["scripts"] = list(package.scripts)
    kept = tuple(tuple(shown[node]) if node in shown else () for node in range(len(edges)))
    groups = graph.find_cycles(kept)
    cycle_of = {node: number for number, group in enumerate(groups) for node in group}
    cycles = tuple(tuple(graph.cycle_path(kept, group)) for group in groups)
    return PackageGraph(os.path.basename(workspace.root) or workspace.root, shown, cycles, cycle_of)


def _dot(exported: PackageGraph) -> str:
    lines = ["digraph workspace {", "  rankdir=LR;", '  node [shape=box, style=rounded, fontname="sans-serif"];']
    nodes = exported.graph.nodes
    lines += [f"  {_quote(nodes[node]['id'])} [label={_quote(exported.name(node))}];" for node in nodes]
    for source, target in exported.graph.edges:
        mark = " [color=red]" if exported.is_in_cycle(source, target) else ""
        lines.append(f"  {_quote(nodes[source]['id'])} -> {_quote(nodes[target]['id'])}{mark};")
    return "\n".join([*lines, "}", ""])


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _json(exported: PackageGraph) -> str:
    import json

    nodes = exported.graph.nodes
    packages = [
        {
            "name": exported.name(node),
            "folder": nodes[node]["id"],
            "dependencies": sorted(nodes[other]["id"] for other in exported.graph.successors(node)),
            "scripts": nodes[node]["scripts"],
        }
        for node in nodes
    ]
    cycles = [[nodes[node]["id"] for node in cycle] for cycle in exported.cycles]
    return json.dumps({"packages": packages, "cycles": cycles}, indent=2, ensure_ascii=False) + "\n"


def _mermaid(exported: PackageGraph) -> str:
    lines = ["graph LR"]
    lines += [f'  p{node}["{_entities(exported.name(node))}"]' for node in exported.graph]
    links = []
    for number, (source, target) in enumerate(exported.graph.edges):
        lines.append(f"  p{source} --> p{target}")
        if exported.is_in_cycle(source, target):
            links.append(str(number))
    if links:
        lines.append(f"  linkStyle {','.join(links)} stroke:red")
    return "\n".join([*lines, ""])


def _entities(text: str) -> str:
    """Replace characters that are special in Mermaid's quoted text by its entity codes, which have no ampersand."""
    return "".join(f"#{ord(char)};" if char in '#"<>&`\n' else char for char in text)
