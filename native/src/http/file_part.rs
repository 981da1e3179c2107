//! Part of a file on its way to a client by `sendfile`: its bytes never come into the program. Small parts are read instead,
//! so that they leave with the head in one call; so is what goes through TLS.
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::FileExt;

use super::sockets::Stream;

/// The largest part that is read and not sent by `sendfile`.
pub const READ_BYTES: u64 = 64 * 1024;
/// How much of a part is sent before other connections have their turn.
const SENT_A_TURN: u64 = 4 * 1024 * 1024;

pub struct FilePart {
    file: File,
    at: u64,
    left: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Sent {
    All,
    /// The client has to read first.
    Waits,
    /// There is more, and room for it.
    More,
}

impl FilePart {
    pub fn new(file: File, at: u64, left: u64) -> FilePart {
        FilePart { file, at, left }
    }

    pub fn left(&self) -> u64 {
        self.left
    }

    /// All bytes of the part; an error where the file has become shorter.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; self.left as usize];
        self.file.read_exact_at(&mut bytes, self.at)?;
        Ok(bytes)
    }

    pub fn send(&mut self, to: RawFd) -> io::Result<Sent> {
        let mut room = SENT_A_TURN;
        while self.left > 0 {
            if room == 0 {
                return Ok(Sent::More);
            }
            let mut at = self.at as libc::off_t;
            let size = self.left.min(room) as usize;
            // SAFETY: both descriptors are open; `at` lives through the call, which writes nothing else.
            let sent = unsafe { libc::sendfile(to, self.file.as_raw_fd(), &raw mut at, size) };
            match sent {
                0 => return Err(ErrorKind::UnexpectedEof.into()), // the file became shorter
                1.. => {
                    self.at += sent as u64;
                    self.left -= sent as u64;
                    room -= sent as u64;
                }
                _ => match io::Error::last_os_error() {
                    error if error.kind() == ErrorKind::WouldBlock => return Ok(Sent::Waits),
                    error if error.kind() == ErrorKind::Interrupted => {}
                    error => return Err(error),
                },
            }
        }
        Ok(Sent::All)
    }

    /// The same through TLS, which has to see the bytes.
    pub fn send_through(&mut self, stream: &mut Stream) -> io::Result<Sent> {
        let mut room = SENT_A_TURN;
        let mut buffer = Vec::new();
        while self.left > 0 {
            if room == 0 {
                return Ok(Sent::More);
            }
            if stream.send()? > 0 {
                return Ok(Sent::Waits);
            }
            buffer.resize(self.left.min(READ_BYTES) as usize, 0);
            self.file.read_exact_at(&mut buffer, self.at)?;
            let sent = stream.write(&buffer)? as u64;
            self.at += sent;
            self.left -= sent;
            room = room.saturating_sub(sent);
        }
        Ok(Sent::All)
    }
}
