//! V8, hosted: the only place that knows its C++. `rt_supervisor/_native.pyi` documents what Python sees of it.
//!
//! Nothing of V8 leaks past this module: no raw pointers, no handle that outlives its scope, no panic across the border.
//! Every engine belongs to the thread that made it; JavaScript runs there without the GIL.
use pyo3::prelude::*;

mod ahead;
mod api;
mod buffer;
mod clone;
mod clone_node;
mod context;
mod engine;
mod error;
mod function;
mod heap;
mod import_hooks;
mod inspector;
mod inspector_client;
mod interrupt;
mod layout;
mod module;
mod module_graph;
mod natives;
mod object;
mod promise;
mod scope;
mod script;
mod share;
mod signals;
mod snapshot;
mod stack;
mod start;
mod state;
mod synthetic;
mod tasks;
mod value;
mod weak;

pub use value::null;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    start::register(module)?;
    ahead::register(module)?;
    value::register(module)?;
    object::register(module)?;
    function::register(module)?;
    buffer::register(module)?;
    promise::register(module)?;
    error::register(module)?;
    weak::register(module)?;
    script::register(module)?;
    self::module::register(module)?;
    inspector::register(module)?;
    signals::register(module)?;
    snapshot::register(module)?;
    engine::register(module)
}
