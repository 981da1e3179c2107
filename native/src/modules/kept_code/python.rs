//! A program's kept code, as Python sees it.
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyString;

use super::{KeptCode, Sought};
use crate::class;
use crate::v8::{Engine, JsModule, State, module_with_code, wrap};

#[pyclass(frozen, name = "KeptCode", module = "rt_supervisor._native")]
pub struct ProgramCode {
    engine: Arc<State>,
    pub kept: Arc<KeptCode>,
}

impl ProgramCode {
    pub fn of(engine: Arc<State>, kept: Arc<KeptCode>) -> Self {
        Self { engine, kept }
    }
}

#[pymethods]
impl ProgramCode {
    #[new]
    fn new(engine: &Engine, main: &str) -> Self {
        Self::of(engine.share(), Arc::new(KeptCode::of(main, false)))
    }

    /// A function of CommonJS, named by its file; None for a text whose code is not kept.
    fn compile_function(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyString>,
        params: Vec<String>,
        path: &str,
    ) -> PyResult<Option<Py<PyAny>>> {
        let Ok(source) = source.to_str() else { return Ok(None) };
        let params: Vec<&str> = params.iter().map(String::as_str).collect();
        self.engine.enter(|scope| wrap(scope, py, self.kept.function(scope, source, &params, path)?)).map(Some)
    }

    /// An ES module, named by its file; None for a text whose code is not kept.
    fn compile_module(&self, py: Python<'_>, source: &Bound<'_, PyString>, path: &str) -> PyResult<Option<JsModule>> {
        let Ok(text) = source.to_str() else { return Ok(None) };
        self.engine.enter(|scope| {
            let sought = Sought::of(path.to_owned(), text);
            let code = self.kept.find(scope, &sought);
            let (module, compiled) = module_with_code(scope, py, source, (path, code))?;
            self.kept.compiled(scope, sought, code.is_some() && !compiled.was_rejected, || compiled.owner);
            Ok(Some(module))
        })
    }

    /// Write what the program has compiled, where that is enough to be worth it: its last act.
    fn keep(&self) {
        if self.engine.check().is_ok() {
            self.kept.keep(&self.engine);
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<ProgramCode>(module)
}
