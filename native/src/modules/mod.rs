//! A program's modules: whole graphs read, transpiled and resolved in parallel, then compiled and linked in V8.
//!
//! `graph` reads files, `records` stores the results, `table` holds V8's modules, `linking` connects them, `texts` has the
//! loaded texts, and `positions` maps positions in them to the source. `code_caches` stores V8's code between runs. The loader
//! (`program`) determines the module of each import.
use pyo3::prelude::*;

pub use self::code_caches::{CodeCaches, PyCodeCaches};
pub use self::code_store::CodeStore;
pub use self::compile_cache::{Cache, Manner};
pub use self::graph::{GraphModule, GraphOptions};
pub use self::linking::{Deferral, Question, link};
pub use self::positions::OPERATIONS;
pub use self::records::{JSON, ModuleRecords, Record, Records};
pub use self::table::{MODULE_NAMES, RemovedModules, Table};
pub use self::texts::{LoadedTexts, Texts};

mod code_caches;
mod code_store;
mod compile_cache;
mod executed_source;
mod graph;
mod linking;
mod positions;
mod records;
mod table;
mod texts;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    graph::register(module)?;
    code_caches::register(module)?;
    records::register(module)?;
    texts::register(module)?;
    table::register(module)
}
