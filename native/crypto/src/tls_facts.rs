//! Properties of a TLS connection: protocol, cipher, session, the peer's certificates and their verification.
use std::ffi::{CStr, c_int, c_long};
use std::ptr::{null, null_mut};

use crate::certificate::{CERTIFICATES, Certificate};
use crate::errors;
use crate::functions::functions;
use crate::key::PKey;
use crate::sys as ffi;
use crate::tls::{Connection, with};
use crate::tls_callbacks::session_bytes;
use crate::values::{Bytes, IntoValue, Outcome, Value};

fn servername(connection: &Connection) -> Option<String> {
    // SAFETY: the connection is live; the name lives in it.
    unsafe {
        let name = ffi::SSL_get_servername(connection.ssl, 0);
        (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
    }
}

fn answer(value: impl IntoValue) -> Outcome<Value> {
    Ok(value.into_value())
}

/// A property of a connection, by one of the names below.
fn tls_fact(number: u64, what: &str) -> Outcome<Value> {
    with(number, |connection| {
        let ssl = connection.ssl;
        let text = |text: *const std::ffi::c_char| {
            // SAFETY: static texts, or null.
            (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
        };
        // SAFETY: the connection is live; borrowed objects are only read, or their references counted.
        unsafe {
            match what {
                "protocol" => answer(text(ffi::SSL_get_version(ssl))),
                "cipher" => {
                    let cipher = ffi::SSL_get_current_cipher(ssl);
                    if cipher.is_null() {
                        return Ok(Value::Nothing);
                    }
                    let facts = (
                        text(ffi::SSL_CIPHER_get_name(cipher)),
                        text(ffi::SSL_CIPHER_standard_name(cipher)),
                        text(ffi::SSL_CIPHER_get_version(cipher)),
                    );
                    answer(vec![facts.0, facts.1, facts.2])
                }
                "alpn" => {
                    let (mut data, mut size) = (null(), 0);
                    ffi::SSL_get0_alpn_selected(ssl, &mut data, &mut size);
                    if size == 0 {
                        return Ok(Value::Nothing);
                    }
                    let name = std::slice::from_raw_parts(data, size as usize);
                    answer(String::from_utf8_lossy(name).into_owned())
                }
                "servername" => answer(servername(connection)),
                "reused" => answer(ffi::SSL_session_reused(ssl) == 1),
                "session" => {
                    let session = ffi::SSL_get_session(ssl);
                    if session.is_null() {
                        return Ok(Value::Nothing);
                    }
                    answer(session_bytes(session))
                }
                "ticket" => {
                    let session = ffi::SSL_get_session(ssl);
                    let (mut data, mut size) = (null(), 0);
                    if session.is_null() {
                        return Ok(Value::Nothing);
                    }
                    ffi::SSL_SESSION_get0_ticket(session, &mut data, &mut size);
                    if data.is_null() {
                        return Ok(Value::Nothing);
                    }
                    answer(std::slice::from_raw_parts(data, size).to_vec())
                }
                "finished" | "peerFinished" => {
                    let mut data = vec![0u8; 64];
                    let size = match what {
                        "finished" => ffi::SSL_get_finished(ssl, data.as_mut_ptr().cast(), data.len()),
                        _ => ffi::SSL_get_peer_finished(ssl, data.as_mut_ptr().cast(), data.len()),
                    };
                    if size == 0 {
                        return Ok(Value::Nothing);
                    }
                    answer(data[..size.min(data.len())].to_vec())
                }
                "status" => {
                    let status = connection.notes.lock().expect("no holder panics").told_status.take();
                    match status {
                        None => Ok(Value::Nothing),
                        Some(None) => answer(false),
                        Some(Some(data)) => answer(data),
                    }
                }
                "sigalgs" => answer(shared_algorithms(connection)),
                "ephemeral" => answer(ephemeral(connection)),
                "peer" => answer(peer_chain(connection)),
                "own" => {
                    let certificate = Certificate::share(ffi::SSL_get_certificate(ssl));
                    answer(certificate.map(|each| CERTIFICATES.add(each)))
                }
                "verify" => answer(verify_result(connection)),
                _ => Ok(Value::Nothing),
            }
        }
    })
}

/// The signature algorithms that both sides support, by preference.
fn shared_algorithms(connection: &Connection) -> Vec<String> {
    const NAMES: &[(c_int, &str)] =
        &[(6, "RSA"), (912, "RSA-PSS"), (116, "DSA"), (408, "ECDSA"), (1087, "Ed25519"), (1088, "Ed448")];
    let mut found = Vec::new();
    loop {
        let (mut signature, mut hash) = (0, 0);
        // SAFETY: the connection is live; names are static.
        unsafe {
            let count = ffi::SSL_get_shared_sigalgs(
                connection.ssl,
                found.len() as c_int,
                &mut signature,
                &mut hash,
                null_mut(),
                null_mut(),
                null_mut(),
            );
            if found.len() as c_int >= count {
                return found;
            }
            let short = |number| {
                let name = ffi::OBJ_nid2sn(number);
                if name.is_null() { "UNDEF".into() } else { CStr::from_ptr(name).to_string_lossy() }
            };
            let known = NAMES.iter().find(|(number, _)| *number == signature);
            let name = known.map_or_else(|| short(signature), |(_, name)| (*name).into());
            found.push(format!("{name}+{}", short(hash)));
        }
    }
}

/// (type, name, size) of the peer's ephemeral key; the name, for a group that is not a curve.
fn ephemeral(connection: &Connection) -> Option<(String, Option<String>, Option<c_int>)> {
    let mut key: *mut ffi::EVP_PKEY = null_mut();
    // SAFETY: the connection is live; the key is owned by the caller afterwards.
    let key = unsafe {
        if connection.is_server {
            return None;
        }
        match ffi::SSL_ctrl(connection.ssl, ffi::SSL_CTRL_GET_PEER_TMP_KEY, 0, (&raw mut key).cast()) {
            1 => PKey::new(key)?,
            _ => {
                errors::clear();
                let name = ffi::SSL_get0_group_name(connection.ssl);
                return (!name.is_null())
                    .then(|| ("TLSGroup".into(), Some(CStr::from_ptr(name).to_string_lossy().into_owned()), None));
            }
        }
    };
    match key.kind().as_str() {
        "dh" => Some(("DH".into(), None, Some(key.bits()))),
        "ec" => Some(("ECDH".into(), key.text(c"group"), Some(key.bits()))),
        "x25519" => Some(("ECDH".into(), Some("X25519".into()), Some(key.bits()))),
        "x448" => Some(("ECDH".into(), Some("X448".into()), Some(key.bits()))),
        // SAFETY: the connection is live; the name is static.
        _ => unsafe {
            let name = ffi::SSL_get0_group_name(connection.ssl);
            (!name.is_null())
                .then(|| ("TLSGroup".into(), Some(CStr::from_ptr(name).to_string_lossy().into_owned()), None))
        },
    }
}

/// The peer's certificate and those it sent, completed from the trusted certificates of the context.
fn peer_chain(connection: &Connection) -> Vec<u64> {
    let mut found = Vec::new();
    // SAFETY: the connection is live; certificates are counted.
    unsafe {
        let first = ffi::SSL_get1_peer_certificate(connection.ssl);
        if first.is_null() {
            return found;
        }
        let mut last = Certificate(first);
        found.push(CERTIFICATES.add(Certificate::share(last.0).expect("just tested")));
        let chain = ffi::SSL_get_peer_cert_chain(connection.ssl) as *mut ffi::OPENSSL_STACK;
        let mut rest: Vec<*mut ffi::X509> = Vec::new();
        if !chain.is_null() {
            rest = (0..ffi::OPENSSL_sk_num(chain))
                .map(|index| ffi::OPENSSL_sk_value(chain, index) as *mut ffi::X509)
                .collect();
            rest.retain(|each| ffi::X509_cmp(*each, last.0) != 0);
        }
        while let Some(index) = rest.iter().position(|each| ffi::X509_check_issued(*each, last.0) == 0) {
            last = Certificate::share(rest.remove(index)).expect("of a chain");
            found.push(CERTIFICATES.add(Certificate::share(last.0).expect("just tested")));
        }
        // Only this side knows the rest.
        let store = ffi::SSL_CTX_get_cert_store(ffi::SSL_get_SSL_CTX(connection.ssl));
        let ctx = ffi::X509_STORE_CTX_new();
        ffi::X509_STORE_CTX_init(ctx, store, null_mut(), null_mut());
        while ffi::X509_check_issued(last.0, last.0) != 0 && found.len() < 100 {
            let mut issuer = null_mut();
            if ffi::X509_STORE_CTX_get1_issuer(&mut issuer, ctx, last.0) <= 0 {
                break;
            }
            last = Certificate(issuer);
            found.push(CERTIFICATES.add(Certificate::share(issuer).expect("just made")));
        }
        ffi::X509_STORE_CTX_free(ctx);
    }
    errors::clear();
    found
}

/// (number, message) of the verification error of the peer's certificate; None if there is none.
fn verify_result(connection: &Connection) -> Option<(c_long, String)> {
    const UNSPECIFIED: c_long = 1;
    // SAFETY: the connection is live; texts are static.
    unsafe {
        let certificate = ffi::SSL_get1_peer_certificate(connection.ssl);
        let mut code = UNSPECIFIED;
        if certificate.is_null() {
            // A server requests no certificate by default; a client's peer may have a pre-shared key instead, which
            // looks like a resumed session in TLS 1.3.
            const NID_AUTH_PSK: c_int = 1048;
            const TLS_1_3: c_int = 0x304;
            let cipher = ffi::SSL_get_current_cipher(connection.ssl);
            let session = ffi::SSL_get_session(connection.ssl);
            let has_key = !cipher.is_null() && ffi::SSL_CIPHER_get_auth_nid(cipher) == NID_AUTH_PSK;
            let goes_on = !session.is_null()
                && ffi::SSL_SESSION_get_protocol_version(session) == TLS_1_3
                && ffi::SSL_session_reused(connection.ssl) == 1;
            if connection.is_server || has_key || goes_on {
                code = 0;
            }
        } else {
            ffi::X509_free(certificate);
            code = ffi::SSL_get_verify_result(connection.ssl);
        }
        if code == 0 {
            return None;
        }
        let words = CStr::from_ptr(ffi::X509_verify_cert_error_string(code)).to_string_lossy().into_owned();
        Some((code, words))
    }
}

fn tls_export(number: u64, size: usize, label: &str, context: Option<Bytes>) -> Outcome<Vec<u8>> {
    with(number, |connection| {
        let mut out = vec![0; size];
        let (data, data_size, used) = match &context {
            Some(bytes) => (bytes.as_ptr(), bytes.len(), 1),
            None => (null(), 0, 0),
        };
        // SAFETY: the connection is live; sizes are those of the slices.
        let done = unsafe {
            ffi::SSL_export_keying_material(
                connection.ssl,
                out.as_mut_ptr(),
                size,
                label.as_ptr().cast(),
                label.len(),
                data,
                data_size,
                used,
            )
        };
        if done == 1 { Ok(out) } else { Err(errors::take_queued("SSL_export_keying_material")) }
    })
}

functions!(tls_fact, tls_export);
