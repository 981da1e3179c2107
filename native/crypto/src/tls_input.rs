//! Incoming bytes of a TLS connection that OpenSSL has not read: stored bytes, followed by bytes borrowed for a call,
//! which are read in place.
use std::cell::{Cell, RefCell};
use std::ffi::c_int;

use crate::sys as ffi;
use crate::tls_bio::{Content, Method, content};

#[derive(Default)]
pub struct Input {
    unread: RefCell<Vec<u8>>,
    /// How many of the borrowed bytes are read.
    at: Cell<usize>,
    lent: Cell<(usize, usize)>, // address, length
}

impl Input {
    /// A BIO for OpenSSL to read from, which owns its input.
    pub fn new_bio() -> *mut ffi::BIO {
        static METHOD: Method<Input> = Method::new(c"input of a connection");
        METHOD.bio(Input::default())
    }

    /// # Safety
    /// `ssl` is a live connection with such a BIO.
    pub unsafe fn of<'a>(ssl: *mut ffi::SSL) -> &'a Input {
        // SAFETY: guaranteed by the caller.
        unsafe { &*content(ffi::SSL_get_rbio(ssl)) }
    }

    /// Lets OpenSSL read `bytes` during `work`; unread bytes are stored.
    pub fn lend<R>(&self, bytes: &[u8], work: impl FnOnce() -> R) -> R {
        if self.lent.get().1 > 0 {
            self.unread.borrow_mut().extend_from_slice(bytes); // a nested call
            return work();
        }
        self.lent.set((bytes.as_ptr() as usize, bytes.len()));
        let result = work();
        let (_, left) = self.lent.take();
        if left > 0 {
            self.unread.borrow_mut().extend_from_slice(&bytes[bytes.len() - left..]);
        }
        result
    }

    /// How many bytes OpenSSL has not read.
    pub fn waiting(&self) -> usize {
        self.unread.borrow().len() - self.at.get() + self.lent.get().1
    }

    fn fill(&self, room: &mut [u8]) -> usize {
        let mut stored = self.unread.borrow_mut();
        let rest = &stored[self.at.get()..];
        if !rest.is_empty() {
            let size = rest.len().min(room.len());
            room[..size].copy_from_slice(&rest[..size]);
            if size == rest.len() {
                self.at.set(0);
                stored.clear();
                stored.shrink_to(4096);
            } else {
                self.at.set(self.at.get() + size);
            }
            return size;
        }
        let (address, left) = self.lent.get();
        let size = left.min(room.len());
        // SAFETY: the bytes are borrowed while OpenSSL reads them.
        unsafe { std::ptr::copy_nonoverlapping(address as *const u8, room.as_mut_ptr(), size) };
        self.lent.set((address + size, left - size));
        size
    }
}

impl Content for Input {
    fn read(&self, room: &mut [u8]) -> Option<c_int> {
        let count = self.fill(room);
        (count > 0).then_some(count as c_int)
    }
}
