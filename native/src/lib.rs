//! `rt_supervisor._native`: the operations that a measurement moved out of Python.
//!
//! Each module owns one idea and registers its own functions; `rt_supervisor/_native.pyi` is the
//! documentation of the whole surface. No panic and no raw pointer crosses this border.
use pyo3::prelude::*;

mod graph;
mod paths;
mod process;
mod resolve;
mod transform;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    graph::register(module)?;
    process::register(module)?;
    transform::register(module)?;
    resolve::register(module)
}
