//! Outgoing bytes of a TLS connection. OpenSSL writes them into one buffer, where they stay until they are sent or
//! taken; a connection without pending output has no buffer.
use std::cell::RefCell;
use std::ffi::c_int;

use crate::sys as ffi;
use crate::tls_bio::{Content, Method, content};

thread_local! {
    /// The buffer that was emptied last, reused so that it stays in the processor's cache.
    static SPARE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}
const MOST_SPARE: usize = 256 * 1024;

#[derive(Default)]
pub struct Output {
    bytes: Vec<u8>,
    sent: usize,
}

impl Output {
    /// A BIO for OpenSSL to write to, which owns its output.
    pub fn new_bio() -> *mut ffi::BIO {
        static METHOD: Method<Output> = Method::new(c"output of a connection");
        METHOD.bio(Output::default())
    }

    /// # Safety
    /// `ssl` is a live connection with such a BIO, and OpenSSL does not write to it while the output is used.
    pub unsafe fn of<'a>(ssl: *mut ffi::SSL) -> &'a mut Output {
        // SAFETY: guaranteed by the caller.
        unsafe { &mut *content(ffi::SSL_get_wbio(ssl)) }
    }

    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.sent..]
    }

    /// Removes the first `count` bytes, which are sent.
    pub fn advance(&mut self, count: usize) {
        self.sent += count;
        if self.sent < self.bytes.len() {
            return;
        }
        self.sent = 0;
        let mut memory = std::mem::take(&mut self.bytes);
        memory.clear();
        if memory.capacity() <= MOST_SPARE {
            SPARE.replace(memory);
        }
    }

    pub fn take(&mut self) -> Vec<u8> {
        let bytes = self.rest().to_vec();
        self.advance(bytes.len());
        bytes
    }

    /// Sends through the socket `descriptor`; returns whether the system accepted everything. The next send reports a
    /// failure.
    pub fn send(&mut self, descriptor: c_int) -> bool {
        while !self.rest().is_empty() {
            let bytes = self.rest();
            // SAFETY: the call only reads the slice, with its length.
            let sent = unsafe {
                libc::send(descriptor, bytes.as_ptr().cast(), bytes.len(), libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL)
            };
            if sent <= 0 {
                return false;
            }
            self.advance(sent as usize);
        }
        true
    }
}

impl Content for Output {
    fn write(&mut self, bytes: &[u8]) {
        if self.bytes.capacity() == 0 {
            self.bytes = SPARE.take();
        }
        self.bytes.extend_from_slice(bytes);
    }
}
