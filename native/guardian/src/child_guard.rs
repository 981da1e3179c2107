//! The guardian of one program's children: a small process that waits for the program's end, and then ends what carries the mark of
//! its children (`marked`), so that nothing of them outlives it, `kill -9` included.
//!
//! It is this launcher under another name, which the program starts with its first child (`native/src/children/guard.rs`). What
//! the program was asked to end by (Ctrl-C, SIGTERM) comes down standard input before: then the children have as long to clean up as
//! scripts have.
use std::ffi::OsString;
use std::time::{Duration, Instant};

use crate::marked::{end, sweep};
use crate::system;

/// The first word of the guardian's command line; its pid and the mark follow.
pub const NAME: &str = "rt-child-guard";
/// For what a program has left behind.
pub const GRACE: Duration = Duration::from_millis(100);
/// The grace period if rt was asked to end.
const TOLD_GRACE: Duration = Duration::from_secs(5);
const STEP: Duration = Duration::from_millis(2);
const DEADLINE: Duration = Duration::from_secs(2);
const AGAIN: Duration = Duration::from_millis(5);

/// Ask all that carries `mark` to end, and kill what has not after the grace, until nothing is found any more. The process
/// group `told_group` has been asked before.
pub fn end_marked(mark: u64, grace: Duration, told_group: i32) {
    let start = Instant::now();
    if sweep(mark, libc::SIGTERM, told_group) == 0 {
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

/// What the guardian does, if these are the words of one's command line.
pub fn run(words: &[OsString]) -> bool {
    let number = |word: &OsString| word.to_str()?.parse::<u64>().ok();
    let [name, pid, mark] = words else { return false };
    let (true, Some(pid), Some(mark)) = (name == NAME, number(pid), number(mark)) else { return false };
    guard(pid as i32, mark);
    true
}

/// Wait until process `pid` has ended, then end what carries `mark`; once more, for what was just being started.
pub fn guard(pid: i32, mark: u64) {
    let end = system::pidfd(pid);
    // SAFETY: plain calls on numbers.
    let (group, parent) = unsafe { (libc::getpgid(pid).max(0), libc::getppid()) };
    if let Some(end) = end.filter(|_| parent == pid) {
        system::wait_for([end.0], None);
    }
    match last_words() {
        // By the terminal: then the whole foreground group got the signal.
        Some([_, 0]) => end_marked(mark, TOLD_GRACE, group),
        Some(_) => end_marked(mark, TOLD_GRACE, 0),
        None => end_marked(mark, GRACE, 0),
    }
    std::thread::sleep(AGAIN);
    end_marked(mark, GRACE, 0);
}

/// The signal that has ended the program, and whether a process has sent it, if it was asked to end.
fn last_words() -> Option<[u8; 2]> {
    let mut words = [0; 2];
    // SAFETY: at most as many bytes are written as the array has; it does not wait where somebody else holds the other side.
    unsafe {
        libc::fcntl(0, libc::F_SETFL, libc::O_NONBLOCK);
        (libc::read(0, words.as_mut_ptr().cast(), words.len()) == 2).then_some(words)
    }
}
