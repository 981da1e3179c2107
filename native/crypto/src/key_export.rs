//! Exporting keys as PEM, DER and raw bytes.
use std::ffi::c_int;
use std::ptr::{null, null_mut};

use crate::bio::Bio;
use crate::cipher_method::Method;
use crate::errors::Failure;
use crate::errors::{self, with_code};
use crate::functions::functions;
use crate::key::{KEYS, Key};
use crate::sys as ffi;
use crate::values::{Bytes, Outcome};

fn failed() -> Failure {
    errors::take_queued("Failed to encode key")
}

/// A public key (the public half of a private one) as `pkcs1` or `spki`.
fn key_export_public(number: u64, is_pem: bool, kind: &str) -> Outcome<Vec<u8>> {
    errors::clear();
    let key = KEYS.get(number)?;
    let key = key.pkey()?;
    let bio = Bio::new();
    // SAFETY: BIO and key are live; the callers request `pkcs1` for RSA keys only.
    let done = unsafe {
        match (kind, is_pem) {
            ("pkcs1", true) => ffi::PEM_write_bio_RSAPublicKey(bio.0, ffi::EVP_PKEY_get0_RSA(key.0)),
            ("pkcs1", false) => ffi::i2d_RSAPublicKey_bio(bio.0, ffi::EVP_PKEY_get0_RSA(key.0)),
            (_, true) => ffi::PEM_write_bio_PUBKEY(bio.0, key.0),
            (_, false) => ffi::i2d_PUBKEY_bio(bio.0, key.0),
        }
    };
    if done == 1 { Ok(bio.take()) } else { Err(failed()) }
}

/// Export a private key as `pkcs1`, `pkcs8` or `sec1`, encrypted if a cipher is named.
fn key_export_private(
    number: u64,
    is_pem: bool,
    kind: &str,
    cipher: Option<&str>,
    pass: Option<Bytes>,
) -> Outcome<Vec<u8>> {
    errors::clear();
    let key = KEYS.get(number)?;
    let key = key.pkey()?;
    let method = match cipher {
        None => None,
        Some(name) => {
            let unknown = || with_code("Error", "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
            Some(Method::find(name).ok_or_else(unknown)?)
        }
    };
    let bio = Bio::new();
    let cipher = method.as_ref().map_or(null(), |method| method.0.cast_const());
    let (data, size) = match &pass {
        Some([]) => (c"".as_ptr().cast::<u8>(), 0),
        Some(pass) => (pass.as_ptr(), pass.len() as c_int),
        None => (null(), 0),
    };
    // SAFETY: BIO, key and cipher are live; the passphrase has the given size.
    let done = unsafe {
        match (kind, is_pem) {
            ("pkcs1", true) => {
                let rsa = ffi::EVP_PKEY_get0_RSA(key.0);
                ffi::PEM_write_bio_RSAPrivateKey(bio.0, rsa, cipher, data, size, None, null_mut())
            }
            ("pkcs1", false) => ffi::i2d_RSAPrivateKey_bio(bio.0, ffi::EVP_PKEY_get0_RSA(key.0)),
            ("sec1", true) => {
                let ec = ffi::EVP_PKEY_get0_EC_KEY(key.0);
                ffi::PEM_write_bio_ECPrivateKey(bio.0, ec, cipher, data, size, None, null_mut())
            }
            ("sec1", false) => ffi::i2d_ECPrivateKey_bio(bio.0, ffi::EVP_PKEY_get0_EC_KEY(key.0)),
            (_, true) => ffi::PEM_write_bio_PKCS8PrivateKey(bio.0, key.0, cipher, data.cast(), size, None, null_mut()),
            (_, false) => ffi::i2d_PKCS8PrivateKey_bio(bio.0, key.0, cipher, data.cast(), size, None, null_mut()),
        }
    };
    if done == 1 { Ok(bio.take()) } else { Err(failed()) }
}

/// The raw bytes of a key: `public`, `private` or `seed`; None if it has none.
fn key_export_raw(number: u64, what: &str) -> Outcome<Option<Vec<u8>>> {
    let key = KEYS.get(number)?;
    let pkey = key.pkey()?;
    if what == "seed" {
        return Ok(pkey.octets(c"seed"));
    }
    if what == "private" && !matches!(&*key, Key::Private(_)) {
        return Ok(None);
    }
    let read = |target: *mut u8, size: &mut usize| {
        // SAFETY: the key is live; null counts, otherwise there is room for `size` bytes.
        unsafe {
            match what {
                "private" => ffi::EVP_PKEY_get_raw_private_key(pkey.0, target, size) == 1,
                _ => ffi::EVP_PKEY_get_raw_public_key(pkey.0, target, size) == 1,
            }
        }
    };
    let mut size = 0;
    if !read(null_mut(), &mut size) {
        errors::clear();
        return Ok(None);
    }
    let mut out = vec![0; size];
    let done = read(out.as_mut_ptr(), &mut size);
    errors::clear();
    Ok(done.then(|| out[..size].to_vec()))
}

functions!(key_export_public, key_export_private, key_export_raw);
