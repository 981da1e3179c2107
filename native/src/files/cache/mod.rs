//! Files that rt stores between runs and later loads as code: who may have written them, and how they are written.
//!
//! A folder is used only if no user except this one and root can have written to it (`trust`); files are replaced
//! atomically under unpredictable names (`draft`). Python decides where the cache is and what it holds.
use pyo3::prelude::*;

pub mod draft;
pub mod mapped;
pub mod trust;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    trust::register(module)?;
    draft::register(module)
}
