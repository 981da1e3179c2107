"""The jobs that are ready and not yet submitted to Dask: at any time, Dask gets as many as keep the agents busy.

A scheduler that knew all jobs at once would compare the occupancy of agents over all of them for each, and jobs that become ready later
and matter more could not overtake. The shorter the jobs, the more of them wait on an agent beside the one that runs, because a new one
takes a while to get there.
"""

from __future__ import annotations

import collections
import math

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from .frames import Job

_AHEAD_S = 0.2  # how much work should wait on each slot
_LEAST_AHEAD = 1
_MOST_AHEAD = 32
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
    """The jobs with the same needs: `waiting` ones, and the number of those that were taken and have not ended."""

    def __init__(self) -> None:
        self.waiting: collections.deque[Job] = collections.deque()
        self.taken = 0
        self.mean_s: float | None = None

    def ahead(self) -> int:
        if self.mean_s is None:
            return _LEAST_AHEAD
        return min(max(_LEAST_AHEAD, math.ceil(_AHEAD_S / max(self.mean_s, 1e-6))), _MOST_AHEAD)


class WaitingJobs:
    """The jobs of one run, in the order in which they were added."""

    def __init__(self) -> None:
        self._groups: dict[Needs, _Group] = {}

    def add(self, job: Job, needs: Needs) -> None:
        self._groups.setdefault(needs, _Group()).waiting.append(job)

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
        group.taken -= 1
        if seconds is not None:
            before = seconds if group.mean_s is None else group.mean_s
            group.mean_s = before + _WEIGHT_OF_LAST * (seconds - before)

    def lacking(self, agents: Collection[AgentSlots]) -> Needs | None:
        """Return the needs of unfinished jobs that none of `agents` can run, or None."""
        for needs, group in self._groups.items():
            if (group.waiting or group.taken) and not any(agent.room_for(needs) for agent in agents):
                return needs
        return None

    def has_much_room(self, agents: Collection[AgentSlots]) -> bool:
        """Return whether so many waiting jobs could be taken that they should be at once."""
        return any(
            min(room, len(group.waiting)) * _LARGE_PART >= room + group.taken for _, group, room in self._rooms(agents)
        )

    def take(self, agents: Collection[AgentSlots]) -> list[tuple[Needs, list[Job]]]:
        """Take the jobs that `agents` should have now."""
        taken = []
        for needs, group, room in self._rooms(agents):
            jobs = [group.waiting.popleft() for _ in range(min(room, len(group.waiting)))]
            group.taken += len(jobs)
            if jobs:
                taken.append((needs, jobs))
        return taken

    def _rooms(self, agents: Collection[AgentSlots]) -> Iterator[tuple[Needs, _Group, int]]:
        """Yield the groups with waiting jobs, and how many more of them the agents should have."""
        for needs, group in self._groups.items():
            if group.waiting:
                at_once = sum(agent.room_for(needs) for agent in agents)
                yield needs, group, max(0, at_once * (1 + group.ahead()) - group.taken)
