"""The dependency graph of a workspace: edges by name, topological order, cycles.

Everything a run needs before its first child is computed on plain tuples, because importing networkx takes longer than most
scripts; a workspace without cycles never imports it. Cycles and exports of the graph (`graph_export`) use networkx. An edge
leads from a package to its dependency.
"""

from __future__ import annotations

from .workspace.selection import reachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import networkx

    from .workspace.manifest import Manifest

    Edges = tuple[tuple[int, ...], ...]
    """For each package, the indexes of its dependencies: ascending, each once, never its own."""


def find_edges(packages: Sequence[Manifest]) -> Edges:
    """Return the edges given by `Manifest.dependencies`.

    A name that several packages share refers to all of them. A dependency of a package on itself is ignored.
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
    """Return the networkx graph: nodes are indexes into `packages`, with `name` and `folder`."""
    import networkx

    graph: networkx.DiGraph[int] = networkx.DiGraph()
    for place, package in enumerate(packages):
        graph.add_node(place, name=package.name, folder=package.folder)
    graph.add_edges_from((place, dependency) for place, following in enumerate(edges) for dependency in following)
    return graph


def dependency_first(edges: Edges) -> tuple[list[int], set[int]]:
    """Return the packages in topological order, dependencies first, and the set of packages that have none.

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

    With `among`, only components that contain these packages or their dependencies are guaranteed to be found.
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
    """Return a shortest cycle through the first package of the component `group`, which is its first and last element."""
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
    """Return for each of `members` the other members that must succeed before it: a transitive reduction.

    Packages that are not members pass the order on: a -> b -> c without b gives a -> c. Members of a cycle do not wait for
    each other; each waits for the dependencies of all of them, and their dependents wait for all of them. Entries implied by
    others are omitted.
    """
    edges, groups = _condense(edges, cycles)
    number_of = {package: number for number, package in enumerate(members)}
    # One bit per member. `nearest`: the first members on every path from a package, itself included; `implied`: all members
    # that precede one of these.
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


def _condense(edges: Edges, cycles: Sequence[Sequence[int]]) -> tuple[Edges, dict[int, Sequence[int]]]:
    """Return the condensation of `edges`, in which the first package of a cycle represents it, and the cycle of each such package."""
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
    """Return the indexes of the bits set in `mask`, ascending."""
    places = []
    while mask:
        lowest = mask & -mask
        places.append(lowest.bit_length() - 1)
        mask ^= lowest
    return places
