//! TLS connections by number, over memory: the caller passes incoming bytes, and sends outgoing ones.
//!
//! A connection is created here; `tls_io` drives it, `tls_handshake` has the options and decisions of its handshake.
//! Verification never ends a handshake: its result is reported.
use std::cell::Cell;
use std::ffi::{c_int, c_long, c_uint, c_void};
use std::ptr::null_mut;
use std::sync::{Arc, Mutex};

use crate::errors;
use crate::errors::Failure;
use crate::functions::functions;
use crate::key::c_text;
use crate::sys as ffi;
use crate::table::Table;
use crate::tls_callbacks as callbacks;
use crate::tls_context::SETTINGS;
use crate::tls_input::Input;
use crate::tls_output::Output;
use crate::values::{Bytes, HostObject, Outcome};

/// A point at which a server's handshake waits for JavaScript.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The ClientHello has arrived: a session may be looked up.
    Hello,
    /// A certificate is needed: it may be chosen, and its OCSP response.
    Certificate,
}

/// What OpenSSL's callbacks leave for the caller, and their inputs.
#[derive(Default)]
pub struct Notes {
    /// New sessions, with their ids.
    pub sessions: Vec<(Vec<u8>, Vec<u8>)>,
    pub keys: Vec<Vec<u8>>,
    /// The host name in the client's request.
    pub asked_for: Option<String>,
    /// The session id that the client sent, and whether it sent a ticket.
    pub session_id: Vec<u8>,
    pub has_ticket: bool,
    /// The session that JavaScript has found.
    pub found: Option<Vec<u8>>,
    /// The protocols of this side, in wire format; None without ALPN.
    pub protocols: Option<Vec<u8>>,
    pub stops_at_hello: bool,
    pub stops_at_certificate: bool,
    pub waits_at: Option<Stop>,
    /// The OCSP response that a server staples, or that a client received (Some(None): none came).
    pub status: Option<Vec<u8>>,
    pub told_status: Option<Option<Vec<u8>>>,
    /// How many handshakes have begun and ended: more than one after renegotiations.
    pub begun: u32,
    pub ended: u32,
    /// JavaScript functions (`tls_asking`).
    pub chooses_protocol: Option<Arc<HostObject>>,
    pub finds_key: Option<Arc<HostObject>>,
    pub thrown: Option<Failure>,
}

/// A connection, used by the thread of the program that knows its number; OpenSSL's callbacks may use it reentrantly.
pub struct Connection {
    pub ssl: *mut ffi::SSL,
    pub notes: Arc<Mutex<Notes>>,
    pub is_server: bool,
    pub is_done: Cell<bool>,
    /// How many completed handshakes the caller knows of.
    pub heard: Cell<u32>,
    /// The error of a call by address (`tls_functions`), which the next step reports.
    pub problem: Cell<Option<Failure>>,
}
// SAFETY: numbers of connections do not leave the program that made them, and only its thread uses them.
unsafe impl Send for Connection {}
// SAFETY: as above.
unsafe impl Sync for Connection {}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: this value owns the connection with its BIOs; OpenSSL borrowed the notes until now.
        unsafe {
            let notes = ffi::SSL_get_ex_data(self.ssl, 0) as *const Mutex<Notes>;
            ffi::SSL_free(self.ssl);
            drop(Arc::from_raw(notes));
        }
    }
}

static CONNECTIONS: Table<Connection> = Table::new();

pub fn with<R>(number: u64, work: impl FnOnce(&Connection) -> Outcome<R>) -> Outcome<R> {
    errors::clear();
    work(&*CONNECTIONS.get(number)?)
}

/// Creates a connection; `servername` and `session` are for clients.
fn tls_new(
    context: u64,
    is_server: bool,
    protocols: Option<Bytes>,
    servername: Option<&str>,
    session: Option<Bytes>,
) -> Outcome<u64> {
    errors::clear();
    let settings = SETTINGS.get(context)?;
    let own = protocols.as_ref().map(|list| list.to_vec());
    let shared = Arc::new(Mutex::new(Notes { protocols: own, ..Notes::default() }));
    // SAFETY: the context is live; the connection owns the BIOs, and the notes are lent until it ends.
    unsafe {
        let ssl = ffi::SSL_new(settings.ctx);
        if ssl.is_null() {
            return Err(errors::take_queued("SSL_new"));
        }
        ffi::SSL_set_ex_data(ssl, 0, Arc::into_raw(shared.clone()) as *mut c_void);
        ffi::SSL_set_bio(ssl, Input::new_bio(), Output::new_bio());
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
                set_servername(ssl, name);
            }
            ffi::SSL_set_connect_state(ssl);
        }
        let connection = Connection {
            ssl,
            notes: shared,
            is_server,
            is_done: Cell::new(false),
            heard: Cell::new(0),
            problem: Cell::default(),
        };
        if let Some(data) = session {
            set_session(&connection, data);
        }
        Ok(CONNECTIONS.add(connection))
    }
}

fn set_session(connection: &Connection, data: &[u8]) -> bool {
    let mut start = data.as_ptr();
    // SAFETY: `data` has `len()` readable bytes; the connection takes references to what it stores.
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

fn tls_set_session(number: u64, data: Bytes) -> Outcome<bool> {
    with(number, |connection| Ok(set_session(connection, data)))
}

fn tls_set_servername(number: u64, name: &str) -> Outcome<()> {
    with(number, |connection| {
        // SAFETY: the connection is live.
        unsafe { set_servername(connection.ssl, name) };
        Ok(())
    })
}

/// # Safety
/// `ssl` is a live connection.
unsafe fn set_servername(ssl: *mut ffi::SSL, name: &str) {
    let text = c_text(name);
    // SAFETY: guaranteed by the caller; the text is copied.
    unsafe { ffi::SSL_ctrl(ssl, ffi::SSL_CTRL_SET_TLSEXT_HOSTNAME, 0, text.as_ptr() as *mut c_void) };
}

fn tls_free(number: u64) {
    CONNECTIONS.remove(number);
}

fn tls_max_fragment(number: u64, size: c_long) -> Outcome<bool> {
    const SET_MAX_SEND_FRAGMENT: c_int = 52;
    with(number, |connection| {
        // SAFETY: the connection is live.
        Ok(unsafe { ffi::SSL_ctrl(connection.ssl, SET_MAX_SEND_FRAGMENT, size, null_mut()) } == 1)
    })
}

functions!(tls_new, tls_set_session, tls_set_servername, tls_free, tls_max_fragment);
