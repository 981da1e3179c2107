//! Session ticket keys, which a program may set: 48 bytes, as in Node, a name and 16 bytes each for HMAC-SHA256 and
//! AES-128-CBC. With keys set here, OpenSSL gives a resumed session no new ticket, as with its own keys.
use std::ffi::{c_int, c_long, c_uchar, c_void};
use std::ptr::null_mut;
use std::sync::{Mutex, OnceLock};

use openssl_sys::CRYPTO_EX_DATA;

use crate::functions::functions;
use crate::sys as ffi;
use crate::tls_context::SETTINGS;
use crate::values::{Bytes, Outcome};

pub const SIZE: usize = 48;
type Keys = Mutex<[u8; SIZE]>;

unsafe extern "C" fn drop_keys(
    _: *mut c_void,
    keys: *mut c_void,
    _: *mut CRYPTO_EX_DATA,
    _: c_int,
    _: c_long,
    _: *mut c_void,
) {
    if !keys.is_null() {
        // SAFETY: the context owned the keys, which are freed with it.
        drop(unsafe { Box::from_raw(keys as *mut Keys) });
    }
}

/// The index of a context's keys.
fn slot() -> c_int {
    const OF_CONTEXTS: c_int = 1;
    static SLOT: OnceLock<c_int> = OnceLock::new();
    *SLOT.get_or_init(|| {
        // SAFETY: the function has OpenSSL's signature.
        unsafe { ffi::CRYPTO_get_ex_new_index(OF_CONTEXTS, 0, null_mut(), None, None, Some(drop_keys)) }
    })
}

unsafe fn keys_of<'a>(ctx: *const ffi::SSL_CTX) -> Option<&'a Keys> {
    // SAFETY: a live context, which owns the keys in the slot.
    unsafe { (ffi::SSL_CTX_get_ex_data(ctx, slot()) as *const Keys).as_ref() }
}

unsafe extern "C" fn on_ticket(
    ssl: *mut ffi::SSL,
    name: *mut c_uchar,
    iv: *mut c_uchar,
    cipher: *mut ffi::EVP_CIPHER_CTX,
    mac: *mut ffi::HMAC_CTX,
    is_made: c_int,
) -> c_int {
    const FAILED: c_int = -1;
    const UNKNOWN: c_int = 0;
    const DONE: c_int = 1;
    const IV_SIZE: c_int = 16;
    // SAFETY: the objects are live; name and vector have 16 bytes each, which is what AES and the keys have, too.
    unsafe {
        let Some(keys) = keys_of(ffi::SSL_get_SSL_CTX(ssl)) else { return FAILED };
        let keys = *keys.lock().expect("no holder panics");
        let (own, rest) = keys.split_at(16);
        let (hmac, aes) = rest.split_at(16);
        let method = ffi::EVP_aes_128_cbc();
        let done = if is_made != 0 {
            std::ptr::copy_nonoverlapping(own.as_ptr(), name, own.len());
            ffi::RAND_bytes(iv, IV_SIZE) == 1
                && ffi::EVP_EncryptInit_ex(cipher, method, null_mut(), aes.as_ptr(), iv) == 1
        } else {
            if std::slice::from_raw_parts(name, own.len()) != own {
                return UNKNOWN;
            }
            ffi::EVP_DecryptInit_ex(cipher, method, null_mut(), aes.as_ptr(), iv) == 1
        };
        let has_mac =
            ffi::HMAC_Init_ex(mac, hmac.as_ptr().cast(), hmac.len() as c_int, ffi::EVP_sha256(), null_mut()) == 1;
        if done && has_mac { DONE } else { FAILED }
    }
}

/// Uses separate ticket keys for a context, random at first.
pub unsafe fn hook(ctx: *mut ffi::SSL_CTX) {
    const SET_TICKET_CALLBACK: c_int = 72;
    let mut keys = [0; SIZE];
    // SAFETY: a live context, which owns the keys from here on; the callback has the signature that this command requires.
    unsafe {
        ffi::RAND_bytes(keys.as_mut_ptr(), SIZE as c_int);
        ffi::SSL_CTX_set_ex_data(ctx, slot(), Box::into_raw(Box::new(Mutex::new(keys))).cast());
        let callback = std::mem::transmute::<*const c_void, Option<unsafe extern "C" fn()>>(on_ticket as *const c_void);
        ffi::SSL_CTX_callback_ctrl__fixed_rust(ctx, SET_TICKET_CALLBACK, callback);
    }
}

/// Sets the ticket keys of a context, if given, and returns them.
fn context_ticket_keys(number: u64, keys: Option<Bytes>) -> Outcome<Vec<u8>> {
    let settings = SETTINGS.get(number)?;
    // SAFETY: the context is live.
    let own = unsafe { keys_of(settings.ctx) }.expect("made with the context");
    let mut own = own.lock().expect("no holder panics");
    if let Some(keys) = keys.filter(|keys| keys.len() == SIZE) {
        own.copy_from_slice(keys);
    }
    Ok(own.to_vec())
}

functions!(context_ticket_keys);
