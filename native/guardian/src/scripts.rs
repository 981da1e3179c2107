//! The scripts that the guardian knows, by key and by the pid of their process, and the children that have ended.
//!
//! A worker of a zygote may end before its start has been reported: its end is kept until then.
use std::collections::HashMap;
use std::ffi::c_int;
use std::time::Instant;

use crate::system::{self, End, Reaped};
use crate::tree::Pid;

/// RUNNING --its process ended--> ENDED --its leftovers were asked to end--> LEAVING
/// ENDED, LEAVING --nothing of it is alive--> (forgotten)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Running,
    Ended(End),
    /// Until when its leftovers may live.
    Leaving(End, Instant),
}

#[derive(Debug, Clone)]
pub struct Script {
    pub key: u32,
    pub pid: Pid,
    pub state: State,
    /// The last ending signal that was sent to its group.
    pub told: Option<c_int>,
    /// Its leftovers get SIGKILL at once.
    pub is_condemned: bool,
}

/// All scripts that have not been forgotten.
#[derive(Default)]
pub struct Scripts {
    by_key: HashMap<u32, Script>,
    by_pid: HashMap<Pid, u32>,
    /// Scripts whose process has ended, in the order of their ends.
    over: Vec<u32>,
    early: HashMap<Pid, End>,
}

impl Scripts {
    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    pub fn add(&mut self, key: u32, pid: Pid) {
        self.by_key.insert(key, Script { key, pid, state: State::Running, told: None, is_condemned: false });
        match self.early.remove(&pid) {
            Some(end) => self.note_end(key, end),
            None => drop(self.by_pid.insert(pid, key)),
        }
    }

    pub fn get(&mut self, key: u32) -> Option<&mut Script> {
        self.by_key.get_mut(&key)
    }

    /// The key of script `key` if it exists, or the keys of all.
    pub fn chosen(&self, key: Option<u32>) -> Vec<u32> {
        match key {
            Some(key) => self.by_key.get(&key).map(|script| script.key).into_iter().collect(),
            None => self.by_key.keys().copied().collect(),
        }
    }

    /// The scripts whose process is gone.
    pub fn over(&self) -> Vec<Script> {
        self.over.iter().filter_map(|key| self.by_key.get(key)).cloned().collect()
    }

    pub fn forget(&mut self, key: u32) {
        self.by_key.remove(&key);
        self.over.retain(|each| *each != key);
    }

    /// Returns whether `pid` is the process of a running script.
    pub fn is_running(&self, pid: Pid) -> bool {
        self.by_pid.contains_key(&pid)
    }

    /// The ends of children that are not known as scripts.
    pub fn early(&self) -> &HashMap<Pid, End> {
        &self.early
    }

    /// No start is under way any more: children that ended unknown were not scripts.
    pub fn forget_early(&mut self) {
        self.early.clear();
    }

    /// Reaps all children that have ended, and returns those that are not known scripts. With `is_starting`, an unknown child may
    /// still be a script, so its end is kept.
    pub fn reap(&mut self, is_starting: bool) -> Vec<Pid> {
        let mut strangers = Vec::new();
        while let Reaped::Ended(pid, end) = system::reap() {
            match self.by_pid.remove(&pid) {
                Some(key) => self.note_end(key, end),
                None => {
                    strangers.push(pid);
                    if is_starting {
                        self.early.insert(pid, end);
                    }
                }
            }
        }
        strangers
    }

    fn note_end(&mut self, key: u32, end: End) {
        if let Some(script) = self.by_key.get_mut(&key) {
            script.state = State::Ended(end);
            self.over.push(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: End = End { status: 0x100, cpu_us: 5, peak_bytes: 7 };

    #[test]
    fn one_that_ended_before_it_was_known_has_its_end() {
        let mut scripts = Scripts::default();
        scripts.early.insert(17, END);
        scripts.add(1, 17);
        assert_eq!(scripts.over().first().map(|script| script.state), Some(State::Ended(END)));
        assert!(!scripts.is_running(17));
        assert!(scripts.early().is_empty());
    }

    #[test]
    fn what_is_forgotten_is_gone() {
        let mut scripts = Scripts::default();
        scripts.add(1, 17);
        scripts.add(2, 18);
        assert!(scripts.is_running(17));
        scripts.by_pid.remove(&17);
        scripts.note_end(1, END);
        assert_eq!(scripts.over().len(), 1);
        scripts.forget(1);
        assert_eq!((scripts.len(), scripts.over().len(), scripts.chosen(None)), (1, 0, vec![2]));
        assert_eq!((scripts.chosen(Some(1)), scripts.chosen(Some(2))), (vec![], vec![2]));
    }
}
