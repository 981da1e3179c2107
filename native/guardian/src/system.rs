//! System calls that several modules share: channels, polling, and reaping children.
use std::ffi::{c_int, c_short, c_void};
use std::fs::File;
use std::io::{Error, Result, Write};
use std::os::fd::{FromRawFd, IntoRawFd};
use std::time::{Duration, Instant};

use crate::terminal::Opened;
use crate::tree::Pid;
use rt_wire::frames::{LARGEST, LENGTH_BYTES};

/// The system's description of an error, without its number.
pub fn error_text(error: &Error) -> String {
    error.to_string().split(" (os error").next().unwrap_or_default().to_owned()
}

/// Makes sure that descriptors 0 to 2 are open, so that no other file gets one of these numbers.
pub fn open_standard_streams() {
    let mut entries = [0, 1, 2].map(|fd| libc::pollfd { fd, events: 0, revents: 0 });
    // SAFETY: the entries outlive the call; `open` returns the lowest free descriptor.
    unsafe {
        libc::poll(entries.as_mut_ptr(), 3, 0);
        for _ in entries.iter().filter(|entry| entry.revents & libc::POLLNVAL != 0) {
            libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        }
    }
}

/// Makes this process the subreaper of its descendants.
pub fn become_subreaper() -> Result<()> {
    // SAFETY: prctl with this option only reads its integer arguments.
    let result = unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
    if result == 0 { Ok(()) } else { Err(Error::last_os_error()) }
}

/// Creates both ends of a channel: a stream, or a socket that preserves message boundaries.
pub fn channel(kind: c_int) -> Result<(Opened, Opened)> {
    let mut ends = [0; 2];
    // SAFETY: the call fills the two numbers.
    let result = unsafe { libc::socketpair(libc::AF_UNIX, kind | libc::SOCK_CLOEXEC, 0, ends.as_mut_ptr()) };
    if result == 0 { Ok((Opened(ends[0]), Opened(ends[1]))) } else { Err(Error::last_os_error()) }
}

/// Creates a pipe: its read end and its write end.
pub fn pipe(flags: c_int) -> Result<(Opened, Opened)> {
    let mut ends = [0; 2];
    // SAFETY: the call fills the two numbers.
    let result = unsafe { libc::pipe2(ends.as_mut_ptr(), flags | libc::O_CLOEXEC) };
    if result == 0 { Ok((Opened(ends[0]), Opened(ends[1]))) } else { Err(Error::last_os_error()) }
}

/// Creates a file in memory that holds `bytes`.
pub fn memory_file(bytes: &[u8]) -> Result<Opened> {
    // SAFETY: creates a descriptor or fails.
    let made = unsafe { libc::memfd_create(c"rt".as_ptr(), libc::MFD_CLOEXEC) };
    if made < 0 {
        return Err(Error::last_os_error());
    }
    // SAFETY: the descriptor was just created, so the file is its only owner.
    let mut file = unsafe { File::from_raw_fd(made) };
    file.write_all(bytes)?;
    Ok(Opened(file.into_raw_fd()))
}

/// Sends all of `bytes`. Returns false if the other end is closed.
pub fn send(channel: &Opened, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        // SAFETY: `bytes` is readable for `bytes.len()` bytes.
        let sent = unsafe { libc::send(channel.0, bytes.as_ptr().cast::<c_void>(), bytes.len(), libc::MSG_NOSIGNAL) };
        match usize::try_from(sent) {
            Ok(sent) => bytes = &bytes[sent..],
            Err(_) if errno() == libc::EINTR => {}
            Err(_) => return false,
        }
    }
    true
}

/// Writes once. Returns how many bytes were written.
pub fn write(descriptor: c_int, bytes: &[u8]) -> Result<usize> {
    // SAFETY: `bytes` is readable for `bytes.len()` bytes.
    let written = unsafe { libc::write(descriptor, bytes.as_ptr().cast::<c_void>(), bytes.len()) };
    usize::try_from(written).map_err(|_| Error::last_os_error())
}

/// Polls once, for at most `left_ms` (-1: forever). Returns how many entries have events.
pub fn poll(entries: &mut [libc::pollfd], left_ms: c_int) -> usize {
    // SAFETY: the entries outlive the call.
    let count = unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, left_ms) };
    usize::try_from(count).unwrap_or(0)
}

/// Waits for one frame and returns its message; None if the other end is closed or sent something other than a frame.
pub fn receive(channel: &Opened) -> Option<Vec<u8>> {
    let mut head = [0; LENGTH_BYTES];
    read_whole(channel, &mut head)?;
    let length = u32::from_le_bytes(head) as usize;
    if length > LARGEST {
        return None;
    }
    let mut message = vec![0; length];
    read_whole(channel, &mut message)?;
    Some(message)
}

fn read_whole(channel: &Opened, mut room: &mut [u8]) -> Option<()> {
    while !room.is_empty() {
        match channel.read(room) {
            0 => return None,
            count => room = &mut room[count..],
        }
    }
    Some(())
}

/// Waits until one of the descriptors is readable or closed, for at most `patience` (None: forever). Returns which are.
pub fn wait_for<const N: usize>(descriptors: [c_int; N], patience: Option<Duration>) -> [bool; N] {
    wait_for_events(descriptors.map(|fd| (fd, libc::POLLIN)), patience).map(|found| found != 0)
}

/// As `wait_for`, for other events of `poll` too. Returns those that each descriptor has.
pub fn wait_for_events<const N: usize>(wanted: [(c_int, c_short); N], patience: Option<Duration>) -> [c_short; N] {
    let end = patience.map(|patience| Instant::now() + patience);
    let mut entries = wanted.map(|(fd, events)| libc::pollfd { fd, events, revents: 0 });
    loop {
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        let left_ms = left.map_or(-1, |left| c_int::try_from(left.as_micros().div_ceil(1000)).unwrap_or(c_int::MAX));
        if poll(&mut entries, left_ms) > 0 {
            return entries.map(|entry| entry.revents);
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            return [0; N];
        }
    }
}

/// A descriptor that becomes readable when the process has ended.
pub fn pidfd(pid: Pid) -> Option<Opened> {
    // SAFETY: creates a descriptor, or fails if the process does not exist.
    let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    c_int::try_from(descriptor).ok().filter(|descriptor| *descriptor >= 0).map(Opened)
}

/// The monotonic clock in seconds, as Python's `time.monotonic` reads it.
pub fn monotonic_s() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure outlives the call, which fills it.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

/// How a child ended: its wait status, CPU time and peak memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    pub status: c_int,
    pub cpu_us: u64,
    pub peak_bytes: u64,
}

/// The result of `reap`.
pub enum Reaped {
    Ended(Pid, End),
    AllRun,
    NoChildren,
}

/// Reaps one ended child, without waiting.
pub fn reap() -> Reaped {
    let mut status = 0;
    // SAFETY: the call writes one number and fills the structure, which is plain data.
    let (pid, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(-1, &mut status, libc::WNOHANG, &mut usage), usage)
    };
    match pid {
        0 => Reaped::AllRun,
        ended if ended > 0 => {
            let cpu_us = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
            Reaped::Ended(ended, End { status, cpu_us, peak_bytes: usage.ru_maxrss as u64 * 1024 })
        }
        _ => Reaped::NoChildren,
    }
}

pub fn microseconds(time: libc::timeval) -> u64 {
    time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64
}

/// Returns whether there are children, running or ended. Does not reap any.
pub fn has_children() -> bool {
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: the structure outlives the call, which fills it.
    unsafe {
        let mut about: libc::siginfo_t = std::mem::zeroed();
        libc::waitid(libc::P_ALL, 0, &mut about, options) == 0 || errno() != libc::ECHILD
    }
}

/// The soft limit on descriptors; None if there is none.
pub fn descriptor_limit() -> Option<u64> {
    // SAFETY: the structure outlives the call, which fills it.
    let limit = unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        limit.rlim_cur
    };
    (limit != libc::RLIM_INFINITY).then_some(limit)
}

/// The soft limit on address space in bytes; None if there is none.
pub fn address_limit() -> Option<u64> {
    // SAFETY: the structure outlives the call, which fills it.
    let limit = unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_AS, &mut limit);
        limit.rlim_cur
    };
    (limit != libc::RLIM_INFINITY).then_some(limit)
}

/// Waits for the end of a child, which may have been reaped already.
pub fn wait_for_end(pid: Pid) {
    // SAFETY: the null pointer means that no status is written.
    unsafe { while libc::waitpid(pid, std::ptr::null_mut(), 0) < 0 && errno() == libc::EINTR {} }
}

/// The version of the kernel, such as (6, 11); (0, 0) if it is not known.
pub fn kernel_version() -> (u32, u32) {
    // SAFETY: the call fills the structure, whose strings end with a null byte.
    let release = unsafe {
        let mut about: libc::utsname = std::mem::zeroed();
        libc::uname(&mut about);
        std::ffi::CStr::from_ptr(about.release.as_ptr()).to_string_lossy().into_owned()
    };
    let mut numbers = release.split(|each: char| !each.is_ascii_digit()).map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

pub fn errno() -> c_int {
    Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// This process's environment as the interpreter reads it: without entries that have no `=`, and with the first of duplicates.
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
    // SAFETY: `environ` is an array of C strings that ends with a null pointer. No other thread changes it meanwhile, because
    // only rt's Python thread, which is this one, sets variables.
    unsafe {
        if environ.is_null() || (*environ.add(place)).is_null() {
            return None;
        }
        Some(std::ffi::CStr::from_ptr(*environ.add(place)).to_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_children_reaps_nothing() {
        // SAFETY: the child exits immediately.
        let pid = unsafe {
            let pid = libc::fork();
            if pid == 0 {
                libc::_exit(3);
            }
            pid
        };
        while !crate::tree::is_gone(pid) {}
        assert!(has_children());
        let mut status = 0;
        // SAFETY: the call writes one number.
        assert_eq!(unsafe { libc::waitpid(pid, &mut status, 0) }, pid);
        assert_eq!(libc::WEXITSTATUS(status), 3);
    }
}
