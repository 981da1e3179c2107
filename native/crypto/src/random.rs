//! Random bytes and primes.
use crate::sys as ffi;

use crate::bignum::Number;
use crate::errors::{self, with_code};
use crate::functions::functions;
use crate::sys;
use crate::values::{Bytes, Outcome, Target};

fn fill(target: &mut [u8]) -> Outcome<()> {
    // OpenSSL accepts the range of an int at a time.
    for part in target.chunks_mut(i32::MAX as usize) {
        // SAFETY: the chunk has the given size.
        if unsafe { ffi::RAND_bytes(part.as_mut_ptr(), part.len() as i32) } != 1 {
            return Err(errors::take_queued("Random bytes are not available"));
        }
    }
    Ok(())
}

fn random_bytes(size: usize) -> Outcome<Vec<u8>> {
    let mut bytes = vec![0; size];
    fill(&mut bytes).map(|()| bytes)
}

/// Fills part of a writable buffer.
fn random_fill(target: Target, offset: usize, size: usize) -> Outcome<()> {
    let part = target.0.get_mut(offset..offset.saturating_add(size));
    fill(part.ok_or_else(|| errors::error("RangeError", "the range lies outside of the buffer"))?)
}

/// Refuses options that no prime can satisfy.
fn prime_options(bits: i32, safe: bool, add: Option<Bytes>, rem: Option<Bytes>) -> Outcome<()> {
    let _ = safe;
    let Some(add) = add.map(Number::from_bytes) else { return Ok(()) };
    // No prime exists if add is larger than it; a remainder is always less than add.
    if add.bits() > bits {
        return Err(with_code("RangeError", "ERR_OUT_OF_RANGE", "invalid options.add"));
    }
    if rem.is_some_and(|bytes| !Number::from_bytes(bytes).is_less_than(&add)) {
        return Err(with_code("RangeError", "ERR_OUT_OF_RANGE", "invalid options.rem"));
    }
    Ok(())
}

/// A prime of `bits`, big-endian.
fn prime_generate(bits: i32, safe: bool, add: Option<Bytes>, rem: Option<Bytes>) -> Outcome<Vec<u8>> {
    let add = add.map(Number::from_bytes);
    let rem = rem.map(Number::from_bytes);
    let result = {
        let prime = Number::new();
        let pointer =
            |number: &Option<Number>| number.as_ref().map_or(std::ptr::null(), |number| number.0.cast_const());
        // SAFETY: the numbers are live.
        let done = unsafe {
            sys::BN_generate_prime_ex2(
                prime.0,
                bits,
                safe.into(),
                pointer(&add),
                pointer(&rem),
                std::ptr::null_mut(),
                bn_ctx().0,
            )
        };
        if done == 1 {
            Ok(prime.to_padded(bits as usize / 8 + usize::from(bits % 8 != 0)))
        } else {
            Err(errors::take_queued("No prime was found"))
        }
    }?;
    Ok(result)
}

pub struct Context(pub *mut ffi::BN_CTX);

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: this value owns the object, which is freed once.
        unsafe { ffi::BN_CTX_free(self.0) }
    }
}

pub fn bn_ctx() -> Context {
    // SAFETY: the call creates an object.
    Context(unsafe { ffi::BN_CTX_new() })
}

/// Fails if a number is too long for OpenSSL.
fn prime_candidate(candidate: Bytes) -> Outcome<()> {
    errors::clear();
    match Number::try_from_bytes(candidate) {
        Some(_) => Ok(()),
        None => Err(errors::take_queued("bignum too long")),
    }
}

fn prime_check(candidate: Bytes) -> bool {
    let number = Number::from_bytes(candidate);
    // SAFETY: the numbers are live.
    let answer = unsafe { sys::BN_check_prime(number.0, bn_ctx().0, std::ptr::null_mut()) };
    answer == 1
}

fn timing_safe_equal(left: Bytes, right: Bytes) -> bool {
    // SAFETY: both have the given size; the caller compared sizes.
    left.len() == right.len()
        && unsafe { ffi::CRYPTO_memcmp(left.as_ptr().cast(), right.as_ptr().cast(), left.len()) } == 0
}

functions!(random_bytes, random_fill, prime_generate, prime_options, prime_check, prime_candidate, timing_safe_equal);
