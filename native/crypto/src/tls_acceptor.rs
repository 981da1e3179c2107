//! The TLS identity of a native server: contexts by server name, protocols, and whether clients need certificates.
//! JavaScript creates it; `tls_accepted` has its connections.
//!
//! The first context is for clients with no name or an unknown one; of the others the last match is used.
use std::ffi::{c_int, c_long, c_uchar, c_uint, c_void};
use std::ptr::null_mut;
use std::sync::{Arc, Mutex};

use crate::functions::functions;
use crate::sys as ffi;
use crate::table::Table;
use crate::tls_accepted;
use crate::tls_callbacks::{request_certificate, select_protocol, server_name};
use crate::tls_context::{SETTINGS, Settings};
use crate::values::{Bytes, Outcome};

pub struct Entry {
    /// In lower case; `*` stands for any part of one label.
    pattern: Option<String>,
    settings: Arc<Settings>,
    asks: bool,
    rejects: bool,
}

pub struct Acceptor {
    /// In wire format.
    protocols: Vec<u8>,
    entries: Mutex<Vec<Entry>>,
}

pub static ACCEPTORS: Table<Acceptor> = Table::new();

impl Entry {
    /// Returns whether it matches this lower-case name.
    fn is_for(&self, name: &str) -> bool {
        self.pattern.as_ref().is_some_and(|pattern| fits(pattern, name))
    }

    /// # Safety
    /// `ssl` is a live connection.
    unsafe fn apply_to(&self, ssl: *mut ffi::SSL) {
        // SAFETY: guaranteed by the caller. Whether a certificate is trusted is checked after the handshake.
        unsafe { request_certificate(ssl, self.asks, self.rejects) };
    }
}

fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            let label = rest.find('.').unwrap_or(rest.len());
            (0..=label).any(|end| rest.is_char_boundary(end) && fits(after, &rest[end..]))
        }),
    }
}

/// The ClientHello has arrived: use the context for the server name, with all its settings.
unsafe extern "C" fn on_hello(ssl: *mut ffi::SSL, _: *mut c_int, _: *mut c_void) -> c_int {
    const GO_ON: c_int = 1;
    const GET_MIN_VERSION: c_int = 130;
    const GET_MAX_VERSION: c_int = 131;
    // SAFETY: the objects are live; the connection counts the context that it takes.
    unsafe {
        let Some(accepted) = tls_accepted::of(ssl) else { return GO_ON };
        let Some(name) = server_name(ssl) else { return GO_ON };
        let name = name.to_ascii_lowercase();
        let entries = accepted.acceptor.entries.lock().expect("no holder panics");
        let Some(entry) = entries.iter().rfind(|each| each.is_for(&name)) else { return GO_ON };
        let ctx = entry.settings.ctx;
        ffi::SSL_set_SSL_CTX(ssl, ctx);
        entry.apply_to(ssl);
        for (get, set) in [
            (GET_MIN_VERSION, ffi::SSL_CTRL_SET_MIN_PROTO_VERSION),
            (GET_MAX_VERSION, ffi::SSL_CTRL_SET_MAX_PROTO_VERSION),
        ] {
            ffi::SSL_ctrl(ssl, set, ffi::SSL_CTX_ctrl(ctx, get, 0, null_mut()), null_mut());
        }
        ffi::SSL_set_options(ssl, ffi::SSL_CTX_get_options(ctx));
        GO_ON
    }
}

/// A client that offers none of the server's protocols continues without one.
extern "C" fn on_protocols(
    ssl: *mut ffi::SSL,
    out: *mut *const c_uchar,
    size: *mut c_uchar,
    offered: *const c_uchar,
    offered_size: c_uint,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the objects are live; the selected protocol is in the offer, or in the acceptor that the connection keeps alive.
    unsafe {
        let Some(accepted) = tls_accepted::of(ssl) else { return ffi::SSL_TLSEXT_ERR_NOACK };
        let offer = std::slice::from_raw_parts(offered, offered_size as usize);
        let is_found = select_protocol(&accepted.acceptor.protocols, offer, out, size);
        if is_found { ffi::SSL_TLSEXT_ERR_OK } else { ffi::SSL_TLSEXT_ERR_NOACK }
    }
}

fn tls_acceptor(protocols: Bytes) -> u64 {
    ACCEPTORS.add(Acceptor { protocols: protocols.to_vec(), entries: Mutex::new(Vec::new()) })
}

/// Adds a context, which nothing else uses, to an acceptor: for names matching a pattern, or for all if it is the first.
fn tls_acceptor_add(number: u64, context: u64, pattern: Option<&str>, asks: bool, rejects: bool) -> Outcome<()> {
    const READ_BYTES: usize = 64 * 1024;
    let acceptor = ACCEPTORS.get(number)?;
    let settings = SETTINGS.get(context)?;
    let mut entries = acceptor.entries.lock().expect("no holder panics");
    // A session of one context is not valid for another, which may require certificates.
    let id = [b"serve".as_slice(), &(entries.len() as u32).to_ne_bytes()].concat();
    // SAFETY: the context is live; the callbacks have OpenSSL's signatures.
    #[allow(deprecated)] // the successor differs only in the callback's optional type
    unsafe {
        ffi::SSL_CTX_set_client_hello_cb(settings.ctx, Some(on_hello), null_mut());
        ffi::SSL_CTX_set_alpn_select_cb(settings.ctx, on_protocols, null_mut());
        ffi::SSL_CTX_sess_set_new_cb(settings.ctx, None);
        ffi::SSL_CTX_set_session_id_context(settings.ctx, id.as_ptr(), id.len() as c_uint);
        ffi::SSL_CTX_set_default_read_buffer_len(settings.ctx, READ_BYTES);
        ffi::SSL_CTX_ctrl(settings.ctx, ffi::SSL_CTRL_SET_READ_AHEAD, 1 as c_long, null_mut());
    }
    let pattern = pattern.map(str::to_ascii_lowercase);
    entries.push(Entry { pattern, settings, asks, rejects });
    Ok(())
}

/// Existing connections are not affected.
fn tls_acceptor_free(number: u64) {
    ACCEPTORS.remove(number);
}

/// The initial context of a connection: the first one.
pub fn begin(acceptor: &Arc<Acceptor>) -> Option<*mut ffi::SSL> {
    let entries = acceptor.entries.lock().expect("no holder panics");
    let first = entries.first()?;
    // SAFETY: a live context, which the connection counts.
    unsafe {
        let ssl = ffi::SSL_new(first.settings.ctx);
        if ssl.is_null() {
            return None;
        }
        first.apply_to(ssl);
        Some(ssl)
    }
}

functions!(tls_acceptor, tls_acceptor_add, tls_acceptor_free);
