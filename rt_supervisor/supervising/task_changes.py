"""What changed files mean for the tasks of a watched run: which count as written by a task, and whether there is another plan.

Which tasks read a file is left to the cache (`tasks.node_keys`). A file that appears in a package while a task without `outputs` runs
there counts as written by that task. Files that decide what runs (`rtfig.toml`, `turbo.json`, `package.json` and others) make a new plan,
which replaces the current one in place if it has the same tasks with the same settings. While one of them is invalid, the current plan stays; the
next change of any of them tries again.
"""

from __future__ import annotations

import os
import time

from ..vocabulary.record import record
from .changes import nearest_folder
from .own_writing import OwnWriting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ..plan.model import RunPlan
    from .changes import Changes

SETTINGS = frozenset({"rtfig.toml", "turbo.json", "turbo.jsonc", "package.json", "pnpm-workspace.yaml"})
"""The names of files that decide which tasks there are."""


@record
class TaskBatch:
    """Files that have changed, and `own` ones, which tasks have written. `plan` is the current plan; one that `is_other` has other tasks
    or settings, and has to run in its place.
    """

    changed: tuple[str, ...]
    own: tuple[str, ...]
    plan: RunPlan
    is_other: bool = False


class TaskChanges:
    """Turns changed files into batches."""

    def __init__(
        self,
        plan: RunPlan,
        changes: Changes,
        *,
        settings: Collection[str],
        make_plan: Callable[[Sequence[str]], tuple[RunPlan, bool] | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`settings` are files that decide what runs, besides those with the names in SETTINGS. `make_plan` makes the plan again after
        a change of the given files, and says whether it is another one; None if their content is invalid for now.
        """
        self._plan = plan
        self._changes = changes
        self._settings = frozenset(settings)
        self._make_plan = make_plan
        self._clock = clock
        self._own = OwnWriting()
        self._ignored: set[str] = set()
        self._postponed: dict[str, None] = {}  # changed settings, while no plan can be made
        self._folders = frozenset(task.folder for task in plan.tasks)

    @property
    def plan(self) -> RunPlan:
        """The plan as it was made last."""
        return self._plan

    def fileno(self) -> int | None:
        return self._changes.fileno()

    @property
    def timeout_s(self) -> float | None:
        return self._changes.timeout_s

    def close(self) -> None:
        self._changes.close()

    def ignore(self, path: str) -> None:
        """Count changes of `path` as written by a task from now on."""
        self._ignored.add(path)

    def take(self, writing: Collection[str]) -> TaskBatch | None:
        """Return what has changed since the last call, None for nothing. In the folders `writing`, tasks without `outputs` run."""
        now = self._clock()
        for folder in writing:
            self._own.record_run(folder, now)
        # A task may have read a file that existed only for a moment.
        found = [*self._changes.take(), *self._changes.brief]
        if not found:
            return None
        new = self._changes.new
        changed: list[str] = []
        own: list[str] = []
        for path in found:
            folder = nearest_folder(path, self._folders)
            # Whether the content differs is compared where it is read: it may change once more until then.
            is_own = self._own.is_own_file(path, folder=folder, is_new=path in new, now=now)
            (own if is_own or path in self._ignored else changed).append(path)
        is_other = False
        settings = list(filter(self._is_setting, changed))
        if settings:
            self._postponed.update(dict.fromkeys(settings))
            changed = [path for path in changed if path not in self._postponed]
            made = self._make_plan(list(self._postponed))
            if made is not None:
                self._plan, is_other = made
                changed, self._postponed = [*self._postponed, *changed], {}
        if not changed and not own:
            return None
        return TaskBatch(tuple(changed), tuple(own), self._plan, is_other)

    def look_again(self) -> TaskBatch | None:
        """Make the plan again, and return a batch that names the folders of all tasks in place of files; None if a setting is invalid."""
        made = self._make_plan([])
        if made is None:
            return None
        self._plan, is_other = made
        return TaskBatch(tuple(sorted(self._folders)), (), self._plan, is_other)

    def _is_setting(self, path: str) -> bool:
        return path in self._settings or os.path.basename(path) in SETTINGS
