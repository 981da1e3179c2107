//! Reads and sets the modes of a terminal, from the background too.
use std::ffi::{CStr, c_int, c_void};
use std::io::{Error, Result};
use std::mem::zeroed;

/// The modes of the terminal behind `descriptor`.
pub fn get(descriptor: c_int) -> Result<libc::termios> {
    // SAFETY: the structure is plain data, which the call fills.
    unsafe {
        let mut modes: libc::termios = zeroed();
        if libc::tcgetattr(descriptor, &mut modes) == 0 { Ok(modes) } else { Err(Error::last_os_error()) }
    }
}

/// Sets modes. Works in the background, where the system would stop the process otherwise, and in a signal handler.
pub fn set(descriptor: c_int, modes: &libc::termios) -> bool {
    // SAFETY: the sets outlive the calls, which are all async-signal-safe.
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

/// Opens this process's controlling terminal, whatever its streams are; None if it has none.
pub fn controlling() -> Option<Opened> {
    Opened::open(c"/dev/tty", libc::O_RDWR | libc::O_NOCTTY).ok()
}

/// An owned descriptor, closed when it is dropped.
pub struct Opened(pub c_int);

impl Opened {
    /// Opens a file, close-on-exec.
    pub fn open(path: &CStr, flags: c_int) -> Result<Opened> {
        // SAFETY: the path is a C string; the call creates a descriptor or fails.
        let descriptor = unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC) };
        if descriptor < 0 { Err(Error::last_os_error()) } else { Ok(Opened(descriptor)) }
    }

    /// Reads once, up to the size of `buffer`. Returns how many bytes were read: 0 at the end of the file and on errors.
    pub fn read(&self, buffer: &mut [u8]) -> usize {
        self.try_read(buffer).unwrap_or(0)
    }

    /// As `read`, with the error.
    pub fn try_read(&self, buffer: &mut [u8]) -> Result<usize> {
        // SAFETY: `buffer` is writable for `buffer.len()` bytes.
        let count = unsafe { libc::read(self.0, buffer.as_mut_ptr().cast::<c_void>(), buffer.len()) };
        usize::try_from(count).map_err(|_| Error::last_os_error())
    }
}

impl std::os::fd::IntoRawFd for Opened {
    fn into_raw_fd(self) -> c_int {
        std::mem::ManuallyDrop::new(self).0
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: this value owns the descriptor.
        unsafe { libc::close(self.0) };
    }
}
