//! The provider: the Python object that does for a program what native code cannot.
//!
//! A program that Python starts has its provider from the beginning. Any other gets one at the first call, which starts the
//! interpreter (`attaching`). `rt_supervisor/engine_worker/program/provider.py` defines the methods of the provider, and
//! `rt_supervisor/engine_worker/modules/provider.py` those of its `modules`.
use std::sync::Arc;

use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::life::Life;
use crate::interpreter;
use crate::modules::{GraphModule, Record};
use crate::transform::Transformed;
use crate::v8::{self, JsModule, Local, ModuleData, Scope, wrap};

impl Life {
    /// Calls `work` with the provider, which is attached first if necessary.
    pub fn ask<R>(&self, work: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<R>) -> PyResult<R> {
        interpreter::attach(|py| {
            let provider = self.provider.borrow().as_ref().map(|provider| provider.clone_ref(py));
            work(py, provider.ok_or_else(|| PyRuntimeError::new_err("Python is still being started"))?.bind(py))
        })
    }

    /// Like `ask`, with the provider's `modules`.
    pub fn ask_modules<R>(&self, work: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<R>) -> PyResult<R> {
        self.ask(|py, provider| work(py, &provider.getattr("modules")?))
    }

    /// Calls a method of the provider without arguments and result.
    pub fn call(&self, method: &str) -> PyResult<()> {
        self.ask(|_, provider| provider.call_method0(method).map(|_| ()))
    }

    // --- the end of a program

    /// Reports an error of the main module, preloads or hooks to the program as uncaught. Fails with `error` itself if
    /// JavaScript must not see it.
    pub fn report_uncaught(&self, error: PyErr) -> PyResult<()> {
        self.ask(|py, provider| provider.call_method1("report_uncaught", (error.into_value(py),)).map(|_| ()))
    }

    /// Returns the exit status of `error`, and whether the program has called exit itself. Fails with an error that is not the
    /// program's.
    pub fn status_of(&self, error: PyErr) -> PyResult<(i32, bool)> {
        self.ask(|py, provider| provider.call_method1("ended_by", (error.into_value(py),))?.extract())
    }

    /// Converts an error of the program's end to an exit status, or to a failure of rt.
    pub fn explain_end(&self, error: PyErr, may_run: bool) -> PyResult<i32> {
        self.ask(|py, provider| provider.call_method1("explain_end", (error.into_value(py), may_run))?.extract())
    }

    /// Prints a failure of rt and returns its exit status.
    pub fn report(&self, failure: PyErr) -> PyResult<i32> {
        self.ask(|py, provider| provider.call_method1("report", (failure.into_value(py),))?.extract())
    }

    /// Warns of the top-level awaits in the graphs of `modules` that will never settle.
    pub fn warn_of_unsettled(&self, modules: Vec<Arc<ModuleData>>) -> PyResult<()> {
        let modules: Vec<_> = modules.into_iter().map(JsModule::new).collect();
        self.ask(|_, provider| provider.call_method1("warn_of_unsettled", (modules,)).map(|_| ()))
    }

    // --- modules

    /// Calls a method of the provider's modules.
    pub fn call_modules(&self, method: &str, arguments: impl for<'py> PyCallArgs<'py>) -> PyResult<()> {
        self.ask_modules(|_, modules| modules.call_method1(method, arguments).map(|_| ()))
    }

    /// Returns the module, or None, that a method returns.
    pub fn ask_for_module(
        &self,
        method: &str,
        arguments: impl for<'py> PyCallArgs<'py>,
    ) -> PyResult<Option<Arc<ModuleData>>> {
        self.ask_modules(|_, modules| {
            let module = modules.call_method1(method, arguments)?;
            if module.is_none() {
                return Ok(None);
            }
            Ok(Some(module.cast::<JsModule>()?.get().data().clone()))
        })
    }

    /// Returns the module that a method returns.
    pub fn ask_for_a_module(
        &self,
        method: &str,
        arguments: impl for<'py> PyCallArgs<'py>,
    ) -> PyResult<Arc<ModuleData>> {
        self.ask_for_module(method, arguments)?.ok_or_else(super::making::unexpected)
    }

    /// Returns the error of a method that always raises.
    pub fn failure(&self, method: &str, arguments: impl for<'py> PyCallArgs<'py>) -> PyErr {
        match self.call_modules(method, arguments) {
            Err(error) => error,
            Ok(()) => super::making::unexpected(),
        }
    }

    /// Adds the location to an error of the engine that has no frames. `is_syntax`: a syntax error that only the engine finds.
    pub fn add_location(&self, error: PyErr, is_syntax: bool) -> PyErr {
        if self.is_over() {
            return error;
        }
        let placed = self.ask_modules(|py, modules| {
            let placed = modules.call_method1("placed", (error.into_value(py), is_syntax))?;
            Ok(PyErr::from_value(placed))
        });
        placed.unwrap_or_else(|error| error)
    }

    /// Returns the error for a module graph that cannot be linked.
    pub fn link_failure(&self, error: PyErr) -> PyErr {
        if self.is_over() {
            return error;
        }
        let failure = self.ask_modules(|py, modules| {
            let failure = modules.call_method1("link_failure", (error.into_value(py),))?;
            Ok(PyErr::from_value(failure))
        });
        failure.unwrap_or_else(|error| error)
    }

    /// Returns the exception that carries a JavaScript value.
    pub fn thrown(&self, scope: &Scope<'_>, value: Local<'_>) -> PyResult<PyErr> {
        self.ask_modules(|py, modules| {
            let thrown = modules.call_method1("thrown", (v8::to_python(scope, py, value)?,))?;
            Ok(PyErr::from_value(thrown))
        })
    }

    /// Returns the value of a file that is not a script.
    pub fn data_value<'s>(
        &self,
        scope: &Scope<'s>,
        path: &str,
        kind: &str,
        data: Option<&[u8]>,
    ) -> PyResult<Local<'s>> {
        self.ask_modules(|_, modules| {
            let value = modules.call_method1("data_value", (path, kind, data.map(<[u8]>::to_vec)))?;
            v8::to_js(scope, &value)
        })
    }

    /// Returns the script of a record with its macro calls replaced.
    pub fn expand_macros(&self, record: &Arc<Record>) -> PyResult<Transformed> {
        self.ask_modules(|_, modules| {
            let expanded = modules.call_method1("expanded", (GraphModule(record.clone()),))?;
            Ok(expanded.cast::<Transformed>()?.get().clone())
        })
    }

    /// Reports the files that were read to the provider.
    pub fn report_loaded(&self, records: &[Arc<Record>]) -> PyResult<()> {
        let records: Vec<_> = records.iter().cloned().map(GraphModule).collect();
        self.call_modules("report_loaded", (records,))
    }

    /// Returns whether hooks supplied the module of that name.
    pub fn has_hooked(&self, name: &str) -> PyResult<bool> {
        self.ask_modules(|_, modules| modules.call_method1("has_hooked", (name,))?.extract())
    }

    /// Rejects the promise of an import(); `answer` has the functions that settle it.
    pub fn reject_import(&self, scope: &Scope<'_>, answer: Local<'_>, error: PyErr) -> PyResult<()> {
        self.ask_modules(|py, modules| {
            modules.call_method1("reject_import", (wrap(scope, py, answer)?, error.into_value(py))).map(|_| ())
        })
    }
}
