//! `rt_supervisor._native`: everything that is native because a measurement called for it.
//!
//! Each module owns one idea and registers its own functions; `rt_supervisor/_native.pyi` documents the Python side. No
//! panic and no raw pointer crosses that border.
use pyo3::prelude::*;

mod addons;
mod children;
mod crypto;
mod emulator;
mod event_loop;
mod files;
mod fs;
mod host;
mod html;
mod http;
mod inspecting;
mod interpreter;
mod modules;
mod net;
mod processes;
mod program;
mod repl;
mod resolve;
mod rt_global;
mod sqlite;
mod system;
mod transform;
mod v8;
mod workspace;
mod zlib;

#[used]
#[unsafe(link_section = ".init_array")]
static LOADED: extern "C" fn() = loaded;

/// Called by the loader each time this library is loaded into a process, before Python calls `_native`.
extern "C" fn loaded() {
    host::install();
    v8::early::begin();
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    children::register(module)?;
    emulator::register(module)?;
    event_loop::register(module)?;
    files::cache::register(module)?;
    fs::register(module)?;
    files::digests::register(module)?;
    files::identities::register(module)?;
    files::outputs::register(module)?;
    files::stamps::register(module)?;
    files::permission::register(module)?;
    html::register(module)?;
    inspecting::register(module)?;
    modules::register(module)?;
    processes::register(module)?;
    program::register(module)?;
    resolve::register(module)?;
    rt_global::register(module)?;
    transform::register(module)?;
    v8::register(module)?;
    workspace::register(module)?;
    zlib::register(module)?;
    interpreter::register(module)?;
    #[cfg(feature = "debug_logs")]
    interpreter::debug_logs::register(module)?;
    #[cfg(feature = "planted_errors")]
    interpreter::planted_errors::register(module)?;
    let mut operations = host::operation_names();
    operations.extend(program::operation_names());
    operations.extend(modules::OPERATIONS.iter().map(|(name, _)| *name));
    module.add("HOST_OPERATIONS", operations)?;
    module.add("IS_DEBUG_BUILD", cfg!(debug_assertions))?;
    Ok(())
}
