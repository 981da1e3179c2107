"""The dependency graph of a workspace: edges by name, order, cycles.

What a run needs before its first child is worked out on plain tuples, because importing networkx takes longer than
most scripts; a workspace without cycles never imports it. Cycles, and all that looks at the graph as a graph
(`graph_export`), use the networkx graph. An edge leads from a package to what it depends on.
"""

from __future__ import annotations

from .workspace.selection import reachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import networkx

    from .workspace.manifest import Manifest

    Edges = tuple[tuple[int, ...], ...]
    """For each package, ascending, the places of the packages it depends on: each once, never itself."""


def find_edges(packages: Sequence[Manifest]) -> Edges:
    """Return who depends on whom by dependencies, devDependencies and optionalDependencies.

    A name that several packages share stands for all of them. A package that names itself is as if it did not.
    """
    by_name: dict[str, tuple[int, ...]] = {}
    for place, package in enumerate(packages):
        if name := package.name:
            by_name[name] = (*by_name.get(name, ()), place)
    edges = []
    for package in packages:
        own = package.name
        found = [place for name in package.dependencies if name != own for place in by_name.get(name, ())]
        edges.append(tuple(sorted(found)) if len(found) > 1 else tuple(found))
    return tuple(edges)


def as_networkx(packages: Sequence[Manifest], edges: Edges) -> networkx.DiGraph[int]:
    """Return the graph as networkx has it: nodes are places in `packages` with `name` and `folder`."""
    import networkx

    graph: networkx.DiGraph[int] = networkx.DiGraph()
    for place, package in enumerate(packages):
        graph.add_node(place, name=package.name, folder=package.folder)
    graph.add_edges_from((place, dependency) for place, following in enumerate(edges) for dependency in following)
    return graph


def dependency_first(edges: Edges) -> tuple[list[int], set[int]]:
    """Return the packages in topological order, dependencies first, and the set of those that have no place in it.

    The latter are in a cycle or depend on one.
    """
    missing = [len(following) for following in edges]
    dependents: list[list[int]] = [[] for _ in edges]
    for package, following in enumerate(edges):
        for dependency in following:
            dependents[dependency].append(package)
    order = [package for package, count in enumerate(missing) if not count]
    for package in order:
        for dependent in dependents[package]:
            missing[dependent] -= 1
            if not missing[dependent]:
                order.append(dependent)
    return order, set(range(len(edges))) - set(order)


def find_cycles(edges: Edges, *, among: Iterable[int] | None = None) -> list[tuple[int, ...]]:
    """Return the cycles: the strongly connected components of more than one package, each ascending.

    With `among`, the components that these packages are in or depend on are found; others may be missing.
    """
    _, knotted = dependency_first(edges)
    if knotted and among is not None:
        knotted &= reachable(among, edges.__getitem__)
    if not knotted:
        return []
    import networkx

    graph: networkx.DiGraph[int] = networkx.DiGraph()
    graph.add_edges_from((place, other) for place in knotted for other in edges[place] if other in knotted)
    groups = networkx.strongly_connected_components(graph)
    return sorted(tuple(sorted(group)) for group in groups if len(group) > 1)


def cycle_path(edges: Edges, group: Sequence[int]) -> list[int]:
    """Return a shortest cycle through the first package of the component `group`; that package is its first and its last."""
    start, members = group[0], set(group)
    came_from: dict[int, int] = {}
    todo = [start]
    for package in todo:
        for dependency in edges[package]:
            if dependency == start:
                path = [package, start]
                while path[0] != start:
                    path.insert(0, came_from[path[0]])
                return path
            if dependency in members and dependency not in came_from:
                came_from[dependency] = package
                todo.append(dependency)
    return [start]


def waits_for(
    edges: Edges, members: Sequence[int], *, cycles: Sequence[Sequence[int]] = ()
) -> dict[int, tuple[int, ...]]:
    """Return for each of `members` the other members that must be done before it: a transitive reduction.

    An order that leads through packages that are no members holds too: a -> b -> c without b gives a -> c. Members of one
    cycle do not wait for each other. Each of them waits for all that any of them depends on, and who depends on one of
    them waits for all. An entry that other entries imply is left out.
    """
    edges, groups = _condensed(edges, cycles)
    number_of = {package: number for number, package in enumerate(members)}
    # One bit a member. `nearest`: those met first on every way from a package, itself included; `implied`:
    # all that come before one of these.
    nearest = [0] * len(edges)
    implied = [0] * len(edges)
    result: dict[int, tuple[int, ...]] = {}
    for package in dependency_first(edges)[0]:
        met = deeper = own = 0
        for dependency in edges[package]:
            met |= nearest[dependency]
            deeper |= implied[dependency]
        group = groups.get(package, (package,))
        for one in group:
            if one in number_of:
                own |= 1 << number_of[one]
        nearest[package] = own or met
        implied[package] = met | deeper if own else deeper
        if own and met:
            waits = tuple(members[number] for number in _bits(met & ~deeper))
            result |= {one: waits for one in group if one in number_of}
    return result


def _condensed(edges: Edges, cycles: Sequence[Sequence[int]]) -> tuple[Edges, dict[int, Sequence[int]]]:
    """Return the condensation of `edges`: each cycle is one package, its first; and the cycle of each such package."""
    if not cycles:
        return edges, {}
    groups = {group[0]: group for group in cycles}
    first_of = {place: group[0] for group in cycles for place in group}
    merged = []
    for place, following in enumerate(edges):
        if place in groups:
            following = tuple(other for one in groups[place] for other in edges[one])
        elif place in first_of:
            following = ()
        merged.append(tuple(sorted({first_of.get(other, other) for other in following} - {place})))
    return tuple(merged), groups


def _bits(mask: int) -> list[int]:
    """Return the places of the bits that are set in `mask`, ascending."""
    places = []
    while mask:
        lowest = mask & -mask
        places.append(lowest.bit_length() - 1)
        mask ^= lowest
    return places
