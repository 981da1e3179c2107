"""`--shard 2/5`: the part of a graph of tasks that one of several machines runs.

Each named task is in one part, with everything that it depends on; what parts have in common runs in each of them. The division depends
on nothing but the graph and the durations, so that all machines with the same files agree on it.
"""

from __future__ import annotations

import re

from ..vocabulary.errors import Failed
from ..vocabulary.record import record
from .task_graph import TaskGraph, title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .sources import TaskWorkspace


@record
class Shard:
    """The part number `index` of `count`, from 1."""

    index: int
    count: int


def parse_shard(text: str) -> Shard:
    """Return the shard that "2/5" means. Raises Failed."""
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    shard = Shard(int(found[1]), int(found[2])) if found else Shard(0, 0)
    if not 1 <= shard.index <= shard.count:
        raise Failed(
            "shard-invalid", f'--shard={text}: must be "INDEX/COUNT" with an index from 1 to the count, such as "2/5"'
        )
    return shard


def part_of(graph: TaskGraph, tasks: TaskWorkspace, shard: Shard, durations: Mapping[str, float]) -> TaskGraph:
    """Return the nodes of `graph` that `shard` runs. A task without a known duration counts as the mean of the others.

    The longest tasks are assigned first, each to the part that then takes the least time.
    """
    titles = [title(tasks, node) for node in graph.nodes]
    known = [durations[name] for name in titles if name in durations]
    mean = sum(known) / len(known) if known else 1.0
    costs = [durations.get(name, mean) if node.command else 0.0 for name, node in zip(titles, graph.nodes, strict=True)]
    needed = {number for following in graph.edges for number in following}
    ends = [number for number in range(len(graph.nodes)) if number not in needed]
    closures = {number: _closure(graph, number) for number in ends}
    order = sorted(ends, key=lambda number: (-sum(costs[each] for each in closures[number]), titles[number]))
    parts: list[set[int]] = [set() for _ in range(shard.count)]
    totals = [0.0] * shard.count
    for number in order:
        added = [sum(costs[each] for each in sorted(closures[number] - part)) for part in parts]
        chosen = min(range(shard.count), key=lambda place: (totals[place] + added[place], place))
        totals[chosen] += added[chosen]
        parts[chosen] |= closures[number]
    return _restrict(graph, parts[shard.index - 1])


def _closure(graph: TaskGraph, number: int) -> set[int]:
    """Return a node with everything that it depends on."""
    found = {number}
    todo = [number]
    while todo:
        for other in graph.edges[todo.pop()]:
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def _restrict(graph: TaskGraph, numbers: set[int]) -> TaskGraph:
    kept = sorted(numbers)
    place_of = {number: place for place, number in enumerate(kept)}
    edges = tuple(tuple(place_of[other] for other in graph.edges[number]) for number in kept)
    return TaskGraph(tuple(graph.nodes[number] for number in kept), edges)
