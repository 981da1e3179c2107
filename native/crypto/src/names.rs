//! The algorithms of this OpenSSL: digests, ciphers, curves, and properties of a cipher.
use std::collections::BTreeSet;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;

use crate::sys as ffi;

use crate::cipher_method::Method;
use crate::functions::functions;
use crate::sys;
use crate::values::Outcome;

unsafe extern "C" fn add_name(name: *const c_char, names: *mut c_void) {
    // SAFETY: called below with a set that outlives the call, and with names that end in NUL.
    unsafe {
        let names = &mut *(names as *mut BTreeSet<String>);
        names.insert(CStr::from_ptr(name).to_string_lossy().into_owned());
    }
}

unsafe extern "C" fn add_digest(digest: *mut ffi::EVP_MD, names: *mut c_void) {
    // SAFETY: the method that OpenSSL passes is live.
    unsafe { sys::EVP_MD_names_do_all(digest, add_name, names) };
}

unsafe extern "C" fn add_cipher(cipher: *mut ffi::EVP_CIPHER, names: *mut c_void) {
    // SAFETY: as above.
    unsafe { sys::EVP_CIPHER_names_do_all(cipher, add_name, names) };
}

/// Names of digests or ciphers in OpenSSL's older tables, limited to what the provider offers.
struct Known {
    names: BTreeSet<String>,
    is_there: fn(&str) -> bool,
}

unsafe extern "C" fn add_alias<T>(_: *const T, name: *const c_char, _: *const c_char, known: *mut c_void) {
    if name.is_null() {
        return;
    }
    // SAFETY: called below with a `Known` that outlives the call, and with terminated names.
    let (known, name) = unsafe { (&mut *(known as *mut Known), CStr::from_ptr(name).to_string_lossy()) };
    if (known.is_there)(&name) {
        known.names.insert(name.into_owned());
    }
}

/// The names of both tables: the older spelling if two differ in case only; no object identifiers.
fn merge_names(known: Known, provided: BTreeSet<String>) -> Vec<String> {
    let provided: BTreeSet<String> = provided.into_iter().filter(|name| !name.contains("-HMAC-")).collect();
    let lower: BTreeSet<String> = known.names.iter().map(|name| name.to_lowercase()).collect();
    let mut names = known.names;
    let fresh = provided.iter().map(|name| name.to_lowercase());
    names.extend(fresh.filter(|name| !lower.contains(name) && !name.starts_with(|first: char| first.is_ascii_digit())));
    names.remove("null");
    names.into_iter().collect()
}

fn digest_names() -> Vec<String> {
    let mut known = Known { names: BTreeSet::new(), is_there: |name| crate::hash::Method::find(name).is_some() };
    let mut provided = BTreeSet::new();
    // SAFETY: both sets outlive the calls.
    unsafe {
        sys::EVP_MD_do_all_sorted(add_alias::<ffi::EVP_MD>, (&raw mut known).cast());
        sys::EVP_MD_do_all_provided(null_mut(), add_digest, (&raw mut provided).cast());
    }
    merge_names(known, provided)
}

fn cipher_names() -> Vec<String> {
    // Ciphers for TLS only (CBC and HMAC in one) are not for programs.
    let is_there: fn(&str) -> bool = |name| !name.to_uppercase().contains("-HMAC-") && Method::find(name).is_some();
    let mut known = Known { names: BTreeSet::new(), is_there };
    let mut provided = BTreeSet::new();
    // SAFETY: both sets outlive the calls.
    unsafe {
        sys::EVP_CIPHER_do_all_sorted(add_alias::<ffi::EVP_CIPHER>, (&raw mut known).cast());
        sys::EVP_CIPHER_do_all_provided(null_mut(), add_cipher, (&raw mut provided).cast());
    }
    merge_names(known, provided)
}

/// Returns whether only FIPS-approved algorithms are fetched.
fn fips_is_on() -> bool {
    // SAFETY: reads the default library context.
    unsafe { sys::EVP_default_properties_is_fips_enabled(null_mut()) == 1 }
}

fn fips_turn(on: bool) -> Outcome<()> {
    crate::hash::forget_methods();
    // SAFETY: changes the default library context, which synchronises its users.
    match unsafe { sys::EVP_default_properties_enable_fips(null_mut(), on.into()) } {
        1 => Ok(()),
        _ => Err(crate::errors::take_queued("FIPS cannot be turned")),
    }
}

fn curves() -> Vec<String> {
    // SAFETY: the first call returns the number, the second fills that many entries; the names are static.
    unsafe {
        let count = sys::EC_get_builtin_curves(null_mut(), 0);
        let mut found: Vec<sys::EC_builtin_curve> = Vec::with_capacity(count);
        let filled = sys::EC_get_builtin_curves(found.as_mut_ptr(), count);
        found.set_len(filled.min(count));
        found.iter().map(|curve| CStr::from_ptr(sys::OBJ_nid2sn(curve.nid)).to_string_lossy().into_owned()).collect()
    }
}

/// (name, nid, mode, block size, iv length, key length) of a cipher that accepts such a key and iv, otherwise None.
#[allow(clippy::type_complexity)]
fn cipher_info(
    name: Option<&str>,
    nid: Option<i32>,
    key_length: Option<i32>,
    iv_length: Option<i32>,
) -> Option<(String, i32, i32, i32, i32, i32)> {
    let method = match (name, nid) {
        (Some(name), _) => Method::find(name)?,
        // SAFETY: the short name is static.
        (None, Some(nid)) => unsafe {
            let name = sys::OBJ_nid2sn(nid);
            if name.is_null() {
                return None;
            }
            Method::find(&CStr::from_ptr(name).to_string_lossy())?
        },
        _ => return None,
    };
    let (mut iv, mut key) = (method.iv_length(), method.key_length());
    if key_length.is_some() || iv_length.is_some() {
        // Only the cipher itself knows which lengths it accepts.
        let ctx = crate::cipher_method::Context::new();
        // SAFETY: a fresh context and a live method; ctrl with a size only.
        unsafe {
            if ffi::EVP_CipherInit_ex(ctx.0, method.0, null_mut(), std::ptr::null(), std::ptr::null(), 1) != 1 {
                return None;
            }
            if let Some(wanted) = key_length {
                if ffi::EVP_CIPHER_CTX_set_key_length(ctx.0, wanted) != 1 {
                    crate::errors::clear();
                    return None;
                }
                key = wanted;
            }
            if let Some(wanted) = iv_length {
                let fits = match method.mode() {
                    ffi::EVP_CIPH_GCM_MODE if wanted == 0 => true,
                    ffi::EVP_CIPH_CCM_MODE | ffi::EVP_CIPH_GCM_MODE | ffi::EVP_CIPH_OCB_MODE => {
                        ffi::EVP_CIPHER_CTX_ctrl(ctx.0, ffi::EVP_CTRL_AEAD_SET_IVLEN, wanted, null_mut()) == 1
                    }
                    _ => wanted == iv,
                };
                if !fits {
                    crate::errors::clear();
                    return None;
                }
                iv = wanted;
            }
        }
    }
    let nid = method.nid();
    // SAFETY: the short name is static.
    let name = unsafe { CStr::from_ptr(sys::OBJ_nid2sn(nid)).to_string_lossy().into_owned() };
    let name = if nid == 0 { method.name() } else { name };
    Some((name, nid, method.mode(), method.block_size(), iv, key))
}

functions!(digest_names, cipher_names, curves, fips_is_on, fips_turn, cipher_info);
