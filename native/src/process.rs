//! Process primitives that Python's standard library lacks or pays too much for.
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// Make the calling process the one that orphans of its descendants are handed to (`PR_SET_CHILD_SUBREAPER`).
#[pyfunction]
fn become_subreaper() -> PyResult<()> {
    // SAFETY: prctl with this option reads only its integer arguments.
    let result = unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
    if result == 0 { Ok(()) } else { Err(PyOSError::new_err(std::io::Error::last_os_error())) }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(become_subreaper, module)?)
}
