"""The jobs that Dask has: one Dask task for each, submitted together where several are ready, and never awaited one by one.

What happens to a job arrives as events of its agent. Dask's own view of it matters only when something is wrong, so `problems` looks at all
futures now and then: one that waits for each would cost more than everything else that the requesting machine does for a task.
"""

from __future__ import annotations

from ..vocabulary.record import replace
from .agent import Sealed, run_job
from .frames import dask_key, encode_job

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from distributed import Client, Future

    from .frames import Job
    from .waiting_jobs import Needs

_ATTEMPTS_OF_RETRIES = 1000  # a job that was moved has a higher number of attempts than any retry of its task
_IS_WRONG = ("error", "cancelled")  # a result that is "lost" comes again: Dask runs its job on another agent


class SubmittedJob:
    """A job that was submitted: its future, where it runs, and what is known of it."""

    def __init__(self, job: Job, needs: Needs, future: Future) -> None:
        self.job = job
        self.needs = needs
        self.future = future
        self.agent = ""
        self.execution = ""
        self.moves = 0
        self.avoided: set[str] = set()


class SubmittedJobs:
    """The jobs of one run by task. `connect` comes first."""

    def __init__(self) -> None:
        self._jobs: dict[int, SubmittedJob] = {}

    def connect(self, client: Client) -> None:
        self._client = client

    def get(self, task: int) -> SubmittedJob | None:
        return self._jobs.get(task)

    def submit(self, jobs: Sequence[Job], needs: Needs, resources: Mapping[str, float]) -> None:
        """Submit jobs with the same needs, which take `resources`, with one message."""
        futures = self._client.map(
            run_job,
            [Sealed(encode_job(job)) for job in jobs],
            key=[dask_key(job) for job in jobs],
            resources=dict(resources),
            pure=False,
        )
        for job, future in zip(jobs, futures, strict=True):
            self._jobs[job.task] = SubmittedJob(job, needs, future)

    def move(self, moved: SubmittedJob, agents: Collection[str], resources: Mapping[str, float]) -> None:
        """Submit a job again, to one of `agents`; to any if there are none."""
        before, moved.job = moved.future, replace(moved.job, attempt=moved.job.attempt + _ATTEMPTS_OF_RETRIES)
        moved.execution = ""
        moved.future = self._client.submit(
            run_job,
            Sealed(encode_job(moved.job)),
            key=dask_key(moved.job),
            resources=dict(resources),
            workers=list(agents) or None,
            pure=False,
        )
        before.release()

    def end(self, task: int) -> None:
        """Have Dask forget a job that has ended."""
        job = self._jobs.pop(task, None)
        if job is not None:
            job.future.release()

    def withdraw(self, task: int) -> SubmittedJob | None:
        """Remove a job, whose future has to be cancelled then."""
        return self._jobs.pop(task, None)

    def withdraw_all(self) -> list[Future]:
        """Remove all jobs, and return their futures."""
        futures = [job.future for job in self._jobs.values()]
        self._jobs.clear()
        return futures

    def problems(self) -> Iterable[SubmittedJob]:
        """Return the jobs that Dask has given up."""
        return [job for job in self._jobs.values() if job.future.status in _IS_WRONG]
