//! Whether outputs of tasks are on the disk as rt left them, for Python.
use std::ffi::CStr;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::digests::append_text;

/// Inode, mode, size, and the times of the last change of content and of status.
type Identity = (u64, u32, i64, i64, i64);

/// See `_native.pyi`.
#[pyfunction]
fn are_outputs_present(
    root: &Bound<'_, PyString>,
    outputs: &Bound<'_, PyDict>,
    folder_kind: &Bound<'_, PyString>,
) -> PyResult<bool> {
    let mut path = Vec::new();
    for (name, known) in outputs.iter() {
        let (output, known): (Bound<'_, PyAny>, Identity) = known.extract()?;
        path.clear();
        append_text(&mut path, root)?;
        path.push(b'/');
        append_text(&mut path, name.cast()?)?;
        path.push(0);
        let Some(found) = CStr::from_bytes_with_nul(&path).ok().and_then(identity_of) else { return Ok(false) };
        let is_same = if output.getattr("kind")?.eq(folder_kind)? {
            // The times of a folder change with its contents.
            let mode: u32 = output.getattr("mode")?.extract()?;
            found.1 & libc::S_IFMT == libc::S_IFDIR && found.1 & 0o7777 == mode
        } else {
            found == known
        };
        if !is_same {
            return Ok(false);
        }
    }
    Ok(true)
}

fn identity_of(path: &CStr) -> Option<Identity> {
    // SAFETY: the path ends in NUL, and a structure of zeros is a valid value of the type.
    let about = unsafe {
        let mut about = std::mem::zeroed::<libc::stat>();
        if libc::lstat(path.as_ptr(), &mut about) != 0 {
            return None;
        }
        about
    };
    let ns = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    let changed = ns(about.st_mtime, about.st_mtime_nsec);
    Some((about.st_ino, about.st_mode, about.st_size, changed, ns(about.st_ctime, about.st_ctime_nsec)))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(are_outputs_present, module)?)
}
