//! The scripts that the guardian knows, by key and by pid, and the children that have ended.
//!
//! A worker of a zygote may end before its start has been reported; its end is stored until then.
use std::collections::HashMap;
use std::ffi::c_int;
use std::time::Instant;

use crate::system::{self, End, Reaped};
use crate::tree::Pid;

/// RUNNING --its process ended--> ENDED --its leftovers received a signal--> LEAVING
/// ENDED, LEAVING --no process of it is alive--> (removed)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Running,
    Ended(End),
    /// When its leftovers are killed.
    Leaving(End, Instant),
}

#[derive(Debug, Clone)]
pub struct Script {
    pub key: u32,
    pub pid: Pid,
    pub state: State,
    /// The last ending signal sent to its group.
    pub ending_signal: Option<c_int>,
    /// Its leftovers get SIGKILL immediately.
    pub is_condemned: bool,
}

/// All scripts that have not been removed.
#[derive(Default)]
pub struct Scripts {
    by_key: HashMap<u32, Script>,
    by_pid: HashMap<Pid, u32>,
    /// Scripts whose process has ended, in that order.
    over: Vec<u32>,
    unknown_ends: HashMap<Pid, End>,
}

impl Scripts {
    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    pub fn add(&mut self, key: u32, pid: Pid) {
        self.by_key.insert(key, Script { key, pid, state: State::Running, ending_signal: None, is_condemned: false });
        match self.unknown_ends.remove(&pid) {
            Some(end) => self.record_end(key, end),
            None => drop(self.by_pid.insert(pid, key)),
        }
    }

    pub fn get(&mut self, key: u32) -> Option<&mut Script> {
        self.by_key.get_mut(&key)
    }

    /// The key of script `key` if it exists; without a key, all keys.
    pub fn select(&self, key: Option<u32>) -> Vec<u32> {
        match key {
            Some(key) => self.by_key.get(&key).map(|script| script.key).into_iter().collect(),
            None => self.by_key.keys().copied().collect(),
        }
    }

    /// The scripts whose process has ended.
    pub fn ended(&self) -> Vec<Script> {
        self.over.iter().filter_map(|key| self.by_key.get(key)).cloned().collect()
    }

    pub fn remove(&mut self, key: u32) {
        self.by_key.remove(&key);
        self.over.retain(|each| *each != key);
    }

    /// Returns whether `pid` is the process of a running script.
    pub fn is_running(&self, pid: Pid) -> bool {
        self.by_pid.contains_key(&pid)
    }

    /// The ends of children that are not known to be scripts.
    pub fn unknown_ends(&self) -> &HashMap<Pid, End> {
        &self.unknown_ends
    }

    /// Discards the ends of unknown children: no start is in progress, so they were not scripts.
    pub fn discard_unknown_ends(&mut self) {
        self.unknown_ends.clear();
    }

    /// Reaps all children that have ended, and returns those that are not known scripts. With `is_starting`, an unknown child
    /// may still turn out to be a script, so its end is stored.
    pub fn reap(&mut self, is_starting: bool) -> Vec<Pid> {
        let mut strangers = Vec::new();
        while let Reaped::Ended(pid, end) = system::reap() {
            match self.by_pid.remove(&pid) {
                Some(key) => self.record_end(key, end),
                None => {
                    strangers.push(pid);
                    if is_starting {
                        self.unknown_ends.insert(pid, end);
                    }
                }
            }
        }
        strangers
    }

    fn record_end(&mut self, key: u32, end: End) {
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
    fn a_script_that_ended_before_it_was_known_has_an_end() {
        let mut scripts = Scripts::default();
        scripts.unknown_ends.insert(17, END);
        scripts.add(1, 17);
        assert_eq!(scripts.ended().first().map(|script| script.state), Some(State::Ended(END)));
        assert!(!scripts.is_running(17));
        assert!(scripts.unknown_ends().is_empty());
    }

    #[test]
    fn a_removed_script_is_unknown() {
        let mut scripts = Scripts::default();
        scripts.add(1, 17);
        scripts.add(2, 18);
        assert!(scripts.is_running(17));
        scripts.by_pid.remove(&17);
        scripts.record_end(1, END);
        assert_eq!(scripts.ended().len(), 1);
        scripts.remove(1);
        assert_eq!((scripts.len(), scripts.ended().len(), scripts.select(None)), (1, 0, vec![2]));
        assert_eq!((scripts.select(Some(1)), scripts.select(Some(2))), (vec![], vec![2]));
    }
}
