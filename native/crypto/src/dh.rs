//! Diffie-Hellman over numbers: groups, keys, checks and shared secrets.
use std::ffi::c_int;
use std::ptr::{null, null_mut};

use crate::bignum::Number;
use crate::errors::{self, with_code};
use crate::functions::functions;
use crate::key::PKey;
use crate::params::{self, Params};
use crate::random::bn_ctx;
use crate::sys as ffi;
use crate::values::{Bytes, Outcome};

/// Domain parameters as a key without its numbers.
pub fn parameters(prime: &[u8], generator: &[u8]) -> Option<PKey> {
    let mut list = Params::new();
    list.number(c"p", prime);
    list.number(c"g", generator);
    params::key_from("DH", ffi::EVP_PKEY_KEY_PARAMETERS, list)
}

/// The prime of a group, whose generator is 2.
fn dh_group(name: &str) -> Option<Vec<u8>> {
    // SAFETY: the call creates a number, which this function owns.
    let prime = unsafe {
        match name.to_lowercase().as_str() {
            "modp1" => ffi::BN_get_rfc2409_prime_768(null_mut()),
            "modp2" => ffi::BN_get_rfc2409_prime_1024(null_mut()),
            "modp5" => ffi::BN_get_rfc3526_prime_1536(null_mut()),
            "modp14" => ffi::BN_get_rfc3526_prime_2048(null_mut()),
            "modp15" => ffi::BN_get_rfc3526_prime_3072(null_mut()),
            "modp16" => ffi::BN_get_rfc3526_prime_4096(null_mut()),
            "modp17" => ffi::BN_get_rfc3526_prime_6144(null_mut()),
            "modp18" => ffi::BN_get_rfc3526_prime_8192(null_mut()),
            _ => return None,
        }
    };
    Some(Number(prime).to_bytes())
}

/// Generates a safe prime of `bits` for a generator.
fn dh_generate_prime(bits: c_int, generator: c_int) -> Outcome<Vec<u8>> {
    errors::clear();
    let made = {
        // SAFETY: this function owns the object; the number is copied out.
        unsafe {
            let dh = ffi::DH_new();
            let done = ffi::DH_generate_parameters_ex(dh, bits, generator, null_mut()) == 1;
            let mut prime = null();
            ffi::DH_get0_pqg(dh, &mut prime, null_mut(), null_mut());
            let prime = done.then(|| Number::copy_of(prime)).flatten();
            ffi::DH_free(dh);
            prime
        }
    };
    match made {
        Some(prime) => Ok(prime.to_bytes()),
        None => Err(errors::take_queued("Initialization failed")),
    }
}

/// OpenSSL's flags for problems of a prime and a generator.
fn dh_check(prime: Bytes, generator: Bytes) -> c_int {
    let (prime, generator) = (Number::from_bytes(prime), Number::from_bytes(generator));
    let flags = {
        let mut flags = 0;
        // SAFETY: the object is owned, and takes ownership of the copies.
        unsafe {
            let dh = ffi::DH_new();
            ffi::DH_set0_pqg(dh, ffi::BN_dup(prime.0), null_mut(), ffi::BN_dup(generator.0));
            ffi::DH_check(dh, &mut flags);
            ffi::DH_free(dh);
        }
        flags
    };
    errors::clear();
    flags
}

/// The public and the private number; the private one is generated unless given.
fn dh_keys(prime: Bytes, generator: Bytes, private: Option<Bytes>) -> Outcome<(Vec<u8>, Vec<u8>)> {
    errors::clear();
    let (prime, generator) = (Number::from_bytes(prime), Number::from_bytes(generator));
    let private = private.map(Number::from_bytes);
    let made = {
        // SAFETY: the object is owned and takes ownership of the copies; the numbers are copied out.
        unsafe {
            let dh = ffi::DH_new();
            ffi::DH_set0_pqg(dh, ffi::BN_dup(prime.0), null_mut(), ffi::BN_dup(generator.0));
            if let Some(private) = &private {
                ffi::DH_set0_key(dh, null_mut(), ffi::BN_dup(private.0));
            }
            let done = ffi::DH_generate_key(dh) == 1;
            let (mut public, mut secret) = (null(), null());
            ffi::DH_get0_key(dh, &mut public, &mut secret);
            let made = done.then(|| Number::copy_of(public).zip(Number::copy_of(secret))).flatten();
            ffi::DH_free(dh);
            made
        }
    };
    let (public, secret) = made.ok_or_else(|| errors::take_queued("Key generation failed"))?;
    Ok((public.to_bytes(), secret.to_bytes()))
}

/// The secret shared with the owner of `public`, with the size of the prime.
fn dh_secret(prime: Bytes, private: Bytes, public: Bytes) -> Outcome<Vec<u8>> {
    let invalid = |message: &str| Err(with_code("RangeError", "ERR_CRYPTO_INVALID_KEYLEN", message));
    let size = prime.len();
    let (prime, private, public) = (Number::from_bytes(prime), Number::from_bytes(private), Number::from_bytes(public));
    // SAFETY: the numbers are live.
    unsafe {
        let (one, limit) = (Number::from_word(1), Number::copy_of(prime.0).expect("a number"));
        ffi::BN_sub_word(limit.0, 1);
        if ffi::BN_cmp(public.0, one.0) <= 0 {
            return invalid("Supplied key is too small");
        }
        if ffi::BN_cmp(public.0, limit.0) >= 0 {
            return invalid("Supplied key is too large");
        }
    }
    let secret = {
        let secret = Number::new();
        // SAFETY: the numbers are live; the exponent is secret.
        unsafe {
            ffi::BN_set_flags(private.0, ffi::BN_FLG_CONSTTIME);
            ffi::BN_mod_exp(secret.0, public.0, private.0, prime.0, bn_ctx().0);
        }
        secret
    };
    Ok(secret.to_padded(size))
}

functions!(dh_group, dh_generate_prime, dh_check, dh_keys, dh_secret);
