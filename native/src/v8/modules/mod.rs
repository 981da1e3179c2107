//! Compiled code: scripts, functions and ES modules, and V8's code cache for them.
//!
//! `crate::modules` owns the module graph (resolution, loading, transpiling). This room compiles, links and evaluates
//! modules, and answers V8's callbacks for `import()` and `import.meta`.
use pyo3::prelude::*;

pub mod code_cache;
pub mod code_pack;
pub mod graph;
pub mod import_hooks;
pub mod library_code;
pub mod module;
pub mod script;
pub mod script_hooks;
pub mod synthetic;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    self::module::register(module)
}
