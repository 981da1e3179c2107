//! Whether only this user can have written a folder or file, for Python; `rt_wire::trust` has the rules.
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use pyo3::prelude::*;
pub use rt_wire::trust::{flaw, open_own};

#[pyfunction]
fn cache_flaw(folder: PathBuf) -> Option<(PathBuf, Option<u32>)> {
    flaw(&folder)
}

#[pyfunction]
fn cache_holds(path: PathBuf, size: u64, mtime_ns: i64) -> bool {
    let about = open_own(&path).and_then(|file| file.metadata());
    about.is_ok_and(|about| {
        about.len() == size && about.mtime().saturating_mul(1_000_000_000) + about.mtime_nsec() == mtime_ns
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(cache_flaw, module)?)?;
    module.add_function(wrap_pyfunction!(cache_holds, module)?)
}
