//! Signs and verifies: a digest that was computed before (`Sign`, `Verify`), or data in one call.
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use crate::bignum::Number;
use crate::edwards::involves_small_order;
use crate::errors::Failure;
use crate::errors::{self, with_code};
use crate::functions::functions;
use crate::hash::Method;
use crate::key::{KEYS, PKey};
use crate::params::context;
use crate::sys as ffi;
use crate::values::{Bytes, Outcome};

const RSA_PKCS1_PADDING: c_int = 1;
const SALT_MAX_SIGN: c_int = -2;

/// Sets the padding of an RSA signature; other keys have none. False if OpenSSL refuses it.
fn set_padding(ctx: *mut ffi::EVP_PKEY_CTX, key: &PKey, padding: Option<c_int>, salt: Option<c_int>) -> bool {
    let kind = key.kind();
    if kind != "rsa" && kind != "rsa-pss" {
        return true;
    }
    let mode = padding.unwrap_or(if kind == "rsa-pss" { ffi::RSA_PKCS1_PSS_PADDING } else { RSA_PKCS1_PADDING });
    // SAFETY: `ctx` is a live context of an RSA key.
    unsafe {
        if ffi::EVP_PKEY_CTX_set_rsa_padding(ctx, mode) <= 0 {
            return false;
        }
        // A restricted key determines the length of its salt.
        if mode == ffi::RSA_PKCS1_PSS_PADDING && (salt.is_some() || kind == "rsa") {
            return ffi::EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, salt.unwrap_or(SALT_MAX_SIGN)) > 0;
        }
    }
    true
}

/// The size of r and s in a signature of DSA or ECDSA; None for other keys.
fn half_size(key: &PKey) -> Option<usize> {
    match key.kind().as_str() {
        "ec" => crate::ec::order_bytes(&key.text(c"group")?),
        "dsa" => Some((key.number(c"q")?.bits() as usize).div_ceil(8)),
        _ => None,
    }
}

/// Converts a signature from DER to r followed by s, each padded to `half` bytes.
fn to_p1363(der: &[u8], half: usize) -> Option<Vec<u8>> {
    let mut start = der.as_ptr();
    // SAFETY: `start` points to `der.len()` bytes; the numbers are copied before the signature is freed.
    unsafe {
        let signature = ffi::d2i_ECDSA_SIG(null_mut(), &mut start, der.len() as _);
        if signature.is_null() {
            return None;
        }
        let (mut r, mut s) = (null(), null());
        ffi::ECDSA_SIG_get0(signature, &mut r, &mut s);
        let both = Number::copy_of(r).zip(Number::copy_of(s));
        ffi::ECDSA_SIG_free(signature);
        both.map(|(r, s)| [r.to_padded(half), s.to_padded(half)].concat())
    }
}

/// Converts a signature from r followed by s to DER; None if it has another size.
fn from_p1363(data: &[u8], half: usize) -> Option<Vec<u8>> {
    if data.len() != half * 2 {
        return None;
    }
    // SAFETY: the signature owns the duplicated numbers; the output is copied before it is freed.
    unsafe {
        let signature = ffi::ECDSA_SIG_new();
        let (r, s) = (Number::from_bytes(&data[..half]), Number::from_bytes(&data[half..]));
        ffi::ECDSA_SIG_set0(signature, ffi::BN_dup(r.0), ffi::BN_dup(s.0));
        let mut out = null_mut();
        let size = ffi::i2d_ECDSA_SIG(signature, &mut out);
        ffi::ECDSA_SIG_free(signature);
        if size <= 0 {
            return None;
        }
        let der = std::slice::from_raw_parts(out, size as usize).to_vec();
        ffi::CRYPTO_free(out.cast(), c"".as_ptr(), 0);
        Some(der)
    }
}

fn failed() -> Failure {
    errors::from_queue(errors::take(), Some("Signing failed"))
}

fn invalid_digest() -> Failure {
    with_code("TypeError", "ERR_CRYPTO_INVALID_DIGEST", "Invalid digest")
}

/// Signs a digest.
fn sign_digest(
    number: u64,
    name: &str,
    digest: Bytes,
    padding: Option<c_int>,
    salt: Option<c_int>,
    p1363: bool,
) -> Outcome<Vec<u8>> {
    errors::clear();
    let key = KEYS.get(number)?;
    let key = key.pkey()?;
    let method = Method::find(name).ok_or_else(invalid_digest)?;
    let ctx = context(key);
    let (data, size) = (digest.as_ptr(), digest.len());
    // SAFETY: all objects are live; the first call returns the size that the second one needs.
    let mut signature = unsafe {
        let mut length = 0;
        if ffi::EVP_PKEY_sign_init(ctx.0) != 1
            || !set_padding(ctx.0, key, padding, salt)
            || ffi::EVP_PKEY_CTX_set_signature_md(ctx.0, method.0) <= 0
            || ffi::EVP_PKEY_sign(ctx.0, null_mut(), &mut length, data, size) != 1
        {
            return Err(failed());
        }
        let mut out = vec![0; length];
        if ffi::EVP_PKEY_sign(ctx.0, out.as_mut_ptr(), &mut length, data, size) != 1 {
            return Err(failed());
        }
        out.truncate(length);
        out
    };
    if let Some(half) = half_size(key).filter(|_| p1363) {
        signature = to_p1363(&signature, half).ok_or_else(|| errors::plain("Malformed signature"))?;
    }
    Ok(signature)
}

#[allow(clippy::too_many_arguments)]
fn verify_digest(
    number: u64,
    name: &str,
    digest: Bytes,
    signature: Bytes,
    padding: Option<c_int>,
    salt: Option<c_int>,
    p1363: bool,
) -> Outcome<bool> {
    errors::clear();
    let key = KEYS.get(number)?;
    let key = key.pkey()?;
    let method = Method::find(name).ok_or_else(invalid_digest)?;
    let Some(signature) = plain_signature(key, signature, p1363) else { return Ok(false) };
    let ctx = context(key);
    // SAFETY: all objects are live; each pointer comes with its length.
    let done = unsafe {
        if ffi::EVP_PKEY_verify_init(ctx.0) != 1
            || !set_padding(ctx.0, key, padding, salt)
            || ffi::EVP_PKEY_CTX_set_signature_md(ctx.0, method.0) <= 0
        {
            return Err(errors::take_queued("Verification failed"));
        }
        ffi::EVP_PKEY_verify(ctx.0, signature.as_ptr(), signature.len(), digest.as_ptr(), digest.len()) == 1
    };
    errors::clear();
    Ok(done)
}

/// Returns a signature in the form that OpenSSL expects, None if it cannot be one.
fn plain_signature(key: &PKey, signature: &[u8], p1363: bool) -> Option<Vec<u8>> {
    match half_size(key).filter(|_| p1363) {
        Some(half) => from_p1363(signature, half),
        None => Some(signature.to_vec()),
    }
}

struct MdContext(*mut ffi::EVP_MD_CTX);

impl Drop for MdContext {
    fn drop(&mut self) {
        // SAFETY: this object owns the context.
        unsafe { ffi::EVP_MD_CTX_free(self.0) }
    }
}

/// The parameters of one call: the digest (None if the key determines it), the padding of RSA, a context string.
struct Way<'a> {
    digest: Option<&'a str>,
    padding: Option<c_int>,
    salt: Option<c_int>,
    context: Option<&'a [u8]>,
}

impl Way<'_> {
    fn begin(&self, key: &PKey, is_signing: bool) -> Outcome<MdContext> {
        let unsupported = || errors::from_queue(errors::take(), Some("Unsupported crypto operation"));
        let name = match self.digest {
            None => None,
            Some(name) => {
                let method = Method::find(name).ok_or_else(|| {
                    with_code("TypeError", "ERR_CRYPTO_INVALID_DIGEST", &format!("Invalid digest: {name}"))
                })?;
                // SAFETY: the method is live, and its name is static.
                Some(unsafe { ffi::EVP_MD_get0_name(method.0) })
            }
        };
        // SAFETY: has no preconditions.
        let md = MdContext(unsafe { ffi::EVP_MD_CTX_new() });
        let mut ctx = null_mut();
        let mut list = Vec::new();
        if let Some(data) = self.context {
            // SAFETY: `data` outlives the call that reads it.
            list.push(unsafe {
                ffi::OSSL_PARAM_construct_octet_string(
                    c"context-string".as_ptr(),
                    data.as_ptr() as *mut c_void,
                    data.len(),
                )
            });
        }
        // SAFETY: has no preconditions.
        list.push(unsafe { ffi::OSSL_PARAM_construct_end() });
        let name = name.unwrap_or(null());
        // SAFETY: all objects are live, and `list` is terminated.
        let done = unsafe {
            match is_signing {
                true => ffi::EVP_DigestSignInit_ex(md.0, &mut ctx, name, null_mut(), null(), key.0, list.as_ptr()),
                false => ffi::EVP_DigestVerifyInit_ex(md.0, &mut ctx, name, null_mut(), null(), key.0, list.as_ptr()),
            }
        };
        if done != 1 || !set_padding(ctx, key, self.padding, self.salt) {
            return Err(unsupported());
        }
        Ok(md)
    }
}

#[allow(clippy::too_many_arguments)]
fn sign_data(
    number: u64,
    digest: Option<&str>,
    data: Bytes,
    padding: Option<c_int>,
    salt: Option<c_int>,
    p1363: bool,
    context: Option<Bytes>,
) -> Outcome<Vec<u8>> {
    errors::clear();
    let key = KEYS.get(number)?;
    let key = key.pkey()?;
    let way = Way { digest, padding, salt, context };
    let md = way.begin(key, true)?;
    let sign = || {
        let mut size = 0;
        // SAFETY: `md` was initialized for signing; the first call returns the size that the second one needs.
        unsafe {
            if ffi::EVP_DigestSign(md.0, null_mut(), &mut size, data.as_ptr(), data.len()) != 1 {
                return None;
            }
            let mut out = vec![0; size];
            let done = ffi::EVP_DigestSign(md.0, out.as_mut_ptr(), &mut size, data.as_ptr(), data.len()) == 1;
            out.truncate(size);
            done.then_some(out)
        }
    };
    let mut signature = sign().ok_or_else(failed)?;
    if let Some(half) = half_size(key).filter(|_| p1363) {
        signature = to_p1363(&signature, half).ok_or_else(|| errors::plain("Malformed signature"))?;
    }
    Ok(signature)
}

#[allow(clippy::too_many_arguments)]
fn verify_data(
    number: u64,
    digest: Option<&str>,
    data: Bytes,
    signature: Bytes,
    padding: Option<c_int>,
    salt: Option<c_int>,
    p1363: bool,
    context: Option<Bytes>,
) -> Outcome<bool> {
    errors::clear();
    let key = KEYS.get(number)?;
    let key = key.pkey()?;
    let way = Way { digest, padding, salt, context };
    let md = way.begin(key, false)?;
    let Some(signature) = plain_signature(key, signature, p1363) else { return Ok(false) };
    if involves_small_order(key, &signature) {
        return Ok(false);
    }
    // SAFETY: a context that was initialized for this; each pointer comes with its length.
    let done =
        unsafe { ffi::EVP_DigestVerify(md.0, signature.as_ptr(), signature.len(), data.as_ptr(), data.len()) == 1 };
    errors::clear();
    Ok(done)
}

functions!(sign_digest, verify_digest, sign_data, verify_data);
