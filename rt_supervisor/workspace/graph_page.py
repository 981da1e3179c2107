"""The dependency graph as one self-contained HTML page: a layered drawing and a small script.

Columns are layers: packages without dependents are on the left, and each package is right of all that depend on it; the
packages of a cycle share a column. Style and script are in `graph_page.html`; the drawing works without the script.
"""

from __future__ import annotations

import html
import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .graph_export import PackageGraph

_TEMPLATE = os.path.join(os.path.dirname(__file__), "graph_page.html")
_ROW_HEIGHT = 46
_BOX_HEIGHT = 30
_CHARACTER_WIDTH = 7.4
_COLUMN_GAP = 80
_MARGIN = 28
_SWEEPS = 6


def page(exported: PackageGraph) -> str:
    """Return the whole page."""
    with open(_TEMPLATE, encoding="utf-8") as file:
        template = file.read()
    cycles = [" → ".join(exported.name(node) for node in cycle) for cycle in exported.cycles]
    drawing, width, height = _drawing(exported)
    neighbours = {node: list(exported.graph.successors(node)) for node in exported.graph}
    values = {
        "TITLE": html.escape(exported.title),
        "NOUN": exported.noun,
        "NODES": str(exported.graph.number_of_nodes()),
        "EDGES": str(exported.graph.number_of_edges()),
        "CYCLES": "".join(f"<li>cycle: {html.escape(cycle)}</li>" for cycle in cycles),
        "WIDTH": str(width),
        "HEIGHT": str(height),
        "DRAWING": drawing,
        # Written as an escape, `<` cannot end the script element early.
        "DATA": json.dumps(neighbours).replace("<", "\\u003c"),
    }
    parts = template.split("%%")
    return "".join(part if place % 2 == 0 else values[part] for place, part in enumerate(parts))


def _drawing(exported: PackageGraph) -> tuple[str, int, int]:
    columns = _columns(exported)
    widths = [max(_box_width(exported.name(node)) for node in column) for column in columns]
    tallest = max((len(column) for column in columns), default=0)
    boxes: dict[int, tuple[float, float, float]] = {}
    left = float(_MARGIN)
    for column, width in zip(columns, widths, strict=True):
        top = _MARGIN + (tallest - len(column)) * _ROW_HEIGHT / 2
        for row, node in enumerate(column):
            boxes[node] = (left, top + row * _ROW_HEIGHT, _box_width(exported.name(node)))
        left += width + _COLUMN_GAP
    lines = [_edge(exported, source, target, boxes) for source, target in exported.graph.edges]
    lines += [_box(exported, node, boxes[node]) for node in boxes]
    width = left - _COLUMN_GAP + _MARGIN if columns else 2 * _MARGIN
    return "\n".join(lines), round(width), round(2 * _MARGIN + tallest * _ROW_HEIGHT)


def _box_width(name: str) -> float:
    return 26 + _CHARACTER_WIDTH * sum(2 if ord(char) > 0x2E7F else 1 for char in name)


def _columns(exported: PackageGraph) -> list[list[int]]:
    """Return the nodes of each layer from left to right, ordered within a layer so that few edges cross."""
    import networkx

    graph = exported.graph
    condensed = networkx.condensation(graph)
    columns = []
    for generation in networkx.topological_generations(condensed):
        columns.append(sorted(node for group in generation for node in condensed.nodes[group]["members"]))
    # Each sweep moves every node to the mean height of its neighbours in the layers that the sweep has already ordered.
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        height: dict[int, float] = {}
        for column in columns if forward else reversed(columns):
            neighbours = graph.predecessors if forward else graph.successors
            mean = {}
            for row, node in enumerate(column):
                known = [height[other] for other in neighbours(node) if other in height]
                mean[node] = sum(known) / len(known) if known else row / len(column)
            column.sort(key=mean.__getitem__)
            height |= {node: (row + 0.5) / len(column) for row, node in enumerate(column)}
    return columns


def _edge(exported: PackageGraph, source: int, target: int, boxes: dict[int, tuple[float, float, float]]) -> str:
    x1, y1, width = boxes[source]
    x2, y2, target_width = boxes[target]
    x1, y1, y2 = x1 + width, y1 + _BOX_HEIGHT / 2, y2 + _BOX_HEIGHT / 2
    if x2 > x1:
        bend1, bend2 = (x2 - x1) / 2, -(x2 - x1) / 2
    else:  # in the same column: leaves and enters on the right
        x2 += target_width
        bend1 = bend2 = _COLUMN_GAP / 2
    kind = "edge cycle" if exported.is_in_cycle(source, target) else "edge"
    curve = f"M{x1:.0f} {y1:.0f}C{x1 + bend1:.0f} {y1:.0f} {x2 + bend2:.0f} {y2:.0f} {x2:.0f} {y2:.0f}"
    return f'<path class="{kind}" data-from="{source}" data-to="{target}" d="{curve}"/>'


def _box(exported: PackageGraph, node: int, box: tuple[float, float, float]) -> str:
    x, y, width = box
    about = exported.graph.nodes[node]
    scripts = ", ".join(about["scripts"]) or "no scripts"
    kind = "package cycle" if node in exported.cycle_of else "package"
    return (
        f'<g class="{kind}" data-node="{node}" tabindex="0" transform="translate({x:.0f} {y:.0f})">'
        f"<title>{html.escape(about['id'])}\n{html.escape(scripts)}</title>"
        f'<rect width="{width:.0f}" height="{_BOX_HEIGHT}" rx="8"/>'
        f'<text x="{width / 2:.0f}" y="20">{html.escape(exported.name(node))}</text></g>'
    )
