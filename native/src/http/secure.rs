//! TLS on a server's connection: OpenSSL's, in the library that `native/crypto` builds and that lies beside this module. It is
//! opened when it is first used, and never closed.
use std::ffi::c_void;
use std::io::{self, ErrorKind};
use std::os::fd::RawFd;
use std::ptr::NonNull;
use std::sync::OnceLock;

use crate::files::beside::function_in;

#[path = "../../crypto/src/tls_functions.rs"]
mod functions;
use functions::{ADVANCED, BROKEN, DRAINED, ENDED, Functions, NAME, SPEAKS_HTTP2};

/// The longest text of a record.
const RECORD_BYTES: usize = 16 * 1024;
/// How much is encrypted before it is sent.
const SENT_AT_ONCE: usize = 8 * RECORD_BYTES;

pub struct Secure {
    functions: &'static Functions,
    /// Made by `accept`, ours alone.
    accepted: NonNull<c_void>,
}

/// What came of reading.
#[derive(Debug, PartialEq, Eq)]
pub enum Got {
    /// So many bytes, and whether there may be more.
    Bytes(usize, bool),
    /// Nothing for now; whether the handshake has got further.
    Nothing(bool),
    /// The handshake has chosen HTTP/2; whatever comes is that.
    Http2,
    Ended,
}

impl Secure {
    /// TLS for a connected socket, which has to live longer, as the acceptor of this number has it.
    pub fn accept(acceptor: u64, descriptor: RawFd) -> Option<Secure> {
        let functions = load()?;
        // SAFETY: the functions do what their file says.
        let accepted = unsafe { (functions.accept)(acceptor, descriptor) };
        Some(Secure { functions, accepted: NonNull::new(accepted)? })
    }

    pub fn read(&mut self, room: &mut [u8]) -> io::Result<Got> {
        let mut told = 0;
        // SAFETY: a live connection, and room of the told size.
        let size =
            unsafe { (self.functions.read)(self.accepted.as_ptr(), room.as_mut_ptr(), room.len(), &raw mut told) };
        match told {
            _ if size > 0 => Ok(Got::Bytes(size, told != DRAINED)),
            told if told & BROKEN != 0 => Err(ErrorKind::ConnectionReset.into()),
            told if told & SPEAKS_HTTP2 != 0 => Ok(Got::Http2),
            told if told & ENDED != 0 => Ok(Got::Ended),
            told => Ok(Got::Nothing(told & ADVANCED != 0)),
        }
    }

    /// Send two pieces, one after the other: how many bytes of them were taken. Those may wait here as `unsent`.
    pub fn write_both(&mut self, first: &[u8], second: &[u8]) -> io::Result<usize> {
        if self.send()? > 0 {
            return Err(ErrorKind::WouldBlock.into());
        }
        // A short first piece and the second's begin are one record.
        let room = if first.is_empty() { 0 } else { RECORD_BYTES.saturating_sub(first.len()) };
        let (joined, rest) = second.split_at(second.len().min(room));
        let first = &first[..first.len().min(SENT_AT_ONCE)];
        if joined.is_empty() {
            self.encrypt(first)?
        } else {
            self.encrypt(&[first, joined].concat())?
        }
        let taken = first.len() + joined.len();
        let rest = &rest[..rest.len().min(SENT_AT_ONCE - taken)];
        self.encrypt(rest)?;
        self.send()?;
        Ok(taken + rest.len())
    }

    fn encrypt(&mut self, bytes: &[u8]) -> io::Result<()> {
        // SAFETY: a live connection; as many bytes as are told.
        let is_taken = unsafe { (self.functions.write)(self.accepted.as_ptr(), bytes.as_ptr(), bytes.len()) };
        if is_taken { Ok(()) } else { Err(ErrorKind::BrokenPipe.into()) }
    }

    /// Send what waits, as far as the socket takes it: how much is left.
    pub fn send(&mut self) -> io::Result<usize> {
        // SAFETY: a live connection.
        let left = unsafe { (self.functions.send)(self.accepted.as_ptr()) };
        usize::try_from(left).map_err(|_| ErrorKind::BrokenPipe.into())
    }

    pub fn unsent(&self) -> usize {
        // SAFETY: a live connection.
        unsafe { (self.functions.unsent)(self.accepted.as_ptr()) }
    }

    /// Tell the other side that nothing follows what was written.
    pub fn goodbye(&mut self) {
        // SAFETY: a live connection.
        unsafe { (self.functions.goodbye)(self.accepted.as_ptr()) }
        let _ = self.send(); // a failure is found again by who sends the rest
    }
}

impl Drop for Secure {
    fn drop(&mut self) {
        // SAFETY: ours, for the last time.
        unsafe { (self.functions.free)(self.accepted.as_ptr()) }
    }
}

/// The library's functions; none where it cannot be opened.
pub fn load() -> Option<&'static Functions> {
    static LOADED: OnceLock<Option<&'static Functions>> = OnceLock::new();
    *LOADED.get_or_init(|| {
        let found = function_in(crate::crypto::LIBRARY, NAME).ok()?;
        // SAFETY: the library is rt's own, built with this module from the same description.
        unsafe {
            let give = std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> *const Functions>(found.as_ptr());
            give().as_ref()
        }
    })
}
