//! Loaded texts by the name in stack frames: the text, the columns inserted before its first line, and its source maps, which
//! are created and read when the first position of a file is mapped.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::interpreter::class;
use crate::transform::{Map, Transformed};

/// One file that was loaded.
pub struct Loaded {
    pub text: Transformed,
    pub columns: u32,
    shipped: OnceLock<Option<Arc<Map>>>,
}

impl Loaded {
    /// The map to the author's source of a file that was compiled before it was published.
    pub fn shipped_map(&self) -> Option<&Arc<Map>> {
        self.shipped.get_or_init(|| self.text.read_shipped_map().map(Arc::new)).as_ref()
    }
}

/// A source that a published map refers to.
#[derive(Clone)]
pub struct Authored {
    pub map: Arc<Map>,
    /// The file that the map belongs to.
    pub carrier: String,
}

#[derive(Default)]
pub struct Texts {
    by_name: Mutex<HashMap<String, Arc<Loaded>>>,
    authored: Mutex<HashMap<String, Authored>>,
}

impl Texts {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Loaded>>> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_authored(&self) -> MutexGuard<'_, HashMap<String, Authored>> {
        self.authored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn holds(&self, name: &str) -> bool {
        self.lock().contains_key(name)
    }

    pub fn find(&self, name: &str) -> Option<Arc<Loaded>> {
        self.lock().get(name).cloned()
    }

    pub fn add(&self, name: String, text: Transformed, columns: u32) {
        self.lock().insert(name, Arc::new(Loaded { text, columns, shipped: OnceLock::new() }));
    }

    /// Records that the map of `carrier` refers to `source`; the first such map stays.
    pub fn has_led_to(&self, source: &str, map: &Arc<Map>, carrier: &str) {
        let mut authored = self.lock_authored();
        if !authored.contains_key(source) {
            authored.insert(source.to_owned(), Authored { map: map.clone(), carrier: carrier.to_owned() });
        }
    }

    pub fn find_authored(&self, source: &str) -> Option<Authored> {
        self.lock_authored().get(source).cloned()
    }
}

/// `Texts` for Python.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct LoadedTexts(pub Arc<Texts>);

#[pymethods]
impl LoadedTexts {
    #[new]
    fn new() -> Self {
        Self(Arc::default())
    }

    #[pyo3(signature = (name, transformed, *, shifted_by = 0))]
    fn add(&self, name: String, transformed: &Transformed, shifted_by: u32) {
        self.0.add(name, transformed.clone(), shifted_by);
    }

    /// Also returns None for anything but a string, because a stack frame may have any value as its name.
    fn get(&self, name: &Bound<'_, PyAny>) -> Option<Transformed> {
        let name = name.extract::<PyBackedStr>().ok()?;
        self.0.find(&name).map(|loaded| loaded.text.clone())
    }

    /// See `Texts::position`.
    fn map_position(&self, py: Python<'_>, name: &str, line: u32, column: u32) -> (u32, u32, Option<String>) {
        // Releases the GIL: waiting for another thread's map must not block that thread.
        py.detach(|| self.0.position(name, line, column))
    }

    /// See `Texts::lines`.
    fn lines(&self, py: Python<'_>, name: &str, first: usize, last: usize) -> Option<Vec<String>> {
        py.detach(|| self.0.lines(name, first, last))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<LoadedTexts>(module)
}
