//! What Python decides about the runtime's own files: their folder, and when V8's code for them is stored.
use std::path::PathBuf;

use pyo3::prelude::*;

use super::class::Engine;
use crate::v8::modules::library_code;

/// Store what the engine has compiled of the runtime for later programs.
#[pyfunction]
fn keep_library_code(engine: &Engine) {
    let state = engine.share();
    if state.check().is_ok() {
        library_code::keep(&state);
    }
}

/// Read files of the runtime from `folder` without Python.
#[pyfunction]
fn use_library(folder: PathBuf) {
    library_code::set_library(folder);
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(keep_library_code, module)?)?;
    module.add_function(wrap_pyfunction!(use_library, module)?)
}
