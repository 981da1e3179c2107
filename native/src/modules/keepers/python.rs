//! A program's code keepers for Python.
use std::path::Path;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::Keepers;
use crate::interpreter::class;
use crate::modules::{Cache, KeptCode, Manner};
use crate::v8::{Engine, JsModule, State, wrap};

#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct CodeKeepers {
    engine: Arc<State>,
    keepers: Arc<Keepers>,
}

impl CodeKeepers {
    pub fn of(engine: Arc<State>, keepers: Arc<Keepers>) -> Self {
        Self { engine, keepers }
    }

    pub fn share(&self) -> Arc<Keepers> {
        self.keepers.clone()
    }
}

#[pymethods]
impl CodeKeepers {
    /// The keepers of the program whose main file is `main`; None if its code is not stored between runs.
    #[new]
    #[pyo3(signature = (engine, main = None))]
    fn new(engine: &Engine, main: Option<&str>) -> Self {
        let kept = main.map(|main| KeptCode::of(main, false));
        Self::of(engine.share(), Arc::new(Keepers::new(kept)))
    }

    /// Uses the compile cache in the folder `given` from now on; the first one stays. Returns that folder as an absolute path.
    /// Raises ValueError with the reason if it cannot be used.
    #[pyo3(signature = (given, *, is_portable, is_read_only, tells))]
    fn open_cache(&self, given: &str, is_portable: bool, is_read_only: bool, tells: bool) -> PyResult<String> {
        let manner = Manner { is_portable, is_read_only, tells };
        let cache = Cache::open(Path::new(given), manner).map_err(PyValueError::new_err)?;
        let base = cache.base();
        self.keepers.use_cache(cache);
        Ok(base)
    }

    /// The folder of the compile cache with the program's code; None if there is no cache.
    #[getter]
    fn cache_folder(&self) -> Option<String> {
        self.keepers.cache().map(Cache::folder)
    }

    /// Writes everything compiled so far into the compile cache, if there is one.
    fn flush_cache(&self) {
        if let Some(cache) = self.keepers.cache() {
            cache.flush();
        }
    }

    /// Compiles a CommonJS function. Returns None if the text is not well-formed Unicode.
    fn compile_function(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyString>,
        params: Vec<String>,
        name: &str,
    ) -> PyResult<Option<Py<PyAny>>> {
        let Ok(source) = source.to_str() else { return Ok(None) };
        let params: Vec<&str> = params.iter().map(String::as_str).collect();
        self.engine.enter(|scope| wrap(scope, py, self.keepers.function(scope, source, &params, name)?)).map(Some)
    }

    /// Compiles an ES module. Returns None if the text is not a module, or not well-formed Unicode.
    fn compile_module(&self, source: &Bound<'_, PyString>, name: &str) -> PyResult<Option<JsModule>> {
        let Ok(source) = source.to_str() else { return Ok(None) };
        self.engine.enter(|scope| Ok(self.keepers.module(scope, source, name).map(JsModule::new)))
    }

    /// Writes what the program has compiled, for its next runs. Must be called last.
    fn keep(&self) {
        if self.engine.check().is_ok() {
            self.keepers.keep(&self.engine);
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<CodeKeepers>(module)
}
