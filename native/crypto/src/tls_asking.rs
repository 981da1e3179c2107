//! Decisions of JavaScript during a handshake, which cannot wait: a protocol among those a client offers, and
//! pre-shared keys. The functions are called by OpenSSL's callbacks; an exception ends the step that caused the call.
use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

use crate::errors::with_code;
use crate::functions::functions;
use crate::key::c_text;
use crate::sys as ffi;
use crate::tls::{Notes, with};
use crate::tls_callbacks::{notes, select_protocol};
use crate::values::{HostObject, IntoValue, Outcome, Value};

/// Calls one of the functions in a connection's notes; None if it is not set, or threw.
unsafe fn ask(
    ssl: *const ffi::SSL,
    which: fn(&Notes) -> &Option<Arc<HostObject>>,
    arguments: &[Value],
) -> Option<Value> {
    // SAFETY: OpenSSL passes a live connection; its notes are not locked while JavaScript runs.
    let notes = unsafe { notes(ssl) }?;
    let function = which(&notes.lock().expect("no holder panics")).clone()?;
    match function.call(arguments) {
        Ok(answer) => Some(answer),
        Err(thrown) => {
            notes.lock().expect("no holder panics").thrown = Some(thrown);
            None
        }
    }
}

extern "C" fn on_protocols(
    ssl: *mut ffi::SSL,
    out: *mut *const c_uchar,
    size: *mut c_uchar,
    offered: *const c_uchar,
    offered_size: c_uint,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the objects are live; what `out` points to lives in the offer, or in the notes, until the connection ends.
    unsafe {
        let Some(shared) = notes(ssl) else { return ffi::SSL_TLSEXT_ERR_NOACK };
        let offer = std::slice::from_raw_parts(offered, offered_size as usize);
        let asks = shared.lock().expect("no holder panics").chooses_protocol.is_some();
        if asks {
            let protocol = ask(ssl, |notes| &notes.chooses_protocol, &[offer.to_vec().into_value()]);
            let Some(Value::Bytes(protocol)) = protocol else { return ffi::SSL_TLSEXT_ERR_ALERT_FATAL };
            let mut rest = offer;
            while let [length, tail @ ..] = rest {
                let (name, next) = tail.split_at((*length as usize).min(tail.len()));
                if name == protocol.as_slice() {
                    *out = name.as_ptr();
                    *size = name.len() as c_uchar;
                    return ffi::SSL_TLSEXT_ERR_OK;
                }
                rest = next;
            }
            return ffi::SSL_TLSEXT_ERR_ALERT_FATAL;
        }
        let notes = shared.lock().expect("no holder panics");
        let Some(own) = &notes.protocols else { return ffi::SSL_TLSEXT_ERR_NOACK };
        if select_protocol(own, offer, out, size) { ffi::SSL_TLSEXT_ERR_OK } else { ffi::SSL_TLSEXT_ERR_ALERT_FATAL }
    }
}

unsafe fn text_of(text: *const c_char) -> Option<String> {
    // SAFETY: OpenSSL's texts are terminated, or null.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

unsafe extern "C" fn on_client_key(
    ssl: *mut ffi::SSL,
    hint: *const c_char,
    identity: *mut c_char,
    most_identity: c_uint,
    key: *mut c_uchar,
    most_key: c_uint,
) -> c_uint {
    // SAFETY: the objects are live; the buffers have the given sizes, and the identity ends in NUL.
    unsafe {
        let hint = text_of(hint);
        let arguments = [hint.into_value(), most_key.into_value(), most_identity.into_value()];
        let Some(Value::List(pair)) = ask(ssl, |notes| &notes.finds_key, &arguments) else { return 0 };
        let [Value::Text(name), Value::Bytes(data)] = &pair[..] else { return 0 };
        // The buffer has one byte more than `most_identity`, for the terminator.
        if name.len() > most_identity as usize || data.len() > most_key as usize {
            return 0;
        }
        std::ptr::copy_nonoverlapping(name.as_ptr(), identity.cast(), name.len());
        *identity.add(name.len()) = 0;
        std::ptr::copy_nonoverlapping(data.as_ptr(), key, data.len());
        data.len() as c_uint
    }
}

unsafe extern "C" fn on_server_key(
    ssl: *mut ffi::SSL,
    identity: *const c_char,
    key: *mut c_uchar,
    most_key: c_uint,
) -> c_uint {
    // SAFETY: the objects are live; the buffer has the given size.
    unsafe {
        let identity = text_of(identity);
        let arguments = [identity.into_value(), most_key.into_value()];
        let Some(Value::Bytes(data)) = ask(ssl, |notes| &notes.finds_key, &arguments) else { return 0 };
        if data.len() > most_key as usize {
            return 0;
        }
        std::ptr::copy_nonoverlapping(data.as_ptr(), key, data.len());
        data.len() as c_uint
    }
}

pub unsafe fn hook(ctx: *mut ffi::SSL_CTX) {
    // SAFETY: the context is live; the callback has OpenSSL's signature.
    #[allow(deprecated)] // its successor differs only in the callback's optional type
    unsafe {
        ffi::SSL_CTX_set_alpn_select_cb(ctx, on_protocols, null_mut());
    }
}

/// `choose(offer in wire format)` returns a protocol's bytes, or undefined to refuse.
fn tls_ask_protocol(number: u64, choose: HostObject) -> Outcome<()> {
    with(number, |connection| {
        connection.notes.lock().expect("no holder panics").chooses_protocol = Some(Arc::new(choose));
        Ok(())
    })
}

/// Pre-shared keys. A client's `find(hint, longest key, longest identity)` returns [identity, key], a server's
/// `find(identity, longest key)` the key; undefined if there is none.
fn tls_ask_key(number: u64, find: HostObject) -> Outcome<()> {
    with(number, |connection| {
        connection.notes.lock().expect("no holder panics").finds_key = Some(Arc::new(find));
        // SAFETY: the connection is live; the callbacks have OpenSSL's signatures.
        unsafe {
            if connection.is_server {
                ffi::SSL_set_psk_server_callback(connection.ssl, Some(on_server_key));
            } else {
                ffi::SSL_set_psk_client_callback(connection.ssl, Some(on_client_key));
            }
        }
        Ok(())
    })
}

/// The hint from which a client infers the identities that a server knows.
fn tls_key_hint(number: u64, hint: &str) -> Outcome<()> {
    with(number, |connection| {
        let text = c_text(hint);
        // SAFETY: the connection is live; the text is copied.
        if unsafe { ffi::SSL_use_psk_identity_hint(connection.ssl, text.as_ptr()) } == 1 {
            return Ok(());
        }
        crate::errors::clear();
        let code = "ERR_TLS_PSK_SET_IDENTITY_HINT_FAILED";
        Err(with_code("Error", code, "Failed to set PSK identity hint"))
    })
}

functions!(tls_ask_protocol, tls_ask_key, tls_key_hint);
