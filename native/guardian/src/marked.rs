//! Finds and ends all processes that carry a mark, on the whole machine, however they were started and even while they fork.
//!
//! The mark is a value of RLIMIT_LOCKS, a limit that Linux has ignored since 2.4.25 and that every descendant inherits. Pids
//! ascend, so a pass over ascending pids that continues until there is no newer process overtakes a chain of processes in which
//! each one starts the next and exits: checking a pid costs less than starting a process.
//!
//! Without `/proc` (in a bare chroot), the mark of every pid that a process of the run can have is checked.
use std::cell::Cell;
use std::ffi::c_int;
use std::ops::RangeInclusive;
use std::os::fd::IntoRawFd;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::system;
use crate::tree;

const UNMARKED: u64 = libc::RLIM_INFINITY;
/// Bounds a pass on a busy machine.
const MOST_STEPS: usize = 10_000;
const PAUSE: Duration = Duration::from_micros(200);
const WATCHER_DEADLINE: Duration = Duration::from_secs(5);
/// PID_MAX_LIMIT of the kernel.
const LARGEST_PID: i32 = 1 << 22;
const MOST_DESCRIPTORS: libc::rlim_t = 1 << 16;

/// The process that marked itself, and its mark. Its forks inherit both values.
static MARKED: AtomicI32 = AtomicI32::new(0);
static MARK: AtomicU64 = AtomicU64::new(UNMARKED);

/// Returns a random_mark mark.
pub fn random_mark() -> std::io::Result<u64> {
    let mut bytes = [0u8; 8];
    // SAFETY: `bytes` is writable for more than the 7 bytes requested.
    if unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), 7, 0) } != 7 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(u64::from_le_bytes(bytes) | 1 << 56)
}

/// Marks this process and, by inheritance, all processes that it starts from now on. Returns false if the system refuses.
pub fn mark_self(mark: u64) -> bool {
    if mark != UNMARKED {
        MARKED.store(std::process::id() as i32, Ordering::Relaxed);
        MARK.store(mark, Ordering::Relaxed);
    }
    // SAFETY: the structure outlives both calls.
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
    // SAFETY: the structure outlives the call, which only writes to it.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::prlimit(pid, libc::RLIMIT_LOCKS, std::ptr::null(), &mut limit) == 0 {
            return limit.rlim_cur == mark;
        }
        // In a container, root without CAP_SYS_RESOURCE may send signals to another user's process, but not call prlimit on it.
        libc::geteuid() == 0 && *libc::__errno_location() == libc::EPERM && read_mark(pid) == Some(mark)
    }
}

/// Reads the mark of `pid` from `/proc`.
fn read_mark(pid: i32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Max file locks"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns whether `pid` does not exist or is a zombie.
pub fn is_gone(pid: i32) -> bool {
    if let Ok(text) = std::fs::read(format!("/proc/{pid}/stat")) {
        let state = text.iter().rposition(|byte| *byte == b')').and_then(|at| text.get(at + 2));
        return matches!(state, None | Some(b'Z' | b'X'));
    }
    if !tree::send(pid, 0) && system::errno() == libc::ESRCH {
        return true;
    }
    system::pidfd(pid).is_none_or(|end| system::wait_for([end.0], Some(Duration::ZERO))[0]) // a zombie still has a pid
}

/// The living descendants of this process, without /proc: all processes with the mark that it gave itself.
pub fn marked_descendants() -> Vec<i32> {
    let own = std::process::id() as i32;
    if MARKED.load(Ordering::Relaxed) != own {
        return Vec::new();
    }
    let (mark, newest) = (MARK.load(Ordering::Relaxed), LastPid::new().get().unwrap_or(LARGEST_PID));
    candidate_pids(newest).filter(|pid| *pid != own && has_mark(*pid, mark) && !is_gone(*pid)).collect()
}

/// The pids that processes of this run can have, if `newest` is the last pid that was assigned.
fn candidate_pids(newest: i32) -> RangeInclusive<i32> {
    let first = MARKED.load(Ordering::Relaxed).max(2);
    if newest >= first { first..=newest } else { 2..=LARGEST_PID }
}

/// How the last assigned pid is obtained: from /proc/loadavg, or by starting a thread.
enum LastPid {
    Reported(std::fs::File),
    Probed,
}

impl LastPid {
    fn new() -> LastPid {
        std::fs::File::open("/proc/loadavg").map_or(LastPid::Probed, LastPid::Reported)
    }

    fn get(&self) -> Option<i32> {
        match self {
            LastPid::Reported(file) => {
                let mut text = [0; 128];
                let size = file.read_at(&mut text, 0).ok()?;
                std::str::from_utf8(&text[..size]).ok()?.split_whitespace().next_back()?.parse().ok()
            }
            // SAFETY: it only returns a number.
            LastPid::Probed => std::thread::Builder::new().spawn(|| unsafe { libc::gettid() }).ok()?.join().ok(),
        }
    }

    /// By how much a query raises the pid.
    fn step(&self) -> i32 {
        matches!(self, LastPid::Probed).into()
    }
}

/// Sends `signal` to every living process with `mark` except this one, and returns how many there were. Processes of the group
/// `outside_group` are only counted. After SIGTERM, the processes are continued, because a stopped process cannot handle it.
pub fn sweep(mark: u64, signal: i32, outside_group: i32) -> usize {
    let own = std::process::id() as i32;
    let count = Cell::new(0);
    let visit = |pid: i32| {
        if pid == own || !has_mark(pid, mark) || is_gone(pid) {
            return;
        }
        count.set(count.get() + 1);
        // SAFETY: the calls only take numbers. They fail without effect if the process has ended.
        unsafe {
            if outside_group == 0 || libc::getpgid(pid) != outside_group {
                libc::kill(pid, signal);
                if signal == libc::SIGTERM {
                    libc::kill(pid, libc::SIGCONT);
                }
            }
        }
    };
    let newest = LastPid::new();
    let before = newest.get();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut pids: Vec<i32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    pids.sort_unstable();
    if pids.is_empty() {
        candidate_pids(before.unwrap_or(LARGEST_PID)).for_each(visit);
    }
    pids.into_iter().for_each(visit);
    if let Some(mut seen) = before {
        for _ in 0..MOST_STEPS {
            match newest.get() {
                Some(now) if now > seen + newest.step() => {
                    (seen + 1..=now).for_each(visit);
                    seen = now;
                }
                Some(now) if now >= seen => break,
                _ => {
                    count.set(count.get() + 1); // pids have wrapped around: makes the caller sweep again
                    break;
                }
            }
        }
    }
    count.get()
}

/// Kills every process with `mark`, repeatedly until none is found. Returns false if some remain after `deadline`.
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

/// The body of the process that `watch_over` forks.
///
/// # Safety
/// Must be called in the child of a fork: it closes inherited descriptors and never returns.
unsafe fn watch(rt: i32, guardian: i32, mark: u64) -> ! {
    // SAFETY: the calls take numbers, and structures that outlive them.
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
        end(mark, WATCHER_DEADLINE); // a process may have been about to start
        libc::_exit(0)
    }
}

/// Closes the descriptors from `first` to `last`.
fn close_all(first: c_int, last: c_int) {
    let first = first.max(0);
    if first > last {
        return;
    }
    // SAFETY: the caller does not use these descriptors afterwards.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, last, 0) != 0 {
            for descriptor in first..=last.min(descriptor_limit()) {
                libc::close(descriptor);
            }
        }
    }
}

/// An upper bound of the descriptors that are open now.
fn descriptor_limit() -> i32 {
    let open = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let most = open.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok()).max();
    most.map_or_else(most_possible_descriptors, |most| most + 1)
}

fn most_possible_descriptors() -> i32 {
    // SAFETY: `limit` outlives the call, which fills it.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        limit.rlim_cur.min(MOST_DESCRIPTORS) as i32
    }
}

/// Forks a process that ends every process with `mark` once both `rt` and this process have ended. Returns its pid.
pub fn watch_over(rt: i32, mark: u64) -> std::io::Result<i32> {
    let guardian = std::process::id() as i32;
    // SAFETY: the child uses no lock except the allocator's, which the C library resets in the child, and never returns.
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
