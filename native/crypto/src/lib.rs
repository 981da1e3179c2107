//! OpenSSL for rt's programs: what `node:crypto`, `node:tls` and the Web's `crypto` are made of.
//!
//! A module of its own (`rt_supervisor._crypto`), so that a program without cryptography loads none of it. Objects that
//! outlive a call are known by numbers (`table`); bytes come in through Python's buffer protocol, uncopied. What OpenSSL
//! or Node would refuse is raised as `CryptoError`, whose `for_javascript` tells the error that a program sees.
mod asymmetric;
mod bignum;
mod bio;
mod certificate;
mod cipher;
mod cipher_method;
mod cipher_once;
mod dh;
mod ec;
mod errors;
mod extendable;
mod hash;
mod input;
mod jwk;
mod kdf;
mod key;
mod key_export;
mod key_generation;
mod key_import;
mod names;
mod names_text;
mod params;
mod random;
mod sign;
mod spkac;
mod sponge;
mod sys;
mod table;
mod tls;
mod tls_accepted;
mod tls_acceptor;
mod tls_asking;
mod tls_bio;
mod tls_callbacks;
mod tls_context;
mod tls_facts;
mod tls_functions;
mod tls_handshake;
mod tls_input;
mod tls_io;
mod tls_output;
mod tls_passing;
mod tls_tickets;
mod trust;

use pyo3::prelude::*;

#[pymodule]
fn _crypto(module: &Bound<'_, PyModule>) -> PyResult<()> {
    openssl_sys::init();
    errors::register(module)?;
    asymmetric::register(module)?;
    certificate::register(module)?;
    cipher::register(module)?;
    cipher_once::register(module)?;
    dh::register(module)?;
    ec::register(module)?;
    extendable::register(module)?;
    hash::register(module)?;
    jwk::register(module)?;
    kdf::register(module)?;
    key::register(module)?;
    key_export::register(module)?;
    key_generation::register(module)?;
    key_import::register(module)?;
    names::register(module)?;
    random::register(module)?;
    sign::register(module)?;
    spkac::register(module)?;
    tls_context::register(module)?;
    tls::register(module)?;
    tls_acceptor::register(module)?;
    tls_handshake::register(module)?;
    tls_asking::register(module)?;
    tls_facts::register(module)?;
    tls_io::register(module)?;
    tls_tickets::register(module)?;
    trust::register(module)?;
    Ok(())
}
