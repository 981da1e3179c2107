//! V8's inspector: debugger sessions that speak the Chrome DevTools Protocol.
use pyo3::prelude::*;

pub mod async_tasks;
pub mod client;
pub mod console_calls;
pub mod sessions;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    sessions::register(module)
}
