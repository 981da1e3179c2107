//! Digests of parts whose borders count: what the keys of tasks are, for Python.
use blake2::digest::consts::U20;
use blake2::{Blake2b, Digest};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

/// See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (*parts))]
fn digest_of(parts: &Bound<'_, PyTuple>) -> PyResult<String> {
    let mut hasher = Blake2b::<U20>::new();
    let mut bytes = Vec::new();
    for part in parts.iter_borrowed() {
        bytes.clear();
        append_part(&mut bytes, &part)?;
        hasher.update(format!("{}:", bytes.len()));
        hasher.update(&bytes);
    }
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    Ok(hasher.finalize().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect())
}

fn append_part(bytes: &mut Vec<u8>, part: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(text) = part.cast::<PyString>() {
        return append_text(bytes, text);
    }
    if let Ok(data) = part.cast::<PyBytes>() {
        bytes.extend_from_slice(data.as_bytes());
        return Ok(());
    }
    for (place, (name, value)) in part.cast::<PyDict>()?.iter().enumerate() {
        if place > 0 {
            bytes.push(0);
        }
        append_text(bytes, name.cast()?)?;
        bytes.push(0);
        append_text(bytes, value.cast()?)?;
    }
    Ok(())
}

/// Appends a text, or the name of a file, which may have bytes that are not UTF-8.
pub fn append_text(bytes: &mut Vec<u8>, text: &Bound<'_, PyString>) -> PyResult<()> {
    if let Ok(text) = text.to_str() {
        bytes.extend_from_slice(text.as_bytes());
        return Ok(());
    }
    let encoded = text.call_method1("encode", ("utf-8", "surrogateescape"))?;
    bytes.extend_from_slice(encoded.cast::<PyBytes>()?.as_bytes());
    Ok(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(digest_of, module)?)
}
