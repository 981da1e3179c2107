//! Detecting changes of files and folders: one stat each, many in one call.
//!
//! An identity consists of device, inode, size and both change times, or records that nothing exists. For a folder the
//! times show whether entries were added or removed.
use std::ffi::{OsStr, OsString};
use std::hash::{DefaultHasher, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rt_guardian::system::environment;
use rt_wire::evidence;

/// Seven 8-byte numbers; all zero if nothing exists.
const SIZE: usize = 7 * 8;
type Identity = [u8; SIZE];

const SECOND: i64 = 1_000_000_000;

/// The identity of `path`, and the time in ns since the epoch of its last change of any kind.
fn identity(path: &Path) -> (Identity, i64) {
    let mut result = [0; SIZE];
    let Ok(about) = std::fs::metadata(path) else { return (result, 0) };
    let numbers = [
        about.dev() as i64,
        about.ino() as i64,
        about.size() as i64,
        about.mtime(),
        about.mtime_nsec(),
        about.ctime(),
        about.ctime_nsec(),
    ];
    for (place, number) in result.chunks_exact_mut(8).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    let modified = about.mtime().saturating_mul(SECOND).saturating_add(about.mtime_nsec());
    let changed = about.ctime().saturating_mul(SECOND).saturating_add(about.ctime_nsec());
    (result, modified.max(changed))
}

#[pyfunction]
fn identify<'py>(py: Python<'py>, paths: Vec<OsString>, settled_ns: i64) -> Option<Bound<'py, PyBytes>> {
    let identities = py.detach(|| {
        let mut all = Vec::with_capacity(paths.len() * (SIZE + 64));
        for path in &paths {
            let (identity, changed_ns) = identity(Path::new(path));
            // A file system with timestamps in whole seconds cannot distinguish two changes within one second.
            let coarse_ns = if changed_ns % SECOND == 0 { 2 * SECOND } else { 0 };
            if changed_ns.saturating_add(coarse_ns) >= settled_ns {
                return None;
            }
            all.extend_from_slice(&(path.len() as u32).to_le_bytes());
            all.extend_from_slice(path.as_bytes());
            all.extend_from_slice(&identity);
        }
        Some(all)
    })?;
    Some(PyBytes::new(py, &identities))
}

#[pyfunction]
fn is_unchanged(py: Python<'_>, identities: &[u8]) -> bool {
    py.detach(|| {
        let mut rest = identities;
        while !rest.is_empty() {
            let Some((path, kept, after)) = next_entry(rest) else { return false };
            if identity(Path::new(OsStr::from_bytes(path))).0 != kept {
                return false;
            }
            rest = after;
        }
        true
    })
}

/// See `_native.pyi`; `rt_wire::evidence` defines identities.
#[pyfunction]
fn identify_evidence<'py>(py: Python<'py>, paths: Vec<Vec<u8>>, settled_ns: i64) -> Option<Bound<'py, PyBytes>> {
    evidence::identify(&paths, settled_ns).map(|identities| PyBytes::new(py, &identities))
}

/// See `_native.pyi`.
#[pyfunction]
fn evident_variables() -> Vec<Vec<u8>> {
    evidence::families(&environment())
}

fn next_entry(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (length, rest) = bytes.split_at_checked(4)?;
    let (path, rest) = rest.split_at_checked(u32::from_le_bytes(length.try_into().ok()?) as usize)?;
    let (kept, rest) = rest.split_at_checked(SIZE)?;
    Some((path, kept, rest))
}

/// A checksum against accidental damage, not against attacks.
#[pyfunction]
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(checksum, module)?)?;
    module.add_function(wrap_pyfunction!(evident_variables, module)?)?;
    module.add_function(wrap_pyfunction!(identify_evidence, module)?)?;
    module.add_function(wrap_pyfunction!(identify, module)?)?;
    module.add_function(wrap_pyfunction!(is_unchanged, module)?)
}
