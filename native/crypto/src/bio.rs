//! OpenSSL's memory buffers, and the passphrase callback.
use std::ffi::{c_char, c_int, c_void};

use crate::sys as ffi;

pub struct Bio(pub *mut ffi::BIO);

impl Drop for Bio {
    fn drop(&mut self) {
        // SAFETY: this value owns the object, which is freed once.
        unsafe { ffi::BIO_free_all(self.0) }
    }
}

impl Bio {
    pub fn new() -> Bio {
        // SAFETY: the call creates an object.
        Bio(unsafe { ffi::BIO_new(ffi::BIO_s_mem()) })
    }

    /// Read from `data`, which must outlive the result.
    pub fn over(data: &[u8]) -> Bio {
        // SAFETY: the callers keep the bytes alive while the BIO is used.
        Bio(unsafe { ffi::BIO_new_mem_buf(data.as_ptr().cast(), data.len() as c_int) })
    }

    pub fn pending(&self) -> usize {
        // SAFETY: the memory BIO is live.
        unsafe { ffi::BIO_ctrl(self.0, ffi::BIO_CTRL_PENDING, 0, std::ptr::null_mut()) as usize }
    }

    pub fn take(&self) -> Vec<u8> {
        let mut out = vec![0; self.pending()];
        if !out.is_empty() {
            // SAFETY: the buffer has room for all pending bytes.
            let size = unsafe { ffi::BIO_read(self.0, out.as_mut_ptr().cast(), out.len() as c_int) };
            out.truncate(size.max(0) as usize);
        }
        out
    }
}

/// A passphrase, and whether OpenSSL has requested it.
pub struct Passphrase<'a> {
    pub data: Option<&'a [u8]>,
    pub was_requested: bool,
}

impl<'a> Passphrase<'a> {
    pub fn new(data: Option<&'a [u8]>) -> Passphrase<'a> {
        Passphrase { data, was_requested: false }
    }

    pub fn as_user(&mut self) -> *mut c_void {
        (self as *mut Passphrase<'a>).cast()
    }
}

/// OpenSSL's `pem_password_cb` for a `Passphrase`.
pub unsafe extern "C" fn passphrase(buffer: *mut c_char, size: c_int, _: c_int, user: *mut c_void) -> c_int {
    // SAFETY: the callers pass a `Passphrase` that outlives the call; the buffer has the given size.
    unsafe {
        let passphrase = &mut *(user as *mut Passphrase<'_>);
        passphrase.was_requested = true;
        match passphrase.data {
            Some(data) if data.len() <= size as usize => {
                std::ptr::copy_nonoverlapping(data.as_ptr(), buffer.cast(), data.len());
                data.len() as c_int
            }
            _ => -1,
        }
    }
}
