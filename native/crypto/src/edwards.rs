//! Points of small order on the curves of Ed25519 and Ed448.
//!
//! A public key or a commitment of small order makes one signature valid for many messages, so verification rejects it before
//! OpenSSL is called. Both canonical and other encodings of these points count.
use crate::key::PKey;
use crate::sys as ffi;

const ED25519_BYTES: usize = 32;
const ED448_BYTES: usize = 57;
const SIGN_BIT: u8 = 0x80;

/// The y coordinates of the points of order 1, 2, 4 and 8 of edwards25519, little-endian; the last two are not reduced.
const ED25519_SMALL: [[u8; ED25519_BYTES]; 7] = [
    [0; ED25519_BYTES],
    first_byte([0; ED25519_BYTES], 1),
    [
        0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf,
        0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
    ],
    [
        0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20,
        0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
    ],
    last_byte(first_byte([0xff; ED25519_BYTES], 0xec), 0x7f),
    last_byte(first_byte([0xff; ED25519_BYTES], 0xed), 0x7f),
    last_byte(first_byte([0xff; ED25519_BYTES], 0xee), 0x7f),
];

const fn first_byte(mut bytes: [u8; ED25519_BYTES], byte: u8) -> [u8; ED25519_BYTES] {
    bytes[0] = byte;
    bytes
}

const fn last_byte(mut bytes: [u8; ED25519_BYTES], byte: u8) -> [u8; ED25519_BYTES] {
    bytes[ED25519_BYTES - 1] = byte;
    bytes
}

/// Returns whether `signature` under `key` involves a point of small order. False for keys of other types.
pub fn involves_small_order(key: &PKey, signature: &[u8]) -> bool {
    let size = match key.kind().as_str() {
        "ed25519" => ED25519_BYTES,
        "ed448" => ED448_BYTES,
        _ => return false,
    };
    let mut public = vec![0; size];
    let mut length = size;
    // SAFETY: `key` is live, and `public` has room for `length` bytes.
    let is_known = unsafe { ffi::EVP_PKEY_get_raw_public_key(key.0, public.as_mut_ptr(), &mut length) == 1 };
    (is_known && has_small_order(&public)) || signature.get(..size).is_some_and(has_small_order)
}

/// Returns whether an encoded point of one of the curves, which follows from its length, has small order.
fn has_small_order(point: &[u8]) -> bool {
    let mut y = point.to_vec();
    let Some(last) = y.last_mut() else { return false };
    *last &= !SIGN_BIT;
    match y.len() {
        ED25519_BYTES => ED25519_SMALL.iter().any(|small| small[..] == y),
        ED448_BYTES => ed448_small().contains(&y),
        _ => false,
    }
}

/// The y coordinates of the points of order 1, 2 and 4 of edwards448, little-endian: 0, 1 and -1, reduced or not.
fn ed448_small() -> [Vec<u8>; 5] {
    let zero = vec![0; ED448_BYTES];
    let with_first = |mut bytes: Vec<u8>, byte| {
        bytes[0] = byte;
        bytes
    };
    let mut prime = vec![0xff; ED448_BYTES]; // 2^448 - 2^224 - 1
    prime[28] = 0xfe;
    prime[ED448_BYTES - 1] = 0;
    let mut above = vec![0xff; ED448_BYTES];
    above[..28].fill(0);
    above[ED448_BYTES - 1] = 0;
    [zero.clone(), with_first(zero, 1), with_first(prime.clone(), 0xfe), prime, above]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(first: u8, size: usize, last: u8) -> Vec<u8> {
        let mut bytes = vec![0; size];
        bytes[0] = first;
        bytes[size - 1] = last;
        bytes
    }

    #[test]
    fn small_orders_are_found_with_either_sign() {
        for size in [ED25519_BYTES, ED448_BYTES] {
            for last in [0, SIGN_BIT] {
                assert!(has_small_order(&point(0, size, last)));
                assert!(has_small_order(&point(1, size, last)));
                assert!(!has_small_order(&point(2, size, last)));
            }
        }
        assert!(ED25519_SMALL.iter().all(|each| has_small_order(each)));
        assert!(ed448_small().iter().all(|each| has_small_order(each)));
        assert!(!has_small_order(&[]));
    }
}
