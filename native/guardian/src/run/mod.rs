//! The run core: carries out a plan of several scripts through the guardian, as `schedule` allows. It owns processes, streams,
//! signals, grace periods and exit statuses.
//!
//! Whoever drives it calls `begin` once and `turn` until `is_finished`, takes the events of each turn, and issues commands
//! (`restart`, `stop`, `write`). `run` drives it without a policy, in the launcher and from Python; a policy in Python
//! (`rt_supervisor/supervising/supervisor.py`) drives the same core. With a `Printer`, the core prints the run line by
//! line; otherwise the output of scripts is reported as events, and the driver shows it. One thread, one poll.
mod events;
mod failures;
mod life;
mod output;
mod prefixed;
mod schedule;
mod streams;
mod task_run;
mod writing;

use std::collections::BTreeMap;
use std::ffi::{OsStr, c_int};
use std::io::Result;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rt_wire::frames::Frames;
use rt_wire::outcome::Outcome;
use rt_wire::plan::{Plan, Step, Task};
use rt_wire::protocol::{Bytes, Order, Report};
use rt_wire::template::fill;

use crate::client::Client;
use crate::signals::{self, Mask, Queue};
use crate::system;
use crate::terminal::Opened;

pub use events::{Event, StepEnd};
pub use output::Sink;
pub use prefixed::{Cleaner, MakeCleaner, Printer};
pub use writing::{Failure, Going, Stop};

use failures::FailureList;
use life::{Due, Life, Request, State};
use output::Output;
use schedule::Schedule;
use task_run::{Process, TaskRun};

const BLOCK_BYTES: usize = 1 << 16; // the capacity of a pipe
const ENDING: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];
const FIRST_SIGNAL: c_int = 128;
const EXITED_1: c_int = 1 << 8; // a wait status

/// How a run is carried out besides its plan.
#[derive(Default)]
pub struct Options {
    /// Prints the run line by line.
    pub printer: Option<Printer>,
    /// The list of failures is printed at the end.
    pub lists_failures: bool,
    /// The run is watched: a script whose folder is gone has failed, and can be restarted.
    pub is_watched: bool,
}

/// What a polled descriptor belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Watched {
    Guardian,
    Signals,
    Output(Sink),
    Stream { key: u32, serial: u64, stream: c_int },
    Driver,
}

pub struct RunCore {
    plan: Plan,
    schedule: Schedule,
    life: Life,
    runs: BTreeMap<u32, TaskRun>,
    /// How many steps have been started.
    starts: u64,
    client: Client,
    frames: Frames,
    signals: Queue,
    out: Output,
    err: Output,
    null: Opened,
    printer: Option<Printer>,
    failures: Option<FailureList>,
    is_watched: bool,
    events: Vec<Event>,
    /// Why the run cannot go on.
    stop: Option<Stop>,
    /// The run has been closed: nothing interrupts what is still written.
    is_closed: bool,
    died_of: Option<c_int>,
    /// The output whose reader does not read: nothing more is written there.
    abandoned: Option<Sink>,
    buffer: Vec<u8>,
}

impl RunCore {
    /// Takes over `client`, and blocks the signals that ask rt to end: from now on the core acts on them. Returns an error if the
    /// system refuses, before anything has started.
    pub fn new(plan: Plan, client: Client, options: Options) -> Result<RunCore> {
        let needs = plan.tasks.iter().map(|task| &task.after[..]);
        let schedule = Schedule::new(plan.concurrency as usize, needs).ok_or(std::io::ErrorKind::InvalidData)?;
        let ending = ENDING.into_iter().map(signals::bit).sum::<Mask>() & !signals::ignored();
        let signals = Queue::new(ending | signals::bit(libc::SIGWINCH))?;
        // SAFETY: the path is a C string; the call makes a descriptor or fails.
        let null = unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
        if null < 0 {
            return Err(std::io::Error::last_os_error());
        }
        Ok(RunCore {
            life: Life::new(Duration::from_millis(plan.grace_ms.into())),
            plan,
            schedule,
            runs: BTreeMap::new(),
            starts: 0,
            client,
            frames: Frames::default(),
            signals,
            out: Output::new(libc::STDOUT_FILENO),
            err: Output::new(libc::STDERR_FILENO),
            null: Opened(null),
            printer: options.printer,
            failures: options.lists_failures.then(FailureList::default),
            is_watched: options.is_watched,
            events: Vec::new(),
            stop: None,
            is_closed: false,
            died_of: None,
            abandoned: None,
            buffer: vec![0; BLOCK_BYTES],
        })
    }

    /// Starts the tasks that depend on nothing.
    pub fn begin(&mut self) -> Going {
        let went = self.start_ready();
        self.note(went)
    }

    /// Waits until something happens, for at most `patience` (None: without limit), and acts on it. Also returns once the driver's
    /// own descriptor is readable (-1: it has none). Does not wait while there are events to take.
    pub fn turn(&mut self, patience: Option<Duration>, driver: c_int) -> Going {
        let patience = if self.events.is_empty() { patience } else { Some(Duration::ZERO) };
        let went = self.take_turn(patience, driver);
        self.note(went)
    }

    /// Runs the plan to its end without a policy; the events are dropped.
    pub fn run(&mut self) -> Going {
        self.begin()?;
        while !self.is_finished() {
            self.turn(None, -1)?;
            self.events.clear();
        }
        Ok(())
    }

    /// The events since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Returns whether nothing runs and nothing will.
    pub fn is_finished(&mut self) -> bool {
        self.schedule.is_finished()
    }

    /// Returns whether tasks may still start: the run was neither interrupted nor stopped.
    pub fn is_open(&self) -> bool {
        self.life.state == State::Running
    }

    /// The keys of the tasks that run.
    pub fn running(&self) -> Vec<u32> {
        self.schedule.running()
    }

    /// Has tasks run again, as `plan` describes them if there is a new one (which has the same tasks with the same number of
    /// steps). Those that run get `signal`, and are killed after `grace`. Returns their keys: first those that run, then the others.
    pub fn restart(&mut self, keys: &[u32], plan: Option<Plan>, signal: c_int, grace: Duration) -> Going<Vec<u32>> {
        if let Some(plan) = plan {
            self.plan = plan;
        }
        let mut restarted = self.schedule.restart(keys);
        self.leave(&restarted.leaving, signal, grace);
        let went = self.start_ready();
        self.note(went)?;
        restarted.leaving.append(&mut restarted.waiting);
        Ok(restarted.leaving)
    }

    /// Starts nothing more. What runs gets `signal`, and is killed after `grace`.
    pub fn stop(&mut self, signal: c_int, grace: Duration) {
        self.life.leave();
        self.schedule.stop();
        let running = self.schedule.running();
        self.leave(&running, signal, grace);
    }

    /// Ends whatever still runs, and the guardian.
    pub fn close(&mut self) {
        if self.is_closed {
            return;
        }
        if let Some(Stop::Closed { hung_up }) = self.stop {
            self.end_without_output(hung_up);
        }
        self.client.close();
        self.is_closed = true;
    }

    /// Prints the list of failures, if it is wanted.
    pub fn print_failures(&mut self) -> Going {
        let text = self.failures.as_ref().map_or(vec![], |failures| failures.text(&self.plan));
        self.write(Sink::Err, &text)
    }

    /// The exit status of the first task in listing order that failed.
    pub fn exit_status(&self) -> u8 {
        self.schedule.exit_status()
    }

    /// The signal that rt is to die of: the one that interrupted the run, or the one that tells of a closed output.
    pub fn signal(&self) -> Option<c_int> {
        self.life.interrupted.map(|(number, _)| number).or(self.died_of)
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    fn note<T>(&mut self, went: Going<T>) -> Going<T> {
        if let Err(stop) = &went {
            self.stop = Some(stop.clone());
        }
        went
    }

    fn take_turn(&mut self, patience: Option<Duration>, driver: c_int) -> Going {
        for (what, happened) in self.wait(patience, driver) {
            match what {
                Watched::Guardian => self.take_reports()?,
                Watched::Signals | Watched::Driver => {}
                Watched::Output(sink) if happened & (libc::POLLERR | libc::POLLHUP | libc::POLLNVAL) != 0 => {
                    return Err(self.output_closed(sink));
                }
                Watched::Output(_) => {}
                Watched::Stream { key, serial, stream } => self.read(key, serial, stream)?,
            }
        }
        self.act_on_signals();
        let now = Instant::now();
        match self.life.due(now) {
            Due::Nothing => {}
            Due::Kill => self.client.order(&Order::Kill(None)),
            Due::GiveUp => {
                self.client.kill_everything();
                return Err(Stop::Failed(Failure::GuardianUnanswered));
            }
        }
        self.act_on_deadlines(now)
    }

    /// Polls until a descriptor is ready or something is due. Returns what is ready.
    fn wait(&self, patience: Option<Duration>, driver: c_int) -> Vec<(Watched, i16)> {
        let mut watched = vec![
            (Watched::Guardian, self.client.descriptor(), libc::POLLIN),
            (Watched::Signals, self.signals.descriptor(), libc::POLLIN),
            (Watched::Output(Sink::Out), self.out.descriptor(), 0), // reports only that the reader is gone
            (Watched::Output(Sink::Err), self.err.descriptor(), 0),
            (Watched::Driver, driver, libc::POLLIN),
        ];
        for (key, run) in &self.runs {
            for (stream, opened) in run.streams.iter().filter(|(stream, _)| self.may_read((*key, *stream))) {
                let what = Watched::Stream { key: *key, serial: run.serial, stream: *stream };
                watched.push((what, opened.0, libc::POLLIN));
            }
        }
        let mut entries: Vec<libc::pollfd> =
            watched.iter().map(|(_, fd, events)| libc::pollfd { fd: *fd, events: *events, revents: 0 }).collect();
        let moments = self.runs.values().map(|run| run.deadline).chain([self.life.deadline()]);
        let left = moments.flatten().min().map(|moment| moment.saturating_duration_since(Instant::now()));
        let left = [left, patience].into_iter().flatten().min();
        let left_ms = left.map_or(-1, |left| c_int::try_from(left.as_micros().div_ceil(1000)).unwrap_or(c_int::MAX));
        // SAFETY: the entries live through the call.
        unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, left_ms) };
        let happened = watched.into_iter().zip(entries).filter(|(_, entry)| entry.revents != 0);
        happened.map(|((what, ..), entry)| (what, entry.revents)).collect()
    }

    // --- starting and ending

    fn start_ready(&mut self) -> Going {
        while let Some(key) = self.schedule.take_ready() {
            let Some(task) = self.plan.tasks.get(key as usize) else { continue };
            self.start_step(key, Arc::clone(task), 0)?;
        }
        Ok(())
    }

    fn start_step(&mut self, key: u32, task: Arc<Task>, step: usize) -> Going {
        self.starts += 1;
        let refusal = task.steps.get(step).map_or(vec![], |step| step.refusal.clone());
        self.runs.insert(key, TaskRun::new(Arc::clone(&task), step, self.starts));
        if !refusal.is_empty() {
            return self.refused(key, 0, &refusal, None);
        }
        let pipes =
            system::pipe(0).and_then(|out| Ok((out, if self.plan.is_joined { None } else { Some(system::pipe(0)?) })));
        let ((out, out_end), err) = match pipes {
            Ok(pipes) => pipes,
            Err(error) => {
                let words = system::words_of(&error).into_bytes();
                return self.refused(key, error.raw_os_error().unwrap_or(0), &words, None);
            }
        };
        let (err, err_end) = err.map_or((None, None), |(err, end)| (Some(err), Some(end)));
        let descriptors = [self.null.0, out_end.0, err_end.as_ref().map_or(out_end.0, |end| end.0)];
        self.client.spawn(self.plan.order(key, &task, step), &descriptors);
        if let Some(run) = self.runs.get_mut(&key) {
            run.streams.push((libc::STDOUT_FILENO, out));
            run.streams.extend(err.map(|err| (libc::STDERR_FILENO, err)));
        }
        Ok(())
    }

    fn take_reports(&mut self) -> Going {
        let count = self.client.channel().map_or(0, |channel| channel.read(&mut self.buffer));
        self.frames.feed(&self.buffer[..count]);
        loop {
            let report = match self.frames.cut() {
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
                    self.refused(key, errno, &words, path.as_deref())?;
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

    /// The system did not start a process: waits for others to end if a limit is the reason, otherwise gives up.
    fn refused(&mut self, key: u32, errno: c_int, words: &[u8], path: Option<&[u8]>) -> Going {
        let Some(run) = self.runs.get(&key) else { return Ok(()) };
        let is_descriptors = [libc::EMFILE, libc::ENFILE].contains(&errno);
        if (is_descriptors || errno == libc::EAGAIN) && self.runs.len() > 1 && run.step == 0 {
            self.runs.remove(&key);
            self.schedule.put_back(key);
            return Ok(());
        }
        let is_gone = || !Path::new(OsStr::from_bytes(&run.task.folder)).is_dir();
        if self.is_watched && self.is_open() && errno == libc::ENOENT && is_gone() {
            return self.end_without_folder(key);
        }
        Err(Stop::Failed(if is_descriptors {
            Failure::DescriptorLimit
        } else {
            Failure::Refused { errno, words: words.to_vec(), path: path.map(<[u8]>::to_vec) }
        }))
    }

    /// The package was deleted, as when a branch is switched: its script has failed until a change restarts it.
    fn end_without_folder(&mut self, key: u32) -> Going {
        let now = Instant::now();
        let Some(run) = self.runs.get_mut(&key) else { return Ok(()) };
        let (task, step) = (Arc::clone(&run.task), run.step);
        run.start(now);
        run.end(EXITED_1, 0, 0, now, now);
        self.events.push(Event::StepStarted { task: key, step, pid: 0, at: system::monotonic_s() });
        let reason = fill(&self.plan.problems.folder_gone, &[("folder", &task.folder)]);
        self.pass_on(key, libc::STDERR_FILENO, reason)?;
        self.drained(key, step, libc::STDERR_FILENO)?;
        self.end_step_if_over(key)
    }

    fn end_step_if_over(&mut self, key: u32) -> Going {
        let Some(run) = self.runs.get(&key).filter(|run| run.streams.is_empty()) else { return Ok(()) };
        let Process::Ended { status, ran, cpu_us, peak_bytes } = run.process else { return Ok(()) };
        let outcome = Outcome::from_wait_status(status);
        let (task, step, was_requested) = (Arc::clone(&run.task), run.step, run.was_asked_to_end);
        let end = StepEnd { outcome, was_requested, seconds: ran.as_secs_f64(), cpu_us, peak_bytes };
        let code = match outcome {
            Outcome::Exited(code) => code,
            Outcome::Signaled(number) => FIRST_SIGNAL + number,
        };
        self.runs.remove(&key);
        self.step_ended(key, &task, step, end)?;
        if code == 0 && step + 1 < task.steps.len() && !was_requested {
            return self.start_step(key, task, step + 1);
        }
        if self.schedule.is_leaving(key) {
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
        if code != 0 && self.plan.exits_on_error && !self.is_watched && self.is_open() {
            self.end_others()?;
        }
        self.start_ready()
    }

    fn step_ended(&mut self, key: u32, task: &Task, step: usize, end: StepEnd) -> Going {
        self.events.push(Event::StepEnded { task: key, step, end, at: system::monotonic_s() });
        if let Some(failures) = &mut self.failures {
            failures.step_ended(key, step, end);
        }
        self.print(|printer, plan| Some(printer.step_ended(plan, task.steps.get(step)?, end)))
    }

    fn skip_steps(&mut self, key: u32, task: &Task, first: usize, because: &[u8]) -> Going {
        for step in first..task.steps.len() {
            self.events.push(Event::StepSkipped { task: key, step, because: because.to_vec() });
            self.print(|printer, plan| Some(printer.step_skipped(plan, task.steps.get(step)?)))?;
        }
        Ok(())
    }

    /// A task does not run: `dependency` is the label of the failed task that it depends on, if that is the reason.
    fn skip_task(&mut self, key: u32, dependency: Option<Bytes>) -> Going {
        let Some(task) = self.plan.tasks.get(key as usize).map(Arc::clone) else { return Ok(()) };
        let because = dependency.clone().unwrap_or_else(|| self.plan.failures.unrelated.clone());
        self.skip_steps(key, &task, 0, &because)?;
        self.events.push(Event::TaskEnded { task: key, status: 0, is_skipped: true, at: system::monotonic_s() });
        if let Some(failures) = &mut self.failures {
            failures.task_skipped(key, dependency);
        }
        Ok(())
    }

    /// A task failed: interrupts all others, which are killed after the grace period.
    fn end_others(&mut self) -> Going {
        for key in self.schedule.stop() {
            self.skip_task(key, None)?;
        }
        for (key, run) in self.runs.iter_mut().filter(|(_, run)| !run.was_asked_to_end) {
            run.was_asked_to_end = true;
            self.client.order(&Order::Signal(Some(*key), libc::SIGINT));
        }
        self.life.fail(Instant::now());
        Ok(())
    }

    fn leave(&mut self, keys: &[u32], signal: c_int, grace: Duration) {
        for key in keys {
            let Some(run) = self.runs.get_mut(key) else { continue };
            run.leave(Instant::now() + grace);
            self.client.order(&Order::Signal(Some(*key), signal));
        }
    }

    // --- signals and deadlines

    fn act_on_signals(&mut self) {
        for (number, _) in self.signals.take() {
            if number == libc::SIGWINCH {
                self.events.push(Event::Resized);
                continue;
            }
            match self.life.interrupt(number, Instant::now()) {
                Request::End => {
                    self.schedule.stop();
                    self.runs.values_mut().for_each(|run| run.was_asked_to_end = true);
                    self.client.order(&Order::Signal(None, number));
                    self.events.push(Event::Interrupted { signal: number });
                }
                Request::Kill => self.client.order(&Order::Kill(None)),
                Request::Forward => self.client.order(&Order::Signal(None, number)),
            }
        }
    }

    fn act_on_deadlines(&mut self, now: Instant) -> Going {
        let is_due = |run: &TaskRun| run.deadline.is_some_and(|at| now >= at);
        for key in self.runs.iter().filter(|(_, run)| is_due(run)).map(|(key, _)| *key).collect::<Vec<u32>>() {
            let Some(run) = self.runs.get_mut(&key) else { continue };
            if run.has_ended() {
                self.give_up_held_pipes(key, now)?;
            } else {
                run.deadline = None;
                self.client.order(&Order::Kill(Some(key)));
            }
        }
        Ok(())
    }

    /// Prints a line of the printer's, if the core prints.
    fn print(&mut self, line: impl FnOnce(&mut Printer, &Plan) -> Option<(Sink, Bytes)>) -> Going {
        match self.printer.as_mut().and_then(|printer| line(printer, &self.plan)) {
            Some((sink, bytes)) => self.write_all(sink, &bytes),
            None => Ok(()),
        }
    }

    fn step_of(&self, key: u32) -> Option<(Arc<Task>, usize)> {
        self.runs.get(&key).map(|run| (Arc::clone(&run.task), run.step))
    }
}

/// The step that a task run is at.
fn step_at(task: &Task, step: usize) -> Option<&Step> {
    task.steps.get(step)
}

#[cfg(test)]
mod tests;
