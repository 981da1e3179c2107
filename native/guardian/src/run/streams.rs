//! The pipes and terminals that scripts write to: which of them are read, and how their blocks reach the printer or the driver.
//!
//! While the printer holds the output for one huge line, only that stream is read; the others wait in their pipes.
use std::ffi::c_int;
use std::time::{Duration, Instant};

use rt_wire::protocol::Bytes;

use super::events::Event;
use super::prefixed::{Printer, Source};
use super::writing::RunResult;
use super::{RunCore, step_at, terminals};

/// How long a pipe may stay open after its script has ended (a process out of reach holds it).
pub(super) const HELD_PIPE: Duration = Duration::from_millis(200);

impl RunCore {
    pub(super) fn may_read(&self, source: Source) -> bool {
        self.printer.as_ref().and_then(Printer::holder).is_none_or(|holder| holder == source)
    }

    pub(super) fn read(&mut self, key: u32, serial: u64, stream: c_int) -> RunResult {
        if !self.may_read((key, stream)) {
            return Ok(()); // an earlier block of this turn began a huge line
        }
        let Some(run) = self.runs.get(&key).filter(|run| run.serial == serial) else { return Ok(()) };
        let Some((_, opened)) = run.streams.iter().find(|(each, _)| *each == stream) else { return Ok(()) };
        let count = if self.terminal.is_none() {
            opened.read(&mut self.buffer)
        } else if let Some(count) = terminals::read_blocks(opened, &mut self.buffer) {
            count
        } else {
            return Ok(());
        };
        if count > 0 {
            return self.pass_on_buffer(key, stream, count);
        }
        self.close_stream(key, stream)?;
        self.end_step_if_over(key)
    }

    /// Prints or reports a block of a script.
    pub(super) fn pass_on(&mut self, key: u32, stream: c_int, mut block: Bytes) -> RunResult {
        let Some((task, step)) = self.step_of(key) else { return Ok(()) };
        if self.reports_output {
            let block = if self.printer.is_some() { block.clone() } else { std::mem::take(&mut block) };
            self.events.push(Event::Output { task: key, step, stream, block });
        }
        let Some(block) = self.hold(key, step, stream, block) else { return Ok(()) };
        self.print(|printer, plan| Some(printer.block(plan, (key, stream), step_at(&task, step)?, &block)))
    }

    fn pass_on_buffer(&mut self, key: u32, stream: c_int, count: usize) -> RunResult {
        if self.reports_output {
            let block = self.buffer[..count].to_vec();
            return self.pass_on(key, stream, block);
        }
        let Some((task, step)) = self.step_of(key) else { return Ok(()) };
        let buffer = std::mem::take(&mut self.buffer);
        let went = self
            .print(|printer, plan| Some(printer.block(plan, (key, stream), step_at(&task, step)?, &buffer[..count])));
        self.buffer = buffer;
        went
    }

    pub(super) fn finish_stream(&mut self, key: u32, step: usize, stream: c_int) -> RunResult {
        if self.reports_output {
            self.events.push(Event::Drained { task: key, step, stream });
        }
        self.print(|printer, plan| Some(printer.finish_stream(plan, (key, stream))))
    }

    fn close_stream(&mut self, key: u32, stream: c_int) -> RunResult {
        let Some(run) = self.runs.get_mut(&key) else { return Ok(()) };
        run.streams.retain(|(each, _)| *each != stream);
        let step = run.step;
        self.finish_stream(key, step, stream)
    }

    /// Closes all pipes of a step.
    pub(super) fn close_streams(&mut self, key: u32) -> RunResult {
        let streams = self.runs.get(&key).map_or(vec![], |run| run.streams.iter().map(|(stream, _)| *stream).collect());
        streams.into_iter().try_for_each(|stream| self.close_stream(key, stream))
    }

    /// Closes the pipes that a process out of reach keeps open after their script has ended. A script whose pipes are not read
    /// now, because another stream holds the output, gets more time.
    pub(super) fn give_up_held_pipes(&mut self, key: u32, now: Instant) -> RunResult {
        let holder = self.printer.as_ref().and_then(Printer::holder);
        if holder.is_some_and(|(held, _)| held != key) {
            if let Some(run) = self.runs.get_mut(&key) {
                run.deadline = Some(now + HELD_PIPE);
            }
            return Ok(());
        }
        self.close_streams(key)?;
        self.end_step_if_over(key)
    }
}
