//! Whether the system's limits allow what V8 needs, asked first: V8 would end the process where they do not.
use std::path::Path;
use std::sync::OnceLock;
use std::sync::mpsc::channel;

use pyo3::prelude::*;

use super::control_groups;
use super::library::EngineUnavailable;
use crate::v8::values::signals::with_signals_blocked;

const NEEDED_BYTES: u64 = 200 << 30;
/// Where the limit on processes is higher than this, nobody meets it by chance, and threads are not tried.
const MANY_PROCESSES: u64 = 10_000;
/// Where it is lower than this, whoever starts next may take what was free a moment ago: V8 goes without threads.
const FEW_PROCESSES: u64 = 32;
/// A control group with room for more than this is as good as one without a limit.
const MUCH_ROOM: u64 = 500;

/// How many processes were allowed when that was first asked; `has_threads` asks anew each time.
static ALLOWED: OnceLock<u64> = OnceLock::new();

/// V8 reserves its address space at once and ends the process where it cannot: its sandbox, its own allocator's pools,
/// the cage of its C++ heap. What is reserved is not used yet, but a limit counts it.
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

/// Whether so many threads can be had: they are started, all at once, and ended again.
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

/// Whether there is so much room that threads which come and go cannot take what V8's own threads need.
pub fn has_spare_threads() -> bool {
    *ALLOWED.get_or_init(allowed_processes) > MANY_PROCESSES
}

/// How many processes this user may have, or how many more the control groups of this process allow, if that is few.
fn allowed_processes() -> u64 {
    let rooms = control_groups::groups(Path::new(control_groups::GROUPS), "pids").into_iter().filter_map(|group| {
        let most = group.figure("pids.max")?;
        Some(most.saturating_sub(group.figure("pids.current")?))
    });
    rooms.filter(|room| *room <= MUCH_ROOM).fold(soft_limit(libc::RLIMIT_NPROC), u64::min)
}

fn soft_limit(resource: libc::__rlimit_resource_t) -> u64 {
    // SAFETY: the structure is filled by the call, which only reads.
    unsafe {
        let mut limit = std::mem::zeroed::<libc::rlimit>();
        if libc::getrlimit(resource, &mut limit) != 0 {
            return u64::MAX;
        }
        limit.rlim_cur
    }
}
