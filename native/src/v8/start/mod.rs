//! Starts V8 once for the process, after checking the system's limits, and ends the process where V8 cannot go on.
use pyo3::prelude::*;

pub mod abandoned;
pub mod control_groups;
pub mod library;
pub mod limits;
pub mod memory;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    library::register(module)?;
    memory::register(module)
}
