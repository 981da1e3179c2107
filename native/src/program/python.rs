//! `Program`: the life of a program, as its provider sees it.
use std::rc::Rc;
use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::life::{Life, Parts};
use crate::event_loop::{Loop, ProgramOutput};
use crate::modules::{CodeKeepers, LoadedTexts, ModuleRecords, ModuleTable};
use crate::resolve::Resolver;
use crate::transform::TransformOptions;
use crate::v8::{Engine, Global, JsModule, JsPromise, State, unlocked, wrap};

/// Used on the engine's thread, until the engine is closed.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct Program(Arc<State>);

impl Program {
    pub fn of(life: &Life) -> Program {
        Program(life.state.clone())
    }

    fn life(&self) -> PyResult<Rc<Life>> {
        self.0.check_interrupted()?;
        Life::of(&self.0).ok_or_else(|| PyRuntimeError::new_err("the program is over"))
    }

    /// Call `work` with the program, without the GIL.
    fn run_detached<R>(&self, py: Python<'_>, work: impl FnOnce(&Rc<Life>) -> PyResult<R>) -> PyResult<R> {
        let life = self.life()?;
        unlocked(py, || work(&life))
    }
}

#[pymethods]
impl Program {
    /// The program of an engine that Python has made; `main` is the path of its file, or "" for evaluated code.
    #[new]
    #[pyo3(signature = (provider, engine, *, main, r#loop, output, records, texts, keepers, resolver, options, leaves_addons))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        provider: Py<PyAny>,
        engine: &Engine,
        main: String,
        r#loop: &Loop,
        output: &ProgramOutput,
        records: &ModuleRecords,
        texts: &LoadedTexts,
        keepers: &CodeKeepers,
        resolver: &Resolver,
        options: &TransformOptions,
        leaves_addons: bool,
    ) -> PyResult<Program> {
        let parts = Parts {
            state: engine.share(),
            core: r#loop.core()?.clone(),
            output: output.0.clone(),
            records: records.0.clone(),
            texts: texts.0.clone(),
            keepers: keepers.share(),
            resolver: resolver.engine.clone(),
            options: options.inner.clone(),
        };
        let life = Life::new(parts, main, leaves_addons)?;
        life.provider.replace(Some(provider));
        Ok(Program::of(&life))
    }

    /// Run the program to its end and return its exit status; `prepare` and `run_main` of the provider are called on the way.
    fn run(&self, py: Python<'_>) -> PyResult<i32> {
        self.run_detached(py, |life| {
            let outcome = life.tell("prepare").and_then(|()| life.run());
            life.end(outcome, true)
        })
    }

    /// End the program with `error`, out of the middle of JavaScript, which cannot run any more; its exit status.
    fn end_with(&self, py: Python<'_>, error: Bound<'_, PyAny>) -> PyResult<i32> {
        let error = PyErr::from_value(error);
        self.run_detached(py, |life| life.end(Err(error), false))
    }

    /// Tell the program of its end and return its status.
    fn exit_status(&self, py: Python<'_>) -> PyResult<i32> {
        self.run_detached(py, |life| life.exit_status(false))
    }

    /// Turn the loop until `promise` is settled, or nothing is pending that could settle it.
    fn settle(&self, py: Python<'_>, promise: &Bound<'_, JsPromise>) -> PyResult<()> {
        let promise = &promise.as_super().get().0;
        self.run_detached(py, |life| life.settle(promise))
    }

    /// Evaluate a linked module and turn the loop until it is done; what it throws is uncaught.
    fn evaluate(&self, py: Python<'_>, module: &JsModule) -> PyResult<()> {
        let module = module.data().clone();
        self.run_detached(py, |life| life.evaluate(&module))
    }

    /// From now on the provider hears of the first statement and of the end: a debugger may listen.
    fn set_debugged(&self) -> PyResult<()> {
        self.life().map(|life| life.is_debugged.set(true))
    }

    /// Have SIGUSR1 make the program listen for a debugger, whatever it does at that moment.
    fn listen_on_signal(&self) -> PyResult<()> {
        self.life()?.listen_on_signal()
    }

    /// The engine, for its only owner: dropping it closes the engine.
    fn take_engine(&self, py: Python<'_>) -> PyResult<Py<Engine>> {
        Py::new(py, Engine::of(self.0.clone()))
    }

    /// The runtime's object of functions that the host calls.
    #[getter]
    fn entry(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let life = self.life()?;
        // No JavaScript runs here: it may be stopped, and Python be needed for a debugger.
        self.0.enter_interrupted(|scope| wrap(scope, py, life.entry.in_scope(scope)?))
    }

    #[getter(r#loop)]
    fn event_loop(&self, py: Python<'_>) -> PyResult<Py<Loop>> {
        Py::new(py, Loop::of(self.life()?.core.clone()))
    }

    #[getter]
    fn output(&self, py: Python<'_>) -> PyResult<Py<ProgramOutput>> {
        Py::new(py, ProgramOutput(self.life()?.output.clone()))
    }

    #[getter]
    fn records(&self, py: Python<'_>) -> PyResult<Py<ModuleRecords>> {
        Py::new(py, ModuleRecords(self.life()?.records.clone()))
    }

    #[getter]
    fn texts(&self, py: Python<'_>) -> PyResult<Py<LoadedTexts>> {
        Py::new(py, LoadedTexts(self.life()?.texts.clone()))
    }

    #[getter]
    fn table(&self, py: Python<'_>) -> PyResult<Py<ModuleTable>> {
        Py::new(py, ModuleTable(self.life()?.table.clone()))
    }

    #[getter]
    fn keepers(&self, py: Python<'_>) -> PyResult<Py<CodeKeepers>> {
        Py::new(py, CodeKeepers::of(self.0.clone(), self.life()?.table.keepers().clone()))
    }

    /// The path of the snapshot that the engine was made from, where Python did not make it.
    #[getter]
    fn snapshot(&self) -> PyResult<Option<String>> {
        Ok(self.life()?.snapshot.borrow().clone())
    }

    /// The built-in modules that were imported: name, and the names of its exports.
    #[getter]
    fn builtins(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
        let life = self.life()?;
        self.0.enter_interrupted(|scope| {
            let named =
                |(name, exports): &(String, Global)| Ok((name.clone(), wrap(scope, py, exports.in_scope(scope)?)?));
            let builtins: Vec<_> = life.builtins.borrow().iter().map(named).collect::<PyResult<_>>()?;
            Ok(PyList::new(py, builtins)?.unbind())
        })
    }

    /// The files of CommonJS that were read.
    #[getter]
    fn required(&self) -> PyResult<Vec<String>> {
        Ok(self.life()?.required.borrow().iter().cloned().collect())
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::interpreter::class::<Program>(module)
}
