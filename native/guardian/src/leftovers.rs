//! Sends signals to scripts, and ends their leftovers: first with a signal, and with SIGKILL after a grace period.
//!
//! The leftovers of a script are found by its process group or by the mark in their environment. If scripts share rt's process
//! group, or only one script runs, all processes that the guardian has adopted are leftovers of that script.
use std::ffi::c_int;
use std::time::{Duration, Instant};

use crate::guardian::{Guardian, NOT_WATCHED};
use crate::marked;
use crate::scripts::{Script, State};
use crate::starts::mark_of;
use crate::system::{self, End};
use crate::tree::{Pid, children_of, descendants_of, group_of, ignores, is_ending, is_gone, kill_below, send};
use rt_wire::debug_log;

const GRACE: Duration = Duration::from_millis(100);
const KILL_DEADLINE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(1);
/// After this many passes, a process whose end a debugger withholds from its parent is ignored.
const MOST_PASSES: usize = 50;

impl Guardian {
    /// How long to wait until something has to be killed.
    pub(crate) fn patience(&self) -> Option<Duration> {
        let leaving = self.scripts.ended().into_iter().filter_map(|script| match script.state {
            State::Leaving(_, until) => Some(until.saturating_duration_since(Instant::now())),
            State::Running | State::Ended(_) => None,
        });
        leaving.min()
    }

    /// Sends a signal to the script's group. After SIGTERM or SIGHUP, stopped processes are continued so that they can handle
    /// it.
    pub(crate) fn signal(&mut self, key: u32, number: c_int) {
        let Some(script) = self.scripts.get(key).filter(|script| script.state == State::Running) else { return };
        if [libc::SIGINT, libc::SIGTERM, libc::SIGHUP].contains(&number) {
            script.ending_signal = Some(number);
        }
        let pid = script.pid;
        match self.terms.shared_group {
            None => {
                let wakes = [libc::SIGTERM, libc::SIGHUP].contains(&number);
                if send(-pid, number) && wakes {
                    send(-pid, libc::SIGCONT);
                }
            }
            // Descendants of a process that left the group, such as another rt's guardian, are left to that process.
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
        let mut own = self.find_leftovers(&script);
        own.push(script.pid);
        let pid = self.pid;
        kill_below(pid, |pid| !own.contains(&pid), || self.reap());
    }

    /// Removes and returns each ended script that has no living process left, and ends the leftovers of the others.
    pub(crate) fn finish(&mut self) -> Vec<(u32, End)> {
        let mut finished = Vec::new();
        for script in self.scripts.ended() {
            if let Some(tracer) = self.tracers.remove(&script.key) {
                tracer.finish(); // before its leftovers are ended, which is an obstacle
            }
            let now = Instant::now();
            let (end, is_late) = match script.state {
                State::Running => continue,
                State::Ended(end) => (end, false),
                State::Leaving(end, until) => (end, now >= until),
            };
            let mut left = self.find_leftovers(&script);
            if script.is_condemned || is_late {
                while !left.is_empty() && now.elapsed() < KILL_DEADLINE {
                    self.kill(script.key);
                    left = self.find_leftovers(&script);
                }
                left.clear(); // the remaining processes cannot be reached
            }
            if left.is_empty() {
                debug_log!(Guardian, "script {}: ended, and nothing of it is left", script.key);
                self.scripts.remove(script.key);
                finished.push((script.key, end));
            } else if let State::Ended(end) = script.state {
                let until = now + if script.ending_signal.is_none() { GRACE } else { self.terms.grace };
                debug_log!(Guardian, "script {}: ended; its leftovers are {left:?}", script.key);
                self.terminate_leftovers(&script, &left);
                if let Some(script) = self.scripts.get(script.key) {
                    script.state = State::Leaving(end, until);
                }
            }
        }
        finished
    }

    /// Sends SIGTERM to the leftovers of a script, except to those that received the ending signal with the group and do not
    /// ignore it.
    fn terminate_leftovers(&self, script: &Script, left: &[Pid]) {
        let group = self.terms.shared_group.unwrap_or(script.pid);
        let below = descendants_of(left, |pid| !left.contains(&pid));
        for pid in left.iter().copied().chain(below) {
            let was_signaled = script.ending_signal.is_some() && group_of(pid) == group;
            if !was_signaled || (script.ending_signal == Some(libc::SIGINT) && ignores(pid, libc::SIGINT)) {
                send(pid, libc::SIGTERM);
                send(pid, libc::SIGCONT);
            }
        }
    }

    /// The living processes that `script` started and the guardian adopted.
    ///
    /// A process that is ending may be the parent of others that the guardian adopts after the pass has listed its children.
    /// The parent's own environment no longer exists by then, so the pass is repeated until no process is ending.
    fn find_leftovers(&mut self, script: &Script) -> Vec<Pid> {
        let held = self.held_workers();
        let mut passes = 0;
        loop {
            let orphans = self.orphans(&held);
            let own = self.belonging_to(&orphans, script);
            passes += 1;
            if passes == MOST_PASSES || !orphans.iter().any(|pid| is_ending(*pid)) {
                return own.into_iter().filter(|pid| !is_gone(*pid)).collect();
            }
            if passes > 1 {
                std::thread::sleep(PAUSE);
            }
            self.reap();
        }
    }

    /// The children that are neither running scripts nor the guardian's own processes (zygotes, held workers, the watcher).
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

    fn belonging_to(&self, orphans: &[Pid], script: &Script) -> Vec<Pid> {
        let mut own = orphans.to_vec();
        let is_alone = self.scripts.len() == 1 && self.under_way.is_empty();
        if self.terms.shared_group.is_none() && !is_alone {
            let mark = mark_of(self.pid, script.key);
            own.retain(|pid| group_of(*pid) == script.pid || has_variable(*pid, &mark));
        }
        own
    }

    /// Kills all descendants of this process.
    pub(crate) fn kill_everything(&mut self) {
        self.settle();
        for key in self.scripts.select(None) {
            if let Some(script) = self.scripts.get(key) {
                script.is_condemned = true;
            }
        }
        if self.has_no_children_left() {
            return; // then it has no descendants: orphans become its children before their parent can be reaped
        }
        let pid = self.pid;
        kill_below(pid, |_| false, || self.reap());
        marked::end(self.terms.mark, KILL_DEADLINE);
        self.watcher = NOT_WATCHED;
    }

    /// Ends the guardian's own processes if no script is left. Returns whether no child is left.
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
            self.take_zygote_answers();
        }
        !system::has_children()
    }
}

fn has_variable(pid: Pid, mark: &[u8]) -> bool {
    let text = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    text.split(|byte| *byte == 0).any(|entry| entry == mark)
}
