//! Finds the descendants of a process, and ends them all so that none escapes by forking.
//!
//! Reads `/proc`. Without it, all processes with the mark of this process count as its children. All are stopped before any is
//! killed, so that none starts children meanwhile, and the walk repeats until it finds no new process.
use std::collections::HashSet;
use std::ffi::c_int;
use std::fs::read_dir;
use std::time::{Duration, Instant};

use crate::marked;
pub use crate::marked::is_gone;

pub use rt_wire::protocol::Pid;

const DEADLINE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(1);

/// The children of `pid`, including zombies; empty if `pid` has ended.
pub fn children_of(pid: Pid) -> Vec<Pid> {
    let Ok(threads) = read_dir(format!("/proc/{pid}/task")) else {
        return if pid == std::process::id() as Pid { marked::marked_descendants() } else { Vec::new() };
    };
    let lists = threads.flatten().filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<Pid>>()).collect()
}

/// All descendants of `roots`, without `roots`, parents before their children. A process for which `within` is false is omitted
/// with its descendants.
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

/// Sends a signal. Returns false if the process has ended or this user may not send it signals.
pub fn send(pid: Pid, signal: c_int) -> bool {
    // SAFETY: the call only takes numbers.
    unsafe { libc::kill(pid, signal) == 0 }
}

/// Returns whether `pid` ignores a signal, as the background jobs of a script ignore SIGINT.
pub fn ignores(pid: Pid, signal: c_int) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 << (signal - 1) != 0)
}

/// Returns whether `pid` has ended or is exiting: then it has lost its environment, but may still have children.
pub fn is_ending(pid: Pid) -> bool {
    const EXITING: u64 = 4; // PF_EXITING in the kernel
    const FLAGS: usize = 9 - 3; // field number in proc(5), counted after the name in parentheses
    let stat = std::fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after_name = stat.iter().rposition(|byte| *byte == b')').map_or(0, |place| place + 1);
    let fields = String::from_utf8_lossy(&stat[after_name..]);
    let flags = fields.split_whitespace().nth(FLAGS).and_then(|flags| flags.parse::<u64>().ok());
    flags.map_or_else(|| is_gone(pid), |flags| flags & EXITING != 0)
}

/// The process group of `pid`, or -1 if `pid` has ended.
pub fn group_of(pid: Pid) -> Pid {
    // SAFETY: the call only takes a number.
    unsafe { libc::getpgid(pid) }
}

/// Kills all descendants of `root`, repeatedly until none is left. Returns false if some outlive two seconds.
///
/// Children of `root` for which `spare` is true are left alone, with their descendants. `reap` reaps this process's own ended
/// children, so that zombies do not count. Processes that may not be signalled (another user's) are not waited for.
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
