//! Values of one engine, safe to use: scopes and handles, conversions, objects, functions, promises, errors.
//!
//! A `Local` borrows the `Scope` that keeps its slot alive, and a `Scope` exists only on its engine's thread. Everything
//! above reaches V8 through these two. An engine's `State` stores what the rooms above keep for it in typed slots, so
//! this room names none of them.
use pyo3::prelude::*;

pub mod buffer;
pub mod clock;
pub mod error;
pub mod function;
pub mod inner;
pub mod interrupt;
pub mod lazy_values;
pub mod object;
pub mod object_copy;
pub mod plain;
pub mod plain_values;
pub mod promise;
pub mod promise_hooks;
pub mod rows;
pub mod scope;
pub mod signals;
pub mod slots;
pub mod stack;
pub mod state;
pub mod strings;
pub mod tasks;
pub mod value;
pub mod weak;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    value::register(module)?;
    object::register(module)?;
    function::register(module)?;
    buffer::register(module)?;
    promise::register(module)?;
    error::register(module)?;
    weak::register(module)
}
