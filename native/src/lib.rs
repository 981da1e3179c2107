//! `rt_supervisor._native`: the operations that a measurement moved out of Python.
//!
//! Each module owns one idea and registers its own functions; `rt_supervisor/_native.pyi` is the
//! documentation of the whole surface. No panic and no raw pointer crosses this border.
use pyo3::prelude::*;

mod globs;
mod identities;
mod manifest_text;
mod manifests;
mod packages;
mod process;
mod spawner;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    globs::register(module)?;
    identities::register(module)?;
    manifests::register(module)?;
    packages::register(module)?;
    process::register(module)?;
    spawner::register(module)?;
    module.add("IS_DEBUG_BUILD", cfg!(debug_assertions))?;
    Ok(())
}
