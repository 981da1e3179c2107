//! One engine: an isolate with one context, on the thread that makes it.
use std::sync::Arc;
use std::sync::atomic::Ordering;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use super::ahead;
use super::context::{self, fresh};
use super::creator;
use super::snapshot::Loaded;
use crate::v8::api::v8;
use crate::v8::clone::serializer;
use crate::v8::heap::statistics;
use crate::v8::modules::module::{self, JsModule};
use crate::v8::modules::script::{self, Origin};
use crate::v8::modules::synthetic;
use crate::v8::start::library;
use crate::v8::values::buffer;
use crate::v8::values::function::{self, HostFunction, JsFunction};
use crate::v8::values::interrupt;
use crate::v8::values::object::{self, JsObject, JsSymbol};
use crate::v8::values::promise;
use crate::v8::values::promise::Rejection;
use crate::v8::values::scope::without_gil;
use crate::v8::values::stack;
use crate::v8::values::state::State;
use crate::v8::values::tasks;
use crate::v8::values::value::to_js;

/// An isolate and its context, used on the thread that created it and closed when dropped there.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct Engine {
    pub(super) state: Arc<State>,
}

impl Engine {
    pub fn of(state: Arc<State>) -> Engine {
        Engine { state }
    }

    pub fn share(&self) -> Arc<State> {
        self.state.clone()
    }
}

#[pymethods]
impl Engine {
    /// With `creates_snapshot`, `take_heap` stores the engine's heap.
    #[new]
    #[pyo3(signature = (
        snapshot=None, *, host=None, host_functions=vec![], host_name="__host", heap_limit_bytes=None, creates_snapshot=false
    ))]
    fn new(
        py: Python<'_>,
        snapshot: Option<Bound<'_, PyAny>>,
        host: Option<Bound<'_, PyAny>>,
        host_functions: Vec<String>,
        host_name: &str,
        heap_limit_bytes: Option<usize>,
        creates_snapshot: bool,
    ) -> PyResult<Engine> {
        library::check_started()?;
        if snapshot.is_some() && !host_functions.is_empty() {
            return Err(PyValueError::new_err("the host functions of a snapshot were named when it was built"));
        }
        let host = Engine::callable(host)?;
        if creates_snapshot {
            let source =
                snapshot.ok_or_else(|| PyValueError::new_err("a heap is stored for a snapshot of the runtime"))?;
            let creating = creator::fresh(Loaded::open(&source)?, heap_limit_bytes)?;
            let engine = Engine { state: State::new(creating.isolate()) };
            let fresh = creator::adopt(&engine.state, creating);
            context::open(&engine.state, fresh, host, host_functions, host_name)?;
            return Ok(engine);
        }
        let path = snapshot.as_ref().and_then(|source| source.extract::<String>().ok());
        let ready = match path.and_then(|path| ahead::take(py, &path, heap_limit_bytes)) {
            Some(ready) => ready,
            None => fresh(snapshot.as_ref().map(Loaded::open).transpose()?, heap_limit_bytes)?,
        };
        let engine = Engine { state: State::new(ready.isolate) };
        context::open(&engine.state, ready, host, host_functions, host_name)?;
        Ok(engine)
    }

    /// Dispose of the isolate. References that remain raise RuntimeError when used.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.state.close(py)
    }

    /// Stores the heap of an engine made with `creates_snapshot`, whose program has ended, and closes the engine. Returns a
    /// snapshot for `Engine`.
    fn take_heap(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        creator::create(&self.state).map(|bytes| PyBytes::new(py, &bytes).unbind())
    }

    /// `globalThis`.
    #[getter]
    fn global_object(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.state.enter(|scope| {
            // SAFETY: the context is live.
            let global = unsafe { scope.local((v8().context_global)(scope.context.handle())) };
            object::wrap(scope, py, global.expect("a context has a global object"))
        })
    }

    /// Compiles and runs `source`; returns its completion value.
    #[pyo3(signature = (source, name="", *, line_offset=0, column_offset=0))]
    fn run(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        name: &str,
        line_offset: i32,
        column_offset: i32,
    ) -> PyResult<Py<PyAny>> {
        let origin = Origin { line_offset, column_offset, ..Origin::of_script(name) };
        self.state.enter(|scope| script::run(scope, py, source, &origin))
    }

    /// A function with `source` as its body and the parameters `params`.
    #[pyo3(signature = (source, params=vec![], name=""))]
    fn compile_function(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        params: Vec<Bound<'_, PyString>>,
        name: &str,
    ) -> PyResult<Py<PyAny>> {
        self.state.enter(|scope| {
            let function = script::compile_function(scope, py, source, &params, name)?;
            object::wrap(scope, py, function)
        })
    }

    fn compile_module(&self, py: Python<'_>, source: &Bound<'_, PyAny>, name: &str) -> PyResult<JsModule> {
        self.state.enter(|scope| module::compile_module(scope, py, source, name))
    }

    #[pyo3(signature = (name, exports, *, source=None, default=None, evaluate=None))]
    fn synthetic_module(
        &self,
        py: Python<'_>,
        name: &str,
        exports: Vec<Bound<'_, PyString>>,
        source: Option<&Bound<'_, JsObject>>,
        default: Option<Py<PyAny>>,
        evaluate: Option<Py<PyAny>>,
    ) -> PyResult<JsModule> {
        self.state.enter(|scope| synthetic::synthetic_module(scope, py, name, exports, source, default, evaluate))
    }

    /// A JavaScript function that calls `callable`.
    #[pyo3(signature = (callable, name="", *, signature="", receiver=false))]
    fn function(
        &self,
        py: Python<'_>,
        callable: &Bound<'_, PyAny>,
        name: &str,
        signature: &str,
        receiver: bool,
    ) -> PyResult<Py<PyAny>> {
        let host = HostFunction::new(callable, signature, receiver)?;
        self.state.enter(|scope| {
            let function = function::make_from_python(scope, host, name)?;
            object::wrap(scope, py, function)
        })
    }

    /// Binds the host function `name`.
    #[pyo3(signature = (name, callable, *, signature="", receiver=false))]
    fn bind(&self, name: &str, callable: &Bound<'_, PyAny>, signature: &str, receiver: bool) -> PyResult<()> {
        self.state.check()?;
        function::bind(&self.state, name, HostFunction::new(callable, signature, receiver)?)
    }

    #[getter]
    fn host_functions(&self) -> PyResult<Vec<String>> {
        self.state.check()?;
        Ok(self.state.inner().names.borrow().clone())
    }

    /// `host(name)` finds host functions that are not bound.
    fn set_host(&self, hook: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        self.set_hook(hook, |inner| &inner.resolve_host)
    }

    /// `on_import(specifier, referrer, attributes, resolver)`.
    fn set_on_import(&self, hook: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        self.set_hook(hook, |inner| &inner.on_import)
    }

    /// `on_import_meta(module, meta)`.
    fn set_on_import_meta(&self, hook: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        self.set_hook(hook, |inner| &inner.on_import_meta)
    }

    /// `on_exception(exception)` returns the JavaScript value to throw for an exception of a callback; None for the
    /// default.
    fn set_on_exception(&self, hook: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        self.set_hook(hook, |inner| &inner.convert_exception)
    }

    /// `on_abandoned(exception)` ends the process when V8 cannot propagate a termination of JavaScript.
    fn set_on_abandoned(&self, hook: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        self.set_hook(hook, |inner| &inner.on_abandoned)
    }

    /// `function(error, callSites)` formats every `error.stack`; None for V8's own format.
    fn set_prepare_stack_trace(&self, function: Option<&Bound<'_, JsFunction>>) -> PyResult<()> {
        self.state.enter(|scope| {
            let function = function.map(|function| function.as_super().get().0.in_scope(scope)).transpose()?;
            stack::set_prepare(scope, function);
            Ok(())
        })
    }

    /// A pending promise and the resolver that settles it.
    fn new_promise(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        self.state.enter(|scope| promise::new_promise(scope, py))
    }

    /// A plain object with the converted entries of `items`.
    #[pyo3(signature = (items=None))]
    fn new_object(&self, py: Python<'_>, items: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        let empty = PyDict::new(py);
        self.state.enter(|scope| {
            let object = to_js(scope, items.unwrap_or(&empty).as_any())?;
            object::wrap(scope, py, object)
        })
    }

    /// An array of the converted `items`.
    #[pyo3(signature = (items))]
    fn new_array(&self, py: Python<'_>, items: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let items = PyTuple::new(py, items.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
        self.state.enter(|scope| {
            let array = to_js(scope, items.as_any())?;
            object::wrap(scope, py, array)
        })
    }

    /// A Uint8Array of `size` zero bytes, or a copy of the bytes of `data`.
    #[pyo3(signature = (data))]
    fn new_buffer(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.state.enter(|scope| {
            let array = buffer::make(scope, data)?;
            object::wrap(scope, py, array)
        })
    }

    /// `Symbol(description)`, or `Symbol.for(description)`.
    #[pyo3(signature = (description, *, shared=false))]
    fn new_symbol(&self, description: &Bound<'_, PyString>, shared: bool) -> PyResult<JsSymbol> {
        self.state.enter(|scope| JsSymbol::make(scope, description, shared))
    }

    /// `value` in V8's structured clone format, for `deserialize` of any engine.
    fn serialize(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyBytes>> {
        self.state.enter(|scope| serializer::serialize(scope, py, value))
    }

    /// Deserializes bytes of `serialize`; raises ValueError for anything else. The bytes must come from a trusted
    /// source.
    fn deserialize(&self, py: Python<'_>, data: &[u8]) -> PyResult<Py<PyAny>> {
        self.state.enter(|scope| serializer::deserialize(scope, py, data))
    }

    /// Runs the queued microtasks, and those that they queue.
    fn run_microtasks(&self, py: Python<'_>) -> PyResult<()> {
        self.state.enter(|scope| promise::run_microtasks(scope, py))
    }

    /// Rejections since the last call, as (handled_later, promise, reason, context): False for a promise that was
    /// rejected and still has no handler, True for one that was reported before and now has one (the rest is None).
    fn take_rejections(&self, py: Python<'_>) -> PyResult<Vec<Rejection>> {
        self.state.enter(|scope| promise::take_rejections(scope, py))
    }

    /// What microtasks threw and nothing caught, as `JsError`s.
    fn take_uncaught(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.state.enter(|scope| promise::take_uncaught(scope, py))
    }

    /// The tokens of the `JsWeak` references whose objects were collected.
    fn take_finalized(&self) -> PyResult<Vec<Py<PyAny>>> {
        self.state.check()?;
        Ok(self.state.inner().finalized.take())
    }

    /// Terminates the JavaScript that runs now, or the next that starts, with `JsTerminated`. May be called on any
    /// thread.
    fn terminate(&self) {
        self.state.is_terminated.store(true, Ordering::Relaxed);
        interrupt::terminate(&self.state);
    }

    /// Calls `action` on the engine's thread while JavaScript is stopped at its next safe point, or when it next runs.
    fn interrupt(&self, action: Bound<'_, PyAny>) -> PyResult<()> {
        let action = Engine::callable(Some(action))?.expect("a callable");
        interrupt::request(&self.state, interrupt::Action::Python(action));
        Ok(())
    }

    /// Reads the time zone again after a change of `TZ`.
    fn time_zone_changed(&self) -> PyResult<()> {
        self.state.enter(library::read_time_zone)
    }

    /// Seeds `Math.random` from the system's randomness; call this before its first use.
    fn reseed(&self) -> PyResult<()> {
        self.state.enter(library::reseed)
    }

    /// Collects garbage.
    fn collect_garbage(&self, py: Python<'_>) -> PyResult<()> {
        self.state.enter(|scope| {
            // SAFETY: the scope proves the isolate current.
            scope.work(py, || unsafe { (v8().low_memory)(scope.isolate) })
        })
    }

    /// V8's heap statistics, in bytes.
    fn heap_statistics(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        self.state.enter(|scope| statistics::statistics(scope, py))
    }

    /// Whether V8's own threads work for this engine; `pump` delivers their results.
    #[getter]
    fn has_background_work(&self) -> PyResult<bool> {
        // SAFETY: the scope proves the isolate current.
        self.state.enter(|scope| Ok(unsafe { (v8().has_pending_background_tasks)(scope.isolate) }))
    }

    /// Runs one task posted by V8 (asynchronous WebAssembly, finalization); False if there was none.
    fn pump(&self, py: Python<'_>) -> PyResult<bool> {
        self.state.enter(|scope| without_gil(py, || tasks::pump(scope)))
    }

    /// The ms until a task is due: 0 if one is waiting, negative if there is none.
    #[getter]
    fn task_delay_ms(&self) -> PyResult<f64> {
        self.state.check()?;
        Ok(tasks::delay_ms(&self.state).unwrap_or(-1.0))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // On another thread, or inside its own JavaScript, the isolate is leaked until the process ends.
        if self.state.is_owner() {
            let _ = Python::try_attach(|py| self.state.close(py));
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::interpreter::class::<Engine>(module)
}
