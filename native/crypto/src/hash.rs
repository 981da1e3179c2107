//! Digests and HMACs: created, updated, copied and finished by number, or computed in one call.
use std::collections::HashMap;
use std::ffi::{CString, c_uint};
use std::ptr::null_mut;
use std::sync::Mutex;

use crate::sys as ffi;

use crate::errors::Failure;
use crate::errors::{self, plain, with_code};
use crate::functions::functions;
use crate::sys;
use crate::table::Table;
use crate::values::{Bytes, Data, Outcome, Value};

/// EVP_R_NOT_XOF_OR_INVALID_LENGTH of the library EVP.
const NOT_XOF: std::ffi::c_ulong = (6 << 23) | 178;
const MD_FLAG_XOF: std::ffi::c_ulong = 0x2;
/// The default output sizes of SHAKE.
const SHAKE_SIZES: [(&str, usize); 2] = [("SHAKE-128", 16), ("SHAKE-256", 32)];

/// A digest method, fetched from the provider.
pub struct Method(pub *mut ffi::EVP_MD);
// SAFETY: methods are reference counted and immutable.
unsafe impl Send for Method {}
// SAFETY: as above.
unsafe impl Sync for Method {}

impl Drop for Method {
    fn drop(&mut self) {
        // SAFETY: this value owns one reference.
        unsafe { ffi::EVP_MD_free(self.0) }
    }
}

impl Clone for Method {
    fn clone(&self) -> Method {
        // SAFETY: the method is live.
        unsafe { ffi::EVP_MD_up_ref(self.0) };
        Method(self.0)
    }
}

/// Methods that were fetched before, because fetching one takes longer than a short digest.
static FOUND: Mutex<Option<HashMap<String, Method>>> = Mutex::new(None);

/// Clears the cache of methods, because the available methods have changed.
pub fn forget_methods() {
    *FOUND.lock().expect("no holder panics") = None;
}

impl Method {
    pub fn find(name: &str) -> Option<Method> {
        let mut found = FOUND.lock().expect("no holder panics");
        let known = found.get_or_insert_with(HashMap::new);
        if let Some(method) = known.get(name) {
            return Some(method.clone());
        }
        let method = Method::fetch(name)?;
        known.insert(name.to_owned(), method.clone());
        Some(method)
    }

    fn fetch(name: &str) -> Option<Method> {
        if name.eq_ignore_ascii_case("null") {
            return None;
        }
        // Signature names (RSA-SHA256) are aliases that the provider does not know.
        let name = CString::new(name).ok()?;
        // SAFETY: the name ends in NUL; the default library context.
        unsafe {
            let mut found = ffi::EVP_MD_fetch(null_mut(), name.as_ptr(), std::ptr::null());
            if found.is_null() {
                let alias = ffi::EVP_get_digestbyname(name.as_ptr());
                if !alias.is_null() {
                    found = ffi::EVP_MD_fetch(null_mut(), sys::EVP_MD_get0_name(alias), std::ptr::null());
                }
            }
            errors::clear();
            (!found.is_null()).then_some(Method(found))
        }
    }

    pub fn size(&self) -> usize {
        // SAFETY: the method is live.
        unsafe { ffi::EVP_MD_get_size(self.0) as usize }
    }

    fn is_xof(&self) -> bool {
        // SAFETY: the method is live.
        unsafe { ffi::EVP_MD_get_flags(self.0) & MD_FLAG_XOF != 0 }
    }

    fn default_size(&self) -> usize {
        // SAFETY: the method is live; the name is static.
        let name = unsafe { std::ffi::CStr::from_ptr(sys::EVP_MD_get0_name(self.0)) }.to_string_lossy();
        let shake = SHAKE_SIZES.iter().find(|(known, _)| name.starts_with(known));
        shake.map_or_else(|| self.size(), |(_, size)| *size)
    }
}

struct Digest {
    ctx: *mut ffi::EVP_MD_CTX,
    /// The requested output size, if it differs from the method's.
    wanted: Option<usize>,
    size: usize,
}
// SAFETY: one holder of the mutex at a time uses the context.
unsafe impl Send for Digest {}

impl Drop for Digest {
    fn drop(&mut self) {
        // SAFETY: this value owns the object, which is freed once.
        unsafe { ffi::EVP_MD_CTX_free(self.ctx) }
    }
}

struct Hmac(*mut ffi::HMAC_CTX);
// SAFETY: as for Digest.
unsafe impl Send for Hmac {}

impl Drop for Hmac {
    fn drop(&mut self) {
        // SAFETY: this value owns the object, which is freed once.
        unsafe { ffi::HMAC_CTX_free(self.0) }
    }
}

enum Running {
    Digest(Digest),
    Hmac(Hmac),
}

static RUNNING: Table<Mutex<Running>> = Table::new();

impl Digest {
    fn output(&mut self) -> Result<Vec<u8>, Failure> {
        let size = self.wanted.unwrap_or(self.size);
        let mut out = vec![0; size];
        if size == 0 {
            return Ok(out);
        }
        // SAFETY: `out` has room for the output: the method's size, or `size` bytes.
        let done = unsafe {
            if self.wanted.is_some() {
                ffi::EVP_DigestFinalXOF(self.ctx, out.as_mut_ptr(), size)
            } else {
                let mut length: c_uint = 0;
                ffi::EVP_DigestFinal_ex(self.ctx, out.as_mut_ptr(), &mut length)
            }
        };
        if done == 1 { Ok(out) } else { Err(errors::take_queued("Failed to finalize digest")) }
    }
}

/// The output size to request from a method: Some(None) for its default. None if it cannot produce `wanted` bytes.
fn checked_size(method: &Method, wanted: Option<usize>) -> Option<Option<usize>> {
    match wanted {
        None if method.is_xof() => Some(Some(method.default_size())),
        None => Some(None),
        Some(size) if method.is_xof() => Some(Some(size)),
        Some(size) if size == method.size() => Some(None),
        Some(_) => None,
    }
}

fn begin(method: &Method, wanted: Option<usize>) -> Outcome<Digest> {
    // SAFETY: a fresh context and a live method.
    unsafe {
        let ctx = ffi::EVP_MD_CTX_new();
        let digest = Digest { ctx, wanted, size: method.size() };
        if ffi::EVP_DigestInit_ex(ctx, method.0, null_mut()) != 1 {
            return Err(errors::take_queued("Digest method not supported"));
        }
        Ok(digest)
    }
}

/// The error for a digest that OpenSSL knows only by name.
fn not_supported(name: &str) -> Failure {
    errors::clear();
    let name = CString::new(name).unwrap_or_default();
    // SAFETY: the name ends in NUL; a fresh context.
    unsafe {
        let alias = ffi::EVP_get_digestbyname(name.as_ptr());
        if !alias.is_null() {
            let ctx = ffi::EVP_MD_CTX_new();
            ffi::EVP_DigestInit_ex(ctx, alias, null_mut());
            ffi::EVP_MD_CTX_free(ctx);
        }
    }
    errors::take_queued("Digest method not supported")
}

fn hash_new(name: &str, size: Option<usize>) -> Outcome<u64> {
    let method = Method::find(name).ok_or_else(|| not_supported(name))?;
    let Some(wanted) = checked_size(&method, size) else {
        return Err(errors::from_queue(NOT_XOF, None));
    };
    Ok(RUNNING.add(Mutex::new(Running::Digest(begin(&method, wanted)?))))
}

fn hash_copy(number: u64, size: Option<usize>) -> Outcome<u64> {
    let source = RUNNING.get(number)?;
    let source = source.lock().expect("no holder panics");
    let Running::Digest(digest) = &*source else { return Err(plain("Digest method not supported")) };
    // SAFETY: the fresh context becomes a copy of a live one.
    let ctx = unsafe {
        let ctx = ffi::EVP_MD_CTX_new();
        ffi::EVP_MD_CTX_copy_ex(ctx, digest.ctx);
        ctx
    };
    let mut copy = Digest { ctx, wanted: digest.wanted, size: digest.size };
    if let Some(size) = size {
        // SAFETY: a live context has a method, to which a reference is taken.
        let method = unsafe {
            let method = ffi::EVP_MD_CTX_get0_md(ctx) as *mut ffi::EVP_MD;
            ffi::EVP_MD_up_ref(method);
            Method(method)
        };
        match checked_size(&method, Some(size)) {
            Some(wanted) => copy.wanted = wanted,
            None => return Err(errors::from_queue(NOT_XOF, None)),
        }
    }
    Ok(RUNNING.add(Mutex::new(Running::Digest(copy))))
}

fn hmac_new(name: &str, key: Bytes) -> Outcome<u64> {
    let method = Method::find(name)
        .ok_or_else(|| with_code("TypeError", "ERR_CRYPTO_INVALID_DIGEST", &format!("Invalid digest: {name}")))?;
    // SAFETY: the context is fresh and the method live; `key` has `len()` readable bytes. A null key would keep the
    // previous one.
    unsafe {
        let hmac = Hmac(ffi::HMAC_CTX_new());
        let data = if key.is_empty() { c"".as_ptr().cast::<u8>() } else { key.as_ptr() };
        if ffi::HMAC_Init_ex(hmac.0, data.cast(), key.len() as i32, method.0, null_mut()) != 1 {
            return Err(errors::from_queue(errors::take(), None));
        }
        Ok(RUNNING.add(Mutex::new(Running::Hmac(hmac))))
    }
}

/// Updates a digest or an HMAC; returns whether it accepted the bytes.
fn hash_update(number: u64, data: Data) -> Outcome<bool> {
    let data = data.0;
    let running = RUNNING.get(number)?;
    let running = running.lock().expect("no holder panics");
    // SAFETY: the contexts are live, and the slice has that many readable bytes.
    Ok(unsafe {
        match &*running {
            Running::Digest(digest) => ffi::EVP_DigestUpdate(digest.ctx, data.as_ptr().cast(), data.len()) == 1,
            Running::Hmac(hmac) => ffi::HMAC_Update(hmac.0, data.as_ptr(), data.len()) == 1,
        }
    })
}

/// A digest as bytes, or as hexadecimal text.
fn encode_digest(digest: Vec<u8>, as_hex: bool) -> Value {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    if !as_hex {
        return Value::Bytes(digest);
    }
    let mut text = String::with_capacity(2 * digest.len());
    for byte in digest {
        text.push(DIGITS[usize::from(byte >> 4)] as char);
        text.push(DIGITS[usize::from(byte & 15)] as char);
    }
    Value::Text(text)
}

/// Finishes the digest; the number becomes invalid.
fn hash_digest(number: u64, as_hex: bool) -> Outcome<Value> {
    let running = RUNNING.get(number)?;
    RUNNING.remove(number);
    let mut running = running.lock().expect("no holder panics");
    match &mut *running {
        Running::Digest(digest) => Ok(encode_digest(digest.output()?, as_hex)),
        Running::Hmac(hmac) => {
            let mut out = [0; 64];
            let mut size: c_uint = 0;
            // SAFETY: room for the largest digest.
            if unsafe { ffi::HMAC_Final(hmac.0, out.as_mut_ptr(), &mut size) } != 1 {
                return Err(errors::take_queued("Failed to finalize HMAC"));
            }
            Ok(encode_digest(out[..size as usize].to_vec(), as_hex))
        }
    }
}

fn hash_free(number: u64) {
    RUNNING.remove(number);
}

pub fn digest_once(method: &Method, wanted: Option<usize>, data: &[u8]) -> Outcome<Vec<u8>> {
    let mut digest = begin(method, wanted)?;
    // SAFETY: the context is live, and the slice has that many readable bytes.
    if unsafe { ffi::EVP_DigestUpdate(digest.ctx, data.as_ptr().cast(), data.len()) } != 1 {
        return Err(errors::take_queued("Hash update failed"));
    }
    digest.output()
}

fn hash_once(name: &str, data: Data, size: Option<usize>, as_hex: bool) -> Outcome<Value> {
    let method = Method::find(name).ok_or_else(|| plain(&format!("Digest method {name} is not supported")))?;
    let Some(wanted) = checked_size(&method, size) else {
        let size = size.unwrap_or(0);
        let message = format!("Output length {size} is invalid for {name}, which does not support XOF");
        return Err(plain(&message));
    };
    digest_once(&method, wanted, data.0).map(|out| encode_digest(out, as_hex))
}

/// (size, whether its output may have any length) of a digest; None if it is not available.
fn hash_info(name: &str) -> Option<(usize, bool)> {
    Method::find(name).map(|method| (method.size(), method.is_xof()))
}

fn hmac_once(name: &str, key: Bytes, data: Data, as_hex: bool) -> Outcome<Value> {
    let number = hmac_new(name, key)?;
    hash_update(number, data)?;
    hash_digest(number, as_hex)
}

functions!(hash_new, hash_copy, hmac_new, hash_update, hash_digest, hash_free, hash_once, hash_info, hmac_once);
