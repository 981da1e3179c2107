//! Handlers of signals that are about to end this process: they notify another process and restore the terminal.
//!
//! Signals that end rt by default still do so immediately, even while JavaScript computes, but two bytes are written to a pipe
//! first.
use super::terminal::restore_terminal;
use std::ffi::{c_int, c_void};
use std::io;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, Ordering};

const NOTIFIED: [c_int; 3] = [libc::SIGHUP, libc::SIGINT, libc::SIGTERM];

static PIPE: AtomicI32 = AtomicI32::new(-1);

/// Writes which signal arrived and whether a process sent it, then performs the default action.
extern "C" fn notify(signal: c_int, about: *mut libc::siginfo_t, _context: *mut c_void) {
    // SAFETY: only async-signal-safe functions are called; the kernel passes a live `siginfo_t` (SA_SIGINFO). The
    // signal is blocked until this returns, and then ends the process.
    unsafe {
        let by_process = (*about).si_code <= 0;
        let words = [signal as u8, u8::from(by_process)];
        let pipe = PIPE.load(Ordering::Relaxed);
        if pipe >= 0 {
            libc::write(pipe, words.as_ptr().cast(), words.len());
        }
        restore_terminal();
        libc::signal(signal, libc::SIG_DFL);
        libc::kill(libc::getpid(), signal);
    }
}

/// Makes SIGHUP, SIGINT and SIGTERM write two bytes to `descriptor` before they end this process: the signal's number, and 1 if
/// a process sent it, 0 if the terminal did. Applies to signals with their default action; a handler set later replaces it.
pub fn notify_of_end(descriptor: c_int) -> io::Result<()> {
    PIPE.store(descriptor, Ordering::Relaxed);
    watch_ends()
}

/// Handles the signals that would end this process, unless it handles them itself.
pub fn watch_ends() -> io::Result<()> {
    for signal in NOTIFIED {
        // SAFETY: the calls fill or read plain structures; the handler above lives as long as the program.
        let is_done = unsafe {
            let mut current: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, null_mut(), &mut current) != 0 {
                return Err(io::Error::last_os_error());
            }
            let mut wanted: libc::sigaction = std::mem::zeroed();
            wanted.sa_sigaction = notify as *const () as usize;
            wanted.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
            current.sa_sigaction != libc::SIG_DFL || libc::sigaction(signal, &wanted, null_mut()) == 0
        };
        if !is_done {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
