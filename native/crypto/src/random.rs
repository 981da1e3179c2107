//! Random bytes and primes.
use crate::sys as ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::bignum::Number;
use crate::errors::{self, coded};
use crate::input::{Bytes, unlocked};
use crate::sys;

fn fill(target: &mut [u8]) -> PyResult<()> {
    // OpenSSL takes an int's worth at a time.
    for part in target.chunks_mut(i32::MAX as usize) {
        // SAFETY: the chunk has the size that is told.
        if unsafe { ffi::RAND_bytes(part.as_mut_ptr(), part.len() as i32) } != 1 {
            return Err(errors::queued("Random bytes are not available"));
        }
    }
    Ok(())
}

#[pyfunction]
fn random_bytes<'py>(py: Python<'py>, size: usize) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, size, fill)
}

/// Fill part of a writable buffer.
#[pyfunction]
fn random_fill(target: pyo3::buffer::PyBuffer<u8>, offset: usize, size: usize) -> PyResult<()> {
    if target.readonly() || offset.saturating_add(size) > target.len_bytes() {
        return Err(pyo3::exceptions::PyIndexError::new_err("the range lies outside of the buffer"));
    }
    if size == 0 {
        return Ok(());
    }
    // SAFETY: the range was checked; the buffer is held, and JavaScript does not run meanwhile.
    fill(unsafe { std::slice::from_raw_parts_mut((target.buf_ptr() as *mut u8).add(offset), size) })
}

/// Refuse options that no prime can meet.
#[pyfunction]
#[pyo3(signature = (bits, safe, add=None, rem=None))]
fn prime_options(bits: i32, safe: bool, add: Option<Bytes>, rem: Option<Bytes>) -> PyResult<()> {
    let _ = safe;
    let Some(add) = add.map(|bytes| Number::from_bytes(&bytes)) else { return Ok(()) };
    // No prime is found where add is larger than it; a remainder is always less than add.
    if add.bits() > bits {
        return Err(coded("RangeError", "ERR_OUT_OF_RANGE", "invalid options.add"));
    }
    if rem.is_some_and(|bytes| !Number::from_bytes(&bytes).is_less_than(&add)) {
        return Err(coded("RangeError", "ERR_OUT_OF_RANGE", "invalid options.rem"));
    }
    Ok(())
}

/// A prime of `bits`, big-endian.
#[pyfunction]
#[pyo3(signature = (bits, safe, add=None, rem=None))]
fn prime_generate<'py>(
    py: Python<'py>,
    bits: i32,
    safe: bool,
    add: Option<Bytes>,
    rem: Option<Bytes>,
) -> PyResult<Bound<'py, PyBytes>> {
    let add = add.map(|bytes| Number::from_bytes(&bytes));
    let rem = rem.map(|bytes| Number::from_bytes(&bytes));
    let result = unlocked(py, || {
        let prime = Number::new();
        let pointer =
            |number: &Option<Number>| number.as_ref().map_or(std::ptr::null(), |number| number.0.cast_const());
        // SAFETY: live numbers.
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
            Err(errors::queued("No prime was found"))
        }
    })?;
    Ok(PyBytes::new(py, &result))
}

pub struct Context(pub *mut ffi::BN_CTX);

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: ours.
        unsafe { ffi::BN_CTX_free(self.0) }
    }
}

pub fn bn_ctx() -> Context {
    // SAFETY: makes one.
    Context(unsafe { ffi::BN_CTX_new() })
}

/// Raise where a number is too long for OpenSSL.
#[pyfunction]
fn prime_candidate(candidate: Bytes) -> PyResult<()> {
    errors::clear();
    match Number::try_from_bytes(&candidate) {
        Some(_) => Ok(()),
        None => Err(errors::queued("bignum too long")),
    }
}

#[pyfunction]
fn prime_check(py: Python<'_>, candidate: Bytes) -> bool {
    let number = Number::from_bytes(&candidate);
    // SAFETY: live numbers.
    unlocked(py, || unsafe { sys::BN_check_prime(number.0, bn_ctx().0, std::ptr::null_mut()) } == 1)
}

#[pyfunction]
fn timing_safe_equal(left: Bytes, right: Bytes) -> bool {
    // SAFETY: both have the size that is told; the caller compared sizes.
    left.len() == right.len()
        && unsafe { ffi::CRYPTO_memcmp(left.as_ptr().cast(), right.as_ptr().cast(), left.len()) } == 0
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(random_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(random_fill, module)?)?;
    module.add_function(wrap_pyfunction!(prime_generate, module)?)?;
    module.add_function(wrap_pyfunction!(prime_options, module)?)?;
    module.add_function(wrap_pyfunction!(prime_check, module)?)?;
    module.add_function(wrap_pyfunction!(prime_candidate, module)?)?;
    module.add_function(wrap_pyfunction!(timing_safe_equal, module)?)
}
