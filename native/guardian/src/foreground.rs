//! One script at a time in the foreground: it owns rt's stdin, stdout, stderr and, where there is one, the terminal.
//!
//! With a controlling terminal the script shares rt's process group, so Ctrl-C and Ctrl-Z reach it first hand and are not
//! sent twice; signals that some process sent to rt alone are passed on. Without a terminal the script leads a group of its
//! own and everything is passed on. rt itself always outlives the script, to tell how it ended.
use std::ffi::c_int;
use std::io::Result;
use std::time::{Duration, Instant};

use crate::client::{Client, PATIENCE};
use crate::guardian::Terms;
use crate::marked;
use crate::signals::{self, Mask, Queue};
use crate::system;
use crate::terminal;
use crate::zygote::Forks;
use rt_wire::decision::Decision;
use rt_wire::outcome::Outcome;
use rt_wire::protocol::{Order, Report, Spawn};

const SECOND_INTERRUPT: Duration = Duration::from_secs(1);
const WAKE: Duration = Duration::from_millis(200);
/// A shell's status for a program that a signal ended is this plus the signal's number.
const FIRST_SIGNAL: c_int = 128;
const ENDING: [c_int; 2] = [libc::SIGTERM, libc::SIGHUP];
const INTERRUPTING: [c_int; 4] = [libc::SIGTERM, libc::SIGHUP, libc::SIGINT, libc::SIGQUIT];
const TAKEN: [c_int; 6] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGUSR1, libc::SIGUSR2];

/// Why a script has no outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The system would not start it: errno, and the path at fault.
    Refused(c_int, Option<Vec<u8>>),
    /// The guardian was killed; all scripts were ended.
    Lost,
}

/// Runs the steps of a decision; close it always.
pub struct Foreground {
    grace: Duration,
    queue: Queue,
    /// The terminal's modes as they were, if it told them; None without a terminal.
    modes: Option<Option<libc::termios>>,
    leads_session: bool,
    client: Client,
}

impl Foreground {
    /// Fork the guardian, with zygotes that get ready at once, and hold signals back from now on.
    pub fn new(decision: &Decision, forks: &Forks) -> Result<Foreground> {
        let ignored = signals::ignored();
        let held_back = TAKEN.into_iter().map(signals::bit).sum::<Mask>() & !ignored;
        let queue = Queue::new(held_back)?;
        let modes = terminal::controlling().map(|terminal| terminal::get(terminal.0).ok());
        // SAFETY: these only return numbers.
        let (own_group, leads_session) = unsafe { (libc::getpgrp(), libc::getsid(0) == libc::getpid()) };
        let shared_group = modes.is_some().then_some(own_group);
        let grace = Duration::from_millis(decision.grace_ms.into());
        let mark = marked::random()?;
        let client = Client::start(Terms { shared_group, ignored, held_back, mark, threads: 0, grace }, forks)?;
        forks.kinds.iter().for_each(|kind| client.order(&Order::Prepare(*kind)));
        Ok(Foreground { grace, queue, modes, leads_session, client })
    }

    /// Run a script to its end and end everything it has started. Does not start it if rt was asked to end.
    pub fn run(&mut self, script: Spawn) -> std::result::Result<Outcome, Problem> {
        let outcome = self.run_script(script)?;
        self.put_terminal_back(outcome);
        Ok(outcome)
    }

    fn run_script(&mut self, script: Spawn) -> std::result::Result<Outcome, Problem> {
        if let Some((number, _)) = self.queue.take().into_iter().find(|(number, _)| INTERRUPTING.contains(number)) {
            return Ok(Outcome::Signaled(number));
        }
        self.client.spawn(script, &[]);
        let mut given = match self.answer_to_start()? {
            Start::Given(given) => given,
            Start::Over(outcome) => return Ok(outcome),
        };
        let mut deadline: Option<Instant> = None;
        let mut give_up_at: Option<Instant> = None; // when a guardian that was ordered to kill is overdue
        let mut interrupted_at: Option<Instant> = None;
        loop {
            let moment = [deadline, give_up_at].into_iter().flatten().min();
            let patience = moment.map(|moment| moment.saturating_duration_since(Instant::now()));
            let [has_signal, has_answer] =
                system::wait_for([self.queue.descriptor(), self.client.descriptor()], patience);
            let now = Instant::now();
            if !has_signal && !has_answer {
                if give_up_at.is_some_and(|at| now >= at) {
                    self.client.kill_everything();
                    return Ok(Outcome::Signaled(libc::SIGKILL));
                }
                self.client.order(&Order::Kill(None));
                (deadline, give_up_at) = (None, Some(now + PATIENCE));
            }
            for (number, by_process) in if has_signal { self.queue.take() } else { Vec::new() } {
                if given & signals::bit(number) == 0 && !self.has_reached_script(number, by_process) {
                    self.client.order(&Order::Signal(None, number));
                }
                given &= !signals::bit(number);
                if number == libc::SIGINT {
                    if interrupted_at.is_some_and(|at| by_process || now - at < SECOND_INTERRUPT) {
                        self.client.order(&Order::Kill(None));
                        give_up_at = Some(now + PATIENCE);
                    }
                    interrupted_at = Some(now);
                } else if ENDING.contains(&number) && deadline.is_none() {
                    deadline = Some(now + self.grace);
                }
            }
            if has_answer && let Some(Report::Ended { status, .. }) = self.answer()? {
                return Ok(Outcome::from_wait_status(status));
            }
        }
    }

    /// Wait until the script is there; meanwhile signals wait, so that it can see which ones it came too late for.
    fn answer_to_start(&mut self) -> std::result::Result<Start, Problem> {
        loop {
            system::wait_for([self.queue.descriptor(), self.client.descriptor()], None);
            let asked_to_end_at = Instant::now();
            while !system::wait_for([self.client.descriptor()], Some(WAKE))[0] {
                // A signal is there, and no answer: the script may have stopped the guardian before it said that it runs.
                self.client.wake();
                if asked_to_end_at.elapsed() > PATIENCE {
                    self.client.kill_everything();
                    return Ok(Start::Over(Outcome::Signaled(libc::SIGKILL)));
                }
            }
            match self.answer()? {
                Some(Report::Started { given, .. }) => return Ok(Start::Given(given)),
                Some(Report::Ended { status, .. }) => return Ok(Start::Over(Outcome::from_wait_status(status))),
                _ => {}
            }
        }
    }

    /// A script that a signal ended had no chance to leave the terminal as it found it.
    fn put_terminal_back(&self, outcome: Outcome) {
        let Some(Some(modes)) = &self.modes else { return };
        if matches!(outcome, Outcome::Exited(code) if code <= FIRST_SIGNAL) {
            return;
        }
        if let Some(terminal) = terminal::controlling() {
            terminal::set(terminal.0, modes); // else it has hung up
        }
    }

    /// Whether a signal reached rt's whole group: that of a key does, a hangup reaches only the session leader.
    fn has_reached_script(&self, number: c_int, by_process: bool) -> bool {
        self.modes.is_some() && !by_process && !(number == libc::SIGHUP && self.leads_session)
    }

    // --- the guardian

    /// Wait for one report of the guardian's, and read no more: what follows it stays in the channel, for the next poll.
    fn answer(&mut self) -> std::result::Result<Option<Report>, Problem> {
        match self.client.channel().and_then(system::receive) {
            None => {
                self.client.kill_everything();
                Err(Problem::Lost)
            }
            Some(message) => match Report::decode(&message) {
                Some(Report::Refused { errno, path, .. }) => Err(Problem::Refused(errno, path)),
                report => Ok(report),
            },
        }
    }

    /// End the guardian and with it whatever still runs. The signals stay held back: rt is about to end.
    pub fn close(mut self) {
        self.client.close();
    }
}

enum Start {
    Given(Mask),
    Over(Outcome),
}
