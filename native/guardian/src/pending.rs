//! Reads the pending signals of another process, between `clone` and `execve`.
//!
//! A script that will share rt's process group joins it a moment after it was created. A key pressed before that moment sends a
//! signal to rt, which blocks it, but not to the script. The new process therefore reads which signals are pending for rt once
//! it is in the group, and raises those in itself; later signals reach it directly. Standard signals do not queue, so one that
//! arrives in between is delivered once.
use std::ffi::{CStr, CString, c_int};

const FIELD: &[u8] = b"ShdPnd:";
const ENOUGH_BYTES: usize = 4096;

/// A process whose pending signals are read, and which of them matter: bit n of `watched` selects signal n.
pub struct Witness {
    status: CString,
    watched: u64,
}

impl Witness {
    pub fn new(pid: libc::pid_t, watched: u64) -> Witness {
        let status = CString::new(format!("/proc/{pid}/status")).unwrap_or_default();
        Witness { status, watched }
    }

    /// Raises the pending signals of the other process in the calling process, which has every signal blocked, and returns
    /// them.
    ///
    /// # Safety
    /// Only makes system calls, without allocating or locking, so it may be called between `clone` and `execve`.
    pub unsafe fn raise_missed(&self) -> u64 {
        // SAFETY: `kill` and `getpid` take and return integers; the conditions of `read_pending` are those of this function.
        unsafe {
            let missed = read_pending(&self.status) & self.watched;
            for signal in (1..64).filter(|signal| missed & (1 << signal) != 0) {
                libc::kill(libc::getpid(), signal as c_int);
            }
            missed
        }
    }
}

/// Returns the signals that are pending for a whole process (bit n = signal n), or 0 if they cannot be read.
///
/// # Safety
/// See `Witness::raise_missed`.
unsafe fn read_pending(status: &CStr) -> u64 {
    let mut text = [0u8; ENOUGH_BYTES];
    // SAFETY: `status` is a C string, and `text` is writable for `text.len()` bytes.
    let length = unsafe {
        let descriptor = libc::open(status.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        if descriptor < 0 {
            return 0;
        }
        let length = libc::read(descriptor, text.as_mut_ptr().cast(), text.len());
        libc::close(descriptor);
        length
    };
    parse(text.get(..usize::try_from(length).unwrap_or(0)).unwrap_or(&[]))
}

fn parse(status: &[u8]) -> u64 {
    let Some(start) = status.windows(FIELD.len()).position(|window| window == FIELD) else { return 0 };
    let digits = status[start + FIELD.len()..].iter().skip_while(|byte| byte.is_ascii_whitespace());
    let mask = digits
        .map_while(|byte| (*byte as char).to_digit(16))
        .fold(0u64, |sum, digit| sum.wrapping_mul(16).wrapping_add(digit.into()));
    mask << 1 // /proc counts from bit 0 for signal 1
}
