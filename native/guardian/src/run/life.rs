//! The state of a run as a whole, and how failures, signals, new plans and time change it. Pure: the caller passes the time
//! and acts on the results.
use std::ffi::c_int;
use std::time::{Duration, Instant};

use crate::client::PATIENCE;

/// ```text
/// Running ──another plan is to run──> Leaving
///    │  └──a script failed──> Failing ──grace period over──> Killing ──no answer──> given up
///    │                           │                              ↑
///    └──signal (Leaving too)─────┴──> Interrupted ──grace period over, or a second signal
/// ```
///
/// Nothing new starts in any state but `Running`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Running,
    Leaving,
    Failing { kill_at: Instant },
    Interrupted { kill_at: Instant },
    Killing { give_up_at: Instant },
}

/// The request of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// Everything ends.
    End,
    /// Everything is killed.
    Kill,
    /// The scripts get the signal, and nothing else happens.
    Forward,
}

/// An action that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    Nothing,
    Kill,
    /// The guardian should have killed everything long ago.
    GiveUp,
}

pub struct Life {
    grace: Duration,
    pub state: State,
    /// The first signal that asked rt to end, and when it arrived.
    pub interrupted: Option<(c_int, Instant)>,
}

impl Life {
    /// `grace` is how long scripts that were asked to end may take before they are killed.
    pub fn new(grace: Duration) -> Life {
        Life { grace, state: State::Running, interrupted: None }
    }

    /// Another plan is to run once the scripts of this one have ended.
    pub fn leave(&mut self) {
        if self.state == State::Running {
            self.state = State::Leaving;
        }
    }

    /// A script failed, and the others were asked to end.
    pub fn fail(&mut self, now: Instant) {
        self.state = State::Failing { kill_at: now + self.grace };
    }

    pub fn interrupt(&mut self, number: c_int, now: Instant) -> Request {
        match self.interrupted {
            None => {
                self.interrupted = Some((number, now));
                if !matches!(self.state, State::Killing { .. }) {
                    self.state = State::Interrupted { kill_at: now + self.grace };
                }
                Request::End
            }
            Some((first, _)) if number == libc::SIGINT || number == first => {
                self.kill(now);
                Request::Kill
            }
            Some(_) => Request::Forward,
        }
    }

    /// The time of the next action.
    pub fn deadline(&self) -> Option<Instant> {
        match self.state {
            State::Running | State::Leaving => None,
            State::Failing { kill_at } | State::Interrupted { kill_at } => Some(kill_at),
            State::Killing { give_up_at } => Some(give_up_at),
        }
    }

    pub fn due(&mut self, now: Instant) -> Due {
        match self.state {
            State::Failing { kill_at } | State::Interrupted { kill_at } if now >= kill_at => {
                self.kill(now);
                Due::Kill
            }
            State::Killing { give_up_at } if now >= give_up_at => Due::GiveUp,
            _ => Due::Nothing,
        }
    }

    fn kill(&mut self, now: Instant) {
        self.state = State::Killing { give_up_at: now + PATIENCE };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRACE: Duration = Duration::from_secs(5);

    fn life() -> (Life, Instant) {
        (Life::new(GRACE), Instant::now())
    }

    #[test]
    fn the_first_signal_ends_everything_and_the_second_kills() {
        let (mut life, now) = life();
        assert_eq!(life.interrupt(libc::SIGTERM, now), Request::End);
        assert_eq!(life.state, State::Interrupted { kill_at: now + GRACE });
        assert_eq!(life.interrupt(libc::SIGHUP, now), Request::Forward);
        assert_eq!(life.state, State::Interrupted { kill_at: now + GRACE });
        assert_eq!(life.interrupt(libc::SIGTERM, now), Request::Kill);
        assert_eq!(life.state, State::Killing { give_up_at: now + PATIENCE });
        assert_eq!(life.interrupted, Some((libc::SIGTERM, now)));
    }

    #[test]
    fn ctrl_c_kills_whichever_signal_was_first() {
        let (mut life, now) = life();
        life.interrupt(libc::SIGTERM, now);
        assert_eq!(life.interrupt(libc::SIGINT, now), Request::Kill);
    }

    #[test]
    fn a_guardian_that_does_not_kill_is_given_up() {
        let (mut life, now) = life();
        let soon = Duration::from_millis(1);
        assert_eq!(life.due(now + GRACE * 1000), Due::Nothing);
        life.interrupt(libc::SIGINT, now);
        assert_eq!(life.due(now + GRACE - soon), Due::Nothing);
        assert_eq!(life.due(now + GRACE), Due::Kill);
        assert_eq!(life.due(now + GRACE), Due::Nothing);
        assert_eq!(life.due(now + GRACE + PATIENCE), Due::GiveUp);
    }

    #[test]
    fn a_signal_after_a_failure_restarts_the_grace_period() {
        let (mut life, now) = life();
        life.fail(now);
        assert_eq!((life.deadline(), life.interrupted), (Some(now + GRACE), None));
        let later = now + GRACE / 2;
        assert_eq!(life.interrupt(libc::SIGTERM, later), Request::End);
        assert_eq!(life.state, State::Interrupted { kill_at: later + GRACE });
    }

    #[test]
    fn a_signal_during_the_kill_is_recorded_and_does_not_extend_it() {
        let (mut life, now) = life();
        life.fail(now);
        assert_eq!(life.due(now + GRACE), Due::Kill);
        assert_eq!(life.interrupt(libc::SIGHUP, now + GRACE), Request::End);
        assert_eq!(life.state, State::Killing { give_up_at: now + GRACE + PATIENCE });
        assert_eq!(life.interrupted, Some((libc::SIGHUP, now + GRACE)));
    }

    #[test]
    fn a_run_that_makes_room_for_another_has_no_deadline_and_can_be_interrupted() {
        let (mut life, now) = life();
        life.leave();
        assert_eq!((life.state, life.deadline()), (State::Leaving, None));
        assert_eq!(life.interrupt(libc::SIGINT, now), Request::End);
        assert_eq!(life.state, State::Interrupted { kill_at: now + GRACE });
    }
}
