//! Deriving keys from passwords and other keys: PBKDF2, scrypt, HKDF, Argon2. All may run on any thread.
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use crate::sys as ffi;

use crate::errors::Failure;
use crate::errors::{self, plain, with_code};
use crate::functions::functions;
use crate::hash::Method;
use crate::sys;
use crate::values::{Bytes, Outcome};

fn invalid_digest(name: &str) -> Failure {
    with_code("TypeError", "ERR_CRYPTO_INVALID_DIGEST", &format!("Invalid digest: {name}"))
}

fn pbkdf2(password: Bytes, salt: Bytes, iterations: c_int, size: usize, digest: &str) -> Outcome<Vec<u8>> {
    let method = Method::find(digest).ok_or_else(|| invalid_digest(digest))?;
    let (password, salt): (&[u8], &[u8]) = (password, salt);
    if size == 0 {
        return Err(plain("PBKDF2 derivation failed"));
    }
    let mut out = vec![0; size];
    // SAFETY: the pointers and sizes describe live slices.
    let done = unsafe {
        ffi::PKCS5_PBKDF2_HMAC(
            password.as_ptr().cast(),
            password.len() as c_int,
            salt.as_ptr(),
            salt.len() as c_int,
            iterations,
            method.0,
            size as c_int,
            out.as_mut_ptr(),
        )
    };
    if done != 1 {
        return Err(errors::with_message(errors::peek(), "PBKDF2 derivation failed"));
    }
    Ok(out)
}

fn scrypt_problem() -> Failure {
    let first = errors::take();
    errors::clear();
    let message = match first {
        0 => "Invalid scrypt params".to_owned(),
        code => format!("Invalid scrypt params: {}", errors::text_of(code)),
    };
    with_code("RangeError", "ERR_CRYPTO_INVALID_SCRYPT_PARAMS", &message)
}

/// Whether scrypt accepts these parameters; fails with the reason if not.
fn scrypt_check(n: u64, r: u64, p: u64, max_memory: u64) -> Outcome<()> {
    errors::clear();
    // SAFETY: without a target the call only checks the parameters.
    let done = unsafe { sys::EVP_PBE_scrypt(null(), 0, null(), 0, n, r, p, max_memory, null_mut(), 0) };
    if done == 1 { Ok(()) } else { Err(scrypt_problem()) }
}

#[allow(clippy::too_many_arguments)]
fn scrypt(password: Bytes, salt: Bytes, n: u64, r: u64, p: u64, max_memory: u64, size: usize) -> Outcome<Vec<u8>> {
    errors::clear();
    let (password, salt): (&[u8], &[u8]) = (password, salt);
    let mut out = vec![0; size];
    let password_data = if password.is_empty() { c"".as_ptr().cast::<u8>() } else { password.as_ptr() };
    let salt_data = if salt.is_empty() { c"".as_ptr().cast::<u8>() } else { salt.as_ptr() };
    let (password_data, salt_data) = (password_data as usize, salt_data as usize);
    // SAFETY: the pointers and sizes describe live slices.
    let done = size == 0
        || unsafe {
            sys::EVP_PBE_scrypt(
                password_data as *const _,
                password.len(),
                salt_data as *const _,
                salt.len(),
                n,
                r,
                p,
                max_memory,
                out.as_mut_ptr(),
                size,
            )
        } == 1;
    if !done {
        return Err(scrypt_problem());
    }
    Ok(out)
}

/// Parameters of a key derivation, whose values must outlive their use.
struct Params(Vec<ffi::OSSL_PARAM>);

impl Params {
    fn new() -> Params {
        Params(Vec::new())
    }
    // SAFETY of the two: the values outlive the call that reads them (the callers keep them on their stack).
    fn octets(&mut self, name: &'static std::ffi::CStr, data: &[u8]) {
        self.0.push(unsafe {
            sys::OSSL_PARAM_construct_octet_string(name.as_ptr(), data.as_ptr() as *mut c_void, data.len())
        });
    }
    fn number(&mut self, name: &'static std::ffi::CStr, value: &mut u32) {
        self.0.push(unsafe { sys::OSSL_PARAM_construct_uint(name.as_ptr(), value) });
    }
    fn end(mut self) -> Vec<ffi::OSSL_PARAM> {
        // SAFETY: the call creates the end marker.
        self.0.push(unsafe { sys::OSSL_PARAM_construct_end() });
        self.0
    }
}

fn derive(name: &std::ffi::CStr, params: &[ffi::OSSL_PARAM], out: &mut [u8]) -> bool {
    // SAFETY: the parameters are terminated and their values live; the target has the given size.
    unsafe {
        let kdf = ffi::EVP_KDF_fetch(null_mut(), name.as_ptr(), null());
        if kdf.is_null() {
            return false;
        }
        let ctx = ffi::EVP_KDF_CTX_new(kdf);
        let done = ffi::EVP_KDF_derive(ctx, out.as_mut_ptr(), out.len(), params.as_ptr()) == 1;
        ffi::EVP_KDF_CTX_free(ctx);
        ffi::EVP_KDF_free(kdf);
        done
    }
}

/// The most bytes that HKDF produces with a digest; fails for an unavailable digest.
fn hkdf_limit(digest: &str) -> Outcome<usize> {
    Method::find(digest).map(|method| method.size() * 255).ok_or_else(|| invalid_digest(digest))
}

fn hkdf(digest: &str, key: Bytes, salt: Bytes, info: Bytes, size: usize) -> Outcome<Vec<u8>> {
    let method = Method::find(digest).ok_or_else(|| invalid_digest(digest))?;
    if size == 0 {
        return Err(plain("HKDF derivation failed"));
    }
    let (key, info): (&[u8], &[u8]) = (key, info);
    // An empty salt is a string of zeroes.
    let zeroes = vec![0; method.size()];
    let salt: &[u8] = if salt.is_empty() { &zeroes } else { salt };
    let out = (|| -> Outcome<Vec<u8>> {
        // Extract with HMAC, which also accepts an empty key; then expand.
        let secret = hmac(&method, salt, key).ok_or_else(|| errors::take_queued("HKDF failed"))?;
        let mut out = Vec::with_capacity(size + secret.len());
        let mut block: Vec<u8> = Vec::new();
        let mut count: u8 = 1;
        while out.len() < size {
            let input = [&block, info, &[count]].concat();
            block = hmac(&method, &secret, &input).ok_or_else(|| errors::take_queued("HKDF failed"))?;
            out.extend_from_slice(&block);
            count = count.wrapping_add(1);
        }
        out.truncate(size);
        Ok(out)
    })()?;
    Ok(out)
}

fn hmac(method: &Method, key: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    let mut out = vec![0; 64];
    let mut size = 0;
    // SAFETY: the pointers and sizes describe live slices; the target takes the largest digest.
    let done = unsafe {
        ffi::HMAC(
            method.0,
            key.as_ptr().cast(),
            key.len() as c_int,
            data.as_ptr(),
            data.len(),
            out.as_mut_ptr(),
            &mut size,
        )
    };
    out.truncate(size as usize);
    (!done.is_null()).then_some(out)
}

#[allow(clippy::too_many_arguments)]
fn argon2(
    algorithm: &str,
    message: Bytes,
    nonce: Bytes,
    mut lanes: u32,
    size: usize,
    mut memory: u32,
    mut passes: u32,
    secret: Option<Bytes>,
    data: Option<Bytes>,
) -> Outcome<Vec<u8>> {
    let name = match algorithm {
        "argon2d" => c"ARGON2D",
        "argon2i" => c"ARGON2I",
        "argon2id" => c"ARGON2ID",
        _ => return Err(plain("Argon2 algorithm not supported")),
    };
    let mut params = Params::new();
    params.octets(c"pass", message);
    params.octets(c"salt", nonce);
    params.number(c"lanes", &mut lanes);
    params.number(c"memcost", &mut memory);
    params.number(c"iter", &mut passes);
    if let Some(secret) = secret.as_ref().filter(|each| !each.is_empty()) {
        params.octets(c"secret", secret);
    }
    if let Some(data) = data.as_ref().filter(|each| !each.is_empty()) {
        params.octets(c"ad", data);
    }
    let params = params.end();
    let mut out = vec![0; size];
    if !derive(name, &params, &mut out) {
        return Err(errors::take_queued("Argon2 failed"));
    }
    Ok(out)
}

functions!(pbkdf2, scrypt, scrypt_check, hkdf, hkdf_limit, argon2);
