//! Events of the tasks of a run, which the core reports to the policy that drives it.
use std::ffi::c_int;

use rt_wire::outcome::Outcome;
use rt_wire::protocol::{Bytes, Pid};

/// Times are seconds of the monotonic clock.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Process `pid` runs a step; 0: the step failed before it had one.
    StepStarted { task: u32, step: usize, pid: Pid, at: f64 },
    /// A block that a step wrote to `stream`, as it was read. Not reported if the core prints, unless the options ask for it.
    Output { task: u32, step: usize, stream: c_int, block: Bytes },
    /// Nothing more comes from `stream`. Not reported if the core prints and schedules, unless the driver asks for it.
    Drained { task: u32, step: usize, stream: c_int },
    /// The process of a step and its leftovers have ended.
    StepEnded { task: u32, step: usize, end: StepEnd, at: f64 },
    /// A step does not run: `because` names the step or task whose failure is the reason.
    StepSkipped { task: u32, step: usize, because: Bytes },
    /// No step of the task is left. `status` is its exit status as a shell reports it.
    TaskEnded { task: u32, status: c_int, is_skipped: bool, at: f64 },
    /// A task that was stopped in order to run again waits for its start.
    Restarted { task: u32 },
    /// A limit of the system refused to start a task, which waits again. Start it once another one has ended. Only reported to a
    /// driver that schedules.
    Deferred { task: u32 },
    /// A signal asked rt to end; the scripts are ending.
    Interrupted { signal: c_int },
    /// The terminal changed its size.
    Resized,
}

/// How a step ended. It `was_requested` if rt asked the step to end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepEnd {
    pub outcome: Outcome,
    pub was_requested: bool,
    /// The user stopped the task: its end is not a failure, whatever its status.
    pub was_stopped: bool,
    pub seconds: f64,
    /// User and system time of the process and its reaped children, and the largest resident size of one of them.
    pub cpu_us: u64,
    pub peak_bytes: u64,
}

impl StepEnd {
    /// The end of a step that did not run because its result already existed.
    pub const REPLAYED: StepEnd = StepEnd {
        outcome: Outcome::Exited(0),
        was_requested: false,
        was_stopped: false,
        seconds: 0.0,
        cpu_us: 0,
        peak_bytes: 0,
    };

    /// Returns whether the user (Ctrl-C, a stop of the task) or rt asked the step to end.
    pub fn is_interruption(&self) -> bool {
        self.was_stopped
            || matches!(self.outcome, Outcome::Signaled(number) if self.was_requested || number == libc::SIGINT)
    }
}
