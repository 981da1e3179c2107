//! TLS connections by number, over memory: the caller feeds what arrives, and sends what is to be sent.
//!
//! `tls_step` drives a connection as far as it gets. A server stops once after the ClientHello where it was told to, so
//! that JavaScript may choose certificate and protocol. Verification never ends a handshake: its result is told.
use std::ffi::{CStr, c_int, c_long, c_uchar, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;
use crate::input::Bytes;
use crate::key::c_text;
use crate::sys as ffi;
use crate::table::Table;
use crate::tls_context::SETTINGS;

/// What callbacks of OpenSSL leave for the caller, and what they are told.
#[derive(Default)]
pub struct Notes {
    pub sessions: Vec<Vec<u8>>,
    pub keys: Vec<Vec<u8>>,
    /// The host that the client names.
    asked_for: Option<String>,
    /// Protocols that the client offers, as on the wire.
    offered: Vec<u8>,
    /// Protocols of this side, as on the wire; None without ALPN.
    protocols: Option<Vec<u8>>,
    /// What JavaScript has chosen: a protocol, or nothing for a refusal.
    chosen: Option<Option<Vec<u8>>>,
    stops_at_hello: bool,
    is_waiting: bool,
    is_resumed_hello: bool,
}

pub struct Connection {
    pub ssl: *mut ffi::SSL,
    pub notes: Arc<Mutex<Notes>>,
    pub is_server: bool,
    pub is_done: bool,
}
// SAFETY: a connection belongs to whoever holds the mutex around it.
unsafe impl Send for Connection {}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: ours, with its BIOs; the notes were lent until now.
        unsafe {
            let lent = ffi::SSL_get_ex_data(self.ssl, 0) as *const Mutex<Notes>;
            ffi::SSL_free(self.ssl);
            drop(Arc::from_raw(lent));
        }
    }
}

static CONNECTIONS: Table<Mutex<Connection>> = Table::new();

pub fn with<R>(number: u64, work: impl FnOnce(&mut Connection) -> PyResult<R>) -> PyResult<R> {
    errors::clear();
    work(&mut CONNECTIONS.get(number)?.lock().expect("no holder panics"))
}

/// The notes of a connection that OpenSSL hands to a callback.
unsafe fn notes<'a>(ssl: *const ffi::SSL) -> Option<&'a Mutex<Notes>> {
    // SAFETY: the pointer was lent when the connection was made, for as long as it lives.
    unsafe { (ffi::SSL_get_ex_data(ssl, 0) as *const Mutex<Notes>).as_ref() }
}

unsafe extern "C" fn on_session(ssl: *mut ffi::SSL, session: *mut ffi::SSL_SESSION) -> c_int {
    // SAFETY: live objects of OpenSSL; the session stays its own.
    unsafe {
        if let Some(notes) = notes(ssl) {
            let size = ffi::i2d_SSL_SESSION(session, null_mut());
            if size > 0 {
                let mut data = vec![0; size as usize];
                let mut start: *mut c_uchar = data.as_mut_ptr();
                ffi::i2d_SSL_SESSION(session, &mut start);
                notes.lock().expect("no holder panics").sessions.push(data);
            }
        }
    }
    0
}

unsafe extern "C" fn on_key(ssl: *const ffi::SSL, line: *const std::ffi::c_char) {
    // SAFETY: live objects and a terminated text.
    unsafe {
        if let Some(notes) = notes(ssl) {
            let mut text = CStr::from_ptr(line).to_bytes().to_vec();
            text.push(b'\n');
            notes.lock().expect("no holder panics").keys.push(text);
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
    const TAKEN: c_int = 0;
    const FATAL: c_int = 2;
    const IGNORED: c_int = 3;
    // SAFETY: live objects; what `out` points to lives in the offer, or in the notes, until the connection ends.
    unsafe {
        let Some(notes) = notes(ssl) else { return IGNORED };
        let notes = notes.lock().expect("no holder panics");
        let offer = std::slice::from_raw_parts(offered, offered_size as usize);
        if let Some(chosen) = &notes.chosen {
            let Some(chosen) = chosen else { return FATAL };
            let mut rest = offer;
            while let [length, tail @ ..] = rest {
                let (name, next) = tail.split_at((*length as usize).min(tail.len()));
                if name == chosen.as_slice() {
                    *out = name.as_ptr();
                    *size = name.len() as c_uchar;
                    return TAKEN;
                }
                rest = next;
            }
            return FATAL;
        }
        let Some(own) = &notes.protocols else { return IGNORED };
        let mut found = null_mut();
        const NEGOTIATED: c_int = 1;
        let state =
            ffi::SSL_select_next_proto(&mut found, size, own.as_ptr(), own.len() as c_uint, offered, offered_size);
        *out = found;
        if state == NEGOTIATED { TAKEN } else { FATAL }
    }
}

/// What follows an extension's own header.
unsafe fn extension<'a>(ssl: *mut ffi::SSL, kind: c_uint, header: usize) -> Option<&'a [u8]> {
    let (mut data, mut size) = (null(), 0);
    // SAFETY: a live connection that is reading its ClientHello; the bytes live through the callback.
    unsafe {
        let found = ffi::SSL_client_hello_get0_ext(ssl, kind, &mut data, &mut size) == 1 && size > header;
        found.then(|| &std::slice::from_raw_parts(data, size)[header..])
    }
}

/// The ClientHello is there: stop, once, where JavaScript wants to choose certificate and protocol.
unsafe extern "C" fn on_hello(ssl: *mut ffi::SSL, _: *mut c_int, _: *mut c_void) -> c_int {
    const SERVER_NAME: c_uint = 0;
    const ALPN: c_uint = 16;
    const GO_ON: c_int = 1;
    const AGAIN: c_int = -1;
    // SAFETY: live objects.
    unsafe {
        let Some(notes) = notes(ssl) else { return GO_ON };
        let mut notes = notes.lock().expect("no holder panics");
        if let Some(list) = extension(ssl, ALPN, 2) {
            notes.offered = list.to_vec();
        }
        // A list of one name: its size, the kind of name, the name's size.
        if let Some(name) = extension(ssl, SERVER_NAME, 5) {
            notes.asked_for = Some(String::from_utf8_lossy(name).into_owned());
        }
        if notes.stops_at_hello && !notes.is_resumed_hello {
            notes.is_waiting = true;
            return AGAIN;
        }
        GO_ON
    }
}

unsafe extern "C" fn accept_any(_: c_int, _: *mut ffi::X509_STORE_CTX) -> c_int {
    1
}

/// Have a context tell what happens to its connections.
pub unsafe fn hook(ctx: *mut ffi::SSL_CTX) {
    // SAFETY: a live context; the callbacks have OpenSSL's signatures.
    unsafe {
        ffi::SSL_CTX_sess_set_new_cb(ctx, Some(on_session));
        ffi::SSL_CTX_set_keylog_callback(ctx, Some(on_key));
        #[allow(deprecated)] // its successor differs in the callback's optional type alone
        ffi::SSL_CTX_set_alpn_select_cb(ctx, on_protocols, null_mut());
        ffi::SSL_CTX_set_client_hello_cb(ctx, Some(on_hello), null_mut());
    }
}

/// A connection; `servername` and `session` are a client's, `stops_at_hello` a server's.
#[pyfunction]
#[pyo3(signature = (context, is_server, protocols=None, servername=None, session=None, stops_at_hello=false))]
fn tls_new(
    context: u64,
    is_server: bool,
    protocols: Option<Bytes>,
    servername: Option<&str>,
    session: Option<Bytes>,
    stops_at_hello: bool,
) -> PyResult<u64> {
    errors::clear();
    let settings = SETTINGS.get(context)?;
    let own = protocols.as_ref().map(|list| list.to_vec());
    let shared = Arc::new(Mutex::new(Notes { protocols: own, stops_at_hello, ..Notes::default() }));
    // SAFETY: a live context; the connection owns the BIOs, and the notes are lent until it ends.
    unsafe {
        let ssl = ffi::SSL_new(settings.ctx);
        if ssl.is_null() {
            return Err(errors::queued("SSL_new"));
        }
        ffi::SSL_set_ex_data(ssl, 0, Arc::into_raw(shared.clone()) as *mut c_void);
        let (input, output) = (ffi::BIO_new(ffi::BIO_s_mem()), ffi::BIO_new(ffi::BIO_s_mem()));
        const SET_MEM_EOF_RETURN: c_int = 130;
        for bio in [input, output] {
            ffi::BIO_ctrl(bio, SET_MEM_EOF_RETURN, -1, null_mut());
        }
        ffi::SSL_set_bio(ssl, input, output);
        ffi::SSL_set_verify(ssl, if is_server { 0 } else { 1 }, Some(accept_any));
        if is_server {
            ffi::SSL_set_accept_state(ssl);
        } else {
            if let Some(list) = &protocols {
                ffi::SSL_set_alpn_protos(ssl, list.as_ptr(), list.len() as c_uint);
            }
            if let Some(name) = servername {
                const SET_HOSTNAME: c_int = 55;
                let text = c_text(name);
                ffi::SSL_ctrl(ssl, SET_HOSTNAME, 0, text.as_ptr() as *mut c_void);
            }
            ffi::SSL_set_connect_state(ssl);
        }
        let connection = Connection { ssl, notes: shared, is_server, is_done: false };
        if let Some(data) = session {
            set_session(&connection, &data);
        }
        Ok(CONNECTIONS.add(Mutex::new(connection)))
    }
}

fn set_session(connection: &Connection, data: &[u8]) -> bool {
    let mut start = data.as_ptr();
    // SAFETY: as many bytes as are told; the connection counts what it keeps.
    unsafe {
        let session = ffi::d2i_SSL_SESSION(null_mut(), &mut start, data.len() as c_long);
        if session.is_null() {
            errors::clear();
            return false;
        }
        let done = ffi::SSL_set_session(connection.ssl, session) == 1;
        ffi::SSL_SESSION_free(session);
        done
    }
}

#[pyfunction]
fn tls_set_session(number: u64, data: Bytes) -> PyResult<bool> {
    with(number, |connection| Ok(set_session(connection, &data)))
}

#[pyfunction]
fn tls_set_servername(number: u64, name: &str) -> PyResult<()> {
    with(number, |connection| {
        const SET_HOSTNAME: c_int = 55;
        let text = c_text(name);
        // SAFETY: a live connection; the text is copied.
        unsafe { ffi::SSL_ctrl(connection.ssl, SET_HOSTNAME, 0, text.as_ptr() as *mut c_void) };
        Ok(())
    })
}

/// Whether a server asks for a certificate, and whether it goes on without one.
#[pyfunction]
fn tls_request_certificate(number: u64, request: bool, require: bool) -> PyResult<()> {
    const PEER: c_int = 1;
    const FAIL_WITHOUT: c_int = 2;
    with(number, |connection| {
        let mode = match (request, require) {
            (false, _) => 0,
            (true, false) => PEER,
            (true, true) => PEER | FAIL_WITHOUT,
        };
        // SAFETY: a live connection.
        unsafe { ffi::SSL_set_verify(connection.ssl, mode, Some(accept_any)) };
        Ok(())
    })
}

#[pyfunction]
fn tls_free(number: u64) {
    CONNECTIONS.remove(number);
}

/// What a server knows after the ClientHello: (server name or None, protocols offered as on the wire).
#[pyfunction]
fn tls_hello(py: Python<'_>, number: u64) -> PyResult<(Option<String>, Bound<'_, PyBytes>)> {
    with(number, |connection| {
        let notes = connection.notes.lock().expect("no holder panics");
        Ok((notes.asked_for.clone(), PyBytes::new(py, &notes.offered)))
    })
}

/// Go on after the ClientHello, with another context and a protocol where they were chosen. `protocol`: None leaves the
/// choice to the list, empty refuses.
#[pyfunction]
#[pyo3(signature = (number, context=None, protocol=None))]
fn tls_go_on(number: u64, context: Option<u64>, protocol: Option<Bytes>) -> PyResult<()> {
    with(number, |connection| {
        if let Some(context) = context {
            // SAFETY: live objects; the connection counts what it keeps.
            unsafe {
                let settings = SETTINGS.get(context)?;
                ffi::SSL_set_SSL_CTX(connection.ssl, settings.ctx);
            }
        }
        let mut notes = connection.notes.lock().expect("no holder panics");
        if let Some(protocol) = protocol {
            notes.chosen = Some((!protocol.is_empty()).then(|| protocol.to_vec()));
        }
        notes.is_waiting = false;
        notes.is_resumed_hello = true;
        Ok(())
    })
}

#[pyfunction]
fn tls_max_fragment(number: u64, size: c_long) -> PyResult<bool> {
    const SET_MAX_SEND_FRAGMENT: c_int = 52;
    with(number, |connection| {
        // SAFETY: a live connection.
        Ok(unsafe { ffi::SSL_ctrl(connection.ssl, SET_MAX_SEND_FRAGMENT, size, null_mut()) } == 1)
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tls_new, module)?)?;
    module.add_function(wrap_pyfunction!(tls_set_session, module)?)?;
    module.add_function(wrap_pyfunction!(tls_set_servername, module)?)?;
    module.add_function(wrap_pyfunction!(tls_request_certificate, module)?)?;
    module.add_function(wrap_pyfunction!(tls_free, module)?)?;
    module.add_function(wrap_pyfunction!(tls_hello, module)?)?;
    module.add_function(wrap_pyfunction!(tls_go_on, module)?)?;
    module.add_function(wrap_pyfunction!(tls_max_fragment, module)?)
}
