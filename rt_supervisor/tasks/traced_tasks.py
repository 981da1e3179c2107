"""The traced tasks of one run: starts their processes under the tracer, and finds the trace whose observations still hold.

A task whose inputs are traced has two keys. The base key covers what is known before it runs: command, variables, versions, declared
inputs. Under it, the traces of earlier runs are kept; the first whose observations all hold completes the key of the result. rt never
changes what it did not write: a file that has changed since rt put it there is an ordinary file from then on.
"""

from __future__ import annotations

import os
import shutil
import stat

from .._native import content_digest
from ..vocabulary.record import replace
from .digests import identity_of
from .globs import parse
from .known_traces import KnownTrace, load_traces, put_trace, remove_trace
from .observations import Ground, classify, has_content, observe_again
from .outputs import read_output
from .store import FILE, FOLDER, LINK
from .trace_scope import scope_of
from .traces import TRACER, merge, read_trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from ..plan.model import RunPlan, Task
    from .digests import DigestMemo, Identity
    from .keys import Parts
    from .observations import Classified
    from .small_files import NewFiles
    from .store import Output, Store
    from .task_plan import TaskPlan
    from .trace_scope import TraceScope
    from .traces import Rows


class TracedTasks:
    """The traced tasks of a run of `chosen`. `executable` is the path of rt, `store` keeps the traces."""

    def __init__(
        self, chosen: TaskPlan, *, store: Store, memo: DigestMemo, environment: Mapping[str, str], executable: str
    ) -> None:
        self._members = frozenset(key for key in range(len(chosen.members)) if chosen.node(key).is_traced)
        self._scopes = {chosen.members[key]: _scope_of(chosen, key) for key in self._members}
        self._store = store
        self._memo = memo
        self._executable = executable
        self._folder = ""
        self._ground = Ground(chosen.tasks.workspace.root, environment)
        self._bases: dict[int, Parts] = {}
        self._rows: Rows = {}
        self._last: dict[int, KnownTrace] = {}  # of the last run of a node, or of the result that took its place
        self._stored: dict[int, KnownTrace] = {}  # traces that this run has stored
        # Observations outside the workspace, which a run does not change, by name and whether they cover the content.
        self._outside: dict[tuple[str, bool], str] = {}

    def has(self, key: int) -> bool:
        """Return whether the task of the recipe at `key` is traced."""
        return key in self._members

    def traces_inputs(self, number: int) -> bool:
        """Return whether the inputs of a node are traced."""
        scope = self._scopes.get(number)
        return scope is not None and scope.traces_inputs

    def traces_outputs(self, number: int) -> bool:
        """Return whether the outputs of a node are traced."""
        scope = self._scopes.get(number)
        return scope is not None and scope.traces_outputs

    # --- processes

    def under_tracer(self, plan: RunPlan) -> RunPlan:
        """Return `plan` with the processes of traced tasks under the tracer. Raises OSError."""
        if not self._members:
            return plan
        self._folder = self._folder or self._store.scratch_folder()
        traced: RunPlan = replace(plan, tasks=tuple(map(self._task_under_tracer, plan.tasks)))
        return traced

    def _task_under_tracer(self, task: Task) -> Task:
        if task.key not in self._members:
            return task
        steps = tuple(
            replace(
                step,
                argv=(self._executable, TRACER, self._place(task.key, number), *step.argv),
                program=(),
                direct=(),
            )
            for number, step in enumerate(task.steps)
        )
        changed: Task = replace(task, steps=steps)
        return changed

    def _place(self, key: int, step: int) -> str:
        return os.path.join(self._folder, f"{key}-{step}")

    def close(self) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def collect(self, number: int, task: Task) -> Classified | None:
        """Return what the task of a node depends on and wrote, once it has ended; None if it was not traced to its end."""
        traces = [read_trace(self._place(task.key, number), self._rows) for number in range(len(task.steps))]
        complete = [trace for trace in traces if trace is not None]
        if len(complete) < len(traces):
            self._last.pop(number, None)
            return None
        found = classify(merge(complete), self._ground, self._memo, self._scopes[number])
        self._last[number] = KnownTrace(found.inputs, found.own)
        return found

    # --- keys

    def resolve(self, number: int, base: Parts, removable: Collection[str]) -> Parts:
        """Return the parts of the key of a node: those of the first trace whose observations still hold. Without one, the parts have
        what can be observed now of the files of the newest trace, and no result has their key.

        `removable` are the paths, relative to the root, that rt removes before the task runs.
        """
        self._bases[number] = base
        traces = load_traces(self._store, base.key())
        removed = frozenset(map(self._ground.path_of, removable))
        trace = self._first_that_holds(number, traces, removed)
        if trace is not None:
            self._last[number] = trace
            return self._completed(base, trace.inputs)
        return self._as_now(number, base, traces[0], removed) if traces else base

    def observed(self, number: int, base: Parts, removable: Collection[str]) -> frozenset[str] | None:
        """Return the names of what a run of a node has observed (as in `observations.Ground`) that is now as it was then; None if no such
        run is known. `removable` as for `resolve`.
        """
        removed = frozenset(map(self._ground.path_of, removable))
        trace = self._first_that_holds(number, load_traces(self._store, base.key()), removed)
        return None if trace is None else frozenset((*base.files, *trace.inputs))

    def _first_that_holds(
        self, number: int, traces: Iterable[KnownTrace], removed: frozenset[str]
    ) -> KnownTrace | None:
        scope = self._scopes[number]
        for trace in traces:
            own, observed = self._own(trace), trace.inputs.items()
            if all(self._observe(name, value, own, removed, scope) == value for name, value in observed):
                return trace
        return None

    def _as_now(self, number: int, base: Parts, trace: KnownTrace, removed: frozenset[str]) -> Parts:
        own, scope = self._own(trace), self._scopes[number]
        now = {name: self._observe(name, value, own, removed, scope) for name, value in trace.inputs.items()}
        return self._completed(base, now)

    def remember(self, number: int, found: Classified) -> Parts:
        """Keep the trace of a task that has succeeded, and return the parts of its key. Raises OSError."""
        base = self._bases[number]
        key = base.key()
        trace = KnownTrace(found.inputs, found.own)
        put_trace(self._store, base, key, trace, load_traces(self._store, key))
        self._stored[number] = trace
        return self._completed(base, found.inputs)

    def remove_uncertain(self) -> dict[int, str]:
        """Remove the traces and results of this run whose tasks may have read another state of a file outside the workspace than their
        trace says: each file is compared once for all tasks that use it. Return such a file for each node. Raises OSError.
        """
        changed = self._ground.take_changed_outside() if self._stored else set()
        found = {}
        for number, trace in self._stored.items() if changed else ():
            if paths := changed.intersection(trace.inputs):
                found[number] = min(paths)
                remove_trace(self._store, self.base_key(number), trace)
                self._store.remove(self._completed(self._bases[number], trace.inputs).key())
        self._stored = {}
        return found

    # --- watched runs

    def base_key(self, number: int) -> str:
        """Return the base key that a node had when it was decided about."""
        return self._bases[number].key()

    def parts_of_last(self, number: int) -> Parts | None:
        """Return the parts of a key that stands for what the last run of a node has read, None if that is not known."""
        trace, base = self._last.get(number), self._bases.get(number)
        return None if trace is None or base is None else self._completed(base, trace.inputs)

    def written_by_last(self, number: int) -> Collection[str] | None:
        """Return the names of what the last run of a node has written, None if that is not known."""
        trace = self._last.get(number)
        return None if trace is None else trace.own

    def parts_now(self, number: int, base: Parts, removable: Collection[str]) -> Parts:
        """Return the parts of the same key for the files as they are now; `removable` as for `resolve`."""
        trace = self._last.get(number)
        if trace is None:
            return base
        return self._as_now(number, base, trace, frozenset(map(self._ground.path_of, removable)))

    def changed_inputs(self, number: int, paths: Collection[str], removable: Collection[str]) -> set[str] | None:
        """Return what the last run of a node has read of `paths`, relative to the root, and their folders that is different now; None if
        that is not known.
        """
        trace = self._last.get(number)
        if trace is None:
            return None
        removed, own, scope = frozenset(map(self._ground.path_of, removable)), self._own(trace), self._scopes[number]
        return {
            path
            for path in paths
            for name in _names_on_the_way(path)
            if (value := trace.inputs.get(name)) is not None
            and self._observe(name, value, own, removed, scope) != value
        }

    def _own(self, trace: KnownTrace) -> frozenset[str]:
        return frozenset(map(self._ground.path_of, trace.own))

    def _observe(self, name: str, value: str, own: frozenset[str], removed: frozenset[str], scope: TraceScope) -> str:
        if not name.startswith("/"):
            return observe_again(name, value, self._ground, self._memo, own=own, removed=removed, scope=scope)
        at = (name, has_content(value))
        known = self._outside.get(at)
        if known is None:
            known = observe_again(name, value, self._ground, self._memo, own=own, removed=removed)
            self._outside[at] = known
        return known

    @staticmethod
    def _completed(base: Parts, inputs: Mapping[str, str]) -> Parts:
        completed: Parts = replace(base, files={**base.files, **inputs})
        return completed


def _names_on_the_way(path: str) -> Iterator[str]:
    """Yield the names of the observations that a change of `path` can concern: of itself and of the folders above it."""
    yield path
    yield f"{path}/"
    while path:
        path = os.path.dirname(path)
        yield path or "."
        yield f"{path or '.'}/"


def _scope_of(chosen: TaskPlan, key: int) -> TraceScope:
    node = chosen.node(key)
    settings = node.settings
    folder = chosen.tasks.folder(node.place)
    return scope_of(
        parse(settings.inputs or (), folder),
        parse(settings.outputs or (), folder),
        traces_inputs=settings.traces_inputs,
        traces_outputs=settings.traces_outputs,
    )


# --- files that rt has written


def capture_paths(root: str, paths: Sequence[str], store: NewFiles | None) -> dict[str, tuple[Output, Identity]]:
    """Return the outputs at `paths`, relative to `root`, with their identities, and put the files into `store`. Raises OSError."""
    found = {}
    for path in paths:
        about = os.lstat(os.path.join(root, path))
        output = read_output(root, path, about, store)
        if output is not None:
            found[path] = (output, identity_of(about))
    return found


def removable(root: str, outputs: Mapping[str, tuple[Output, Identity]]) -> set[str]:
    """Return the paths of `outputs` if everything that exists of them is as rt left it, otherwise nothing.

    A task may trust in the rest of what it wrote, as an incremental compiler does, so all of it is removed or none.
    """
    return set(outputs) if all(_is_untouched(root, *known) for known in outputs.values()) else set()


def is_in_the_way(root: str, outputs: Sequence[Output], own: Collection[str]) -> bool:
    """Return whether a file would be lost if `outputs` were restored: it is not in `own`, and has another content."""
    return any(output.path not in own and not _is_untouched(root, output, None) for output in outputs)


def _is_untouched(root: str, output: Output, known: Identity | None) -> bool:
    """Return whether nothing is at the place of `output`, or what rt put there."""
    at = os.path.join(root, output.path)
    try:
        about = os.lstat(at)
        if output.kind == FOLDER:
            return stat.S_ISDIR(about.st_mode)
        if output.kind == LINK:
            return stat.S_ISLNK(about.st_mode) and os.readlink(at) == output.content
        if identity_of(about) == known:
            return True
        if output.kind != FILE or not stat.S_ISREG(about.st_mode) or about.st_size != output.size:
            return False
        with open(at, "rb") as file:
            return content_digest(file.read()) == output.content
    except FileNotFoundError:
        return True
    except OSError:
        return False
