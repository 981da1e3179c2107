//! The guardian: the small process between rt and its script that sees to it that nothing outlives the run.
//!
//! It is the parent of the script and, as a subreaper, of every orphan that it leaves. It starts what is ordered, passes
//! signals on, says how the script ended once nothing of it is left, and when its channel to rt closes - whatever ended rt,
//! `kill -9` included - it kills all that is below it. It never writes to the terminal.
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::decision::Decision;
use crate::marked;
use crate::pending::Witness;
use crate::protocol::{Answer, Fault, Order};
use crate::signals::{self, Mask};
use crate::spawn;
use crate::system::{self, Reaped};
use crate::terminal::Opened;
use crate::tree::{Pid, children_of, descendants_of, group_of, ignores, is_gone, kill_below, send};

const LEFTOVER_GRACE: Duration = Duration::from_millis(100);
const KILL_DEADLINE: Duration = Duration::from_secs(2);
const OWN_GROUP: c_int = 0;
const NOT_WATCHED: Pid = -1;
/// What is rt's to hear, and what a terminal could stop the guardian with.
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

/// Those that a script sends its parent when it means rt: the guardian hands them on.
const FOR_RT: [c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];

/// How the guardian is to treat its script.
pub struct Terms<'a> {
    pub decision: &'a Decision,
    /// The process group that the script joins, so that it may read the terminal; None: it leads one of its own.
    pub shared_group: Option<Pid>,
    /// Signals that stay ignored in the script.
    pub ignored: Mask,
    /// Signals that rt holds back: a script that joins `shared_group` looks for those it missed.
    pub held_back: Mask,
    /// On the guardian, so on all that it starts.
    pub mark: u64,
}

/// RUNNING until its process ends (`ended`), then LEAVING while what it left behind is ended, then forgotten.
struct Script {
    pid: Pid,
    /// The last ending signal that its group was sent.
    told: Option<c_int>,
    ended: Option<c_int>,
    /// When what it left behind gets SIGKILL.
    killed_at: Option<Instant>,
    being_killed: bool,
}

pub struct Guardian<'a> {
    terms: Terms<'a>,
    channel: Opened,
    pid: Pid,
    rt: Pid,
    script: Option<Script>,
    /// Sees to the end of everything if both rt and this process are killed.
    watcher: Pid,
}

impl Guardian<'_> {
    /// The guardian's whole life, in a process that was forked for it: serve until the channel closes, then kill all.
    pub fn run(channel: Opened, terms: Terms<'_>) -> ! {
        let pid = std::process::id() as Pid;
        // SAFETY: it only returns a number.
        let rt = unsafe { libc::getppid() };
        let mut guardian = Guardian { terms, channel, pid, rt, script: None, watcher: NOT_WATCHED };
        let _ = catch_unwind(AssertUnwindSafe(|| guardian.serve())); // a bug must not keep the end from coming
        let _ = catch_unwind(AssertUnwindSafe(|| guardian.kill_everything()));
        // SAFETY: ends the process without what the interpreter, whose memory this may be a copy of, would do then.
        unsafe { libc::_exit(0) }
    }

    fn serve(&mut self) {
        if system::become_subreaper().is_err() {
            return;
        }
        marked::mark_self(self.terms.mark);
        for signal in SHIELDED {
            signals::act(signal, libc::SIG_IGN);
        }
        signals::act(libc::SIGCHLD, libc::SIG_DFL);
        let awaited = FOR_RT.into_iter().map(signals::bit).sum::<Mask>() | signals::bit(libc::SIGCHLD);
        let Ok(heard) = signals::Queue::new(awaited) else { return };
        signals::hold(libc::SIG_SETMASK, awaited);
        loop {
            let [has_order, has_signal] = system::wait_for([self.channel.0, heard.descriptor()], self.patience());
            for (number, sender) in if has_signal { heard.take_with_senders() } else { Vec::new() } {
                if FOR_RT.contains(&number) && sender.is_some_and(|sender| self.is_below(sender)) {
                    send(self.rt, number);
                }
            }
            if has_order {
                match system::receive(&self.channel).as_ref().and_then(|record| Order::decode(record)) {
                    Some(order) => self.carry_out(order),
                    None => return,
                }
            }
            self.reap();
            self.finish_leaving();
        }
    }

    fn is_below(&self, pid: Pid) -> bool {
        descendants_of(&[self.pid], |_| true).contains(&pid)
    }

    fn patience(&self) -> Option<Duration> {
        let killed_at = self.script.as_ref().filter(|script| script.ended.is_some())?.killed_at?;
        Some(killed_at.saturating_duration_since(Instant::now()))
    }

    // --- orders

    fn carry_out(&mut self, order: Order) {
        match order {
            Order::Start(step) => match self.start(step as usize) {
                Ok(answer) => self.report(answer),
                Err(refusal) => self.report(refusal),
            },
            Order::Signal(number) => self.signal(number),
            Order::Kill => self.kill_everything(),
        }
    }

    fn start(&mut self, number: usize) -> Result<Answer, Answer> {
        let nothing = |errno| Answer::Refused(errno, Fault::Nothing);
        let step = self.terms.decision.steps.get(number).ok_or(nothing(libc::EINVAL))?;
        let mut environment = step.environment(&system::environment(), &self.terms.decision.dropped);
        environment.push(format!("_RT_SCRIPT={}.{}", self.pid, number + 1).into_bytes());
        let strings = |texts| spawn::c_strings(texts).map_err(|_| nothing(libc::EINVAL));
        let (programs, direct) = (strings(vec![step.program.clone()])?, strings(step.direct.clone())?);
        let order = spawn::Order::new(
            step.argv.clone(),
            environment,
            step.folder.clone(),
            vec![0, 1, 2],
            self.terms.shared_group.unwrap_or(OWN_GROUP),
            self.terms.ignored,
            spawn::Extras { programs, direct, ..Default::default() },
            self.terms.shared_group.map(|_| Witness::new(self.rt, self.terms.held_back)),
        );
        let started = order.map_err(|_| nothing(libc::EINVAL))?.start().map_err(|refusal| {
            let is_folder = refusal.path.as_deref() == Some(&*String::from_utf8_lossy(&step.folder));
            let fault = if is_folder { Fault::Folder } else { Fault::Program };
            Answer::Refused(refusal.errno, if refusal.path.is_none() { Fault::Nothing } else { fault })
        })?;
        self.script = Some(Script { pid: started.pid, told: None, ended: None, killed_at: None, being_killed: false });
        Ok(Answer::Started(started.raised))
    }

    /// Send a signal to the script's group once; a stopped process is continued so that it can act on its end.
    fn signal(&mut self, number: c_int) {
        let Some(script) = self.script.as_mut().filter(|script| script.ended.is_none()) else { return };
        if [libc::SIGINT, libc::SIGTERM, libc::SIGHUP].contains(&number) {
            script.told = Some(number);
        }
        match self.terms.shared_group {
            None => {
                let wakes = [libc::SIGTERM, libc::SIGHUP].contains(&number);
                if send(-script.pid, number) && wakes {
                    send(-script.pid, libc::SIGCONT);
                }
            }
            // What lies below a process that left the group - the guardian of another rt - has somebody else to tell it.
            Some(group) => {
                for pid in descendants_of(&[self.pid], |pid| group_of(pid) == group) {
                    send(pid, number);
                }
            }
        }
    }

    fn report(&mut self, answer: Answer) {
        system::send(&self.channel, answer.encode()); // when rt is gone, the next look at the channel says so
        if matches!(answer, Answer::Started(_)) && self.watcher == NOT_WATCHED {
            // At the limit on processes the script is what matters.
            self.watcher = marked::watch_over(self.rt, self.terms.mark).unwrap_or(NOT_WATCHED);
        }
    }

    // --- ends

    fn reap(&mut self) {
        while let Reaped::Ended(pid, status) = system::reap(-1) {
            match &mut self.script {
                Some(script) if script.pid == pid && script.ended.is_none() => script.ended = Some(status),
                _ if pid == self.watcher => self.watcher = NOT_WATCHED,
                _ => {}
            }
        }
    }

    /// Say how the script ended once nothing it left behind is alive: asked to end first, killed after the grace.
    fn finish_leaving(&mut self) {
        let Some(status) = self.script.as_ref().and_then(|script| script.ended) else { return };
        let mut leftovers = self.leftovers();
        let now = Instant::now();
        let Some(script) = &mut self.script else { return };
        if !leftovers.is_empty() && (script.being_killed || script.killed_at.is_some_and(|at| now >= at)) {
            script.being_killed = true;
            self.kill_all_but_the_watcher();
            leftovers.clear();
        }
        let Some(script) = &mut self.script else { return };
        if leftovers.is_empty() {
            self.script = None;
            self.report(Answer::Ended(status));
        } else if script.killed_at.is_none() {
            self.ask_to_end(&leftovers, now);
        }
    }

    /// Have what the script left behind end: what its group was told already has as long as the script had.
    fn ask_to_end(&mut self, leftovers: &[Pid], now: Instant) {
        let Some(script) = &mut self.script else { return };
        let grace = Duration::from_millis(self.terms.decision.grace_ms.into());
        script.killed_at = Some(now + if script.told.is_none() { LEFTOVER_GRACE } else { grace });
        let group = self.terms.shared_group.unwrap_or(script.pid);
        let below = descendants_of(leftovers, |pid| !leftovers.contains(&pid));
        for pid in leftovers.iter().copied().chain(below) {
            let was_told = script.told.is_some() && group_of(pid) == group;
            if !was_told || (script.told == Some(libc::SIGINT) && ignores(pid, libc::SIGINT)) {
                send(pid, libc::SIGTERM);
                send(pid, libc::SIGCONT);
            }
        }
    }

    /// The living processes that were adopted: what the script has left behind.
    fn leftovers(&self) -> Vec<Pid> {
        let running = self.script.as_ref().filter(|script| script.ended.is_none()).map(|script| script.pid);
        let mut orphans = children_of(self.pid);
        orphans.retain(|pid| *pid != self.watcher && Some(*pid) != running && !is_gone(*pid));
        orphans
    }

    fn kill_all_but_the_watcher(&mut self) {
        let (pid, watcher) = (self.pid, self.watcher);
        kill_below(pid, |pid| pid == watcher, || self.reap());
    }

    fn kill_everything(&mut self) {
        if let Some(script) = &mut self.script {
            script.being_killed = true;
        }
        if self.has_no_children_left() {
            return; // so it has no descendants either: whose parent ended, became its child before that was seen
        }
        let pid = self.pid;
        kill_below(pid, |_| false, || self.reap());
        marked::end(self.terms.mark, KILL_DEADLINE);
        self.watcher = NOT_WATCHED;
    }

    /// End the watcher; whether nothing else was there.
    fn has_no_children_left(&mut self) -> bool {
        if self.script.is_none() && self.watcher != NOT_WATCHED {
            send(self.watcher, libc::SIGKILL);
            system::wait_for_end(self.watcher);
            self.watcher = NOT_WATCHED;
        }
        matches!(system::reap(-1), Reaped::NoChildren)
    }
}
