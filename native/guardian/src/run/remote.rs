//! Tasks of a driven run whose processes run on another machine. The driver reports their output and the end of each step; the core prints,
//! reports events and keeps exit statuses as for its own processes.
//!
//! The guardian does not know such a task: a signal for it has no effect, and the driver ends it where it runs.
use super::*;

/// How a step ended on the other machine.
#[derive(Debug, Clone, Copy)]
pub struct RemoteEnd {
    pub outcome: Outcome,
    pub ran: Duration,
    pub cpu_us: u64,
    pub peak_bytes: u64,
}

impl RunCore {
    /// Reports that the first step of a task runs on another machine. Returns whether the task waited and the run is open.
    pub fn start_remote(&mut self, key: u32) -> RunResult<bool> {
        if !self.schedule.start(key) {
            return Ok(false);
        }
        let Some(task) = self.plan.tasks.get(key as usize).map(Arc::clone) else { return Ok(false) };
        self.begin_remote_step(key, task, 0);
        Ok(true)
    }

    /// Reports that a remote task runs again from its first step, because the machine that ran it was lost. Returns whether
    /// the task runs. A line that was not complete ends, and later ones get the prefix of the present plan, which may name the
    /// other machine.
    pub fn restart_remote(&mut self, key: u32) -> RunResult<bool> {
        let Some(run) = self.runs.get(&key).filter(|run| run.is_remote) else { return Ok(false) };
        let is_ending = run.is_ending;
        let Some(task) = self.plan.tasks.get(key as usize).map(Arc::clone) else { return Ok(false) };
        for stream in [libc::STDOUT_FILENO, libc::STDERR_FILENO] {
            let went = self.print(|printer, plan| Some(printer.finish_stream(plan, (key, stream))));
            self.note(went)?;
        }
        self.begin_remote_step(key, task, 0);
        if let Some(run) = self.runs.get_mut(&key) {
            run.is_ending = is_ending;
        }
        Ok(true)
    }

    /// Returns whether what a remote task writes can be printed now, which is not the case while another task holds the output. The driver
    /// reports nothing more of the task before.
    pub fn takes_output(&self, key: u32) -> bool {
        self.printer.as_ref().and_then(Printer::holder).is_none_or(|(holder, _)| holder == key)
    }

    /// Prints or reports a block that the current step of a remote task wrote.
    pub fn remote_output(&mut self, key: u32, stream: c_int, block: Bytes) -> RunResult {
        if !self.runs.get(&key).is_some_and(|run| run.is_remote) {
            return Ok(());
        }
        let stream = if self.plan.is_joined { libc::STDOUT_FILENO } else { stream };
        let went = self.pass_on(key, stream, block);
        self.note(went)
    }

    /// Reports the end of the current step of a remote task; the next step begins if there is one and this one succeeded.
    /// Returns whether the task runs.
    pub fn end_remote(&mut self, key: u32, end: RemoteEnd) -> RunResult<bool> {
        let Some(run) = self.runs.get_mut(&key).filter(|run| run.is_remote) else { return Ok(false) };
        let status = match end.outcome {
            Outcome::Exited(code) => code << 8,
            Outcome::Signaled(number) => number,
        };
        run.process = Process::Ended { status, ran: end.ran, cpu_us: end.cpu_us, peak_bytes: end.peak_bytes };
        let step = run.step;
        let went = self.end_remote_step(key, step);
        self.note(went).map(|()| true)
    }

    fn end_remote_step(&mut self, key: u32, step: usize) -> RunResult {
        self.finish_stream(key, step, libc::STDOUT_FILENO)?;
        if !self.plan.is_joined {
            self.finish_stream(key, step, libc::STDERR_FILENO)?;
        }
        self.end_step_if_over(key)
    }

    pub(super) fn begin_remote_step(&mut self, key: u32, task: Arc<Task>, step: usize) {
        self.starts += 1;
        if step == 0 {
            self.forget_failure(key);
            self.forget_held(key);
        }
        let mut run = TaskRun::new(task, step, self.starts);
        run.is_remote = true;
        run.start(Instant::now());
        self.runs.insert(key, run);
        self.events.push(Event::StepStarted { task: key, step, pid: 0, at: system::monotonic_s() });
    }
}
