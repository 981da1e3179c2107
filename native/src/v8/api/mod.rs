//! The interface to V8's shared library: its functions by symbol, the layouts that its headers inline, and the memory
//! that Rust provides for it.
//!
//! Everything here is raw: pointers, words and `extern "C"` functions. The rooms above turn it into scopes and values.
pub mod allocator;
pub mod blocks;
pub mod functions;
pub mod layout;
pub mod loaded_libraries;
pub mod mapped_files;
pub mod prelink;
pub mod process;
pub mod rare;
pub mod share;
pub mod symbol_tables;

use pyo3::prelude::*;

use functions::functions;
pub use functions::{Api, Handle, Isolate, Raw, library, load, v8};

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    prelink::register(module)
}
