//! Processes that carry a mark: found over the whole machine, however they were started, and ended faster than they fork.
//!
//! The mark is a value of RLIMIT_LOCKS, a limit that no kernel has looked at since 2.4.25; every descendant inherits it.
//! Numbers of processes ascend, so one pass upwards that goes on until there is no newer process overtakes a chain in
//! which each process starts the next one and ends: asking one number costs less than starting one process.
//!
//! Where `/proc` is missing (a bare chroot) every number that a process of the run can have is asked for its mark.
use std::cell::Cell;
use std::ffi::c_int;
use std::ops::RangeInclusive;
use std::os::fd::IntoRawFd;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::system;

const UNMARKED: u64 = libc::RLIM_INFINITY;
/// However busy the machine, a pass ends.
const MOST_STEPS: usize = 10_000;
const PAUSE: Duration = Duration::from_micros(200);
const WATCHER_DEADLINE: Duration = Duration::from_secs(5);
/// PID_MAX_LIMIT of the kernel.
const LARGEST_NUMBER: i32 = 1 << 22;
const MOST_DESCRIPTORS: libc::rlim_t = 1 << 16;

/// Which process marked itself, and with what: its forks know, too.
static MARKED: AtomicI32 = AtomicI32::new(0);
static MARK: AtomicU64 = AtomicU64::new(UNMARKED);

/// A mark that no other run has.
pub fn random() -> std::io::Result<u64> {
    let mut bytes = [0u8; 8];
    // SAFETY: at most as many bytes are written as the buffer has.
    if unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), 7, 0) } != 7 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(u64::from_le_bytes(bytes) | 1 << 56)
}

/// Mark this process, and so all that it starts from now on. False where the system does not allow it.
pub fn mark_self(mark: u64) -> bool {
    if mark != UNMARKED {
        MARKED.store(std::process::id() as i32, Ordering::Relaxed);
        MARK.store(mark, Ordering::Relaxed);
    }
    // SAFETY: the structure lives through both calls.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_LOCKS, &mut limit) != 0 {
            return false;
        }
        limit.rlim_cur = mark.min(limit.rlim_max);
        limit.rlim_cur == mark && libc::setrlimit(libc::RLIMIT_LOCKS, &limit) == 0
    }
}

fn has_mark(pid: i32, mark: u64) -> bool {
    // SAFETY: the structure lives through the call, which only writes to it.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::prlimit(pid, libc::RLIMIT_LOCKS, std::ptr::null(), &mut limit) == 0 {
            return limit.rlim_cur == mark;
        }
        // Root without CAP_SYS_RESOURCE, as in a container, may signal another user's process, but not call prlimit on it.
        libc::geteuid() == 0 && *libc::__errno_location() == libc::EPERM && written_mark(pid) == Some(mark)
    }
}

/// The mark of `pid` as `/proc` tells it.
fn written_mark(pid: i32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Max file locks"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Whether `pid` does not exist or is a zombie.
pub fn is_gone(pid: i32) -> bool {
    if let Ok(text) = std::fs::read(format!("/proc/{pid}/stat")) {
        let state = text.iter().rposition(|byte| *byte == b')').and_then(|at| text.get(at + 2));
        return matches!(state, None | Some(b'Z' | b'X'));
    }
    // SAFETY: a plain call on numbers.
    if unsafe { libc::kill(pid, 0) } != 0 && system::errno() == libc::ESRCH {
        return true;
    }
    system::pidfd(pid).is_none_or(|end| system::wait_for([end.0], Some(Duration::ZERO))[0]) // a zombie exists, too
}

/// The living processes below this one where /proc cannot tell: those that carry the mark that it gave itself.
pub fn below_self() -> Vec<i32> {
    let own = std::process::id() as i32;
    if MARKED.load(Ordering::Relaxed) != own {
        return Vec::new();
    }
    let (mark, newest) = (MARK.load(Ordering::Relaxed), Newest::new().get().unwrap_or(LARGEST_NUMBER));
    possible_numbers(newest).filter(|pid| *pid != own && has_mark(*pid, mark) && !is_gone(*pid)).collect()
}

/// Every number that a process of this run can have, where the last one given is `newest`.
fn possible_numbers(newest: i32) -> RangeInclusive<i32> {
    let first = MARKED.load(Ordering::Relaxed).max(2);
    if newest >= first { first..=newest } else { 2..=LARGEST_NUMBER }
}

/// The number that the last new process or thread got: from the system, or by starting a thread.
enum Newest {
    Told(std::fs::File),
    Tried,
}

impl Newest {
    fn new() -> Newest {
        std::fs::File::open("/proc/loadavg").map_or(Newest::Tried, Newest::Told)
    }

    fn get(&self) -> Option<i32> {
        match self {
            Newest::Told(file) => {
                let mut text = [0; 128];
                let size = file.read_at(&mut text, 0).ok()?;
                std::str::from_utf8(&text[..size]).ok()?.split_whitespace().next_back()?.parse().ok()
            }
            // SAFETY: it only returns a number.
            Newest::Tried => std::thread::Builder::new().spawn(|| unsafe { libc::gettid() }).ok()?.join().ok(),
        }
    }

    /// By how much asking raises the number.
    fn step(&self) -> i32 {
        matches!(self, Newest::Tried).into()
    }
}

/// Send `signal` to every living process with `mark` but this one; how many there were. Those of the process group
/// `outside_group` are only counted. After SIGTERM they are continued: a stopped one could not act.
pub fn sweep(mark: u64, signal: i32, outside_group: i32) -> usize {
    let own = std::process::id() as i32;
    let count = Cell::new(0);
    let look = |pid: i32| {
        if pid == own || !has_mark(pid, mark) || is_gone(pid) {
            return;
        }
        count.set(count.get() + 1);
        // SAFETY: plain calls; a process that has gone is ignored.
        unsafe {
            if outside_group == 0 || libc::getpgid(pid) != outside_group {
                libc::kill(pid, signal);
                if signal == libc::SIGTERM {
                    libc::kill(pid, libc::SIGCONT);
                }
            }
        }
    };
    let newest = Newest::new();
    let before = newest.get();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut pids: Vec<i32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    pids.sort_unstable();
    if pids.is_empty() {
        possible_numbers(before.unwrap_or(LARGEST_NUMBER)).for_each(look);
    }
    pids.into_iter().for_each(look);
    if let Some(mut seen) = before {
        for _ in 0..MOST_STEPS {
            match newest.get() {
                Some(now) if now > seen + newest.step() => {
                    (seen + 1..=now).for_each(look);
                    seen = now;
                }
                Some(now) if now >= seen => break,
                _ => {
                    count.set(count.get() + 1); // process numbers have wrapped around: the caller looks again
                    break;
                }
            }
        }
    }
    count.get()
}

pub fn end(mark: u64, deadline: Duration) -> bool {
    let start = Instant::now();
    loop {
        if sweep(mark, libc::SIGKILL, 0) == 0 {
            return true;
        }
        if start.elapsed() > deadline {
            return false;
        }
        std::thread::sleep(PAUSE);
    }
}

/// The whole life of the process that `watch_over` forks.
///
/// # Safety
/// In the child of a fork only: it closes what it inherited and never returns.
unsafe fn watch(rt: i32, guardian: i32, mark: u64) -> ! {
    // SAFETY: plain calls on numbers and on structures that live through them.
    unsafe {
        libc::setsid();
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
        let [rt, guardian] = [rt, guardian].map(|pid| system::pidfd(pid).map_or(-1, IntoRawFd::into_raw_fd));
        let (low, high) = (rt.min(guardian), rt.max(guardian));
        close_all(0, low - 1);
        close_all(low + 1, high - 1);
        close_all(high + 1, c_int::MAX);
        for descriptor in [rt, guardian].into_iter().filter(|descriptor| *descriptor >= 0) {
            system::wait_for([descriptor], None);
        }
        end(mark, WATCHER_DEADLINE);
        std::thread::sleep(Duration::from_millis(5));
        end(mark, WATCHER_DEADLINE); // once more, for what was just being started
        libc::_exit(0)
    }
}

/// Close the descriptors from `first` to `last`.
fn close_all(first: c_int, last: c_int) {
    let first = first.max(0);
    if first > last {
        return;
    }
    // SAFETY: the caller uses none of them any more.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, last, 0) != 0 {
            for descriptor in first..=last.min(descriptor_limit()) {
                libc::close(descriptor);
            }
        }
    }
}

/// No descriptor that is open now is above this.
fn descriptor_limit() -> i32 {
    let open = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let most = open.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok()).max();
    most.map_or_else(most_descriptors, |most| most + 1)
}

fn most_descriptors() -> i32 {
    // SAFETY: fills the structure, which lives through the call.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        limit.rlim_cur.min(MOST_DESCRIPTORS) as i32
    }
}

/// Fork a process that ends everything with `mark` once both `rt` and this process are gone; its pid.
pub fn watch_over(rt: i32, mark: u64) -> std::io::Result<i32> {
    let guardian = std::process::id() as i32;
    // SAFETY: the child uses no lock but the allocator's, which the C library makes ready for it, and never returns.
    let pid = unsafe { libc::fork() };
    match pid {
        0 => {
            mark_self(UNMARKED);
            // SAFETY: this is the child.
            unsafe { watch(rt, guardian, mark) }
        }
        -1 => Err(std::io::Error::last_os_error()),
        _ => Ok(pid),
    }
}
