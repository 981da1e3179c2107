"""The keys of the nodes of one run, and what each node contributes to the keys of those that depend on it.

A node without a script contributes its files. What a task writes, and what tasks of its package write that it depends on, is never
among its inputs: outputs count by the contribution of the task that writes them. `refresh` reads the files again, for runs that are watched.
"""

from __future__ import annotations

import functools
import os

from ..vocabulary.record import record
from .globs import parse
from .keys import contribution
from .sorted_paths import sort_paths
from .task_graph import title
from .written import OutputSets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterator, Sequence

    from ..plan.model import RunPlan
    from .file_index import FileIndex
    from .globs import Globs
    from .keys import KeyMaker, Parts
    from .task_plan import TaskPlan
    from .written import Written


@record
class Refreshed:
    """The result of `refresh`, as keys of tasks. `touched` are those whose inputs have changed, or those of a node without a script
    that they depend on; `absorbed` those whose inputs have changed by files that count as written by a task, unless they depend on a
    touched one. `files` are the absolute paths of the changed inputs, also of those whose change was not reported yet.
    """

    touched: frozenset[int]
    absorbed: frozenset[int]
    files: tuple[str, ...]


class NodeKeys:
    """The keys of the nodes of `chosen`, whose tasks run as `plan`. `make` reads the files of the workspace; the keys of nodes that
    `traces_inputs` holds for are the base keys of their traces.
    """

    def __init__(
        self,
        chosen: TaskPlan,
        plan: RunPlan,
        make: Callable[[], KeyMaker],
        traces_inputs: Callable[[int], bool] = lambda _: False,
    ) -> None:
        self.plan = plan
        self._traces_inputs = traces_inputs
        self._make = make
        self._maker = make()
        self._chosen = chosen
        self._root = chosen.tasks.workspace.root
        self._key_of = {number: key for key, number in enumerate(chosen.members)}
        self.titles = [title(chosen.tasks, node) for node in chosen.graph.nodes]
        self._outputs: dict[int, Globs] = {}
        self._sets = OutputSets()
        self._written: dict[int, Written] = {}
        self._contributions: dict[int, str] = {}
        self._dependencies: dict[int, dict[str, str]] = {}  # of the nodes whose dependencies have ended
        self._failed: dict[int, bool] = {}

    @property
    def index(self) -> FileIndex:
        """The files of the workspace, as they were read last."""
        return self._maker.index

    def parts(self, number: int) -> Parts:
        """Return the parts of the key of a node, all of whose dependencies have ended."""
        node = self._chosen.graph.nodes[number]
        key = self._key_of.get(number)
        task = None if key is None else self.plan.tasks[key]
        return self._maker.parts(
            node, task, self._dependencies_of(number), self._written_by(number), is_traced=self._traces_inputs(number)
        )

    def folder(self, number: int) -> str:
        """Return the folder of a node's package relative to the root, "" for the root."""
        return self._maker.folder(self._chosen.graph.nodes[number])

    def outputs(self, number: int) -> Globs:
        """Return the outputs of a node."""
        if number not in self._outputs:
            node = self._chosen.graph.nodes[number]
            self._outputs[number] = parse(node.settings.outputs or (), self._maker.folder(node))
        return self._outputs[number]

    def changed_input(self, number: int, *, finds_added: bool, own: Collection[str] = ()) -> tuple[str, str]:
        """Return an input of a node that is not as its key says, and what happened to it (`KeyMaker.changed_input`)."""
        node = self._chosen.graph.nodes[number]
        return self._maker.changed_input(node, self._written_by(number), finds_added=finds_added, own=own)

    def inputs_since(self, number: int, since_ns: int) -> set[str]:
        """Return the inputs of a node that were written at `since_ns` (`identity.file_time_ns`) or later, whatever their content."""
        return self._maker.inputs_since(self._chosen.graph.nodes[number], self._written_by(number), since_ns)

    def contribute(self, number: int, contents: str) -> None:
        """Record what the task of a node has written. An earlier failure of the node itself does not count any more."""
        self._failed.pop(number, None)
        self._put_contribution(number, contents)

    def _put_contribution(self, number: int, contents: str) -> None:
        self._contributions[number] = contribution(self.titles[number], contents, self._dependencies_of(number))

    def fail(self, number: int) -> None:
        """Record that a node has failed, or that its outputs cannot be trusted."""
        self._failed[number] = True

    def has_failed(self, number: int) -> bool:
        """Return whether a node, or one that it depends on, has failed."""
        if not self._failed:
            return False
        known = self._failed.get(number)
        if known is not None:
            return known
        for each in self._missing(number, self._failed):
            self._failed[each] = any(map(self._failed.__getitem__, self._chosen.graph.edges[each]))
        return self._failed[number]

    def _missing(
        self, number: int, known: Container[int], following: Callable[[int], Sequence[int]] | None = None
    ) -> Iterator[int]:
        """Yield a node and what it depends on (`following` of it) as far as `known` lacks them, dependencies first. The caller adds each to
        `known`.

        Chains of nodes may be longer than Python's stack.
        """
        following = following or self._chosen.graph.edges.__getitem__
        todo = [number]
        while todo:
            at = todo[-1]
            missing = () if at in known else [other for other in following(at) if other not in known]
            todo += missing
            if not missing:
                todo.pop()
                if at not in known:
                    yield at

    def _dependencies_of(self, number: int) -> dict[str, str]:
        known = self._dependencies.get(number)
        if known is None:
            edges = self._chosen.graph.edges[number]
            known = self._dependencies[number] = {self.titles[other]: self._contribution(other) for other in edges}
        return known

    def _contribution(self, number: int) -> str:
        """Return the contribution of a node whose tasks have ended; of one without a script, its key."""
        known = self._contributions.get(number)
        if known is not None:
            return known
        for each in self._missing(number, self._contributions):
            self._put_contribution(each, self.parts(each).key())
        return self._contributions[number]

    def _written_by(self, number: int) -> Written:
        """Return what a node and those of the same package that it depends on write."""
        known = self._written.get(number)
        if known is None and not self._same_package(number):
            known = self._written[number] = self._sets.joined(self.outputs(number), ())
        if known is None:
            for each in self._missing(number, self._written, self._same_package):
                others = [self._written[other] for other in self._same_package(each)]
                self._written[each] = self._sets.joined(self.outputs(each), others)
            known = self._written[number]
        return known

    def _same_package(self, number: int) -> Sequence[int]:
        """Return the nodes of its package that a node depends on."""
        nodes, place = self._chosen.graph.nodes, self._chosen.graph.nodes[number].place
        return [other for other in self._chosen.graph.edges[number] if nodes[other].place == place]

    # --- changes

    def refresh(
        self,
        changed: Collection[str],
        own: Collection[str],
        changed_inputs: Callable[[int, Collection[str]], set[str]] = lambda _, __: set(),
    ) -> Refreshed:
        """Read the files of the workspace again. `changed` are the files that have changed; `own` are those that tasks have written.
        `changed_inputs` returns which paths, relative to the root, have changed what a node with traced inputs has read.

        What depends on touched nodes is forgotten, so that their tasks can run again.
        """
        before, self._maker = self._maker, self._make()
        everything = before.shared != self._maker.shared
        paths = {os.path.relpath(path, self._root) for path in changed}
        own_paths = {os.path.relpath(path, self._root) for path in own}
        all_paths = sort_paths(paths | own_paths)
        touched, absorbed, others = set(), set(), []
        inputs: set[str] = set()
        for number, node in enumerate(self._chosen.graph.nodes):
            written = self._written_by(number)
            is_traced = self._traces_inputs(number)
            if everything or (not is_traced and before.packages_of(node) != self._maker.packages_of(node)):
                touched.add(number)
                inputs.update(paths)
            elif is_traced:
                old, new = before.declared(node, written), self._maker.declared(node, written)
                different = {path for path in (*old, *new) if old.get(path) != new.get(path)}
                different |= changed_inputs(number, paths - own_paths)
                if different - own_paths:
                    touched.add(number)
                    inputs.update(different - own_paths)
                elif different or changed_inputs(number, own_paths):
                    absorbed.add(number)
            elif not before.may_read(node, all_paths):
                others.append(number)
            else:
                old, new = before.files(node, written), self._maker.files(node, written)
                # All inputs count, because a file may have changed whose event has not arrived yet.
                different = {path for path in (*old, *new) if old.get(path) != new.get(path)}
                if different - own_paths:
                    touched.add(number)
                    inputs.update(different - own_paths)
                elif different:
                    absorbed.add(number)
        dependent = self.forget(touched)
        for number in others:
            if number not in dependent:
                self._maker.adopt(before, self._chosen.graph.nodes[number], self._written_by(number))
        seeds = self._members_of(touched)
        files = tuple(os.path.join(self._root, path) for path in sorted(inputs))
        # The key of a task that depends on a touched one is unknown until that one has ended.
        return Refreshed(seeds, self._members_of(absorbed) - self._members_of(dependent), files)

    def ignored_inputs(self) -> list[str]:
        """Return the absolute paths of ignored files and folders that are inputs, because patterns name them, or contain inputs; and of the
        files that `globalDependencies` name and that do not exist.
        """
        nodes = self._chosen.graph.nodes
        found = {path for node in nodes for path in self._maker.ignored_inputs(node)}
        found.update(self._maker.shared_places())
        return sorted(os.path.join(self._root, path) for path in found)

    def _members_of(self, numbers: Collection[int]) -> frozenset[int]:
        """Return the tasks of nodes; for a node without a script, those that depend on it."""
        found = set()
        todo, seen = list(numbers), set(numbers)
        while todo:
            number = todo.pop()
            if number in self._key_of:
                found.add(self._key_of[number])
                continue
            more = [other for other in self._dependents[number] if other not in seen]
            seen.update(more)
            todo += more
        return frozenset(found)

    def forget(self, numbers: Collection[int]) -> set[int]:
        """Forget what is known of nodes and of those that depend on them. Return all of these."""
        todo, seen = list(numbers), set(numbers)
        while todo:
            number = todo.pop()
            self._contributions.pop(number, None)
            self._dependencies.pop(number, None)
            self._failed.pop(number, None)
            more = [other for other in self._dependents[number] if other not in seen]
            seen.update(more)
            todo += more
        return seen

    @functools.cached_property
    def _dependents(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self._chosen.graph.nodes]
        for number, edges in enumerate(self._chosen.graph.edges):
            for other in edges:
                found[other].append(number)
        return found
