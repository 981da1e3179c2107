//! Settings of TLS connections by number: certificates, keys, trusted certificates, ciphers, versions.
use std::ffi::{CStr, c_int, c_long, c_void};
use std::ptr::null_mut;

use crate::bio::{Bio, Passphrase, passphrase};
use crate::certificate::{Certificate, pkcs12};
use crate::errors::{self, with_code};
use crate::functions::functions;
use crate::key::c_text;
use crate::sys as ffi;
use crate::table::Table;
use crate::tls_callbacks;
use crate::tls_tickets;
use crate::trust::{Shared, own_store};
use crate::values::{Bytes, Outcome};

/// An OpenSSL context, reference counted. It is changed only during setup, before connections use it.
pub struct Settings {
    pub ctx: *mut ffi::SSL_CTX,
    pub shared: Shared,
}

impl Settings {
    fn of(ctx: *mut ffi::SSL_CTX) -> Settings {
        Settings { ctx, shared: Shared::default() }
    }
}

// SAFETY: contexts are counted with locks; changes happen under the interpreter's lock.
unsafe impl Send for Settings {}
// SAFETY: as above.
unsafe impl Sync for Settings {}

impl Drop for Settings {
    fn drop(&mut self) {
        // SAFETY: this value owns one reference.
        unsafe { ffi::SSL_CTX_free(self.ctx) }
    }
}

pub static SETTINGS: Table<Settings> = Table::new();

fn control(ctx: *mut ffi::SSL_CTX, what: c_int, number: c_long, data: *mut c_void) -> c_long {
    // SAFETY: the context is live; the callers pass what the command requires.
    unsafe { ffi::SSL_CTX_ctrl(ctx, what, number, data) }
}

const NO_INTERNAL: c_long = 0x300;
const CLEAR_MODE: c_int = 78;
const COUNTED: c_long = 1;

fn context_new(min_version: c_long, max_version: c_long) -> Outcome<u64> {
    errors::clear();
    // SAFETY: the call creates a context; the callbacks have OpenSSL's signatures.
    unsafe {
        let ctx = ffi::SSL_CTX_new(ffi::TLS_method());
        if ctx.is_null() {
            return Err(errors::take_queued("SSL_CTX_new"));
        }
        control(ctx, ffi::SSL_CTRL_SET_MIN_PROTO_VERSION, min_version, null_mut());
        control(ctx, ffi::SSL_CTRL_SET_MAX_PROTO_VERSION, max_version, null_mut());
        // The program stores sessions.
        control(
            ctx,
            ffi::SSL_CTRL_SET_SESS_CACHE_MODE,
            ffi::SSL_SESS_CACHE_BOTH | NO_INTERNAL | ffi::SSL_SESS_CACHE_NO_AUTO_CLEAR,
            null_mut(),
        );
        control(ctx, ffi::SSL_CTRL_MODE, ffi::SSL_MODE_RELEASE_BUFFERS, null_mut());
        // With this mode cleared, SSL_read returns after each session, so that they are reported one at a time.
        control(ctx, CLEAR_MODE, ffi::SSL_MODE_AUTO_RETRY, null_mut());
        ffi::SSL_CTX_set_security_level(ctx, 2.min(ffi::SSL_CTX_get_security_level(ctx)));
        // Clients may renegotiate, as OpenSSL allowed by default before 3.0; servers count renegotiations.
        const CLIENT_MAY_RENEGOTIATE: u64 = 0x100;
        ffi::SSL_CTX_set_options(ctx, CLIENT_MAY_RENEGOTIATE as _);
        tls_callbacks::hook(ctx);
        tls_tickets::hook(ctx);
        Ok(SETTINGS.add(Settings::of(ctx)))
    }
}

fn context_free(number: u64) {
    SETTINGS.remove(number);
}

fn context_key(number: u64, pem: Bytes, pass: Option<Bytes>) -> Outcome<()> {
    errors::clear();
    let settings = SETTINGS.get(number)?;
    let bio = Bio::over(pem);
    // As in Node, a missing passphrase counts as an empty one.
    let mut secret = Passphrase::new(Some(pass.unwrap_or(b"")));
    // SAFETY: the objects are live.
    unsafe {
        let key = ffi::PEM_read_bio_PrivateKey(bio.0, null_mut(), Some(passphrase), secret.as_user());
        if key.is_null() {
            return Err(errors::take_queued("PEM_read_bio_PrivateKey"));
        }
        let done = ffi::SSL_CTX_use_PrivateKey(settings.ctx, key);
        ffi::EVP_PKEY_free(key);
        if done == 1 { Ok(()) } else { Err(errors::take_queued("SSL_CTX_use_PrivateKey")) }
    }
}

/// All certificates of PEM, up to an invalid one, whose error is in OpenSSL's queue.
pub fn certificates(pem: &[u8]) -> Vec<Certificate> {
    let bio = Bio::over(pem);
    let mut nothing = Passphrase::new(Some(b""));
    let mut found = Vec::new();
    loop {
        // SAFETY: the objects are live.
        let each = unsafe { ffi::PEM_read_bio_X509_AUX(bio.0, null_mut(), Some(passphrase), nothing.as_user()) };
        if each.is_null() {
            return found;
        }
        found.push(Certificate(each));
    }
}

/// The certificate of this side and its chain.
fn context_certificate(number: u64, pem: Bytes) -> Outcome<()> {
    errors::clear();
    let settings = SETTINGS.get(number)?;
    let mut chain = certificates(pem).into_iter();
    let Some(own) = chain.next() else { return Err(errors::take_queued("SSL_CTX_use_certificate_chain")) };
    errors::clear();
    use_chain(&settings, &own, chain)
}

fn use_chain(settings: &Settings, own: &Certificate, chain: impl Iterator<Item = Certificate>) -> Outcome<()> {
    // SAFETY: the objects are live; the context takes references to what it stores.
    unsafe {
        if ffi::SSL_CTX_use_certificate(settings.ctx, own.0) != 1 {
            return Err(errors::take_queued("SSL_CTX_use_certificate"));
        }
        for each in chain {
            control(settings.ctx, ffi::SSL_CTRL_CHAIN_CERT, COUNTED, each.0.cast());
        }
    }
    Ok(())
}

fn trust(settings: &Settings, certificate: &Certificate) {
    // SAFETY: the objects are live; both take references to what they store.
    unsafe {
        ffi::X509_STORE_add_cert(own_store(settings), certificate.0);
        ffi::SSL_CTX_add_client_CA(settings.ctx, certificate.0);
    }
}

/// Trusts all certificates of PEM; returns their number.
fn context_trust(number: u64, pem: Bytes) -> Outcome<usize> {
    errors::clear();
    let settings = SETTINGS.get(number)?;
    let found = certificates(pem);
    for each in &found {
        trust(&settings, each);
    }
    errors::clear();
    Ok(found.len())
}

/// The certificate of this side, and its issuer's if known, which an OCSP request needs.
fn context_own(number: u64) -> Outcome<Vec<Option<Vec<u8>>>> {
    let settings = SETTINGS.get(number)?;
    // SAFETY: the objects are live; shared ones are reference counted.
    let (own, issuer) = unsafe {
        let own = Certificate::share(ffi::SSL_CTX_get0_certificate(settings.ctx));
        let issuer = own.as_ref().and_then(|own| {
            let mut chain = null_mut();
            ffi::SSL_CTX_get_extra_chain_certs(settings.ctx, &mut chain);
            let chain = chain as *mut ffi::OPENSSL_STACK;
            let count = if chain.is_null() { 0 } else { ffi::OPENSSL_sk_num(chain) };
            let certificates_sent = (0..count)
                .map(|index| ffi::OPENSSL_sk_value(chain, index) as *mut ffi::X509)
                .find(|each| ffi::X509_check_issued(*each, own.0) == 0);
            certificates_sent.and_then(Certificate::share).or_else(|| trusted_issuer(&settings, own))
        });
        (own, issuer)
    };
    errors::clear();
    Ok([own, issuer].map(|each| each.map(|each| each.der())).into())
}

fn trusted_issuer(settings: &Settings, own: &Certificate) -> Option<Certificate> {
    let mut issuer = null_mut();
    // SAFETY: the objects are live; the caller owns the issuer.
    unsafe {
        let ctx = ffi::X509_STORE_CTX_new();
        ffi::X509_STORE_CTX_init(ctx, ffi::SSL_CTX_get_cert_store(settings.ctx), null_mut(), null_mut());
        let found = ffi::X509_STORE_CTX_get1_issuer(&mut issuer, ctx, own.0);
        ffi::X509_STORE_CTX_free(ctx);
        (found == 1).then(|| Certificate(issuer))
    }
}

/// Lets a trusted certificate end a chain, whatever its issuer.
fn context_partial_chains(number: u64) -> Outcome<()> {
    const PARTIAL_CHAIN: std::ffi::c_ulong = 0x80000;
    // SAFETY: the context is live.
    unsafe { ffi::X509_STORE_set_flags(own_store(&*SETTINGS.get(number)?), PARTIAL_CHAIN) };
    Ok(())
}

fn context_revoked(number: u64, pem: Bytes) -> Outcome<()> {
    errors::clear();
    let settings = SETTINGS.get(number)?;
    let bio = Bio::over(pem);
    // SAFETY: the objects are live; the store takes references to what it stores.
    unsafe {
        let list = ffi::PEM_read_bio_X509_CRL(bio.0, null_mut(), None, null_mut());
        if list.is_null() {
            errors::clear();
            return Err(with_code("Error", "ERR_CRYPTO_OPERATION_FAILED", "Failed to parse CRL"));
        }
        let store = own_store(&settings);
        ffi::X509_STORE_add_crl(store, list);
        ffi::X509_STORE_set_flags(store, 0x4 | 0x8);
        ffi::X509_CRL_free(list);
    }
    Ok(())
}

fn context_pfx(number: u64, data: Bytes, pass: Option<Bytes>) -> Outcome<()> {
    let settings = SETTINGS.get(number)?;
    let (key, own, others) = pkcs12(data, pass)?;
    if key.is_none() || own.is_none() {
        let missing = if key.is_none() { "private key" } else { "certificate" };
        let words = format!("Unable to load {missing} from PFX data");
        return Err(with_code("Error", "ERR_CRYPTO_OPERATION_FAILED", &words));
    }
    if let Some(own) = own {
        for each in &others {
            trust(&settings, each);
        }
        use_chain(&settings, &own, others.into_iter())?;
    }
    if let Some(key) = key {
        // SAFETY: the objects are live.
        if unsafe { ffi::SSL_CTX_use_PrivateKey(settings.ctx, key.0) } != 1 {
            return Err(errors::take_queued("SSL_CTX_use_PrivateKey"));
        }
    }
    Ok(())
}

/// `what`: ciphers, ciphersuites, groups, sigalgs.
fn context_list(number: u64, what: &str, list: &str) -> Outcome<()> {
    errors::clear();
    let settings = SETTINGS.get(number)?;
    let text = c_text(list);
    let data = text.as_ptr() as *mut c_void;
    // SAFETY: live objects and texts that end in NUL, which are copied.
    let done = unsafe {
        match what {
            "ciphers" => ffi::SSL_CTX_set_cipher_list(settings.ctx, text.as_ptr()) == 1,
            "ciphersuites" => ffi::SSL_CTX_set_ciphersuites(settings.ctx, text.as_ptr()) == 1,
            "groups" => list == "auto" || control(settings.ctx, ffi::SSL_CTRL_SET_GROUPS_LIST, 0, data) == 1,
            _ => control(settings.ctx, ffi::SSL_CTRL_SET_SIGALGS_LIST, 0, data) == 1,
        }
    };
    if done {
        errors::clear();
        return Ok(());
    }
    if what == "groups" {
        errors::clear();
        return Err(with_code("Error", "ERR_CRYPTO_OPERATION_FAILED", "Failed to set ECDH curve"));
    }
    Err(errors::take_queued("error:00000000:lib(0)::reason(0)"))
}

fn context_options(number: u64, options: u64) -> Outcome<()> {
    // SAFETY: the context is live.
    unsafe { ffi::SSL_CTX_set_options(SETTINGS.get(number)?.ctx, options as _) };
    Ok(())
}

fn context_dh_auto(number: u64) -> Outcome<()> {
    control(SETTINGS.get(number)?.ctx, ffi::SSL_CTRL_SET_DH_AUTO, 1, null_mut());
    Ok(())
}

/// Diffie-Hellman with the program's parameters; returns their size in bits. None, and no Diffie-Hellman, if they are
/// invalid.
fn context_dh(number: u64, pem: Bytes) -> Outcome<Option<c_int>> {
    const LEAST_BITS: c_int = 1024;
    errors::clear();
    let settings = SETTINGS.get(number)?;
    let bio = Bio::over(pem);
    // SAFETY: the objects are live; the context takes ownership of the parameters if it accepts them.
    unsafe {
        let made = ffi::PEM_read_bio_Parameters(bio.0, null_mut());
        if made.is_null() {
            errors::clear();
            return Ok(None);
        }
        let bits = ffi::EVP_PKEY_get_bits(made);
        if bits < LEAST_BITS || ffi::SSL_CTX_set0_tmp_dh_pkey(settings.ctx, made) != 1 {
            ffi::EVP_PKEY_free(made);
            errors::clear();
        }
        Ok(Some(bits))
    }
}

fn context_session(number: u64, id: Bytes, timeout: Option<c_long>) -> Outcome<()> {
    let settings = SETTINGS.get(number)?;
    // SAFETY: the context is live; the bytes are copied.
    unsafe {
        if !id.is_empty() {
            ffi::SSL_CTX_set_session_id_context(settings.ctx, id.as_ptr(), id.len().min(32) as _);
        }
        if let Some(timeout) = timeout {
            ffi::SSL_CTX_set_timeout(settings.ctx, timeout);
        }
    }
    Ok(())
}

/// The names of the ciphers that connections offer by default.
fn tls_ciphers() -> Vec<String> {
    // SAFETY: the objects are live; names are static.
    unsafe {
        let settings = Settings::of(ffi::SSL_CTX_new(ffi::TLS_method()));
        let stack = ffi::SSL_CTX_get_ciphers(settings.ctx) as *mut ffi::OPENSSL_STACK;
        (0..ffi::OPENSSL_sk_num(stack))
            .map(|index| {
                let name = ffi::SSL_CIPHER_get_name(ffi::OPENSSL_sk_value(stack, index) as *const ffi::SSL_CIPHER);
                CStr::from_ptr(name).to_string_lossy().into_owned()
            })
            .collect()
    }
}

functions!(
    context_new,
    context_free,
    context_key,
    context_certificate,
    context_trust,
    context_own,
    context_partial_chains,
    context_revoked,
    context_pfx,
    context_list,
    context_options,
    context_dh_auto,
    context_dh,
    context_session,
    tls_ciphers
);
