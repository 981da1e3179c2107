//! Errors as JavaScript programs see them: OpenSSL's queue with Node's messages and codes, and the errors that Node's
//! own C++ throws.
use std::ffi::{CStr, c_char, c_ulong};

use crate::sys as ffi;
use crate::values::{HostObject, Record};

/// Why a function failed.
pub enum Failure {
    /// An error of a JavaScript class, with a message and properties.
    OfClass { kind: &'static str, message: String, facts: Record },
    /// An exception of a JavaScript function.
    Thrown(HostObject),
}

/// The libraries named in error codes (`ERR_OSSL_EVP_…`).
const LIBRARIES: &[(i32, &str)] = &[
    (2, "SYS"),
    (3, "BN"),
    (4, "RSA"),
    (5, "DH"),
    (6, "EVP"),
    (7, "BUF"),
    (8, "OBJ"),
    (9, "PEM"),
    (10, "DSA"),
    (11, "X509"),
    (13, "ASN1"),
    (14, "CONF"),
    (15, "CRYPTO"),
    (16, "EC"),
    (20, "SSL"),
    (32, "BIO"),
    (33, "PKCS7"),
    (34, "X509V3"),
    (35, "PKCS12"),
    (36, "RAND"),
    (37, "DSO"),
    (38, "ENGINE"),
    (39, "OCSP"),
    (40, "UI"),
    (41, "COMP"),
    (42, "ECDSA"),
    (43, "ECDH"),
    (44, "OSSL_STORE"),
    (45, "FIPS"),
    (46, "CMS"),
    (47, "TS"),
    (48, "HMAC"),
    (50, "CT"),
    (51, "ASYNC"),
    (52, "KDF"),
    (53, "SM2"),
    (128, "USER"),
]; // numbers of err.h

/// An error of a JavaScript class.
pub fn error(kind: &'static str, message: &str) -> Failure {
    Failure::OfClass { kind, message: message.to_owned(), facts: Record::default() }
}

/// An error with one of Node's codes.
pub fn with_code(kind: &'static str, code: &str, message: &str) -> Failure {
    let mut facts = Record::default();
    facts.put("code", code);
    Failure::OfClass { kind, message: message.to_owned(), facts }
}

pub fn plain(message: &str) -> Failure {
    error("Error", message)
}

/// Takes the oldest error off OpenSSL's queue (0 for none).
pub fn take() -> c_ulong {
    // SAFETY: the queue belongs to this thread.
    unsafe { ffi::ERR_get_error() }
}

pub fn peek() -> c_ulong {
    // SAFETY: as above.
    unsafe { ffi::ERR_peek_error() }
}

pub fn clear() {
    // SAFETY: as above.
    unsafe { ffi::ERR_clear_error() }
}

pub fn text_of(code: c_ulong) -> String {
    let mut text = [0 as c_char; 256];
    // SAFETY: the buffer has the given size; the text ends in NUL.
    unsafe {
        ffi::ERR_error_string_n(code, text.as_mut_ptr(), text.len());
        CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned()
    }
}

fn words(text: *const c_char) -> Option<String> {
    // SAFETY: OpenSSL's texts are static, or null.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

fn reason_of(code: c_ulong) -> Option<String> {
    // SAFETY: the call returns a static text, or null.
    words(unsafe { ffi::ERR_reason_error_string(code) })
}

/// `ERR_OSSL_EVP_…`, `ERR_SSL_…`, or nothing for an error without a reason.
fn code_of(code: c_ulong) -> Option<String> {
    let reason = reason_of(code)?;
    let library = ((code >> 23) & 0xff) as i32;
    let name = LIBRARIES.iter().find(|(number, _)| *number == library).map(|(_, name)| *name);
    let prefix = match name {
        Some("SSL") => "ERR_SSL_".to_owned(),
        Some(name) => format!("ERR_OSSL_{name}_"),
        None => "ERR_OSSL_".to_owned(),
    };
    Some(prefix + &reason.replace(' ', "_").to_uppercase())
}

/// An error from OpenSSL's queue: `first` gives the message, the rest is `opensslErrorStack`. `fallback` is the message
/// if the queue is empty.
pub fn from_queue(first: c_ulong, fallback: Option<&str>) -> Failure {
    let message = match fallback {
        Some(text) if first == 0 => text.to_owned(),
        _ => text_of(first),
    };
    with_message(first, &message)
}

/// As `from_queue`, with another message.
pub fn with_message(first: c_ulong, message: &str) -> Failure {
    let mut rest = Vec::new();
    loop {
        match take() {
            0 => break,
            code => rest.insert(0, text_of(code)),
        }
    }
    let mut facts = Record::default();
    if !rest.is_empty() {
        facts.put("opensslErrorStack", rest);
    }
    if first != 0 {
        // SAFETY: the call returns a static text, or null.
        let library = words(unsafe { ffi::ERR_lib_error_string(first) });
        let parts = [("library", library), ("reason", reason_of(first)), ("code", code_of(first))];
        parts.into_iter().filter_map(|(name, text)| Some((name, text?))).for_each(|(name, text)| facts.put(name, text));
    }
    Failure::OfClass { kind: "Error", message: message.to_owned(), facts }
}

/// The oldest error of the queue, or `fallback`.
pub fn take_queued(fallback: &str) -> Failure {
    from_queue(take(), Some(fallback))
}
