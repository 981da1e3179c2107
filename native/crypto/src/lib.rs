//! OpenSSL for rt's programs: the implementation of `node:crypto`, `node:tls` and Web Crypto.
//!
//! A separate library, so that programs without cryptography do not load it, and independent of Python, so that
//! programs without the interpreter need not start it. rt's native module (`native/src/crypto`) opens it when a program
//! first uses cryptography and creates a JavaScript function for each function here (`functions!`), which it calls by
//! number. `calls` defines the interface, `values` converts arguments and results. Objects that outlive a call are
//! known by numbers (`table`); bytes are passed without copies. A `Failure` describes the error that a program sees
//! when OpenSSL or Node refuses something. The host may call any function on any thread.
mod asymmetric;
mod bignum;
mod bio;
mod certificate;
mod cipher;
mod cipher_method;
mod cipher_once;
mod dh;
mod ec;
mod edwards;
mod errors;
mod extendable;
mod functions;
mod hash;
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
mod tls_handshake;
mod tls_input;
mod tls_io;
mod tls_output;
mod tls_passing;
mod tls_tickets;
mod trust;
mod values;

use std::ffi::{c_char, c_void};
use std::sync::OnceLock;

use functions::Function;
use rt_wire::crypto_calls::{Calls, Host, Item, Put};

/// The functions of all files.
const TABLES: [&[Function]; 27] = [
    asymmetric::FUNCTIONS,
    certificate::FUNCTIONS,
    cipher::FUNCTIONS,
    cipher_once::FUNCTIONS,
    dh::FUNCTIONS,
    ec::FUNCTIONS,
    extendable::FUNCTIONS,
    hash::FUNCTIONS,
    jwk::FUNCTIONS,
    kdf::FUNCTIONS,
    key::FUNCTIONS,
    key_export::FUNCTIONS,
    key_generation::FUNCTIONS,
    key_import::FUNCTIONS,
    names::FUNCTIONS,
    random::FUNCTIONS,
    sign::FUNCTIONS,
    spkac::FUNCTIONS,
    tls_context::FUNCTIONS,
    tls::FUNCTIONS,
    tls_acceptor::FUNCTIONS,
    tls_handshake::FUNCTIONS,
    tls_asking::FUNCTIONS,
    tls_facts::FUNCTIONS,
    tls_io::FUNCTIONS,
    tls_tickets::FUNCTIONS,
    trust::FUNCTIONS,
];

fn function(number: usize) -> Option<&'static Function> {
    static ALL: OnceLock<Vec<&Function>> = OnceLock::new();
    let all = ALL.get_or_init(|| TABLES.iter().copied().flatten().collect());
    all.get(number).copied()
}

unsafe extern "C" fn name(number: usize) -> *const c_char {
    function(number).map_or(std::ptr::null(), |function| function.name.as_ptr().cast())
}

unsafe extern "C" fn call(number: usize, arguments: *const Item, count: usize, sink: *mut c_void, put: Put) -> bool {
    let Some(function) = function(number) else { return false };
    // SAFETY: the host's guarantees are in `calls`.
    unsafe { functions::run(function, arguments, count, sink, put) }
}

static CALLS: Calls = Calls { name, call };

/// Opens the library: exchanges the host's callbacks for the library's functions.
#[unsafe(no_mangle)]
pub extern "C" fn rt_crypto_calls(host: &'static Host) -> &'static Calls {
    openssl_sys::init();
    values::set_host(host);
    &CALLS
}
