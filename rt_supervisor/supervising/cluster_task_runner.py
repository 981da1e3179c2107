"""Drives a run whose tasks run on the agents of a cluster: the same order, cache, attempts and display as those of a local run.

```text
ready ──submit──> submitted ──an agent has started it──> running ──> done | failed
                      │            └──the agent was lost──> submitted (Dask moves it)
                      └──withdrawn──> skipped
```

The run core counts remote tasks as running once an agent has started them; until then they wait. What an agent reports reaches the core
through `remote_output` and `end_remote`, and comes back as an event. Local tasks run as in `task_runner`.
"""

from __future__ import annotations

import signal

from ..vocabulary.errors import Failed
from ..vocabulary.events import TaskAssigned, TasksRestarted
from ..vocabulary.record import replace
from .task_policies import SHOWN, SHOWN_AFTER_FAILURE, Places
from .task_runner import TaskRunner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any, Protocol

    from .. import _native
    from ..output.display import Display
    from ..plan.model import RunPlan
    from ..tasks.task_outputs import Received
    from .task_runner import DrivenCore

    class RemoteCore(DrivenCore, Protocol):
        """The part of a driven `_native.RunCore` about tasks of other machines."""

        def start_remote(self, task: int) -> bool: ...
        def restart_remote(self, task: int) -> bool: ...
        def takes_output(self, task: int) -> bool: ...
        def remote_output(self, task: int, stream: int, block: bytes) -> None: ...
        def end_remote(
            self, task: int, code: int, signal: int, seconds: float, cpu_seconds: float, peak_bytes: int
        ) -> bool: ...

    class Session(Protocol):
        """The connection to the cluster (`cluster.session.ClusterSession`)."""

        @property
        def problem(self) -> str: ...
        def take(self) -> list[tuple[Any, ...]]: ...
        def end(self, task: int, number: int, grace_s: float) -> None: ...
        def cancel(self, task: int) -> None: ...

    class Cluster(Protocol):
        """A run on a cluster (`cluster.requesting.ClusterRun`)."""

        wake: Callable[[], None]

        @property
        def session(self) -> Session: ...
        def submit(self, task: int, attempt: int) -> None: ...
        def receive(self, task: int, digest: str) -> Received: ...
        def forget(self, task: int) -> None: ...


_ENDING_S = 1.0  # the longest grace period of remote tasks after Ctrl-C
_GIVING_UP_S = 1.8  # how long after Ctrl-C remote tasks may take to end; what has not is left to the agents
_UNLIMITED = 2**31


class ClusterTaskRunner(TaskRunner):
    """One run of tasks on `cluster`; those in `local` run on this machine. Without a `limit`, all ready tasks are submitted at once."""

    def __init__(
        self,
        core: RemoteCore,
        display: Display,
        plan: RunPlan,
        *,
        cluster: Cluster,
        local: Collection[int],
        limit: int | None,
        shows_agents: bool,
        **options: Any,
    ) -> None:
        super().__init__(core, display, plan, **options)
        self._remote_core = core
        self._cluster = cluster
        self._local = local
        self._shows_agents = shows_agents
        self._submitted: set[int] = set()  # tasks that no agent has started
        self._remote_running: dict[int, str] = {}  # those that one has started, with the name of the agent
        self._received: dict[int, Received] = {}  # the results that were put in place and not stored
        self._agents: dict[int, str] = {}
        self._postponed: list[tuple[Any, ...]] = []
        self._given_up_at: float | None = None
        if limit is None:
            policies, pools = options["policies"], options["pools"]
            self._places = _TwoPlaces(
                Places(plan.concurrency, pools=pools, policies=policies),
                Places(_UNLIMITED, pools=pools, policies=policies),
                local,
            )
        self._wakes.open()
        cluster.wake = self._wakes.wake

    def _take_turn(self) -> None:
        super()._take_turn()
        self._look_at_cluster()
        for event in self._core.turn(0, -1):  # at once: a failed task may run again, and otherwise be the last one
            self._pass_on(event)
        self._start_ready()

    def _timeout_s(self) -> float | None:
        inherited = super()._timeout_s()
        if self._given_up_at is None:
            return inherited
        left = max(0.0, self._given_up_at - self._clock())
        return left if inherited is None else min(left, inherited)

    # --- starts

    def _start(self, key: int) -> bool:
        if key in self._local:
            return super()._start(key)
        output = self._policies[key].output
        if output != SHOWN:
            self._driven.mute(key, output == SHOWN_AFTER_FAILURE)
        self._running.add(key)
        self._submitted.add(key)
        self._places.take(key)
        self._cluster.submit(key, self._attempts.number(key))
        return True

    def _end_task(self, key: int, number: int, grace_s: float) -> bool:
        if key in self._submitted:
            self._withdraw(key)
            return False
        if key in self._remote_running:
            self._cluster.session.end(key, number, grace_s)
        return super()._end_task(key, number, grace_s)

    def _withdraw(self, key: int) -> None:
        """Skip a task that no agent has started."""
        self._submitted.discard(key)
        self._cluster.session.cancel(key)
        self._stop_running(key)
        self._logs.pop(key, None)
        self._driven.skip(key, None)
        self._leave(key)

    # --- what agents report

    def _look_at_cluster(self) -> None:
        events, self._postponed = [*self._postponed, *self._cluster.session.take()], []
        held: set[int] = set()
        if self._shows_agents:
            begun = [event for event in events if event[0] == "begun" and event[1] not in self._remote_running]
            self._name_agents({task: agent for _, task, agent in reversed(begun)})  # of several agents, the first one
        for event in events:
            task = event[1]
            if task in held or not self._act(event):
                held.add(task)
                self._postponed.append(event)
        if self._cluster.session.problem and self._core.is_open:
            self._give_up()
        if self._given_up_at is not None and self._clock() >= self._given_up_at:
            self._given_up_at = None
            for key in list(self._remote_running):
                self._end_remote(key, (0, 0, signal.SIGKILL, 0.0, 0.0, 0))

    def _act(self, event: tuple[Any, ...]) -> bool:
        """Act on an event. Return whether it could be reported: another task may hold the output."""
        match event:
            case ("silent", agent):
                self._say(f"warning: the agent {agent} does not answer; its tasks run elsewhere")
            case ("lacking", message):
                self._say(f"warning: {message}")
            case ("begun", task, agent):
                self._agents[task] = agent
                if task in self._remote_running:
                    self._move(task, agent)
            case ("started", task, step):
                if step == 0:
                    self._begin_remote(task)
            case ("output", task, _, stream, block) if task in self._remote_running:
                if not self._remote_core.takes_output(task):
                    return False
                self._remote_core.remote_output(task, stream, block)
            case ("step", task, *end) if task in self._remote_running:
                if not self._remote_core.takes_output(task):
                    return False
                self._report_end(task, end)
            case ("ended", task, *end, digest) if task in self._remote_running:
                if not self._remote_core.takes_output(task):
                    return False
                if digest and self._core.is_open:
                    self._received[task] = self._cluster.receive(task, digest)
                self._end_remote(task, end)
            case ("refused", task, message) if task in self._running and self._core.is_open:
                agent = self._agents.get(task, "the cluster")
                raise Failed("cluster-task", f"{self._plan.tasks[task].label} on {agent}: {message}")
        return True

    def _begin_remote(self, task: int) -> None:
        if task not in self._submitted:
            return
        agent = self._agents.get(task, "")
        self._display.event(TaskAssigned(task, agent, self._clock()))
        if self._remote_core.start_remote(task):
            self._submitted.discard(task)
            self._remote_running[task] = agent
            self._attempts.begin(task)

    def _name_agents(self, agents: Mapping[int, str]) -> None:
        """Name the agents of tasks that are about to start in the prefixes of their lines. That encodes the whole plan, once for all of
        `agents`.
        """
        tasks = list(self._plan.tasks)
        changed = [task for task, agent in agents.items() if tasks[task].agent != agent]
        if not changed:
            return
        for task in changed:
            tasks[task] = replace(tasks[task], agent=agents[task])
        self._plan = replace(self._plan, tasks=tuple(tasks))
        self._core.restart([], self._encode(self._plan), signal.SIGTERM, self._grace_s)

    def _move(self, task: int, agent: str) -> None:
        """Begin again to show a task whose agent was lost: what it has printed there belongs to no result."""
        before = self._remote_running[task]
        self._remote_running[task] = agent
        self._logs[task] = []
        self._seconds.pop(task, None)
        self._attempts.stop(task)
        self._display.event(TaskAssigned(task, agent, self._clock()))
        if self._shows_agents:
            self._name_agents({task: agent})
        self._remote_core.restart_remote(task)
        self._display.event(TasksRestarted((task,), ()))
        self._say(
            f"warning: {before or 'an agent'} was lost while it ran {self._name(task)}, which runs again on {agent}"
        )

    def _end_remote(self, task: int, end: Sequence[Any]) -> None:
        del self._remote_running[task]
        self._report_end(task, end)

    def _report_end(self, task: int, end: Sequence[Any]) -> None:
        _, code, number, seconds, cpu_seconds, peak_bytes = end
        self._remote_core.end_remote(task, code, number, seconds, cpu_seconds, peak_bytes)

    def _pass_on(self, event: _native.RunEvent) -> None:
        if event[0] == "interrupted":
            self._end_after_signal(event[1])
        super()._pass_on(event)

    def _end_after_signal(self, number: int) -> None:
        """End all remote tasks after a signal that asked rt to end."""
        for key in list(self._submitted):
            self._submitted.discard(key)
            self._cluster.session.cancel(key)
            self._stop_running(key)
        for key in self._remote_running:
            self._cluster.session.end(key, number, min(self._grace_s, _ENDING_S))
        self._given_up_at = self._clock() + _GIVING_UP_S

    def _give_up(self) -> None:
        """Raise Failed because the scheduler or all agents that tasks require are lost."""
        done = len(self._plan.tasks) - len(self._pending)
        count = f"{done} of {len(self._plan.tasks)} tasks have ended"
        raise Failed(
            "cluster-lost", f"{self._cluster.session.problem}; {count}. The same command with --resume runs the others"
        )

    # --- results

    def _store(self, task: int, log: Sequence[tuple[int, int, bytes]], *, has_succeeded: bool) -> None:
        received = self._received.pop(task, None)
        if self._cache is not None:
            seconds = self._seconds.get(task, 0.0)
            self._cache.finish(task, log, seconds=seconds, has_succeeded=has_succeeded, received=received)


class _TwoPlaces(Places):
    """The places of this machine for `local` tasks, and those of the cluster for others; pools count both."""

    def __init__(self, here: Places, there: Places, local: Collection[int]) -> None:
        self._here = here
        self._there = there
        self._local = local

    def has_room(self, task: int) -> bool:
        return self._here.has_room(task) if task in self._local else True

    def has_pool_room(self, task: int) -> bool:
        return self._there.has_pool_room(task)

    def take(self, task: int) -> None:
        self._there.take(task)
        if task in self._local:
            self._here.take(task)

    def give_back(self, task: int) -> None:
        self._there.give_back(task)
        if task in self._local:
            self._here.give_back(task)

    def narrow(self) -> None:
        self._here.narrow()
