"""Edges, order and cycles; the simple algorithms agree with networkx."""

from __future__ import annotations

import itertools

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rt_supervisor import graph
from rt_supervisor._native import Manifest


def package(name: str | None, *dependencies: str) -> Manifest:
    fields: tuple[object, ...] = (name, None, None, [], [], dependencies, [], None)
    return Manifest(f"/w/{name}/package.json", fields)


def test_edges_are_by_name_and_never_to_itself() -> None:
    packages = [package("a", "b", "a", "left-pad"), package("b"), package(None, "a"), package("c", "b", "a")]
    assert graph.find_edges(packages) == ((1,), (), (0,), (0, 1))


def test_a_shared_name_means_all_that_have_it() -> None:
    packages = [package("same", "same"), package("same"), package("c", "same")]
    assert graph.find_edges(packages) == ((), (), (0, 1))


def test_no_cycle_is_found_without_networkx(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "networkx", None)
    assert graph.find_cycles(((1,), (2,), ())) == []
    with pytest.raises(ImportError):
        graph.find_cycles(((1,), (0,)))


def test_cycles_that_do_not_concern_the_run_are_left_alone() -> None:
    edges = ((1,), (0,), (3,), (), (0,))
    assert graph.find_cycles(edges) == [(0, 1)]
    assert graph.find_cycles(edges, among=[2, 3]) == []
    assert graph.find_cycles(edges, among=[4]) == [(0, 1)]


def test_the_way_around_a_cycle_is_a_shortest_one() -> None:
    edges = ((1, 3), (2,), (0,), (1, 0))
    assert graph.cycle_path(edges, (0, 1, 2, 3)) == [0, 3, 0]
    assert graph.cycle_path(((2,), (0,), (1,)), (0, 1, 2)) == [0, 2, 1, 0]


def test_packages_without_the_script_carry_the_order() -> None:
    a, b, c, d = range(4)
    edges = ((b,), (c,), (d,), ())
    assert graph.waits_for(edges, [a, c]) == {a: (c,)}
    assert graph.waits_for(edges, [a, d]) == {a: (d,)}
    assert graph.waits_for(edges, [a, b, c, d]) == {a: (b,), b: (c,), c: (d,)}


def test_implied_entries_are_omitted() -> None:
    assert graph.waits_for(((1, 2), (2,), ()), [0, 1, 2]) == {0: (1,), 1: (2,)}


def test_a_cycle_is_waited_for_together_and_waits_for_all_it_needs() -> None:
    outer, a, b, needed = range(4)
    edges = ((a,), (b,), (a, needed), ())
    waits = graph.waits_for(edges, [outer, a, b, needed], cycles=[(a, b)])
    assert waits == {outer: (a, b), a: (needed,), b: (needed,)}
    assert graph.waits_for(edges, [outer, b, needed], cycles=[(a, b)]) == {outer: (b,), b: (needed,)}


EDGES = st.integers(1, 12).flatmap(
    lambda size: st.lists(
        st.sets(st.integers(0, size - 1), max_size=4).map(lambda places: tuple(sorted(places))),
        min_size=size,
        max_size=size,
    ).map(lambda rows: tuple(tuple(p for p in row if p != place) for place, row in enumerate(rows)))
)


@settings(max_examples=400, deadline=None)
@given(edges=EDGES, data=st.data())
def test_order_is_that_of_the_graph_outside_cycles(edges: graph.Edges, data: st.DataObject) -> None:
    size = len(edges)
    members = sorted(data.draw(st.sets(st.integers(0, size - 1))))
    whole: networkx.DiGraph[int] = networkx.DiGraph()
    whole.add_nodes_from(range(size))
    whole.add_edges_from((place, other) for place, row in enumerate(edges) for other in row)
    cycles = graph.find_cycles(edges, among=members)
    together = {place: group for group in networkx.strongly_connected_components(whole) for place in group}
    waits = graph.waits_for(edges, members, cycles=graph.find_cycles(edges))
    order: networkx.DiGraph[int] = networkx.DiGraph()
    order.add_nodes_from(members)
    order.add_edges_from((place, other) for place, row in waits.items() for other in row)

    assert networkx.is_directed_acyclic_graph(order)
    for one in members:
        expected = {x for x in networkx.descendants(whole, one) & set(members) if x not in together[one]}
        assert networkx.descendants(order, one) == expected
        assert graph.waits_for(edges, members, cycles=cycles).get(one, ()) == waits.get(one, ())
    # No entry is implied by the others, except that all members of a cycle are waited for together.
    for row in waits.values():
        for other in row:
            for third in row:
                assert other not in networkx.descendants(order, third)


@settings(max_examples=300, deadline=None)
@given(edges=EDGES)
def test_dependency_first_agrees_with_networkx(edges: graph.Edges) -> None:
    whole: networkx.DiGraph[int] = networkx.DiGraph(
        [(place, other) for place, row in enumerate(edges) for other in row]
    )
    order, knotted = graph.dependency_first(edges)
    done: set[int] = set()
    for place in order:
        assert done.issuperset(edges[place])
        done.add(place)
    groups = [group for group in networkx.strongly_connected_components(whole) if len(group) > 1]
    assert graph.find_cycles(edges) == sorted(tuple(sorted(group)) for group in groups)
    assert knotted == {
        place
        for place in range(len(edges))
        if any(place in group or networkx.descendants(whole, place) & group for group in groups if place in whole)
    }
    for group in graph.find_cycles(edges):
        path = graph.cycle_path(edges, group)
        assert path[0] == path[-1] == group[0]
        assert all(after in edges[before] for before, after in itertools.pairwise(path))
