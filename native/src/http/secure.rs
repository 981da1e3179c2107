//! TLS on a server's connection: OpenSSL's, in the library that `native/crypto` builds and that lies beside this module. It is
//! opened with the first server that has certificates, and never closed.
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
        let functions = load().ok()?;
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
        self.send()?;
        if self.unsent() > 0 {
            return Err(ErrorKind::WouldBlock.into());
        }
        let mut taken = 0;
        let mut second = second;
        if !first.is_empty() && first.len() < RECORD_BYTES {
            // One record of both.
            let (now, later) = second.split_at(second.len().min(RECORD_BYTES - first.len()));
            second = later;
            taken += first.len() + now.len();
            if now.is_empty() {
                self.encrypt(first)?
            } else {
                self.encrypt(&[first, now].concat())?
            };
        } else if !first.is_empty() {
            taken = first.len().min(SENT_AT_ONCE);
            self.encrypt(&first[..taken])?;
            if taken < first.len() {
                second = &[];
            }
        }
        let more = second.len().min(SENT_AT_ONCE.saturating_sub(taken));
        self.encrypt(&second[..more])?;
        self.send()?;
        Ok(taken + more)
    }

    fn encrypt(&mut self, bytes: &[u8]) -> io::Result<()> {
        // SAFETY: a live connection; as many bytes as are told.
        let is_taken = unsafe { (self.functions.write)(self.accepted.as_ptr(), bytes.as_ptr(), bytes.len()) };
        if is_taken { Ok(()) } else { Err(ErrorKind::BrokenPipe.into()) }
    }

    /// Send what waits, as far as the socket takes it.
    pub fn send(&mut self) -> io::Result<()> {
        // SAFETY: a live connection.
        let left = unsafe { (self.functions.send)(self.accepted.as_ptr()) };
        if left < 0 { Err(ErrorKind::BrokenPipe.into()) } else { Ok(()) }
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

/// Open the library, once; the error says what is wrong with it.
pub fn load() -> Result<&'static Functions, &'static str> {
    static LOADED: OnceLock<Result<&'static Functions, String>> = OnceLock::new();
    LOADED.get_or_init(open).as_ref().copied().map_err(String::as_str)
}

fn open() -> Result<&'static Functions, String> {
    let found = function_in("_crypto.abi3.so", NAME)?;
    // SAFETY: the library is rt's own, built with this module from the same description.
    unsafe {
        let give = std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> *const Functions>(found.as_ptr());
        give().as_ref().ok_or_else(|| "it gives nothing".to_owned())
    }
}
