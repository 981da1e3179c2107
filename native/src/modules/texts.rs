//! What was loaded, by the name that stack frames give it: the text, and how many columns were put before its first line.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::class;
use crate::transform::Transformed;

#[derive(Default)]
pub struct Texts {
    by_name: Mutex<HashMap<String, (Transformed, u32)>>,
}

impl Texts {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, (Transformed, u32)>> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn holds(&self, name: &str) -> bool {
        self.lock().contains_key(name)
    }

    pub fn add(&self, name: String, text: Transformed, columns: u32) {
        self.lock().insert(name, (text, columns));
    }
}

/// `Texts`, as Python sees them.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct LoadedTexts(pub Arc<Texts>);

#[pymethods]
impl LoadedTexts {
    #[new]
    fn new() -> Self {
        Self(Arc::default())
    }

    #[pyo3(name = "add")]
    fn add_for_python(&self, name: String, transformed: &Transformed, columns: u32) {
        self.0.add(name, transformed.clone(), columns);
    }

    /// None too for what is no name: a stack frame may have anything there.
    fn get(&self, name: &Bound<'_, PyAny>) -> Option<Transformed> {
        let name = name.extract::<PyBackedStr>().ok()?;
        self.0.lock().get(&*name).map(|(text, _)| text.clone())
    }

    /// How many columns were put before the first line.
    fn columns(&self, name: &str) -> u32 {
        self.0.lock().get(name).map_or(0, |(_, columns)| *columns)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<LoadedTexts>(module)
}
