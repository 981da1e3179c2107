//! The steps of tasks: starting them as the schedule allows, what the guardian reports about them, and their ends.
use rt_wire::protocol::Spawn;

use crate::pseudo_terminal::PseudoTerminal;

use super::*;

impl RunCore {
    pub(super) fn start_ready(&mut self) -> RunResult {
        while let Some(key) = self.schedule.take_ready() {
            let Some(task) = self.plan.tasks.get(key as usize) else { continue };
            self.start_step(key, Arc::clone(task), 0)?;
        }
        Ok(())
    }

    pub(super) fn start_step(&mut self, key: u32, task: Arc<Task>, step: usize) -> RunResult {
        self.starts += 1;
        if step == 0 {
            self.forget_failure(key);
            self.forget_held(key);
        }
        let refusal = task.steps.get(step).map_or(vec![], |step| step.process.refusal.clone());
        self.runs.insert(key, TaskRun::new(Arc::clone(&task), step, self.starts));
        if !refusal.is_empty() {
            return self.handle_refusal(key, 0, &refusal, None);
        }
        let (own, given) = match self.open_streams(key) {
            Ok(streams) => streams,
            Err(error) => {
                let words = system::error_text(&error).into_bytes();
                return self.handle_refusal(key, error.raw_os_error().unwrap_or(0), &words, None);
            }
        };
        let (Some(out), Some(err)) = (given.first(), given.last()) else { return Ok(()) };
        let has_terminal = self.terminal.is_some();
        let input = if has_terminal { out } else { &self.input };
        let order = Spawn { has_terminal, ..self.plan.order(key, &task, step) };
        self.client.spawn(order, &[input.0, out.0, err.0]);
        if let Some(run) = self.runs.get_mut(&key) {
            run.streams = own;
        }
        Ok(())
    }

    /// Opens the streams of a step: the ends that the core reads, and those that the step writes to, standard output first. Pipes or
    /// one terminal.
    fn open_streams(&self, key: u32) -> Result<(Streams, Vec<Opened>)> {
        if let Some(size) = self.terminal_size(key) {
            let PseudoTerminal { controller, device } = PseudoTerminal::open(size)?;
            return Ok((vec![(libc::STDOUT_FILENO, controller)], vec![device]));
        }
        let (mut own, mut given) = (Vec::new(), Vec::new());
        let streams = if self.plan.is_joined { 1 } else { 2 };
        for stream in [libc::STDOUT_FILENO, libc::STDERR_FILENO].into_iter().take(streams) {
            let (reader, writer) = system::pipe(0)?;
            own.push((stream, reader));
            given.push(writer);
        }
        Ok((own, given))
    }

    pub(super) fn take_reports(&mut self) -> RunResult {
        let count = self.client.channel().map_or(0, |channel| channel.read(&mut self.buffer));
        self.frames.feed(&self.buffer[..count]);
        loop {
            let report = match self.frames.next_message() {
                Ok(None) if count > 0 => return Ok(()),
                Ok(Some(message)) => Report::decode(&message),
                _ => None,
            };
            let now = Instant::now();
            match report {
                Some(Report::Started { key, pid, .. }) => {
                    let Some(run) = self.runs.get_mut(&key) else { continue };
                    run.start(now);
                    let step = run.step;
                    self.events.push(Event::StepStarted { task: key, step, pid, at: system::monotonic_s() });
                }
                Some(Report::Refused { key, errno, words, path }) => {
                    self.close_streams(key)?;
                    self.handle_refusal(key, errno, &words, path.as_deref())?;
                }
                Some(Report::Ended { key, status, cpu_us, peak_bytes }) => {
                    let Some(run) = self.runs.get_mut(&key) else { continue };
                    run.end(status, cpu_us, peak_bytes, now, now + streams::HELD_PIPE);
                    self.end_step_if_over(key)?;
                }
                None => {
                    self.client.kill_everything();
                    return Err(Stop::Failed(Failure::GuardianLost));
                }
            }
        }
    }

    /// Handles a process that the system did not start: waits for others to end if a limit is the reason, otherwise gives up.
    pub(super) fn handle_refusal(&mut self, key: u32, errno: c_int, words: &[u8], path: Option<&[u8]>) -> RunResult {
        let Some(run) = self.runs.get(&key) else { return Ok(()) };
        let is_descriptors = [libc::EMFILE, libc::ENFILE].contains(&errno);
        if (is_descriptors || errno == libc::EAGAIN) && self.runs.len() > 1 && run.step == 0 {
            self.runs.remove(&key);
            self.schedule.put_back(key);
            self.crowding = None; // the system allows no more scripts at once
            if self.is_driven {
                self.events.push(Event::Deferred { task: key });
            }
            return Ok(());
        }
        // It may exist again by now.
        let is_gone = || path == Some(&run.task.folder[..]) || !Path::new(OsStr::from_bytes(&run.task.folder)).is_dir();
        if self.is_watched && errno == libc::ENOENT && is_gone() {
            return self.end_without_folder(key);
        }
        Err(Stop::Failed(if is_descriptors {
            Failure::DescriptorLimit
        } else {
            Failure::Refused { errno, words: words.to_vec(), path: path.map(<[u8]>::to_vec) }
        }))
    }

    /// Handles a deleted package, as after switching branches: its script has failed until a change restarts it.
    pub(super) fn end_without_folder(&mut self, key: u32) -> RunResult {
        let now = Instant::now();
        let Some(run) = self.runs.get_mut(&key) else { return Ok(()) };
        let (task, step) = (Arc::clone(&run.task), run.step);
        run.start(now);
        run.end(EXITED_1, 0, 0, now, now);
        self.events.push(Event::StepStarted { task: key, step, pid: 0, at: system::monotonic_s() });
        if self.is_open() {
            let reason = fill(&self.plan.problems.folder_gone, &[("folder", &task.folder)]);
            self.pass_on(key, libc::STDERR_FILENO, reason)?;
        }
        self.finish_stream(key, step, libc::STDERR_FILENO)?;
        self.end_step_if_over(key)
    }

    pub(super) fn end_step_if_over(&mut self, key: u32) -> RunResult {
        let Some(run) = self.runs.get(&key).filter(|run| run.streams.is_empty()) else { return Ok(()) };
        let Process::Ended { status, ran, cpu_us, peak_bytes } = run.process else { return Ok(()) };
        let outcome = Outcome::from_wait_status(status);
        let (task, step, was_requested) = (Arc::clone(&run.task), run.step, run.is_ending);
        let is_remote = run.is_remote;
        let end = StepEnd {
            outcome,
            was_requested,
            was_stopped: run.was_stopped,
            seconds: ran.as_secs_f64(),
            cpu_us,
            peak_bytes,
        };
        let code = match outcome {
            Outcome::Exited(code) => code,
            Outcome::Signaled(number) => FIRST_SIGNAL + number,
        };
        self.runs.remove(&key);
        if code != 0 && self.is_open() {
            self.print_held(key, &task, step)?;
        }
        self.report_step_end(key, &task, step, end)?;
        if code == 0 && step + 1 < task.steps.len() && !was_requested {
            if is_remote {
                self.begin_remote_step(key, task, step + 1);
                return Ok(());
            }
            return self.start_step(key, task, step + 1);
        }
        if self.schedule.runs_again(key) {
            self.schedule.end(key, code as u8);
            self.events.push(Event::Restarted { task: key });
            return self.start_ready();
        }
        let because = task.steps.get(step).map_or(&b""[..], |step| &step.script);
        self.skip_steps(key, &task, step + 1, because)?;
        self.events.push(Event::TaskEnded { task: key, status: code, is_skipped: false, at: system::monotonic_s() });
        for (skipped, cause) in self.schedule.end(key, if was_requested { 0 } else { code as u8 }) {
            let dependency = self.plan.tasks.get(cause as usize).map(|task| task.label.clone());
            self.skip_task(skipped, dependency)?;
        }
        let (signal, grace) = self.restart_by;
        let leaving = self.schedule.take_leaving();
        self.leave(&leaving, signal, grace);
        let ends_run = self.plan.exits_on_error && !self.is_watched && !self.is_driven;
        if code != 0 && ends_run && self.is_open() {
            self.end_others()?;
        }
        self.start_ready()
    }

    /// Removes the failure of an earlier run of the task from the list.
    pub(super) fn forget_failure(&mut self, key: u32) {
        if let Some(failures) = &mut self.failures {
            failures.forget(key);
        }
    }

    pub(super) fn report_step_end(&mut self, key: u32, task: &Task, step: usize, end: StepEnd) -> RunResult {
        self.events.push(Event::StepEnded { task: key, step, end, at: system::monotonic_s() });
        if let Some(failures) = &mut self.failures {
            failures.record_end(key, step, end);
        }
        self.print(|printer, plan| Some(printer.step_end_line(plan, task.steps.get(step)?, end)))
    }

    pub(super) fn skip_steps(&mut self, key: u32, task: &Task, first: usize, because: &[u8]) -> RunResult {
        for step in first..task.steps.len() {
            self.events.push(Event::StepSkipped { task: key, step, because: because.to_vec() });
            self.print(|printer, plan| Some(printer.skip_line(plan, task.steps.get(step)?)))?;
        }
        Ok(())
    }

    /// Skips a task: `dependency` is the label of the failed task that it depends on, if that is the reason.
    pub(super) fn skip_task(&mut self, key: u32, dependency: Option<Bytes>) -> RunResult {
        let Some(task) = self.plan.tasks.get(key as usize).map(Arc::clone) else { return Ok(()) };
        let because = dependency.clone().unwrap_or_else(|| self.plan.failures.unrelated.clone());
        self.skip_steps(key, &task, 0, &because)?;
        self.events.push(Event::TaskEnded { task: key, status: 0, is_skipped: true, at: system::monotonic_s() });
        if let Some(failures) = &mut self.failures {
            failures.record_skip(key, dependency);
        }
        Ok(())
    }

    /// Interrupts all other tasks after a failure; which are killed after the grace period.
    pub(super) fn end_others(&mut self) -> RunResult {
        for key in self.schedule.stop() {
            self.skip_task(key, None)?;
        }
        for (key, run) in self.runs.iter_mut().filter(|(_, run)| !run.is_ending) {
            run.is_ending = true;
            self.client.order(&Order::Signal(Some(*key), libc::SIGINT));
        }
        self.life.fail(Instant::now());
        Ok(())
    }

    pub(super) fn leave(&mut self, keys: &[u32], signal: c_int, grace: Duration) {
        for key in keys {
            let Some(run) = self.runs.get_mut(key) else { continue };
            if run.is_remote {
                run.is_ending = true; // the driver ends it
                continue;
            }
            run.leave(Instant::now() + grace);
            self.client.order(&Order::Signal(Some(*key), signal));
        }
    }
}
