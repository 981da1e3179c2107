//! How a process ended.
use std::ffi::c_int;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It exited with this code.
    Exited(c_int),
    /// This signal terminated it.
    Signaled(c_int),
}

impl Outcome {
    /// Decodes a status of `wait`.
    pub fn from_wait_status(status: c_int) -> Outcome {
        if libc::WIFSIGNALED(status) {
            Outcome::Signaled(libc::WTERMSIG(status))
        } else {
            Outcome::Exited(libc::WEXITSTATUS(status))
        }
    }
}
