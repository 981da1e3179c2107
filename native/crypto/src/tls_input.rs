//! What has arrived for a TLS connection and OpenSSL has not looked at: bytes that are kept, and after them those that are lent
//! for the time of a call, which are read where they lie.
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_int, c_long, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

use crate::sys as ffi;

#[derive(Default)]
pub struct Input {
    kept: RefCell<Vec<u8>>,
    /// How many of those are read.
    at: Cell<usize>,
    lent: Cell<(usize, usize)>, // address, length
}

impl Input {
    /// A BIO that OpenSSL may read from; it owns its input.
    pub fn new_bio() -> *mut ffi::BIO {
        static METHOD: OnceLock<usize> = OnceLock::new();
        // SAFETY: the functions below have the signatures that are declared; the method is never freed.
        unsafe {
            let method = *METHOD.get_or_init(|| {
                const SOURCE_OR_SINK: c_int = 0x0400;
                let method = ffi::BIO_meth_new(SOURCE_OR_SINK | 125, c"input of a connection".as_ptr());
                ffi::BIO_meth_set_read__fixed_rust(method, Some(read));
                ffi::BIO_meth_set_ctrl__fixed_rust(method, Some(control));
                ffi::BIO_meth_set_destroy__fixed_rust(method, Some(destroy));
                method as usize
            });
            let bio = ffi::BIO_new(method as *mut ffi::BIO_METHOD);
            ffi::BIO_set_data(bio, Box::into_raw(Box::<Input>::default()).cast());
            ffi::BIO_set_init(bio, 1);
            bio
        }
    }

    /// # Safety
    /// `ssl` is a live connection with such a BIO.
    pub unsafe fn of<'a>(ssl: *mut ffi::SSL) -> &'a Input {
        // SAFETY: what the caller promises.
        unsafe { &*ffi::BIO_get_data(ffi::SSL_get_rbio(ssl)).cast() }
    }

    /// Have OpenSSL read `bytes` during `work`; what it leaves is kept.
    pub fn lend<R>(&self, bytes: &[u8], work: impl FnOnce() -> R) -> R {
        if self.lent.get().1 > 0 {
            self.kept.borrow_mut().extend_from_slice(bytes); // a call within another
            return work();
        }
        self.lent.set((bytes.as_ptr() as usize, bytes.len()));
        let result = work();
        let (_, left) = self.lent.take();
        if left > 0 {
            self.kept.borrow_mut().extend_from_slice(&bytes[bytes.len() - left..]);
        }
        result
    }

    /// How many bytes OpenSSL has not looked at.
    pub fn waiting(&self) -> usize {
        self.kept.borrow().len() - self.at.get() + self.lent.get().1
    }

    fn fill(&self, room: &mut [u8]) -> usize {
        let mut kept = self.kept.borrow_mut();
        let rest = &kept[self.at.get()..];
        if !rest.is_empty() {
            let size = rest.len().min(room.len());
            room[..size].copy_from_slice(&rest[..size]);
            if size == rest.len() {
                self.at.set(0);
                kept.clear();
                kept.shrink_to(4096);
            } else {
                self.at.set(self.at.get() + size);
            }
            return size;
        }
        let (address, left) = self.lent.get();
        let size = left.min(room.len());
        // SAFETY: so many bytes are lent for as long as OpenSSL reads.
        unsafe { std::ptr::copy_nonoverlapping(address as *const u8, room.as_mut_ptr(), size) };
        self.lent.set((address + size, left - size));
        size
    }
}

unsafe extern "C" fn read(bio: *mut ffi::BIO, data: *mut c_char, size: c_int) -> c_int {
    // SAFETY: OpenSSL's promise: a BIO of ours, and room for so many bytes.
    unsafe {
        ffi::BIO_clear_retry_flags(bio);
        if size <= 0 {
            return 0;
        }
        let input = &*ffi::BIO_get_data(bio).cast::<Input>();
        let count = input.fill(std::slice::from_raw_parts_mut(data.cast(), size as usize));
        if count > 0 {
            return count as c_int;
        }
        ffi::BIO_set_retry_read(bio);
        -1
    }
}

unsafe extern "C" fn control(_: *mut ffi::BIO, _: c_int, _: c_long, _: *mut c_void) -> c_long {
    0
}

unsafe extern "C" fn destroy(bio: *mut ffi::BIO) -> c_int {
    // SAFETY: OpenSSL's promise: a BIO of ours, for the last time.
    unsafe {
        let data = ffi::BIO_get_data(bio).cast::<Input>();
        if !data.is_null() {
            drop(Box::from_raw(data));
            ffi::BIO_set_data(bio, null_mut());
        }
    }
    1
}
