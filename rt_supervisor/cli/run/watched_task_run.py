"""`--watch` of a run of tasks: which files are followed, and whether a change of the definitions makes another plan."""

from __future__ import annotations

import os

from ...supervising.task_changes import SETTINGS, TaskChanges
from ...supervising.watched_task_runner import TaskWatch
from ...tasks.globs import escape
from ...vocabulary.errors import Failed
from ...vocabulary.identity import identity_of
from ...vocabulary.record import replace
from ...vocabulary.signal_names import signal_number
from ...workspace.manifest import FILE_NAME, ManifestProblem, read_manifests
from ..streams import fail
from .watched_single_run import make_watcher, settings_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...plan.model import RunPlan
    from ...tasks.task_graph import TaskNode
    from ...tasks.task_plan import TaskPlan
    from ..request import Request


def make_task_watch(
    request: Request,
    chosen: TaskPlan,
    plan: RunPlan,
    plan_again: Callable[[], tuple[TaskPlan, RunPlan]],
    *,
    since_ns: int,
    is_successor: bool,
) -> TaskWatch:
    """Return how the run of `chosen` as `plan` is watched. Files that were modified at `since_ns` or later count as changed. One that
    `is_successor` took the place of another run.
    """
    root = chosen.tasks.workspace.root
    settings = [*settings_files(request), *(os.path.join(root, name) for name in sorted(SETTINGS))]

    def make_plan(changed: Sequence[str]) -> tuple[RunPlan, bool] | None:
        try:
            os.chdir(request.folder)  # it may have been deleted and created again
        except OSError:
            return None
        for reading in read_manifests([path for path in changed if os.path.basename(path) == FILE_NAME]):
            if isinstance(reading, ManifestProblem) and not reading.missing:
                fail(str(reading))
                return None
        try:
            made, new_plan = plan_again()
        except Failed as failed:  # it is being written
            fail(failed.failure.message)
            return None
        except FileNotFoundError:  # the working folder went away meanwhile
            return None
        return new_plan, _shape(made, new_plan) != _shape(chosen, plan)

    def make_changes(ignored: Sequence[str]) -> TaskChanges:
        folders = [path for path in ignored if os.path.isdir(path)]
        watcher = make_watcher(request, root, include=[f"/{escape(os.path.relpath(path, root))}" for path in ignored])
        files = [*settings, *(path for path in ignored if path not in folders)]
        watcher.follow_files({path: identity_of(path) for path in files}, since_ns=since_ns)
        for folder in (root, *folders):
            watcher.follow_tree(folder, since_ns=since_ns)
        return TaskChanges(plan, watcher, settings=settings, make_plan=make_plan)

    return TaskWatch(
        make_changes=make_changes,
        kill_signal=signal_number(request.invocation.text("watch-kill-signal") or "SIGTERM"),
        grace_s=(request.invocation.number("watch-grace") or 0) / 1000,
        is_successor=is_successor,
        writing={task.key: task.folder for task in plan.tasks if not _declares_outputs(chosen.node(task.key))},
    )


def _declares_outputs(node: TaskNode) -> bool:
    return bool(node.settings.outputs and not node.settings.traces_outputs) or node.settings.persistent


def _shape(chosen: TaskPlan, plan: RunPlan) -> object:
    """Return the properties that must be equal for a plan to replace another one in place."""
    packages = chosen.tasks.packages
    nodes = [
        (
            packages[node.place].path,
            node.command,
            node.is_selected,
            replace(node.settings, places={}, place="", values={}),
        )
        for node in chosen.graph.nodes
    ]
    tasks = [(task.label, task.folder, len(task.steps), task.after) for task in plan.tasks]
    table = chosen.tasks.table
    return nodes, chosen.graph.edges, tasks, None if table is None else table.globals
