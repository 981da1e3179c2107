//! ES modules: the host reads a module's requests, links each to a module, and then instantiates the graph.
//!
//! Linking comes first, so V8's resolve callback only looks into `links`, by the index of the request. They are
//! dropped once the graph is instantiated: V8 keeps the modules from there on.
use std::cell::RefCell;
use std::sync::{Arc, Weak};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use super::api::{Handle, Isolate, Raw, v8};
use super::error;
use super::layout::{Span, location, maybe_bool};
use super::object::{self, JsObject};
use super::promise::{mark_as_handled, new_resolver};
use super::scope::{Global, Local, NO_HANDLE, Scope};
use super::script::{Origin, compile, take_cache};
use super::state::State;
use super::value::{literal, property_key, string_to_python, to_js, to_python};

/// One `import` or `export ... from` of a module.
#[pyclass(frozen, get_all, name = "JsModuleRequest", module = "rt_supervisor._native")]
pub struct ModuleRequest {
    specifier: Py<PyString>,
    /// Import attributes: `with { type: "json" }` is `{"type": "json"}`.
    attributes: Py<PyDict>,
    line: i32,
    column: i32,
}

pub struct Data {
    module: Global,
    name: String,
    links: RefCell<Vec<Arc<Data>>>,
    exports: RefCell<Option<Exports>>,
}

// SAFETY: the cells are used only in a scope of the engine, which is on the owner's thread.
unsafe impl Send for Data {}
// SAFETY: as above.
unsafe impl Sync for Data {}

/// Where a synthetic module's exports come from when it is evaluated.
struct Exports {
    names: Vec<Py<PyString>>,
    source: Option<Global>,
    default: Option<Py<PyAny>>,
    evaluate: Option<Py<PyAny>>,
}

/// What the engine's table holds: synthetic modules until they are evaluated, others as long as Python does.
pub enum ModuleEntry {
    Kept(Arc<Data>),
    Known(Weak<Data>),
}

impl ModuleEntry {
    fn data(&self) -> Option<Arc<Data>> {
        match self {
            ModuleEntry::Kept(data) => Some(data.clone()),
            ModuleEntry::Known(data) => data.upgrade(),
        }
    }
}

/// An ES module.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct JsModule {
    data: Arc<Data>,
    /// The code cache given did not fit and was not used.
    #[pyo3(get)]
    cache_rejected: bool,
}

const STATUSES: [&str; 6] = ["unlinked", "linking", "linked", "evaluating", "evaluated", "errored"];
const LINKED: i32 = 2;
const EVALUATED: i32 = 4;

fn enter_into_table(scope: &Scope<'_>, module: Local<'_>, entry: ModuleEntry) {
    // SAFETY: a live module.
    let hash = unsafe { (v8().module_hash)(module.handle()) };
    let mut modules = scope.state.inner().modules.borrow_mut();
    let entries = modules.entry(hash).or_default();
    entries.retain(|entry| entry.data().is_some());
    entries.push(entry);
}

fn find(scope: &Scope<'_>, module: Local<'_>) -> Option<Arc<Data>> {
    // SAFETY: a live module.
    let hash = unsafe { (v8().module_hash)(module.handle()) };
    let modules = scope.state.inner().modules.borrow();
    let mut found = modules.get(&hash)?.iter().filter_map(ModuleEntry::data);
    found.find(|data| data.module.in_scope(scope).is_ok_and(|known| known.is(module)))
}

pub fn compile_module(
    scope: &Scope<'_>,
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    origin: &Origin<'_, '_>,
) -> PyResult<JsModule> {
    // SAFETY: the scope proves the isolate current; the structure is filled.
    let (module, cache_rejected) = compile(scope, py, source, origin, |source, options| unsafe {
        (v8().module_compile)(scope.isolate, source, options, 0)
    })?;
    let data = Arc::new(Data {
        module: Global::new(scope, module),
        name: origin.name.to_owned(),
        links: RefCell::default(),
        exports: RefCell::default(),
    });
    enter_into_table(scope, module, ModuleEntry::Known(Arc::downgrade(&data)));
    Ok(JsModule { data, cache_rejected })
}

/// See `Engine.synthetic_module`.
pub fn synthetic_module(
    scope: &Scope<'_>,
    py: Python<'_>,
    name: &str,
    names: Vec<Bound<'_, PyString>>,
    source: Option<&Bound<'_, JsObject>>,
    default: Option<Py<PyAny>>,
    evaluate: Option<Py<PyAny>>,
) -> PyResult<JsModule> {
    let handles: Vec<Handle> =
        names.iter().map(|name| Ok(property_key(scope, name)?.handle())).collect::<PyResult<_>>()?;
    let span = Span { data: handles.as_ptr(), size: handles.len() };
    let label = super::value::string_to_js(scope, &PyString::new(py, name))?;
    // SAFETY: live strings; the callback has V8's signature.
    let module = scope.evaluate(py, || unsafe {
        (v8().module_synthetic)(scope.isolate, label.handle(), &span, evaluate_synthetic as Raw)
    })?;
    let source = match source {
        Some(source) => {
            let source = source.get().0.in_scope(scope)?;
            Some(Global::new(scope, source))
        }
        None => None,
    };
    let exports = Exports { names: names.into_iter().map(Bound::unbind).collect(), source, default, evaluate };
    let data = Arc::new(Data {
        module: Global::new(scope, module),
        name: name.to_owned(),
        links: RefCell::default(),
        exports: RefCell::new(Some(exports)),
    });
    enter_into_table(scope, module, ModuleEntry::Kept(data.clone()));
    Ok(JsModule { data, cache_rejected: false })
}

impl JsModule {
    fn status_of(module: Local<'_>) -> i32 {
        // SAFETY: a live module.
        unsafe { (v8().module_status)(module.handle()) }
    }

    fn need_linked(module: Local<'_>) -> PyResult<()> {
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
            // SAFETY: a live module with an exception.
            let value = unsafe { scope.local((v8().module_exception)(module.handle())) };
            value.map_or_else(|| Ok(py.None()), |value| to_python(scope, py, value))
        })
    }

    /// What the module imports, in source order without repetition; `link` takes as many modules.
    #[getter]
    fn requests(&self, py: Python<'_>) -> PyResult<Vec<ModuleRequest>> {
        self.data.module.enter(|scope, module| {
            // SAFETY: a live module; synthetic ones have no requests to ask for.
            let requests = unsafe {
                if !(v8().module_is_source)(module.handle()) {
                    return Ok(vec![]);
                }
                (v8().module_requests)(module.handle())
            };
            // SAFETY: a live array of requests.
            (0..unsafe { (v8().fixed_array_length)(requests) })
                .map(|index| scope.nested(|scope| read_request(scope, py, module, requests, index)))
                .collect()
        })
    }

    /// Say which module each request means, in the order of `requests`.
    fn link(&self, modules: Vec<PyRef<'_, JsModule>>) -> PyResult<()> {
        self.data.module.enter(|scope, module| {
            // SAFETY: a live module, asked for requests only where it has them.
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
            self.data.links.replace(modules.iter().map(|linked| linked.data.clone()).collect());
            Ok(())
        })
    }

    /// Connect imports to exports through the whole linked graph. Raises `JsError` (a SyntaxError for a missing export).
    fn instantiate(&self, py: Python<'_>) -> PyResult<()> {
        self.data.module.enter(|scope, module| {
            let context = scope.context.handle();
            // SAFETY: live handles; the callback has the signature of the by-index form.
            let run =
                || unsafe { (v8().module_instantiate)(module.handle(), context, resolve as Raw, std::ptr::null_mut()) };
            scope.javascript(py, || maybe_bool(run()))?;
            forget_links(&self.data);
            Ok(())
        })
    }

    /// Run the graph. The promise settles when the module is done, top-level await included; it counts as handled, so
    /// its rejection is the caller's to look at.
    fn evaluate(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.data.module.enter(|scope, module| {
            Self::need_linked(module)?;
            let context = scope.context.handle();
            // SAFETY: live handles; the module is instantiated.
            let promise = scope.evaluate(py, || unsafe { (v8().module_evaluate)(module.handle(), context) })?;
            // SAFETY: a live value, tested to be a promise.
            unsafe {
                if (v8().is_promise)(promise.handle()) {
                    mark_as_handled(scope, promise);
                }
            }
            to_python(scope, py, promise)
        })
    }

    /// The namespace object; the module must be instantiated.
    #[getter]
    fn namespace(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.data.module.enter(|scope, module| {
            Self::need_linked(module)?;
            // SAFETY: a live module that is instantiated.
            let namespace = scope.evaluate(py, || unsafe { (v8().module_namespace)(module.handle()) })?;
            object::wrap(scope, py, namespace)
        })
    }

    /// Whether this module or one that it imports uses top-level await; the module must be instantiated.
    #[getter]
    fn is_graph_async(&self) -> PyResult<bool> {
        self.data.module.enter(|_, module| {
            Self::need_linked(module)?;
            // SAFETY: a live module that is instantiated.
            Ok(unsafe { (v8().module_is_async)(module.handle()) })
        })
    }

    #[getter]
    fn has_top_level_await(&self) -> PyResult<bool> {
        // SAFETY: a live module.
        self.data.module.enter(|_, module| Ok(unsafe { (v8().module_has_await)(module.handle()) }))
    }

    /// Set an export of a synthetic module, while it is evaluated or later.
    fn set_export(&self, py: Python<'_>, name: &Bound<'_, PyString>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.data.module.enter(|scope, module| {
            // SAFETY: a live module.
            if unsafe { (v8().module_is_source)(module.handle()) } {
                return Err(PyValueError::new_err("only a synthetic module's exports can be set"));
            }
            Self::need_linked(module)?;
            let (name, value) = (property_key(scope, name)?, to_js(scope, value)?);
            set_export(scope, py, module, name, value)
        })
    }

    /// Where top-level awaits of this graph still wait: (module name, line, column) for each.
    fn stalled(&self, py: Python<'_>) -> PyResult<Vec<(Py<PyAny>, Option<i32>, i32)>> {
        self.data.module.enter(|scope, module| stalled(scope, py, module))
    }

    /// The code compiled so far, for `cache` of a later compilation; the module must not be evaluated yet.
    fn make_cache(&self, py: Python<'_>) -> PyResult<Option<Py<PyBytes>>> {
        self.data.module.enter(|_, module| {
            if Self::status_of(module) > LINKED {
                return Err(PyRuntimeError::new_err("the module is evaluated already"));
            }
            // SAFETY: a live module that is not evaluated.
            let cache = unsafe { (v8().module_cache)((v8().module_unbound)(module.handle())) };
            Ok(take_cache(py, cache))
        })
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
    // SAFETY: the index is below the array's length; what V8 returns lies in this scope.
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
fn read_attributes(scope: &Scope<'_>, py: Python<'_>, array: Handle, stride: usize) -> PyResult<Py<PyDict>> {
    let result = PyDict::new(py);
    // SAFETY: a live array; keys and values are strings.
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

fn set_export(scope: &Scope<'_>, py: Python<'_>, module: Local<'_>, name: Local<'_>, value: Local<'_>) -> PyResult<()> {
    // SAFETY: live handles; the module is synthetic.
    let set = || unsafe { (v8().module_set_export)(module.handle(), scope.isolate, name.handle(), value.handle()) };
    scope.javascript(py, || maybe_bool(set())).map(|_| ())
}

fn stalled(scope: &Scope<'_>, py: Python<'_>, module: Local<'_>) -> PyResult<Vec<(Py<PyAny>, Option<i32>, i32)>> {
    use super::layout::{LocalVector, maybe_int};
    let empty =
        || LocalVector { begin: std::ptr::null_mut(), end: std::ptr::null_mut(), capacity: std::ptr::null_mut() };
    let mut pair = [empty(), empty()];
    // SAFETY: a live module; V8 fills two vectors of handles of this scope, whose memory is freed below.
    unsafe { (v8().module_stalled)(&mut pair, module.handle(), scope.isolate) };
    let mut places = vec![];
    // SAFETY: the second vector's words are live messages.
    let messages = unsafe {
        let count = pair[1].end.offset_from(pair[1].begin);
        (0..count).map(|index| *pair[1].begin.offset(index)).collect::<Vec<Handle>>()
    };
    for message in messages {
        // SAFETY: live messages; these functions only read.
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

fn forget_links(data: &Data) {
    let mut open = data.links.take();
    while let Some(next) = open.pop() {
        open.append(&mut next.links.borrow_mut());
    }
}

fn throw_error(scope: &Scope<'_>, text: &str) {
    let text = literal(scope, text);
    // SAFETY: V8 is calling; a live string.
    unsafe { (v8().throw)(scope.isolate, (v8().error_new)(text.handle(), NO_HANDLE)) };
}

/// # Safety
/// V8 is calling on this thread.
unsafe fn calling<'s>() -> Scope<'s> {
    // SAFETY: the caller's promise.
    unsafe {
        let isolate: Isolate = (v8().isolate_current)();
        Scope::in_callback(isolate, State::of(isolate))
    }
}

/// V8's resolve callback, by the index of the request.
unsafe extern "C" fn resolve(_context: Handle, index: usize, referrer: Handle) -> Handle {
    // SAFETY: V8 is calling with a live module.
    let (scope, referrer) = unsafe { (calling(), Local::new(referrer).expect("a module")) };
    let found = find(&scope, referrer);
    let linked = found.as_ref().and_then(|data| data.links.borrow().get(index).cloned());
    match linked.and_then(|data| data.module.in_scope(&scope).ok()) {
        Some(module) => module.handle(),
        None => {
            let name = found.map_or_else(|| "a module".into(), |data| data.name.clone());
            throw_error(&scope, &format!("{name} is not linked"));
            NO_HANDLE
        }
    }
}

/// V8's evaluation steps of a synthetic module.
unsafe extern "C" fn evaluate_synthetic(_context: Handle, module: Handle) -> Handle {
    // SAFETY: V8 is calling with a live module.
    let (scope, module) = unsafe { (calling(), Local::new(module).expect("a module")) };
    let Some(data) = find(&scope, module) else {
        throw_error(&scope, "the module's exports are gone");
        return NO_HANDLE;
    };
    // SAFETY: a live module.
    let hash = unsafe { (v8().module_hash)(module.handle()) };
    if let Some(entries) = scope.state.inner().modules.borrow_mut().get_mut(&hash) {
        for entry in entries.iter_mut() {
            if matches!(entry, ModuleEntry::Kept(kept) if Arc::ptr_eq(kept, &data)) {
                *entry = ModuleEntry::Known(Arc::downgrade(&data));
            }
        }
    }
    let Some(exports) = data.exports.take() else { return undefined(&scope) };
    let outcome = Python::attach(|py| {
        let result = fill_exports(&scope, py, module, &data, &exports);
        drop(exports);
        result.map_err(|error| error::throw(&scope, py, error))
    });
    if outcome.is_ok() { undefined(&scope) } else { NO_HANDLE }
}

fn undefined(scope: &Scope<'_>) -> Handle {
    scope.handle_for(scope.state.inner().roots.get().undefined).handle()
}

fn fill_exports(
    scope: &Scope<'_>,
    py: Python<'_>,
    module: Local<'_>,
    data: &Arc<Data>,
    exports: &Exports,
) -> PyResult<()> {
    if let Some(source) = &exports.source {
        let source = source.in_scope(scope)?;
        for name in &exports.names {
            let name = name.bind(py);
            let value = match &exports.default {
                Some(default) if name.to_cow()? == "default" => to_js(scope, default.bind(py))?,
                _ => object::get(scope, py, source, property_key(scope, name)?)?,
            };
            set_export(scope, py, module, property_key(scope, name)?, value)?;
        }
    } else if let Some(default) = &exports.default {
        set_export(scope, py, module, literal(scope, "default"), to_js(scope, default.bind(py))?)?;
    }
    if let Some(evaluate) = &exports.evaluate {
        evaluate.call1(py, (JsModule { data: data.clone(), cache_rejected: false },))?;
    }
    Ok(())
}

/// V8's `import.meta` callback.
pub unsafe extern "C" fn import_meta(_context: Handle, module: Handle, meta: Handle) {
    // SAFETY: V8 is calling with live handles.
    let (scope, module, meta) =
        unsafe { (calling(), Local::new(module).expect("a module"), Local::new(meta).expect("an object")) };
    Python::attach(|py| {
        let hook = scope.state.inner().on_import_meta.borrow().as_ref().map(|hook| hook.clone_ref(py));
        let Some(hook) = hook else { return };
        let run = || {
            let data = match find(&scope, module) {
                Some(data) => data,
                None => unknown(&scope, py, module)?,
            };
            let meta = object::wrap(&scope, py, meta)?;
            hook.call1(py, (JsModule { data, cache_rejected: false }, meta))
        };
        if let Err(error) = run() {
            error::throw(&scope, py, error);
        }
    });
}

/// A module that Python has let go.
fn unknown(scope: &Scope<'_>, py: Python<'_>, module: Local<'_>) -> PyResult<Arc<Data>> {
    // SAFETY: a live module.
    let name = unsafe { scope.local((v8().module_name)(module.handle())) };
    let name = name.map_or_else(|| Ok(py.None()), |name| to_python(scope, py, name))?;
    let name = name.bind(py).str()?.to_string();
    Ok(Arc::new(Data {
        module: Global::new(scope, module),
        name,
        links: RefCell::default(),
        exports: RefCell::default(),
    }))
}

/// V8's dynamic-import callback: a promise that the host settles through the resolver it is given.
pub unsafe extern "C" fn dynamic_import(
    _context: Handle,
    _options: Handle,
    resource: Handle,
    specifier: Handle,
    attributes: Handle,
) -> Handle {
    // SAFETY: V8 is calling with live handles.
    let (scope, resource, specifier) =
        unsafe { (calling(), Local::new(resource), Local::new(specifier).expect("a string")) };
    Python::attach(|py| {
        let hook = scope.state.inner().on_import.borrow().as_ref().map(|hook| hook.clone_ref(py));
        let run = || -> PyResult<Handle> {
            let (resolver, promise) = new_resolver(&scope, py)?;
            let resolver = Py::new(py, resolver)?;
            let Some(hook) = hook else {
                let error = PyRuntimeError::new_err("import() is not available here");
                resolver.get().settle(py, error.into_value(py).bind(py), true)?;
                return Ok(promise.handle());
            };
            let referrer = match resource {
                Some(resource) => to_python(&scope, py, resource)?,
                None => py.None(),
            };
            let specifier = string_to_python(&scope, py, specifier)?;
            let attributes = read_attributes(&scope, py, attributes, 2)?;
            if let Err(error) = hook.call1(py, (specifier, referrer, attributes, &resolver)) {
                if !error.is_instance_of::<pyo3::exceptions::PyException>(py) {
                    return Err(error);
                }
                resolver.get().settle(py, error.into_value(py).bind(py), true)?;
            }
            Ok(promise.handle())
        };
        run().unwrap_or_else(|error| {
            error::throw(&scope, py, error);
            NO_HANDLE
        })
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<JsModule>()?;
    module.add_class::<ModuleRequest>()
}
