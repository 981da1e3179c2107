"""Batching of changes until no more arrive for a while."""

from __future__ import annotations

from rt_supervisor.watching.settling import UNFINISHED_S, Settling


def test_a_single_save_triggers_at_once() -> None:
    settling = Settling(quiet_s=0.03)
    settling.add(["a"], now=10.0)
    assert settling.take(10.0) == ["a"]
    assert settling.take(10.0) == []
    assert settling.due_at is None


def test_many_changes_arrive_in_one_batch_after_a_quiet_period() -> None:
    settling = Settling(quiet_s=0.03, longest_s=0.2)
    settling.add(["first"], now=1.0)
    assert settling.take(1.0) == ["first"]
    settling.add(["a"], now=1.01)
    settling.add(["b", "a"], now=1.02)
    assert settling.take(1.04) == []
    assert settling.due_at == 1.05
    assert settling.take(1.05) == ["a", "b"]


def test_constant_changes_trigger_in_time() -> None:
    settling = Settling(quiet_s=0.03, longest_s=0.2)
    settling.add(["start"], now=0.0)
    settling.take(0.0)
    now, batches = 0.0, []
    for number in range(200):
        now += 0.005
        settling.add([str(number)], now)
        if batch := settling.take(now):
            batches.append(batch)
    assert 3 <= len(batches) <= 6
    assert all(len(batch) > 20 for batch in batches)


def test_a_file_being_written_is_awaited_and_then_used_as_it_is() -> None:
    settling = Settling(quiet_s=0.03)
    settling.add(["a"], now=5.0, unfinished=True)
    assert settling.take(5.0) == []
    assert settling.due_at == 5.0 + UNFINISHED_S
    assert settling.take(5.0 + UNFINISHED_S) == ["a"]


def test_a_file_that_is_closed_after_being_written_is_due_at_once() -> None:
    settling = Settling(quiet_s=0.03)
    settling.add(["a"], now=5.0, unfinished=True)
    settling.add(["a"], now=5.001)
    assert settling.take(5.001) == ["a"]


def test_an_empty_batch_is_never_due() -> None:
    settling = Settling()
    settling.add([], now=1.0)
    assert settling.due_at is None


def test_a_new_file_is_delayed_and_reported_with_the_next_save() -> None:
    settling = Settling(quiet_s=0.03)
    settling.add(["draft"], now=5.0, new=True)
    assert settling.take(5.0) == []
    assert settling.due_at == 5.0 + 0.03
    settling.add(["draft"], now=5.01, new=True)
    settling.add(["a"], now=5.01)
    assert settling.take(5.01) == ["draft", "a"]
