//! SIGUSR1 asks a program to listen for a debugger, as Node's does, also one that never comes to its loop.
//!
//! The handler writes one byte to a pipe and does nothing else. A thread waits for that byte and acts.
use std::io::{PipeReader, Read};
use std::os::fd::IntoRawFd;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::v8::with_signals_blocked;

/// Where the handler writes; negative: nowhere.
static WRITER: AtomicI32 = AtomicI32::new(-1);

extern "C" fn asked(_signal: libc::c_int) {
    let writer = WRITER.load(Ordering::Acquire);
    // SAFETY: `write` may be called in a handler; the byte lives through the call, errno is put back.
    unsafe {
        let errno = *libc::__errno_location();
        libc::write(writer, [1u8].as_ptr().cast(), 1);
        *libc::__errno_location() = errno;
    }
}

/// What is done on a thread of rt's for each signal; false once the process is at its end.
type Action = Box<dyn Fn() -> bool + Send>;

/// Call `action` on a thread of rt's whenever SIGUSR1 comes, unless the program has a handler for it; once a process.
pub fn when_asked(action: Action) -> std::io::Result<()> {
    // SAFETY: the structures are initialised before they are used; the handler is safe, and lives as long as the process.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGUSR1, std::ptr::null(), &mut now);
        if now.sa_sigaction != libc::SIG_DFL || WRITER.load(Ordering::Acquire) >= 0 {
            return Ok(());
        }
        let (reader, writer) = std::io::pipe()?;
        let thread = std::thread::Builder::new().name("debug signal".to_owned()).stack_size(256 << 10);
        if with_signals_blocked(|| thread.spawn(move || wait(reader, &*action))).is_err() {
            return Ok(()); // so few processes are allowed that no thread starts: the signal does what it does by itself
        }
        WRITER.store(writer.into_raw_fd(), Ordering::Release);
        now.sa_sigaction = asked as *const () as usize;
        now.sa_flags = libc::SA_RESTART;
        libc::sigaction(libc::SIGUSR1, &now, std::ptr::null_mut());
    }
    Ok(())
}

fn wait(mut reader: PipeReader, action: &dyn Fn() -> bool) {
    let mut byte = [0u8];
    while matches!(reader.read(&mut byte), Ok(1)) {
        if !action() {
            return; // the process is at its end
        }
    }
}
