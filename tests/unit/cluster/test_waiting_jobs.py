"""Which jobs are given to Dask, and how many of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rt_supervisor.cluster.frames import Job
from rt_supervisor.cluster.waiting_jobs import AgentSlots, Needs, WaitingJobs

ANY = Needs(1, ())
AGENTS = [AgentSlots(2, frozenset({"linux"})), AgentSlots(1, frozenset())]


def job(task: int) -> Job:
    return Job("run", task, "", "", (), 0, False, "", "", (), (), (), {}, (), ((), ()), "", 0.0, "", 1)


def filled(needs: Needs, count: int, agents: Sequence[AgentSlots] = AGENTS) -> WaitingJobs:
    waiting = WaitingJobs()
    waiting.set_agents(agents)
    for task in range(count):
        waiting.add(job(task), needs)
    return waiting


def take(waiting: WaitingJobs) -> list[int]:
    return [each.task for _, jobs in waiting.take() for each in jobs]


def test_each_slot_gets_a_job_and_one_ahead_in_the_order_of_the_run() -> None:
    waiting = filled(ANY, 100)
    assert take(waiting) == [0, 1, 2, 3, 4, 5]
    assert take(waiting) == []
    waiting.end(ANY, 0.5)
    assert take(waiting) == [6]


def test_more_short_jobs_than_long_ones_wait_on_agents() -> None:
    waiting = filled(ANY, 200)
    take(waiting)
    waiting.end(ANY, 0.001)
    assert len(take(waiting)) == 3 * (1 + 32) - 5
    assert not waiting.has_much_room()
    for _ in range(24):
        waiting.end(ANY, 0.001)
    assert not waiting.has_much_room()
    waiting.end(ANY, None)
    assert waiting.has_much_room()


def test_dask_has_a_limited_number_of_jobs_and_gets_few_at_once() -> None:
    many = [AgentSlots(1, frozenset())] * 1000
    waiting = filled(ANY, 10_000, many)
    assert [len(take(waiting)) for _ in range(9)] == [256] * 7 + [208, 0]  # one for each slot, and one ahead
    waiting = filled(ANY, 10_000, many[:100])
    assert len(take(waiting)) == 200
    waiting.end(ANY, 0.001)
    assert [len(take(waiting)) for _ in range(3)] == [256, 57, 0]  # 512 in all


def test_jobs_wait_for_agents_with_their_tags_and_a_heavy_one_takes_all_slots() -> None:
    assert take(filled(Needs(1, ("linux",)), 9)) == [0, 1, 2, 3]
    assert take(filled(Needs(4, ()), 9)) == [0, 1, 2, 3]  # one at once on each agent
    assert take(filled(Needs(1, ("absent",)), 9)) == []
    waiting = filled(ANY, 9, [])
    assert take(waiting) == []
    waiting.withdraw(1)
    waiting.set_agents(AGENTS[1:])
    assert take(waiting) == [0, 2]


class CountedAgent:
    """An agent with one slot that counts how often it is considered."""

    def __init__(self) -> None:
        self.count = 0

    def room_for(self, needs: Needs) -> int:
        self.count += 1
        return 1


def test_the_cost_of_a_job_does_not_depend_on_the_number_of_agents() -> None:
    agents: list[Any] = [CountedAgent() for _ in range(1000)]
    waiting = filled(ANY, 100, agents)
    for _ in range(100):
        take(waiting)
        waiting.end(ANY, 1.0)
        waiting.has_much_room()
    assert [agent.count for agent in agents] == [1] * 1000


def test_jobs_that_no_agent_can_run_are_lacking_one_until_they_end() -> None:
    other = Needs(1, ("gpu",))
    waiting = filled(ANY, 1)
    assert waiting.lacking() is None
    take(waiting)
    waiting.set_agents([])
    assert waiting.lacking() == ANY
    waiting.set_agents(AGENTS)
    waiting.add(job(1), other)
    assert waiting.lacking() == other
    waiting.withdraw(1)
    assert waiting.lacking() is None
    waiting.end(ANY, 1.0)
    waiting.set_agents([])
    assert waiting.lacking() is None
