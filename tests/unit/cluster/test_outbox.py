"""When an agent answers a request for events, and with which of them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from rt_supervisor.cluster.outbox import MOST_BYTES, Delays, Outbox

FOREVER_S = 3600.0
PATIENT = Delays(FOREVER_S, FOREVER_S, FOREVER_S)  # something has to end the wait for more events


async def until_waiting() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def run(test: Any) -> None:
    asyncio.run(test())


def test_an_answer_has_the_events_that_came_while_it_waited() -> None:
    async def test() -> None:
        box = Outbox(lambda: True, PATIENT)
        answer = asyncio.create_task(box.take(0, FOREVER_S))
        await until_waiting()
        box.add("begun", 1)
        await until_waiting()
        assert not answer.done()
        box.add("need", ["digest"], is_urgent=True)
        assert await answer == [(1, ("begun", 1)), (2, ("need", ["digest"]))]
        assert await box.take(0, FOREVER_S) == await answer  # nothing was acknowledged
        box.add("ended", 1)
        assert await box.take(2, FOREVER_S) == [(3, ("ended", 1))]

    run(test)


def test_an_answer_without_events_comes_in_time() -> None:
    async def test() -> None:
        assert await Outbox(lambda: False).take(0, 0.0) == []

    run(test)


def test_output_beyond_the_limit_is_sent_at_once_and_waits_until_it_is_acknowledged() -> None:
    async def test() -> None:
        box = Outbox(lambda: True, PATIENT)
        answer = asyncio.create_task(box.take(0, FOREVER_S))
        await until_waiting()
        await box.put(MOST_BYTES, "output", 1)
        more = asyncio.create_task(box.put(1, "output", 2))
        assert await answer == [(1, ("output", 1))]
        assert not more.done()
        after = asyncio.create_task(box.take(1, FOREVER_S))
        await more
        box.add("ended", is_urgent=True)
        assert [event for _, event in await after] == [("output", 2), ("ended",)]

    run(test)


@pytest.mark.parametrize(
    ("has_more", "delays"), [(True, Delays(FOREVER_S, FOREVER_S, 0.0)), (False, Delays(FOREVER_S, 0.0, FOREVER_S))]
)
def test_frequent_answers_wait_longer_while_jobs_wait(has_more: bool, delays: Delays) -> None:
    async def test() -> None:
        box = Outbox(lambda: has_more, delays)
        answer = asyncio.create_task(box.take(0, FOREVER_S))
        await until_waiting()
        box.add("started", 1, is_urgent=True)
        await answer  # at this moment
        answer = asyncio.create_task(box.take(1, FOREVER_S))
        await until_waiting()
        box.add("ended", 1)
        assert await answer == [(2, ("ended", 1))]

    run(test)
