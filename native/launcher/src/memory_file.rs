//! Files in memory, whose descriptors the interpreter inherits.
use std::ffi::{CString, OsString};
use std::io::Write;
use std::os::fd::{FromRawFd, IntoRawFd};

use rt_guardian::system;

/// Below this limit, the interpreter may need every descriptor that it can open.
const ENOUGH_DESCRIPTORS: u64 = 64;

/// Returns a descriptor of a new file that holds `bytes`; None if few descriptors are available.
pub fn create(name: &str, bytes: &[u8]) -> Option<i32> {
    if system::descriptor_limit().is_some_and(|limit| limit < ENOUGH_DESCRIPTORS) {
        return None;
    }
    let label = CString::new(name).ok()?;
    // SAFETY: `label` ends with NUL. The call creates a descriptor that nothing else owns.
    let mut file = unsafe {
        let descriptor = libc::memfd_create(label.as_ptr(), 0);
        if descriptor < 0 {
            return None;
        }
        std::fs::File::from_raw_fd(descriptor)
    };
    file.write_all(bytes).ok()?;
    Some(file.into_raw_fd())
}

/// The option `name` of the interpreter (`-X name=descriptor`) that passes `bytes` to rt.
pub fn option(name: &str, bytes: &[u8]) -> Option<OsString> {
    Some(format!("{name}={}", create(name, bytes)?).into())
}
