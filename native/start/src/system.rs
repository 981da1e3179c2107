//! The few system calls that foreground and guardian share: a channel, waiting for descriptors, ends of children.
use std::ffi::{c_int, c_void};
use std::io::{Error, Result};
use std::time::{Duration, Instant};

use crate::protocol::{RECORD_BYTES, Record};
use crate::terminal::Opened;
use crate::tree::Pid;

/// Make this process the one that orphans of its descendants are handed to.
pub fn become_subreaper() -> Result<()> {
    // SAFETY: prctl with this option reads only its integer arguments.
    let result = unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
    if result == 0 { Ok(()) } else { Err(Error::last_os_error()) }
}

/// Both ends of a channel of records.
pub fn channel() -> Result<(Opened, Opened)> {
    let mut ends = [0; 2];
    let kind = libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC;
    // SAFETY: fills the two numbers.
    let result = unsafe { libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) };
    if result == 0 { Ok((Opened(ends[0]), Opened(ends[1]))) } else { Err(Error::last_os_error()) }
}

/// Send one record; false when nobody is left to read it.
pub fn send(channel: &Opened, record: Record) -> bool {
    // SAFETY: reads as many bytes as the record has.
    let sent = unsafe { libc::send(channel.0, record.as_ptr().cast::<c_void>(), RECORD_BYTES, libc::MSG_NOSIGNAL) };
    sent == RECORD_BYTES as isize
}

/// Wait for one record; None when the other end is closed.
pub fn receive(channel: &Opened) -> Option<Record> {
    let mut record = [0; RECORD_BYTES];
    (channel.read(&mut record) == RECORD_BYTES).then_some(record)
}

/// Wait until one of the descriptors is readable or closed, as long as `patience` (None: for ever); which are.
pub fn wait_for<const N: usize>(descriptors: [c_int; N], patience: Option<Duration>) -> [bool; N] {
    let end = patience.map(|patience| Instant::now() + patience);
    let mut entries = descriptors.map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    loop {
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        let left_ms = left.map_or(-1, |left| c_int::try_from(left.as_micros().div_ceil(1000)).unwrap_or(c_int::MAX));
        // SAFETY: the entries live through the call.
        let count = unsafe { libc::poll(entries.as_mut_ptr(), N as libc::nfds_t, left_ms) };
        if count > 0 {
            return entries.map(|entry| entry.revents != 0);
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            return [false; N];
        }
    }
}

/// A descriptor that is readable once the process has ended.
pub fn pidfd(pid: Pid) -> Option<Opened> {
    // SAFETY: makes a descriptor, or fails for a process that is gone.
    let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    c_int::try_from(descriptor).ok().filter(|descriptor| *descriptor >= 0).map(Opened)
}

/// What `reap` finds.
pub enum Reaped {
    Ended(Pid, c_int),
    AllRun,
    NoChildren,
}

/// Collect one ended child (of any number with -1) without waiting for one.
pub fn reap(pid: Pid) -> Reaped {
    let mut status = 0;
    // SAFETY: writes one number.
    match unsafe { libc::waitpid(pid, &mut status, libc::WNOHANG) } {
        0 => Reaped::AllRun,
        ended if ended > 0 => Reaped::Ended(ended, status),
        _ => Reaped::NoChildren,
    }
}

/// Wait for the end of a child; it may have been collected already.
pub fn wait_for_end(pid: Pid) {
    // SAFETY: writes nothing.
    unsafe { while libc::waitpid(pid, std::ptr::null_mut(), 0) < 0 && errno() == libc::EINTR {} }
}

pub fn errno() -> c_int {
    Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// This process's environment as the interpreter reads it: what has no `=` is no variable, the first of two counts.
pub fn environment() -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut names = std::collections::HashSet::new();
    let pairs = std::iter::successors(Some(0), |place| Some(place + 1)).map_while(environment_entry);
    let pairs = pairs.filter_map(|entry| {
        let at = entry.iter().position(|byte| *byte == b'=')?;
        Some((entry[..at].to_vec(), entry[at + 1..].to_vec()))
    });
    pairs.filter(|(name, _)| names.insert(name.clone())).collect()
}

fn environment_entry(place: usize) -> Option<&'static [u8]> {
    unsafe extern "C" {
        static environ: *const *const std::ffi::c_char;
    }
    // SAFETY: an array of C strings that ends with a null pointer; no other thread changes it meanwhile, since rt sets
    // variables from its only Python thread, which is here.
    unsafe {
        if environ.is_null() || (*environ.add(place)).is_null() {
            return None;
        }
        Some(std::ffi::CStr::from_ptr(*environ.add(place)).to_bytes())
    }
}
