//! Debug logs for the tracepoints of Python, which only debug builds install.
use pyo3::prelude::*;
use rt_wire::debug_log;

/// Writes a line if the scope is on. Unknown scopes write nothing.
#[pyfunction]
fn write_debug_log(scope: &str, text: &str) {
    if let Some(scope) = debug_log::scope_named(scope).filter(|scope| debug_log::is_on(*scope)) {
        debug_log::write(scope, format_args!("{text}"));
    }
}

/// Returns whether lines of the scope are written.
#[pyfunction]
fn is_debug_scope_on(scope: &str) -> bool {
    debug_log::scope_named(scope).is_some_and(debug_log::is_on)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(write_debug_log, module)?)?;
    module.add_function(wrap_pyfunction!(is_debug_scope_on, module)?)
}
