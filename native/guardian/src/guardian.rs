//! The guardian: the small process between rt and its scripts that ensures that no script outlives its run.
//!
//! It is the parent of every script and, as a subreaper, of every orphan that scripts leave. It carries out orders (`starts`) and
//! reports how scripts ended once nothing of them is left (`leftovers`). When its channel to rt closes, for whatever reason
//! (`kill -9` included), it kills everything below it. It never writes to the terminal.
use std::collections::{HashMap, VecDeque};
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::marked;
use crate::passing;
use crate::reporting::Reports;
use crate::scripts::Scripts;
use crate::signals::{self, Mask};
use crate::starter::Starter;
use crate::system;
use crate::terminal::Opened;
use crate::tracing::Tracer;
use crate::tree::{Pid, descendants_of, send};
use crate::zygote::{Forks, Zygote};
use rt_wire::frames::Frames;
use rt_wire::protocol::{Order, Report, Variable};

pub(crate) const NOT_WATCHED: Pid = -1;
const BLOCK_BYTES: usize = 1 << 16;
/// Signals that are meant for rt, and those with which a terminal could stop the guardian.
const SHIELDED: [c_int; 11] = [
    libc::SIGINT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGTSTP,
    libc::SIGTTOU,
    libc::SIGTTIN,
    libc::SIGALRM,
    libc::SIGPIPE,
];
/// Signals that a script sends to its parent when it means rt: the guardian forwards them.
const FOR_RT: [c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];

/// How the guardian treats its scripts.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// The process group that scripts join so that they may read the terminal. If None, each script leads its own.
    pub shared_group: Option<Pid>,
    /// Signals that scripts ignore.
    pub ignored: Mask,
    /// Signals that rt blocks: a script that joins `shared_group` raises those that it missed.
    pub held_back: Mask,
    /// The guardian's mark (`marked`), which all of its descendants inherit.
    pub mark: u64,
    /// How many threads start scripts. With 0, the guardian starts them itself, one after another.
    pub threads: usize,
    /// How long the leftovers of a script may run after its group received a signal to end.
    pub grace: Duration,
}

pub struct Guardian {
    pub(crate) terms: Terms,
    channel: Opened,
    reports: Reports,
    frames: Frames,
    /// Descriptors that arrived before their order.
    passed: VecDeque<Opened>,
    pub(crate) environment: Vec<Variable>,
    pub(crate) pid: Pid,
    pub(crate) rt: Pid,
    pub(crate) scripts: Scripts,
    /// Those of traced scripts whose process has not ended.
    pub(crate) tracers: HashMap<u32, Tracer>,
    /// The starts without an answer, each with the descriptors to close when it is answered.
    pub(crate) under_way: HashMap<u32, Vec<Opened>>,
    pub(crate) starter: Option<Starter>,
    pub(crate) zygotes: Vec<Zygote>,
    /// The process that ends everything if both rt and the guardian are killed.
    pub(crate) watcher: Pid,
}

/// Forks a guardian from this process, with its zygotes. Returns its pid and this process's end of the channel.
pub fn start(terms: Terms, forks: &Forks) -> std::io::Result<(Pid, Opened)> {
    system::become_subreaper()?;
    let (ours, theirs) = system::channel(libc::SOCK_STREAM)?;
    (forks.before)();
    // SAFETY: the child has one thread, which runs the guardian and never returns.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        drop(ours);
        // SAFETY: system calls on numbers.
        unsafe { if terms.shared_group.is_some() { libc::setpgid(0, 0) } else { libc::setsid() } };
        Guardian::run(theirs, terms, forks);
    }
    let error = std::io::Error::last_os_error();
    (forks.after)();
    if pid < 0 { Err(error) } else { Ok((pid, ours)) }
}

/// Sets this process up as a guardian; its zygotes, which are forked later, inherit that. Returns false if the system refuses.
fn become_guardian(mark: u64) -> bool {
    marked::mark_self(mark);
    for signal in SHIELDED {
        signals::set_action(signal, libc::SIG_IGN);
    }
    signals::set_action(libc::SIGCHLD, libc::SIG_DFL);
    system::become_subreaper().is_ok()
}

impl Guardian {
    /// The body of the guardian's process: serves until the channel closes, then kills everything.
    fn run(channel: Opened, terms: Terms, forks: &Forks) -> ! {
        let rt = std::os::unix::process::parent_id() as i32;
        if !become_guardian(terms.mark) {
            // SAFETY: no other thread runs, and nothing has been started.
            unsafe { libc::_exit(0) };
        }
        let mut guardian = Guardian {
            terms,
            channel,
            reports: Reports::default(),
            frames: Frames::default(),
            passed: VecDeque::new(),
            environment: system::environment(),
            pid: std::process::id() as Pid,
            rt,
            scripts: Scripts::default(),
            tracers: HashMap::new(),
            under_way: HashMap::new(),
            starter: None,
            zygotes: forks.kinds.iter().flat_map(|kind| Zygote::fork(*kind, forks, rt, terms)).collect(),
            watcher: NOT_WATCHED,
        };
        let _ = catch_unwind(AssertUnwindSafe(|| guardian.serve())); // what follows must run even after a panic
        let _ = catch_unwind(AssertUnwindSafe(|| guardian.kill_everything()));
        // SAFETY: skips the exit handlers of the interpreter, of whose memory this process may be a copy.
        unsafe { libc::_exit(0) }
    }

    fn serve(&mut self) {
        let awaited = FOR_RT.into_iter().map(signals::bit).sum::<Mask>() | signals::bit(libc::SIGCHLD);
        let Ok(heard) = signals::Queue::new(awaited) else { return };
        signals::change_mask(libc::SIG_SETMASK, awaited);
        loop {
            let zygote = |place: usize| self.zygotes.get(place).map_or(-1, Zygote::descriptor);
            let starter = self.starter.as_ref().map_or(-1, Starter::descriptor);
            let mut awaited =
                [self.channel.0, heard.descriptor(), starter, zygote(0), zygote(1)].map(|fd| (fd, libc::POLLIN));
            awaited[0].1 |= self.reports.awaited();
            let [channel, signal, result, ..] = system::wait_for_events(awaited, self.patience());
            let (has_order, has_signal, has_result) = (channel & !libc::POLLOUT != 0, signal != 0, result != 0);
            self.reports.send_kept(&self.channel);
            for (number, sender) in if has_signal { heard.take_with_senders() } else { Vec::new() } {
                if FOR_RT.contains(&number) && sender.is_some_and(|sender| self.is_below(sender)) {
                    send(self.rt, number);
                }
            }
            if has_result {
                self.take_results();
            }
            self.take_zygote_answers();
            if has_order && !self.take_orders() {
                return;
            }
            self.reap();
            if !self.scripts.unknown_ends().is_empty() || self.zygotes.iter().any(|zygote| zygote.has_lost_held) {
                self.take_zygote_answers(); // a worker may have been killed before it reported its start
            }
            for (key, end) in self.finish() {
                let (status, cpu_us, peak_bytes) = (end.status, end.cpu_us, end.peak_bytes);
                self.report(Report::Ended { key, status, cpu_us, peak_bytes });
            }
        }
    }

    fn is_below(&self, pid: Pid) -> bool {
        descendants_of(&[self.pid], |_| true).contains(&pid)
    }

    /// Executes the orders that have arrived. Returns false when the channel is closed.
    fn take_orders(&mut self) -> bool {
        self.leave_room();
        let mut buffer = vec![0; BLOCK_BYTES];
        match passing::receive(&self.channel, &mut buffer) {
            Ok((count @ 1.., passed)) => {
                self.passed.extend(passed);
                self.frames.feed(&buffer[..count]);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            _ => return false,
        }
        loop {
            match self.frames.next_message() {
                Ok(None) => return true,
                Ok(Some(message)) if let Some(order) = Order::decode(&message) => self.carry_out(order),
                _ => return false,
            }
        }
    }

    fn carry_out(&mut self, order: Order) {
        match order {
            Order::Prepare(kind) => self.prepare(kind),
            Order::Hold => self.zygotes.iter_mut().for_each(Zygote::hold),
            Order::Spawn(spawn) => {
                let count = self.passed.len().min(spawn.passed as usize);
                let descriptors = self.passed.drain(..count).collect();
                self.start(spawn, descriptors);
            }
            Order::Refuse(key, words) => self.report(Report::Refused { key, errno: 0, words, path: None }),
            Order::Signal(key, number) => {
                self.settle();
                self.scripts.select(key).into_iter().for_each(|key| self.signal(key, number));
            }
            Order::Kill(None) => self.kill_everything(),
            Order::Kill(key) => {
                self.settle();
                self.scripts.select(key).into_iter().for_each(|key| self.kill(key));
            }
        }
    }

    pub(crate) fn report(&mut self, report: Report) {
        self.reports.send(&self.channel, &report);
        if matches!(report, Report::Started { .. }) && self.watcher == NOT_WATCHED {
            // At the limit on processes, give the slot of the held worker to the script.
            self.watcher = marked::watch_over(self.rt, self.terms.mark).unwrap_or(NOT_WATCHED);
        }
    }

    pub(crate) fn reap(&mut self) {
        let strangers = self.scripts.reap(!self.under_way.is_empty());
        if strangers.contains(&self.watcher) {
            self.watcher = NOT_WATCHED;
        }
        self.zygotes.iter_mut().for_each(|zygote| zygote.record_ended(&strangers));
    }
}
