//! Processes that carry a mark, for Python; what a mark is stands in `rt_start::marked`.
use std::time::Duration;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rt_start::marked;

/// See `_native.pyi`.
#[pyfunction]
fn watch_over(rt: i32, mark: u64) -> PyResult<i32> {
    marked::watch_over(rt, mark).map_err(PyOSError::new_err)
}

#[pyfunction]
fn signal_marked(py: Python<'_>, mark: u64, signal: i32, outside_group: i32) -> usize {
    py.detach(|| marked::sweep(mark, signal, outside_group))
}

#[pyfunction]
fn end_marked(py: Python<'_>, mark: u64, deadline_s: f64) -> bool {
    py.detach(|| marked::end(mark, Duration::from_secs_f64(deadline_s)))
}

#[pyfunction(name = "mark_self")]
fn mark_this_process(mark: u64) -> bool {
    marked::mark_self(mark)
}

#[pyfunction]
fn below_self(py: Python<'_>) -> Vec<i32> {
    py.detach(marked::below_self)
}

#[pyfunction]
fn is_gone(pid: i32) -> bool {
    marked::is_gone(pid)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(watch_over, module)?)?;
    module.add_function(wrap_pyfunction!(signal_marked, module)?)?;
    module.add_function(wrap_pyfunction!(end_marked, module)?)?;
    module.add_function(wrap_pyfunction!(below_self, module)?)?;
    module.add_function(wrap_pyfunction!(is_gone, module)?)?;
    module.add_function(wrap_pyfunction!(mark_this_process, module)?)
}
