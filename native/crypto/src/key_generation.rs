//! New pairs of keys. Each function gives (public, private), and may run on any thread.
use std::ffi::c_int;
use std::ptr::{null, null_mut};

use pyo3::prelude::*;

use crate::bignum::Number;
use crate::errors::{self, coded};
use crate::hash::Method;
use crate::input::{Bytes, unlocked};
use crate::key::{KEYS, Key, PKey, c_text};
use crate::params::{Context, context};
use crate::sys as ffi;

fn failed() -> PyErr {
    errors::queued("Key generation failed")
}

fn new_context(kind: c_int) -> Context {
    errors::clear();
    // SAFETY: makes one.
    Context(unsafe { ffi::EVP_PKEY_CTX_new_id(kind, null_mut()) })
}

fn finish(py: Python<'_>, ctx: &Context) -> PyResult<(u64, u64)> {
    let mut key = null_mut();
    // SAFETY: a context that was initialized for this; the key is ours.
    let done = unlocked(py, || unsafe { ffi::EVP_PKEY_keygen(ctx.0, &mut key) });
    let key = PKey::new(key).filter(|_| done == 1).ok_or_else(failed)?;
    Ok(pair(key))
}

fn pair(key: PKey) -> (u64, u64) {
    (KEYS.add(Key::Public(key.clone())), KEYS.add(Key::Private(key)))
}

fn digest(name: &str, prefix: &str) -> PyResult<Method> {
    Method::find(name)
        .ok_or_else(|| coded("TypeError", "ERR_CRYPTO_INVALID_DIGEST", &format!("Invalid {prefix}digest: {name}")))
}

#[pyfunction]
#[pyo3(signature = (bits, exponent, is_pss=false, hash=None, mgf=None, salt=None))]
fn generate_rsa(
    py: Python<'_>,
    bits: c_int,
    exponent: u64,
    is_pss: bool,
    hash: Option<&str>,
    mgf: Option<&str>,
    salt: Option<c_int>,
) -> PyResult<(u64, u64)> {
    let ctx = new_context(if is_pss { ffi::EVP_PKEY_RSA_PSS } else { ffi::EVP_PKEY_RSA });
    let exponent = Number::from_word(exponent);
    // SAFETY: a live context; the exponent is copied.
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
            // Without one of its own the mask is made with the same digest.
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
    finish(py, &ctx)
}

/// Have parameters made, then a key of them.
fn with_parameters(py: Python<'_>, ctx: &Context) -> PyResult<(u64, u64)> {
    let mut made = null_mut();
    // SAFETY: a context that was initialized for this; the parameters are ours.
    let done = unlocked(py, || unsafe { ffi::EVP_PKEY_paramgen(ctx.0, &mut made) });
    let made = PKey::new(made).filter(|_| done == 1).ok_or_else(failed)?;
    from_parameters(py, &made)
}

fn from_parameters(py: Python<'_>, made: &PKey) -> PyResult<(u64, u64)> {
    let ctx = context(made);
    // SAFETY: a live context.
    if unsafe { ffi::EVP_PKEY_keygen_init(ctx.0) } != 1 {
        return Err(failed());
    }
    finish(py, &ctx)
}

#[pyfunction]
#[pyo3(signature = (bits, divisor=None))]
fn generate_dsa(py: Python<'_>, bits: c_int, divisor: Option<c_int>) -> PyResult<(u64, u64)> {
    let ctx = new_context(ffi::EVP_PKEY_DSA);
    // SAFETY: a live context.
    unsafe {
        if ffi::EVP_PKEY_paramgen_init(ctx.0) != 1
            || ffi::EVP_PKEY_CTX_set_dsa_paramgen_bits(ctx.0, bits) != 1
            || divisor.is_some_and(|bits| ffi::EVP_PKEY_CTX_set_dsa_paramgen_q_bits(ctx.0, bits) != 1)
        {
            return Err(failed());
        }
    }
    with_parameters(py, &ctx)
}

#[pyfunction]
fn generate_ec(py: Python<'_>, curve: &str, is_named: bool) -> PyResult<(u64, u64)> {
    let nid = crate::ec::nid_of(curve)
        .ok_or_else(|| coded("TypeError", "ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name"))?;
    let ctx = new_context(ffi::EVP_PKEY_EC);
    // SAFETY: a live context.
    unsafe {
        if ffi::EVP_PKEY_keygen_init(ctx.0) != 1
            || ffi::EVP_PKEY_CTX_set_ec_paramgen_curve_nid(ctx.0, nid) != 1
            || ffi::EVP_PKEY_CTX_set_ec_param_enc(ctx.0, is_named.into()) != 1
        {
            return Err(failed());
        }
    }
    finish(py, &ctx)
}

/// Keys of a type that takes no parameters: Ed25519, X448, ML-KEM-512 …
#[pyfunction]
fn generate_named(py: Python<'_>, name: &str) -> PyResult<(u64, u64)> {
    errors::clear();
    let name = c_text(&name.to_uppercase());
    // SAFETY: a terminated name.
    let ctx = Context(unsafe { ffi::EVP_PKEY_CTX_new_from_name(null_mut(), name.as_ptr(), null()) });
    // SAFETY: a live context, or null.
    if ctx.0.is_null() || unsafe { ffi::EVP_PKEY_keygen_init(ctx.0) } != 1 {
        return Err(failed());
    }
    finish(py, &ctx)
}

/// Diffie-Hellman keys of a group's prime, or of a new prime of so many bits.
#[pyfunction]
#[pyo3(signature = (prime, bits, generator))]
fn generate_dh(py: Python<'_>, prime: Option<Bytes>, bits: c_int, generator: c_int) -> PyResult<(u64, u64)> {
    if let Some(prime) = prime {
        let generator = (generator as u32).to_be_bytes();
        let made = crate::dh::parameters(&prime, &generator).ok_or_else(failed)?;
        return from_parameters(py, &made);
    }
    let ctx = new_context(ffi::EVP_PKEY_DH);
    // SAFETY: a live context.
    unsafe {
        if ffi::EVP_PKEY_paramgen_init(ctx.0) != 1
            || ffi::EVP_PKEY_CTX_set_dh_paramgen_prime_len(ctx.0, bits) != 1
            || ffi::EVP_PKEY_CTX_set_dh_paramgen_generator(ctx.0, generator) != 1
        {
            return Err(failed());
        }
    }
    with_parameters(py, &ctx)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(generate_rsa, module)?)?;
    module.add_function(wrap_pyfunction!(generate_dsa, module)?)?;
    module.add_function(wrap_pyfunction!(generate_ec, module)?)?;
    module.add_function(wrap_pyfunction!(generate_named, module)?)?;
    module.add_function(wrap_pyfunction!(generate_dh, module)?)
}
