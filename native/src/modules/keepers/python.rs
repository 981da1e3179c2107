//! A program's code keepers for Python.
use std::sync::Arc;

use pyo3::prelude::*;

use super::Keepers;
use crate::interpreter::class;
use crate::modules::CodeStore;

#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct CodeKeepers(Arc<Keepers>);

impl CodeKeepers {
    pub fn share(&self) -> Arc<Keepers> {
        self.0.clone()
    }
}

#[pymethods]
impl CodeKeepers {
    /// The keepers of the program whose main file is `main`; None if its code is not stored between runs.
    #[new]
    #[pyo3(signature = (main = None))]
    fn new(main: Option<&str>) -> Self {
        let store = main.map(|main| CodeStore::of(main, false));
        Self(Arc::new(Keepers::new(store)))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<CodeKeepers>(module)
}
