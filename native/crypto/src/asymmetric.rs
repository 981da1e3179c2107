//! Encryption with public and private keys, and key encapsulation.
use std::ffi::c_int;
use std::ptr::{null, null_mut};

use crate::errors::{self, with_code};
use crate::functions::functions;
use crate::hash::Method;
use crate::key::KEYS;
use crate::params::context;
use crate::sys as ffi;
use crate::values::{Bytes, Outcome};

type Init = unsafe extern "C" fn(*mut ffi::EVP_PKEY_CTX) -> c_int;
type Run = unsafe extern "C" fn(*mut ffi::EVP_PKEY_CTX, *mut u8, *mut usize, *const u8, usize) -> c_int;

/// `what`: publicEncrypt, privateDecrypt, privateEncrypt, publicDecrypt.
fn asymmetric(
    what: &str,
    number: u64,
    data: Bytes,
    padding: c_int,
    oaep_hash: Option<&str>,
    oaep_label: Option<Bytes>,
) -> Outcome<Vec<u8>> {
    errors::clear();
    let key = KEYS.get(number)?;
    let key = key.pkey()?;
    let (init, run): (Init, Run) = match what {
        "publicEncrypt" => (ffi::EVP_PKEY_encrypt_init, ffi::EVP_PKEY_encrypt),
        "privateDecrypt" => (ffi::EVP_PKEY_decrypt_init, ffi::EVP_PKEY_decrypt),
        "privateEncrypt" => (ffi::EVP_PKEY_sign_init, ffi::EVP_PKEY_sign),
        _ => (ffi::EVP_PKEY_verify_recover_init, ffi::EVP_PKEY_verify_recover),
    };
    let method =
        match oaep_hash {
            None => None,
            Some(name) => Some(Method::find(name).ok_or_else(|| {
                with_code("TypeError", "ERR_CRYPTO_INVALID_DIGEST", &format!("Invalid digest: {name}"))
            })?),
        };
    let failed = || errors::from_queue(errors::take(), None);
    let ctx = context(key);
    // SAFETY: the objects are live; OpenSSL takes ownership of the copied label.
    unsafe {
        if init(ctx.0) != 1 || ffi::EVP_PKEY_CTX_set_rsa_padding(ctx.0, padding) <= 0 {
            return Err(failed());
        }
        if let Some(method) = &method
            && ffi::EVP_PKEY_CTX_set_rsa_oaep_md(ctx.0, method.0) <= 0
        {
            return Err(failed());
        }
        if let Some(label) = oaep_label.filter(|label| !label.is_empty()) {
            let copy = ffi::CRYPTO_malloc(label.len(), c"".as_ptr(), 0);
            std::ptr::copy_nonoverlapping(label.as_ptr(), copy.cast(), label.len());
            if ffi::EVP_PKEY_CTX_set0_rsa_oaep_label(ctx.0, copy, label.len() as c_int) <= 0 {
                ffi::CRYPTO_free(copy.cast(), c"".as_ptr(), 0);
                return Err(failed());
            }
        }
    }
    let run_twice = || {
        let mut size = 0;
        // SAFETY: the context was initialised for this operation; the first call returns the size.
        unsafe {
            if run(ctx.0, null_mut(), &mut size, data.as_ptr(), data.len()) <= 0 {
                return None;
            }
            let mut out = vec![0; size];
            let done = run(ctx.0, out.as_mut_ptr(), &mut size, data.as_ptr(), data.len()) > 0;
            out.truncate(size);
            done.then_some(out)
        }
    };
    run_twice().ok_or_else(failed)
}

/// (shared key, ciphertext).
fn kem_encapsulate(number: u64) -> Outcome<(Vec<u8>, Vec<u8>)> {
    errors::clear();
    let key = KEYS.get(number)?;
    let key = key.pkey()?;
    let ctx = context(key);
    let failed = || errors::take_queued("Failed to perform encapsulation");
    // SAFETY: the objects are live; the first call returns the size.
    unsafe {
        let (mut wrapped_size, mut secret_size) = (0, 0);
        if ffi::EVP_PKEY_encapsulate_init(ctx.0, null()) <= 0 || !set_operation(ctx.0, &key.kind()) {
            return Err(failed());
        }
        if ffi::EVP_PKEY_encapsulate(ctx.0, null_mut(), &mut wrapped_size, null_mut(), &mut secret_size) <= 0 {
            return Err(failed());
        }
        let (mut wrapped, mut secret) = (vec![0; wrapped_size], vec![0; secret_size]);
        let done = ffi::EVP_PKEY_encapsulate(
            ctx.0,
            wrapped.as_mut_ptr(),
            &mut wrapped_size,
            secret.as_mut_ptr(),
            &mut secret_size,
        );
        if done <= 0 {
            return Err(failed());
        }
        Ok((secret[..secret_size].to_vec(), wrapped[..wrapped_size].to_vec()))
    }
}

/// The operation for keys that are not KEM keys themselves.
fn set_operation(ctx: *mut ffi::EVP_PKEY_CTX, kind: &str) -> bool {
    let operation = match kind {
        "rsa" => c"RSASVE",
        "ec" | "x25519" | "x448" => c"DHKEM",
        _ => return true,
    };
    // SAFETY: the context is live.
    unsafe { ffi::EVP_PKEY_CTX_set_kem_op(ctx, operation.as_ptr()) > 0 }
}

fn kem_decapsulate(number: u64, wrapped: Bytes) -> Outcome<Vec<u8>> {
    errors::clear();
    let key = KEYS.get(number)?;
    let key = key.pkey()?;
    let ctx = context(key);
    let failed = || errors::take_queued("Failed to perform decapsulation");
    // SAFETY: the objects are live; the first call returns the size.
    unsafe {
        let mut size = 0;
        if ffi::EVP_PKEY_decapsulate_init(ctx.0, null()) <= 0
            || !set_operation(ctx.0, &key.kind())
            || ffi::EVP_PKEY_decapsulate(ctx.0, null_mut(), &mut size, wrapped.as_ptr(), wrapped.len()) <= 0
        {
            return Err(failed());
        }
        let mut secret = vec![0; size];
        if ffi::EVP_PKEY_decapsulate(ctx.0, secret.as_mut_ptr(), &mut size, wrapped.as_ptr(), wrapped.len()) <= 0 {
            return Err(failed());
        }
        Ok(secret[..size].to_vec())
    }
}

functions!(asymmetric, kem_encapsulate, kem_decapsulate);
