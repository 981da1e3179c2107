//! OpenSSL's callbacks during a connection: sessions, keys, handshake states, and the points at which a server waits
//! for JavaScript. Their results are stored in the connection's notes until the caller takes them.
use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::Mutex;

use crate::sys as ffi;
use crate::tls::{Notes, Stop};
use crate::tls_asking;

/// The notes of the connection that OpenSSL passes to a callback.
pub unsafe fn notes<'a>(ssl: *const ffi::SSL) -> Option<&'a Mutex<Notes>> {
    // SAFETY: the pointer was set when the connection was created, and is valid as long as the connection.
    unsafe { (ffi::SSL_get_ex_data(ssl, 0) as *const Mutex<Notes>).as_ref() }
}

/// A session as bytes.
pub unsafe fn session_bytes(session: *mut ffi::SSL_SESSION) -> Vec<u8> {
    // SAFETY: a live session, which the caller still owns.
    unsafe {
        let mut data = vec![0; ffi::i2d_SSL_SESSION(session, null_mut()).max(0) as usize];
        if !data.is_empty() {
            let mut start: *mut c_uchar = data.as_mut_ptr();
            ffi::i2d_SSL_SESSION(session, &mut start);
        }
        data
    }
}

unsafe extern "C" fn on_session(ssl: *mut ffi::SSL, session: *mut ffi::SSL_SESSION) -> c_int {
    // SAFETY: the objects are live and belong to OpenSSL; OpenSSL still owns the session.
    unsafe {
        if let Some(notes) = notes(ssl) {
            let data = session_bytes(session);
            let mut size = 0;
            let id = ffi::SSL_SESSION_get_id(session, &mut size);
            if !data.is_empty() {
                let id = if size == 0 { Vec::new() } else { std::slice::from_raw_parts(id, size as usize).to_vec() };
                notes.lock().expect("no holder panics").sessions.push((id, data));
            }
        }
    }
    0
}

/// Returns the session that JavaScript has found, if any; OpenSSL stores none.
unsafe extern "C" fn find_session(
    ssl: *mut ffi::SSL,
    _: *const c_uchar,
    _: c_int,
    is_kept: *mut c_int,
) -> *mut ffi::SSL_SESSION {
    // SAFETY: the objects are live; the caller takes ownership of the session.
    unsafe {
        *is_kept = 0;
        let found = notes(ssl).and_then(|notes| notes.lock().expect("no holder panics").found.take());
        let Some(data) = found else { return null_mut() };
        let mut start = data.as_ptr();
        let session = ffi::d2i_SSL_SESSION(null_mut(), &mut start, data.len() as _);
        if session.is_null() {
            crate::errors::clear();
        }
        session
    }
}

unsafe extern "C" fn on_key(ssl: *const ffi::SSL, line: *const c_char) {
    // SAFETY: live objects and a terminated text.
    unsafe {
        if let Some(notes) = notes(ssl) {
            let mut text = CStr::from_ptr(line).to_bytes().to_vec();
            text.push(b'\n');
            notes.lock().expect("no holder panics").keys.push(text);
        }
    }
}

/// The content of an extension after its header.
unsafe fn extension<'a>(ssl: *mut ffi::SSL, kind: c_uint, header: usize) -> Option<&'a [u8]> {
    let (mut data, mut size) = (null(), 0);
    // SAFETY: a live connection that is reading its ClientHello; the bytes outlive the callback.
    unsafe {
        let found = ffi::SSL_client_hello_get0_ext(ssl, kind, &mut data, &mut size) == 1 && size > header;
        found.then(|| &std::slice::from_raw_parts(data, size)[header..])
    }
}

/// Returns the server name that a client requests.
///
/// # Safety
/// `ssl` is a live connection that is reading its ClientHello.
pub unsafe fn server_name(ssl: *mut ffi::SSL) -> Option<String> {
    const SERVER_NAME: c_uint = 0;
    // SAFETY: guaranteed by the caller. A list of one name: its size, the kind of name, the name's size.
    unsafe { extension(ssl, SERVER_NAME, 5) }.map(|name| String::from_utf8_lossy(name).into_owned())
}

/// The ClientHello has arrived: stop once if JavaScript may know the session.
unsafe extern "C" fn on_hello(ssl: *mut ffi::SSL, _: *mut c_int, _: *mut c_void) -> c_int {
    const TICKET: c_uint = 35;
    const GO_ON: c_int = 1;
    const AGAIN: c_int = -1;
    // SAFETY: the objects are live; the id outlives the callback.
    unsafe {
        let Some(notes) = notes(ssl) else { return GO_ON };
        let mut notes = notes.lock().expect("no holder panics");
        if let Some(name) = server_name(ssl) {
            notes.asked_for = Some(name);
        }
        let mut id = null();
        let size = ffi::SSL_client_hello_get0_session_id(ssl, &mut id);
        notes.session_id = if size == 0 { Vec::new() } else { std::slice::from_raw_parts(id, size).to_vec() };
        notes.has_ticket = extension(ssl, TICKET, 0).is_some();
        if notes.stops_at_hello {
            notes.waits_at = Some(Stop::Hello);
            return AGAIN;
        }
        GO_ON
    }
}

/// A server's certificate is needed: stop once if JavaScript wants to choose it.
pub unsafe extern "C" fn on_certificate(ssl: *mut ffi::SSL, _: *mut c_void) -> c_int {
    const GO_ON: c_int = 1;
    const AGAIN: c_int = -1;
    // SAFETY: the objects are live.
    let Some(notes) = (unsafe { notes(ssl) }) else { return GO_ON };
    let mut notes = notes.lock().expect("no holder panics");
    if notes.stops_at_certificate {
        notes.waits_at = Some(Stop::Certificate);
        return AGAIN;
    }
    GO_ON
}

/// The OCSP response: a server sends it; a client has received it, or not.
extern "C" fn on_status(ssl: *mut ffi::SSL, _: *mut c_void) -> c_int {
    const CLIENT_GOES_ON: c_int = 1;
    const SENT: c_int = 0;
    const NOTHING: c_int = 3;
    // SAFETY: the objects are live; a response that is set becomes the connection's.
    unsafe {
        let Some(notes) = notes(ssl) else { return NOTHING };
        let mut notes = notes.lock().expect("no holder panics");
        if ffi::SSL_is_server(ssl) == 0 {
            let mut data = null_mut();
            let size = ffi::SSL_get_tlsext_status_ocsp_resp(ssl, &mut data);
            let is_there = !data.is_null() && size > 0;
            let received = is_there.then(|| std::slice::from_raw_parts(data, size as usize).to_vec());
            notes.told_status = Some(received);
            return CLIENT_GOES_ON;
        }
        let Some(response) = &notes.status else { return NOTHING };
        let copy = ffi::OPENSSL_malloc(response.len() as _) as *mut c_uchar;
        std::ptr::copy_nonoverlapping(response.as_ptr(), copy, response.len());
        ffi::SSL_set_tlsext_status_ocsp_resp(ssl, copy, response.len() as _);
        SENT
    }
}

pub unsafe extern "C" fn on_state(ssl: *const ffi::SSL, place: c_int, _: c_int) {
    const BEGINS: c_int = 0x10;
    const ENDS: c_int = 0x20;
    // SAFETY: the objects are live.
    let Some(notes) = (unsafe { notes(ssl) }) else { return };
    let mut notes = notes.lock().expect("no holder panics");
    if place & BEGINS != 0 {
        notes.begun += 1;
    }
    // SAFETY: the connection is live.
    if place & ENDS != 0 && unsafe { ffi::SSL_renegotiate_pending(ssl) } == 0 {
        notes.ended += 1;
    }
}

pub extern "C" fn accept_any(_: c_int, _: *mut ffi::X509_STORE_CTX) -> c_int {
    1
}

/// Makes a server request a certificate, or not, and decide whether one is required.
///
/// # Safety
/// `ssl` is a live connection.
pub unsafe fn request_certificate(ssl: *mut ffi::SSL, request: bool, require: bool) {
    use ffi::{SSL_VERIFY_FAIL_IF_NO_PEER_CERT as FAIL_WITHOUT, SSL_VERIFY_PEER as PEER};
    let mode = match (request, require) {
        (false, _) => 0,
        (true, false) => PEER,
        (true, true) => PEER | FAIL_WITHOUT,
    };
    // SAFETY: guaranteed by the caller.
    unsafe { ffi::SSL_set_verify(ssl, mode, Some(accept_any)) };
}

/// Chooses the first of a server's own protocols that the client offers, both in wire format; returns whether there is
/// one.
///
/// # Safety
/// The pointers are OpenSSL's output parameters; both lists outlive the connection's handshake.
pub unsafe fn select_protocol(own: &[u8], offer: &[u8], out: *mut *const c_uchar, size: *mut c_uchar) -> bool {
    const NEGOTIATED: c_int = 1;
    let mut found = null_mut();
    let (own_size, offer_size) = (own.len() as c_uint, offer.len() as c_uint);
    // SAFETY: guaranteed by the caller.
    unsafe {
        let state = ffi::SSL_select_next_proto(&mut found, size, own.as_ptr(), own_size, offer.as_ptr(), offer_size);
        *out = found;
        state == NEGOTIATED
    }
}

/// Installs the callbacks in a context.
pub unsafe fn hook(ctx: *mut ffi::SSL_CTX) {
    // SAFETY: the context is live; the callbacks have OpenSSL's signatures.
    unsafe {
        ffi::SSL_CTX_sess_set_new_cb(ctx, Some(on_session));
        ffi::SSL_CTX_sess_set_get_cb(ctx, Some(find_session));
        ffi::SSL_CTX_set_keylog_callback(ctx, Some(on_key));
        ffi::SSL_CTX_set_client_hello_cb(ctx, Some(on_hello), null_mut());
        ffi::SSL_CTX_set_tlsext_status_cb(ctx, Some(on_status));
        tls_asking::hook(ctx);
    }
}
