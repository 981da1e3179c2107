//! The commands by which a driver intervenes in a run: those of every policy (`restart`, `stop`, `end`), and those of a driver that
//! schedules (`start`, `skip`, `finish`). `remote` has those about tasks that run on another machine.
//!
//! A scheduling command has an effect only on a task that waits, while the run is open, and returns whether it had one.
use super::*;

/// A block of output that a task wrote in an earlier run: the step, the stream, and the bytes.
pub type Recorded = (usize, c_int, Bytes);

/// A task that succeeds without running.
pub struct Replay {
    key: u32,
    output: Vec<Recorded>,
    text: Bytes,
}

impl RunCore {
    /// Reruns tasks, as described by `plan` if there is a new one (which has the same tasks with the same number of
    /// steps). Those that run get `signal`, and are killed after `grace`; while a dependency has to run first, they run on. Returns
    /// the keys of the others: first those that end now, then those that wait.
    pub fn restart(&mut self, keys: &[u32], plan: Option<Plan>, signal: c_int, grace: Duration) -> RunResult<Vec<u32>> {
        if let Some(plan) = plan {
            self.plan = plan;
        }
        self.restart_by = (signal, grace);
        let mut restarted = self.schedule.restart(keys);
        self.leave(&restarted.leaving, signal, grace);
        let went = self.start_ready();
        self.note(went)?;
        restarted.leaving.append(&mut restarted.waiting);
        Ok(restarted.leaving)
    }

    /// Starts no more tasks. Running ones get `signal`, and are killed after `grace`.
    pub fn stop(&mut self, signal: c_int, grace: Duration) {
        self.life.leave();
        self.schedule.stop();
        let running = self.schedule.running();
        self.leave(&running, signal, grace);
    }

    /// Sends `signal` to a task that runs, which is killed after `grace`. Its end counts as success; if the user stopped the task
    /// (`is_stop`), it is not printed as a failure either. Returns whether the task runs.
    pub fn end(&mut self, key: u32, signal: c_int, grace: Duration, is_stop: bool) -> bool {
        self.leave(&[key], signal, grace);
        let Some(run) = self.runs.get_mut(&key) else { return false };
        run.was_stopped |= is_stop;
        true
    }

    /// Starts a task, whatever it depends on and however many run. `processes` are those of its steps; the plan may lack them.
    pub fn start(&mut self, key: u32, processes: Vec<StepProcess>) -> RunResult<bool> {
        if !self.schedule.start(key) {
            return Ok(false);
        }
        let Some(task) = self.plan.tasks.get_mut(key as usize) else { return Ok(false) };
        for (step, process) in Arc::make_mut(task).steps.iter_mut().zip(processes) {
            step.process = process;
        }
        let task = Arc::clone(task);
        let went = self.start_step(key, task, 0);
        self.note(went).map(|()| true)
    }

    /// Skips a task because `dependency` failed, or for an unrelated failure.
    pub fn skip(&mut self, key: u32, dependency: Option<u32>) -> RunResult<bool> {
        if !self.schedule.skip(key) {
            return Ok(false);
        }
        let label = dependency.and_then(|cause| self.plan.tasks.get(cause as usize)).map(|task| task.label.clone());
        let went = self.skip_task(key, label);
        self.note(went).map(|()| true)
    }

    /// Reports a task as succeeded without running it: each step starts with process 0, writes what `output` has of it, and exits
    /// with 0. Instead of the usual line about the end of a step, a printer prints `text` after the last one. While another
    /// task holds the output, this waits.
    pub fn finish(&mut self, key: u32, output: Vec<Recorded>, text: Bytes) -> RunResult<bool> {
        if !self.schedule.start(key) {
            return Ok(false);
        }
        self.replays.push(Replay { key, output, text });
        let went = self.replay();
        self.note(went).map(|()| true)
    }

    /// Reports the tasks that succeed without running, unless another one holds the output.
    pub(super) fn replay(&mut self) -> RunResult {
        if self.replays.is_empty() || self.printer.as_ref().and_then(Printer::holder).is_some() {
            return Ok(());
        }
        let reports_output = self.reports_output;
        self.reports_output &= self.reports_replays;
        self.is_gathering = true;
        let replays = std::mem::take(&mut self.replays);
        let went = replays.into_iter().try_for_each(|replay| self.replay_task(replay));
        self.is_gathering = false;
        self.reports_output = reports_output;
        went
    }

    /// Reports no events of tasks that succeed without running from now on: nothing but the printer shows them.
    pub fn hide_replays(&mut self) {
        self.reports_replays = false;
    }

    fn report_replay(&mut self, event: Event) {
        if self.reports_replays {
            self.events.push(event);
        }
    }

    fn replay_task(&mut self, Replay { key, mut output, text }: Replay) -> RunResult {
        let Some(task) = self.plan.tasks.get(key as usize).map(Arc::clone) else { return Ok(()) };
        self.forget_failure(key);
        for step in 0..task.steps.len() {
            self.starts += 1;
            self.runs.insert(key, TaskRun::new(Arc::clone(&task), step, self.starts));
            self.report_replay(Event::StepStarted { task: key, step, pid: 0, at: system::monotonic_s() });
            for (_, stream, block) in output.iter_mut().filter(|(place, ..)| *place == step) {
                let block = std::mem::take(block);
                let block = if self.terminal.is_some() { terminals::with_carriage_returns(&block) } else { block };
                self.pass_on(key, *stream, block)?;
            }
            self.finish_stream(key, step, libc::STDOUT_FILENO)?;
            self.finish_stream(key, step, libc::STDERR_FILENO)?;
            self.runs.remove(&key);
            self.report_replay(Event::StepEnded { task: key, step, end: StepEnd::REPLAYED, at: system::monotonic_s() });
        }
        if let Some(last) = task.steps.last().filter(|_| !text.is_empty()) {
            self.print(|_, plan| Some(prefixed::line(plan, last, &text)))?;
        }
        self.schedule.end(key, 0);
        self.report_replay(Event::TaskEnded { task: key, status: 0, is_skipped: false, at: system::monotonic_s() });
        Ok(())
    }
}
