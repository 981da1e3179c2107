//! TLS connections by number, over memory: the caller feeds what arrives, and sends what is to be sent.
//!
//! `tls_step` drives a connection as far as it gets. A server stops once after the ClientHello, and once before it shows
//! a certificate, where it was told to (`tls_callbacks`); what has to be answered at once is asked of JavaScript while
//! OpenSSL waits (`tls_asking`). Verification never ends a handshake: its result is told.
use std::cell::Cell;
use std::ffi::{c_int, c_long, c_uint, c_void};
use std::ptr::null_mut;
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;
use crate::input::Bytes;
use crate::key::c_text;
use crate::sys as ffi;
use crate::table::Table;
use crate::tls_callbacks as callbacks;
use crate::tls_context::{SETTINGS, Settings};

/// A place where a server's handshake waits for JavaScript.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The ClientHello is there: a session may be found.
    Hello,
    /// A certificate is to be shown: it may be chosen, and what its issuer says of it.
    Certificate,
}

/// What callbacks of OpenSSL leave for the caller, and what they are told.
#[derive(Default)]
pub struct Notes {
    /// Sessions that were made: their ids, and themselves.
    pub sessions: Vec<(Vec<u8>, Vec<u8>)>,
    pub keys: Vec<Vec<u8>>,
    /// The host that the client names.
    pub asked_for: Option<String>,
    /// By which the client knows a session; and whether it has a ticket for one.
    pub session_id: Vec<u8>,
    pub has_ticket: bool,
    /// The session that JavaScript has found for it.
    pub found: Option<Vec<u8>>,
    /// Protocols of this side, as on the wire; None without ALPN.
    pub protocols: Option<Vec<u8>>,
    pub stops_at_hello: bool,
    pub stops_at_certificate: bool,
    pub waits_at: Option<Stop>,
    /// What a server staples, and what a client was told (a missing one, too).
    pub status: Option<Vec<u8>>,
    pub told_status: Option<Option<Vec<u8>>>,
    /// How many handshakes have begun and have ended: there are more than one where they are negotiated again.
    pub begun: u32,
    pub ended: u32,
    /// Functions of JavaScript (`tls_asking`).
    pub chooses_protocol: Option<Py<PyAny>>,
    pub finds_key: Option<Py<PyAny>>,
    pub thrown: Option<PyErr>,
}

/// A connection is used by the thread of the program that knows its number; a callback of OpenSSL may use it again.
pub struct Connection {
    pub ssl: *mut ffi::SSL,
    pub notes: Arc<Mutex<Notes>>,
    pub is_server: bool,
    pub is_done: Cell<bool>,
    /// How many ends of handshakes the caller has heard of.
    pub heard: Cell<u32>,
}
// SAFETY: numbers of connections do not leave the program that made them, and only its thread uses them.
unsafe impl Send for Connection {}
// SAFETY: as above.
unsafe impl Sync for Connection {}

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

static CONNECTIONS: Table<Connection> = Table::new();

pub fn with<R>(number: u64, work: impl FnOnce(&Connection) -> PyResult<R>) -> PyResult<R> {
    errors::clear();
    work(&*CONNECTIONS.get(number)?)
}

/// A connection; `servername` and `session` are a client's.
#[pyfunction]
#[pyo3(signature = (context, is_server, protocols=None, servername=None, session=None))]
fn tls_new(
    context: u64,
    is_server: bool,
    protocols: Option<Bytes>,
    servername: Option<&str>,
    session: Option<Bytes>,
) -> PyResult<u64> {
    errors::clear();
    let settings = SETTINGS.get(context)?;
    let own = protocols.as_ref().map(|list| list.to_vec());
    let shared = Arc::new(Mutex::new(Notes { protocols: own, ..Notes::default() }));
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
        ffi::SSL_set_verify(ssl, if is_server { 0 } else { 1 }, Some(callbacks::accept_any));
        ffi::SSL_set_info_callback(ssl, Some(callbacks::on_state));
        if is_server {
            ffi::SSL_set_cert_cb(ssl, Some(callbacks::on_certificate), null_mut());
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
        let connection = Connection { ssl, notes: shared, is_server, is_done: Cell::new(false), heard: Cell::new(0) };
        if let Some(data) = session {
            set_session(&connection, &data);
        }
        Ok(CONNECTIONS.add(connection))
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
        unsafe { ffi::SSL_set_verify(connection.ssl, mode, Some(callbacks::accept_any)) };
        Ok(())
    })
}

#[pyfunction]
fn tls_free(number: u64) {
    CONNECTIONS.remove(number);
}

/// Where a server stops: at the ClientHello, before it shows a certificate.
#[pyfunction]
fn tls_stop_at(number: u64, hello: bool, certificate: bool) -> PyResult<()> {
    with(number, |connection| {
        let mut notes = connection.notes.lock().expect("no holder panics");
        notes.stops_at_hello = hello;
        notes.stops_at_certificate = certificate;
        Ok(())
    })
}

/// What a client says of itself at the start.
type Hello<'py> = (Option<String>, Bound<'py, PyBytes>, bool, bool);

/// What a server knows after the ClientHello: (server name or None, the session's id, whether there is a ticket, whether the
/// client asks for what the certificate's issuer says).
#[pyfunction]
fn tls_hello(py: Python<'_>, number: u64) -> PyResult<Hello<'_>> {
    const GET_STATUS_TYPE: c_int = 127;
    const OCSP: c_long = 1;
    with(number, |connection| {
        // SAFETY: a live connection.
        let status = unsafe { ffi::SSL_ctrl(connection.ssl, GET_STATUS_TYPE, 0, null_mut()) };
        let notes = connection.notes.lock().expect("no holder panics");
        Ok((notes.asked_for.clone(), PyBytes::new(py, &notes.session_id), notes.has_ticket, status == OCSP))
    })
}

/// Have a connection show another context's certificate, where it has one, and trust whom that trusts.
fn show(connection: &Connection, settings: &Settings) -> PyResult<()> {
    const SET_CHAIN: c_int = 88;
    const SET_VERIFY_STORE: c_int = 106;
    const COUNTED: c_long = 1;
    let (ssl, ctx) = (connection.ssl, settings.ctx);
    // SAFETY: live objects; the connection counts what it keeps.
    unsafe {
        let own = ffi::SSL_CTX_get0_certificate(ctx);
        if own.is_null() {
            return Ok(());
        }
        let mut chain = null_mut();
        ffi::SSL_CTX_get_extra_chain_certs(ctx, &mut chain);
        let done = ffi::SSL_use_certificate(ssl, own) == 1
            && ffi::SSL_use_PrivateKey(ssl, ffi::SSL_CTX_get0_privatekey(ctx)) == 1
            && (chain.is_null() || ffi::SSL_ctrl(ssl, SET_CHAIN, COUNTED, chain.cast()) == 1);
        if !done {
            return Err(errors::queued("SSL_use_certificate"));
        }
        ffi::SSL_ctrl(ssl, SET_VERIFY_STORE, COUNTED, ffi::SSL_CTX_get_cert_store(ctx).cast());
        let names = ffi::SSL_dup_CA_list(ffi::SSL_CTX_get_client_CA_list(ctx));
        ffi::SSL_set_client_CA_list(ssl, names);
    }
    Ok(())
}

/// Go on after a stop: with the session that was found, after the first; with another context and a stapled status where there
/// are, after the second.
#[pyfunction]
#[pyo3(signature = (number, session=None, context=None, status=None))]
fn tls_go_on(number: u64, session: Option<Bytes>, context: Option<u64>, status: Option<Bytes>) -> PyResult<()> {
    with(number, |connection| {
        if let Some(context) = context {
            show(connection, &*SETTINGS.get(context)?)?;
        }
        let mut notes = connection.notes.lock().expect("no holder panics");
        if let Some(session) = session {
            notes.found = Some(session.to_vec());
        }
        if let Some(status) = status {
            notes.status = Some(status.to_vec());
        }
        match notes.waits_at.take() {
            Some(Stop::Hello) => notes.stops_at_hello = false,
            Some(Stop::Certificate) => notes.stops_at_certificate = false,
            None => (),
        }
        Ok(())
    })
}

/// A client wants to know what the certificate's issuer says of it.
#[pyfunction]
fn tls_request_status(number: u64) -> PyResult<()> {
    const OCSP: c_int = 1;
    with(number, |connection| {
        // SAFETY: a live connection.
        unsafe { ffi::SSL_set_tlsext_status_type(connection.ssl, OCSP) };
        Ok(())
    })
}

/// Negotiate again; the next step begins with it.
#[pyfunction]
fn tls_renegotiate(number: u64) -> PyResult<()> {
    with(number, |connection| {
        // SAFETY: a live connection.
        if unsafe { ffi::SSL_renegotiate(connection.ssl) } == 1 {
            return Ok(());
        }
        Err(errors::queued("SSL_renegotiate"))
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
    module.add_function(wrap_pyfunction!(tls_stop_at, module)?)?;
    module.add_function(wrap_pyfunction!(tls_request_status, module)?)?;
    module.add_function(wrap_pyfunction!(tls_renegotiate, module)?)?;
    module.add_function(wrap_pyfunction!(tls_hello, module)?)?;
    module.add_function(wrap_pyfunction!(tls_go_on, module)?)?;
    module.add_function(wrap_pyfunction!(tls_max_fragment, module)?)
}
