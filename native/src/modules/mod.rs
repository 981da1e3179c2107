//! A program's modules: whole graphs read, transpiled and resolved in parallel, then compiled and linked in V8.
//!
//! `graph` reads, `records` keeps what it read, `table` holds V8's modules, `linking` connects them, `texts`
//! has what was loaded, and `positions` where that was written. What is out of the ordinary
//! is asked of Python (`rt_supervisor/engine_worker/modules/loader.py`).
use pyo3::prelude::*;

pub use self::compile_cache::{Cache, CompileCache, Manner};
pub use self::graph::Asked;
pub use self::kept_code::{KeptCode, ProgramCode};
pub use self::linking::{Question, link};
pub use self::positions::OPERATIONS;
pub use self::records::{JSON, ModuleRecords, Record, Records};
pub use self::table::{ModuleTable, Table};
pub use self::texts::{LoadedTexts, Texts};

mod compile_cache;
mod graph;
mod kept_code;
mod linking;
mod positions;
mod records;
mod table;
mod texts;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    compile_cache::register(module)?;
    graph::register(module)?;
    kept_code::register(module)?;
    records::register(module)?;
    texts::register(module)?;
    table::register(module)
}
