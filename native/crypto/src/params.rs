//! Parameters from which OpenSSL builds keys, and contexts for operations with keys.
use std::ffi::{CStr, c_int};
use std::ptr::{null, null_mut};

use crate::bignum::Number;
use crate::key::{PKey, c_text};
use crate::sys as ffi;

/// A list under construction; pushed values are copied.
pub struct Params {
    builder: *mut ffi::OSSL_PARAM_BLD,
    numbers: Vec<Number>,
    texts: Vec<Vec<u8>>,
}

impl Drop for Params {
    fn drop(&mut self) {
        // SAFETY: this value owns the object, which is freed once.
        unsafe { ffi::OSSL_PARAM_BLD_free(self.builder) }
    }
}

impl Params {
    pub fn new() -> Params {
        // SAFETY: the call creates an object.
        Params { builder: unsafe { ffi::OSSL_PARAM_BLD_new() }, numbers: Vec::new(), texts: Vec::new() }
    }

    pub fn number(&mut self, name: &CStr, bytes: &[u8]) {
        let number = Number::from_bytes(bytes);
        // SAFETY: the number outlives the builder, which reads it at the end.
        unsafe { ffi::OSSL_PARAM_BLD_push_BN(self.builder, name.as_ptr(), number.0) };
        self.numbers.push(number);
    }

    pub fn octets(&mut self, name: &CStr, data: &[u8]) {
        self.texts.push(data.to_vec());
        let text = self.texts.last().expect("just pushed");
        // SAFETY: the bytes outlive the builder.
        unsafe { ffi::OSSL_PARAM_BLD_push_octet_string(self.builder, name.as_ptr(), text.as_ptr().cast(), text.len()) };
    }

    pub fn text(&mut self, name: &CStr, text: &str) {
        self.texts.push(c_text(text).into_bytes_with_nul());
        let stored = self.texts.last().expect("just pushed");
        // SAFETY: the text is null-terminated and outlives the builder.
        unsafe { ffi::OSSL_PARAM_BLD_push_utf8_string(self.builder, name.as_ptr(), stored.as_ptr().cast(), 0) };
    }
}

/// A key of a type, built from parameters; None if they do not form a key.
pub fn key_from(kind: &str, selection: c_int, params: Params) -> Option<PKey> {
    let name = c_text(&kind.to_uppercase());
    let mut key = null_mut();
    // SAFETY: this function owns the context; the list is freed after its use.
    unsafe {
        let list = ffi::OSSL_PARAM_BLD_to_param(params.builder);
        let ctx = Context(ffi::EVP_PKEY_CTX_new_from_name(null_mut(), name.as_ptr(), null()));
        if !ctx.0.is_null() && ffi::EVP_PKEY_fromdata_init(ctx.0) == 1 {
            ffi::EVP_PKEY_fromdata(ctx.0, &mut key, selection, list);
        }
        ffi::OSSL_PARAM_free(list);
    }
    PKey::new(key)
}

pub struct Context(pub *mut ffi::EVP_PKEY_CTX);

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the object is owned, or null.
        unsafe { ffi::EVP_PKEY_CTX_free(self.0) }
    }
}

pub fn context(key: &PKey) -> Context {
    // SAFETY: the key is live.
    Context(unsafe { ffi::EVP_PKEY_CTX_new(key.0, null_mut()) })
}
