//! The folder of the runtime's own files, which Python chooses.
use std::path::PathBuf;

use pyo3::prelude::*;

use crate::v8::modules::library_code;

/// Reads files of the runtime from `folder` without Python.
#[pyfunction]
fn use_library(folder: PathBuf) {
    library_code::set_library(folder);
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(use_library, module)?)
}
