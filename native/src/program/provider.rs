//! The provider: the Python object that does for a program what native code cannot, called through `Life::ask`.
//!
//! A program that Python starts has its provider from the beginning. Any other gets one at the first call, which starts the
//! interpreter (`attaching`). `rt_supervisor/engine_worker/program/worker.py` defines the methods.
use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::life::Life;
use crate::interpreter;
use crate::v8::{JsModule, Local, ModuleData, Scope, wrap};

impl Life {
    /// Call `work` with the provider, which is attached first if need be.
    pub fn ask<R>(&self, work: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<R>) -> PyResult<R> {
        interpreter::attach(|py| {
            let provider = self.provider.borrow().as_ref().map(|provider| provider.clone_ref(py));
            work(py, provider.ok_or_else(|| PyRuntimeError::new_err("Python is still being started"))?.bind(py))
        })
    }

    /// Call a method of the provider that takes and returns nothing.
    pub fn tell(&self, method: &str) -> PyResult<()> {
        self.ask(|_, provider| provider.call_method0(method).map(|_| ()))
    }

    /// Report an error that ends the main module, preloads or hooks to the program as an uncaught one. Fails with `error`
    /// itself where JavaScript must not see it.
    pub fn tell_uncaught(&self, error: PyErr) -> PyResult<()> {
        self.ask(|py, provider| provider.call_method1("tell_uncaught", (error.into_value(py),)).map(|_| ()))
    }

    /// Return the exit status that `error` means, and whether the program has left by itself. Fails with an error that is
    /// not the program's.
    pub fn status_of(&self, error: PyErr) -> PyResult<(i32, bool)> {
        self.ask(|py, provider| provider.call_method1("ended_by", (error.into_value(py),))?.extract())
    }

    /// Turn an error of the program's end into an exit status, or into rt's own failure.
    pub fn explain_end(&self, error: PyErr, may_run: bool) -> PyResult<i32> {
        self.ask(|py, provider| provider.call_method1("explain_end", (error.into_value(py), may_run))?.extract())
    }

    /// Print a failure of rt; return the exit status that it means.
    pub fn report(&self, failure: PyErr) -> PyResult<i32> {
        self.ask(|py, provider| provider.call_method1("report", (failure.into_value(py),))?.extract())
    }

    /// Warn of the top-level awaits in the graphs of `modules`, which nothing will settle.
    pub fn warn_of_unsettled(&self, modules: Vec<Arc<ModuleData>>) -> PyResult<()> {
        let modules: Vec<_> = modules.into_iter().map(JsModule::new).collect();
        self.ask(|_, provider| provider.call_method1("warn_of_unsettled", (modules,)).map(|_| ()))
    }

    /// Return the module of CommonJS that has run and has getters which are read when they are imported; `loaded` is what
    /// `loadForImport` has returned.
    pub fn module_of_loaded(&self, scope: &Scope<'_>, name: &str, loaded: Local<'_>) -> PyResult<Arc<ModuleData>> {
        self.ask(|py, provider| {
            let module = provider.call_method1("module_of_loaded", (name, wrap(scope, py, loaded)?))?;
            Ok(module.cast::<JsModule>()?.get().data().clone())
        })
    }

    /// Return the module of CommonJS that has failed with `error`, and whose text has the exports `known`.
    pub fn broken_module(&self, name: &str, error: PyErr, known: &[String]) -> PyResult<Arc<ModuleData>> {
        self.ask(|py, provider| {
            let module = provider.call_method1("broken_module", (name, error.into_value(py), known.to_vec()))?;
            Ok(module.cast::<JsModule>()?.get().data().clone())
        })
    }

    /// Load a module for an `import()` whose `answer` waits (`begin` in js/node/module/import_answers.js).
    pub fn load_import(&self, scope: &Scope<'_>, specifier: &str, importer: &str, answer: Local<'_>) -> PyResult<()> {
        let call = |py: Python<'_>, provider: &Bound<'_, PyAny>| {
            provider.call_method1("load_import", (specifier, importer, wrap(scope, py, answer)?)).map(|_| ())
        };
        self.ask(call)
    }
}
