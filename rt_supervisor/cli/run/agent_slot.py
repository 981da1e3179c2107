"""A slot of an agent (`cluster.execution`): makes the plan of each job from the files of its tree, as a run on this machine would."""

from __future__ import annotations

import os

from ...cluster.execution import PreparedTask, SlotExecution
from ...settings.node_link import NodeLink
from ...tasks.sources import read_tasks
from ...tasks.task_plan import make_plan
from ...tasks.variables import select
from ...vocabulary.errors import Failed
from ...vocabulary.protocol import is_shell
from ...vocabulary.record import replace
from ..line import arguments
from ..request import make_request, script_request
from .multi_run import start_guardian
from .run_records import record_of
from .task_run import plan_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from ...cluster.frames import Job
    from ...engine_worker.start.ready_engine import ReadyEngine
    from ...tasks.sources import TaskWorkspace
    from ...workers.client import GuardianClient
    from ..request import Request


def run_slot(main: Callable[[ReadyEngine], NoReturn]) -> int:
    """Run the jobs that arrive on standard input until that ends."""
    jobs = _Jobs(main)
    SlotExecution(jobs.prepare, jobs.start_guardian).serve()
    return 0


class _Jobs:
    """The jobs of this process. What depends only on the tree is read once for each."""

    def __init__(self, main: Callable[[ReadyEngine], NoReturn]) -> None:
        self._main = main
        self._known: tuple[str, str, tuple[str, ...]] | None = None
        self._tasks: TaskWorkspace | None = None
        self._request: Request | None = None
        self._link: NodeLink | None = None
        self._environment = dict(os.environ)

    def prepare(self, job: Job, tree: str) -> PreparedTask:
        """Return what a job runs. Raises Failed."""
        request, tasks = self._read(job, tree)
        replaced = select(self._environment, job.patterns)
        environment = {name: value for name, value in self._environment.items() if name not in replaced}
        environment.update(job.variables)
        invocation = replace(request.invocation, names=(job.name,), arguments=job.arguments)
        request = replace(request, invocation=invocation, environment=environment)
        folder = os.path.join(tree, job.folder) if job.folder else tree
        places = [place for place, package in enumerate(tasks.packages) if package.folder == folder]
        chosen = make_plan(tasks, places=places, names=[job.name], only=True, if_present=False)
        assert self._link is not None
        plan = plan_of(request, self._link, chosen)
        if len(plan.tasks) != 1:
            raise Failed("cluster-task", f"the agent finds {len(plan.tasks)} tasks where the run has one")
        has_programs = any(step.program and not is_shell(step.program) for step in plan.tasks[0].steps)
        return PreparedTask(record_of(request, plan, grace_s=job.grace_s, is_printed=False), has_programs)

    def start_guardian(self, task: PreparedTask) -> GuardianClient:
        """Start the guardian of this slot."""
        assert self._request is not None
        client = start_guardian(self._request, self._main, has_programs=True, has_shell=True)
        if task.has_programs:
            client.prepare("engine")
        return client

    def _read(self, job: Job, tree: str) -> tuple[Request, TaskWorkspace]:
        known = (job.manifest, tree, job.flags)
        if self._known != known or self._request is None or self._tasks is None:
            os.chdir(tree)
            invocation = arguments.parse(["run", *job.flags, "--tasks", job.name])
            self._request = script_request(make_request(invocation))
            self._tasks = read_tasks(tree)
            if self._link is not None:
                self._link.remove()
            self._link = NodeLink(self._request.executable)
            self._known = known
        return self._request, self._tasks
