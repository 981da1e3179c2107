"""Which tasks a change makes stale under `--watch`: those of the changed packages and of their dependents.

A change belongs to the package with the nearest folder above it. Settings (package.json, env files, the config) may
change the plan itself: the plan is made again, and if it has the same tasks, they are replaced in place. While a setting is invalid, its
change and those that came with it are postponed to the next change of a setting. Changes that a script makes itself are ignored
(`own_writing`). Pure except for the files that it reads.
"""

from __future__ import annotations

import os
import time

from ..vocabulary.record import record
from .changes import nearest_folder
from .own_writing import OwnWriting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from ..plan.model import RunPlan
    from .changes import Changes


@record
class Stale:
    """`tasks` have to run again because of `changed`, with `plan` if it is new; `is_other` means that its tasks
    differ."""

    changed: tuple[str, ...]
    tasks: frozenset[int]
    plan: RunPlan | None = None
    is_other: bool = False


class Rerun:
    """Turns changed files into stale tasks."""

    def __init__(
        self,
        plan: RunPlan,
        changes: Changes,
        *,
        package_folders: Sequence[str],
        dependents: Mapping[str, Collection[str]],
        settings: Collection[str],
        make_plan: Callable[[Sequence[str]], RunPlan | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`package_folders` are the folders of all packages to which tasks belong or on which they depend; `dependents` maps such a
        folder to those of the packages that depend on it, directly or not. `settings` are files that decide what runs. `make_plan`
        makes the plan again after a change of the given files; None if their content is invalid for now.
        """
        self._plan = plan
        self._changes = changes
        self._folders = frozenset(package_folders)
        self._dependents = dependents
        self._settings = frozenset(settings)
        self._make_plan = make_plan
        self._clock = clock
        self._own = OwnWriting()
        self._postponed: list[str] = []  # changes that no plan could be made for

    def fileno(self) -> int | None:
        return self._changes.fileno()

    @property
    def timeout_s(self) -> float | None:
        return self._changes.timeout_s

    def close(self) -> None:
        self._changes.close()

    def take(self, running: Collection[int]) -> Stale | None:
        """Return what is stale now, or None; `running` are the tasks that run."""
        now = self._clock()
        for key in running:
            self._own.record_run(self._plan.tasks[key].folder, now)
        found = self._changes.take()
        if not found:
            return None
        new = self._changes.new
        changed = [
            path
            for path in found
            if not self._own.is_own_change(
                path, folder=nearest_folder(path, self._folders), is_new=path in new, now=now
            )
        ]
        if self._postponed and any(map(self._is_setting, found)):
            changed = [*self._postponed, *(path for path in changed if path not in self._postponed)]
        if not changed:
            return None
        plan, is_other = self._plan, False
        if any(map(self._is_setting, changed)):
            made = self._make_plan(changed)
            if made is None:
                self._postponed = changed
                return None
            self._postponed = []
            is_other = _shape(made) != _shape(plan)
            if not is_other:
                self._plan = made
            plan = made
        folders = {nearest_folder(path, self._folders) for path in changed}
        stale = folders.union(*(self._dependents.get(folder, ()) for folder in folders))
        everything = any(path in self._settings for path in changed)
        tasks = frozenset(task.key for task in plan.tasks if everything or task.folder in stale)
        if not tasks and not is_other:
            return None
        return Stale(tuple(changed), tasks, plan if plan is self._plan or is_other else None, is_other)

    def _is_setting(self, path: str) -> bool:
        return path in self._settings or os.path.basename(path) == "package.json"


def _shape(plan: RunPlan) -> list[tuple[str, str, str, int, tuple[int, ...]]]:
    """Return the properties that must be equal for tasks to be replaced in place."""
    return [(task.label, task.script, task.folder, len(task.steps), task.after) for task in plan.tasks]
