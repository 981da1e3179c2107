"""The order in which scripts start, end and restart, without processes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.plan.model import MODE_FILTER, RunPlan, Step, Task
from rt_supervisor.supervising.schedule import Schedule


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
def test_a_failure_skips_exactly_its_dependents(after: list[list[int]], data: st.DataObject) -> None:
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


def test_stopping_drops_tasks_that_have_not_started() -> None:
    schedule = Schedule(plan([[], [0], []], 1))
    assert schedule.take_ready() == [0]
    assert schedule.stop() == [1, 2]
    assert schedule.take_ready() == []
    assert not schedule.is_finished
    schedule.end(0, 0)
    assert schedule.is_finished


def test_a_refused_start_is_retried_with_lower_concurrency() -> None:
    schedule = Schedule(plan([[], [], []]))
    assert schedule.take_ready() == [0, 1, 2]
    schedule.put_back(2)
    assert schedule.take_ready() == []
    schedule.end(0, 0)
    assert schedule.take_ready() == [2]


@given(graphs(), st.data())
def test_restarted_tasks_run_again_in_order_and_the_rest_does_not(after: list[list[int]], data: st.DataObject) -> None:
    """The stale set is closed under dependents, as `Rerun` makes it; parts of it may be running, or have failed."""
    schedule = Schedule(plan(after))
    runs = dict.fromkeys(range(len(after)), 0)
    succeeded: set[int] = set()

    def turn(*, may_fail: bool) -> None:
        for key in schedule.take_ready():
            assert set(after[key]) <= succeeded
            runs[key] += 1
        if not schedule.running:
            return
        key = data.draw(st.sampled_from(sorted(schedule.running)))
        leaves = schedule.is_leaving(key)
        status = data.draw(st.integers(0, 1)) if may_fail else 0
        schedule.end(key, status)
        if status == 0 and not leaves:
            succeeded.add(key)

    for _ in range(data.draw(st.integers(0, 2 * len(after)))):
        turn(may_fail=True)
    stale = {data.draw(st.integers(0, len(after) - 1))}
    while more := {key for key, needs in enumerate(after) if key not in stale and stale & set(needs)}:
        stale |= more
    before = dict(runs)
    running = schedule.running
    leaving, again = schedule.restart(stale)
    assert set(leaving) == stale & running
    assert set(again) == stale - running
    succeeded -= stale
    while not schedule.is_finished:
        turn(may_fail=False)
    assert all(runs[key] > before[key] for key in succeeded & stale)
    assert all(runs[key] == before[key] for key in running - stale)


def test_a_task_that_leaves_runs_again_when_it_has_ended() -> None:
    schedule = Schedule(plan([[], [0]]))
    assert schedule.take_ready() == [0]
    assert schedule.restart([0, 1]) == ([0], [1])
    assert schedule.is_leaving(0)
    assert schedule.restart([0]) == ([], [])  # it is already being ended
    assert schedule.take_ready() == []
    assert schedule.end(0, 143) == []
    assert schedule.take_ready() == [0]
    assert schedule.end(0, 0) == []
    assert schedule.take_ready() == [1]
    schedule.end(1, 3)
    assert schedule.is_finished
    assert schedule.exit_status() == 3
    assert schedule.restart([1]) == ([], [1])
    assert schedule.exit_status() == 0
    assert schedule.take_ready() == [1]
