//! Marked processes, for Python; `rt_guardian::marked` defines marks.
use pyo3::prelude::*;
use rt_guardian::child_guard::{self, GRACE};
use rt_guardian::marked;

#[pyfunction]
fn count_marked(py: Python<'_>, mark: u64) -> usize {
    py.detach(|| marked::sweep(mark, 0, 0))
}

#[pyfunction]
fn end_marked(py: Python<'_>, mark: u64) {
    py.detach(|| child_guard::end_marked(mark, GRACE, 0));
}

#[pyfunction]
fn guard_marked(py: Python<'_>, pid: i32, mark: u64) {
    py.detach(|| child_guard::guard(pid, mark));
}

#[pyfunction]
fn is_gone(pid: i32) -> bool {
    marked::is_gone(pid)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(count_marked, module)?)?;
    module.add_function(wrap_pyfunction!(end_marked, module)?)?;
    module.add_function(wrap_pyfunction!(guard_marked, module)?)?;
    module.add_function(wrap_pyfunction!(is_gone, module)?)
}
