//! V8, hosted: the only place that knows its symbols and layouts. `rt_supervisor/_native.pyi` documents the Python
//! side.
//!
//! No raw pointer of V8 leaves this module except for `addons`, which calls the functions of `api` itself; no handle
//! outlives its scope, and no panic crosses the border. Every engine belongs to the thread that created it; JavaScript
//! runs there without the GIL.
//!
//! A room in here uses only the rooms after it: `inspector`, `engine`, then `start`, `natives`, `vm`, `heap` and
//! `clone`, then `modules`, `values`, `api`.
use pyo3::prelude::*;

pub mod api;
mod clone;
mod engine;
pub mod heap;
mod inspector;
mod modules;
mod natives;
mod start;
mod values;
mod vm;

pub use api::layout::{CallbackInfo, VERSION};
pub use api::loaded_libraries::visit_until as visit_libraries_until;
pub use clone::packet::Packet;
pub use engine::class::Engine;
pub use engine::context::{Fresh, open};
pub use engine::host_table::{HostTable, Operations, install as install_host_table};
pub use engine::{ahead, early};
pub use modules::code_cache::{CodeOwner, owner_of_module};
pub use modules::graph::{Data as ModuleData, ModuleRequest};
pub use modules::module::{
    JsModule, compile_known, evaluate, has_await, instantiate, is_evaluated, is_evaluating, is_graph_async,
    is_unlinked, namespace,
};
pub use modules::script::compile_function_with_code;
pub use modules::synthetic::{module_of_view, set_export_of};
pub use modules::{code_pack, library_code};
pub use start::limits::has_spare_threads;
pub use start::memory;
pub use values::buffer::with_bytes;
pub use values::clock::clock_ms;
pub use values::error::is_stopped;
pub use values::function::{Call, HostOperation, Natives, guarded, make as make_function};
pub use values::object::{JsObject, wrap};
pub use values::plain::PinnedBytes;
pub use values::plain_values::Plain;
pub use values::promise::JsPromise;
pub use values::scope::{Global, HandleScope, Local, Scope, without_gil};
pub use values::signals::{watch_signals, with_signals_blocked};
pub use values::state::State;
pub use values::value::{to_js, to_python};
pub use values::{buffer, interrupt, promise, rows, tasks, value};

/// Host functions that only the binding can implement.
pub const NATIVES: &[Natives] = &[
    clone::NATIVES,
    inspector::async_tasks::NATIVES,
    inspector::console_calls::NATIVES,
    modules::script_hooks::NATIVES,
    values::lazy_values::NATIVES,
    values::promise_hooks::NATIVES,
    vm::NATIVES,
    heap::collections::NATIVES,
    heap::fatal_report::NATIVES,
    heap::near_limit::NATIVES,
    heap::query::NATIVES,
    natives::bytes_text::NATIVES,
    natives::introspection::NATIVES,
    natives::kind_tests::NATIVES,
    natives::running::NATIVES,
    natives::text::NATIVES,
];

/// As `NATIVES`, but called through the trampoline.
pub const OPERATIONS: [Operations; 3] =
    [heap::statistics::OPERATIONS, natives::file_buffers::OPERATIONS, natives::thrown::OPERATIONS];

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    api::register(module)?;
    start::register(module)?;
    values::register(module)?;
    modules::register(module)?;
    inspector::register(module)?;
    engine::register(module)
}
