//! Stores of trusted certificates, by number: created once, shared by the contexts of all connections. A context that
//! adds certificates gets a copy first.
use std::sync::atomic::{AtomicBool, Ordering};

use crate::certificate::Certificate;
use crate::errors;
use crate::functions::functions;
use crate::sys as ffi;
use crate::table::Table;
use crate::tls_context::{SETTINGS, Settings, certificates};
use crate::values::{Bytes, Outcome};

struct Store(*mut ffi::X509_STORE);
// SAFETY: stores count references atomically and lock themselves during reads; a shared store is never changed.
unsafe impl Send for Store {}
// SAFETY: as above.
unsafe impl Sync for Store {}

impl Drop for Store {
    fn drop(&mut self) {
        // SAFETY: this value owns one reference.
        unsafe { ffi::X509_STORE_free(self.0) }
    }
}

static STORES: Table<Store> = Table::new();

/// Whether a context's store is shared.
#[derive(Default)]
pub struct Shared(AtomicBool);

impl Store {
    fn add(&self, certificate: &Certificate) {
        // SAFETY: the objects are live; the store takes references to what it stores.
        unsafe { ffi::X509_STORE_add_cert(self.0, certificate.0) };
    }
}

/// The store of a context, which may be changed.
pub fn own_store(settings: &Settings) -> *mut ffi::X509_STORE {
    // SAFETY: the objects are live; the context takes ownership of the copy, and the list is freed with its own references.
    unsafe {
        let current = ffi::SSL_CTX_get_cert_store(settings.ctx);
        if !settings.shared.0.swap(false, Ordering::Relaxed) {
            return current;
        }
        let copy = ffi::X509_STORE_new();
        let all = ffi::X509_STORE_get1_all_certs(current) as *mut ffi::OPENSSL_STACK;
        for index in 0..ffi::OPENSSL_sk_num(all) {
            let each = Certificate(ffi::OPENSSL_sk_value(all, index) as *mut ffi::X509);
            ffi::X509_STORE_add_cert(copy, each.0);
        }
        ffi::OPENSSL_sk_free(all);
        ffi::SSL_CTX_set_cert_store(settings.ctx, copy);
        copy
    }
}

/// A store of the certificates in `pem`, and Mozilla's if requested.
fn trust_new(bundled: bool, pem: Bytes) -> u64 {
    // SAFETY: the call creates an object.
    let store = Store(unsafe { ffi::X509_STORE_new() });
    if bundled {
        for der in webpki_root_certs::TLS_SERVER_ROOT_CERTS {
            if let Some(certificate) = Certificate::from_der(der) {
                store.add(&certificate);
            }
        }
    }
    for each in certificates(pem) {
        store.add(&each);
    }
    errors::clear();
    STORES.add(store)
}

fn trust_free(number: u64) {
    STORES.remove(number);
}

fn context_trust_store(number: u64, store: u64) -> Outcome<()> {
    let (settings, store) = (SETTINGS.get(number)?, STORES.get(store)?);
    // SAFETY: the objects are live; the context takes ownership of the added reference.
    unsafe {
        ffi::X509_STORE_up_ref(store.0);
        ffi::SSL_CTX_set_cert_store(settings.ctx, store.0);
    }
    settings.shared.0.store(true, Ordering::Relaxed);
    Ok(())
}

/// Mozilla's list, as bundled with Node.
fn root_certificates() -> Vec<Vec<u8>> {
    webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().map(|der| der.to_vec()).collect()
}

/// The certificates of a text, without the text between them. An invalid block is an error.
fn trust_read(pem: Bytes) -> Outcome<Vec<Vec<u8>>> {
    const PEM: std::ffi::c_ulong = 9;
    const NO_START_LINE: std::ffi::c_ulong = 108;
    errors::clear();
    let found = certificates(pem).iter().map(|each| each.der()).collect();
    // SAFETY: reads this thread's queue.
    let last = unsafe { ffi::ERR_peek_last_error() };
    errors::clear();
    if (last >> 23) & 0xff == PEM && last & 0x7f_ffff == NO_START_LINE {
        return Ok(found);
    }
    Err(errors::with_message(last, &errors::text_of(last)))
}

functions!(trust_new, trust_free, trust_read, context_trust_store, root_certificates);
