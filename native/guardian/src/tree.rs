//! Which processes descend from one, and how to end them all so that none escapes by forking.
//!
//! Reads `/proc`; without it, all that carry the mark of this process count as its children. All are stopped before any is
//! killed, so that none starts children meanwhile, and the walk repeats until it finds nothing new.
use std::collections::HashSet;
use std::ffi::c_int;
use std::fs::read_dir;
use std::time::{Duration, Instant};

use crate::marked;
pub use crate::marked::is_gone;

pub use rt_wire::protocol::Pid;

const DEADLINE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(1);

/// The children of `pid`, zombies included; none when it is gone.
pub fn children_of(pid: Pid) -> Vec<Pid> {
    let Ok(threads) = read_dir(format!("/proc/{pid}/task")) else {
        return if pid == std::process::id() as Pid { marked::below_self() } else { Vec::new() };
    };
    let lists = threads.flatten().filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<Pid>>()).collect()
}

/// All processes below `roots`, without them, parents before their children; what `within` refuses is left out with all
/// below it.
pub fn descendants_of(roots: &[Pid], within: impl Fn(Pid) -> bool) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut waiting = roots.to_vec();
    while let Some(parent) = waiting.pop() {
        for child in children_of(parent) {
            if within(child) && seen.insert(child) {
                found.push(child);
                waiting.push(child);
            }
        }
    }
    found
}

/// Send a signal; false when the process is gone or not ours to signal.
pub fn send(pid: Pid, signal: c_int) -> bool {
    // SAFETY: a plain system call.
    unsafe { libc::kill(pid, signal) == 0 }
}

/// Whether `pid` ignores a signal, as the background jobs of a script ignore SIGINT.
pub fn ignores(pid: Pid, signal: c_int) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 << (signal - 1) != 0)
}

/// Whether `pid` has ended or is about to: it has no environment any more then, and still its children.
pub fn is_ending(pid: Pid) -> bool {
    const EXITING: u64 = 4; // PF_EXITING of the kernel
    const FLAGS: usize = 9 - 3; // of proc(5), after the name in brackets
    let stat = std::fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after_name = stat.iter().rposition(|byte| *byte == b')').map_or(0, |place| place + 1);
    let fields = String::from_utf8_lossy(&stat[after_name..]);
    let flags = fields.split_whitespace().nth(FLAGS).and_then(|flags| flags.parse::<u64>().ok());
    flags.map_or_else(|| is_gone(pid), |flags| flags & EXITING != 0)
}

/// The process group of `pid`, -1 when it is gone.
pub fn group_of(pid: Pid) -> Pid {
    // SAFETY: a plain system call.
    unsafe { libc::getpgid(pid) }
}

/// Kill everything below `root` until nothing is left; false when something outlived two seconds.
///
/// Children of `root` for which `spare` is true are left alone, with all below them. `reap` collects this process's own
/// ended children, so that zombies do not count as left. What may not be signalled (another user's) is not waited for.
pub fn kill_below(root: Pid, spare: impl Fn(Pid) -> bool, mut reap: impl FnMut()) -> bool {
    let end = Instant::now() + DEADLINE;
    let below = || {
        let mut all: Vec<Pid> = children_of(root).into_iter().filter(|pid| !spare(*pid)).collect();
        let lower = descendants_of(&all, |_| true);
        all.extend(lower);
        all
    };
    let mut beyond_reach = HashSet::new();
    loop {
        let mut stopped = HashSet::new();
        loop {
            let mut new = below();
            new.retain(|pid| !stopped.contains(pid) && !beyond_reach.contains(pid));
            if new.is_empty() || Instant::now() > end {
                break;
            }
            for pid in new {
                stopped.insert(pid);
                if !send(pid, libc::SIGSTOP) && !is_gone(pid) {
                    beyond_reach.insert(pid);
                }
            }
        }
        for pid in &stopped {
            send(*pid, libc::SIGKILL);
        }
        reap();
        let mut left = below();
        left.retain(|pid| !beyond_reach.contains(pid) && !is_gone(*pid));
        if left.is_empty() {
            return true;
        }
        if Instant::now() > end {
            return false;
        }
        if left.iter().any(|pid| stopped.contains(pid)) {
            std::thread::sleep(PAUSE);
        }
    }
}
