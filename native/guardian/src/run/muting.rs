//! Tasks whose output is not printed when it arrives: it is dropped, or printed once a step of the task has failed.
//!
//! Blocks are still reported to the driver. A task is muted until `mute` is called for it again; what was held is dropped when it starts
//! again.
use super::*;

/// What happens to the blocks of a task.
pub(super) enum Muted {
    Dropped,
    /// They are printed after a failure: step, stream, bytes.
    Held(Vec<Recorded>),
}

impl RunCore {
    /// Prints nothing of what a task writes or, with `until_failure`, prints it when one of its steps has failed.
    pub fn mute(&mut self, key: u32, until_failure: bool) {
        self.muted.insert(key, if until_failure { Muted::Held(Vec::new()) } else { Muted::Dropped });
    }

    /// Takes a block of a muted task. Returns the block if the task is not muted.
    pub(super) fn hold(&mut self, key: u32, step: usize, stream: c_int, block: Bytes) -> Option<Bytes> {
        match self.muted.get_mut(&key) {
            None => return Some(block),
            Some(Muted::Dropped) => {}
            Some(Muted::Held(blocks)) => blocks.push((step, stream, block)),
        }
        None
    }

    /// Drops what was held of a task.
    pub(super) fn forget_held(&mut self, key: u32) {
        if let Some(Muted::Held(blocks)) = self.muted.get_mut(&key) {
            blocks.clear();
        }
    }

    /// Prints what was held of a task, up to its step `last`.
    pub(super) fn print_held(&mut self, key: u32, task: &Task, last: usize) -> RunResult {
        let Some(Muted::Held(blocks)) = self.muted.get_mut(&key) else { return Ok(()) };
        let blocks = std::mem::take(blocks);
        for step in 0..=last {
            for (_, stream, block) in blocks.iter().filter(|(place, ..)| *place == step) {
                self.print(|printer, plan| Some(printer.block(plan, (key, *stream), step_at(task, step)?, block)))?;
            }
            for stream in [libc::STDOUT_FILENO, libc::STDERR_FILENO] {
                self.print(|printer, plan| Some(printer.finish_stream(plan, (key, stream))))?;
            }
        }
        Ok(())
    }
}
