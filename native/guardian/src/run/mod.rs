//! The run core: executes a plan of several scripts through the guardian, as `schedule` allows. It owns processes, streams,
//! signals, grace periods and exit statuses.
//!
//! Its driver calls `begin` once and `turn` until `is_finished`, takes the events of each turn, and issues commands
//! (`commands`, `write`). `run` drives it without a policy, in the launcher and from Python; a policy in Python
//! (`rt_supervisor/supervising/supervisor.py`) drives the same core. A driver may also decide itself when each task starts
//! (`Options::is_driven`). With a `Printer`, the core prints the run line by line; otherwise the output of scripts is
//! reported as events, and the driver shows it. One thread, one poll.
mod commands;
mod crowding;
mod events;
mod failures;
mod life;
mod muting;
mod output;
mod prefixed;
mod remote;
mod schedule;
mod steps;
mod streams;
mod task_run;
mod terminals;
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
use rt_wire::plan::{Plan, StepProcess, Task, TaskStep};
use rt_wire::protocol::{Bytes, Order, Report};
use rt_wire::template::fill;

use crate::client::Client;
use crate::pseudo_terminal::Size;
use crate::signals::{self, Mask, Queue};
use crate::system;
use crate::terminal::Opened;

pub use commands::Recorded;
pub use crowding::available_cpus;
pub use events::{Event, StepEnd};
pub use output::Sink;
pub use prefixed::{Cleaner, MakeCleaner, Printer};
pub use remote::RemoteEnd;
pub use writing::{Failure, RunResult, Stop};

use commands::Replay;
use crowding::{Crowding, Ticks, initial_concurrency};
use failures::FailureList;
use life::{Due, Life, Request, State};
use muting::Muted;
use output::Output;
use schedule::Schedule;
use task_run::{Process, Streams, TaskRun};

const BLOCK_BYTES: usize = 1 << 16; // the capacity of a pipe
const ENDING: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];
const FIRST_SIGNAL: c_int = 128;
const EXITED_1: c_int = 1 << 8; // a wait status

/// Options of a run besides its plan.
#[derive(Default)]
pub struct Options {
    /// Prints the run line by line, if given.
    pub printer: Option<Printer>,
    /// The list of failures is printed at the end.
    pub lists_failures: bool,
    /// The run is watched: a script whose folder does not exist has failed, and can be restarted.
    pub is_watched: bool,
    /// The driver schedules: a task starts, is skipped or succeeds without running only by a command, and a failure has no effect on
    /// other tasks. The order, the concurrency and `exits_on_error` of the plan do not apply. Output is also reported if
    /// the core prints it.
    pub is_driven: bool,
    /// Each task has a terminal of this size instead of pipes (`terminals`); stdout and stderr are one stream then.
    pub terminal: Option<Size>,
    /// Output is also reported if the core prints it.
    pub reports_output: bool,
}

/// What a polled descriptor belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PollTarget {
    Guardian,
    Signals,
    Output(Sink),
    Stream { key: u32, serial: u64, stream: c_int },
    Driver,
}

pub struct RunCore {
    plan: Plan,
    schedule: Schedule,
    /// Present if the core chooses how many scripts run at once.
    crowding: Option<Crowding>,
    life: Life,
    runs: BTreeMap<u32, TaskRun>,
    /// How many steps have been started.
    starts: u64,
    replays: Vec<Replay>,
    /// The tasks whose output is not printed when it arrives.
    muted: BTreeMap<u32, Muted>,
    client: Client,
    frames: Frames,
    signals: Queue,
    out: Output,
    err: Output,
    /// The standard input of scripts.
    input: Opened,
    /// The size of a task's terminal, unless `sizes` has another; None if tasks have pipes.
    terminal: Option<Size>,
    sizes: BTreeMap<u32, Size>,
    printer: Option<Printer>,
    failures: Option<FailureList>,
    is_watched: bool,
    is_driven: bool,
    reports_output: bool,
    /// Tasks that succeed without running are reported.
    reports_replays: bool,
    /// What such tasks print is gathered, and written with the next write or turn.
    is_gathering: bool,
    gathered: Bytes,
    gathered_at: Option<Instant>,
    /// The signal that asks a task to end so that it can run again, and how long it may take.
    restart_by: (c_int, Duration),
    events: Vec<Event>,
    /// Why the run cannot continue.
    stop: Option<Stop>,
    /// The run has been closed: signals no longer interrupt writes.
    is_closed: bool,
    died_of: Option<c_int>,
    /// The output whose reader has stopped reading: nothing more is written to it.
    abandoned: Option<Sink>,
    buffer: Vec<u8>,
}

/// Opens the standard input of scripts: an empty one, or that of this process for the `only` script, unless it is a terminal, which
/// a script in another process group cannot read.
fn open_input(only: bool) -> Result<Opened> {
    // SAFETY: `isatty` only asks about a descriptor.
    if !only || unsafe { libc::isatty(libc::STDIN_FILENO) } != 0 {
        return Opened::open(c"/dev/null", libc::O_RDONLY);
    }
    // SAFETY: the call makes a descriptor or fails.
    let descriptor = unsafe { libc::fcntl(libc::STDIN_FILENO, libc::F_DUPFD_CLOEXEC, libc::STDERR_FILENO + 1) };
    if descriptor < 0 { Err(std::io::Error::last_os_error()) } else { Ok(Opened(descriptor)) }
}

impl RunCore {
    /// Takes over `client`, and blocks the signals that ask rt to end, which the core handles from now on. Returns an error if the
    /// system refuses, before anything has started.
    pub fn new(plan: Plan, client: Client, options: Options) -> Result<RunCore> {
        let needs = plan.tasks.iter().map(|task| &task.after[..]);
        let most = plan.concurrency as usize;
        let slots = if plan.is_adaptive { most.min(initial_concurrency()) } else { most };
        let mut schedule = Schedule::new(slots, needs).ok_or(std::io::ErrorKind::InvalidData)?;
        if options.is_driven {
            schedule.drive();
        }
        let ending = ENDING.into_iter().map(signals::bit).sum::<Mask>() & !signals::ignored();
        let signals = Queue::new(ending | signals::bit(libc::SIGWINCH) | signals::bit(libc::SIGCHLD))?;
        let is_silent = options.printer.is_none();
        let input = open_input(plan.is_joined && plan.tasks.len() == 1)?;
        Ok(RunCore {
            life: Life::new(Duration::from_millis(plan.grace_ms.into())),
            crowding: (plan.is_adaptive && !options.is_driven).then(Crowding::default),
            plan,
            schedule,
            runs: BTreeMap::new(),
            starts: 0,
            replays: Vec::new(),
            muted: BTreeMap::new(),
            client,
            frames: Frames::default(),
            signals,
            out: Output::new(libc::STDOUT_FILENO),
            err: Output::new(libc::STDERR_FILENO),
            input,
            terminal: options.terminal,
            sizes: BTreeMap::new(),
            printer: options.printer,
            failures: options.lists_failures.then(FailureList::default),
            is_watched: options.is_watched,
            is_driven: options.is_driven,
            reports_output: options.reports_output || options.is_driven || is_silent,
            reports_replays: true,
            is_gathering: false,
            gathered: Vec::new(),
            gathered_at: None,
            restart_by: (libc::SIGTERM, Duration::ZERO),
            events: Vec::new(),
            stop: None,
            is_closed: false,
            died_of: None,
            abandoned: None,
            buffer: vec![0; BLOCK_BYTES],
        })
    }

    /// Starts the tasks that depend on nothing, unless the driver schedules.
    pub fn begin(&mut self) -> RunResult {
        let went = self.start_ready();
        self.note(went)
    }

    /// Waits until something happens, for at most `patience` (None: without limit), and acts on it. Also returns once the driver's
    /// own descriptor is readable (-1: it has none). Does not wait while there are events to take.
    pub fn turn(&mut self, patience: Option<Duration>, driver: c_int) -> RunResult {
        let patience = if self.events.is_empty() { patience } else { Some(Duration::ZERO) };
        let went = self.take_turn(patience, driver);
        self.note(went)
    }

    /// Runs the plan to its end without a policy; the events are dropped.
    pub fn run(&mut self) -> RunResult {
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

    /// Returns whether nothing runs and nothing will, unless the driver restarts a task.
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

    /// Ends whatever still runs, and the guardian.
    pub fn close(&mut self) {
        if self.is_closed {
            return;
        }
        if let Some(Stop::Closed { hung_up }) = self.stop {
            self.end_without_output(hung_up);
        } else if self.stop.is_none() {
            let went = self.write_gathered();
            let _ = self.note(went);
        }
        self.client.close();
        self.is_closed = true;
    }

    /// Prints the list of failures, if it is enabled.
    pub fn print_failures(&mut self) -> RunResult {
        let text = self.failures.as_ref().map_or(vec![], |failures| failures.text(&self.plan));
        self.write(Sink::Err, &text)
    }

    /// The exit status of the first task in listing order that failed.
    pub fn exit_status(&self) -> u8 {
        self.schedule.exit_status()
    }

    /// The signal that rt should terminate by: the one that interrupted the run, or that of a closed output.
    pub fn signal(&self) -> Option<c_int> {
        self.life.interrupted.map(|(number, _)| number).or(self.died_of)
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    fn note<T>(&mut self, went: RunResult<T>) -> RunResult<T> {
        if let Err(stop) = &went {
            self.stop = Some(stop.clone());
        }
        went
    }

    fn take_turn(&mut self, patience: Option<Duration>, driver: c_int) -> RunResult {
        self.write_gathered()?;
        for (what, happened) in self.wait(patience, driver) {
            match what {
                PollTarget::Guardian => self.take_reports()?,
                PollTarget::Signals | PollTarget::Driver => {}
                PollTarget::Output(sink) if happened & (libc::POLLERR | libc::POLLHUP | libc::POLLNVAL) != 0 => {
                    return Err(self.record_closed_output(sink));
                }
                PollTarget::Output(_) => {}
                PollTarget::Stream { key, serial, stream } => {
                    if happened & libc::POLLOUT != 0 {
                        self.flush_input(key);
                    }
                    if happened & !libc::POLLOUT != 0 {
                        self.read(key, serial, stream)?;
                    }
                }
            }
        }
        self.replay()?;
        self.write_gathered()?;
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
        self.act_on_deadlines(now)?;
        self.review_crowding(now)
    }

    /// Polls until a descriptor is ready or something is due. Returns what is ready.
    fn wait(&self, patience: Option<Duration>, driver: c_int) -> Vec<(PollTarget, i16)> {
        let mut watched = vec![
            (PollTarget::Guardian, self.client.descriptor(), libc::POLLIN),
            (PollTarget::Signals, self.signals.descriptor(), libc::POLLIN),
            (PollTarget::Output(Sink::Out), self.out.descriptor(), 0), // only reports that the reader has exited
            (PollTarget::Output(Sink::Err), self.err.descriptor(), 0),
            (PollTarget::Driver, driver, libc::POLLIN),
        ];
        for (key, run) in &self.runs {
            for (stream, opened) in run.streams.iter().filter(|(stream, _)| self.may_read((*key, *stream))) {
                let what = PollTarget::Stream { key: *key, serial: run.serial, stream: *stream };
                let output = if run.input.is_empty() { 0 } else { libc::POLLOUT };
                watched.push((what, opened.0, libc::POLLIN | output));
            }
        }
        let mut entries: Vec<libc::pollfd> =
            watched.iter().map(|(_, fd, events)| libc::pollfd { fd: *fd, events: *events, revents: 0 }).collect();
        let moments = self
            .runs
            .values()
            .map(|run| run.deadline)
            .chain([self.life.deadline(), self.crowding.as_ref().and_then(Crowding::deadline)]);
        let left = moments.flatten().min().map(|moment| moment.saturating_duration_since(Instant::now()));
        let left = [left, patience].into_iter().flatten().min();
        let left_ms = left.map_or(-1, |left| c_int::try_from(left.as_micros().div_ceil(1000)).unwrap_or(c_int::MAX));
        system::poll(&mut entries, left_ms);
        let happened = watched.into_iter().zip(entries).filter(|(_, entry)| entry.revents != 0);
        happened.map(|((what, ..), entry)| (what, entry.revents)).collect()
    }

    // --- signals and deadlines

    fn act_on_signals(&mut self) {
        for (number, _) in self.signals.take() {
            if number == libc::SIGWINCH {
                self.events.push(Event::Resized);
                continue;
            }
            if number == libc::SIGCHLD {
                self.client.wake(); // a script may have stopped the guardian, its parent; if it has ended, the channel reports that
                continue;
            }
            match self.life.interrupt(number, Instant::now()) {
                Request::End => {
                    self.schedule.stop();
                    self.runs.values_mut().for_each(|run| run.is_ending = true);
                    self.client.order(&Order::Signal(None, number));
                    self.events.push(Event::Interrupted { signal: number });
                }
                Request::Kill => self.client.order(&Order::Kill(None)),
                Request::Forward => self.client.order(&Order::Signal(None, number)),
            }
        }
    }

    fn act_on_deadlines(&mut self, now: Instant) -> RunResult {
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

    /// Starts more scripts than so far if that is due.
    fn review_crowding(&mut self, now: Instant) -> RunResult {
        let is_full = self.is_open() && self.schedule.is_full();
        let Some(crowding) = &mut self.crowding else { return Ok(()) };
        if !is_full {
            crowding.rest();
            return Ok(());
        }
        let more = crowding.review(now, self.schedule.slots(), self.starts, Ticks::now);
        self.schedule.widen(more, self.plan.concurrency as usize);
        self.start_ready()
    }

    /// Prints a line of the printer, if the core prints.
    fn print(&mut self, line: impl FnOnce(&mut Printer, &Plan) -> Option<(Sink, Bytes)>) -> RunResult {
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
fn step_at(task: &Task, step: usize) -> Option<&TaskStep> {
    task.steps.get(step)
}

#[cfg(test)]
mod tests;
