//! Importing keys from PEM, DER and raw bytes.
use std::ffi::c_long;
use std::ptr::{null, null_mut};

use crate::bio::{Bio, Passphrase, passphrase};
use crate::errors::Failure;
use crate::errors::{self, with_code};
use crate::functions::functions;
use crate::key::{KEYS, Key, PKey, c_text};
use crate::params::{self, Params};
use crate::sys as ffi;
use crate::values::{Bytes, Outcome};

const RSA: i32 = 6;
const CREATED_UNREADABLE: &str = "Failed to read asymmetric key";

fn der(data: &[u8]) -> (*const u8, c_long) {
    (data.as_ptr(), data.len() as c_long)
}

fn missing_passphrase() -> Failure {
    with_code("TypeError", "ERR_MISSING_PASSPHRASE", "Passphrase required for encrypted key")
}

/// A private key from PEM (whose label decides the type) or from DER of a type.
pub fn private(data: &[u8], is_pem: bool, kind: Option<&str>, pass: Option<&[u8]>) -> Outcome<PKey> {
    errors::clear();
    private_after(data, is_pem, kind, pass)
}

/// As `private`, keeping errors already in OpenSSL's queue.
fn private_after(data: &[u8], is_pem: bool, kind: Option<&str>, pass: Option<&[u8]>) -> Outcome<PKey> {
    let mut secret = Passphrase::new(pass);
    let bio = Bio::over(data);
    // SAFETY: the BIO and the passphrase outlive the calls; `der` determines the size.
    let key = unsafe {
        match kind {
            _ if is_pem => ffi::PEM_read_bio_PrivateKey(bio.0, null_mut(), Some(passphrase), secret.as_user()),
            Some("pkcs1" | "sec1") => ffi::d2i_PrivateKey_bio(bio.0, null_mut()),
            _ if is_encrypted(data) => {
                ffi::d2i_PKCS8PrivateKey_bio(bio.0, null_mut(), Some(passphrase), secret.as_user())
            }
            _ => {
                let info = ffi::d2i_PKCS8_PRIV_KEY_INFO_bio(bio.0, null_mut());
                let key = if info.is_null() { null_mut() } else { ffi::EVP_PKCS82PKEY(info) };
                if !info.is_null() {
                    ffi::PKCS8_PRIV_KEY_INFO_free(info);
                }
                key
            }
        }
    };
    if let Some(key) = PKey::new(key) {
        errors::clear();
        return Ok(key);
    }
    if secret.was_requested && pass.is_none() && !is_pem {
        errors::clear();
        return Err(missing_passphrase());
    }
    Err(errors::from_queue(errors::peek(), Some("Failed to read private key")))
}

/// Returns whether DER is an EncryptedPrivateKeyInfo: a sequence that starts with a sequence.
fn is_encrypted(data: &[u8]) -> bool {
    match data {
        [0x30, size, rest @ ..] if *size < 0x80 => rest.first() == Some(&0x30),
        [0x30, size, rest @ ..] => rest.get((size & 0x7f) as usize) == Some(&0x30),
        _ => false,
    }
}

/// Returns whether DER is an RSAPrivateKey: a sequence that starts with a version, 0 or 1.
fn is_rsa_private(data: &[u8]) -> bool {
    let rest = match data {
        [0x30, size, rest @ ..] if *size < 0x80 => rest,
        [0x30, size, rest @ ..] => rest.get((size & 0x7f) as usize..).unwrap_or(&[]),
        _ => return false,
    };
    matches!(rest, [2, 1, 0 | 1, ..])
}

/// The content of a PEM block with one of the labels.
fn pem_block(data: &[u8], label: &std::ffi::CStr) -> Option<Vec<u8>> {
    let bio = Bio::over(data);
    let (mut block, mut size) = (null_mut(), 0);
    // SAFETY: the BIO is live; the block is owned by the caller afterwards.
    unsafe {
        ffi::ERR_set_mark();
        let found = ffi::PEM_bytes_read_bio(&mut block, &mut size, null_mut(), label.as_ptr(), bio.0, None, null_mut());
        ffi::ERR_pop_to_mark();
        if found != 1 {
            return None;
        }
        let bytes = std::slice::from_raw_parts(block, size as usize).to_vec();
        ffi::CRYPTO_free(block.cast(), c"".as_ptr(), 0);
        Some(bytes)
    }
}

fn spki(data: &[u8]) -> Option<PKey> {
    let (mut start, size) = der(data);
    // SAFETY: the slice has that many readable bytes.
    PKey::new(unsafe { ffi::d2i_PUBKEY(null_mut(), &mut start, size) })
}

fn rsa_public(data: &[u8]) -> Option<PKey> {
    let (mut start, size) = der(data);
    // SAFETY: the slice has that many readable bytes.
    PKey::new(unsafe { ffi::d2i_PublicKey(RSA, null_mut(), &mut start, size) })
}

fn certificate_key(data: &[u8]) -> Option<PKey> {
    let (mut start, size) = der(data);
    // SAFETY: `data` has `len()` readable bytes; the certificate is freed, its key counted.
    unsafe {
        let certificate = ffi::d2i_X509(null_mut(), &mut start, size);
        if certificate.is_null() {
            return None;
        }
        let key = ffi::X509_get_pubkey(certificate);
        ffi::X509_free(certificate);
        PKey::new(key)
    }
}

/// A public key, or a private one if the data holds one.
pub fn public_or_private(data: &[u8], is_pem: bool, kind: Option<&str>, pass: Option<&[u8]>) -> Outcome<Key> {
    errors::clear();
    let public = |key: Option<PKey>| {
        key.map(Key::Public).ok_or_else(|| {
            let first = errors::take();
            errors::with_message(first, CREATED_UNREADABLE)
        })
    };
    if is_pem {
        for (label, read) in [
            (c"PUBLIC KEY", spki as fn(&[u8]) -> Option<PKey>),
            (c"RSA PUBLIC KEY", rsa_public),
            (c"CERTIFICATE", certificate_key),
        ] {
            if let Some(key) = pem_block(data, label).and_then(|block| read(&block)) {
                errors::clear();
                return Ok(Key::Public(key));
            }
        }
        return private_after(data, true, None, pass).map(Key::Private);
    }
    match kind {
        Some("pkcs1") if !is_rsa_private(data) => public(rsa_public(data)),
        Some("spki") => peek_public_key(spki(data)),
        _ => private(data, false, kind, pass).map(Key::Private),
    }
}

fn peek_public_key(key: Option<PKey>) -> Outcome<Key> {
    key.map(Key::Public).ok_or_else(|| errors::with_message(errors::peek(), CREATED_UNREADABLE))
}

fn key_import_private(data: Bytes, is_pem: bool, kind: Option<&str>, pass: Option<Bytes>) -> Outcome<u64> {
    Ok(KEYS.add(Key::Private(private(data, is_pem, kind, pass)?)))
}

/// A key for verification and similar uses: (number, whether it is private).
fn key_import_any(data: Bytes, is_pem: bool, kind: Option<&str>, pass: Option<Bytes>) -> Outcome<(u64, bool)> {
    let key = public_or_private(data, is_pem, kind, pass)?;
    let is_private = matches!(key, Key::Private(_));
    Ok((KEYS.add(key), is_private))
}

/// A key from its raw bytes: `format` is public, private or seed. None for bytes that are not such a key.
fn key_import_raw(kind: &str, format: &str, data: Bytes, curve: Option<&str>) -> Outcome<Option<u64>> {
    errors::clear();
    let name = c_text(&kind.to_uppercase());
    let is_private = format != "public";
    let key = if kind == "ec" {
        ec(curve.unwrap_or(""), (!is_private).then_some(data), is_private.then_some(data))
    } else if format == "seed" {
        let mut params = Params::new();
        params.octets(c"seed", data);
        params::key_from(kind, ffi::EVP_PKEY_KEYPAIR, params)
    } else {
        // SAFETY: the name ends in NUL; the slice has that many readable bytes.
        PKey::new(unsafe {
            match is_private {
                true => {
                    ffi::EVP_PKEY_new_raw_private_key_ex(null_mut(), name.as_ptr(), null(), data.as_ptr(), data.len())
                }
                false => {
                    ffi::EVP_PKEY_new_raw_public_key_ex(null_mut(), name.as_ptr(), null(), data.as_ptr(), data.len())
                }
            }
        })
    };
    errors::clear();
    Ok(key.map(|key| KEYS.add(if is_private { Key::Private(key) } else { Key::Public(key) })))
}

/// An EC key; the point of a private one is computed if it is missing.
pub fn ec(curve: &str, point: Option<&[u8]>, scalar: Option<&[u8]>) -> Option<PKey> {
    let mut params = Params::new();
    params.text(c"group", curve);
    let computed = match (point, scalar) {
        (None, Some(scalar)) => Some(crate::ec::public_point(curve, scalar)?),
        _ => None,
    };
    if let Some(point) = point.or(computed.as_deref()) {
        params.octets(c"pub", point);
    }
    if let Some(scalar) = scalar {
        params.number(c"priv", scalar);
    }
    let key = params::key_from(
        "EC",
        if scalar.is_some() { ffi::EVP_PKEY_KEYPAIR } else { ffi::EVP_PKEY_PUBLIC_KEY },
        params,
    )?;
    let ctx = params::context(&key);
    // SAFETY: the context of a live key is live.
    (unsafe { ffi::EVP_PKEY_public_check(ctx.0) } == 1).then_some(key)
}

functions!(key_import_private, key_import_any, key_import_raw);
