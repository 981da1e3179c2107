//! The modes of a terminal: read, and set from wherever this process stands.
use std::ffi::{c_int, c_void};
use std::io::{Error, Result};
use std::mem::zeroed;

/// The modes of the terminal behind `descriptor`.
pub fn get(descriptor: c_int) -> Result<libc::termios> {
    // SAFETY: the structure is plain and is filled by the call.
    unsafe {
        let mut modes: libc::termios = zeroed();
        if libc::tcgetattr(descriptor, &mut modes) == 0 { Ok(modes) } else { Err(Error::last_os_error()) }
    }
}

/// Set modes, from the background too, where that would stop the process otherwise. Safe in a signal handler.
pub fn set(descriptor: c_int, modes: &libc::termios) -> bool {
    // SAFETY: the sets live through the calls, which are all safe in a signal handler.
    unsafe {
        let (mut stops, mut before): (libc::sigset_t, libc::sigset_t) = (zeroed(), zeroed());
        libc::sigemptyset(&mut stops);
        libc::sigaddset(&mut stops, libc::SIGTTOU);
        libc::pthread_sigmask(libc::SIG_BLOCK, &stops, &mut before);
        let result = libc::tcsetattr(descriptor, libc::TCSANOW, modes);
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        result == 0
    }
}

/// This process's controlling terminal, whatever its streams are; None where it has none.
pub fn controlling() -> Option<Opened> {
    // SAFETY: makes a descriptor or fails.
    let descriptor = unsafe { libc::open(c"/dev/tty".as_ptr(), libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC) };
    (descriptor >= 0).then_some(Opened(descriptor))
}

/// An owned descriptor, closed when it is dropped.
pub struct Opened(pub c_int);

impl Opened {
    /// Read once, at most as much as `buffer` holds; how many bytes, 0 at the end and for a failure.
    pub fn read(&self, buffer: &mut [u8]) -> usize {
        // SAFETY: at most as many bytes are written as the buffer has.
        let count = unsafe { libc::read(self.0, buffer.as_mut_ptr().cast::<c_void>(), buffer.len()) };
        usize::try_from(count).unwrap_or(0)
    }
}

impl std::os::fd::IntoRawFd for Opened {
    fn into_raw_fd(self) -> c_int {
        std::mem::ManuallyDrop::new(self).0
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: it is this value's own.
        unsafe { libc::close(self.0) };
    }
}
