//! V8, hosted: the only place that knows its symbols and layouts. `rt_supervisor/_native.pyi` documents what Python
//! sees of it.
//!
//! No raw pointer of V8 leaves this module but for `addons`, which calls the functions of `api` itself; no handle
//! outlives its scope, no panic crosses the border. Every engine belongs to the thread that made it; JavaScript runs
//! there without the GIL.
use pyo3::prelude::*;

mod abandoned;
pub mod ahead;
pub mod allocator;
pub mod api;
pub mod api_addons;
pub mod blocks;
mod buffer;
mod bytes_text;
mod clone;
mod clone_node;
mod clone_views;
mod clone_wasm;
mod code_cache;
pub mod code_pack;
pub mod collections;
mod console_calls;
pub mod context;
mod control_groups;
pub mod early;
mod engine;
mod engine_hooks;
mod error;
pub mod fatal_report;
mod function;
pub mod heap;
mod heap_query;
mod heap_snapshots;
mod http;
mod http_server;
mod http_server_files;
mod import_hooks;
mod inner;
mod inspector;
mod inspector_client;
pub mod interrupt;
mod kind_tests;
pub mod layout;
mod lazy_values;
pub mod library_code;
mod mapped_files;
mod memory;
mod module;
mod module_graph;
pub mod natives;
mod object;
mod object_copy;
pub mod operations;
mod packet;
pub mod plain;
mod plain_values;
mod prelink;
pub mod promise;
mod promise_hooks;
mod room;
pub mod rows;
mod scope;
mod script;
mod share;
mod signals;
mod snapshot;
mod stack;
mod start;
mod state;
mod strings;
mod symbol_tables;
pub mod synthetic;
mod system_operations;
pub mod tasks;
mod tls;
mod value;
mod vm_contexts;
mod vm_errors;
mod vm_interceptors;
mod vm_modules;
mod vm_queues;
mod vm_scripts;
mod vm_timer;
mod vm_watchdog;
mod weak;

pub use buffer::with_bytes;
pub use code_cache::{CodeOwner, owner_of_module};
pub use context::{Fresh, open};
pub use engine::Engine;
pub use error::is_end;
pub use function::{Call, HostOperation, guarded, make as make_function};
pub use layout::{CallbackInfo, VERSION};
pub use module::{
    JsModule, compile_known, evaluate, instantiate, is_evaluated, is_evaluating, is_graph_async, is_unlinked, namespace,
};
pub use module_graph::{Asked, Data as ModuleData};
pub use object::{JsObject, wrap};
pub use packet::Packet;
pub use plain::Kept;
pub use plain_values::Plain;
pub use promise::JsPromise;
pub use room::has_spare_threads;
pub use scope::{Global, HandleScope, Local, Scope, unlocked};
pub use script::compile_function_with_code;
pub use signals::{watch_signals, with_signals_blocked};
pub use state::State;
pub use synthetic::module_of_view;
pub use value::null;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    start::register(module)?;
    memory::register(module)?;
    ahead::register(module)?;
    value::register(module)?;
    object::register(module)?;
    function::register(module)?;
    buffer::register(module)?;
    promise::register(module)?;
    error::register(module)?;
    weak::register(module)?;
    self::module::register(module)?;
    inspector::register(module)?;
    snapshot::register(module)?;
    library_code::register(module)?;
    prelink::register(module)?;
    engine::register(module)
}
