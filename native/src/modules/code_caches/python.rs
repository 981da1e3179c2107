//! The code caches of a program, for Python.
use std::sync::Arc;

use pyo3::prelude::*;

use super::CodeCaches;
use crate::interpreter::class;
use crate::modules::CodeStore;

#[pyclass(frozen, name = "CodeCaches", module = "rt_supervisor._native")]
pub struct PyCodeCaches(Arc<CodeCaches>);

impl PyCodeCaches {
    pub fn share(&self) -> Arc<CodeCaches> {
        self.0.clone()
    }
}

#[pymethods]
impl PyCodeCaches {
    /// The code caches of the program whose main file is `main`; None if its code is not stored between runs.
    #[new]
    #[pyo3(signature = (main = None))]
    fn new(main: Option<&str>) -> Self {
        let store = main.map(|main| CodeStore::of(main, false));
        Self(Arc::new(CodeCaches::new(store)))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<PyCodeCaches>(module)
}
