//! How much memory this process may use: the machine's, or what its control group and those above it allow.
use pyo3::prelude::*;

use super::control_groups;

/// In bytes. V8 chooses its limits by it.
pub fn available() -> u64 {
    // SAFETY: sysconf only returns numbers.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    let whole = (pages.max(0) as u64).saturating_mul(size.max(0) as u64);
    let allowed = control_groups::groups("memory")
        .into_iter()
        .filter_map(|group| group.figure(if group.is_first_version { "memory.limit_in_bytes" } else { "memory.max" }));
    allowed.fold(whole, u64::min)
}

/// How large a heap may grow, of `most` bytes: `library.heap_limit_bytes` in Python says why.
pub fn largest_heap(most: u64) -> usize {
    most.min(available() / 2) as usize
}

#[pyfunction]
fn largest_heap_bytes(py: Python<'_>, most: u64) -> usize {
    py.detach(|| largest_heap(most))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(largest_heap_bytes, module)?)
}
