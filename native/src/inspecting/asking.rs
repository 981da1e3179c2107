//! SIGUSR1 makes a program listen for a debugger, as in Node, even if its loop does not turn.
//!
//! The handler only writes one byte to a pipe. A thread waits for that byte and acts.
use std::io::{PipeReader, Read};
use std::os::fd::IntoRawFd;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::v8::with_signals_blocked;

/// The descriptor that the handler writes to; negative for none.
static WRITER: AtomicI32 = AtomicI32::new(-1);

extern "C" fn on_signal(_signal: libc::c_int) {
    let writer = WRITER.load(Ordering::Acquire);
    // SAFETY: `write` is async-signal-safe; the byte outlives the call, and errno is restored.
    unsafe {
        let errno = *libc::__errno_location();
        libc::write(writer, [1u8].as_ptr().cast(), 1);
        *libc::__errno_location() = errno;
    }
}

/// Runs on a separate thread for each signal; false once the process is ending.
type Action = Box<dyn Fn() -> bool + Send>;

/// Calls `action` on a separate thread for each SIGUSR1, unless the program handles it. Called once per process.
pub fn call_on_signal(action: Action) -> std::io::Result<()> {
    // SAFETY: the structures are initialised before use; the handler is async-signal-safe and lives as long as the
    // process.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGUSR1, std::ptr::null(), &mut now);
        if now.sa_sigaction != libc::SIG_DFL || WRITER.load(Ordering::Acquire) >= 0 {
            return Ok(());
        }
        let (reader, writer) = std::io::pipe()?;
        let thread = std::thread::Builder::new().name("debug signal".to_owned()).stack_size(256 << 10);
        if with_signals_blocked(|| thread.spawn(move || wait(reader, &*action))).is_err() {
            return Ok(()); // no thread is available: the signal keeps its default action
        }
        WRITER.store(writer.into_raw_fd(), Ordering::Release);
        now.sa_sigaction = on_signal as *const () as usize;
        now.sa_flags = libc::SA_RESTART;
        libc::sigaction(libc::SIGUSR1, &now, std::ptr::null_mut());
    }
    Ok(())
}

fn wait(mut reader: PipeReader, action: &dyn Fn() -> bool) {
    let mut byte = [0u8];
    while matches!(reader.read(&mut byte), Ok(1)) {
        if !action() {
            return; // the process is ending
        }
    }
}
