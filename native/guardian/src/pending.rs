//! Which signals wait for a process that holds them back, asked from the narrow place between `clone` and `execve`.
//!
//! A script that is to share rt's process group joins it a moment after it was made. A key pressed before that moment
//! reaches rt, which blocks its signals, but not the script. The new process therefore looks at what is pending for rt
//! once it is in the group: what came before, it has missed and raises in itself; what comes later it gets by itself.
//! Standard signals do not queue, so one that came in between is still delivered once.
use std::ffi::{CStr, CString, c_int};

const FIELD: &[u8] = b"ShdPnd:";
const ENOUGH_BYTES: usize = 4096;

/// Where to read what is pending for a process, and which signals matter: bit n of `watched` chooses signal n.
pub struct Witness {
    status: CString,
    watched: u64,
}

impl Witness {
    pub fn new(pid: libc::pid_t, watched: u64) -> Witness {
        let status = CString::new(format!("/proc/{pid}/status")).unwrap_or_default();
        Witness { status, watched }
    }

    /// Raise in the calling process, which has every signal blocked, what is pending for the other; return which.
    ///
    /// # Safety
    /// Makes system calls only, and none that allocates or locks: it may be called between `clone` and `execve`.
    pub unsafe fn raise_missed(&self) -> u64 {
        // SAFETY: `kill` and `getpid` take and return integers; `read_pending` has the same condition as this function.
        unsafe {
            let missed = read_pending(&self.status) & self.watched;
            for signal in (1..64).filter(|signal| missed & (1 << signal) != 0) {
                libc::kill(libc::getpid(), signal as c_int);
            }
            missed
        }
    }
}

/// Return the signals pending for a whole process (bit n = signal n), none when that cannot be read.
///
/// # Safety
/// As for `Witness::raise_missed`.
unsafe fn read_pending(status: &CStr) -> u64 {
    let mut text = [0u8; ENOUGH_BYTES];
    // SAFETY: the path is a C string, and at most as many bytes are written as the buffer has.
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
