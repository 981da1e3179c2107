"""The places of a run and the delays of restarts, without processes."""

from __future__ import annotations

from rt_supervisor.supervising.task_policies import Backoff, Places, TaskPolicy


def test_places_of_the_run_and_of_pools() -> None:
    policies = {
        0: TaskPolicy(weight=2),
        1: TaskPolicy(pool="db"),
        2: TaskPolicy(pool="db"),
        3: TaskPolicy(is_service=True),
        4: TaskPolicy(weight=9),
    }
    places = Places(3, pools={"db": 1}, policies=policies)
    assert all(map(places.has_room, policies))
    places.take(0)
    places.take(1)
    assert [places.has_room(task) for task in policies] == [False, False, False, True, False]
    assert not places.has_pool_room(2)
    places.give_back(1)
    assert places.has_pool_room(2)
    assert places.has_room(2)
    places.give_back(0)
    places.take(4)
    assert not places.has_room(1)


def test_the_limit_shrinks_to_what_runs() -> None:
    places = Places(9, pools={}, policies={0: TaskPolicy(), 1: TaskPolicy()})
    places.narrow()
    assert places.has_room(0)
    places.take(0)
    places.narrow()
    assert not places.has_room(1)


def test_delays_double_and_start_over_after_a_stable_run() -> None:
    backoff = Backoff()
    assert [backoff.delay_s(1.0) for _ in range(10)] == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0]
    assert [backoff.delay_s(10.0), backoff.delay_s(0.0)] == [0.1, 0.2]
