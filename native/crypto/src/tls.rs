//! TLS connections by number, over memory: the caller feeds what arrives, and sends what is to be sent.
//!
//! `tls_step` drives a connection as far as it gets. A server stops once after the ClientHello where it was told to, so
//! that JavaScript may choose certificate and protocol. Verification never ends a handshake: its result is told.
use std::ffi::{CStr, c_int, c_long, c_uchar, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::bio::Bio;
use crate::certificate::{CERTIFICATES, Certificate};
use crate::errors;
use crate::input::Bytes;
use crate::key::{PKey, c_text};
use crate::sys as ffi;
use crate::table::Table;
use crate::tls_context::SETTINGS;

/// What callbacks of OpenSSL leave for the caller, and what they are told.
#[derive(Default)]
struct Notes {
    sessions: Vec<Vec<u8>>,
    keys: Vec<Vec<u8>>,
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
    ssl: *mut ffi::SSL,
    notes: Arc<Mutex<Notes>>,
    is_server: bool,
    is_done: bool,
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

fn with<R>(number: u64, work: impl FnOnce(&mut Connection) -> PyResult<R>) -> PyResult<R> {
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

/// What arrived from the other side.
#[pyfunction]
fn tls_feed(number: u64, data: Bytes) -> PyResult<()> {
    with(number, |connection| {
        // SAFETY: a live connection; a memory BIO takes all bytes.
        unsafe { ffi::BIO_write(ffi::SSL_get_rbio(connection.ssl), data.as_ptr().cast(), data.len() as c_int) };
        Ok(())
    })
}

fn output(connection: &Connection) -> Vec<u8> {
    // SAFETY: the BIO lives as long as the connection; it is not freed here.
    let bio = std::mem::ManuallyDrop::new(Bio(unsafe { ffi::SSL_get_wbio(connection.ssl) }));
    bio.take()
}

const HANDSHAKE_DONE: u32 = 1;
const CLOSED: u32 = 2;
const WAITS: u32 = 4;

const WANT_READ: c_int = 2;
const WANT_WRITE: c_int = 3;
const WANT_HELLO: c_int = 11;
const ZERO_RETURN: c_int = 6;

/// An error of the protocol, as raised by `errors`; None for what only waits.
fn problem(connection: &Connection, result: c_int) -> (Option<PyErr>, u32) {
    // SAFETY: a live connection.
    match unsafe { ffi::SSL_get_error(connection.ssl, result) } {
        WANT_READ | WANT_WRITE => (None, 0),
        WANT_HELLO => (None, WAITS),
        ZERO_RETURN => (None, CLOSED),
        _ => {
            let first = errors::peek();
            if first == 0 {
                return (Some(errors::coded("Error", "ECONNRESET", "read ECONNRESET")), 0);
            }
            let words = Bio::new();
            // SAFETY: a live BIO; this takes the queue.
            unsafe { ffi::ERR_print_errors(words.0) };
            (Some(errors::with_message(first, &String::from_utf8_lossy(&words.take()))), 0)
        }
    }
}

/// Go on as far as it gets: [bytes to send, clear bytes or None, flags, error or None, sessions, key lines].
#[pyfunction]
fn tls_step(py: Python<'_>, number: u64) -> PyResult<Bound<'_, pyo3::types::PyList>> {
    with(number, |connection| {
        let mut flags = 0;
        let mut error = None;
        let mut clear: Vec<u8> = Vec::new();
        if !connection.is_done {
            // SAFETY: a live connection.
            let result = unsafe { ffi::SSL_do_handshake(connection.ssl) };
            if result == 1 {
                connection.is_done = true;
                flags |= HANDSHAKE_DONE;
            } else {
                let (found, more) = problem(connection, result);
                error = found;
                flags |= more;
            }
        }
        if connection.is_done && error.is_none() {
            let mut part = vec![0; 16 * 1024];
            loop {
                // SAFETY: a live connection, and room of the told size.
                let size = unsafe { ffi::SSL_read(connection.ssl, part.as_mut_ptr().cast(), part.len() as c_int) };
                if size > 0 {
                    clear.extend_from_slice(&part[..size as usize]);
                    continue;
                }
                let (found, more) = problem(connection, size);
                error = found;
                flags |= more;
                break;
            }
        }
        let mut notes = connection.notes.lock().expect("no holder panics");
        let sessions = std::mem::take(&mut notes.sessions);
        let keys = std::mem::take(&mut notes.keys);
        drop(notes);
        let list = pyo3::types::PyList::empty(py);
        list.append(PyBytes::new(py, &output(connection)))?;
        list.append((!clear.is_empty()).then(|| PyBytes::new(py, &clear)))?;
        list.append(flags)?;
        match error {
            None => list.append(py.None())?,
            Some(error) => {
                let (_, message, facts): (String, String, Bound<'_, PyDict>) =
                    error.value(py).getattr("for_javascript")?.extract()?;
                facts.set_item("message", message)?;
                list.append(facts)?;
            }
        }
        list.append(sessions.iter().map(|each| PyBytes::new(py, each)).collect::<Vec<_>>())?;
        list.append(keys.iter().map(|each| PyBytes::new(py, each)).collect::<Vec<_>>())?;
        Ok(list)
    })
}

/// Encrypt; what comes out is the result, None where it cannot be written now.
#[pyfunction]
fn tls_write<'py>(py: Python<'py>, number: u64, data: Bytes) -> PyResult<Option<Bound<'py, PyBytes>>> {
    with(number, |connection| {
        if data.is_empty() {
            return Ok(Some(PyBytes::new(py, &output(connection))));
        }
        // SAFETY: a live connection; as many bytes as are told. The memory BIO takes all.
        let size = unsafe { ffi::SSL_write(connection.ssl, data.as_ptr().cast(), data.len() as c_int) };
        if size > 0 {
            return Ok(Some(PyBytes::new(py, &output(connection))));
        }
        match problem(connection, size) {
            (Some(error), _) => Err(error),
            _ => Ok(None),
        }
    })
}

/// Say goodbye; what is to be sent.
#[pyfunction]
fn tls_shutdown(py: Python<'_>, number: u64) -> PyResult<Bound<'_, PyBytes>> {
    with(number, |connection| {
        // SAFETY: a live connection.
        unsafe { ffi::SSL_shutdown(connection.ssl) };
        errors::clear();
        Ok(PyBytes::new(py, &output(connection)))
    })
}

/// What a server knows after the ClientHello: (server name or None, protocols offered as on the wire).
#[pyfunction]
fn tls_hello(py: Python<'_>, number: u64) -> PyResult<(Option<String>, Bound<'_, PyBytes>)> {
    with(number, |connection| {
        let notes = connection.notes.lock().expect("no holder panics");
        Ok((notes.asked_for.clone(), PyBytes::new(py, &notes.offered)))
    })
}

fn servername(connection: &Connection) -> Option<String> {
    // SAFETY: a live connection; the name lives in it.
    unsafe {
        let name = ffi::SSL_get_servername(connection.ssl, 0);
        (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
    }
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

/// What there is to know about a connection: one of the names below.
#[pyfunction]
fn tls_fact<'py>(py: Python<'py>, number: u64, what: &str) -> PyResult<Py<PyAny>> {
    with(number, |connection| {
        let ssl = connection.ssl;
        let text = |text: *const std::ffi::c_char| {
            // SAFETY: static texts, or null.
            (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
        };
        let any = |value: Bound<'py, PyAny>| Ok(value.unbind());
        // SAFETY: a live connection; what is not ours is only looked at or counted.
        unsafe {
            match what {
                "protocol" => any(text(ffi::SSL_get_version(ssl)).into_pyobject(py)?),
                "cipher" => {
                    let cipher = ffi::SSL_get_current_cipher(ssl);
                    if cipher.is_null() {
                        return Ok(py.None());
                    }
                    let facts = (
                        text(ffi::SSL_CIPHER_get_name(cipher)),
                        text(ffi::SSL_CIPHER_standard_name(cipher)),
                        text(ffi::SSL_CIPHER_get_version(cipher)),
                    );
                    any(vec![facts.0, facts.1, facts.2].into_pyobject(py)?)
                }
                "alpn" => {
                    let (mut data, mut size) = (null(), 0);
                    ffi::SSL_get0_alpn_selected(ssl, &mut data, &mut size);
                    if size == 0 {
                        return Ok(py.None());
                    }
                    let name = std::slice::from_raw_parts(data, size as usize);
                    any(String::from_utf8_lossy(name).into_pyobject(py)?.into_any())
                }
                "servername" => any(servername(connection).into_pyobject(py)?),
                "reused" => any((ffi::SSL_session_reused(ssl) == 1).into_pyobject(py)?.to_owned().into_any()),
                "session" => {
                    let session = ffi::SSL_get_session(ssl);
                    if session.is_null() {
                        return Ok(py.None());
                    }
                    let size = ffi::i2d_SSL_SESSION(session, null_mut()).max(0) as usize;
                    let mut data = vec![0; size];
                    let mut start: *mut c_uchar = data.as_mut_ptr();
                    ffi::i2d_SSL_SESSION(session, &mut start);
                    any(PyBytes::new(py, &data).into_any())
                }
                "ticket" => {
                    let session = ffi::SSL_get_session(ssl);
                    let (mut data, mut size) = (null(), 0);
                    if session.is_null() {
                        return Ok(py.None());
                    }
                    ffi::SSL_SESSION_get0_ticket(session, &mut data, &mut size);
                    if data.is_null() {
                        return Ok(py.None());
                    }
                    any(PyBytes::new(py, std::slice::from_raw_parts(data, size)).into_any())
                }
                "finished" | "peerFinished" => {
                    let mut data = vec![0u8; 64];
                    let size = match what {
                        "finished" => ffi::SSL_get_finished(ssl, data.as_mut_ptr().cast(), data.len()),
                        _ => ffi::SSL_get_peer_finished(ssl, data.as_mut_ptr().cast(), data.len()),
                    };
                    if size == 0 {
                        return Ok(py.None());
                    }
                    any(PyBytes::new(py, &data[..size.min(data.len())]).into_any())
                }
                "ephemeral" => any(ephemeral(connection).into_pyobject(py)?),
                "peer" => any(peer_chain(connection).into_pyobject(py)?),
                "own" => {
                    let certificate = Certificate::share(ffi::SSL_get_certificate(ssl));
                    any(certificate.map(|each| CERTIFICATES.add(each)).into_pyobject(py)?)
                }
                "verify" => any(verify_result(connection).into_pyobject(py)?),
                _ => Ok(py.None()),
            }
        }
    })
}

/// (type, name, size) of the key that the other side made for this connection; of a group that is no curve, its name.
fn ephemeral(connection: &Connection) -> Option<(String, Option<String>, Option<c_int>)> {
    const GET_PEER_TMP_KEY: c_int = 109;
    let mut key: *mut ffi::EVP_PKEY = null_mut();
    // SAFETY: a live connection; the key is ours afterwards.
    let key = unsafe {
        if connection.is_server {
            return None;
        }
        match ffi::SSL_ctrl(connection.ssl, GET_PEER_TMP_KEY, 0, (&raw mut key).cast()) {
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
        // SAFETY: a live connection; the name is static.
        _ => unsafe {
            let name = ffi::SSL_get0_group_name(connection.ssl);
            (!name.is_null())
                .then(|| ("TLSGroup".into(), Some(CStr::from_ptr(name).to_string_lossy().into_owned()), None))
        },
    }
}

/// The other side's certificate and those it sent along; complete with what the context trusts.
fn peer_chain(connection: &Connection) -> Vec<u64> {
    let mut found = Vec::new();
    // SAFETY: a live connection; certificates are counted.
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
        // The rest is known to this side only.
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

/// (number, words) of what is wrong with the other side's certificate; None where nothing is.
fn verify_result(connection: &Connection) -> Option<(c_long, String)> {
    const UNSPECIFIED: c_long = 1;
    // SAFETY: a live connection; texts are static.
    unsafe {
        let certificate = ffi::SSL_get1_peer_certificate(connection.ssl);
        let mut code = UNSPECIFIED;
        if certificate.is_null() {
            // A server asks for none by default; a client's other side may have a pre-shared key instead.
            let cipher = ffi::SSL_get_current_cipher(connection.ssl);
            const NID_AUTH_PSK: c_int = 1048;
            let has_key = !cipher.is_null() && ffi::SSL_CIPHER_get_auth_nid(cipher) == NID_AUTH_PSK;
            if connection.is_server || has_key {
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

#[pyfunction]
#[pyo3(signature = (number, size, label, context=None))]
fn tls_export<'py>(
    py: Python<'py>,
    number: u64,
    size: usize,
    label: &str,
    context: Option<Bytes>,
) -> PyResult<Bound<'py, PyBytes>> {
    with(number, |connection| {
        let mut out = vec![0; size];
        let (data, data_size, used) = match &context {
            Some(bytes) => (bytes.as_ptr(), bytes.len(), 1),
            None => (null(), 0, 0),
        };
        // SAFETY: a live connection; sizes are those of the slices.
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
        if done == 1 { Ok(PyBytes::new(py, &out)) } else { Err(errors::queued("SSL_export_keying_material")) }
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
    module.add_function(wrap_pyfunction!(tls_feed, module)?)?;
    module.add_function(wrap_pyfunction!(tls_step, module)?)?;
    module.add_function(wrap_pyfunction!(tls_write, module)?)?;
    module.add_function(wrap_pyfunction!(tls_shutdown, module)?)?;
    module.add_function(wrap_pyfunction!(tls_hello, module)?)?;
    module.add_function(wrap_pyfunction!(tls_go_on, module)?)?;
    module.add_function(wrap_pyfunction!(tls_fact, module)?)?;
    module.add_function(wrap_pyfunction!(tls_export, module)?)?;
    module.add_function(wrap_pyfunction!(tls_max_fragment, module)?)
}
