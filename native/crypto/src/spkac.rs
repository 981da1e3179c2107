//! Signed public keys with challenges (SPKAC), for crypto.Certificate.

use crate::bio::Bio;
use crate::errors;
use crate::functions::functions;
use crate::key::PKey;
use crate::sys as ffi;
use crate::values::Bytes;

struct Spki(*mut ffi::NETSCAPE_SPKI);

impl Drop for Spki {
    fn drop(&mut self) {
        // SAFETY: this value owns the object, which is freed once.
        unsafe { ffi::NETSCAPE_SPKI_free(self.0) }
    }
}

fn parse(data: &[u8]) -> Option<(Spki, PKey)> {
    errors::clear();
    // SAFETY: `data` has `len()` readable bytes; the key is counted.
    let found = unsafe {
        let spki = ffi::NETSCAPE_SPKI_b64_decode(data.as_ptr().cast(), data.len() as i32);
        if spki.is_null() {
            None
        } else {
            let spki = Spki(spki);
            PKey::new(ffi::NETSCAPE_SPKI_get_pubkey(spki.0)).map(|key| (spki, key))
        }
    };
    errors::clear();
    found
}

fn spkac_verify(data: Bytes) -> bool {
    // SAFETY: the objects are live.
    let valid = parse(data).is_some_and(|(spki, key)| unsafe { ffi::NETSCAPE_SPKI_verify(spki.0, key.0) } > 0);
    errors::clear();
    valid
}

/// The public key as PEM.
fn spkac_public_key(data: Bytes) -> Option<Vec<u8>> {
    let (_, key) = parse(data)?;
    let bio = Bio::new();
    // SAFETY: the objects are live.
    unsafe { ffi::PEM_write_bio_PUBKEY(bio.0, key.0) };
    Some(bio.take())
}

fn spkac_challenge(data: Bytes) -> Option<Vec<u8>> {
    #[repr(C)]
    struct Inner {
        key: *mut std::ffi::c_void,
        challenge: *mut ffi::ASN1_STRING,
    }
    let (spki, _) = parse(data)?;
    // SAFETY: the structure starts with its signed part, whose second member is the challenge (x509.h).
    unsafe {
        let inner = *(spki.0 as *mut *mut Inner);
        let text = (*inner).challenge;
        let bytes =
            std::slice::from_raw_parts(ffi::ASN1_STRING_get0_data(text), ffi::ASN1_STRING_length(text) as usize);
        Some(bytes.to_vec())
    }
}

functions!(spkac_verify, spkac_public_key, spkac_challenge);
