//! How much memory this process may use: the machine's, or what its control group and those above it allow.
use std::path::Path;

use pyo3::prelude::*;

const GROUPS: &str = "/sys/fs/cgroup";

/// In bytes. V8 chooses its limits by it.
pub fn available() -> u64 {
    // SAFETY: sysconf only returns numbers.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    let whole = (pages.max(0) as u64).saturating_mul(size.max(0) as u64);
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    groups.lines().filter_map(limit_of).fold(whole, u64::min)
}

/// How large a heap may grow, of `most` bytes: `library.heap_limit_bytes` in Python says why.
pub fn largest_heap(most: u64) -> usize {
    most.min(available() / 2) as usize
}

/// The least limit from a line of /proc/self/cgroup up to the root. The second version of groups has an empty list of
/// controllers there, the first names its own folder. In a container the path may be of the world outside: then the root
/// is the container's.
fn limit_of(line: &str) -> Option<u64> {
    let mut fields = line.splitn(3, ':');
    let (_, controllers, group) = (fields.next()?, fields.next()?, fields.next()?);
    let (root, file) = match controllers {
        "" => (GROUPS.to_owned(), "memory.max"),
        "memory" => (format!("{GROUPS}/memory"), "memory.limit_in_bytes"),
        _ => return None,
    };
    let ancestors = Path::new(group.trim_start_matches('/')).ancestors();
    let limits = ancestors.filter_map(|part| {
        let text = std::fs::read_to_string(Path::new(&root).join(part).join(file)).ok()?;
        text.trim().parse::<u64>().ok()
    });
    limits.min()
}

#[pyfunction]
fn largest_heap_bytes(py: Python<'_>, most: u64) -> usize {
    py.detach(|| largest_heap(most))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(largest_heap_bytes, module)?)
}
