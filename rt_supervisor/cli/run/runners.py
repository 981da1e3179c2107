"""The runners of commands for `cli.main`, each imported when it runs."""

from __future__ import annotations

from ..._native import v8_wait_ahead
from ...vocabulary.errors import Failed
from ...workspace.manifest import Manifest, ManifestProblem, find_nearest_manifest, read_manifest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import NoReturn

    from ...engine_worker.start.ready_engine import ReadyEngine
    from ...settings.target import Target
    from ..request import Request


class ProcessRunners:
    """The `Runners` of the real program.

    `main` is the entry of the process, which forked workers run; `engine` is that of such a worker, None otherwise.
    """

    def __init__(self, main: Callable[[ReadyEngine], NoReturn], engine: ReadyEngine | None) -> None:
        self._main = main
        self._engine = engine

    def find_manifest(self, folder: str) -> Manifest | None:
        """Return the nearest package.json at or above `folder`. Raises Failed when it cannot be read."""
        path = find_nearest_manifest(folder)
        if path is None:
            return None
        found = read_manifest(path)
        if isinstance(found, ManifestProblem):
            raise Failed("broken-manifest", str(found))
        return found

    def package_names(self, folder: str) -> Iterable[str]:
        from ...workspace.finding import find_workspace

        return sorted({package.name for package in find_workspace(folder).packages if package.name})

    def selected_scripts(self, folder: str, patterns: Sequence[str]) -> Mapping[str, int]:
        from ...graph import find_edges
        from ...workspace.finding import find_workspace
        from ...workspace.selection import named_packages, select

        workspace = find_workspace(folder)
        places: Sequence[int] = named_packages(workspace)
        if patterns:
            edges = find_edges(workspace.packages)
            places = select(workspace, edges, patterns=patterns, cwd=folder).packages
        counts: dict[str, int] = {}
        for place in places:
            for name, command in workspace.packages[place].scripts.items():
                if command:
                    counts[name] = counts.get(name, 0) + 1
        return counts

    def run_single(self, request: Request, manifest: Manifest | None, target: Target) -> int:
        from .single_run import run_single

        v8_wait_ahead()  # scripts are forked
        return run_single(request, manifest, target)

    def run_many(self, request: Request) -> int:
        from .multi_run import run_many

        v8_wait_ahead()  # scripts are forked
        return run_many(request, self._main)

    def run_tasks(self, request: Request) -> int:
        from .task_run import run_tasks

        v8_wait_ahead()  # scripts are forked
        return run_tasks(request, self._main)

    def show_tasks(self, request: Request) -> int:
        from .tasks import show_tasks

        return show_tasks(request)

    def show_affected(self, request: Request) -> int:
        from .affected import show_affected

        return show_affected(request)

    def manage_cache(self, request: Request) -> int:
        from .cache import manage_cache

        return manage_cache(request)

    def run_program(self, request: Request, target: Target | None) -> int:
        from .programs import run_program

        return run_program(request, target, engine=self._engine)

    def run_watched(self, request: Request, manifest: Manifest | None, target: Target | None) -> int:
        from .watched_single_run import run_watched

        v8_wait_ahead()  # programs are forked
        return run_watched(request, manifest, target, self._main)

    def run_agent(self, arguments: Sequence[str]) -> int:
        from .agent import run_agent

        return run_agent(arguments, self._main)

    def run_shell(self, request: Request) -> int:
        from .shell import run_shell

        return run_shell(request)

    def show_graph(self, request: Request) -> int:
        from .graph import show_graph

        return show_graph(request)

    def control_run(self, request: Request) -> int:
        from .runs import control_run

        return control_run(request)
