//! Runs one script at a time in the foreground, with rt's stdin, stdout, stderr and controlling terminal.
//!
//! With a controlling terminal, the script joins rt's process group, so it receives Ctrl-C and Ctrl-Z from the terminal itself
//! and rt does not forward them; rt forwards signals that a process sent to rt alone. Without a terminal, the script leads its
//! own group, and rt forwards every signal. rt outlives the script, so that it can report how the script ended.
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
/// A shell reports a program that a signal terminated as this plus the signal's number.
const FIRST_SIGNAL: c_int = 128;
const ENDING: [c_int; 2] = [libc::SIGTERM, libc::SIGHUP];
const INTERRUPTING: [c_int; 4] = [libc::SIGTERM, libc::SIGHUP, libc::SIGINT, libc::SIGQUIT];
const HANDLED: [c_int; 6] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGUSR1, libc::SIGUSR2];

/// Why a script has no outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The system did not start it: errno, and the path that the error is about.
    Refused(c_int, Option<Vec<u8>>),
    /// The guardian was killed, so all scripts were ended.
    Lost,
}

/// Runs the steps of a decision. The owner must call `close`.
pub struct Foreground {
    grace: Duration,
    queue: Queue,
    /// Shows that a child of rt, the guardian, has stopped or ended.
    children: Queue,
    /// None without a terminal; otherwise the modes it had at the start, if they could be read.
    modes: Option<Option<libc::termios>>,
    leads_session: bool,
    client: Client,
}

impl Foreground {
    /// Forks the guardian, whose zygotes prepare themselves immediately, and blocks signals from now on.
    pub fn new(decision: &Decision, forks: &Forks) -> Result<Foreground> {
        let ignored = signals::ignored();
        let held_back = HANDLED.into_iter().map(signals::bit).sum::<Mask>() & !ignored;
        let queue = Queue::new(held_back)?;
        let modes = terminal::controlling().map(|terminal| terminal::get(terminal.0).ok());
        // SAFETY: these calls only return numbers.
        let (own_group, leads_session) = unsafe { (libc::getpgrp(), libc::getsid(0) == libc::getpid()) };
        let shared_group = modes.is_some().then_some(own_group);
        let grace = Duration::from_millis(decision.grace_ms.into());
        let mark = marked::random_mark()?;
        let client = Client::start(Terms { shared_group, ignored, held_back, mark, threads: 0, grace }, forks)?;
        let children = Queue::new(signals::bit(libc::SIGCHLD))?; // the guardian must not inherit the mask
        forks.kinds.iter().for_each(|kind| client.order(&Order::Prepare(*kind)));
        Ok(Foreground { grace, queue, children, modes, leads_session, client })
    }

    /// Runs a script to its end and ends its leftovers. Does not start the script if a signal has asked rt to end.
    pub fn run(&mut self, script: Spawn) -> std::result::Result<Outcome, Problem> {
        let outcome = self.run_script(script)?;
        self.restore_terminal(outcome);
        Ok(outcome)
    }

    fn run_script(&mut self, script: Spawn) -> std::result::Result<Outcome, Problem> {
        if let Some((number, _)) = self.queue.take().into_iter().find(|(number, _)| INTERRUPTING.contains(number)) {
            return Ok(Outcome::Signaled(number));
        }
        self.client.spawn(script, &[]);
        let mut given = match self.await_start()? {
            Start::Given(given) => given,
            Start::Over(outcome) => return Ok(outcome),
        };
        let mut deadline: Option<Instant> = None;
        let mut give_up_at: Option<Instant> = None; // when to kill a guardian that has not obeyed an order to kill
        let mut interrupted_at: Option<Instant> = None;
        loop {
            let moment = [deadline, give_up_at].into_iter().flatten().min();
            let patience = moment.map(|moment| moment.saturating_duration_since(Instant::now()));
            let [has_signal, has_report, has_child] = system::wait_for(self.descriptors(), patience);
            let now = Instant::now();
            if has_child {
                self.wake_guardian();
            }
            if !has_signal && !has_report && !has_child {
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
            if has_report && let Some(Report::Ended { status, .. }) = self.receive_report()? {
                return Ok(Outcome::from_wait_status(status));
            }
        }
    }

    /// Waits until the script has started. Signals stay pending meanwhile, so that the script can read which ones it missed.
    fn await_start(&mut self) -> std::result::Result<Start, Problem> {
        loop {
            if let [.., true] = system::wait_for(self.descriptors(), None) {
                self.wake_guardian();
                continue;
            }
            let signaled_at = Instant::now();
            while !system::wait_for([self.client.descriptor()], Some(WAKE))[0] {
                // A signal but no report: the script may have stopped the guardian before the guardian reported the start.
                self.client.wake();
                if signaled_at.elapsed() > PATIENCE {
                    self.client.kill_everything();
                    return Ok(Start::Over(Outcome::Signaled(libc::SIGKILL)));
                }
            }
            match self.receive_report()? {
                Some(Report::Started { given, .. }) => return Ok(Start::Given(given)),
                Some(Report::Ended { status, .. }) => return Ok(Start::Over(Outcome::from_wait_status(status))),
                _ => {}
            }
        }
    }

    /// Restores the modes of the terminal after a script that a signal terminated, which could not restore them itself.
    fn restore_terminal(&self, outcome: Outcome) {
        let Some(Some(modes)) = &self.modes else { return };
        if matches!(outcome, Outcome::Exited(code) if code <= FIRST_SIGNAL) {
            return;
        }
        if let Some(terminal) = terminal::controlling() {
            terminal::set(terminal.0, modes); // without one, it has hung up
        }
    }

    /// Returns whether a signal reached all of rt's group: signals of keys do, but a hangup reaches only the session leader.
    fn has_reached_script(&self, number: c_int, by_process: bool) -> bool {
        self.modes.is_some() && !by_process && !(number == libc::SIGHUP && self.leads_session)
    }

    // --- the guardian

    fn descriptors(&self) -> [c_int; 3] {
        [self.queue.descriptor(), self.client.descriptor(), self.children.descriptor()]
    }

    /// Continues the guardian, which a script may have stopped. If it has ended, the channel reports that.
    fn wake_guardian(&mut self) {
        self.children.take();
        self.client.wake();
    }

    /// Reads one report of the guardian. Later reports stay in the channel, so that the next poll returns at once.
    fn receive_report(&mut self) -> std::result::Result<Option<Report>, Problem> {
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

    /// Ends the guardian and all of its descendants. The signals stay blocked, because rt is about to end.
    pub fn close(mut self) {
        self.client.close();
    }
}

enum Start {
    Given(Mask),
    Over(Outcome),
}
