from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.plan import MODE_FILTER, RunPlan, Step, Task
from rt_supervisor.schedule import Schedule


def plan(after: list[list[int]], concurrency: int = 99) -> RunPlan:
    step = Step("x", "x", ("/bin/true",), {})
    tasks = tuple(Task(key, str(key), "", "x", "/", (step,), tuple(needs)) for key, needs in enumerate(after))
    return RunPlan(MODE_FILTER, tasks, concurrency, False)


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    count = draw(st.integers(1, 12))
    order = draw(st.permutations(range(count)))
    after: list[list[int]] = [[] for _ in range(count)]
    for place, key in enumerate(order):
        after[key] = draw(st.lists(st.sampled_from(order[:place]), max_size=4)) if place else []
    return after


@given(graphs(), st.integers(1, 4), st.data())
def test_everything_runs_once_in_order_within_the_limit(
    after: list[list[int]], limit: int, data: st.DataObject
) -> None:
    schedule = Schedule(plan(after, limit))
    done: list[int] = []
    while not schedule.is_finished:
        for key in schedule.take_ready():
            assert set(after[key]) <= set(done)
        assert 0 < len(schedule.running) <= limit
        key = data.draw(st.sampled_from(sorted(schedule.running)))
        assert schedule.end(key, 0) == []
        done.append(key)
    assert sorted(done) == list(range(len(after)))
    assert schedule.exit_status() == 0


@given(graphs(), st.data())
def test_a_failure_skips_exactly_what_depends_on_it(after: list[list[int]], data: st.DataObject) -> None:
    failing = data.draw(st.integers(0, len(after) - 1))
    schedule = Schedule(plan(after))
    ran: set[int] = set()
    skipped: set[int] = set()
    while not schedule.is_finished:
        schedule.take_ready()
        key = min(schedule.running)
        ran.add(key)
        skipped |= {each for each, _ in schedule.end(key, 7 if key == failing else 0)}
    depend = {failing}
    while more := {key for key, needs in enumerate(after) if key not in depend and depend & set(needs)}:
        depend |= more
    assert skipped == depend - {failing}
    assert ran == set(range(len(after))) - skipped
    assert schedule.exit_status() == 7


def test_ready_tasks_start_in_listing_order() -> None:
    schedule = Schedule(plan([[], [], [], [0]], 2))
    assert schedule.take_ready() == [0, 1]
    schedule.end(0, 0)
    assert schedule.take_ready() == [2]


def test_the_first_failing_status_in_listing_order_counts() -> None:
    schedule = Schedule(plan([[], [], []]))
    schedule.take_ready()
    for key, status in ((2, 9), (1, 5), (0, 0)):
        schedule.end(key, status)
    assert schedule.exit_status() == 5


def test_stopping_gives_up_what_has_not_started() -> None:
    schedule = Schedule(plan([[], [0], []], 1))
    assert schedule.take_ready() == [0]
    assert schedule.stop() == [1, 2]
    assert schedule.take_ready() == []
    assert not schedule.is_finished
    schedule.end(0, 0)
    assert schedule.is_finished


def test_a_refused_start_is_tried_again_with_fewer_at_once() -> None:
    schedule = Schedule(plan([[], [], []]))
    assert schedule.take_ready() == [0, 1, 2]
    schedule.put_back(2)
    assert schedule.take_ready() == []
    schedule.end(0, 0)
    assert schedule.take_ready() == [2]
