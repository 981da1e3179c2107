//! `rt_supervisor._native`: the operations that a measurement moved out of Python.
//!
//! Each module owns one idea and registers its own functions; `rt_supervisor/_native.pyi` is the
//! documentation of the whole surface. No panic and no raw pointer crosses this border.
use pyo3::prelude::*;

mod colors;
mod fork;
mod globs;
mod graph;
mod hashes;
mod identities;
mod last_words;
mod manifest_text;
mod manifests;
mod packages;
mod passwords;
mod paths;
mod pending;
mod prelink;
mod process;
mod resolve;
mod spawner;
mod transform;
mod v8;
mod yaml;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    colors::register(module)?;
    fork::register(module)?;
    globs::register(module)?;
    graph::register(module)?;
    hashes::register(module)?;
    identities::register(module)?;
    last_words::register(module)?;
    manifests::register(module)?;
    packages::register(module)?;
    passwords::register(module)?;
    prelink::register(module)?;
    process::register(module)?;
    resolve::register(module)?;
    spawner::register(module)?;
    transform::register(module)?;
    v8::register(module)?;
    yaml::register(module)?;
    module.add("IS_DEBUG_BUILD", cfg!(debug_assertions))?;
    Ok(())
}
