"""The jobs that are ready and not yet submitted to Dask: at any time, Dask gets as many as keep the agents busy.

A scheduler that knew all jobs at once would compare the occupancy of agents over all of them for each, and jobs that become ready later
and matter more could not overtake. The shorter the jobs, the more of them wait on an agent beside the one that runs, because a new one
takes a while to get there. What a job costs the scheduler grows with the number of those that it has, and it answers nothing meanwhile: so
their number is limited, and that of each request.
"""

from __future__ import annotations

import collections
import math

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .frames import Job

# How much work should wait on each slot: twice as much as an agent waits before it reports ends (`outbox.Delays`), because a new job takes time
# to get there.
_AHEAD_S = 0.4
_LEAST_AHEAD = 1
_MOST_AHEAD = 32
_MOST_RUNNING = (
    512  # jobs that Dask has, unless the agents run so many that each would have fewer than _LEAST_AHEAD ahead
)
_MOST_AT_ONCE = 256  # jobs of one request
_LARGE_PART = 4  # a room of one part of so many is worth a request to the scheduler at once
_WEIGHT_OF_LAST = 0.1  # of the last job in the mean duration


@record
class Needs:
    """What a job requires of an agent: `weight` slots, and all `tags`."""

    weight: int
    tags: tuple[str, ...]


@record
class AgentSlots:
    """The `slots` and `tags` of an agent."""

    slots: int
    tags: frozenset[str]

    def room_for(self, needs: Needs) -> int:
        """Return how many jobs with `needs` the agent runs at once. A job takes at most all slots."""
        return self.slots // min(needs.weight, self.slots) if self.tags.issuperset(needs.tags) else 0


class _Group:
    """The jobs with the same needs: `waiting` ones, and the number of those that were taken and have not ended. The agents run
    `at_once` of them.
    """

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self.waiting: collections.deque[Job] = collections.deque()
        self.running = 0
        self.mean_s: float | None = None

    def ahead(self) -> int:
        if self.mean_s is None:
            return _LEAST_AHEAD
        return min(max(_LEAST_AHEAD, math.ceil(_AHEAD_S / max(self.mean_s, 1e-6))), _MOST_AHEAD)

    def room(self) -> int:
        """Return how many more jobs the agents should have."""
        least, wanted = (self.at_once * (1 + ahead) for ahead in (_LEAST_AHEAD, self.ahead()))
        return max(0, max(least, min(wanted, _MOST_RUNNING)) - self.running)


class WaitingJobs:
    """The jobs of one run, in the order in which they were added. What they cost does not depend on the number of agents."""

    def __init__(self) -> None:
        self._groups: dict[Needs, _Group] = {}
        self._agents: Sequence[AgentSlots] = ()

    def set_agents(self, agents: Iterable[AgentSlots]) -> None:
        """Take jobs for `agents` from now on."""
        self._agents = tuple(agents)
        for needs, group in self._groups.items():
            group.at_once = self._at_once(needs)

    def add(self, job: Job, needs: Needs) -> None:
        group = self._groups.get(needs)
        if group is None:
            group = self._groups[needs] = _Group(self._at_once(needs))
        group.waiting.append(job)

    def withdraw(self, task: int) -> None:
        """Remove the job of a task, if it waits here."""
        for group in self._groups.values():
            for job in group.waiting:
                if job.task == task:
                    group.waiting.remove(job)
                    return

    def end(self, needs: Needs, seconds: float | None) -> None:
        """Count a job that was taken as ended, after `seconds` of running (None if it was withdrawn)."""
        group = self._groups[needs]
        group.running -= 1
        if seconds is not None:
            before = seconds if group.mean_s is None else group.mean_s
            group.mean_s = before + _WEIGHT_OF_LAST * (seconds - before)

    def lacking(self) -> Needs | None:
        """Return the needs of unfinished jobs that no agent can run, or None."""
        for needs, group in self._groups.items():
            if (group.waiting or group.running) and not group.at_once:
                return needs
        return None

    def has_much_room(self) -> bool:
        """Return whether so many waiting jobs could be taken that they should be at once."""
        for group in self._groups.values():
            room = group.room()
            possible = min(room, len(group.waiting))
            if possible and possible * _LARGE_PART >= room + group.running:
                return True
        return False

    def take(self) -> list[tuple[Needs, list[Job]]]:
        """Take the jobs that the agents should have now, or as many of them as one request may have."""
        batches = []
        for needs, group in self._groups.items():
            count = min(group.room(), len(group.waiting), _MOST_AT_ONCE)
            jobs = [group.waiting.popleft() for _ in range(count)]
            group.running += len(jobs)
            if jobs:
                batches.append((needs, jobs))
        return batches

    def _at_once(self, needs: Needs) -> int:
        return sum(agent.room_for(needs) for agent in self._agents)
