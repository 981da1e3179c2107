//! What a task has done with each path, in the order that matters: what it saw before it wrote, and what it wrote.
//!
//! A record keeps the state that the task saw first. Once the task has written a path, what it reads there is its own, and no
//! longer recorded. Python classifies the records when the task has ended (`rt_supervisor/tasks/traces.py`).
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::Write;

use super::places::{State, names_in};

/// The content of a file was read.
pub const READ: u32 = 1;
/// Only what kind of file is there, and its permissions, or that there is nothing.
pub const LOOKED_UP: u32 = 2;
/// The names in a folder were read.
pub const LISTED: u32 = 4;
/// It was opened for writing and kept its content.
pub const OPENED_TO_CHANGE: u32 = 8;
/// Its permissions or owner were set.
pub const ATTRIBUTES_SET: u32 = 16;
/// It was created, replaced, emptied, renamed or removed.
pub const WRITTEN: u32 = 32;
/// The metadata was read, by which programs decide whether a file has changed.
pub const EXAMINED: u32 = 64;
/// A program or its interpreter was executed.
pub const EXECUTED: u32 = 128;

/// Files of the system that do not exist on a disk.
const VOLATILE: [&[u8]; 3] = [b"/proc", b"/sys", b"/dev"];
const MOST_RECORDS: usize = 500_000;
const MOST_OBSTACLES: usize = 20;
const SEPARATOR: u8 = 0;
/// Of an encoded record.
const TYPICAL_BYTES: usize = 128;

#[derive(Debug, Clone, Default)]
pub struct Record {
    pub flags: u32,
    /// What was there first; None for nothing.
    pub first: Option<State>,
    names: Vec<Vec<u8>>,
}

#[derive(Default)]
pub struct Trace {
    pub records: HashMap<Vec<u8>, Record>,
    /// Why the trace may be incomplete.
    obstacles: BTreeSet<Vec<u8>>,
    /// Addresses of sockets that the task itself listens on: paths, and names that begin with a null byte.
    pub bound: HashSet<Vec<u8>>,
    /// The threads whose calls were seen.
    pub threads: HashSet<libc::pid_t>,
}

fn is_volatile(path: &[u8]) -> bool {
    VOLATILE.iter().any(|place| path.strip_prefix(*place).is_some_and(|rest| rest.is_empty() || rest[0] == b'/'))
}

impl Trace {
    /// Records an access to `path` before the task has written it; `state` is what is there.
    pub fn observe(&mut self, path: &[u8], state: Option<&State>, flags: u32) {
        if let Some(record) = self.records.get_mut(path) {
            if record.flags & WRITTEN == 0 {
                record.flags |= flags;
            }
        } else if !is_volatile(path) {
            self.insert(path, state, flags);
        }
    }

    /// Records that the task creates, replaces or removes `path`.
    pub fn write(&mut self, path: &[u8], state: Option<&State>) {
        if let Some(record) = self.records.get_mut(path) {
            record.flags |= WRITTEN;
        } else if !is_volatile(path) {
            self.insert(path, state, WRITTEN);
        }
    }

    /// Records that the names in a folder are read.
    pub fn list(&mut self, path: &[u8], state: Option<&State>) {
        if self.records.get(path).is_some_and(|record| record.flags & LISTED != 0) || is_volatile(path) {
            return;
        }
        let Some(names) = names_in(path) else { return };
        if !self.records.contains_key(path) {
            self.insert(path, state, 0);
        }
        if let Some(record) = self.records.get_mut(path) {
            record.flags |= LISTED;
            record.names = names;
        }
    }

    pub fn has_written(&self, path: &[u8]) -> bool {
        self.records.get(path).is_some_and(|record| record.flags & WRITTEN != 0)
    }

    fn insert(&mut self, path: &[u8], state: Option<&State>, flags: u32) {
        if self.records.len() >= MOST_RECORDS {
            self.obstruct(format!("it uses more than {MOST_RECORDS} files").as_bytes());
        } else {
            self.records.insert(path.to_vec(), Record { flags, first: state.cloned(), names: Vec::new() });
        }
    }

    /// Records why the trace cannot be trusted.
    pub fn obstruct(&mut self, words: &[u8]) {
        if self.obstacles.len() < MOST_OBSTACLES {
            self.obstacles.insert(words.to_vec());
        }
    }

    /// The trace as rows, which `rt_supervisor/tasks/traces.py` reads: the number of obstacles and these, one row for each path, and `end`.
    /// Each field of a row is ended by a null byte, and so is the row. No field is empty: the names of a folder may be missing.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.records.len() * TYPICAL_BYTES);
        put_number(&mut out, self.obstacles.len());
        self.obstacles.iter().for_each(|words| put(&mut out, words));
        out.push(SEPARATOR);
        for (path, record) in &self.records {
            put_number(&mut out, record.flags);
            put(&mut out, path);
            match &record.first {
                Some(first) => {
                    put_number(&mut out, first.inode);
                    put_number(&mut out, first.mode);
                    put_number(&mut out, first.size);
                    put_number(&mut out, first.changed_ns);
                    put_number(&mut out, first.status_changed_ns);
                }
                None => out.extend_from_slice(b"0\x000\x000\x000\x000\0"),
            }
            if !record.names.is_empty() {
                put(&mut out, &record.names.join(&b'/'));
            }
            out.push(SEPARATOR);
        }
        put(&mut out, b"end");
        out.push(SEPARATOR);
        out
    }
}

/// Appends a field, without separators in it.
fn put(out: &mut Vec<u8>, field: &[u8]) {
    if memchr::memchr(SEPARATOR, field).is_none() {
        out.extend_from_slice(field);
    } else {
        out.extend(field.iter().filter(|byte| **byte != SEPARATOR));
    }
    out.push(SEPARATOR);
}

fn put_number(out: &mut Vec<u8>, number: impl std::fmt::Display) {
    let _ = write!(out, "{number}"); // to memory
    out.push(SEPARATOR);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(inode: u64) -> State {
        State { mode: libc::S_IFREG | 0o644, inode, size: 3, changed_ns: 5, status_changed_ns: 7 }
    }

    #[test]
    fn what_is_read_after_it_was_written_is_not_recorded() {
        let mut trace = Trace::default();
        trace.write(b"/w/out", None);
        trace.observe(b"/w/out", Some(&state(1)), READ);
        assert_eq!(trace.records[&b"/w/out"[..]].flags, WRITTEN);
        trace.observe(b"/w/in", Some(&state(2)), LOOKED_UP);
        trace.observe(b"/w/in", Some(&state(3)), READ);
        trace.write(b"/w/in", Some(&state(3)));
        let record = &trace.records[&b"/w/in"[..]];
        assert_eq!((record.flags, record.first.clone()), (LOOKED_UP | READ | WRITTEN, Some(state(2))));
    }

    #[test]
    fn files_of_the_kernel_are_not_recorded() {
        let mut trace = Trace::default();
        trace.observe(b"/proc/self/maps", None, READ);
        trace.write(b"/dev/null", None);
        trace.observe(b"/devices", None, LOOKED_UP);
        assert_eq!(trace.records.keys().collect::<Vec<_>>(), [b"/devices"]);
    }

    #[test]
    fn a_trace_is_encoded_with_its_obstacles() {
        let mut trace = Trace::default();
        trace.obstruct(b"why");
        trace.observe(b"/a", Some(&state(1)), READ);
        let mode = libc::S_IFREG | 0o644;
        let wanted = format!("1\0why\0\x001\0/a\x001\0{mode}\x003\x005\x007\0\0end\0\0");
        assert_eq!(String::from_utf8_lossy(&trace.encode()), wanted);
    }
}
