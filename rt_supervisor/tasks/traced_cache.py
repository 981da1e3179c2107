"""The cache of a run with traced tasks: what differs for them from tasks with `inputs` and `outputs`.

A task whose inputs are traced gets the key of its result when it ends. Until then, its key is that of the trace that still holds, if
there is one. A task whose outputs alone are traced has the key of its declared inputs. Results of both are only in the local store.
"""

from __future__ import annotations

from ..vocabulary.record import replace
from .small_files import NewFiles
from .state import TaskState
from .store import Entry
from .task_cache import TaskCache
from .traced_tasks import capture_paths, is_in_the_way, removable
from .traces import IMPOSSIBLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from ..plan.model import RunPlan
    from .keys import Parts
    from .node_keys import Refreshed
    from .observations import Classified
    from .store import Store
    from .task_outputs import Received
    from .traced_tasks import TracedTasks


class TracedCache(TaskCache):
    """The cache of a run of which some tasks are `traced`."""

    def __init__(self, *arguments: Any, traced: TracedTasks, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._traced = traced
        self._is_refreshed = False  # so the base key of a task may have changed while it ran
        self._number_of = {title: number for number, title in enumerate(self._titles)}

    def under_tracer(self, plan: RunPlan) -> RunPlan:
        """Return `plan` with the processes of traced tasks under the tracer. Raises OSError."""
        return self._traced.under_tracer(plan)

    def _parts_of(self, key: int) -> Parts:
        base = super()._parts_of(key)
        number = self._chosen.members[key]
        name = self._titles[number]
        if self._traced.traces_inputs(number):
            return self._traced.resolve(number, base, self._owned(name))
        if self._traced.traces_outputs(number):
            # What it has written is not an input, also if declared patterns match it.
            owned = self._owned(name)
            files = {path: digest for path, digest in base.files.items() if path not in owned}
            return base if len(files) == len(base.files) else replace(base, files=files)
        return base

    def prefetch(self, key: int) -> str:
        return "" if self._traced.has(key) else super().prefetch(key)

    def _obstacle(self, number: int) -> str:
        if not self._traced.traces_inputs(number):
            return super()._obstacle(number)
        # What it reads of tasks that are left out is in its trace.
        return self._lasting_obstacle(number) or self._failed_dependency(number)

    def _lasting_obstacle(self, number: int) -> str:
        return "" if self._traced.traces_outputs(number) else super()._lasting_obstacle(number)

    def _owned(self, name: str) -> set[str]:
        if not self._traced.traces_outputs(self._number_of[name]):
            return super()._owned(name)
        known = self._state.tasks.get(name)
        return removable(self._root, known.outputs) if known is not None else set()

    def _restore(self, name: str, digest: str, entry: Entry, known: TaskState | None, store: Store) -> bool:
        traces_outputs = self._traced.traces_outputs(self._number_of[name])
        if traces_outputs and is_in_the_way(self._root, entry.outputs, self._owned(name)):
            return False
        return super()._restore(name, digest, entry, known, store)

    def finish(
        self,
        key: int,
        log: Sequence[tuple[int, int, bytes]],
        *,
        seconds: float,
        has_succeeded: bool,
        received: Received | None = None,
    ) -> str:
        """Store the result of a task that has ended, as `TaskCache.finish`.

        Of a task without a result whose outputs are traced, rt owns nothing: to remove a part of what it wrote could mislead an
        incremental compiler.
        """
        number = self._chosen.members[key]
        traces_outputs = self._traced.traces_outputs(number)
        found = self._traced.collect(number, self._plan.tasks[key]) if self._traced.has(key) else None
        changed_meanwhile = found.changed if found is not None else ""
        if not self._traced.has(key) or not (has_succeeded or traces_outputs):
            changed = super().finish(key, log, seconds=seconds, has_succeeded=has_succeeded, received=received)
            return changed or changed_meanwhile
        name = self._titles[number]
        known = self._state.tasks.get(name)
        self._is_changed = True
        if traces_outputs:
            before = known.seconds if known is not None else seconds
            self._state.tasks[name] = TaskState("", {}, "", None, before, has_failed=not has_succeeded)
        self._keys.fail(number)  # a result of its dependents would be of no known inputs
        if not has_succeeded:
            return changed_meanwhile
        changed, problem = self._problem(key, found)
        if problem or found is None:
            self._note(problem)
            if not traces_outputs:
                self._own_leftovers(name, number, known, self._started_ns[key], has_failed=False)
            return changed
        miss = self._misses[key]
        try:
            store = self._target if miss.is_cacheable else None
            files = None if store is None else NewFiles(store)
            outputs = self._captured(key, known, files)
            outputs.update(capture_paths(self._root, found.outputs, files))
            if store is not None and self._traced.traces_inputs(number):
                self._parts[key] = self._traced.remember(number, found)
                self._state.bases[name] = self._traced.base_key(number)
        except OSError as error:
            self._note(f"{name}: its result is not stored: {error.strerror}: {error.filename}")
            return ""
        contents = {} if files is None else files.contents
        entry = Entry(tuple(log), tuple(output for output, _ in outputs.values()), seconds, contents)
        digest = self._parts[key].key()
        if store is not None:
            self._put(name, digest, entry, None)
        self._remember(name, digest, entry, outputs, is_result=miss.is_cacheable)
        self._keys.contribute(number, self._state.tasks[name].contents)
        return ""

    def _problem(self, key: int, found: Classified | None) -> tuple[str, str]:
        """Return an input of a task that is not as its key says, and the line that says why its result is not stored; "" for none."""
        number = self._chosen.members[key]
        start = f"{self._titles[number]}: its result is not stored: "
        if found is None:
            return "", f"{start}its files were not traced"
        if found.problem.startswith(IMPOSSIBLE):  # the same for all tasks
            return "", f"results of traced tasks are not stored: {found.problem}"
        if found.problem:
            return found.changed, start + found.problem
        if self._is_refreshed and self._traced.traces_inputs(number):
            before, now = self._traced.base_key(number), super()._parts_of(key).key()
            if before != now:
                folder = self._keys.folder(number)
                changed = f"{folder}/package.json" if folder else "package.json"
                return changed, f"{start}its settings or declared inputs were changed during the run"
        if self._chosen.node(key).settings.inputs is None:
            return "", ""
        is_cacheable = self._misses[key].is_cacheable
        own = frozenset(found.own) - self._parts[key].files.keys()  # a declared input that it changes is not its own
        changed, how = self._keys.changed_input(number, finds_added=is_cacheable, own=own)
        return changed, f"{start}{changed} was {how} during the run" if changed else ""

    def observed(self, number: int) -> frozenset[str] | None:
        if not self._traced.traces_inputs(number):
            return None
        return self._traced.observed(number, self._keys.parts(number), self._owned(self._titles[number]))

    # --- watched runs

    def finds_inputs_at_end(self, key: int) -> bool:
        return self._traced.traces_inputs(self._chosen.members[key])

    def may_have_written(self, key: int, path: str) -> bool:
        written = self._traced.written_by_last(self._chosen.members[key])
        return written is None or path in written

    def digest(self, key: int) -> str:
        number = self._chosen.members[key]
        if not self._traced.traces_inputs(number):
            return super().digest(key)
        return self._traced.parts_now(number, super()._parts_of(key), self._owned(self._titles[number])).key()

    def digest_at_end(self, key: int, digest: str) -> str:
        number = self._chosen.members[key]
        if not self._traced.traces_inputs(number):
            return digest
        parts = self._traced.parts_of_last(number)
        return "" if parts is None else parts.key()

    def refresh(self, changed: Collection[str], own: Collection[str], plan: RunPlan) -> Refreshed:
        self._plan = self._keys.plan = plan
        self._is_refreshed = True
        return self._keys.refresh(changed, own, self._changed_inputs)

    def _changed_inputs(self, number: int, paths: Collection[str]) -> set[str]:
        found = self._traced.changed_inputs(number, paths, self._owned(self._titles[number]))
        if found is not None:
            return found
        folder = self._keys.folder(number)  # it has not ended yet, or its tracer was killed: all of its package counts
        return {path for path in paths if not folder or path.startswith(f"{folder}/")}

    def save(self) -> None:
        try:
            for number, path in self._traced.remove_uncertain().items():
                name = self._titles[number]
                if (known := self._state.tasks.get(name)) is not None:
                    self._state.tasks[name] = replace(known, key="")
                self._note(f"{name}: its result is not stored: {path} has changed while it ran")
        except OSError as error:
            self._note(f"cannot remove a result: {error.strerror}: {error.filename}")
        super().save()

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._traced.close()
