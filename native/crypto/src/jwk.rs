//! The numbers of keys as in JSON Web Keys, in both directions. JavaScript encodes them.

use crate::errors;
use crate::functions::functions;
use crate::key::{KEYS, Key};
use crate::params::{self, Params};
use crate::sys as ffi;
use crate::values::{Bytes, Outcome, Record, Remaining};

const RSA_PARTS: [(&str, &std::ffi::CStr); 8] = [
    ("n", c"n"),
    ("e", c"e"),
    ("d", c"d"),
    ("p", c"rsa-factor1"),
    ("q", c"rsa-factor2"),
    ("dp", c"rsa-exponent1"),
    ("dq", c"rsa-exponent2"),
    ("qi", c"rsa-coefficient1"),
];
const RSA_PUBLIC_PARTS: usize = 2;

/// The parts of an RSA or EC key as bytes.
fn key_parts(number: u64) -> Outcome<Record> {
    let key = KEYS.get(number)?;
    let is_private = matches!(&*key, Key::Private(_));
    let pkey = key.pkey()?;
    let mut parts = Record::default();
    if pkey.kind() == "ec" {
        let size = (pkey.bits() as usize).div_ceil(8);
        for (name, parameter) in [("x", c"qx"), ("y", c"qy")] {
            if let Some(value) = pkey.number(parameter) {
                parts.put(name, value.to_padded(size));
            }
        }
        if let Some(value) = is_private.then(|| pkey.number(c"priv")).flatten() {
            let size = crate::ec::order_bytes(&pkey.text(c"group").unwrap_or_default()).unwrap_or(size);
            parts.put("d", value.to_padded(size));
        }
        return Ok(parts);
    }
    let count = if is_private { RSA_PARTS.len() } else { RSA_PUBLIC_PARTS };
    for (name, parameter) in &RSA_PARTS[..count] {
        if let Some(value) = pkey.number(parameter) {
            parts.put(*name, value.to_bytes());
        }
    }
    Ok(parts)
}

/// An RSA key from its parts (in the order of `RSA_PARTS`); a private one has eight. None if they do not form a key.
fn key_from_rsa_parts(Remaining(parts): Remaining) -> Option<u64> {
    errors::clear();
    let is_private = parts.len() > RSA_PUBLIC_PARTS;
    let mut params = Params::new();
    for ((_, parameter), value) in RSA_PARTS.iter().zip(&parts) {
        params.number(parameter, value);
    }
    let key =
        params::key_from("RSA", if is_private { ffi::EVP_PKEY_KEYPAIR } else { ffi::EVP_PKEY_PUBLIC_KEY }, params);
    errors::clear();
    key.map(|key| KEYS.add(if is_private { Key::Private(key) } else { Key::Public(key) }))
}

/// An EC key from its coordinates; private with `d`. None if they do not form a key.
fn key_from_ec_parts(curve: &str, x: Bytes, y: Bytes, d: Option<Bytes>) -> Option<u64> {
    errors::clear();
    let point = [&[4], x, y].concat();
    let key = crate::key_import::ec(curve, Some(&point), d);
    errors::clear();
    key.map(|key| KEYS.add(if d.is_some() { Key::Private(key) } else { Key::Public(key) }))
}

functions!(key_parts, key_from_rsa_parts, key_from_ec_parts);
