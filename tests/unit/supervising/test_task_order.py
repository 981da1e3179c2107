"""The order of tasks: chains, failures, and tasks that wait again."""

from __future__ import annotations

import random

from rt_supervisor.plan.model import MODE_FILTER, RunPlan, Task
from rt_supervisor.supervising.task_order import TaskOrder


def order_of(after: list[tuple[int, ...]], seconds: dict[int, float] | None = None) -> TaskOrder:
    tasks = tuple(
        Task(key=key, label=str(key), package=str(key), script="build", folder="/", steps=(), after=needs)
        for key, needs in enumerate(after)
    )
    plan = RunPlan(mode=MODE_FILTER, tasks=tasks, concurrency=1, exit_on_error=False)
    return TaskOrder(plan, lambda key: (seconds or {}).get(key, 0.0))


def take_all(order: TaskOrder) -> list[int]:
    """Take and release tasks until none is ready."""
    found = []
    while (key := order.take(lambda _: True)) is not None:
        found.append(key)
        order.release(key)
    return found


def test_the_longest_chain_comes_first() -> None:
    assert take_all(order_of([(), (), (1,), (2,), ()], {4: 2.5, 1: 1.0, 2: 1.0, 3: 1.0})) == [1, 4, 2, 3, 0]


def test_a_task_that_may_not_start_lets_others_pass_or_not() -> None:
    order = order_of([(), (), ()])
    assert order.take(lambda key: key == 2) == 2
    assert order.take(lambda key: None if key == 0 else True) is None
    assert take_all(order) == [0, 1]


def test_dependents_of_a_failure_are_withdrawn_with_the_reason() -> None:
    order = order_of([(), (0,), (1,), (), (3,)])
    assert order.take(lambda key: key == 0) == 0
    assert order.withdraw_dependents(0) == [(1, 0), (2, 1)]
    assert take_all(order) == [3, 4]
    assert order.waiting == []


def test_reopened_tasks_wait_for_each_other_and_for_held_ones() -> None:
    order = order_of([(), (0,), (1,), ()])
    assert take_all(order) == [0, 1, 2, 3]
    order.reopen(order.with_dependents([1]))
    assert take_all(order) == [1, 2]
    order.reopen([1, 2], held=[0])
    assert take_all(order) == []
    order.add(0)
    assert take_all(order) == [0, 1, 2]


def test_any_sequence_of_changes_keeps_the_order() -> None:
    """Random graphs and changes: a task is taken only after all its dependencies were released since they last waited."""
    for seed in range(200):
        chosen = random.Random(seed)
        count = chosen.randint(1, 12)
        after = [
            tuple(chosen.sample(range(key), chosen.randint(0, min(key, 3)))) if key else () for key in range(count)
        ]
        order = order_of(after)
        released: set[int] = set()
        running: set[int] = set()
        for _ in range(60):
            action = chosen.random()
            if action < 0.5 and (key := order.take(lambda _: True)) is not None:
                assert released.issuperset(after[key])
                running.add(key)
            elif action < 0.85 and running:
                key = chosen.choice(sorted(running))
                running.discard(key)
                released.add(key)
                order.release(key)
            elif action >= 0.85:
                stale = set(order.with_dependents([chosen.randrange(count)]))
                order.reopen(stale - running, held=stale & running)
                released -= stale
                for key in sorted(stale & running):  # it has been ended
                    running.discard(key)
                    order.add(key)
        for key in sorted(running):
            order.release(key)
        take_all(order)
        assert order.waiting == []
