//! Carries out the plan of a run of several scripts: starts tasks through the guardian as `schedule` allows, prints what they
//! print, ends everything on a failure, a signal or a closed output. The same as `rt_supervisor/supervising/supervisor.py`
//! for a run that is only printed, line by line; it decides nothing about order and has no words of its own.
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::io::{ErrorKind, Result};
use std::time::{Duration, Instant};

use crate::client::{Client, PATIENCE};
use crate::guardian::Terms;
use crate::marked;
use crate::output::Output;
use crate::prefixed::{Display, Sink};
use crate::schedule::Schedule;
use crate::signals::{self, Mask, Queue};
use crate::system;
use crate::terminal::Opened;
use crate::zygote::Forks;
use rt_wire::frames::Frames;
use rt_wire::outcome::Outcome;
use rt_wire::plan::Plan;
use rt_wire::protocol::{Order, Report};

/// How long a pipe may stay open after its script is gone (a process out of reach holds it).
pub(crate) const HELD_PIPE: Duration = Duration::from_millis(200);
const BLOCK_BYTES: usize = 1 << 16; // what a pipe holds
const THREADS: usize = 3;
const ENDING: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];
const FIRST_SIGNAL: c_int = 128;

/// Why the run cannot go on.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Nobody reads the output any more: the terminal has hung up, or a pipe was closed.
    Closed { hung_up: bool },
    /// rt was told to end, and a write to its output still blocks.
    Abandoned,
    /// Anything else: the line that is printed about it.
    Failed(Vec<u8>),
}

pub(crate) type Going<T = ()> = std::result::Result<T, Stop>;

/// One started task.
pub(crate) struct TaskRun {
    pub(crate) step: usize,
    /// Tells this start from those before it.
    pub(crate) serial: u64,
    pub(crate) streams: Vec<(c_int, Opened)>,
    ended: Option<c_int>,
    pub(crate) drain_by: Option<Instant>,
    started_at: Instant,
    asked_to_end: bool,
}

/// What a polled descriptor belongs to.
#[derive(Clone, Copy)]
enum Watched {
    Guardian,
    Signals,
    Writer(Sink),
    Stream { key: u32, serial: u64, stream: c_int },
}

pub struct Supervisor<'a> {
    pub(crate) plan: &'a Plan,
    schedule: Schedule,
    pub(crate) display: Display<'a>,
    pub(crate) client: Client,
    pub(crate) frames: Frames,
    pub(crate) queue: Queue,
    pub(crate) out: Output,
    pub(crate) err: Output,
    null: Opened,
    pub(crate) grace: Duration,
    pub(crate) runs: BTreeMap<u32, TaskRun>,
    starts: u64,
    pub(crate) interrupted_by: Option<c_int>,
    pub(crate) interrupted_at: Option<Instant>,
    kill_at: Option<Instant>,
    /// When rt no longer waits for a guardian that was told to kill.
    give_up_at: Option<Instant>,
    pub(crate) buffer: Vec<u8>,
}

/// Run `plan` to its end and return how rt is to end. An error where this process cannot do it, and nothing was done.
pub fn supervise(plan: &Plan) -> Result<Outcome> {
    let odd = || std::io::Error::from(ErrorKind::InvalidData);
    let concurrency = plan.concurrency as usize;
    let schedule = Schedule::new(concurrency, plan.tasks.iter().map(|task| &task.after[..])).ok_or_else(odd)?;
    let ignored = signals::ignored();
    let queue = Queue::new(ENDING.into_iter().map(signals::bit).sum::<Mask>() & !ignored)?;
    // SAFETY: makes a descriptor or fails.
    let null = unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    if null < 0 {
        return Err(std::io::Error::last_os_error());
    }
    let grace = Duration::from_millis(plan.grace_ms.into());
    let mark = marked::random()?;
    let terms = Terms { shared_group: None, ignored, held_back: 0, mark, threads: THREADS, grace };
    let client = Client::start(terms, &Forks::NONE)?;
    let supervisor = Supervisor {
        plan,
        schedule,
        display: Display::new(plan),
        client,
        frames: Frames::default(),
        queue,
        out: Output::new(libc::STDOUT_FILENO),
        err: Output::new(libc::STDERR_FILENO),
        null: Opened(null),
        grace,
        runs: BTreeMap::new(),
        starts: 0,
        interrupted_by: None,
        interrupted_at: None,
        kill_at: None,
        give_up_at: None,
        buffer: vec![0; BLOCK_BYTES],
    };
    Ok(supervisor.run())
}

impl Supervisor<'_> {
    fn run(mut self) -> Outcome {
        let mut died_of = None;
        let mut said = None;
        match self.turn() {
            Err(Stop::Closed { hung_up }) => {
                died_of = Some(signal_of(hung_up));
                self.end_for_want_of_output(hung_up);
            }
            Err(Stop::Failed(words)) => said = Some(words),
            Ok(()) | Err(Stop::Abandoned) => {}
        }
        self.client.close();
        self.interrupted_at = None; // rt is about to end: nothing interrupts that
        let last_words = self.display.failures();
        match self.write(Sink::Err, &last_words, false) {
            Err(Stop::Closed { hung_up }) => died_of = Some(signal_of(hung_up)),
            Err(Stop::Failed(words)) => said = Some(words),
            _ => {}
        }
        if let Some(words) = said {
            let _ = self.write(Sink::Err, &words, false);
            return Outcome::Exited(self.plan.problems.failed as c_int);
        }
        match self.interrupted_by.or(died_of) {
            Some(number) => Outcome::Signaled(number),
            None => Outcome::Exited(self.schedule.exit_status().into()),
        }
    }

    fn turn(&mut self) -> Going {
        self.start_ready()?;
        while !self.schedule.is_finished() {
            for (what, happened) in self.wait() {
                match what {
                    Watched::Guardian => self.take_reports()?,
                    Watched::Signals => {}
                    Watched::Writer(sink) if happened & (libc::POLLERR | libc::POLLHUP | libc::POLLNVAL) != 0 => {
                        return Err(self.closed(sink));
                    }
                    Watched::Writer(_) => {}
                    Watched::Stream { key, serial, stream } => self.read(key, serial, stream)?,
                }
            }
            self.act_on_signals();
            let now = Instant::now();
            if self.kill_at.is_some_and(|at| now >= at) {
                self.kill_all(now);
            }
            if self.give_up_at.is_some_and(|at| now >= at) {
                self.client.kill_everything();
                return Err(Stop::Failed(self.plan.problems.unanswered.clone()));
            }
            self.give_up_held_pipes(now)?;
        }
        Ok(())
    }

    /// Poll until a descriptor is ready or a deadline has come; what is ready.
    fn wait(&self) -> Vec<(Watched, i16)> {
        let mut watched = vec![
            (Watched::Guardian, self.client.descriptor(), libc::POLLIN),
            (Watched::Signals, self.queue.descriptor(), libc::POLLIN),
            (Watched::Writer(Sink::Out), self.out.descriptor(), 0),
            (Watched::Writer(Sink::Err), self.err.descriptor(), 0),
        ];
        let holder = self.display.holder();
        for (key, run) in &self.runs {
            for (stream, opened) in &run.streams {
                if holder.is_none_or(|holder| holder == (*key, *stream)) {
                    let what = Watched::Stream { key: *key, serial: run.serial, stream: *stream };
                    watched.push((what, opened.0, libc::POLLIN));
                }
            }
        }
        let mut entries: Vec<libc::pollfd> =
            watched.iter().map(|(_, fd, events)| libc::pollfd { fd: *fd, events: *events, revents: 0 }).collect();
        let moments = self.runs.values().map(|run| run.drain_by).chain([self.kill_at, self.give_up_at]);
        let left = moments.flatten().min().map(|moment| moment.saturating_duration_since(Instant::now()));
        let left_ms = left.map_or(-1, |left| c_int::try_from(left.as_micros().div_ceil(1000)).unwrap_or(c_int::MAX));
        // SAFETY: the entries live through the call.
        unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, left_ms) };
        let happened = watched.into_iter().zip(entries).filter(|(_, entry)| entry.revents != 0);
        happened.map(|((what, ..), entry)| (what, entry.revents)).collect()
    }

    // --- starting and ending

    fn start_ready(&mut self) -> Going {
        while let Some(key) = self.schedule.take_ready() {
            self.start_step(key, 0)?;
        }
        Ok(())
    }

    fn start_step(&mut self, key: u32, step: usize) -> Going {
        self.starts += 1;
        let run = TaskRun {
            step,
            serial: self.starts,
            streams: Vec::new(),
            ended: None,
            drain_by: None,
            started_at: Instant::now(),
            asked_to_end: false,
        };
        self.runs.insert(key, run);
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
        self.client.spawn(self.plan.order(key, step), &descriptors);
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
            match report {
                Some(Report::Started { key, .. }) => {
                    if let Some(run) = self.runs.get_mut(&key) {
                        run.started_at = Instant::now();
                    }
                }
                Some(Report::Refused { key, errno, words, path }) => {
                    self.refused(key, errno, &words, path.as_deref())?
                }
                Some(Report::Ended { key, status, .. }) => {
                    if let Some(run) = self.runs.get_mut(&key) {
                        run.ended = Some(status);
                        run.drain_by = Some(Instant::now() + HELD_PIPE);
                    }
                    self.end_step_if_over(key)?;
                }
                None => {
                    self.client.kill_everything();
                    return Err(Stop::Failed(self.plan.problems.lost.clone()));
                }
            }
        }
    }

    /// The system would not start a process: wait for others to end where a limit is to blame, else give up.
    fn refused(&mut self, key: u32, errno: c_int, words: &[u8], path: Option<&[u8]>) -> Going {
        let (step, open) =
            self.runs.get_mut(&key).map_or((0, vec![]), |run| (run.step, std::mem::take(&mut run.streams)));
        for (stream, _) in open {
            self.drain(key, stream)?;
        }
        let is_descriptors = [libc::EMFILE, libc::ENFILE].contains(&errno);
        if (is_descriptors || errno == libc::EAGAIN) && self.runs.len() > 1 && step == 0 {
            self.runs.remove(&key);
            self.schedule.put_back(key);
            return Ok(());
        }
        let problems = &self.plan.problems;
        Err(Stop::Failed(if is_descriptors {
            problems.descriptor_limit.clone()
        } else {
            problems.refusals.line(errno, words, path)
        }))
    }

    pub(crate) fn end_step_if_over(&mut self, key: u32) -> Going {
        let Some(run) = self.runs.get(&key).filter(|run| run.streams.is_empty()) else { return Ok(()) };
        let Some(status) = run.ended else { return Ok(()) };
        let (step, asked_to_end, seconds) = (run.step, run.asked_to_end, run.started_at.elapsed().as_secs_f64());
        let outcome = Outcome::from_wait_status(status);
        let code = match outcome {
            Outcome::Exited(code) => code,
            Outcome::Signaled(number) => FIRST_SIGNAL + number,
        };
        self.runs.remove(&key);
        let said = self.display.ended(key, step, outcome, asked_to_end, seconds);
        self.print(said)?;
        let steps = self.plan.tasks.get(key as usize).map_or(0, |task| task.steps.len());
        if code == 0 && step + 1 < steps && self.interrupted_by.is_none() && !asked_to_end {
            return self.start_step(key, step + 1);
        }
        for later in step + 1..steps {
            self.print(self.display.skipped(key, later))?;
        }
        for (skipped, cause) in self.schedule.end(key, if asked_to_end { 0 } else { code as u8 }) {
            let because = self.plan.tasks.get(cause as usize).map_or(vec![], |task| task.label.clone());
            self.skip(skipped, &because)?;
        }
        if code != 0 && self.plan.exits_on_error && self.interrupted_by.is_none() {
            self.end_others()?;
        }
        self.start_ready()
    }

    fn skip(&mut self, key: u32, because: &[u8]) -> Going {
        for step in 0..self.plan.tasks.get(key as usize).map_or(0, |task| task.steps.len()) {
            self.print(self.display.skipped(key, step))?;
        }
        self.display.note_skipped(key, because);
        Ok(())
    }

    /// A task failed: interrupt all others, and kill them after the grace period.
    fn end_others(&mut self) -> Going {
        for key in self.schedule.stop() {
            let another = self.plan.failures.another.clone();
            self.skip(key, &another)?;
        }
        for (key, run) in self.runs.iter_mut().filter(|(_, run)| !run.asked_to_end) {
            run.asked_to_end = true;
            self.client.order(&Order::Signal(Some(*key), libc::SIGINT));
        }
        if !self.runs.is_empty() && self.kill_at.is_none() {
            self.kill_at = Some(Instant::now() + self.grace);
        }
        Ok(())
    }

    // --- signals

    fn kill_all(&mut self, now: Instant) {
        self.kill_at = None;
        self.client.order(&Order::Kill(None));
        self.give_up_at = Some(now + PATIENCE);
    }

    pub(crate) fn act_on_signals(&mut self) {
        for (number, _) in self.queue.take() {
            if self.interrupted_by.is_none() {
                let now = Instant::now();
                (self.interrupted_by, self.interrupted_at) = (Some(number), Some(now));
                self.kill_at = Some(now + self.grace);
                self.schedule.stop();
                self.runs.values_mut().for_each(|run| run.asked_to_end = true);
                self.client.order(&Order::Signal(None, number));
            } else if number == libc::SIGINT || Some(number) == self.interrupted_by {
                self.kill_all(Instant::now());
            } else {
                self.client.order(&Order::Signal(None, number));
            }
        }
    }
}

/// The signal that says why nobody sees the output: a terminal hangs up, a pipe is closed.
fn signal_of(hung_up: bool) -> c_int {
    if hung_up { libc::SIGHUP } else { libc::SIGPIPE }
}
