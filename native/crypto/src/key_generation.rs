//! Generating key pairs. Each function returns (public, private), and may run on any thread.
use std::ffi::c_int;
use std::ptr::{null, null_mut};

use crate::bignum::Number;
use crate::errors::Failure;
use crate::errors::{self, with_code};
use crate::functions::functions;
use crate::hash::Method;
use crate::key::{KEYS, Key, PKey, c_text};
use crate::params::{Context, context};
use crate::sys as ffi;
use crate::values::{Bytes, Outcome};

fn failed() -> Failure {
    errors::take_queued("Key generation failed")
}

fn new_context(kind: c_int) -> Context {
    errors::clear();
    // SAFETY: the call creates an object.
    Context(unsafe { ffi::EVP_PKEY_CTX_new_id(kind, null_mut()) })
}

fn finish(ctx: &Context) -> Outcome<(u64, u64)> {
    let mut key = null_mut();
    // SAFETY: the context was initialised for this operation; the caller owns the key.
    let done = unsafe { ffi::EVP_PKEY_keygen(ctx.0, &mut key) };
    let key = PKey::new(key).filter(|_| done == 1).ok_or_else(failed)?;
    Ok(pair(key))
}

fn pair(key: PKey) -> (u64, u64) {
    (KEYS.add(Key::Public(key.clone())), KEYS.add(Key::Private(key)))
}

fn digest(name: &str, prefix: &str) -> Outcome<Method> {
    Method::find(name)
        .ok_or_else(|| with_code("TypeError", "ERR_CRYPTO_INVALID_DIGEST", &format!("Invalid {prefix}digest: {name}")))
}

fn generate_rsa(
    bits: c_int,
    exponent: u64,
    is_pss: bool,
    hash: Option<&str>,
    mgf: Option<&str>,
    salt: Option<c_int>,
) -> Outcome<(u64, u64)> {
    let ctx = new_context(if is_pss { ffi::EVP_PKEY_RSA_PSS } else { ffi::EVP_PKEY_RSA });
    let exponent = Number::from_word(exponent);
    // SAFETY: the context is live; the exponent is copied.
    unsafe {
        if ffi::EVP_PKEY_keygen_init(ctx.0) != 1
            || ffi::EVP_PKEY_CTX_set_rsa_keygen_bits(ctx.0, bits) != 1
            || ffi::EVP_PKEY_CTX_set1_rsa_keygen_pubexp(ctx.0, exponent.0) != 1
        {
            return Err(failed());
        }
        if is_pss {
            if let Some(name) = hash
                && ffi::EVP_PKEY_CTX_set_rsa_pss_keygen_md(ctx.0, digest(name, "")?.0) != 1
            {
                return Err(failed());
            }
            // Unless another digest is given, the mask uses the same one.
            if let Some(name) = mgf.or(hash)
                && ffi::EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md(ctx.0, digest(name, "MGF1 ")?.0) != 1
            {
                return Err(failed());
            }
            let length = match (salt, hash) {
                (None, Some(name)) => Some(digest(name, "")?.size() as c_int),
                (salt, _) => salt,
            };
            if let Some(length) = length
                && ffi::EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen(ctx.0, length) != 1
            {
                return Err(failed());
            }
        }
    }
    finish(&ctx)
}

/// Generates parameters, then a key with them.
fn with_parameters(ctx: &Context) -> Outcome<(u64, u64)> {
    let mut parameters = null_mut();
    // SAFETY: the context was initialised for this operation; the caller owns the parameters.
    let done = unsafe { ffi::EVP_PKEY_paramgen(ctx.0, &mut parameters) };
    let parameters = PKey::new(parameters).filter(|_| done == 1).ok_or_else(failed)?;
    from_parameters(&parameters)
}

fn from_parameters(made: &PKey) -> Outcome<(u64, u64)> {
    let ctx = context(made);
    // SAFETY: the context is live.
    if unsafe { ffi::EVP_PKEY_keygen_init(ctx.0) } != 1 {
        return Err(failed());
    }
    finish(&ctx)
}

fn generate_dsa(bits: c_int, divisor: Option<c_int>) -> Outcome<(u64, u64)> {
    let ctx = new_context(ffi::EVP_PKEY_DSA);
    // SAFETY: the context is live.
    unsafe {
        if ffi::EVP_PKEY_paramgen_init(ctx.0) != 1
            || ffi::EVP_PKEY_CTX_set_dsa_paramgen_bits(ctx.0, bits) != 1
            || divisor.is_some_and(|bits| ffi::EVP_PKEY_CTX_set_dsa_paramgen_q_bits(ctx.0, bits) != 1)
        {
            return Err(failed());
        }
    }
    with_parameters(&ctx)
}

fn generate_ec(curve: &str, is_named: bool) -> Outcome<(u64, u64)> {
    let nid = crate::ec::nid_of(curve)
        .ok_or_else(|| with_code("TypeError", "ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name"))?;
    let ctx = new_context(ffi::EVP_PKEY_EC);
    // SAFETY: the context is live.
    unsafe {
        if ffi::EVP_PKEY_keygen_init(ctx.0) != 1
            || ffi::EVP_PKEY_CTX_set_ec_paramgen_curve_nid(ctx.0, nid) != 1
            || ffi::EVP_PKEY_CTX_set_ec_param_enc(ctx.0, is_named.into()) != 1
        {
            return Err(failed());
        }
    }
    finish(&ctx)
}

/// A key of a type without parameters: Ed25519, X448, ML-KEM-512 …
fn generate_named(name: &str) -> Outcome<(u64, u64)> {
    errors::clear();
    let name = c_text(&name.to_uppercase());
    // SAFETY: the name ends in NUL.
    let ctx = Context(unsafe { ffi::EVP_PKEY_CTX_new_from_name(null_mut(), name.as_ptr(), null()) });
    // SAFETY: a live context, or null.
    if ctx.0.is_null() || unsafe { ffi::EVP_PKEY_keygen_init(ctx.0) } != 1 {
        return Err(failed());
    }
    finish(&ctx)
}

/// Diffie-Hellman keys for a group's prime, or for a new prime of that many bits.
fn generate_dh(prime: Option<Bytes>, bits: c_int, generator: c_int) -> Outcome<(u64, u64)> {
    if let Some(prime) = prime {
        let generator = (generator as u32).to_be_bytes();
        let parameters = crate::dh::parameters(prime, &generator).ok_or_else(failed)?;
        return from_parameters(&parameters);
    }
    let ctx = new_context(ffi::EVP_PKEY_DH);
    // SAFETY: the context is live.
    unsafe {
        if ffi::EVP_PKEY_paramgen_init(ctx.0) != 1
            || ffi::EVP_PKEY_CTX_set_dh_paramgen_prime_len(ctx.0, bits) != 1
            || ffi::EVP_PKEY_CTX_set_dh_paramgen_generator(ctx.0, generator) != 1
        {
            return Err(failed());
        }
    }
    with_parameters(&ctx)
}

functions!(generate_rsa, generate_dsa, generate_ec, generate_named, generate_dh);
