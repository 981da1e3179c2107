//! Digests of parts whose borders count, which the keys of tasks are, and of the contents of files, for Python.
use std::fs::File;
use std::io::{Read, Result};
use std::path::PathBuf;

use blake2::digest::consts::U20;
use blake2::{Blake2b, Digest};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use sha1::Sha1;

/// Files up to this size are read at once.
const BLOCK: usize = 1 << 20;

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
    Ok(hexadecimal(&hasher.finalize()))
}

/// See `_native.pyi`.
#[pyfunction]
fn content_digest(data: &[u8]) -> String {
    hexadecimal(&Blake2b::<U20>::digest(data))
}

/// See `_native.pyi`.
#[pyfunction]
fn blob_digest(data: &[u8]) -> String {
    hexadecimal(&blob(data.len() as u64).chain_update(data).finalize())
}

/// See `_native.pyi`.
#[pyfunction]
fn blob_digest_of(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    Ok(py.detach(|| digest_file(&File::open(&path)?))?)
}

fn digest_file(mut file: &File) -> Result<String> {
    let size = file.metadata()?.len();
    let mut block = Vec::with_capacity(usize::try_from(size).map_or(BLOCK, |size| size.min(BLOCK)) + 1);
    if size <= BLOCK as u64 {
        file.read_to_end(&mut block)?;
        return Ok(blob_digest(&block));
    }
    let mut hasher = blob(size);
    while file.take(BLOCK as u64).read_to_end(&mut block)? > 0 {
        hasher.update(&block);
        block.clear();
    }
    Ok(hexadecimal(&hasher.finalize()))
}

/// The digest of git's blobs, which begins with the size of the content.
fn blob(size: u64) -> Sha1 {
    Sha1::new().chain_update(format!("blob {size}\0"))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
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
    module.add_function(wrap_pyfunction!(digest_of, module)?)?;
    module.add_function(wrap_pyfunction!(content_digest, module)?)?;
    module.add_function(wrap_pyfunction!(blob_digest, module)?)?;
    module.add_function(wrap_pyfunction!(blob_digest_of, module)?)
}
