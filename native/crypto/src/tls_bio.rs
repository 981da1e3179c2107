//! BIOs of TLS connections with Rust contents: OpenSSL's callbacks are here, so that contents only read or write.
use std::ffi::{CStr, c_char, c_int, c_long, c_void};
use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::OnceLock;

use crate::sys as ffi;

/// What a BIO owns. One that is only written has nothing to read, and vice versa.
pub trait Content: Sized {
    /// Fills the buffer, which is never empty, and returns the number of bytes: 0 at the end, -1 on failure; None if
    /// there are none now. OpenSSL may call this during another call of the content.
    fn read(&self, _room: &mut [u8]) -> Option<c_int> {
        None
    }

    /// Accept all bytes.
    fn write(&mut self, _bytes: &[u8]) {}
}

/// A BIO method, created with the first BIO and never freed.
pub struct Method<C> {
    name: &'static CStr,
    made: OnceLock<usize>,
    content: PhantomData<fn(C)>,
}

impl<C: Content> Method<C> {
    pub const fn new(name: &'static CStr) -> Method<C> {
        Method { name, made: OnceLock::new(), content: PhantomData }
    }

    pub fn bio(&self, content: C) -> *mut ffi::BIO {
        const SOURCE_OR_SINK: c_int = 0x0400;
        // SAFETY: the functions below have the signatures that are declared.
        unsafe {
            let method = *self.made.get_or_init(|| {
                let method = ffi::BIO_meth_new(SOURCE_OR_SINK | 127, self.name.as_ptr());
                ffi::BIO_meth_set_read__fixed_rust(method, Some(read::<C>));
                ffi::BIO_meth_set_write__fixed_rust(method, Some(write::<C>));
                ffi::BIO_meth_set_ctrl__fixed_rust(method, Some(control));
                ffi::BIO_meth_set_destroy__fixed_rust(method, Some(destroy::<C>));
                method as usize
            });
            let bio = ffi::BIO_new(method as *mut ffi::BIO_METHOD);
            ffi::BIO_set_data(bio, Box::into_raw(Box::new(content)).cast());
            ffi::BIO_set_init(bio, 1);
            bio
        }
    }
}

/// # Safety
/// `bio` is live, and a `Method<C>` created it.
pub unsafe fn content<C: Content>(bio: *mut ffi::BIO) -> *mut C {
    // SAFETY: guaranteed by the caller.
    unsafe { ffi::BIO_get_data(bio).cast() }
}

unsafe extern "C" fn read<C: Content>(bio: *mut ffi::BIO, data: *mut c_char, size: c_int) -> c_int {
    // SAFETY: OpenSSL passes a BIO of this method, and a buffer of the given size.
    unsafe {
        ffi::BIO_clear_retry_flags(bio);
        if size <= 0 {
            return 0;
        }
        let room = std::slice::from_raw_parts_mut(data.cast(), size as usize);
        (*content::<C>(bio)).read(room).unwrap_or_else(|| {
            ffi::BIO_set_retry_read(bio);
            -1
        })
    }
}

unsafe extern "C" fn write<C: Content>(bio: *mut ffi::BIO, data: *const c_char, size: c_int) -> c_int {
    // SAFETY: OpenSSL passes a BIO of this method, and that many readable bytes.
    unsafe { (*content::<C>(bio)).write(std::slice::from_raw_parts(data.cast(), size.max(0) as usize)) };
    size
}

unsafe extern "C" fn control(_: *mut ffi::BIO, what: c_int, _: c_long, _: *mut c_void) -> c_long {
    c_long::from(what == ffi::BIO_CTRL_FLUSH)
}

unsafe extern "C" fn destroy<C: Content>(bio: *mut ffi::BIO) -> c_int {
    // SAFETY: OpenSSL passes a BIO of this method, and does not use it afterwards.
    unsafe {
        let data = content::<C>(bio);
        if !data.is_null() {
            drop(Box::from_raw(data));
            ffi::BIO_set_data(bio, null_mut());
        }
    }
    1
}
