//! `rt_supervisor._native`: the operations that a measurement moved out of Python.
//!
//! Each module owns one idea and registers its own functions; `rt_supervisor/_native.pyi` is the
//! documentation of the whole surface. No panic and no raw pointer crosses this border.
use pyo3::prelude::*;

mod addons;
mod event_loop;
mod files;
mod fs;
mod http;
mod inspecting;
mod modules;
mod processes;
mod resolve;
mod rt_global;
mod sqlite;
mod transform;
mod v8;
mod workspace;
mod zlib;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    event_loop::register(module)?;
    files::cache::register(module)?;
    fs::register(module)?;
    files::identities::register(module)?;
    inspecting::register(module)?;
    modules::register(module)?;
    processes::register(module)?;
    resolve::register(module)?;
    rt_global::register(module)?;
    transform::register(module)?;
    v8::register(module)?;
    workspace::register(module)?;
    zlib::register(module)?;
    module.add("IS_DEBUG_BUILD", cfg!(debug_assertions))?;
    Ok(())
}
