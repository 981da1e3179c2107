//! `Program`: the life of a program, for its provider.
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::life::{Life, Parts};
use super::loader::{Loader, loader_of, path_of};
use super::making::CODE_NAMES;
use super::reading::{Install, Traits};
use crate::event_loop::{Loop, ProgramOutput};
use crate::modules::{LoadedTexts, MODULE_NAMES, ModuleRecords, PyCodeCaches, RemovedModules};
use crate::resolve::Resolver;
use crate::transform::{TransformOptions, Transformed};
use crate::v8::{Engine, JsModule, JsPromise, ModuleData, Scope, State, without_gil, wrap};

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

    /// Calls `work` with the program, without the GIL.
    fn run_detached<R>(&self, py: Python<'_>, work: impl FnOnce(&Rc<Life>) -> PyResult<R>) -> PyResult<R> {
        let life = self.life()?;
        without_gil(py, || work(&life))
    }
}

#[pymethods]
impl Program {
    /// Creates the program of an engine that Python has made; `main` is the path of its file, or "" for evaluated code.
    ///
    /// `install` selects when missing packages are installed; `is_followed` means that the provider follows which files are
    /// loaded.
    #[new]
    #[pyo3(signature = (
        provider, engine, *, main, r#loop, output, records, texts, code_caches, resolver, options, leaves_addons, install,
        is_followed, is_hot, has_preloads, is_node
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        provider: Py<PyAny>,
        engine: &Engine,
        main: String,
        r#loop: &Loop,
        output: &ProgramOutput,
        records: &ModuleRecords,
        texts: &LoadedTexts,
        code_caches: &PyCodeCaches,
        resolver: &Resolver,
        options: &TransformOptions,
        leaves_addons: bool,
        install: &str,
        is_followed: bool,
        is_hot: bool,
        has_preloads: bool,
        is_node: bool,
    ) -> PyResult<Program> {
        let install = Install::from_name(install).ok_or_else(|| PyValueError::new_err("no such way to install"))?;
        let parts = Parts {
            state: engine.share(),
            core: r#loop.core()?.clone(),
            output: output.0.clone(),
            records: records.0.clone(),
            texts: texts.0.clone(),
            code_caches: code_caches.share(),
            resolver: resolver.engine.clone(),
            options: options.inner.clone(),
            traits: Traits { install, is_followed, is_hot, has_preloads, is_node },
        };
        let life = Life::new(parts, main, leaves_addons)?;
        life.provider.replace(Some(provider));
        Ok(Program::of(&life))
    }

    /// Runs the program to its end and returns its exit status; calls `prepare` and `run_main` of the provider.
    fn run(&self, py: Python<'_>) -> PyResult<i32> {
        self.run_detached(py, |life| {
            let outcome = life.call("prepare").and_then(|()| life.run());
            life.end(outcome, true)
        })
    }

    /// Ends the program with `error`, from within JavaScript, which cannot run any more. Returns the exit status.
    fn end_with(&self, py: Python<'_>, error: Bound<'_, PyAny>) -> PyResult<i32> {
        let error = PyErr::from_value(error);
        self.run_detached(py, |life| life.end(Err(error), false))
    }

    /// Runs the program's exit handlers and returns its status.
    fn exit_status(&self, py: Python<'_>) -> PyResult<i32> {
        self.run_detached(py, |life| life.exit_status(false))
    }

    /// Turns the loop until `promise` is settled, or nothing is pending that could settle it.
    fn settle(&self, py: Python<'_>, promise: &Bound<'_, JsPromise>) -> PyResult<()> {
        let promise = &promise.as_super().get().0;
        self.run_detached(py, |life| life.settle(promise))
    }

    /// Evaluates a linked module and turns the loop until it is done; its exceptions are uncaught.
    fn evaluate(&self, py: Python<'_>, module: &JsModule) -> PyResult<()> {
        let module = module.data().clone();
        self.run_detached(py, |life| life.evaluate(&module))
    }

    /// Makes the program call the provider before the first statement and at the end: a debugger may listen.
    fn set_debugged(&self) -> PyResult<()> {
        self.life().map(|life| life.is_debugged.set(true))
    }

    /// Makes SIGUSR1 start the debugger's server, even while JavaScript runs.
    fn listen_on_signal(&self) -> PyResult<()> {
        self.life()?.listen_on_signal()
    }

    /// Returns the engine to its only owner: dropping it closes the engine.
    fn take_engine(&self, py: Python<'_>) -> PyResult<Py<Engine>> {
        Py::new(py, Engine::of(self.0.clone()))
    }

    /// The runtime's object of functions for the host.
    #[getter]
    fn entry(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let life = self.life()?;
        // No JavaScript runs here: it may be stopped, and a debugger may need Python.
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

    /// The loader of the program (0) or of its macros (1).
    fn loader(&self, number: usize) -> PyResult<ModuleLoader> {
        self.life()?.find_loader(number);
        Ok(ModuleLoader { program: Program(self.0.clone()), number })
    }

    /// Changes how files are resolved and transformed from now on.
    fn change_files(&self, resolver: &Resolver, options: &TransformOptions) -> PyResult<()> {
        self.life().map(|life| life.change_files(resolver.engine.clone(), options.inner.clone()))
    }

    /// Reads a file again at its next use; resolutions stay.
    fn read_again(&self, path: &str) -> PyResult<()> {
        self.life().map(|life| life.read_again(path))
    }

    /// Sets the path of the main module, which is evaluated code.
    fn set_main_name(&self, name: String) -> PyResult<()> {
        self.life().map(|life| drop(life.main_name.replace(name)))
    }

    /// Uses the compile cache that a program's environment enables, if possible.
    fn begin_compile_cache(&self, environment: &Bound<'_, PyAny>) -> PyResult<()> {
        let variable = |name: &str| environment.call_method1("get", (name,)).ok()?.extract().ok().flatten();
        self.life().map(|life| life.begin_compile_cache(variable))
    }

    /// Evaluates a linked module for require() and returns its namespace.
    fn evaluate_now(&self, py: Python<'_>, module: &JsModule) -> PyResult<Py<PyAny>> {
        let (life, module) = (self.life()?, module.data().clone());
        let namespace = without_gil(py, || {
            life.state.enter(|scope| life.require_now(scope, &module).map(|namespace| scope.keep(namespace)))
        })?;
        namespace.enter(|scope, namespace| wrap(scope, py, namespace))
    }

    /// The path of the snapshot that the engine was made from, unless Python made the engine.
    #[getter]
    fn snapshot(&self) -> PyResult<Option<String>> {
        Ok(self.life()?.snapshot.borrow().clone())
    }
}

/// The module loader of a program, or of its macros, for its provider.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct ModuleLoader {
    program: Program,
    number: usize,
}

type Attributes = HashMap<String, String>;

impl ModuleLoader {
    fn loader(&self) -> PyResult<Rc<Loader>> {
        Ok(self.program.life()?.find_loader(self.number))
    }

    /// Returns the module that `work` creates in a scope, without the GIL.
    fn make(
        &self,
        py: Python<'_>,
        work: impl for<'s> FnOnce(&Life, &Loader, &Scope<'s>) -> PyResult<Arc<ModuleData>>,
    ) -> PyResult<JsModule> {
        let (life, loader) = (self.program.life()?, self.loader()?);
        without_gil(py, || life.state.enter(|scope| work(&life, &loader, scope))).map(JsModule::new)
    }
}

fn pairs(attributes: Option<Attributes>) -> Vec<(String, String)> {
    attributes.unwrap_or_default().into_iter().collect()
}

#[pymethods]
impl ModuleLoader {
    /// Returns the module of a file, linked with its imports and ready to be evaluated.
    #[pyo3(signature = (path, query = "", attributes = None))]
    fn instantiate(
        &self,
        py: Python<'_>,
        path: &str,
        query: &str,
        attributes: Option<Attributes>,
    ) -> PyResult<JsModule> {
        let attributes = pairs(attributes);
        self.make(py, |life, loader, scope| life.instantiate(loader, scope, path, query, &attributes))
    }

    /// Returns the module of `import(specifier)` in `importer`, ready to be evaluated.
    #[pyo3(signature = (specifier, importer, attributes = None))]
    fn ready_target(
        &self,
        py: Python<'_>,
        specifier: &str,
        importer: &str,
        attributes: Option<Attributes>,
    ) -> PyResult<JsModule> {
        let attributes = pairs(attributes);
        self.make(py, |life, loader, scope| life.ready_target(loader, scope, specifier, importer, &attributes))
    }

    /// Links `module` with its imports.
    fn ready(&self, py: Python<'_>, module: &JsModule) -> PyResult<JsModule> {
        let module = module.data().clone();
        self.make(py, |life, loader, scope| life.ready(loader, scope, module))
    }

    /// Returns the linked module of evaluated code, which may use all CommonJS variables.
    #[pyo3(name = "from_code")]
    fn of_code(&self, py: Python<'_>, transformed: &Transformed, path: &str) -> PyResult<JsModule> {
        let text = transformed.clone();
        self.make(py, |life, loader, scope| {
            let module = life.compiled(loader, scope, &text, (path, ""), path, CODE_NAMES)?;
            let module = loader.table.put(path.to_owned(), None, &module, None, false);
            life.ready(loader, scope, module)
        })
    }

    /// Returns the unlinked module of source text for `name`.
    fn compile_text(&self, py: Python<'_>, transformed: &Transformed, name: &str) -> PyResult<JsModule> {
        let text = transformed.clone();
        let path = if name.starts_with('/') { path_of(name) } else { name };
        self.make(py, |life, loader, scope| {
            life.compiled(loader, scope, &text, (path, &name[path.len()..]), name, MODULE_NAMES)
        })
    }

    /// Returns the unlinked module of a file, without hooks.
    #[pyo3(signature = (path, query = "", attributes = None))]
    fn of_path(&self, py: Python<'_>, path: &str, query: &str, attributes: Option<Attributes>) -> PyResult<JsModule> {
        let attributes = pairs(attributes);
        self.make(py, |life, loader, scope| life.module(loader, scope, path, query, loader_of(&attributes)))
    }

    /// Returns the script in a file, or None for other data. With `as_script`, a file whose extension has no loader is a
    /// script.
    #[pyo3(signature = (path, *, as_script = true))]
    fn script(&self, py: Python<'_>, path: &str, as_script: bool) -> PyResult<Option<Transformed>> {
        let life = self.program.life()?;
        let record = without_gil(py, || life.state.enter(|scope| life.record(scope, path, None, as_script)))?;
        Ok(record.transformed.clone())
    }

    /// Returns a built-in module, not linked.
    fn builtin(&self, py: Python<'_>, name: &str) -> PyResult<JsModule> {
        self.make(py, |life, loader, scope| life.builtin(loader, scope, name))
    }

    /// Returns the module of `name` (path and query), if it exists.
    #[pyo3(signature = (name, attributes = None))]
    fn known(&self, name: &str, attributes: Option<Attributes>) -> PyResult<Option<JsModule>> {
        self.get(name, loader_of(&pairs(attributes)))
    }

    /// Returns the module of `name` that was requested with `loader`, if it exists.
    #[pyo3(signature = (name, loader = None))]
    fn get(&self, name: &str, loader: Option<&str>) -> PyResult<Option<JsModule>> {
        Ok(self.loader()?.table.find(name, loader).map(|entry| JsModule::new(entry.module)))
    }

    /// Inserts a module, unless there is one already. Returns the one that is in the table then.
    #[pyo3(signature = (name, loader, module, *, is_requested = false))]
    fn put(&self, name: String, loader: Option<String>, module: &JsModule, is_requested: bool) -> PyResult<JsModule> {
        let put = self.loader()?.table.put(name, loader, module.data(), None, is_requested);
        Ok(JsModule::new(put))
    }

    /// Registers `name` as the module of a WebAssembly file.
    fn add_wasm(&self, name: String) -> PyResult<()> {
        self.loader()?.wasm.borrow_mut().insert(name);
        Ok(())
    }

    /// Calls the provider for each import, because of hooks.
    fn set_hooked(&self, is_hooked: bool) -> PyResult<()> {
        let (life, loader) = (self.program.life()?, self.loader()?);
        loader.is_hooked.set(is_hooked);
        loader.table.ask_always(is_hooked || life.traits.asks_always());
        Ok(())
    }

    /// Returns the paths of the modules that have imported `path`; with --hot.
    fn importers_of(&self, path: &str) -> PyResult<HashSet<String>> {
        Ok(self.loader()?.importers_of(path))
    }

    /// The paths of all modules, and the names of built-in ones.
    fn paths(&self) -> PyResult<Vec<String>> {
        Ok(self.loader()?.table.names().iter().map(|name| path_of(name).to_owned()).collect())
    }

    /// Removes the modules of `paths`, so that they are created again; the result is the argument of `put_back`.
    fn take_out(&self, paths: HashSet<String>) -> PyResult<RemovedModules> {
        let loader = self.loader()?;
        self.program.life()?.facades.borrow_mut().clear();
        let removed = loader.table.take_out(&paths);
        loader.paths.borrow_mut().extend(removed.paths());
        Ok(removed)
    }

    /// Restores the modules that `take_out` removed, replacing those made since.
    fn put_back(&self, removed: &RemovedModules) -> PyResult<()> {
        self.loader().map(|loader| loader.table.put_back(removed))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::interpreter::class::<Program>(module)?;
    crate::interpreter::class::<ModuleLoader>(module)
}
