//! Memory errors on demand, which show that a build with AddressSanitizer detects those of Rust code.
//!
//! Only debug builds with the sanitizer have the feature `planted_errors`.
use std::hint::black_box;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

const SIZE: usize = 4321;

/// Reads freed memory (`use-after-free`), or loses allocated memory (`leak`).
#[pyfunction]
fn plant_error(kind: &str) -> PyResult<u8> {
    match kind {
        "use-after-free" => Ok(read_freed()),
        "leak" => Ok(lose()),
        _ => Err(PyValueError::new_err("use-after-free or leak")),
    }
}

#[inline(never)]
fn read_freed() -> u8 {
    let bytes = Box::into_raw(vec![1u8; SIZE].into_boxed_slice());
    // SAFETY: there is none. The read is the error that the sanitizer must report.
    unsafe {
        drop(Box::from_raw(black_box(bytes)));
        black_box(bytes).cast::<u8>().read_volatile()
    }
}

#[inline(never)]
fn lose() -> u8 {
    let bytes = black_box(vec![1u8; SIZE].leak());
    bytes[0]
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(plant_error, module)?)
}
