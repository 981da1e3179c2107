//! The guardian of one program's children: a small process that waits for the end of the program and then ends every process
//! with the mark of its children (`marked`), so that none outlives the program, even after `kill -9`.
//!
//! It is this launcher, started under another name with the program's first child (`native/src/children/guard.rs`). If a signal
//! asked the program to end (Ctrl-C, SIGTERM), the program writes it to the guardian's standard input, and the children get as
//! much time to clean up as scripts do.
use std::ffi::OsString;
use std::time::{Duration, Instant};

use crate::marked::{end, sweep};
use crate::system;
use crate::tree;

/// The first word of the guardian's command line. The pid of the program and the mark follow.
pub const NAME: &str = "rt-child-guard";
/// The grace period for children that the program left running.
pub const GRACE: Duration = Duration::from_millis(100);
/// The grace period if a signal asked rt to end.
const REQUESTED_GRACE: Duration = Duration::from_secs(5);
const STEP: Duration = Duration::from_millis(2);
const DEADLINE: Duration = Duration::from_secs(2);
const SECOND_PASS_DELAY: Duration = Duration::from_millis(5);

/// Sends SIGTERM to every process with `mark`, and kills those that still run after the grace period, until none is found.
/// Processes of the group `notified_group` have received the signal already.
pub fn end_marked(mark: u64, grace: Duration, notified_group: i32) {
    let start = Instant::now();
    if sweep(mark, libc::SIGTERM, notified_group) == 0 {
        return;
    }
    while start.elapsed() < grace {
        std::thread::sleep(STEP);
        if sweep(mark, 0, 0) == 0 {
            break;
        }
    }
    end(mark, DEADLINE);
}

/// Runs the guardian if `words` are its command line. Returns whether they are.
pub fn run(words: &[OsString]) -> bool {
    let number = |word: &OsString| word.to_str()?.parse::<u64>().ok();
    let [name, pid, mark] = words else { return false };
    let (true, Some(pid), Some(mark)) = (name == NAME, number(pid), number(mark)) else { return false };
    guard(pid as i32, mark);
    true
}

/// Waits for the end of process `pid` and then ends every process with `mark`, twice: a process may have been about to start.
pub fn guard(pid: i32, mark: u64) {
    let end = system::pidfd(pid);
    let (group, parent) = (tree::group_of(pid).max(0), std::os::unix::process::parent_id() as i32);
    if let Some(end) = end.filter(|_| parent == pid) {
        system::wait_for([end.0], None);
    }
    match read_end_request() {
        // The terminal sent it, so the whole foreground process group received it.
        Some([_, 0]) => end_marked(mark, REQUESTED_GRACE, group),
        Some(_) => end_marked(mark, REQUESTED_GRACE, 0),
        None => end_marked(mark, GRACE, 0),
    }
    std::thread::sleep(SECOND_PASS_DELAY);
    end_marked(mark, GRACE, 0);
}

/// The signal that asked the program to end, and whether a process sent it. None if no signal did.
fn read_end_request() -> Option<[u8; 2]> {
    let mut words = [0; 2];
    // SAFETY: `words` is writable for `words.len()` bytes. The read does not block if another process holds the other end.
    unsafe {
        libc::fcntl(0, libc::F_SETFL, libc::O_NONBLOCK);
        (libc::read(0, words.as_mut_ptr().cast(), words.len()) == 2).then_some(words)
    }
}
