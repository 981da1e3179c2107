//! `rt_supervisor._native`: the operations that a measurement moved out of Python.
//!
//! Each module owns one idea and registers its own functions; `rt_supervisor/_native.pyi` is the
//! documentation of the whole surface. No panic and no raw pointer crosses this border.
use std::sync::{Mutex, PoisonError};

use pyo3::PyClass;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;

mod addons;
mod children;
mod crypto;
mod event_loop;
mod files;
mod fs;
mod html;
mod http;
mod inspecting;
mod interpreter;
mod modules;
mod net;
mod processes;
mod program;
mod resolve;
mod rt_global;
mod sqlite;
mod system;
mod transform;
mod v8;
mod workspace;
mod zlib;

type Put = fn(&Bound<'_, PyModule>) -> PyResult<()>;

/// The module's classes by name. Each is made when it is first used: most programs use a third of them, and all of them
/// would be half of what importing this module takes.
static CLASSES: Mutex<Vec<(&str, Put)>> = Mutex::new(Vec::new());

/// Have the module hold a class.
fn class<T: PyClass>(_: &Bound<'_, PyModule>) -> PyResult<()> {
    CLASSES.lock().unwrap_or_else(PoisonError::into_inner).push((T::NAME, |module| module.add_class::<T>()));
    Ok(())
}

/// What Python calls for a name that the module does not hold yet.
#[pyfunction]
#[pyo3(name = "__getattr__", pass_module)]
fn missing<'py>(module: &Bound<'py, PyModule>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let classes = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    let put = classes.iter().find(|(each, _)| *each == name).map(|(_, put)| *put);
    drop(classes);
    let Some(put) = put else {
        return Err(PyAttributeError::new_err(format!("module '{}' has no attribute '{name}'", module.name()?)));
    };
    put(module)?;
    module.getattr(name)
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    children::register(module)?;
    event_loop::register(module)?;
    files::cache::register(module)?;
    fs::register(module)?;
    files::identities::register(module)?;
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
    module.add_function(wrap_pyfunction!(missing, module)?)?;
    let mut operations = v8::natives::operation_names();
    operations.extend(modules::OPERATIONS.iter().map(|(name, _)| *name));
    module.add("HOST_OPERATIONS", operations)?;
    module.add("IS_DEBUG_BUILD", cfg!(debug_assertions))?;
    Ok(())
}
