"""The requesting side of a run on a cluster: a thread with Dask's client, which submits jobs, fetches the events of agents and sends contents.

```text
connecting ──an agent is there──> running ──close──> closed
     │                              └──the scheduler does not answer──> lost: `problem` describes it
     │                              └──for too long, no agent can run what is left──> lost
     └──no agent, another version──> Failed
```

The thread of the run calls the methods and takes events, in the order in which each agent added them; `wake` is called when there are
some. Events of an execution that another one has replaced are dropped. An execution ends only when its result is here, so
that nothing of a half-finished task is visible.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import threading
import time

from distributed import Client, Security
from distributed.comm.core import CommClosedError

from ..tasks.artifact import InvalidArtifact
from ..vocabulary.errors import Failed
from .agent_list import AgentList, refuse_other_versions
from .connecting import QUIET_S, report_lack, waiting_for_scheduler
from .frames import dask_key
from .submitted_jobs import SubmittedJobs
from .supply import Supply
from .waiting_jobs import Needs, WaitingJobs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
    from typing import Any

    from .frames import Job
    from .submitted_jobs import SubmittedJob

    Event = tuple[Any, ...]

_POLL_S = 2.0  # how long an agent may wait for events before it answers
WAIT_VARIABLE = "RT_CLUSTER_WAIT"  # how long to wait for agents, in seconds
SILENCE_S = 15.0  # after which an agent that does not answer counts as lost
_LEAST_LEASE_S = 3 * _POLL_S  # how long an agent keeps a run whose client does not fetch events, at least
_LOOK_S = 0.5  # how often the list of agents is read, and
_LOOK_OF_AGENT_S = 0.005  # how much less often for each agent in it
_LOOK_AT_JOBS_S = 0.25  # how often jobs are looked for that Dask has given up
# How long room for a few more jobs may wait for more of it: each request costs the scheduler milliseconds.
_REFILL_S = 0.05
_CLOSING_S = 10.0  # how long disconnecting may take
_MOST_BYTES = 8 << 20  # of output that waits for the display
_MOST_MOVES = 3  # how often a task is moved because its agent could not run it


class ClusterSession:
    """One run on the cluster at `url`. `store_result` stores the bytes of a result and raises InvalidArtifact; `patience_s` is how long
    to wait until there are agents for all `tags`: those that tasks require together, each with the name of such a task; `say` gets
    what it waits for, if that takes long. An agent that does not answer for `silence_s` counts as lost, and the scheduler after twice as
    long, because the run fails without it.
    """

    def __init__(
        self,
        url: str,
        *,
        security: Security | None,
        run: str,
        supply: Supply,
        store_result: Callable[[int, bytes], None],
        wake: Callable[[], None],
        tags: Mapping[tuple[str, ...], str],
        patience_s: float,
        silence_s: float,
        say: Callable[[str], None],
    ) -> None:
        self._silence_s = silence_s
        self._url = url
        self._security = security or Security()
        self._name = run
        self._supply = supply
        self._store_result = store_result
        self._wake = wake
        self._patience_s = patience_s
        self._events: list[Event] = []
        self._waiting_bytes = 0
        self._lock = threading.Lock()
        self._is_open = threading.Event()
        self._failed: Failed | None = None
        self._closing: asyncio.Event | None = None
        self._to_add: list[tuple[Job, Needs]] = []
        self._waiting = WaitingJobs()
        self._refill: asyncio.TimerHandle | None = None
        self._submitted = SubmittedJobs()
        self._wakes_soon = False
        self._list = AgentList(url, tags)
        self._say = say
        self._reported: set[str] = set()  # what the run has lacked, by its message
        self._direct: dict[str, bool] = {}  # by agent: whether this machine reaches it without the scheduler
        self._work: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._run_thread, name="cluster", daemon=True)
        self.problem = ""

    # --- called by the run

    def connect(self) -> None:
        """Start to connect; `open` waits for that."""
        self._thread.start()

    def open(self) -> None:
        """Wait until the session is connected, and for an agent. Raises Failed."""
        while not self._is_open.wait(0.2):
            continue
        if self._failed is not None:
            raise self._failed

    def submit(self, job: Job, *, weight: int, tags: Sequence[str]) -> None:
        """Submit a job, to an agent that has all `tags`."""
        with self._lock:
            is_first = not self._to_add
            self._to_add.append((job, Needs(weight, tuple(tags))))
        if is_first:
            self._loop.call_soon_threadsafe(self._add_all)

    def end(self, task: int, number: int, grace_s: float) -> None:
        """End a running task by signal `number`."""
        self._call(self._end(task, number, grace_s))

    def cancel(self, task: int) -> None:
        """Withdraw a task, wherever it is."""
        self._call(self._cancel(task))

    def take(self) -> list[Event]:
        """Return the events since the last call."""
        with self._lock:
            events, self._events = self._events, []
            self._waiting_bytes = 0
        return events

    def close(self) -> None:
        """Withdraw everything, and disconnect."""
        if self._thread.is_alive() and self._closing is not None:
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join(_CLOSING_S)

    # --- the thread

    def _run_thread(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))  # signals are those of the run
        try:
            asyncio.run(self._main())
        except Failed as failed:
            self._failed = failed
        except Exception as error:
            self._failed = Failed(
                "cluster-unreachable", f"the connection to {self._url} failed: {error or type(error).__name__}"
            )
        finally:
            self._is_open.set()

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        async with contextlib.AsyncExitStack() as stack:
            closing = asyncio.create_task(self._closing.wait())
            opening = asyncio.create_task(self._open(stack))
            await asyncio.wait((opening, closing), return_when=asyncio.FIRST_COMPLETED)
            if not opening.done():
                opening.cancel()
                return
            opening.result()
            self._is_open.set()
            self._start(self._look_at_agents())
            self._start(self._look_at_jobs())
            await closing
            await self._withdraw()

    async def _open(self, stack: contextlib.AsyncExitStack) -> None:
        """Connect, and wait for agents. `stack` disconnects."""
        self._client = await self._connect()
        stack.push_async_callback(self._disconnect)
        self._submitted.connect(self._client)
        await self._await_agents()

    async def _disconnect(self) -> None:
        for work in list(self._work):
            work.cancel()
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._client.close(fast=True), _CLOSING_S)

    async def _connect(self) -> Client:
        waiting = waiting_for_scheduler(
            self._url, self._security, patience_s=self._patience_s, setting=WAIT_VARIABLE, say=self._say
        )
        async with waiting:
            client: Client = await Client(
                self._url,
                asynchronous=True,
                security=self._security,
                set_as_default=False,
                timeout=max(self._patience_s, 1.0),
                name="rt",
            )
        return client

    async def _await_agents(self) -> None:
        began = time.monotonic()
        while True:
            refuse_other_versions(await self._read_agents())
            lack = self._list.lack()
            if lack is None:
                return
            waited_s = time.monotonic() - began
            if waited_s >= self._patience_s:
                raise lack
            if waited_s >= QUIET_S:
                self._report_lack(lack, self._say)
            await asyncio.sleep(0.1)

    def _report_lack(self, lack: Failed, say: Callable[[str], None]) -> None:
        """Report what the run waits for, once."""
        if lack.failure.message not in self._reported:
            self._reported.add(lack.failure.message)
            say(report_lack(lack, patience_s=self._patience_s, setting=WAIT_VARIABLE))

    async def _read_agents(self) -> dict[str, dict[str, Any]]:
        """Read the scheduler's list of workers, and return it."""
        found = await asyncio.wait_for(self._client.scheduler.identity(n_workers=-1), 2 * self._silence_s)
        workers: dict[str, dict[str, Any]] = found["workers"]
        joined, left = self._list.update(workers)
        if joined or left:
            self._waiting.set_agents(self._list.agents.values())
        for address in joined:
            self._start(self._fetch_events(address))
        for address in left:
            self._supply.remove_agent(address)
        if joined:
            self._submit_some()
        return workers

    async def _look_at_agents(self) -> None:
        """Follow the list of agents, until the scheduler is lost or jobs have waited too long for an agent that can run them."""
        lacking_since: float | None = None
        while True:
            await asyncio.sleep(_LOOK_S + _LOOK_OF_AGENT_S * len(self._agents))
            try:
                await self._read_agents()
            except (OSError, TimeoutError, CommClosedError):
                self._lose()
                return
            needs = self._waiting.lacking()
            if needs is None:
                lacking_since = None
                continue
            lacking_since = lacking_since or time.monotonic()
            lack, waited_s = self._list.lack_of(needs.tags), time.monotonic() - lacking_since
            if waited_s >= self._patience_s:
                self.problem = str(lack)
                self._wake()
                return
            if waited_s >= QUIET_S:
                self._report_lack(lack, lambda text: self._add("lacking", text))

    @property
    def _agents(self) -> Collection[str]:
        return self._list.agents.keys()

    def _lose(self) -> None:
        self.problem = f"the scheduler at {self._url} does not answer any more"
        self._wake()

    @property
    def sent_bytes(self) -> int:
        """How many bytes of contents this machine has sent to agents."""
        return self._supply.sent_bytes

    def _call(self, work: Coroutine[Any, Any, None]) -> None:
        """Have the thread do `work`, in the order of the calls."""
        self._loop.call_soon_threadsafe(self._start, work)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    def _add(self, *event: Any, size: int = 0) -> None:
        with self._lock:
            self._events.append(event)
            self._waiting_bytes += size
        if not self._wakes_soon:  # events that arrive together need one wake
            self._wakes_soon = True
            self._loop.call_soon(self._wake_run)

    def _wake_run(self) -> None:
        self._wakes_soon = False
        self._wake()

    # --- jobs

    def _add_all(self) -> None:
        with self._lock:
            added, self._to_add = self._to_add, []
        for job, needs in added:
            self._waiting.add(job, needs)
        self._submit_some()

    def _make_room(self, needs: Needs, seconds: float | None) -> None:
        """Count a job with `needs` as ended, and submit others in its place, if possible several at once."""
        self._waiting.end(needs, seconds)
        if self._waiting.has_much_room():
            self._submit_some()
        elif self._refill is None:
            self._refill = self._loop.call_later(_REFILL_S, self._submit_some)

    def _submit_some(self) -> None:
        """Submit the jobs that the agents should have now, those with the same needs together."""
        if self._refill is not None:
            self._refill.cancel()
            self._refill = None
        if self._closing_now():
            return
        for needs, jobs in self._waiting.take():
            self._submitted.submit(jobs, needs, self._list.resources(needs))
        if self._waiting.has_much_room():
            self._refill = self._loop.call_later(_REFILL_S, self._submit_some)

    async def _look_at_jobs(self) -> None:
        """Report the jobs that Dask gives up."""
        while True:
            await asyncio.sleep(_LOOK_AT_JOBS_S)
            for submitted in self._submitted.problems():
                if submitted.future.status != "error":  # the connection to the scheduler is lost, and every job with it
                    self._lose()
                    return
                problem = await submitted.future.exception()
                if self._submitted.get(submitted.job.task) is submitted:
                    self._add("refused", submitted.job.task, f"{type(problem).__name__}: {problem}")

    def _closing_now(self) -> bool:
        return self._closing is not None and self._closing.is_set()

    async def _end(self, task: int, number: int, grace_s: float) -> None:
        submitted = self._submitted.get(task)
        if submitted is None:
            return
        with contextlib.suppress(OSError, TimeoutError):
            await self._operate(submitted.agent, "rt_end", key=dask_key(submitted.job), number=number, grace_s=grace_s)

    async def _cancel(self, task: int) -> None:
        submitted = self._submitted.withdraw(task)
        if submitted is None:
            self._waiting.withdraw(task)
        else:
            self._make_room(submitted.needs, None)
            await submitted.future.cancel(force=True)

    async def _withdraw(self) -> None:
        """Cancel everything, and have the agents forget the run."""
        futures = self._submitted.withdraw_all()
        forgetting = [self._operate(agent, "rt_forget", run=self._name) for agent in self._agents]
        with contextlib.suppress(Exception):
            await asyncio.wait_for(
                asyncio.gather(self._client.cancel(futures, force=True), *forgetting, return_exceptions=True), 2.0
            )

    # --- agents

    async def _operate(self, agent: str, operation: str, **arguments: Any) -> Any:
        """Call an operation of an agent: directly, or through the scheduler if it cannot be reached. Raises OSError, TimeoutError."""
        if self._direct.get(agent, True):
            try:
                async with asyncio.timeout(self._silence_s + _POLL_S):
                    answer = await getattr(self._client.rpc(agent), operation)(**arguments)
                self._direct[agent] = True
                return answer
            except OSError:
                if agent in self._direct:
                    raise
                self._direct[agent] = False
        return await asyncio.wait_for(
            self._client.scheduler.proxy(worker=agent, msg={"op": operation, **arguments}), self._silence_s + _POLL_S
        )

    async def _fetch_events(self, agent: str) -> None:
        """Fetch the events of an agent as long as it exists."""
        after, lease_s = 0, max(self._silence_s, _LEAST_LEASE_S)
        while True:
            try:
                events = await self._operate(
                    agent, "rt_events", run=self._name, after=after, wait_s=_POLL_S, lease_s=lease_s
                )
            except TimeoutError:
                await self._drop(agent)
                return
            except (OSError, KeyError, ValueError):
                await asyncio.sleep(_LOOK_S)
                if agent not in self._agents:
                    return
                continue
            for number, event in events:
                after = number
                await self._act(agent, event)
            while self._waiting_bytes > _MOST_BYTES:
                await asyncio.sleep(0.02)

    async def _drop(self, agent: str) -> None:
        """Have the scheduler move the tasks of an agent that does not answer."""
        self._add("silent", agent)
        with contextlib.suppress(OSError, TimeoutError):
            await asyncio.wait_for(
                self._client.scheduler.unregister(address=agent, stimulus_id=f"rt-silent-{self._name}"),
                self._silence_s,
            )

    async def _act(self, agent: str, event: Event) -> None:
        kind, *rest = event
        if kind == "need":
            self._start(self._serve(agent, rest[0]))
            return
        task, execution, *details = rest
        submitted = self._submitted.get(task)
        if submitted is None:
            return
        if kind == "begun":
            submitted.agent, submitted.execution = agent, execution
            self._add("begun", task, details[0])
            return
        if execution != submitted.execution:
            return
        match kind:
            case "output":
                self._add("output", task, *details, size=len(details[2]))
            case "ended":
                await self._finish(submitted, details)
            case "unusable":
                self._move(submitted, details[0])
            case _:
                self._add(kind, task, *details)

    async def _serve(self, agent: str, digests: Sequence[str]) -> None:
        while agent in self._agents:  # otherwise it is lost, and what runs there runs elsewhere
            try:
                await self._supply.serve(self._operate, self._name, agent, digests)
                return
            except (OSError, TimeoutError):
                await asyncio.sleep(_LOOK_S)

    async def _finish(self, submitted: SubmittedJob, details: Sequence[Any]) -> None:
        """Report the end of an execution, after its result has arrived. If it does not, the task runs again elsewhere."""
        task = submitted.job.task
        *end, digest, data = details
        if digest:
            agent = submitted.agent
            self._supply.add_holder(digest, agent)
            try:
                data = data or (await self._operate(agent, "rt_read", digests=[digest]))[digest]
                self._supply.add(data)
                await asyncio.to_thread(self._store_result, task, data)
            except (OSError, TimeoutError):
                return  # Dask finds that the agent is lost
            except KeyError:
                self._move(submitted, "its result is damaged")
                return
            except InvalidArtifact as error:
                self._add("refused", task, f"the agent {agent} has sent an invalid result: {error}")
                return
        self._submitted.end(task)
        self._make_room(submitted.needs, end[3])
        self._add("ended", task, *end, digest)

    def _move(self, submitted: SubmittedJob, reason: str) -> None:
        """Submit a job again that its agent could not run, to another one if there is one."""
        submitted.moves += 1
        submitted.avoided.add(submitted.agent)
        if submitted.moves > _MOST_MOVES:
            self._add("refused", submitted.job.task, f"the agent {submitted.agent} cannot run it: {reason}")
            return
        others = [agent for agent in self._agents if agent not in submitted.avoided]
        self._submitted.move(submitted, others, self._list.resources(submitted.needs))


def silence_logs() -> None:
    """Have Dask's client print nothing, unless RT_DEBUG_CLUSTER is set: what concerns the user is reported as a failure."""
    if not os.environ.get("RT_DEBUG_CLUSTER"):
        for name in ("distributed", "distributed.client", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def new_run_name() -> str:
    """Return a name for a run, which no other run of any client has."""
    return f"r{os.urandom(12).hex()}"
