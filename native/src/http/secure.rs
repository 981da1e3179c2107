//! TLS on a server's connection, by OpenSSL in the library that `native/crypto` builds and that is installed beside
//! this module. It is opened on first use and never closed.
use std::ffi::c_void;
use std::io::{self, ErrorKind};
use std::os::fd::RawFd;
use std::ptr::NonNull;
use std::sync::OnceLock;

use crate::files::beside::function_in;

use rt_wire::tls_functions::{ADVANCED, BROKEN, DRAINED, ENDED, Functions, NAME, SPEAKS_HTTP2};

/// The largest plaintext of a record.
const RECORD_BYTES: usize = 16 * 1024;
/// How much is encrypted before it is sent.
const SENT_AT_ONCE: usize = 8 * RECORD_BYTES;

pub struct Secure {
    functions: &'static Functions,
    /// Created by `accept` and owned by this value.
    accepted: NonNull<c_void>,
}

/// The result of reading.
#[derive(Debug, PartialEq, Eq)]
pub enum ReadOutcome {
    /// The number of bytes, and whether there may be more.
    Bytes(usize, bool),
    /// No bytes for now; whether the handshake advanced.
    Nothing(bool),
    /// The handshake has chosen HTTP/2, the protocol of everything that follows.
    Http2,
    Ended,
}

impl Secure {
    /// TLS for a connected socket, which must outlive it, configured by the acceptor with that number.
    pub fn accept(acceptor: u64, descriptor: RawFd) -> Option<Secure> {
        let functions = load()?;
        // SAFETY: the library's functions follow the contract in `functions`.
        let accepted = unsafe { (functions.accept)(acceptor, descriptor) };
        Some(Secure { functions, accepted: NonNull::new(accepted)? })
    }

    pub fn read(&mut self, room: &mut [u8]) -> io::Result<ReadOutcome> {
        let mut flags = 0;
        // SAFETY: the connection is live, and `room` has `len()` writable bytes.
        let size =
            unsafe { (self.functions.read)(self.accepted.as_ptr(), room.as_mut_ptr(), room.len(), &raw mut flags) };
        match flags {
            _ if size > 0 => Ok(ReadOutcome::Bytes(size, flags != DRAINED)),
            flags if flags & BROKEN != 0 => Err(ErrorKind::ConnectionReset.into()),
            flags if flags & SPEAKS_HTTP2 != 0 => Ok(ReadOutcome::Http2),
            flags if flags & ENDED != 0 => Ok(ReadOutcome::Ended),
            flags => Ok(ReadOutcome::Nothing(flags & ADVANCED != 0)),
        }
    }

    /// Sends two pieces in order; returns how many of their bytes were accepted. Some of these may remain `unsent`.
    pub fn write_both(&mut self, first: &[u8], second: &[u8]) -> io::Result<usize> {
        if self.send()? > 0 {
            return Err(ErrorKind::WouldBlock.into());
        }
        // A short first piece shares a record with the beginning of the second.
        let room = if first.is_empty() { 0 } else { RECORD_BYTES.saturating_sub(first.len()) };
        let (joined, rest) = second.split_at(second.len().min(room));
        let first = &first[..first.len().min(SENT_AT_ONCE)];
        if joined.is_empty() {
            self.encrypt(first)?
        } else {
            self.encrypt(&[first, joined].concat())?
        }
        let size = first.len() + joined.len();
        let rest = &rest[..rest.len().min(SENT_AT_ONCE - size)];
        self.encrypt(rest)?;
        self.send()?;
        Ok(size + rest.len())
    }

    fn encrypt(&mut self, bytes: &[u8]) -> io::Result<()> {
        // SAFETY: the connection is live, and `bytes` has `len()` readable bytes.
        let is_taken = unsafe { (self.functions.write)(self.accepted.as_ptr(), bytes.as_ptr(), bytes.len()) };
        if is_taken { Ok(()) } else { Err(ErrorKind::BrokenPipe.into()) }
    }

    /// Sends pending bytes as far as the socket accepts them; returns how many are left.
    pub fn send(&mut self) -> io::Result<usize> {
        // SAFETY: the connection is live.
        let remaining = unsafe { (self.functions.send)(self.accepted.as_ptr()) };
        usize::try_from(remaining).map_err(|_| ErrorKind::BrokenPipe.into())
    }

    pub fn unsent(&self) -> usize {
        // SAFETY: the connection is live.
        unsafe { (self.functions.unsent)(self.accepted.as_ptr()) }
    }

    /// Tells the peer that no more data follows.
    pub fn goodbye(&mut self) {
        // SAFETY: the connection is live.
        unsafe { (self.functions.goodbye)(self.accepted.as_ptr()) }
        let _ = self.send(); // the next send reports a failure
    }
}

impl Drop for Secure {
    fn drop(&mut self) {
        // SAFETY: this value owns the connection, which is freed once.
        unsafe { (self.functions.free)(self.accepted.as_ptr()) }
    }
}

/// The library's functions; None if it cannot be opened.
pub fn load() -> Option<&'static Functions> {
    static LOADED: OnceLock<Option<&'static Functions>> = OnceLock::new();
    *LOADED.get_or_init(|| {
        let found = function_in(crate::crypto::LIBRARY, NAME).ok()?;
        // SAFETY: the library is rt's own, built from the same declarations.
        unsafe {
            let give = std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> *const Functions>(found.as_ptr());
            give().as_ref()
        }
    })
}
