"""`--watch` of a multi-script run: which folders and files are followed, and what depends on what."""

from __future__ import annotations

import os

from ...plan.model import MODE_FILTER
from ...supervising.watched_run import Watch
from ...vocabulary.errors import Failed
from ...vocabulary.identity import identity_of
from ...vocabulary.signal_names import signal_number
from ...workspace.manifest import FILE_NAME, ManifestProblem, read_manifests
from ..streams import fail
from .watched_single_run import make_watcher, settings_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...plan.model import RunPlan
    from ...supervising.rerun import Rerun
    from ..request import Request


def make_watch(request: Request, plan: RunPlan, make_plan: Callable[[], RunPlan], *, since_ns: int) -> Watch:
    """Return how the run of `plan` is watched; `make_plan` makes a new plan. Files that were modified at `since_ns` or later count as
    changed. `make_rerun` imports what watching needs.
    """

    def plan_again(changed: Sequence[str]) -> RunPlan | None:
        try:
            os.chdir(request.folder)  # it may have been deleted and created again
        except OSError:
            return None
        readings = read_manifests([path for path in changed if os.path.basename(path) == FILE_NAME])
        for reading in readings:
            if isinstance(reading, ManifestProblem) and not reading.missing:
                fail(str(reading))
                return None
        try:
            return make_plan()
        except Failed as failed:  # it is being written
            fail(failed.failure.message)
            return None
        except FileNotFoundError:  # the working folder went away meanwhile
            return None

    return Watch(
        make_rerun=lambda: _rerun(request, plan, plan_again, since_ns),
        kill_signal=signal_number(request.invocation.text("watch-kill-signal") or "SIGTERM"),
        grace_s=(request.invocation.number("watch-grace") or 0) / 1000,
    )


def _rerun(
    request: Request, plan: RunPlan, plan_again: Callable[[Sequence[str]], RunPlan | None], since_ns: int
) -> Rerun:
    from ...supervising.rerun import Rerun

    settings = [*settings_files(request)]
    of_tasks = {task.folder for task in plan.tasks}
    root, dependents = request.folder, dict[str, set[str]]()
    if plan.mode == MODE_FILTER or request.invocation.texts("filter") or request.invocation.is_set("workspaces"):
        from ...graph import find_edges
        from ...workspace.finding import PNPM_FILE_NAME, find_workspace

        workspace = find_workspace(request.folder)
        root = workspace.root
        settings += [os.path.join(root, FILE_NAME), os.path.join(root, PNPM_FILE_NAME)]
        folders = [package.folder for package in workspace.packages]
        dependents = _dependents(folders, find_edges(workspace.packages))
    followed = {folder for folder in (*of_tasks, *dependents) if {folder, *dependents.get(folder, ())} & of_tasks}
    watcher = make_watcher(request, root)
    files = [*settings, *(os.path.join(folder, FILE_NAME) for folder in followed)]
    watcher.follow_files({path: identity_of(path) for path in files}, since_ns=since_ns)
    for folder in sorted(followed):
        watcher.follow_tree(folder, since_ns=since_ns)  # the first scripts run already
    return Rerun(
        plan,
        watcher,
        package_folders=sorted(followed),
        dependents=dependents,
        settings=settings,
        make_plan=plan_again,
    )


def _dependents(folders: list[str], edges: Sequence[Sequence[int]]) -> dict[str, set[str]]:
    """Map the folder of each package to the folders of all packages that depend on it, directly or not."""
    direct: dict[int, set[int]] = {place: set() for place in range(len(folders))}
    for place, needs in enumerate(edges):
        for need in needs:
            direct[need].add(place)
    found: dict[str, set[str]] = {}
    for place, folder in enumerate(folders):
        reached: set[int] = set()
        waiting = [place]
        while waiting:
            for dependent in direct[waiting.pop()] - reached:
                reached.add(dependent)
                waiting.append(dependent)
        found[folder] = {folders[each] for each in reached - {place}}
    return found
