"""A slot of an agent (`cluster.execution`): makes the plan of each job in the tree of its run.

The requesting machine has decided which steps a job has. What depends on the agent is added here: the shell, the paths and the variables.
"""

from __future__ import annotations

import os

from ...cluster.execution import PreparedTask, SlotExecution
from ...plan.model import MODE_FILTER
from ...plan.recipe import Choice, Recipe
from ...settings.node_link import NodeLink
from ...start.dependencies import dependencies
from ...tasks.variables import StrictEnvironments, select
from ...vocabulary.errors import Failed
from ...vocabulary.protocol import is_shell
from ...vocabulary.record import record, replace
from ...workspace.manifest import Manifest, read_manifest
from ..line import arguments
from ..request import make_request, script_request
from .multi_run import StepMaker, assemble_plan, start_guardian
from .run_records import record_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from ...cluster.frames import Job
    from ...engine_worker.start.ready_engine import ReadyEngine
    from ...workers.client import GuardianClient
    from ..request import Request


def run_slot(main: Callable[[ReadyEngine], NoReturn]) -> int:
    """Run the jobs that arrive on standard input until that ends."""
    dependencies.prevent_caching()  # a slot would remember the paths of all its jobs
    jobs = _Jobs(main)
    SlotExecution(jobs.prepare, jobs.start_guardian).serve()
    return 0


@record
class _Surroundings:
    """What jobs with the same tree and variables share."""

    request: Request
    maker: StepMaker
    environments: StrictEnvironments


class _Jobs:
    """The jobs of this process. What depends only on the tree and the variables is made once for each."""

    def __init__(self, main: Callable[[ReadyEngine], NoReturn]) -> None:
        self._main = main
        self._known: tuple[str, str, tuple[str, ...]] | None = None
        self._request: Request | None = None
        self._link: NodeLink | None = None
        self._environment = dict(os.environ)
        self._surroundings: dict[tuple[object, ...], _Surroundings] = {}

    def prepare(self, job: Job, tree: str) -> PreparedTask:
        """Return what a job runs. Raises Failed."""
        self._enter(job, tree)
        known = self._surroundings_of(job)
        request = replace(known.request, invocation=replace(known.request.invocation, arguments=job.arguments))
        assert self._link is not None
        plan = assemble_plan(
            request,
            self._link,
            Choice((self._recipe(job, tree),)),
            mode=MODE_FILTER,
            concurrency=1,
            exit_on_error=False,
            maker=known.maker,
            limit=known.environments.limiter(lambda _: job.patterns) if job.is_strict else None,
        )
        has_programs = any(step.program and not is_shell(step.program) for step in plan.tasks[0].steps)
        return PreparedTask(record_of(request, plan, grace_s=job.grace_s, is_printed=False), has_programs)

    def start_guardian(self, task: PreparedTask) -> GuardianClient:
        """Start the guardian of this slot."""
        assert self._request is not None
        client = start_guardian(self._request, self._main, has_programs=True, has_shell=True)
        if task.has_programs:
            client.prepare("engine")
        return client

    def _enter(self, job: Job, tree: str) -> None:
        """Make `tree` the working folder, and read its settings, unless the job before had the same tree."""
        known = (job.manifest, tree, job.flags)
        if self._known == known:
            return
        os.chdir(tree)
        self._request = script_request(make_request(arguments.parse(["run", *job.flags, "--tasks", job.name])))
        self._surroundings.clear()
        if self._link is not None:
            self._link.remove()
        self._link = NodeLink(self._request.executable)
        self._known = known

    def _surroundings_of(self, job: Job) -> _Surroundings:
        key = (job.patterns, *job.variables.items())
        known = self._surroundings.get(key)
        if known is None:
            assert self._request is not None and self._link is not None
            replaced = select(self._environment, job.patterns)
            environment = {name: value for name, value in self._environment.items() if name not in replaced}
            environment.update(job.variables)
            request = replace(self._request, environment=environment)
            maker = StepMaker(request, self._link)
            known = self._surroundings[key] = _Surroundings(request, maker, StrictEnvironments(environment))
        return known

    def _recipe(self, job: Job, tree: str) -> Recipe:
        folder = os.path.join(tree, job.folder) if job.folder else tree
        manifest = read_manifest(os.path.join(folder, "package.json"))
        if not isinstance(manifest, Manifest):
            raise Failed("cluster-task", f"the agent cannot read the manifest of the package: {manifest}")
        return Recipe(manifest, folder, manifest.name or "", job.name, job.title, job.steps, job.main)
