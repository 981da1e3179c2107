//! `rt_supervisor._native`: the operations that a measurement moved out of Python.
//!
//! Each module owns one idea and registers its own functions; `rt_supervisor/_native.pyi` is the
//! documentation of the whole surface. No panic and no raw pointer crosses this border.
use pyo3::prelude::*;

mod process;
mod v8;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    v8::register(module)?;
    process::register(module)
}
