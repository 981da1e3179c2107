//! Programs: the life of each (`life`), its modules (`loader`, `making`, `reading`, `commonjs`, `imports`, `deferred`), and how it begins.
//!
//! A program begins in one of two ways. From the launcher's cached start (`begin`): then no interpreter runs, and the first
//! operation that needs Python attaches one (`attaching`). Or Python creates the engine and the program (`python`). From there
//! on, both are the same: `provider` calls Python.
mod attaching;
mod begin;
mod cached_program;
mod commonjs;
mod compile_cache;
mod cycles;
mod debug_signal;
mod deferred;
mod entrance;
mod imports;
mod lexed_names;
mod life;
mod loader;
mod making;
mod provider;
mod python;
mod reading;
mod repl;
mod start_values;

/// The names of the host functions of a program's life.
pub fn operation_names() -> impl Iterator<Item = &'static str> {
    commonjs::OPERATIONS.iter().chain(compile_cache::OPERATIONS).chain(repl::OPERATIONS).map(|(name, _)| *name)
}

pub fn register(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
    python::register(module)
}
