//! OpenSSL's cipher methods, and their contexts.
use std::ffi::{CString, c_int, c_void};
use std::ptr::{null, null_mut};

use crate::errors;
use crate::sys as ffi;
use crate::sys;

pub const NID_CHACHA20_POLY1305: i32 = 1018;
pub const WRAP_MODE: c_int = 0x10002;
pub const SIV_MODE: c_int = 0x10004;
pub const GCM_SIV_MODE: c_int = 0x10005;

/// A cipher method, fetched from the provider.
pub struct Method(pub *mut ffi::EVP_CIPHER);
// SAFETY: methods are reference counted and immutable.
unsafe impl Send for Method {}
// SAFETY: as above.
unsafe impl Sync for Method {}

impl Drop for Method {
    fn drop(&mut self) {
        // SAFETY: this value owns one reference.
        unsafe { ffi::EVP_CIPHER_free(self.0) }
    }
}

impl Method {
    pub fn find(name: &str) -> Option<Method> {
        let name = CString::new(name).ok()?;
        // SAFETY: the name ends in NUL, the default library context.
        let found = unsafe { ffi::EVP_CIPHER_fetch(null_mut(), name.as_ptr(), null()) };
        errors::clear();
        (!found.is_null()).then_some(Method(found))
    }

    // SAFETY of the five: the method is live and only read.
    pub fn mode(&self) -> i32 {
        unsafe { sys::EVP_CIPHER_get_mode(self.0) }
    }
    pub fn nid(&self) -> i32 {
        unsafe { ffi::EVP_CIPHER_get_nid(self.0) }
    }
    pub fn iv_length(&self) -> i32 {
        unsafe { ffi::EVP_CIPHER_get_iv_length(self.0) }
    }
    pub fn key_length(&self) -> i32 {
        unsafe { ffi::EVP_CIPHER_get_key_length(self.0) }
    }
    pub fn block_size(&self) -> i32 {
        unsafe { ffi::EVP_CIPHER_get_block_size(self.0) }
    }

    pub fn name(&self) -> String {
        // SAFETY: the method is live; its name is terminated.
        unsafe { std::ffi::CStr::from_ptr(ffi::EVP_CIPHER_get0_name(self.0)).to_string_lossy().into_owned() }
    }

    pub fn is_authenticated(&self) -> bool {
        let mode = self.mode();
        matches!(
            mode,
            ffi::EVP_CIPH_GCM_MODE | ffi::EVP_CIPH_CCM_MODE | ffi::EVP_CIPH_OCB_MODE | SIV_MODE | GCM_SIV_MODE
        ) || self.nid() == NID_CHACHA20_POLY1305
    }
}

pub struct Context(pub *mut ffi::EVP_CIPHER_CTX);
// SAFETY: one owner at a time uses a context.
unsafe impl Send for Context {}

impl Context {
    pub fn new() -> Context {
        // SAFETY: the call creates an object.
        Context(unsafe { ffi::EVP_CIPHER_CTX_new() })
    }

    /// `EVP_CIPHER_CTX_ctrl` with a size and bytes.
    pub fn control(&self, what: c_int, size: usize, data: *mut c_void) -> bool {
        // SAFETY: the callers pass a buffer that is large enough for the command, or null.
        unsafe { ffi::EVP_CIPHER_CTX_ctrl(self.0, what, size as c_int, data) == 1 }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: this value owns the object, which is freed once.
        unsafe { ffi::EVP_CIPHER_CTX_free(self.0) }
    }
}
