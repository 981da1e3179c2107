//! What a TLS connection has to send. OpenSSL writes it into one stretch of memory, where it lies until it is sent or taken;
//! a connection that has nothing to send has no memory for it.
use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_long, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

use crate::sys as ffi;

thread_local! {
    /// The memory of the last that was sent: being used again and again, it stays in the processor's cache.
    static SPARE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}
const MOST_SPARE: usize = 256 * 1024;

#[derive(Default)]
pub struct Output {
    bytes: Vec<u8>,
    taken: usize,
}

impl Output {
    /// A BIO that OpenSSL may write to; it owns its output.
    pub fn new_bio() -> *mut ffi::BIO {
        static METHOD: OnceLock<usize> = OnceLock::new();
        // SAFETY: the functions below have the signatures that are declared; the method is never freed.
        unsafe {
            let method = *METHOD.get_or_init(|| {
                const SOURCE_OR_SINK: c_int = 0x0400;
                let method = ffi::BIO_meth_new(SOURCE_OR_SINK | 127, c"output of a connection".as_ptr());
                ffi::BIO_meth_set_write__fixed_rust(method, Some(write));
                ffi::BIO_meth_set_ctrl__fixed_rust(method, Some(control));
                ffi::BIO_meth_set_destroy__fixed_rust(method, Some(destroy));
                method as usize
            });
            let bio = ffi::BIO_new(method as *mut ffi::BIO_METHOD);
            ffi::BIO_set_data(bio, Box::into_raw(Box::<Output>::default()).cast());
            ffi::BIO_set_init(bio, 1);
            bio
        }
    }

    /// # Safety
    /// `ssl` is a live connection with such a BIO, and OpenSSL does not write to it as long as the output is used.
    pub unsafe fn of<'a>(ssl: *mut ffi::SSL) -> &'a mut Output {
        // SAFETY: what the caller promises.
        unsafe { &mut *ffi::BIO_get_data(ffi::SSL_get_wbio(ssl)).cast() }
    }

    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.taken..]
    }

    /// The first `count` bytes are sent.
    pub fn advance(&mut self, count: usize) {
        self.taken += count;
        if self.taken < self.bytes.len() {
            return;
        }
        self.taken = 0;
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

    /// Send through `descriptor`, a socket; whether the system has taken all. A failure is found again by whoever sends the rest.
    pub fn send(&mut self, descriptor: c_int) -> bool {
        while !self.rest().is_empty() {
            let bytes = self.rest();
            // SAFETY: only reads as many bytes as are told.
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

unsafe extern "C" fn write(bio: *mut ffi::BIO, data: *const c_char, size: c_int) -> c_int {
    // SAFETY: OpenSSL's promise: a BIO of ours, and so many bytes.
    unsafe {
        let output = &mut *ffi::BIO_get_data(bio).cast::<Output>();
        if output.bytes.capacity() == 0 {
            output.bytes = SPARE.take();
        }
        output.bytes.extend_from_slice(std::slice::from_raw_parts(data.cast(), size.max(0) as usize));
    }
    size
}

unsafe extern "C" fn control(_: *mut ffi::BIO, what: c_int, _: c_long, _: *mut c_void) -> c_long {
    c_long::from(what == ffi::BIO_CTRL_FLUSH)
}

unsafe extern "C" fn destroy(bio: *mut ffi::BIO) -> c_int {
    // SAFETY: OpenSSL's promise: a BIO of ours, for the last time.
    unsafe {
        let data = ffi::BIO_get_data(bio).cast::<Output>();
        if !data.is_null() {
            drop(Box::from_raw(data));
            ffi::BIO_set_data(bio, null_mut());
        }
    }
    1
}
