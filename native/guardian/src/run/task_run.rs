//! A task that has started: its current step, and the state of that step's process.
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

/// Descriptors that output is read from, each with the number that it has for the script.
pub type Streams = Vec<(c_int, Opened)>;

pub struct TaskRun {
    /// The task as it was planned when it started.
    pub task: Arc<Task>,
    pub step: usize,
    /// Distinguishes this step from earlier ones of the same task.
    pub serial: u64,
    pub process: Process,
    /// The open pipes of the step, or its terminal, by stream.
    pub streams: Streams,
    /// What is still to be written to the step's terminal.
    pub input: Vec<u8>,
    pub is_ending: bool,
    /// The user stopped the task.
    pub was_stopped: bool,
    /// The process runs on another machine: its driver reports its output and its end, also of later steps.
    pub is_remote: bool,
    /// When a leaving process is killed, or the pipes of an ended one are closed.
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
            input: Vec::new(),
            is_ending: false,
            was_stopped: false,
            is_remote: false,
            deadline: None,
        }
    }

    pub fn start(&mut self, now: Instant) {
        self.process = Process::Running { since: now };
    }

    /// Records the end of the process. Its output is read until the pipes are closed, or until `drain_by`.
    pub fn end(&mut self, status: c_int, cpu_us: u64, peak_bytes: u64, now: Instant, drain_by: Instant) {
        let ran = if let Process::Running { since } = self.process { now - since } else { Duration::ZERO };
        self.process = Process::Ended { status, ran, cpu_us, peak_bytes };
        self.deadline = Some(drain_by);
    }

    /// Records that the process received a signal so that the task can run again; it is killed at `kill_at`.
    pub fn leave(&mut self, kill_at: Instant) {
        self.is_ending = true;
        if !self.has_ended() {
            self.deadline = Some(kill_at);
        }
    }

    pub fn has_ended(&self) -> bool {
        matches!(self.process, Process::Ended { .. })
    }
}
