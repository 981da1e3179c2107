//! A task that has started: its current step, and what is known of the process of that step.
use std::ffi::c_int;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rt_wire::plan::Task;

use crate::terminal::Opened;

/// ```text
/// Starting ──started──> Running ──ended──> Ended ──its streams are closed──> Starting (the next step), or over
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Process {
    Starting,
    Running { since: Instant },
    Ended { status: c_int, ran: Duration, cpu_us: u64, peak_bytes: u64 },
}

pub struct TaskRun {
    /// As the plan had it when the task started.
    pub task: Arc<Task>,
    pub step: usize,
    /// Distinguishes this step from earlier ones of the same task.
    pub serial: u64,
    pub process: Process,
    /// The open pipes of the step, by stream.
    pub streams: Vec<(c_int, Opened)>,
    pub was_asked_to_end: bool,
    /// Of a process that was asked to leave: when it is killed. Of one that has ended: when its pipes are closed.
    pub deadline: Option<Instant>,
}

impl TaskRun {
    pub fn new(task: Arc<Task>, step: usize, serial: u64) -> TaskRun {
        TaskRun {
            task,
            step,
            serial,
            process: Process::Starting,
            streams: Vec::new(),
            was_asked_to_end: false,
            deadline: None,
        }
    }

    pub fn start(&mut self, now: Instant) {
        self.process = Process::Running { since: now };
    }

    /// The process ended. Its output is read until the pipes are closed, or until `drain_by`.
    pub fn end(&mut self, status: c_int, cpu_us: u64, peak_bytes: u64, now: Instant, drain_by: Instant) {
        let ran = if let Process::Running { since } = self.process { now - since } else { Duration::ZERO };
        self.process = Process::Ended { status, ran, cpu_us, peak_bytes };
        self.deadline = Some(drain_by);
    }

    /// The process was asked to end so that the task can run again; it is killed if it still runs at `kill_at`.
    pub fn leave(&mut self, kill_at: Instant) {
        self.was_asked_to_end = true;
        if !self.has_ended() {
            self.deadline = Some(kill_at);
        }
    }

    pub fn has_ended(&self) -> bool {
        matches!(self.process, Process::Ended { .. })
    }
}
