//! Processes that carry a mark, for Python; what a mark is stands in `rt_start::marked`.
use std::time::Duration;

use pyo3::prelude::*;
use rt_start::marked;

#[pyfunction]
fn signal_marked(py: Python<'_>, mark: u64, signal: i32, outside_group: i32) -> usize {
    py.detach(|| marked::sweep(mark, signal, outside_group))
}

#[pyfunction]
fn end_marked(py: Python<'_>, mark: u64, deadline_s: f64) -> bool {
    py.detach(|| marked::end(mark, Duration::from_secs_f64(deadline_s)))
}

#[pyfunction]
fn is_gone(pid: i32) -> bool {
    marked::is_gone(pid)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(signal_marked, module)?)?;
    module.add_function(wrap_pyfunction!(end_marked, module)?)?;
    module.add_function(wrap_pyfunction!(is_gone, module)?)
}
