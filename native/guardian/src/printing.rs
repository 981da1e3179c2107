//! How a supervised run reads what scripts write and has it printed: a signal that arrives during a write that blocks is acted
//! on at once, and a write that still blocks half a second after rt was told to end is abandoned.
use std::ffi::c_int;
use std::io::ErrorKind;
use std::time::{Duration, Instant};

use crate::prefixed::Sink;
use crate::supervise::{Going, HELD_PIPE, Stop, Supervisor, TaskRun};
use crate::system;
use rt_wire::protocol::{Order, Report};

const CLOSED_OUTPUT_GRACE: Duration = Duration::from_millis(50);
const BLOCKED_WRITE: Duration = Duration::from_millis(500);

impl Supervisor<'_> {
    pub(crate) fn read(&mut self, key: u32, serial: u64, stream: c_int) -> Going {
        let Some(run) = self.runs.get(&key).filter(|run| run.serial == serial) else { return Ok(()) };
        let Some((_, opened)) = run.streams.iter().find(|(each, _)| *each == stream) else { return Ok(()) };
        let count = opened.read(&mut self.buffer);
        if count > 0 {
            let said = self.display.block((key, stream), run.step, &self.buffer[..count]);
            return self.print(said);
        }
        self.drain(key, stream)?;
        self.end_step_if_over(key)
    }

    /// No more is read from a stream.
    pub(crate) fn drain(&mut self, key: u32, stream: c_int) -> Going {
        if let Some(run) = self.runs.get_mut(&key) {
            run.streams.retain(|(each, _)| *each != stream);
        }
        let said = self.display.drained((key, stream));
        self.print(said)
    }

    /// Close the pipes that a process out of reach keeps open after their script ended. A script whose pipes are not read
    /// now, because another stream's line is unfinished, gets more time.
    pub(crate) fn give_up_held_pipes(&mut self, now: Instant) -> Going {
        let is_late = |run: &TaskRun| run.drain_by.is_some_and(|at| now >= at);
        for key in self.runs.iter().filter(|(_, run)| is_late(run)).map(|(key, _)| *key).collect::<Vec<u32>>() {
            let is_unheard = self.display.holder().is_some_and(|(held, _)| held != key);
            let Some(run) = self.runs.get_mut(&key) else { continue };
            if is_unheard {
                run.drain_by = Some(now + HELD_PIPE);
                continue;
            }
            for (stream, _) in std::mem::take(&mut run.streams) {
                self.drain(key, stream)?;
            }
            self.end_step_if_over(key)?;
        }
        Ok(())
    }

    pub(crate) fn print(&mut self, (sink, bytes): (Sink, Vec<u8>)) -> Going {
        self.write(sink, &bytes, true)
    }

    /// Write all of it. A signal that arrives while it blocks is acted on at once, if `is_interruptible`.
    pub(crate) fn write(&mut self, sink: Sink, mut bytes: &[u8], is_interruptible: bool) -> Going {
        while !bytes.is_empty() {
            let output = if sink == Sink::Out { &self.out } else { &self.err };
            match output.write(bytes) {
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait_to_write(sink, is_interruptible);
                    if self.interrupted_at.is_some_and(|at| at.elapsed() > BLOCKED_WRITE) {
                        return Err(Stop::Abandoned);
                    }
                }
                Err(error) => {
                    let errno = error.raw_os_error().unwrap_or(0);
                    if [libc::EPIPE, libc::EIO].contains(&errno) {
                        return Err(self.closed(sink));
                    }
                    let mut lines = self.plan.problems.output.iter();
                    let line = lines.find(|(number, _)| i64::from(*number) == i64::from(errno));
                    return Err(Stop::Failed(line.map_or(vec![], |(_, line)| line.clone())));
                }
            }
        }
        Ok(())
    }

    fn wait_to_write(&mut self, sink: Sink, is_interruptible: bool) {
        let output = if sink == Sink::Out { &self.out } else { &self.err };
        let signals = if is_interruptible { self.queue.descriptor() } else { -1 };
        let entry = |fd, events| libc::pollfd { fd, events, revents: 0 };
        let mut entries = [entry(output.descriptor(), libc::POLLOUT), entry(signals, libc::POLLIN)];
        let left = self.interrupted_at.map(|at| (at + BLOCKED_WRITE).saturating_duration_since(Instant::now()));
        let left_ms = left.map_or(-1, |left| left.as_millis() as c_int + 1);
        // SAFETY: the entries live through the call.
        unsafe { libc::poll(entries.as_mut_ptr(), 2, left_ms) };
        if entries[1].revents != 0 {
            self.act_on_signals();
        }
    }

    pub(crate) fn closed(&self, sink: Sink) -> Stop {
        Stop::Closed { hung_up: if sink == Sink::Out { self.out.is_terminal } else { self.err.is_terminal } }
    }

    /// Give the scripts time to end: the usual grace when the terminal hung up, little when a pipe was closed.
    pub(crate) fn end_for_want_of_output(&mut self, hung_up: bool) {
        self.act_on_signals();
        if self.interrupted_by.is_none() {
            self.client.order(&Order::Signal(None, if hung_up { libc::SIGHUP } else { libc::SIGTERM }));
        }
        let end = Instant::now() + if hung_up { self.grace } else { CLOSED_OUTPUT_GRACE };
        let mut left = self.runs.len();
        while left > 0
            && system::wait_for([self.client.descriptor()], Some(end.saturating_duration_since(Instant::now())))[0]
        {
            let count = self.client.channel().map_or(0, |channel| channel.read(&mut self.buffer));
            self.frames.feed(&self.buffer[..count]);
            while let Ok(Some(message)) = self.frames.cut() {
                left -= usize::from(matches!(Report::decode(&message), Some(Report::Ended { .. })) && left > 0);
            }
            if count == 0 {
                return;
            }
        }
    }
}
