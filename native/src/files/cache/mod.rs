//! Files that rt keeps between runs and later loads as code: who may have written them, and how they come to be whole.
//!
//! A folder is used only if nobody but this user and root can have put anything there (`trust`); a file appears whole,
//! under a name that cannot be guessed before (`draft`). Where the cache is, and what it holds, is Python's to say.
use pyo3::prelude::*;

pub mod draft;
pub mod mapped;
pub mod trust;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    trust::register(module)?;
    draft::register(module)
}
