//! The memory available to this process: the machine's, or the limit of its control group and that group's ancestors.
use std::path::Path;
use std::sync::OnceLock;

use pyo3::prelude::*;

use super::control_groups;

const NO_LIMIT: u64 = 1 << 62; // version 1 of control groups writes a larger number for no limit

/// The memory available to this process in bytes, from which V8 derives its limits. It is read once, so all engines of
/// a process have the same limits.
pub fn available() -> u64 {
    static AVAILABLE: OnceLock<u64> = OnceLock::new();
    *AVAILABLE.get_or_init(read)
}

fn read() -> u64 {
    // SAFETY: sysconf only returns numbers.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    let whole = (pages.max(0) as u64).saturating_mul(size.max(0) as u64);
    limit().map_or(whole, |allowed| allowed.min(whole))
}

/// The smallest limit in bytes of this process's control group and its ancestors.
pub fn limit() -> Option<u64> {
    let figures = control_groups::groups(Path::new(control_groups::GROUPS), "memory").into_iter().flat_map(|group| {
        let files: &[_] =
            if group.is_first_version { &["memory.limit_in_bytes"] } else { &["memory.max", "memory.high"] };
        files.iter().filter_map(|file| group.figure(file)).collect::<Vec<_>>()
    });
    figures.filter(|bytes| *bytes < NO_LIMIT).min()
}

/// The heap limit in bytes, at most `most`; see `library.heap_limit_bytes` in Python.
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
