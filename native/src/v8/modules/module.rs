//! ES modules: the host reads a module's requests, links each to a module, and then instantiates the graph.
//!
//! Linking comes first, so V8's resolve callback only reads `links`, by the index of the request. The links are dropped
//! once the graph is instantiated, because V8 then keeps the modules alive.
use std::sync::Arc;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::interpreter::class;

use super::graph::{Data, ModuleEntry, enter_into_table, forget_links, resolve};
use super::import_hooks::resolve_source;
use super::script::{Origin, compile, compile_detached};
use super::synthetic::set_export;
use crate::v8::api::layout::{LocalVector, location, maybe_bool, maybe_int};
use crate::v8::api::{Handle, Raw, v8};
use crate::v8::values::object;
use crate::v8::values::promise::{mark_as_handled, new_resolver};
use crate::v8::values::scope::{Local, Scope, without_gil};
use crate::v8::values::value::{property_key, string_to_python, to_js, to_python};

/// One `import` or `export ... from` of a module.
#[pyclass(frozen, get_all, name = "JsModuleRequest", module = "rt_supervisor._native")]
pub struct ModuleRequest {
    specifier: Py<PyString>,
    /// Import attributes: `with { type: "json" }` is `{"type": "json"}`.
    attributes: Py<PyDict>,
    line: i32,
    column: i32,
}

/// An ES module.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct JsModule {
    data: Arc<Data>,
}

/// (module name, line, column)
type Place = (Py<PyAny>, Option<i32>, i32);

const STATUSES: [&str; 6] = ["unlinked", "linking", "linked", "evaluating", "evaluated", "errored"];
const LINKED: i32 = 2;
const EVALUATING: i32 = 3;
const EVALUATED: i32 = 4;

pub fn compile_module(scope: &Scope<'_>, py: Python<'_>, source: &Bound<'_, PyAny>, name: &str) -> PyResult<JsModule> {
    let origin = Origin { is_module: true, ..Origin::of_script(name) };
    // SAFETY: the scope proves the isolate current; the structure is filled in.
    let module = compile(scope, py, source, &origin, |source, options| unsafe {
        (v8().module_compile)(scope.isolate, source, options, 0)
    })?;
    let data = Data::new(scope, module, name.to_owned(), None);
    enter_into_table(scope, data.hash, ModuleEntry::Known(Arc::downgrade(&data)));
    Ok(JsModule { data })
}

/// As `compile_module`, without the GIL; also returns whether the code cache was rejected. None if the text is not a
/// module.
pub fn compile_known(scope: &Scope<'_>, source: &str, name: &str, cache: Option<&[u8]>) -> Option<(Arc<Data>, bool)> {
    scope.nested(|scope| {
        let (module, was_rejected) = compile_detached(scope, source, name, cache)?;
        let data = Data::new(scope, module, name.to_owned(), None);
        enter_into_table(scope, data.hash, ModuleEntry::Known(Arc::downgrade(&data)));
        Some((data, was_rejected))
    })
}

/// Instantiates the linked graph: connects imports to exports. `forgets` drops the links of the graph. Needs no GIL.
pub fn instantiate(scope: &Scope<'_>, data: &Arc<Data>, forgets: bool) -> PyResult<()> {
    let (module, context) = (data.module.in_scope(scope)?, scope.context.handle());
    // SAFETY: the handles are live; the callback has the signature of the by-index form.
    let run = || unsafe { (v8().module_instantiate)(module.handle(), context, resolve as Raw, resolve_source as Raw) };
    scope.javascript_detached(|| maybe_bool(run()))?;
    if forgets {
        forget_links(data);
    }
    Ok(())
}

/// Evaluates the graph of an instantiated module. Returns its promise, marked as handled, or undefined for a synthetic
/// module, which is then evaluated. Needs no GIL.
pub fn evaluate<'s>(scope: &Scope<'s>, data: &Arc<Data>) -> PyResult<Local<'s>> {
    let (module, context) = (data.module.in_scope(scope)?, scope.context.handle());
    // SAFETY: the handles are live; the module is instantiated.
    let promise = scope.evaluate_detached(|| unsafe { (v8().module_evaluate)(module.handle(), context) })?;
    // SAFETY: the value is live.
    if unsafe { (v8().is_promise)(promise.handle()) } {
        mark_as_handled(scope, promise);
    }
    Ok(promise)
}

/// Whether the module is unlinked.
pub fn is_unlinked(scope: &Scope<'_>, data: &Arc<Data>) -> PyResult<bool> {
    Ok(JsModule::status_of(data.module.in_scope(scope)?) == 0)
}

/// Whether the module is being evaluated.
pub fn is_evaluating(scope: &Scope<'_>, data: &Arc<Data>) -> PyResult<bool> {
    Ok(JsModule::status_of(data.module.in_scope(scope)?) == EVALUATING)
}

/// Returns whether the evaluation ended, with or without an error; a top-level await may be pending.
pub fn is_evaluated(scope: &Scope<'_>, data: &Arc<Data>) -> bool {
    data.module.in_scope(scope).is_ok_and(|module| JsModule::status_of(module) >= EVALUATED)
}

/// Whether an instantiated module, or one that it imports, uses top-level await.
pub fn is_graph_async(scope: &Scope<'_>, data: &Arc<Data>) -> PyResult<bool> {
    let module = data.module.in_scope(scope)?;
    // SAFETY: the module is live and instantiated.
    Ok(unsafe { (v8().module_is_async)(module.handle()) })
}

/// Whether the text of a module uses top-level await.
pub fn has_await(scope: &Scope<'_>, data: &Arc<Data>) -> PyResult<bool> {
    let module = data.module.in_scope(scope)?;
    // SAFETY: the module is live.
    Ok(unsafe { (v8().module_is_source)(module.handle()) && (v8().module_has_await)(module.handle()) })
}

/// The namespace of an instantiated module; needs no GIL.
pub fn namespace<'s>(scope: &Scope<'s>, data: &Arc<Data>) -> PyResult<Local<'s>> {
    let module = data.module.in_scope(scope)?;
    // SAFETY: the module is live and instantiated.
    scope.evaluate_detached(|| unsafe { (v8().module_namespace)(module.handle()) })
}

impl JsModule {
    pub fn data(&self) -> &Arc<Data> {
        &self.data
    }

    pub fn new(data: Arc<Data>) -> JsModule {
        JsModule { data }
    }

    fn status_of(module: Local<'_>) -> i32 {
        // SAFETY: the module is live.
        unsafe { (v8().module_status)(module.handle()) }
    }

    fn require_linked(module: Local<'_>) -> PyResult<()> {
        if Self::status_of(module) < LINKED {
            return Err(PyRuntimeError::new_err("the module is not instantiated"));
        }
        Ok(())
    }
}

#[pymethods]
impl JsModule {
    #[getter]
    fn name(&self) -> &str {
        &self.data.name
    }

    /// "unlinked", "linking", "linked", "evaluating", "evaluated" (also while top-level await is pending) or "errored".
    #[getter]
    fn status(&self) -> PyResult<&'static str> {
        self.data.module.enter(|_, module| Ok(STATUSES[Self::status_of(module) as usize]))
    }

    /// The thrown value of a module that is "errored".
    #[getter]
    fn exception(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.data.module.enter(|scope, module| {
            if Self::status_of(module) <= EVALUATED {
                return Ok(py.None());
            }
            // SAFETY: the module is live and has an exception.
            let value = unsafe { scope.local((v8().module_exception)(module.handle())) };
            value.map_or_else(|| Ok(py.None()), |value| to_python(scope, py, value))
        })
    }

    /// The module's imports in source order without duplicates; `link` takes one module for each.
    #[getter]
    fn requests(&self, py: Python<'_>) -> PyResult<Vec<ModuleRequest>> {
        self.data.module.enter(|scope, module| {
            // SAFETY: the module is live; synthetic modules, which have no requests, are excluded.
            let requests = unsafe {
                if !(v8().module_is_source)(module.handle()) {
                    return Ok(vec![]);
                }
                (v8().module_requests)(module.handle())
            };
            // SAFETY: the array of requests is live.
            (0..unsafe { (v8().fixed_array_length)(requests) })
                .map(|index| scope.nested(|scope| read_request(scope, py, module, requests, index)))
                .collect()
        })
    }

    /// Sets the module for each request, in the order of `requests`.
    fn link(&self, modules: Vec<PyRef<'_, JsModule>>) -> PyResult<()> {
        self.data.module.enter(|scope, module| {
            // SAFETY: the module is live, and its requests are read only if it has any.
            let count = unsafe {
                if (v8().module_is_source)(module.handle()) {
                    (v8().fixed_array_length)((v8().module_requests)(module.handle()))
                } else {
                    0
                }
            };
            if count as usize != modules.len() {
                let text = format!("the module has {count} requests, {} modules were given", modules.len());
                return Err(PyValueError::new_err(text));
            }
            if modules.iter().any(|linked| !std::ptr::eq(&**linked.data.module.state(), scope.state)) {
                return Err(PyValueError::new_err("the module belongs to another engine"));
            }
            self.data.link(modules.iter().map(|linked| linked.data.clone()).collect());
            Ok(())
        })
    }

    /// Instantiate the linked graph. Raises `JsError` (a SyntaxError for a missing export).
    fn instantiate(&self, py: Python<'_>) -> PyResult<()> {
        self.data.module.enter(|scope, module| {
            let _ = module;
            without_gil(py, || instantiate(scope, &self.data, true))
        })
    }

    /// Evaluates the graph. The promise settles when the module and its top-level awaits are done. It is marked as
    /// handled, so the caller must check for a rejection.
    fn evaluate(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.data.module.enter(|scope, module| {
            Self::require_linked(module)?;
            if Self::status_of(module) == EVALUATING {
                return Err(PyRuntimeError::new_err("the module is being evaluated"));
            }
            let context = scope.context.handle();
            // SAFETY: the handles are live; the module is instantiated.
            let promise = scope.evaluate(py, || unsafe { (v8().module_evaluate)(module.handle(), context) })?;
            // SAFETY: the value is live.
            if !unsafe { (v8().is_promise)(promise.handle()) } {
                // A synthetic module is evaluated at once, without a promise.
                let (resolver, promise) = new_resolver(scope, py)?;
                resolver.settle(py, &py.None().into_bound(py), false)?;
                return to_python(scope, py, promise);
            }
            mark_as_handled(scope, promise);
            to_python(scope, py, promise)
        })
    }

    /// The namespace object; the module must be instantiated.
    #[getter]
    fn namespace(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.data.module.enter(|scope, module| {
            Self::require_linked(module)?;
            // SAFETY: the module is live and instantiated.
            let namespace = scope.evaluate(py, || unsafe { (v8().module_namespace)(module.handle()) })?;
            object::wrap(scope, py, namespace)
        })
    }

    /// Whether this module or one that it imports uses top-level await; the module must be instantiated.
    #[getter]
    fn is_graph_async(&self) -> PyResult<bool> {
        self.data.module.enter(|_, module| {
            Self::require_linked(module)?;
            // SAFETY: the module is live and instantiated.
            Ok(unsafe { (v8().module_is_async)(module.handle()) })
        })
    }

    #[getter]
    fn has_top_level_await(&self) -> PyResult<bool> {
        // SAFETY: the module is live.
        self.data.module.enter(|_, module| Ok(unsafe { (v8().module_has_await)(module.handle()) }))
    }

    /// Sets an export of a synthetic module, during its evaluation or later.
    fn set_export(&self, py: Python<'_>, name: &Bound<'_, PyString>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.data.module.enter(|scope, module| {
            // SAFETY: the module is live.
            if unsafe { (v8().module_is_source)(module.handle()) } {
                return Err(PyValueError::new_err("only a synthetic module's exports can be set"));
            }
            Self::require_linked(module)?;
            let (name, value) = (property_key(scope, name)?, to_js(scope, value)?);
            without_gil(py, || set_export(scope, module, name, value))
        })
    }

    /// The pending top-level awaits of this graph: (module name, line, column) for each.
    fn find_pending_awaits(&self, py: Python<'_>) -> PyResult<Vec<Place>> {
        self.data.module.enter(|scope, module| find_pending_awaits(scope, py, module))
    }

    fn __repr__(&self) -> String {
        format!("<JavaScript module {:?}>", self.data.name)
    }
}

fn read_request(
    scope: &Scope<'_>,
    py: Python<'_>,
    module: Local<'_>,
    requests: Handle,
    index: i32,
) -> PyResult<ModuleRequest> {
    // SAFETY: the index is below the array's length; V8 returns handles of this scope.
    let (specifier, attributes, (line, column)) = unsafe {
        let request = (v8().fixed_array_get)(requests, index);
        let place = (v8().module_location)(module.handle(), (v8().request_offset)(request));
        let specifier = scope.local((v8().request_specifier)(request)).expect("a specifier");
        (specifier, (v8().request_attributes)(request), location(place))
    };
    let specifier = string_to_python(scope, py, specifier)?;
    let attributes = read_attributes(scope, py, attributes, 3)?;
    Ok(ModuleRequest { specifier, attributes, line: line + 1, column: column + 1 })
}

/// Import attributes from V8's flat array: key, value and, with a stride of three, a position.
pub fn read_attributes(scope: &Scope<'_>, py: Python<'_>, array: Handle, stride: usize) -> PyResult<Py<PyDict>> {
    let result = PyDict::new(py);
    // SAFETY: the array is live; keys and values are strings.
    let length = unsafe { (v8().fixed_array_length)(array) };
    for index in (0..length).step_by(stride) {
        // SAFETY: the indices are below the length.
        let (key, value) = unsafe {
            let get = |index| scope.local((v8().fixed_array_get)(array, index)).expect("a string");
            (get(index), get(index + 1))
        };
        result.set_item(string_to_python(scope, py, key)?, string_to_python(scope, py, value)?)?;
    }
    Ok(result.unbind())
}

fn find_pending_awaits(scope: &Scope<'_>, py: Python<'_>, module: Local<'_>) -> PyResult<Vec<Place>> {
    let empty =
        || LocalVector { begin: std::ptr::null_mut(), end: std::ptr::null_mut(), capacity: std::ptr::null_mut() };
    let mut pair = [empty(), empty()];
    // SAFETY: the module is live; V8 fills two vectors with handles of this scope, whose memory is freed below.
    unsafe { (v8().module_stalled)(&mut pair, module.handle(), scope.isolate) };
    let mut places = vec![];
    // SAFETY: the words of the second vector are live messages.
    let messages = unsafe {
        let count = pair[1].end.offset_from(pair[1].begin);
        (0..count).map(|index| *pair[1].begin.offset(index)).collect::<Vec<Handle>>()
    };
    for message in messages {
        // SAFETY: the messages are live; these functions only read.
        let (name, line, column) = unsafe {
            let name = scope.local((v8().message_resource)(message));
            let line = maybe_int((v8().message_line)(message, scope.context.handle()));
            (name, line, (v8().message_start_column)(message) + 1)
        };
        let name = name.map_or_else(|| Ok(py.None()), |name| to_python(scope, py, name))?;
        places.push((name, line, column));
    }
    for vector in pair {
        // SAFETY: the memory came from the same library's `operator new`; null is allowed.
        unsafe { (v8().operator_delete)(vector.begin as Raw) };
    }
    Ok(places)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<JsModule>(module)?;
    class::<ModuleRequest>(module)
}
