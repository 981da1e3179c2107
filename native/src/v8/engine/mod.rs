//! Engines: isolates with a context, created afresh, from a snapshot, or ahead of time on another thread.
//!
//! The functions of the host come from the table in `host_table`; this room does not know them.
use pyo3::prelude::*;

pub mod ahead;
pub mod class;
pub mod context;
pub mod creator;
pub mod early;
pub mod hooks;
pub mod host_table;
pub mod library;
pub mod snapshot;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::register(module)?;
    ahead::register(module)?;
    library::register(module)?;
    snapshot::register(module)
}
