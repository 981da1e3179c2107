//! The outputs of a run: bytes to a descriptor that rt does not own. A write blocks at most until the next signal.
//! The descriptor itself is never made non-blocking, because other processes share it.
use std::ffi::{c_int, c_void};
use std::io::{Error, ErrorKind, Result};
use std::mem::zeroed;

use crate::system;
use crate::terminal::Opened;

/// The least PIPE_BUF that POSIX allows: a pipe that `poll` reports as writable takes as much without blocking.
const ALWAYS_TAKEN: usize = 512;

/// Which of rt's outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sink {
    Out,
    Err,
}

/// How bytes are written.
enum Way {
    /// A pipe or terminal, reopened for this process, without blocking.
    Own(Opened),
    /// A pipe or terminal that cannot be reopened: written in pieces that do not block once `poll` reports it as writable.
    Pieces,
    Socket,
    /// A file or device: a write does not wait for a reader.
    Plain,
}

pub struct Output {
    descriptor: c_int,
    way: Way,
    pub is_terminal: bool,
}

impl Output {
    pub fn new(descriptor: c_int) -> Output {
        // SAFETY: fstat fills the structure, which is plain data; isatty only returns a number.
        let (kind, is_terminal) = unsafe {
            let mut about: libc::stat = zeroed();
            let is_known = libc::fstat(descriptor, &mut about) == 0;
            (if is_known { about.st_mode & libc::S_IFMT } else { 0 }, libc::isatty(descriptor) == 1)
        };
        let way = match kind {
            libc::S_IFIFO => reopen(descriptor).map_or(Way::Pieces, Way::Own),
            libc::S_IFSOCK => Way::Socket,
            _ if is_terminal => reopen(descriptor).map_or(Way::Pieces, Way::Own),
            _ => Way::Plain,
        };
        Output { descriptor, way, is_terminal }
    }

    pub fn descriptor(&self) -> c_int {
        self.descriptor
    }

    /// Writes what can be written now and returns how much that was. WouldBlock until `descriptor` is writable.
    pub fn write(&self, bytes: &[u8]) -> Result<usize> {
        match &self.way {
            Way::Own(own) => system::write(own.0, bytes),
            Way::Socket => self.send(bytes),
            Way::Pieces if !self.is_writable() => Err(ErrorKind::WouldBlock.into()),
            Way::Pieces => system::write(self.descriptor, &bytes[..bytes.len().min(ALWAYS_TAKEN)]),
            Way::Plain => system::write(self.descriptor, bytes),
        }
    }

    fn send(&self, bytes: &[u8]) -> Result<usize> {
        let flags = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
        // SAFETY: `bytes` is readable for `bytes.len()` bytes.
        let sent = unsafe { libc::send(self.descriptor, bytes.as_ptr().cast::<c_void>(), bytes.len(), flags) };
        usize::try_from(sent).map_err(|_| Error::last_os_error())
    }

    fn is_writable(&self) -> bool {
        system::poll(&mut [libc::pollfd { fd: self.descriptor, events: libc::POLLOUT, revents: 0 }], 0) > 0
    }
}

/// Opens the file behind a descriptor again, so that flags can be set for this process alone.
fn reopen(descriptor: c_int) -> Option<Opened> {
    let path = std::ffi::CString::new(format!("/proc/self/fd/{descriptor}")).ok()?;
    Opened::open(&path, libc::O_WRONLY | libc::O_NONBLOCK | libc::O_NOCTTY).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_pipe_does_not_block() {
        let (reader, writer) = system::pipe(0).unwrap_or_else(|_| unreachable!());
        for way in [None, Some(Way::Pieces)] {
            let mut output = Output::new(writer.0);
            output.way = way.unwrap_or(output.way);
            let block = [b'x'; 1 << 16];
            let mut written = 0;
            while let Ok(count) = output.write(&block) {
                written += count;
            }
            assert_eq!(output.write(&block).map_err(|error| error.kind()), Err(ErrorKind::WouldBlock));
            while written > 0 {
                written -= reader.read(&mut [0; 1 << 16]);
            }
        }
        drop(reader);
        assert_eq!(Output::new(writer.0).write(b"x").map_err(|error| error.kind()), Err(ErrorKind::BrokenPipe));
    }
}
