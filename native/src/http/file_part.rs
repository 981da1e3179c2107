//! Part of a file, sent to a client with `sendfile`, so that its bytes do not enter the process. Small parts are read
//! instead, to leave with the head in one call, and so are parts sent through TLS.
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::RawFd;
use std::os::unix::fs::FileExt;

use rustix::io::Errno;

use super::sockets::Stream;
use crate::event_loop::borrowed;

/// The largest part that is read instead of sent with `sendfile`.
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
    /// The client must read first.
    Waits,
    /// There is more to send, and room for it.
    More,
}

impl FilePart {
    pub fn new(file: File, at: u64, left: u64) -> FilePart {
        FilePart { file, at, left }
    }

    pub fn remaining(&self) -> u64 {
        self.left
    }

    /// All bytes of the part; fails if the file was truncated.
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
            let mut at = self.at;
            let size = self.left.min(room) as usize;
            match rustix::fs::sendfile(borrowed(to), &self.file, Some(&mut at), size) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()), // the file was truncated
                Ok(sent) => {
                    self.at = at;
                    self.left -= sent as u64;
                    room -= sent as u64;
                }
                Err(Errno::AGAIN) => return Ok(Sent::Waits),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Sent::All)
    }

    /// The same through TLS, which must encrypt the bytes.
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
