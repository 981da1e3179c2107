//! Signals to scripts, and the end of their leftovers: they are asked to end first, and killed after a grace period.
//!
//! The leftovers of a script are found by its process group, or by the mark in their environment. If scripts share rt's own group,
//! or there is only one, everything that became a child of the guardian is theirs.
use std::ffi::c_int;
use std::time::{Duration, Instant};

use crate::guardian::{Guardian, NOT_WATCHED};
use crate::marked;
use crate::scripts::{Script, State};
use crate::starts::mark_of;
use crate::system::{self, End};
use crate::tree::{Pid, children_of, descendants_of, group_of, ignores, is_ending, is_gone, kill_below, send};

const GRACE: Duration = Duration::from_millis(100);
const KILL_DEADLINE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(1);
/// After this many looks, a process whose end a debugger withholds from its parent is ignored.
const MOST_LOOKS: usize = 50;

impl Guardian {
    /// How long it takes until something has to be killed.
    pub(crate) fn patience(&self) -> Option<Duration> {
        let leaving = self.scripts.over().into_iter().filter_map(|script| match script.state {
            State::Leaving(_, until) => Some(until.saturating_duration_since(Instant::now())),
            State::Running | State::Ended(_) => None,
        });
        leaving.min()
    }

    /// Sends a signal to the script's group once. After SIGTERM or SIGHUP, stopped processes are continued so that they act on it.
    pub(crate) fn signal(&mut self, key: u32, number: c_int) {
        let Some(script) = self.scripts.get(key).filter(|script| script.state == State::Running) else { return };
        if [libc::SIGINT, libc::SIGTERM, libc::SIGHUP].contains(&number) {
            script.told = Some(number);
        }
        let pid = script.pid;
        match self.terms.shared_group {
            None => {
                let wakes = [libc::SIGTERM, libc::SIGHUP].contains(&number);
                if send(-pid, number) && wakes {
                    send(-pid, libc::SIGCONT);
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

    /// Kills the whole process tree of a script.
    pub(crate) fn kill(&mut self, key: u32) {
        let Some(script) = self.scripts.get(key) else { return };
        script.is_condemned = true;
        let script = script.clone();
        let mut mine = self.left_by(&script);
        mine.push(script.pid);
        let pid = self.pid;
        kill_below(pid, |pid| !mine.contains(&pid), || self.reap());
    }

    /// Forgets and returns each ended script of which nothing is alive any more, and ends the leftovers of the others.
    pub(crate) fn finish(&mut self) -> Vec<(u32, End)> {
        let mut finished = Vec::new();
        for script in self.scripts.over() {
            let now = Instant::now();
            let (end, is_late) = match script.state {
                State::Running => continue,
                State::Ended(end) => (end, false),
                State::Leaving(end, until) => (end, now >= until),
            };
            let mut left = self.left_by(&script);
            if script.is_condemned || is_late {
                while !left.is_empty() && now.elapsed() < KILL_DEADLINE {
                    self.kill(script.key);
                    left = self.left_by(&script);
                }
                left.clear(); // what is still there is beyond reach
            }
            if left.is_empty() {
                self.scripts.forget(script.key);
                finished.push((script.key, end));
            } else if let State::Ended(end) = script.state {
                let until = now + if script.told.is_none() { GRACE } else { self.terms.grace };
                self.ask_to_end(&script, &left);
                if let Some(script) = self.scripts.get(script.key) {
                    script.state = State::Leaving(end, until);
                }
            }
        }
        finished
    }

    /// Asks the leftovers of a script to end, except those that got the ending signal with the script's group and do not ignore it.
    fn ask_to_end(&self, script: &Script, left: &[Pid]) {
        let group = self.terms.shared_group.unwrap_or(script.pid);
        let below = descendants_of(left, |pid| !left.contains(&pid));
        for pid in left.iter().copied().chain(below) {
            let was_told = script.told.is_some() && group_of(pid) == group;
            if !was_told || (script.told == Some(libc::SIGINT) && ignores(pid, libc::SIGINT)) {
                send(pid, libc::SIGTERM);
                send(pid, libc::SIGCONT);
            }
        }
    }

    /// The living processes that `script` started and the guardian adopted.
    ///
    /// A process that ends during a look may have been the parent of others, which were not listed and are adopted now, and
    /// it does not show any more whose it was. So looks are repeated until no process is ending.
    fn left_by(&mut self, script: &Script) -> Vec<Pid> {
        let held = self.held_workers();
        let mut looks = 0;
        loop {
            let orphans = self.orphans(&held);
            let mine = self.of_script(&orphans, script);
            looks += 1;
            if looks == MOST_LOOKS || !orphans.iter().any(|pid| is_ending(*pid)) {
                return mine.into_iter().filter(|pid| !is_gone(*pid)).collect();
            }
            if looks > 1 {
                std::thread::sleep(PAUSE);
            }
            self.reap();
        }
    }

    /// The children that are neither running scripts nor the guardian's own (zygotes, held workers, the watcher).
    fn orphans(&self, held: &[Pid]) -> Vec<Pid> {
        let mut orphans = children_of(self.pid);
        orphans.retain(|pid| {
            !self.scripts.is_running(*pid)
                && *pid != self.watcher
                && !held.contains(pid)
                && !self.zygotes.iter().any(|zygote| zygote.pid == *pid)
        });
        orphans
    }

    fn of_script(&self, orphans: &[Pid], script: &Script) -> Vec<Pid> {
        let mut mine = orphans.to_vec();
        let is_alone = self.scripts.len() == 1 && self.under_way.is_empty();
        if self.terms.shared_group.is_none() && !is_alone {
            let mark = mark_of(self.pid, script.key);
            mine.retain(|pid| group_of(*pid) == script.pid || has_in_environment(*pid, &mark));
        }
        mine
    }

    /// Kills everything below this process.
    pub(crate) fn kill_everything(&mut self) {
        self.settle();
        for key in self.scripts.chosen(None) {
            if let Some(script) = self.scripts.get(key) {
                script.is_condemned = true;
            }
        }
        if self.has_no_children_left() {
            return; // so it has no descendants either: an orphan is its child before the parent's end is seen
        }
        let pid = self.pid;
        kill_below(pid, |_| false, || self.reap());
        marked::end(self.terms.mark, KILL_DEADLINE);
        self.watcher = NOT_WATCHED;
    }

    /// Ends the guardian's own processes if no script is left. Returns whether there are no children then.
    fn has_no_children_left(&mut self) -> bool {
        if self.scripts.is_empty() {
            let held = self.held_workers();
            let zygotes = self.zygotes.iter().map(|zygote| zygote.pid);
            let watcher = Some(self.watcher).filter(|pid| *pid != NOT_WATCHED);
            for pid in zygotes.chain(held).chain(watcher).collect::<Vec<Pid>>() {
                send(pid, libc::SIGKILL);
                system::wait_for_end(pid);
            }
            self.watcher = NOT_WATCHED;
            self.hear_zygotes();
        }
        !system::has_children()
    }
}

fn has_in_environment(pid: Pid, mark: &[u8]) -> bool {
    let text = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    text.split(|byte| *byte == 0).any(|entry| entry == mark)
}
