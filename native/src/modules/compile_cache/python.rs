//! The compile cache, as Python sees it.
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::{Cache, ESM, Manner};
use crate::class;
use crate::v8::{Engine, JsModule, State, module_with_code, wrap};

#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct CompileCache {
    engine: Arc<State>,
    pub cache: Arc<Cache>,
}

impl CompileCache {
    pub fn of(engine: Arc<State>, cache: Arc<Cache>) -> Self {
        Self { engine, cache }
    }
}

#[pymethods]
impl CompileCache {
    /// Raises ValueError with the reason why the cache in `given` cannot be used.
    #[new]
    #[pyo3(signature = (engine, given, *, is_portable, is_read_only, tells))]
    fn new(engine: &Engine, given: PathBuf, is_portable: bool, is_read_only: bool, tells: bool) -> PyResult<Self> {
        let cache = Cache::open(&given, Manner { is_portable, is_read_only, tells }).map_err(PyValueError::new_err)?;
        Ok(Self::of(engine.share(), Arc::new(cache)))
    }

    /// The folder with the program's code.
    #[getter]
    fn folder(&self) -> String {
        self.cache.folder()
    }

    /// The folder that was given, as an absolute path.
    #[getter]
    fn base(&self) -> String {
        self.cache.base()
    }

    /// A function of CommonJS, named by its file.
    fn compile_function(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyString>,
        params: Vec<String>,
        name: &str,
    ) -> PyResult<Py<PyAny>> {
        let (source, params): (_, Vec<&str>) = (source.to_str()?, params.iter().map(String::as_str).collect());
        self.engine.enter(|scope| wrap(scope, py, self.cache.function(scope, source, &params, name)?))
    }

    /// An ES module, named by its file.
    fn compile_module(&self, py: Python<'_>, source: &Bound<'_, PyString>, name: &str) -> PyResult<JsModule> {
        let sought = self.cache.seek(ESM, ESM, name, source.to_str()?);
        let code = (name, sought.code());
        let (module, compiled) = self.engine.enter(|scope| module_with_code(scope, py, source, code))?;
        self.cache.compiled(&sought, compiled);
        Ok(module)
    }

    /// As `write_all`, for a program that asks.
    fn flush(&self) {
        self.cache.flush();
    }

    /// Write the code of all that was compiled and is not there yet.
    fn write_all(&self) {
        self.cache.write_all();
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<CompileCache>(module)
}
