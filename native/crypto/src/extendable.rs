//! The Web's digests and MACs of any length: cSHAKE, KMAC, TurboSHAKE and KangarooTwelve (`sponge`), each in one call.
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::plain;
use crate::input::{Bytes, unlocked};
use crate::sponge::{self, Strength};

/// The strength that a name ends with.
fn strength_of(name: &str) -> PyResult<Strength> {
    let bits = if name.ends_with("128") { Some(128) } else { name.ends_with("256").then_some(256) };
    bits.map(Strength).ok_or_else(|| plain(&format!("Digest method {name} is not supported")))
}

fn given<'py>(py: Python<'py>, work: impl FnOnce() -> Vec<u8>) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &unlocked(py, work))
}

#[pyfunction]
fn cshake<'py>(
    py: Python<'py>,
    name: &str,
    data: Bytes,
    function: Bytes,
    custom: Bytes,
    bits: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let strength = strength_of(name)?;
    Ok(given(py, || sponge::cshake(strength, &data, &function, &custom, bits)))
}

#[pyfunction]
fn kmac<'py>(
    py: Python<'py>,
    name: &str,
    key: Bytes,
    key_bits: u64,
    data: Bytes,
    custom: Bytes,
    bits: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let strength = strength_of(name)?;
    Ok(given(py, || sponge::kmac(strength, &key, key_bits, &data, &custom, bits)))
}

#[pyfunction]
fn turboshake<'py>(
    py: Python<'py>,
    name: &str,
    separation: u8,
    data: Bytes,
    size: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let strength = strength_of(name)?;
    Ok(given(py, || sponge::turboshake(strength, separation, &data, size)))
}

#[pyfunction]
fn kangaroo<'py>(
    py: Python<'py>,
    name: &str,
    data: Bytes,
    custom: Bytes,
    size: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let strength = strength_of(name)?;
    Ok(given(py, || sponge::kangaroo(strength, &data, &custom, size)))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(cshake, module)?)?;
    module.add_function(wrap_pyfunction!(kmac, module)?)?;
    module.add_function(wrap_pyfunction!(turboshake, module)?)?;
    module.add_function(wrap_pyfunction!(kangaroo, module)?)
}
