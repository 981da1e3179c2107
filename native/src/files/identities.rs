//! Identities of files and folders, checksums, and the constants of cached starts, for Python; the rules are in `rt_wire`.
use std::ffi::OsString;
use std::path::Path;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rt_guardian::system::environment;
use rt_wire::cache_home::cache_home as home;
use rt_wire::{cached_start, dependencies, head_start, program};

/// See `_native.pyi`.
#[pyfunction]
fn identify(py: Python<'_>, paths: Vec<Vec<u8>>, settled_ns: i64) -> Option<Bound<'_, PyBytes>> {
    let identities = py.detach(|| dependencies::identify(&paths, settled_ns))?;
    Some(PyBytes::new(py, &identities))
}

/// See `_native.pyi`.
#[pyfunction]
fn is_unchanged(py: Python<'_>, identities: &[u8]) -> bool {
    py.detach(|| dependencies::is_unchanged(identities))
}

/// See `_native.pyi`.
#[pyfunction]
fn identified_paths<'py>(py: Python<'py>, identities: &[u8]) -> Vec<Bound<'py, PyBytes>> {
    dependencies::paths(identities).iter().map(|path| PyBytes::new(py, path)).collect()
}

/// See `_native.pyi`.
#[pyfunction]
fn existing_paths(paths: Vec<OsString>) -> Vec<OsString> {
    paths.into_iter().filter(|path| Path::new(path).symlink_metadata().is_ok()).collect()
}

/// See `_native.pyi`.
#[pyfunction]
fn deciding_variables(py: Python<'_>) -> Vec<Bound<'_, PyBytes>> {
    dependencies::deciding_variables(&environment()).iter().map(|variable| PyBytes::new(py, variable)).collect()
}

/// See `_native.pyi`.
#[pyfunction]
fn cache_home() -> Option<OsString> {
    home(|name| std::env::var_os(name)).map(OsString::from)
}

/// See `_native.pyi`.
#[pyfunction]
fn split_program(words: Vec<Vec<u8>>, called_as: &[u8]) -> Option<(usize, usize)> {
    program::split(&words, called_as)
}

/// See `_native.pyi`.
#[pyfunction]
fn has_head_start(words: Vec<Vec<u8>>, called_as: &[u8], extensions: Vec<String>) -> bool {
    head_start::is_program(&words, called_as, &extensions) && !head_start::may_save_memory(&words)
}

/// See `_native.pyi`.
#[pyfunction]
pub fn checksum(bytes: &[u8]) -> u64 {
    cached_start::checksum(bytes)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("START_FORMAT", cached_start::FORMAT)?;
    module.add("START_NOTE_BYTES", cached_start::NOTE_BYTES)?;
    module.add("LARGEST_START", cached_start::LARGEST_BYTES)?;
    module.add("START_OF_SCRIPT", cached_start::SCRIPT)?;
    module.add("START_OF_SCRIPTS", cached_start::SCRIPTS)?;
    module.add("START_OF_PROGRAM", cached_start::PROGRAM)?;
    module.add("PROGRAM_QUESTION", PyBytes::new(module.py(), program::QUESTION))?;
    module.add_function(wrap_pyfunction!(cache_home, module)?)?;
    module.add_function(wrap_pyfunction!(checksum, module)?)?;
    module.add_function(wrap_pyfunction!(deciding_variables, module)?)?;
    module.add_function(wrap_pyfunction!(existing_paths, module)?)?;
    module.add_function(wrap_pyfunction!(has_head_start, module)?)?;
    module.add_function(wrap_pyfunction!(identified_paths, module)?)?;
    module.add_function(wrap_pyfunction!(identify, module)?)?;
    module.add_function(wrap_pyfunction!(is_unchanged, module)?)?;
    module.add_function(wrap_pyfunction!(split_program, module)?)
}
