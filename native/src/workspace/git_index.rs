//! The entries of git's index as `git ls-files -z -s -v` prints them: tag, mode, digest, stage, tab, path. For Python.
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

const GITLINK: &[u8] = b"160000 ";
const TAG: usize = 2; // bytes before the mode: one for the state of the entry, and a space
const STAGE: usize = 2; // bytes after the digest

/// See `_native.pyi`.
#[pyfunction]
fn parse_git_index<'py>(py: Python<'py>, data: &[u8]) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyList>)> {
    let (files, folders) = (PyDict::new(py), PyList::empty(py));
    for entry in data.split(|&byte| byte == 0) {
        let Some(tab) = memchr::memchr(b'\t', entry) else { continue };
        let (head, path) = (&entry[..tab], text(py, &entry[tab + 1..])?);
        let about = head.get(TAG..head.len().saturating_sub(STAGE)).unwrap_or_default();
        if about.starts_with(GITLINK) {
            folders.append(path)?;
        } else if head.first() != Some(&b'H') || files.contains(&path)? {
            files.set_item(path, py.None())?; // not compared with the working tree, or unmerged
        } else {
            files.set_item(path, text(py, about)?)?;
        }
    }
    Ok((files, folders))
}

/// Text in which bytes that are not UTF-8 are escaped, as in the names of files in Python.
fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(PyString::new(py, text)),
        Err(_) => PyString::from_encoded_object(
            &pyo3::types::PyBytes::new(py, bytes),
            Some(c"utf-8"),
            Some(c"surrogateescape"),
        ),
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse_git_index, module)?)
}
