"""The graph of tasks: which tasks of which packages a request needs, and what each waits for.

A node is one task of one package, whether or not the package has the script: a package without it passes the order on, as in
Turborepo. Dependencies are pulled in also if they are not selected. A cycle is an error, because no order would be right.
"""

from __future__ import annotations

from .. import graph
from ..vocabulary.errors import Failed
from ..vocabulary.record import record, replace
from .definitions import ROOT, TaskResolver, names_of, split_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..graph import Edges
    from .definitions import TaskSettings, TaskTable
    from .sources import TaskWorkspace


@record
class TaskNode:
    """One task of the package at `place`. `command` is "" if the package does not have it; `why` says what asked for it.

    A node that `is_selected` was named by the request, and gets its arguments. One that `is_partial` has dependencies that are
    left out of the graph.
    """

    place: int
    settings: TaskSettings
    command: str
    why: str
    is_selected: bool
    is_partial: bool = False

    @property
    def is_traced(self) -> bool:
        """Whether the inputs or the outputs of the task are traced, and its results may be stored."""
        settings = self.settings
        return bool(self.command) and settings.is_cacheable and (settings.traces_inputs or settings.traces_outputs)


@record
class TaskGraph:
    """`edges` lead from a node to the nodes that must succeed before it; both are in listing order."""

    nodes: tuple[TaskNode, ...]
    edges: Edges


def build(
    tasks: TaskWorkspace,
    table: TaskTable,
    *,
    places: Sequence[int],
    names: Sequence[str],
    only: bool = False,
    without: frozenset[tuple[int, str]] = frozenset(),
) -> TaskGraph:
    """Return the graph of the tasks `names` of the packages `places`; `pkg#task` names a task of one package.

    With `only`, the dependencies of these tasks are left out. The tasks `without`, by place and name, are not selected. Raises Failed for
    tasks that nothing defines, and for cycles.
    """
    return _Builder(tasks, table, only=only).build(places, names, without)


class _Builder:
    def __init__(self, tasks: TaskWorkspace, table: TaskTable, *, only: bool) -> None:
        self._tasks = tasks
        self._table = table
        self._resolver = TaskResolver(table)
        self._only = only
        self._package_edges = graph.find_edges(tasks.packages)
        self._places_of: dict[str, list[int]] = {}
        for place, package in enumerate(tasks.packages):
            for name in names_of(package.name, package.folder, is_root=place == tasks.root_place):
                self._places_of.setdefault(name, []).append(place)
        self._found: dict[tuple[int, str], TaskNode] = {}
        self._edges: dict[tuple[int, str], set[tuple[int, str]]] = {}
        self._partial: set[tuple[int, str]] = set()
        self._todo: list[tuple[int, str]] = []

    def build(self, places: Sequence[int], names: Sequence[str], without: frozenset[tuple[int, str]]) -> TaskGraph:
        for written in names:
            package, task = split_name(written)
            found = places if package is None else self._named(package, f'task "{written}"')
            added = [
                (place, task) in without or self._add(place, task, "selected", is_selected=True) for place in found
            ]
            if not any(added) and places:
                raise Failed("task-not-defined", self._undefined(written))
        while self._todo:
            self._expand(self._todo.pop())
        return self._finish()

    def _add(self, place: int, task: str, why: str, *, is_selected: bool = False) -> bool:
        """Add the task of one package, unless nothing defines it there. Returns whether it is in the graph."""
        key = (place, task)
        if key in self._found:
            return True
        package = self._tasks.packages[place]
        is_root = place == self._tasks.root_place
        settings = self._resolver.resolve(names_of(package.name, package.folder, is_root=is_root), task)
        if settings is None:
            return False
        script = package.script(task) or ""
        # A script that is the word `wireit` is what wireit runs in its place.
        command = settings.command if "command" in settings.values else script
        has_command = bool(script) or settings.has_own_command
        self._found[key] = TaskNode(place, settings, command if has_command else "", why, is_selected)
        self._edges[key] = set()
        self._todo.append(key)
        return True

    def _expand(self, key: tuple[int, str]) -> None:
        place, task = key
        settings = self._found[key].settings
        for written in settings.depends_on:
            for other in self._dependencies(place, written, settings):
                why = f"{self._tasks.name(place)}#{task} depends on it"
                is_there = other in self._found if self._only else self._add(*other, why)
                if is_there:
                    self._edges[key].add(other)
                else:
                    self._partial.add(key)
        for written in () if self._only else settings.companions:
            for other in self._dependencies(place, written, settings):
                self._add(*other, f"runs with {self._tasks.name(place)}#{task}")

    def _dependencies(self, place: int, written: str, settings: TaskSettings) -> Iterable[tuple[int, str]]:
        at = settings.places.get("dependsOn", settings.place)
        if written.startswith("$"):
            raise Failed("task-setting-invalid", f'{at}: "{written}" is not a task; list variables in "env"')
        if written.startswith("^"):
            edges = self._package_edges[place]
            return [(other, written[1:]) for other in edges]
        package, task = split_name(written)
        if package is None:
            if self._resolver.resolve(self._names(place), task) is None:
                raise Failed("task-not-defined", f"{at}: {self._undefined(task)}")
            return [(place, task)]
        return [(other, task) for other in self._named(package, at)]

    def _names(self, place: int) -> Sequence[str]:
        package = self._tasks.packages[place]
        return names_of(package.name, package.folder, is_root=place == self._tasks.root_place)

    def _named(self, package: str, at: str) -> list[int]:
        found = self._places_of.get(package)
        if found is None:
            from ..workspace.suggestions import closest

            meant = closest(package, self._places_of)
            hint = f'; did you mean "{meant}"?' if meant else ""
            raise Failed("task-of-no-package", f'{at}: no package of the workspace is named "{package}"{hint}')
        return found

    def _undefined(self, task: str) -> str:
        names = self._table.names()
        from ..workspace.suggestions import closest

        meant = closest(task, names)
        hint = f'; did you mean "{meant}"?' if meant else f"; the tasks are {', '.join(names)}" if names else ""
        return f'no task "{task}" is defined in {self._table.origin}{hint}'

    def _finish(self) -> TaskGraph:
        order = sorted(self._found, key=lambda key: (key[0], self._found[key].settings.task))
        number_of = {key: number for number, key in enumerate(order)}
        edges = tuple(tuple(sorted(number_of[other] for other in self._edges[key])) for key in order)
        nodes = tuple(
            replace(self._found[key], is_partial=True) if key in self._partial else self._found[key] for key in order
        )
        self._refuse_cycles(nodes, edges)
        return TaskGraph(nodes, edges)

    def _refuse_cycles(self, nodes: Sequence[TaskNode], edges: Edges) -> None:
        itself = [(number,) for number, following in enumerate(edges) if number in following]
        cycles = itself or graph.find_cycles(edges)
        if cycles:
            path = graph.cycle_path(edges, cycles[0])
            shown = " -> ".join(title(self._tasks, nodes[number]) for number in path)
            at = nodes[path[0]].settings
            raise Failed("task-cycle", f"{at.places.get('dependsOn', at.place)}: tasks depend on each other: {shown}")


def title(tasks: TaskWorkspace, node: TaskNode) -> str:
    """Return the name of a node: `pkg#task`, `//#task` for the root package."""
    name = ROOT if node.place == tasks.root_place else tasks.name(node.place)
    return f"{name}#{node.settings.task}"
