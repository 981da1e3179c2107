//! The classes of the module, each created on first use: most programs use a third of them, and creating all of them
//! takes half of the time that importing the module takes.
use std::sync::{Mutex, PoisonError};

use pyo3::PyClass;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;

type Add = fn(&Bound<'_, PyModule>) -> PyResult<()>;

static CLASSES: Mutex<Vec<(&str, Add)>> = Mutex::new(Vec::new());

/// Registers a class of the module.
pub fn class<T: PyClass>(_: &Bound<'_, PyModule>) -> PyResult<()> {
    CLASSES.lock().unwrap_or_else(PoisonError::into_inner).push((T::NAME, |module| module.add_class::<T>()));
    Ok(())
}

/// `__getattr__` of the module: creates the class with that name.
#[pyfunction]
#[pyo3(name = "__getattr__", pass_module)]
fn create<'py>(module: &Bound<'py, PyModule>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let classes = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    let add = classes.iter().find(|(each, _)| *each == name).map(|(_, add)| *add);
    drop(classes);
    let Some(add) = add else {
        return Err(PyAttributeError::new_err(format!("module '{}' has no attribute '{name}'", module.name()?)));
    };
    add(module)?;
    module.getattr(name)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(create, module)?)
}
