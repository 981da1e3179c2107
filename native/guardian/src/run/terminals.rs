//! The terminals of tasks, if a run gives each task one (`Options::terminal`): their sizes, and the input that is written to them.
//!
//! Each step has a pseudo-terminal, whose device is its standard input, output and error; what it writes is reported as its standard
//! output. Input waits here until the terminal accepts it, so that a script that does not read never blocks the run.
use std::io::ErrorKind;

use crate::pseudo_terminal::{self, Size};
use crate::system;
use crate::terminal::Opened;

use super::RunCore;

/// How much input waits for one task. More is refused.
pub const MOST_INPUT: usize = 1 << 20;

impl RunCore {
    /// Returns whether each task has a terminal.
    pub fn has_terminals(&self) -> bool {
        self.terminal.is_some()
    }

    /// The size of a task's terminal; None if tasks have pipes.
    pub(super) fn terminal_size(&self, key: u32) -> Option<Size> {
        self.sizes.get(&key).copied().or(self.terminal)
    }

    /// Passes `input` to the terminal of a task as if its user typed it. Returns how much was accepted: nothing if the task does not
    /// run or has no terminal, and less than all once `MOST_INPUT` bytes wait.
    pub fn write_input(&mut self, key: u32, input: &[u8]) -> usize {
        let Some(run) = self.runs.get_mut(&key).filter(|run| self.terminal.is_some() && !run.streams.is_empty()) else {
            return 0;
        };
        let accepted = input.len().min(MOST_INPUT - run.input.len());
        run.input.extend_from_slice(&input[..accepted]);
        self.flush_input(key);
        accepted
    }

    /// Sets the size of a task's terminal, also for its later runs.
    pub fn resize(&mut self, key: u32, size: Size) {
        if self.terminal.is_none() || key as usize >= self.plan.tasks.len() {
            return;
        }
        self.sizes.insert(key, size);
        for (_, controller) in self.runs.get(&key).into_iter().flat_map(|run| &run.streams) {
            let _ = pseudo_terminal::resize(controller, size); // fails only if the terminal is closing
        }
    }

    /// Writes as much of the waiting input as the terminal accepts now.
    pub(super) fn flush_input(&mut self, key: u32) {
        let Some(run) = self.runs.get_mut(&key) else { return };
        let Some((_, controller)) = run.streams.first() else { return };
        let mut written = 0;
        while written < run.input.len() {
            match system::write(controller.0, &run.input[written..]) {
                Ok(count) => written += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => written = run.input.len(), // no process has the terminal open
            }
        }
        run.input.drain(..written);
    }
}

/// Ends lines as the output of a terminal does: what is replayed was recorded without carriage returns.
pub(super) fn with_carriage_returns(block: &[u8]) -> Vec<u8> {
    let lines = block.iter().filter(|byte| **byte == b'\n').count();
    let mut ended = Vec::with_capacity(block.len() + lines);
    for byte in block {
        if *byte == b'\n' {
            ended.push(b'\r');
        }
        ended.push(*byte);
    }
    ended
}

/// Reads what a terminal has until `buffer` is full, because one read returns only a page. Returns None if there is nothing yet, and
/// 0 at the end: the system reports an error once no process has the device open.
pub(super) fn read_blocks(controller: &Opened, buffer: &mut [u8]) -> Option<usize> {
    let mut count = 0;
    while count < buffer.len() {
        match controller.try_read(&mut buffer[count..]) {
            Ok(0) => break,
            Ok(more) => count += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return (count > 0).then_some(count),
            Err(_) => break,
        }
    }
    Some(count)
}
