//! What is done when a signal is about to end this process: another one is told, the terminal is put back.
//!
//! Signals that end rt by default still do, at once, also while JavaScript computes; but first two bytes go down a pipe.
use super::terminal::put_back;
use std::ffi::{c_int, c_void};
use std::io;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, Ordering};

const TOLD: [c_int; 3] = [libc::SIGHUP, libc::SIGINT, libc::SIGTERM];

static PIPE: AtomicI32 = AtomicI32::new(-1);

/// Say which signal it is and whether a process sent it, then let it do what it does by default.
extern "C" fn tell(signal: c_int, about: *mut libc::siginfo_t, _context: *mut c_void) {
    // SAFETY: only functions that are safe in signal handlers; the kernel gives a live `siginfo_t` (SA_SIGINFO). The signal
    // is blocked until this returns, and then ends the process.
    unsafe {
        let by_process = (*about).si_code <= 0;
        let words = [signal as u8, u8::from(by_process)];
        let pipe = PIPE.load(Ordering::Relaxed);
        if pipe >= 0 {
            libc::write(pipe, words.as_ptr().cast(), words.len());
        }
        put_back();
        libc::signal(signal, libc::SIG_DFL);
        libc::kill(libc::getpid(), signal);
    }
}

/// Have SIGHUP, SIGINT and SIGTERM write two bytes to `descriptor` before they end this process: the signal's number, and 1 if a
/// process sent it, 0 if the terminal did. Only where they have their default action; a handler that is set later takes its place.
pub fn tell_of_end(descriptor: c_int) -> io::Result<()> {
    PIPE.store(descriptor, Ordering::Relaxed);
    watch_ends()
}

/// Take the signals that would end this process, where it does not listen to them.
pub fn watch_ends() -> io::Result<()> {
    for signal in TOLD {
        // SAFETY: plain structs that the calls fill or read; the handler above lives as long as the program.
        let is_done = unsafe {
            let mut current: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, null_mut(), &mut current) != 0 {
                return Err(io::Error::last_os_error());
            }
            let mut wanted: libc::sigaction = std::mem::zeroed();
            wanted.sa_sigaction = tell as *const () as usize;
            wanted.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
            current.sa_sigaction != libc::SIG_DFL || libc::sigaction(signal, &wanted, null_mut()) == 0
        };
        if !is_done {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
