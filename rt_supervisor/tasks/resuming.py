"""`--resume` and `--resume-from`: which tasks of a run are left out, because they have succeeded or the user excludes them.

A task that is left out passes the order on, and its outputs are used as they are. The cache decides first: a result that it has is
used, and with `--resume` a cacheable task that has changed since runs again.
"""

from __future__ import annotations

from ..vocabulary.errors import Failed
from ..vocabulary.record import record
from .definitions import names_of
from .history import entry_of
from .task_graph import title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .history import History
    from .task_plan import TaskPlan


@record
class LeftOut:
    """The tasks of a plan that do not run. Of those in `unless_changed`, a cacheable one without a result runs."""

    unless_changed: frozenset[int] = frozenset()
    always: frozenset[int] = frozenset()

    def reason(self, key: int, *, is_cacheable: bool) -> str:
        """Return why the task does not run, "" if it does."""
        if key in self.always:
            return "left out by --resume-from"
        return "succeeded the last time" if key in self.unless_changed and not is_cacheable else ""


class RunHistory:
    """The history of the tasks of one plan, by their keys."""

    def __init__(self, history: History | None, chosen: TaskPlan, arguments: Sequence[str]) -> None:
        self._history = history
        nodes = [chosen.node(key) for key in range(len(chosen.members))]
        self._titles = [title(chosen.tasks, node) for node in nodes]
        self._entries = [
            entry_of(name, arguments if node.is_selected else ())
            for name, node in zip(self._titles, nodes, strict=True)
        ]
        self._services = frozenset(key for key, node in enumerate(nodes) if node.settings.persistent)

    def begin(self, *, resumes: bool) -> None:
        if self._history is not None:
            self._history.begin(resumes=resumes)

    def add(self, key: int, *, seconds: float | None) -> None:
        """Record the success of a task, and how long it took if it ran. Raises OSError."""
        if self._history is not None and key not in self._services:
            self._history.add(self._entries[key], title=self._titles[key], seconds=seconds)

    def seconds(self, key: int) -> float:
        """Return how long a task took in an earlier run, 0 if that is not known."""
        return 0.0 if self._history is None else self._history.seconds.get(self._titles[key], 0.0)

    def close(self) -> None:
        if self._history is not None:
            self._history.close()

    def succeeded(self) -> frozenset[int]:
        """Return the tasks that have succeeded in the last run. Raises Failed if no run is known."""
        done = None if self._history is None else self._history.done()
        if done is None:
            raise Failed(
                "resume-unknown", "--resume: no earlier run of tasks of this workspace is known; run without --resume"
            )
        return frozenset(key for key, entry in enumerate(self._entries) if entry in done)


def before_package(chosen: TaskPlan, package: str) -> frozenset[int]:
    """Return the tasks that those of `package` depend on, and that are not of `package` themselves. Raises Failed."""
    tasks = chosen.tasks
    known = {
        name: place
        for place, each in enumerate(tasks.packages)
        for name in names_of(each.name, each.folder, is_root=place == tasks.root_place)
    }
    numbers = [number for number, node in enumerate(chosen.graph.nodes) if node.place == known.get(package)]
    if not numbers:
        from ..workspace.suggestions import closest

        meant = closest(package, {tasks.name(node.place) for node in chosen.graph.nodes})
        hint = f'; did you mean "{meant}"?' if meant else ""
        raise Failed(
            "resume-from-unknown", f'--resume-from: no task of a package "{package}" is part of this run{hint}'
        )
    before = set(numbers)
    todo = list(numbers)
    while todo:
        for other in chosen.graph.edges[todo.pop()]:
            if other not in before:
                before.add(other)
                todo.append(other)
    before.difference_update(numbers)
    return frozenset(key for key, number in enumerate(chosen.members) if number in before)
