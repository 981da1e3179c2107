"""An agent: the plugin that makes a Dask worker run tasks of rt.

```text
job ──prepare (tree, packages, results of dependencies)──> begun ──a slot runs it──> started ──> ended | refused
                                                                └──Dask cancels it──> the slot ends it
```

The requesting machine fetches the events of its run (`rt_events`) and sends contents (`rt_put`); Dask schedules the jobs, cancels them if
the client disappears, and moves them if this worker does. A run whose client has not fetched events for a while is removed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import socket

from distributed import Worker, WorkerPlugin, get_worker

from ..tasks.artifact import InvalidArtifact
from .agent_list import slot_resource, tag_resource
from .agent_run import AgentRun, ContentUnavailable
from .contents import PACK_BYTES, PACK_FILES, ContentStore
from .frames import dask_key, decode_job
from .packages import InstallationFailed
from .pruning import CONTENTS, prune
from .slots import Slot, SlotLost
from .trees import SpareTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping, Sequence
    from typing import Any

    from .frames import Job
    from .manifests import Row

PLUGIN = "rt"
FOLDER_VARIABLE = "RT_AGENT_FOLDER"
SLOTS_VARIABLE = "RT_AGENT_SLOTS"
TAGS_VARIABLE = "RT_AGENT_TAGS"
LIMIT_VARIABLE = "RT_AGENT_STORE_LIMIT"  # of the stored files, in megabytes; nothing is removed without it
ENVIRONMENT_PREFIXES = ("DASK_", "RT_AGENT_")  # variables that tasks do not get
_CHECK_S = 0.5
_PRUNING_S = 600.0  # how often the stores are pruned
_ENDED_S = 0.02  # how often a run that is being removed looks whether its tasks have ended
_ENDING_S = 1.0  # the longest grace period of a task that was cancelled
_CONNECTING_S = 2.0
_log = logging.getLogger("distributed.rt")


class Sealed(bytes):
    """A job as bytes, which may have values of variables: not shown in logs and the dashboard."""

    def __repr__(self) -> str:
        return "<job>"


async def run_job(data: Sealed) -> None:
    """Run a job on the agent that this is called on; what happens is an event. Called by Dask."""
    plugin = get_worker().plugins[PLUGIN]
    assert isinstance(plugin, AgentPlugin)
    await plugin.execute(data)


async def make_agent(worker: Worker) -> None:
    """Make `worker` an agent, before it registers with its scheduler."""
    plugin = AgentPlugin()
    slots = int(os.environ.get(SLOTS_VARIABLE) or worker.state.nthreads)
    names = [slot_resource(), *map(tag_resource, filter(None, os.environ.get(TAGS_VARIABLE, "").split(",")))]
    for name in names:
        worker.state.total_resources[name] = worker.state.available_resources[name] = slots
    await worker.plugin_add(plugin, name=PLUGIN)


class Execution:
    """A job that runs here. It `is_cancelled` from the moment when Dask no longer wants its result."""

    def __init__(self, name: str, job: Job) -> None:
        self.name = name
        self.job = job
        self.slot: Slot | None = None
        self.is_cancelled = False


class AgentPlugin(WorkerPlugin):
    """The agent of one worker."""

    def setup(self, worker: Worker) -> None:
        self._worker = worker
        self._slot_count: float = worker.state.total_resources[slot_resource()]
        folder = os.environ.get(FOLDER_VARIABLE) or os.path.join(worker.local_directory, "rt")
        self._folder = os.path.abspath(folder)
        self._runs_folder = os.path.join(self._folder, "runs", f"{socket.gethostname()}-{os.getpid()}")
        os.makedirs(self._runs_folder, exist_ok=True)
        _remove_runs_of_dead(os.path.dirname(self._runs_folder))
        self._contents = ContentStore(os.path.join(self._folder, CONTENTS))
        self._limit_mb = int(os.environ.get(LIMIT_VARIABLE) or 0)
        self._pruned_s = -_PRUNING_S
        self._environment = {
            name: value for name, value in os.environ.items() if not name.startswith(ENVIRONMENT_PREFIXES)
        }
        self._spare = SpareTree(self._runs_folder)
        self._parts: dict[str, Sequence[Row]] = {}
        self._runs: dict[str, AgentRun] = {}
        self._executions: dict[str, Execution] = {}
        self._idle: list[Slot] = []
        self._slots: list[Slot] = []
        self._count = 0
        self._background: set[asyncio.Task[None]] = set()
        worker.handlers.update(
            rt_events=self.events, rt_put=self.put, rt_copy=self.copy, rt_fail=self.fail, rt_read=self.read,
            rt_end=self.end, rt_forget=self.forget,
        )  # fmt: skip
        self._spawn(self._watch_leases())

    async def teardown(self, worker: Worker) -> None:
        for task in list(self._background):
            task.cancel()
        await asyncio.gather(*(slot.close() for slot in self._slots), return_exceptions=True)
        shutil.rmtree(self._runs_folder, ignore_errors=True)

    # --- jobs

    async def execute(self, data: bytes) -> None:
        """Run a job to its end."""
        job = decode_job(data)
        self._count += 1
        execution = Execution(f"{self._worker.address}/{self._count}", job)
        key = dask_key(job)
        self._executions[key] = execution
        run = self._run(job.run)
        run.outbox.add("begun", job.task, execution.name, str(self._worker.name))
        try:
            await self._execute(bytes(data), execution, run)
        except (ContentUnavailable, InstallationFailed, InvalidArtifact) as error:
            run.outbox.add("refused", job.task, execution.name, str(error), is_urgent=True)
        except (OSError, ValueError, SlotLost) as error:
            reason = f"{error.strerror}: {error.filename}" if isinstance(error, OSError) else str(error)
            reason = reason or "the process that ran it was killed"
            run.outbox.add("unusable", job.task, execution.name, reason, is_urgent=True)
        finally:
            if self._executions.get(key) is execution:
                del self._executions[key]

    async def _execute(self, data: bytes, execution: Execution, run: AgentRun) -> None:
        job = execution.job
        await run.prepare(job)
        writes = bool(job.outputs[0])
        before = await asyncio.to_thread(run.begin, job) if writes else {}
        slot = execution.slot = self._take_slot()
        has_succeeded = False
        try:
            if execution.is_cancelled:
                return
            async for messages in slot.run(data, run.tree):
                for message in messages:
                    match message:
                        case ("output", step, stream, block):
                            await run.outbox.put(len(block), "output", job.task, execution.name, step, stream, block)
                        case ("ended", *end):
                            result = ("", b"")
                            if end[1:3] == [0, 0] and not execution.is_cancelled:
                                if writes:
                                    result = await asyncio.to_thread(run.finish, job, before)
                                has_succeeded = True
                            is_urgent = not self._has_more_jobs()
                            run.outbox.add("ended", job.task, execution.name, *end, *result, is_urgent=is_urgent)
                        case (kind, *rest):
                            run.outbox.add(kind, job.task, execution.name, *rest)
            self._idle.append(slot)
        finally:
            execution.slot = None
            if writes and not has_succeeded:
                with contextlib.suppress(OSError):
                    await asyncio.to_thread(run.give_up, job, before)

    def _has_more_jobs(self) -> bool:
        """Return whether jobs will wait here for one that runs when each slot has got its next one."""
        return bool(len(self._worker.state.constrained) > self._slot_count)

    def _take_slot(self) -> Slot:
        if self._idle:
            return self._idle.pop()
        slot = Slot(self._environment)
        self._slots.append(slot)
        return slot

    def transition(self, key: object, start: str, finish: str, **kwargs: Any) -> None:
        """End a job that Dask cancels: its client has cancelled it, or has disappeared."""
        execution = self._executions.get(str(key))
        if execution is not None and finish in ("cancelled", "released", "forgotten"):
            execution.is_cancelled = True
            if execution.slot is not None:
                self._spawn(execution.slot.end(signal.SIGTERM, min(execution.job.grace_s, _ENDING_S)))

    # --- requests of the client, and of other agents

    def _run(self, name: str) -> AgentRun:
        if name not in self._runs:
            place = os.path.join(self._runs_folder, name)
            self._runs[name] = AgentRun(
                name,
                place,
                contents=self._contents,
                has_more_jobs=self._has_more_jobs,
                environment=self._environment,
                spare=self._spare,
                parts=self._parts,
            )
        return self._runs[name]

    async def events(self, run: str, after: int, wait_s: float, lease_s: float) -> list[tuple[int, tuple[Any, ...]]]:
        """Return the events of a run after that of number `after`, which is acknowledged. The run is removed if no other request follows
        within `lease_s` seconds.
        """
        own = self._run(run)
        own.lease_s = lease_s
        own.last_request_s = asyncio.get_running_loop().time()
        return await own.outbox.take(after, wait_s)

    async def put(self, run: str, contents: Mapping[str, bytes]) -> str:
        """Store contents that `run` needs. Returns "", or why that failed."""
        try:
            await self._run(run).put(contents)
        except (OSError, ValueError) as error:
            return str(error)
        return ""

    async def copy(self, run: str, source: str, digests: list[str]) -> list[str]:
        """Copy contents from the agent `source`, and return the digests of those that it did not have."""
        left = list(digests)
        try:
            # Dask would try for half a minute to reach an agent that was lost.
            self._worker.rpc.reuse(source, await asyncio.wait_for(self._worker.rpc.connect(source), _CONNECTING_S))
        except (OSError, TimeoutError):
            return left
        while left:
            try:
                found = await self._worker.rpc(source).rt_read(digests=left)
                await self._run(run).put(found)
            except (OSError, ValueError):
                return left
            if not found:
                return left
            left = [digest for digest in left if digest not in found]
        return []

    async def read(self, digests: list[str]) -> dict[str, bytes]:
        """Return the first of the contents `digests` that are here, until they are large together."""
        return await asyncio.to_thread(self._read, digests)

    def _read(self, digests: list[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        size = 0
        for digest in digests:
            data = self._contents.read(digest)
            if data is not None:
                found[digest] = data
                size += len(data)
            if size >= PACK_BYTES or len(found) >= PACK_FILES:
                break
        return found

    async def fail(self, run: str, digests: list[str], reason: str) -> None:
        """End the wait for contents that cannot be sent."""
        self._run(run).fail(digests, reason)

    async def end(self, key: str, number: int, grace_s: float) -> None:
        """End the task of a job by signal `number`."""
        execution = self._executions.get(key)
        if execution is not None and execution.slot is not None:
            self._spawn(execution.slot.end(number, grace_s))

    async def forget(self, run: str) -> None:
        """Remove a run, and end what still runs of it."""
        for execution in self._executions.values():
            if execution.job.run == run:
                execution.is_cancelled = True
                if execution.slot is not None:
                    self._spawn(execution.slot.end(signal.SIGTERM, min(execution.job.grace_s, _ENDING_S)))
        own = self._runs.pop(run, None)
        if own is not None:
            own.cancel()
            self._spare.expect(self._spawn(self._remove(own)))

    async def _remove(self, run: AgentRun) -> None:
        """Remove the files of a run once its tasks have ended, which could write more of them."""
        while any(execution.job.run == run.name for execution in self._executions.values()):
            await asyncio.sleep(_ENDED_S)
        await asyncio.to_thread(run.remove)

    async def _watch_leases(self) -> None:
        """Remove the runs whose client has stopped fetching events, and between runs what the stores have too much."""
        while True:
            await asyncio.sleep(_CHECK_S)
            now = asyncio.get_running_loop().time()
            if self._limit_mb and not self._runs and now - self._pruned_s >= _PRUNING_S:
                await asyncio.to_thread(prune, self._folder, self._limit_mb * 1_000_000)
                self._pruned_s = now
            for name in [name for name, run in self._runs.items() if now - run.last_request_s > run.lease_s]:
                _log.info("The client of run %s has disappeared", name)
                await self.forget(name)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task


def _remove_runs_of_dead(folder: str) -> None:
    """Remove the trees of agents of this machine that do not exist any more: they were killed."""
    for name in os.listdir(folder):
        host, _, pid = name.rpartition("-")
        if host == socket.gethostname() and pid.isdecimal() and not os.path.exists(f"/proc/{pid}"):
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
