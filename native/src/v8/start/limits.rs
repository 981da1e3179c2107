//! Checks that the system's limits allow what V8 needs, because V8 would end the process otherwise.
use std::path::Path;
use std::sync::OnceLock;
use std::sync::mpsc::channel;

use pyo3::prelude::*;

use super::control_groups;
use super::library::EngineUnavailable;
use crate::v8::values::signals::with_signals_blocked;

const NEEDED_BYTES: u64 = 200 << 30;
/// Above this limit on processes, V8's threads are not tried: a program hardly reaches it by chance.
const MANY_PROCESSES: u64 = 10_000;
/// Below this limit V8 runs without threads: another process may take the free slots at any moment.
const FEW_PROCESSES: u64 = 32;
/// A control group with more room than this counts as unlimited.
const MUCH_ROOM: u64 = 500;

/// The number of allowed processes at the first check; `has_threads` reads it again each time.
static ALLOWED: OnceLock<u64> = OnceLock::new();

/// V8 reserves its address space at once and ends the process if it cannot: its sandbox, its allocator's pools, the
/// cage of its C++ heap. Reserved space is unused but counts against the limit.
pub fn check_address_space() -> PyResult<()> {
    let limit = soft_limit(libc::RLIMIT_AS);
    if limit >= NEEDED_BYTES {
        return Ok(());
    }
    let allowed = limit as f64 / f64::from(1 << 30);
    Err(EngineUnavailable::new_err(format!(
        "V8 reserves {} GB of address space, and the limit is {allowed:.1} GB (see `ulimit -v`)",
        NEEDED_BYTES >> 30
    )))
}

/// Returns whether `count` threads can be started: all of them are started at once, and ended again.
pub fn has_threads(count: usize) -> bool {
    if count == 0 {
        return true;
    }
    let limit = allowed_processes();
    let _ = ALLOWED.set(limit);
    if limit > MANY_PROCESSES {
        return true;
    }
    if limit < FEW_PROCESSES {
        return false;
    }
    let start_one = || {
        let (release, wait) = channel::<()>();
        let thread = std::thread::Builder::new().stack_size(64 * 1024).spawn(move || wait.recv().is_ok());
        thread.map(|thread| (thread, release))
    };
    let started: Vec<_> = with_signals_blocked(|| (0..count).map_while(|_| start_one().ok()).collect());
    let is_enough = started.len() == count;
    for (thread, release) in started {
        drop(release);
        let _ = thread.join();
    }
    is_enough
}

/// Returns whether there is so much room that short-lived threads cannot take the slots of V8's threads.
pub fn has_spare_threads() -> bool {
    *ALLOWED.get_or_init(allowed_processes) > MANY_PROCESSES
}

/// The number of processes this user may have, or that the control groups of this process still allow, if that is
/// small.
fn allowed_processes() -> u64 {
    let rooms = control_groups::groups(Path::new(control_groups::GROUPS), "pids").into_iter().filter_map(|group| {
        let most = group.figure("pids.max")?;
        Some(most.saturating_sub(group.figure("pids.current")?))
    });
    rooms.filter(|room| *room <= MUCH_ROOM).fold(soft_limit(libc::RLIMIT_NPROC), u64::min)
}

fn soft_limit(resource: libc::__rlimit_resource_t) -> u64 {
    // SAFETY: the call fills the structure and changes nothing.
    unsafe {
        let mut limit = std::mem::zeroed::<libc::rlimit>();
        if libc::getrlimit(resource, &mut limit) != 0 {
            return u64::MAX;
        }
        limit.rlim_cur
    }
}
