//! Writes to rt's outputs. A signal that arrives while a write blocks is handled immediately. A write that still blocks half a
//! second after rt was asked to end is abandoned, so that a stalled reader cannot delay the end.
use std::ffi::c_int;
use std::io::ErrorKind;
use std::time::{Duration, Instant};

use rt_wire::plan::Problems;
use rt_wire::protocol::{Bytes, Order, Report};

use super::output::{Output, Sink};
use super::{BLOCK_BYTES, RunCore};
use crate::system;

const CLOSED_OUTPUT_GRACE: Duration = Duration::from_millis(50);
const LONGEST_GATHERING: Duration = Duration::from_millis(50);
const BLOCKED_WRITE: Duration = Duration::from_millis(500);

/// Why a run cannot continue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The output has no reader any more: the terminal has hung up, or the pipe was closed.
    Closed {
        hung_up: bool,
    },
    /// rt was asked to end, and a write to its output still blocks.
    Abandoned,
    Failed(Failure),
}

/// A problem that is reported to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The system did not start a process: errno, its description, and the path that the error is about.
    Refused {
        errno: c_int,
        words: Bytes,
        path: Option<Bytes>,
    },
    DescriptorLimit,
    GuardianLost,
    GuardianUnanswered,
    /// Output cannot be written.
    Output {
        errno: c_int,
    },
}

pub type RunResult<T = ()> = std::result::Result<T, Stop>;

impl Failure {
    /// The message about it.
    pub fn line(&self, problems: &Problems) -> Bytes {
        match self {
            Failure::Refused { errno, words, path } => problems.refusals.line(*errno, words, path.as_deref()),
            Failure::DescriptorLimit => problems.descriptor_limit.clone(),
            Failure::GuardianLost => problems.lost.clone(),
            Failure::GuardianUnanswered => problems.unanswered.clone(),
            Failure::Output { errno } => {
                let mut lines = problems.output.iter();
                let line = lines.find(|(number, _)| i64::from(*number) == i64::from(*errno));
                line.map_or(vec![], |(_, line)| line.clone())
            }
        }
    }
}

impl RunCore {
    /// Writes all of `bytes` for the driver.
    pub fn write(&mut self, sink: Sink, bytes: &[u8]) -> RunResult {
        let went = self.write_all(sink, bytes);
        self.note(went)
    }

    /// Writes all of `bytes`, or gathers them while a task is reported that succeeds without running: with hundreds of these in a row,
    /// a write for each line would take longer than the rest of the report.
    pub(super) fn write_all(&mut self, sink: Sink, bytes: &[u8]) -> RunResult {
        if self.is_gathering && sink == Sink::Out {
            self.gathered.extend_from_slice(bytes);
            let since = *self.gathered_at.get_or_insert_with(Instant::now);
            let is_due = self.gathered.len() >= BLOCK_BYTES || since.elapsed() > LONGEST_GATHERING;
            return if is_due { self.write_gathered() } else { Ok(()) };
        }
        self.write_gathered()?;
        self.write_now(sink, bytes)
    }

    /// Writes what was gathered.
    pub(super) fn write_gathered(&mut self) -> RunResult {
        self.gathered_at = None;
        let bytes = std::mem::take(&mut self.gathered);
        self.write_now(Sink::Out, &bytes)
    }

    fn write_now(&mut self, sink: Sink, mut bytes: &[u8]) -> RunResult {
        if self.abandoned == Some(sink) && !bytes.is_empty() {
            return Err(Stop::Abandoned);
        }
        while !bytes.is_empty() {
            match self.output(sink).write(bytes) {
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait_to_write(sink);
                    if self.blocked_since().is_some_and(|at| at.elapsed() > BLOCKED_WRITE) {
                        self.abandoned = Some(sink);
                        return Err(Stop::Abandoned);
                    }
                }
                Err(error) => {
                    let errno = error.raw_os_error().unwrap_or(0);
                    let is_closed = [libc::EPIPE, libc::EIO].contains(&errno);
                    return Err(if is_closed {
                        self.record_closed_output(sink)
                    } else {
                        Stop::Failed(Failure::Output { errno })
                    });
                }
            }
        }
        Ok(())
    }

    /// When rt was asked to end: since then, writes may not block for long.
    fn blocked_since(&self) -> Option<Instant> {
        self.life.interrupted.map(|(_, at)| at).filter(|_| !self.is_closed)
    }

    fn wait_to_write(&mut self, sink: Sink) {
        let signals = if self.is_closed { -1 } else { self.signals.descriptor() };
        let entry = |fd, events| libc::pollfd { fd, events, revents: 0 };
        let mut entries = [entry(self.output(sink).descriptor(), libc::POLLOUT), entry(signals, libc::POLLIN)];
        let left = self.blocked_since().map(|at| (at + BLOCKED_WRITE).saturating_duration_since(Instant::now()));
        let left_ms = left.map_or(-1, |left| left.as_millis() as c_int + 1);
        system::poll(&mut entries, left_ms);
        if entries[1].revents != 0 {
            self.act_on_signals();
        }
    }

    fn output(&self, sink: Sink) -> &Output {
        match sink {
            Sink::Out => &self.out,
            Sink::Err => &self.err,
        }
    }

    /// Records that the reader of an output has exited, and the signal that rt terminates by because of it.
    pub(super) fn record_closed_output(&mut self, sink: Sink) -> Stop {
        let hung_up = self.output(sink).is_terminal;
        self.died_of = Some(if hung_up { libc::SIGHUP } else { libc::SIGPIPE });
        Stop::Closed { hung_up }
    }

    /// Gives the scripts time to end: the usual grace period if the terminal hung up, little if a pipe was closed.
    pub(super) fn end_without_output(&mut self, hung_up: bool) {
        self.act_on_signals();
        if self.life.interrupted.is_none() {
            self.client.order(&Order::Signal(None, if hung_up { libc::SIGHUP } else { libc::SIGTERM }));
        }
        let grace = if hung_up { Duration::from_millis(self.plan.grace_ms.into()) } else { CLOSED_OUTPUT_GRACE };
        let end = Instant::now() + grace;
        let mut left = self.runs.len();
        while left > 0
            && system::wait_for([self.client.descriptor()], Some(end.saturating_duration_since(Instant::now())))[0]
        {
            let count = self.client.channel().map_or(0, |channel| channel.read(&mut self.buffer));
            self.frames.feed(&self.buffer[..count]);
            while let Ok(Some(message)) = self.frames.next_message() {
                left -= usize::from(matches!(Report::decode(&message), Some(Report::Ended { .. })) && left > 0);
            }
            if count == 0 {
                return;
            }
        }
    }
}
