//! Options and decisions of a TLS connection's handshake after its creation.
//!
//! If requested, a server stops once after the ClientHello, and once before it sends a certificate (`tls_callbacks`).
//! Decisions that cannot wait are made by JavaScript during OpenSSL's callbacks (`tls_asking`).
use std::ffi::{c_int, c_long};
use std::ptr::null_mut;

use crate::errors;
use crate::functions::functions;
use crate::sys as ffi;
use crate::tls::{Connection, Stop, with};
use crate::tls_callbacks::request_certificate;
use crate::tls_context::{SETTINGS, Settings};
use crate::values::{Bytes, Outcome};

/// Whether a server requests a certificate, and whether one is required.
fn tls_request_certificate(number: u64, request: bool, require: bool) -> Outcome<()> {
    with(number, |connection| {
        // SAFETY: the connection is live.
        unsafe { request_certificate(connection.ssl, request, require) };
        Ok(())
    })
}

/// The points at which a server stops: at the ClientHello, before it sends a certificate.
fn tls_stop_at(number: u64, hello: bool, certificate: bool) -> Outcome<()> {
    with(number, |connection| {
        let mut notes = connection.notes.lock().expect("no holder panics");
        notes.stops_at_hello = hello;
        notes.stops_at_certificate = certificate;
        Ok(())
    })
}

/// A client's initial data.
type Hello = (Option<String>, Vec<u8>, bool, bool);

/// The data of the ClientHello: (server name or None, the session's id, whether there is a ticket, whether the client
/// requests an OCSP response).
fn tls_hello(number: u64) -> Outcome<Hello> {
    const GET_STATUS_TYPE: c_int = 127;
    with(number, |connection| {
        // SAFETY: the connection is live.
        let status = unsafe { ffi::SSL_ctrl(connection.ssl, GET_STATUS_TYPE, 0, null_mut()) };
        let notes = connection.notes.lock().expect("no holder panics");
        Ok((
            notes.asked_for.clone(),
            notes.session_id.to_vec(),
            notes.has_ticket,
            status == c_long::from(ffi::TLSEXT_STATUSTYPE_ocsp),
        ))
    })
}

/// Makes a connection send another context's certificate, if it has one, and uses its trusted certificates.
fn show(connection: &Connection, settings: &Settings) -> Outcome<()> {
    const SET_CHAIN: c_int = 88;
    const COUNTED: c_long = 1;
    let (ssl, ctx) = (connection.ssl, settings.ctx);
    // SAFETY: the objects are live; the connection takes references to what it stores.
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
            return Err(errors::take_queued("SSL_use_certificate"));
        }
        ffi::SSL_ctrl(ssl, ffi::SSL_CTRL_SET_VERIFY_CERT_STORE, COUNTED, ffi::SSL_CTX_get_cert_store(ctx).cast());
        let names = ffi::SSL_dup_CA_list(ffi::SSL_CTX_get_client_CA_list(ctx));
        ffi::SSL_set_client_CA_list(ssl, names);
    }
    Ok(())
}

/// Continue after a stop: after the first with the session that was found; after the second with another context and an
/// OCSP response, if any.
fn tls_resume(number: u64, session: Option<Bytes>, context: Option<u64>, status: Option<Bytes>) -> Outcome<()> {
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

/// Makes a client request an OCSP response.
fn tls_request_status(number: u64) -> Outcome<()> {
    with(number, |connection| {
        // SAFETY: the connection is live.
        unsafe { ffi::SSL_set_tlsext_status_type(connection.ssl, ffi::TLSEXT_STATUSTYPE_ocsp) };
        Ok(())
    })
}

/// Request a renegotiation, with which the next step begins.
fn tls_renegotiate(number: u64) -> Outcome<()> {
    with(number, |connection| {
        // SAFETY: the connection is live.
        if unsafe { ffi::SSL_renegotiate(connection.ssl) } == 1 {
            return Ok(());
        }
        Err(errors::take_queued("SSL_renegotiate"))
    })
}

functions!(tls_request_certificate, tls_stop_at, tls_request_status, tls_renegotiate, tls_hello, tls_resume);
