"""The states of a run: failure, interrupts, grace periods and their deadlines."""

from __future__ import annotations

from signal import SIGHUP, SIGINT, SIGTERM

from rt_supervisor.supervising.run_life import RunLife
from rt_supervisor.workers.client import PATIENCE_S


def test_the_first_signal_ends_all_and_the_second_kills() -> None:
    life = RunLife(grace_s=5)
    assert (life.interrupt(SIGTERM, 100), life.state, life.signal) == ("end", "interrupted", SIGTERM)
    assert (life.interrupt(SIGHUP, 101), life.state) == ("forward", "interrupted")
    assert (life.interrupt(SIGTERM, 102), life.state, life.signal) == ("kill", "killing", SIGTERM)


def test_ctrl_c_kills_after_any_first_signal() -> None:
    life = RunLife(grace_s=5)
    life.interrupt(SIGTERM, 100)
    assert life.interrupt(SIGINT, 100) == "kill"


def test_scripts_that_do_not_end_are_killed_and_a_guardian_that_does_not_kill_is_given_up() -> None:
    life = RunLife(grace_s=5)
    assert life.overdue(1e9) == "nothing"
    life.interrupt(SIGINT, 100)
    assert (life.overdue(104.9), life.overdue(105), life.state) == ("nothing", "kill", "killing")
    assert life.overdue(105) == "nothing"
    assert life.overdue(105 + PATIENCE_S) == "give up"


def test_after_a_failure_the_others_have_the_grace_period_and_a_signal_restarts_it() -> None:
    life = RunLife(grace_s=5)
    life.fail(100)
    assert (life.state, life.deadline, life.signal) == ("failing", 105, None)
    assert (life.interrupt(SIGTERM, 103), life.state, life.deadline) == ("end", "interrupted", 108)


def test_a_signal_during_the_kill_is_remembered_and_extends_no_grace_period() -> None:
    life = RunLife(grace_s=5)
    life.fail(100)
    assert life.overdue(105) == "kill"
    assert (life.interrupt(SIGHUP, 106), life.state, life.signal) == ("end", "killing", SIGHUP)
    assert life.deadline == 105 + PATIENCE_S


def test_a_superseded_run_has_no_deadline_and_can_be_interrupted() -> None:
    life = RunLife(grace_s=5)
    life.leave()
    assert (life.state, life.overdue(1e9)) == ("leaving", "nothing")
    assert (life.interrupt(SIGINT, 100), life.state) == ("end", "interrupted")
