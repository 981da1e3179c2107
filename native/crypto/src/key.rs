//! Keys by number: secret bytes, OpenSSL's public and private keys, and their properties.
use std::ffi::{CStr, CString, c_char, c_int};

use crate::bignum::Number;
use crate::errors;
use crate::functions::functions;
use crate::sys as ffi;
use crate::table::Table;
use crate::values::{Bytes, Outcome, Record};

/// An OpenSSL key, reference counted and immutable once created.
pub struct PKey(pub *mut ffi::EVP_PKEY);
// SAFETY: reference counts of keys are atomic, and keys are only read.
unsafe impl Send for PKey {}
// SAFETY: as above.
unsafe impl Sync for PKey {}

impl Drop for PKey {
    fn drop(&mut self) {
        // SAFETY: this value owns one reference.
        unsafe { ffi::EVP_PKEY_free(self.0) }
    }
}

impl Clone for PKey {
    fn clone(&self) -> PKey {
        // SAFETY: the key is live.
        unsafe { ffi::EVP_PKEY_up_ref(self.0) };
        PKey(self.0)
    }
}

impl PKey {
    /// None for null.
    pub fn new(key: *mut ffi::EVP_PKEY) -> Option<PKey> {
        (!key.is_null()).then_some(PKey(key))
    }

    /// Node's name for its type: `rsa`, `rsa-pss`, `ec`, `ed25519`, `ml-dsa-44` …
    pub fn kind(&self) -> String {
        // SAFETY: the key is live; its type's name is terminated.
        let name = unsafe { ffi::EVP_PKEY_get0_type_name(self.0) };
        if name.is_null() {
            return String::new();
        }
        // SAFETY: as above.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().to_lowercase();
        if name == "dhx" { "dh".to_owned() } else { name }
    }

    pub fn number(&self, name: &CStr) -> Option<Number> {
        let mut value = std::ptr::null_mut();
        // SAFETY: the key is live; the number is owned by the caller afterwards.
        let found = unsafe { ffi::EVP_PKEY_get_bn_param(self.0, name.as_ptr(), &mut value) } == 1;
        errors::clear();
        found.then(|| Number(value))
    }

    pub fn text(&self, name: &CStr) -> Option<String> {
        let mut text = [0 as c_char; 128];
        let mut size = 0;
        // SAFETY: the key is live, and the buffer has the given size.
        let found = unsafe {
            ffi::EVP_PKEY_get_utf8_string_param(self.0, name.as_ptr(), text.as_mut_ptr(), text.len(), &mut size)
        } == 1;
        errors::clear();
        // SAFETY: the text is terminated.
        found.then(|| unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned())
    }

    pub fn octets(&self, name: &CStr) -> Option<Vec<u8>> {
        let mut size = 0;
        // SAFETY: the key is live; the first call returns the size, and the second has a buffer of that size.
        unsafe {
            if ffi::EVP_PKEY_get_octet_string_param(self.0, name.as_ptr(), std::ptr::null_mut(), 0, &mut size) != 1 {
                errors::clear();
                return None;
            }
            let mut data = vec![0; size];
            let done =
                ffi::EVP_PKEY_get_octet_string_param(self.0, name.as_ptr(), data.as_mut_ptr(), size, &mut size) == 1;
            data.truncate(size);
            done.then_some(data)
        }
    }

    fn integer(&self, name: &CStr) -> Option<c_int> {
        let mut value = 0;
        // SAFETY: the key is live.
        let found = unsafe { ffi::EVP_PKEY_get_int_param(self.0, name.as_ptr(), &mut value) } == 1;
        errors::clear();
        found.then_some(value)
    }

    pub fn bits(&self) -> c_int {
        // SAFETY: the key is live.
        unsafe { ffi::EVP_PKEY_get_bits(self.0) }
    }
}

pub enum Key {
    Secret(Vec<u8>),
    Public(PKey),
    Private(PKey),
}

pub static KEYS: Table<Key> = Table::new();

impl Key {
    /// The OpenSSL key; calling this for a secret key is a bug.
    pub fn pkey(&self) -> Outcome<&PKey> {
        match self {
            Key::Public(key) | Key::Private(key) => Ok(key),
            Key::Secret(_) => Err(errors::error("TypeError", "an asymmetric key is needed")),
        }
    }
}

fn key_secret(data: Bytes) -> u64 {
    KEYS.add(Key::Secret(data.to_vec()))
}

/// The bytes of a secret key.
fn key_bytes(number: u64) -> Outcome<Vec<u8>> {
    match &*KEYS.get(number)? {
        Key::Secret(data) => Ok(data.to_vec()),
        _ => Err(errors::error("TypeError", "a secret key is needed")),
    }
}

fn key_free(number: u64) {
    KEYS.remove(number);
}

fn key_kind(number: u64) -> Outcome<String> {
    Ok(KEYS.get(number)?.pkey()?.kind())
}

/// The public half of a private key, as a separate key.
fn key_public_of(number: u64) -> Outcome<u64> {
    let key = KEYS.get(number)?;
    Ok(KEYS.add(Key::Public(key.pkey()?.clone())))
}

fn key_equals(left: u64, right: u64) -> Outcome<bool> {
    let (left, right) = (KEYS.get(left)?, KEYS.get(right)?);
    Ok(match (&*left, &*right) {
        (Key::Secret(left), Key::Secret(right)) => {
            left.len() == right.len()
                // SAFETY: both have the given size.
                && unsafe { ffi::CRYPTO_memcmp(left.as_ptr().cast(), right.as_ptr().cast(), left.len()) } == 0
        }
        (Key::Public(left), Key::Public(right)) | (Key::Private(left), Key::Private(right)) => {
            // SAFETY: the keys are live.
            let equal = unsafe { ffi::EVP_PKEY_eq(left.0, right.0) } == 1;
            errors::clear();
            equal
        }
        _ => false,
    })
}

/// The data of `asymmetricKeyDetails`, with the public exponent as bytes.
fn key_details(number: u64) -> Outcome<Record> {
    let key = KEYS.get(number)?;
    let key = key.pkey()?;
    let mut details = Record::default();
    match key.kind().as_str() {
        kind @ ("rsa" | "rsa-pss") => {
            details.put("modulusLength", key.bits());
            let exponent = key.number(c"e").map(|number| number.to_bytes()).unwrap_or_default();
            details.put("publicExponent", exponent);
            // An RSA-PSS key without restrictions has no salt length.
            if kind == "rsa-pss"
                && let Some(salt) = key.integer(c"saltlen")
            {
                let name = |parameter| key.text(parameter).map_or_else(|| "sha1".to_owned(), |name| digest_name(&name));
                details.put("hashAlgorithm", name(c"digest"));
                details.put("mgf1HashAlgorithm", name(c"mgf1-digest"));
                details.put("saltLength", salt);
            }
        }
        "dsa" => {
            details.put("modulusLength", key.bits());
            details.put("divisorLength", key.number(c"q").map_or(0, |number| number.bits()));
        }
        "ec" => details.put("namedCurve", key.text(c"group").unwrap_or_default()),
        _ => {}
    }
    Ok(details)
}

/// A digest's name as Node spells it: `SHA2-256` is `sha256`.
fn digest_name(name: &str) -> String {
    let lower = name.to_lowercase();
    let short = lower.strip_prefix("sha2-").map(|rest| format!("sha{}", rest.replace('/', "-")));
    short.unwrap_or(if lower == "sha-1" { "sha1".to_owned() } else { lower })
}

pub fn c_text(text: &str) -> CString {
    CString::new(text).unwrap_or_default()
}

functions!(key_secret, key_bytes, key_free, key_kind, key_public_of, key_equals, key_details);
