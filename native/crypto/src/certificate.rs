//! X.509 certificates by number: their content, their names, their issuers.
use std::ffi::{CStr, c_char, c_int, c_long, c_void};
use std::ptr::null_mut;

use crate::bignum::Number;
use crate::bio::{Bio, Passphrase, passphrase};
use crate::errors;
use crate::errors::Failure;
use crate::functions::functions;
use crate::hash::{Method, digest_once};
use crate::key::{KEYS, Key, PKey, c_text};
use crate::names_text::{general_names, info_access, name_lines, name_parts};
use crate::sys as ffi;
use crate::table::Table;
use crate::values::{Bytes, Outcome, Record};

/// An OpenSSL certificate, reference counted and immutable.
pub struct Certificate(pub *mut ffi::X509);
// SAFETY: reference counts of certificates are atomic, and certificates are only read.
unsafe impl Send for Certificate {}
// SAFETY: as above.
unsafe impl Sync for Certificate {}

impl Drop for Certificate {
    fn drop(&mut self) {
        // SAFETY: this value owns one reference.
        unsafe { ffi::X509_free(self.0) }
    }
}

pub static CERTIFICATES: Table<Certificate> = Table::new();

impl Certificate {
    /// Takes another reference to a live certificate; None for null.
    pub fn share(certificate: *mut ffi::X509) -> Option<Certificate> {
        if certificate.is_null() {
            return None;
        }
        // SAFETY: the certificate is live.
        unsafe { ffi::X509_up_ref(certificate) };
        Some(Certificate(certificate))
    }

    pub fn der(&self) -> Vec<u8> {
        let mut out = null_mut();
        // SAFETY: the certificate is live; the output is freed once it is copied.
        unsafe {
            let size = ffi::i2d_X509(self.0, &mut out);
            let der = std::slice::from_raw_parts(out, size.max(0) as usize).to_vec();
            ffi::CRYPTO_free(out.cast(), c"".as_ptr(), 0);
            der
        }
    }

    pub fn from_der(data: &[u8]) -> Option<Certificate> {
        let mut start = data.as_ptr();
        // SAFETY: the slice has that many readable bytes.
        let certificate = unsafe { ffi::d2i_X509(null_mut(), &mut start, data.len() as c_long) };
        (!certificate.is_null()).then_some(Certificate(certificate))
    }
}

/// The first certificate of PEM, or one in DER.
fn cert_parse(data: Bytes) -> Outcome<u64> {
    errors::clear();
    let bio = Bio::over(data);
    let mut nothing = Passphrase::new(Some(b""));
    // SAFETY: the BIO and the passphrase outlive the call.
    let pem = unsafe { ffi::PEM_read_bio_X509_AUX(bio.0, null_mut(), Some(passphrase), nothing.as_user()) };
    if !pem.is_null() {
        return Ok(CERTIFICATES.add(Certificate(pem)));
    }
    let first = errors::take();
    errors::clear();
    match Certificate::from_der(data) {
        Some(certificate) => Ok(CERTIFICATES.add(certificate)),
        None => {
            errors::clear();
            Err(errors::from_queue(first, None))
        }
    }
}

fn cert_free(number: u64) {
    CERTIFICATES.remove(number);
}

fn time_text(time: *const ffi::ASN1_TIME) -> String {
    let bio = Bio::new();
    // SAFETY: the BIO and the time are live.
    unsafe { ffi::ASN1_TIME_print(bio.0, time) };
    String::from_utf8_lossy(&bio.take()).into_owned()
}

/// Seconds since 1970.
fn time_seconds(time: *const ffi::ASN1_TIME) -> i64 {
    let (mut days, mut seconds) = (0, 0);
    // SAFETY: the times are live; this function owns the epoch.
    unsafe {
        let epoch = ffi::ASN1_TIME_set(null_mut(), 0);
        ffi::ASN1_TIME_diff(&mut days, &mut seconds, epoch, time);
        ffi::ASN1_STRING_free(epoch.cast());
    }
    i64::from(days) * 86400 + i64::from(seconds)
}

fn fingerprint(name: &str, der: &[u8]) -> String {
    let digest = Method::find(name).and_then(|method| digest_once(&method, None, der).ok()).unwrap_or_default();
    digest.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
}

/// The content of a certificate in Node's form.
fn cert_facts(number: u64) -> Outcome<Record> {
    let certificate = CERTIFICATES.get(number)?;
    let x509 = certificate.0;
    let mut facts = Record::default();
    let der = certificate.der();
    // SAFETY: the certificate is live; borrowed parts are only read.
    unsafe {
        for (key, name) in [("subject", ffi::X509_get_subject_name(x509)), ("issuer", ffi::X509_get_issuer_name(x509))]
        {
            facts.put(key, name_lines(name));
            facts.put(format!("{key}Parts"), name_parts(name));
        }
        facts.put("subjectAltName", general_names(x509));
        facts.put("infoAccess", info_access(x509));
        facts.put("ca", ffi::X509_check_ca(x509) == 1);
        let serial = Number(ffi::ASN1_INTEGER_to_BN(ffi::X509_get_serialNumber(x509), null_mut()));
        facts.put("serialNumber", serial.to_hex());
        let (from, to) = (ffi::X509_getm_notBefore(x509), ffi::X509_getm_notAfter(x509));
        facts.put("validFrom", time_text(from));
        facts.put("validTo", time_text(to));
        facts.put("validFromSeconds", time_seconds(from));
        facts.put("validToSeconds", time_seconds(to));
        let algorithm = ffi::X509_get_signature_nid(x509);
        let long_name = ffi::OBJ_nid2ln(algorithm);
        if algorithm != 0 && !long_name.is_null() {
            facts.put("signatureAlgorithm", CStr::from_ptr(long_name).to_string_lossy().into_owned());
        }
        facts.put("signatureAlgorithmOid", signature_oid(x509));
    }
    for name in ["sha1", "sha256", "sha512"] {
        facts.put(name, fingerprint(name, &der));
    }
    facts.put("keyUsage", key_usage(x509));
    key_facts(&mut facts, x509)?;
    facts.put("raw", der);
    Ok(facts)
}

fn signature_oid(x509: *mut ffi::X509) -> Option<String> {
    let mut algorithm = std::ptr::null();
    // SAFETY: the certificate is live; the algorithm is part of it.
    unsafe {
        ffi::X509_get0_signature(null_mut(), &mut algorithm, x509);
        let mut object = std::ptr::null();
        ffi::X509_ALGOR_get0(&mut object, null_mut(), null_mut(), algorithm);
        (!object.is_null()).then(|| oid_text(object))
    }
}

/// An object identifier in dotted form.
fn oid_text(object: *const ffi::ASN1_OBJECT) -> String {
    let mut text = [0 as c_char; 128];
    // SAFETY: the object is live, and the buffer has the given size; the text ends in NUL.
    unsafe {
        ffi::OBJ_obj2txt(text.as_mut_ptr(), text.len() as c_int, object, 1);
        CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned()
    }
}

/// The identifiers of the extended key usage; None without one.
fn key_usage(x509: *mut ffi::X509) -> Option<Vec<String>> {
    // SAFETY: the certificate is live; the stack is owned and freed with its objects.
    unsafe {
        let stack =
            ffi::X509_get_ext_d2i(x509, ffi::NID_ext_key_usage, null_mut(), null_mut()) as *mut ffi::OPENSSL_STACK;
        if stack.is_null() {
            return None;
        }
        let found = (0..ffi::OPENSSL_sk_num(stack))
            .map(|index| oid_text(ffi::OPENSSL_sk_value(stack, index) as *const ffi::ASN1_OBJECT))
            .collect();
        ffi::EXTENDED_KEY_USAGE_free(stack.cast());
        Some(found)
    }
}

fn key_facts(facts: &mut Record, x509: *mut ffi::X509) -> Outcome<()> {
    // SAFETY: the certificate is live; the key is counted.
    let Some(key) = PKey::new(unsafe { ffi::X509_get_pubkey(x509) }) else {
        errors::clear();
        return Ok(());
    };
    match key.kind().as_str() {
        "rsa" => {
            facts.put("modulus", key.number(c"n").map(|number| number.to_hex()));
            facts.put("bits", key.bits());
            let exponent = key.number(c"e").map(|number| number.to_hex()).unwrap_or_default();
            facts.put("exponent", format!("0x{}", exponent.trim_start_matches('0').to_lowercase()));
            let bio = Bio::new();
            // SAFETY: the BIO and the key are live.
            unsafe { ffi::i2d_PUBKEY_bio(bio.0, key.0) };
            facts.put("pubkey", bio.take());
        }
        "ec" => {
            facts.put("bits", key.bits());
            facts.put("pubkey", key.octets(c"pub").unwrap_or_default());
            let name = key.text(c"group").unwrap_or_default();
            // SAFETY: the call returns a static text, or null.
            let nist = unsafe { ffi::EC_curve_nid2nist(crate::ec::nid_of(&name).unwrap_or(0)) };
            facts.put("asn1Curve", name);
            if !nist.is_null() {
                // SAFETY: as above.
                facts.put("nistCurve", unsafe { CStr::from_ptr(nist) }.to_string_lossy().into_owned());
            }
        }
        _ => {}
    }
    Ok(())
}

fn cert_public_key(number: u64) -> Outcome<u64> {
    errors::clear();
    let certificate = CERTIFICATES.get(number)?;
    // SAFETY: the certificate is live; the key is counted.
    let key = PKey::new(unsafe { ffi::X509_get_pubkey(certificate.0) });
    key.map(|key| KEYS.add(Key::Public(key))).ok_or_else(|| errors::take_queued("Failed to get public key"))
}

fn cert_pem(number: u64) -> Outcome<Vec<u8>> {
    let bio = Bio::new();
    // SAFETY: the BIO and the certificate are live.
    unsafe { ffi::PEM_write_bio_X509(bio.0, CERTIFICATES.get(number)?.0) };
    Ok(bio.take())
}

/// `what`: issued (by another certificate), verify (with a public key), private (whether the key belongs to it).
fn cert_test(number: u64, what: &str, other: u64) -> Outcome<bool> {
    errors::clear();
    let certificate = CERTIFICATES.get(number)?;
    // SAFETY: the objects are live.
    let found = unsafe {
        match what {
            "issued" => ffi::X509_check_issued(CERTIFICATES.get(other)?.0, certificate.0) == 0,
            "verify" => ffi::X509_verify(certificate.0, KEYS.get(other)?.pkey()?.0) > 0,
            _ => ffi::X509_check_private_key(certificate.0, KEYS.get(other)?.pkey()?.0) == 1,
        }
    };
    errors::clear();
    Ok(found)
}

/// For a host, the matching name in the certificate; for an address or a mailbox, the value itself. None without a
/// match.
fn cert_match(number: u64, what: &str, name: &str, flags: u32) -> Outcome<Option<String>> {
    errors::clear();
    let certificate = CERTIFICATES.get(number)?;
    let text = c_text(name);
    let mut peer: *mut c_char = null_mut();
    // SAFETY: the certificate is live and the texts end in NUL; the name is freed after it is copied.
    let (found, matched) = unsafe {
        match what {
            "host" => {
                let found = ffi::X509_check_host(certificate.0, text.as_ptr(), name.len(), flags, &mut peer);
                let matched = (!peer.is_null()).then(|| CStr::from_ptr(peer).to_string_lossy().into_owned());
                ffi::CRYPTO_free(peer.cast::<c_void>(), c"".as_ptr(), 0);
                (found, matched)
            }
            "email" => (ffi::X509_check_email(certificate.0, text.as_ptr(), name.len(), flags), None),
            _ => (ffi::X509_check_ip_asc(certificate.0, text.as_ptr(), flags), None),
        }
    };
    errors::clear();
    match found {
        1 => Ok(Some(matched.unwrap_or_else(|| name.to_owned()))),
        -2 => Err(errors::with_code("TypeError", "ERR_INVALID_ARG_VALUE", "Invalid name")),
        _ => Ok(None),
    }
}

/// PKCS#12: (private key or None, certificate or None, further certificates).
fn pkcs12_parse(data: Bytes, pass: Option<Bytes>) -> Outcome<(Option<u64>, Option<u64>, Vec<u64>)> {
    let (key, certificate, others) = pkcs12(data, pass)?;
    Ok((
        key.map(|key| KEYS.add(Key::Private(key))),
        certificate.map(|each| CERTIFICATES.add(each)),
        others.into_iter().map(|each| CERTIFICATES.add(each)).collect(),
    ))
}

pub type Bundle = (Option<PKey>, Option<Certificate>, Vec<Certificate>);

/// The error for an unreadable PKCS#12 bundle: OpenSSL's reason only.
fn refused() -> Failure {
    const UNSUPPORTED: &str = "unsupported";
    let first = errors::take();
    errors::clear();
    // SAFETY: the call returns a static text, or null.
    let reason = unsafe {
        let reason = ffi::ERR_reason_error_string(first);
        if reason.is_null() {
            "not enough data".into() // OpenSSL's error for a few bytes
        } else {
            CStr::from_ptr(reason).to_string_lossy()
        }
    };
    if reason == UNSUPPORTED {
        return errors::with_code("Error", "ERR_CRYPTO_UNSUPPORTED_OPERATION", "Unsupported PKCS12 PFX data");
    }
    errors::plain(&reason)
}

pub fn pkcs12(data: &[u8], pass: Option<&[u8]>) -> Outcome<Bundle> {
    errors::clear();
    let bio = Bio::over(data);
    let pass = c_text(&String::from_utf8_lossy(pass.unwrap_or(b"")));
    let (mut key, mut certificate, mut others) = (null_mut(), null_mut(), null_mut());
    // SAFETY: PKCS12_parse transfers ownership of its results; the certificates of the stack are taken one by one.
    unsafe {
        let bundle = ffi::d2i_PKCS12_bio(bio.0, null_mut());
        if bundle.is_null() {
            return Err(refused());
        }
        let done = ffi::PKCS12_parse(bundle, pass.as_ptr(), &mut key, &mut certificate, &mut others);
        ffi::PKCS12_free(bundle);
        if done != 1 {
            return Err(refused());
        }
        let mut found = Vec::new();
        if !others.is_null() {
            let stack = others as *mut ffi::OPENSSL_STACK;
            for index in 0..ffi::OPENSSL_sk_num(stack) {
                found.push(Certificate(ffi::OPENSSL_sk_value(stack, index) as *mut ffi::X509));
            }
            ffi::OPENSSL_sk_free(stack);
        }
        Ok((PKey::new(key), (!certificate.is_null()).then_some(Certificate(certificate)), found))
    }
}

functions!(cert_parse, cert_free, cert_facts, cert_public_key, cert_pem, cert_test, cert_match, pkcs12_parse);
