//! The files of a workspace below one folder, for Python: a slice of the sorted listing, with what is known of each file.
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

/// See `_native.pyi`.
#[pyfunction]
fn known_below<'py>(
    paths: &Bound<'py, PyTuple>,
    known: &Bound<'py, PyDict>,
    folder: &str,
    also: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let found = PyDict::new(paths.py());
    let Some(start) = place(paths, 0, &format!("{folder}/"))? else { return Ok(None) };
    let Some(end) = place(paths, start, &format!("{folder}0"))? else { return Ok(None) }; // "0" follows "/"
    let Ok(extra) = also.to_str() else { return Ok(None) };
    let mut is_extra_missing = true;
    for path in paths.iter().skip(start).take(end - start) {
        if is_extra_missing {
            let text = path.cast::<PyString>()?;
            let Ok(text) = text.to_str() else { return Ok(None) };
            is_extra_missing = text < extra;
            if text > extra && !add(&found, known, also)? {
                return Ok(None);
            }
        }
        if !add(&found, known, &path)? {
            return Ok(None);
        }
    }
    let is_complete = !is_extra_missing || add(&found, known, also)?;
    Ok(is_complete.then_some(found))
}

/// Adds what is known of `path`. Returns whether that is something.
fn add(found: &Bound<'_, PyDict>, known: &Bound<'_, PyDict>, path: &Bound<'_, PyAny>) -> PyResult<bool> {
    match known.get_item(path)? {
        Some(value) if !value.is_none() => found.set_item(path, value).map(|()| true),
        _ => Ok(false),
    }
}

/// The place of the first of the sorted `paths` from `start` on that is not less than `wanted`; None if one of those on the way is not
/// valid Unicode, which bytes do not order as Python does.
fn place(paths: &Bound<'_, PyTuple>, start: usize, wanted: &str) -> PyResult<Option<usize>> {
    let (mut low, mut high) = (start, paths.len());
    while low < high {
        let middle = low.midpoint(high);
        let path = paths.get_borrowed_item(middle)?;
        let path = path.cast::<PyString>()?;
        let Ok(path) = path.to_str() else { return Ok(None) };
        if path < wanted { low = middle + 1 } else { high = middle }
    }
    Ok(Some(low))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(known_below, module)?)
}
