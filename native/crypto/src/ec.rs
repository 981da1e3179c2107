//! Elliptic curves: points, their encodings, shared secrets.
use std::ffi::{c_int, c_uint};
use std::ptr::null_mut;

use crate::bignum::Number;
use crate::errors;
use crate::functions::functions;
use crate::key::{KEYS, PKey, c_text};
use crate::params;
use crate::random::bn_ctx;
use crate::sys as ffi;
use crate::values::{Bytes, Outcome};

pub struct Group(*mut ffi::EC_GROUP);

impl Drop for Group {
    fn drop(&mut self) {
        // SAFETY: this value owns the object, which is freed once.
        unsafe { ffi::EC_GROUP_free(self.0) }
    }
}

/// A curve by any of its names.
pub fn nid_of(curve: &str) -> Option<c_int> {
    let name = c_text(curve);
    // SAFETY: the name ends in NUL.
    let nid = unsafe {
        match ffi::EC_curve_nist2nid(name.as_ptr()) {
            0 => ffi::OBJ_sn2nid(name.as_ptr()),
            nid => nid,
        }
    };
    (nid != 0).then_some(nid)
}

fn group(curve: &str) -> Option<Group> {
    // SAFETY: the call creates a group, or returns null for an unknown curve.
    let group = unsafe { ffi::EC_GROUP_new_by_curve_name(nid_of(curve)?) };
    errors::clear();
    (!group.is_null()).then_some(Group(group))
}

pub fn order_bytes(curve: &str) -> Option<usize> {
    let group = group(curve)?;
    // SAFETY: the group is live.
    Some((unsafe { ffi::EC_GROUP_order_bits(group.0) } as usize).div_ceil(8))
}

struct Point(*mut ffi::EC_POINT);

impl Drop for Point {
    fn drop(&mut self) {
        // SAFETY: this value owns the object, which is freed once.
        unsafe { ffi::EC_POINT_free(self.0) }
    }
}

impl Point {
    fn new(group: &Group) -> Point {
        // SAFETY: the group is live.
        Point(unsafe { ffi::EC_POINT_new(group.0) })
    }

    fn parse(group: &Group, data: &[u8]) -> Option<Point> {
        let point = Point::new(group);
        // SAFETY: group and point are live; `data` has `len()` readable bytes.
        let done = unsafe { ffi::EC_POINT_oct2point(group.0, point.0, data.as_ptr(), data.len(), null_mut()) } == 1;
        errors::clear();
        done.then_some(point)
    }

    fn bytes(&self, group: &Group, form: c_uint) -> Vec<u8> {
        // SAFETY: group and point are live; the first call returns the size.
        unsafe {
            let size = ffi::EC_POINT_point2oct(group.0, self.0, form, null_mut(), 0, null_mut());
            let mut out = vec![0; size];
            ffi::EC_POINT_point2oct(group.0, self.0, form, out.as_mut_ptr(), size, null_mut());
            out
        }
    }
}

const UNCOMPRESSED: c_uint = 4;

/// The uncompressed point of a private scalar.
pub fn public_point(curve: &str, scalar: &[u8]) -> Option<Vec<u8>> {
    let group = group(curve)?;
    let (point, scalar, ctx) = (Point::new(&group), Number::from_bytes(scalar), bn_ctx());
    // SAFETY: the objects are live and belong to one group.
    unsafe {
        let order = ffi::EC_GROUP_get0_order(group.0);
        if ffi::BN_is_zero(scalar.0) == 1 || ffi::BN_cmp(scalar.0, order) >= 0 {
            return None;
        }
        let done = ffi::EC_POINT_mul(group.0, point.0, scalar.0, std::ptr::null(), std::ptr::null(), ctx.0) == 1;
        done.then(|| point.bytes(&group, UNCOMPRESSED))
    }
}

/// Re-encode a point; None if it is not on the curve.
fn ec_convert(curve: &str, data: Bytes, form: u32) -> Option<Vec<u8>> {
    let group = group(curve)?;
    let point = Point::parse(&group, data)?;
    Some(point.bytes(&group, form))
}

/// The size of a curve's scalars in bytes; None for an unknown curve.
fn ec_order_bytes(curve: &str) -> Option<usize> {
    order_bytes(curve)
}

/// Generates a private scalar.
fn ec_generate(curve: &str) -> Outcome<Vec<u8>> {
    let failed = || errors::take_queued("Failed to generate key");
    let group = group(curve).ok_or_else(failed)?;
    // SAFETY: this function owns the key.
    let scalar = unsafe {
        let key = ffi::EC_KEY_new();
        ffi::EC_KEY_set_group(key, group.0);
        let done = ffi::EC_KEY_generate_key(key) == 1;
        let scalar = done.then(|| Number::copy_of(ffi::EC_KEY_get0_private_key(key))).flatten();
        ffi::EC_KEY_free(key);
        scalar
    };
    Ok(scalar.ok_or_else(failed)?.to_padded(order_bytes(curve).unwrap_or(0)))
}

/// The point of a private scalar; None if the scalar is out of range.
fn ec_public(curve: &str, scalar: Bytes) -> Option<Vec<u8>> {
    public_point(curve, scalar)
}

/// The secret shared by a scalar and a point; None for an invalid point.
fn ec_secret(curve: &str, scalar: Bytes, point: Bytes) -> Option<Vec<u8>> {
    let group = group(curve)?;
    let other = Point::parse(&group, point)?;
    let (result, scalar, ctx, x) = (Point::new(&group), Number::from_bytes(scalar), bn_ctx(), Number::new());
    // SAFETY: the objects are live and belong to one group.
    unsafe {
        let done = ffi::EC_POINT_mul(group.0, result.0, std::ptr::null(), other.0, scalar.0, ctx.0) == 1
            && ffi::EC_POINT_get_affine_coordinates(group.0, result.0, x.0, null_mut(), ctx.0) == 1;
        let size = (ffi::EC_GROUP_get_degree(group.0) as usize).div_ceil(8);
        errors::clear();
        done.then(|| x.to_padded(size))
    }
}

pub fn derive(private: &PKey, public: &PKey) -> Outcome<Vec<u8>> {
    errors::clear();
    let ctx = params::context(private);
    let failed = || errors::take_queued("diffieHellman failed");
    // SAFETY: the keys are live; the first call returns the size.
    unsafe {
        if ffi::EVP_PKEY_derive_init(ctx.0) != 1 || ffi::EVP_PKEY_derive_set_peer(ctx.0, public.0) != 1 {
            return Err(failed());
        }
        if private.kind() == "dh" {
            ffi::EVP_PKEY_CTX_set_dh_pad(ctx.0, 1);
        }
        let mut size = 0;
        if ffi::EVP_PKEY_derive(ctx.0, null_mut(), &mut size) != 1 {
            return Err(failed());
        }
        let mut out = vec![0; size];
        if ffi::EVP_PKEY_derive(ctx.0, out.as_mut_ptr(), &mut size) != 1 {
            return Err(failed());
        }
        out.truncate(size);
        Ok(out)
    }
}

/// `crypto.diffieHellman` of two keys.
fn key_derive(private: u64, public: u64) -> Outcome<Vec<u8>> {
    let (private, public) = (KEYS.get(private)?, KEYS.get(public)?);
    let (private, public) = (private.pkey()?, public.pkey()?);
    derive(private, public)
}

functions!(ec_convert, ec_order_bytes, ec_generate, ec_public, ec_secret, key_derive);
