//! Live references: JavaScript objects, arrays and symbols as Python objects that keep them alive.
//!
//! Each call that can reach a getter, a setter or a proxy trap runs JavaScript and therefore may raise `JsError`.
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::interpreter::class;

use super::buffer::JsBuffer;
use super::function::JsFunction;
pub use super::object_copy::{copy, elements, kind_of};
use super::promise::JsPromise;
use super::scope::{Global, Local, Scope};
use super::value::{arguments, key_to_js, string_to_js, string_to_python, to_js, to_python, too_large};
use crate::v8::api::layout::maybe_bool;
use crate::v8::api::v8;

/// Any JavaScript object. Equal and hashed by identity.
#[pyclass(frozen, subclass, module = "rt_supervisor._native")]
pub struct JsObject(pub Global);

/// A JavaScript array.
#[pyclass(frozen, extends = JsObject, module = "rt_supervisor._native")]
pub struct JsArray;

/// A JavaScript symbol.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct JsSymbol(pub Global);

const OWN_ONLY: i32 = 0;
pub const ONLY_ENUMERABLE: i32 = 2;
const SKIP_STRINGS: i32 = 8;
pub const SKIP_SYMBOLS: i32 = 16;
const KEEP_INDICES: i32 = 0;
const KEYS_TO_STRINGS: i32 = 0;
const READ_ONLY: i32 = 1;
const NOT_ENUMERABLE: i32 = 2;
const NOT_DELETABLE: i32 = 4;

/// A live reference of the class that fits the object `value`.
pub fn wrap(scope: &Scope<'_>, py: Python<'_>, value: Local<'_>) -> PyResult<Py<PyAny>> {
    let handle = value.handle();
    let base = PyClassInitializer::from(JsObject(Global::new(scope, value)));
    // SAFETY: the handle is live and the isolate current; the tests have no side effects.
    unsafe {
        if (v8().is_function)(handle) {
            Ok(Py::new(py, base.add_subclass(JsFunction))?.into_any())
        } else if (v8().is_array)(handle) {
            Ok(Py::new(py, base.add_subclass(JsArray))?.into_any())
        } else if (v8().is_promise)(handle) {
            Ok(Py::new(py, base.add_subclass(JsPromise))?.into_any())
        } else if (v8().is_array_buffer_view)(handle)
            || (v8().is_array_buffer)(handle)
            || (v8().is_shared_array_buffer)(handle)
        {
            Ok(Py::new(py, base.add_subclass(JsBuffer))?.into_any())
        } else {
            Ok(Py::new(py, base)?.into_any())
        }
    }
}

#[pymethods]
impl JsObject {
    /// The property `key` (str, int or symbol), including inherited ones; None if there is none.
    fn get(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.0.enter(|scope, this| {
            let key = key_to_js(scope, key)?;
            let value = get(scope, py, this, key)?;
            to_python(scope, py, value)
        })
    }

    fn set(&self, py: Python<'_>, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.enter(|scope, this| {
            let (key, value) = (key_to_js(scope, key)?, to_js(scope, value)?);
            // SAFETY: the handles belong to this scope.
            let set =
                || unsafe { (v8().object_set)(this.handle(), scope.context.handle(), key.handle(), value.handle()) };
            scope.javascript(py, || maybe_bool(set())).map(|_| ())
        })
    }

    /// Defines an own data property; attributes not given are false.
    #[pyo3(signature = (key, value, *, writable=false, enumerable=false, configurable=false))]
    fn define(
        &self,
        py: Python<'_>,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        writable: bool,
        enumerable: bool,
        configurable: bool,
    ) -> PyResult<bool> {
        let flag = |is_set: bool, bit: i32| if is_set { 0 } else { bit };
        let bits = flag(writable, READ_ONLY) | flag(enumerable, NOT_ENUMERABLE) | flag(configurable, NOT_DELETABLE);
        self.0.enter(|scope, this| {
            let (key, value) = (key_to_js(scope, key)?, to_js(scope, value)?);
            // SAFETY: the handles belong to this scope; the key is a name.
            let define = || unsafe {
                let key = name_of(scope, key).handle();
                (v8().object_define)(this.handle(), scope.context.handle(), key, value.handle(), bits)
            };
            scope.javascript(py, || maybe_bool(define()))
        })
    }

    fn has(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.0.enter(|scope, this| {
            let key = key_to_js(scope, key)?;
            // SAFETY: the handles belong to this scope.
            let has = || unsafe { (v8().object_has)(this.handle(), scope.context.handle(), key.handle()) };
            scope.javascript(py, || maybe_bool(has()))
        })
    }

    /// Deletes the property `key`; False if it cannot be deleted.
    fn delete(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.0.enter(|scope, this| {
            let key = key_to_js(scope, key)?;
            // SAFETY: the handles belong to this scope.
            let delete = || unsafe { (v8().object_delete)(this.handle(), scope.context.handle(), key.handle()) };
            scope.javascript(py, || maybe_bool(delete()))
        })
    }

    /// The own property names, as `Object.keys` lists them; with `hidden`, including those that are not enumerable.
    #[pyo3(signature = (*, hidden=false))]
    fn keys(&self, py: Python<'_>, hidden: bool) -> PyResult<Vec<Py<PyAny>>> {
        let filter = SKIP_SYMBOLS | if hidden { 0 } else { ONLY_ENUMERABLE };
        self.0.enter(|scope, this| own_keys(scope, py, this, filter))
    }

    /// The own symbol keys.
    #[pyo3(signature = (*, hidden=false))]
    fn symbols(&self, py: Python<'_>, hidden: bool) -> PyResult<Vec<Py<PyAny>>> {
        let filter = SKIP_STRINGS | if hidden { 0 } else { ONLY_ENUMERABLE };
        self.0.enter(|scope, this| own_keys(scope, py, this, filter))
    }

    /// Calls the method `name` with this object as `this`.
    #[pyo3(signature = (name, *args))]
    pub fn invoke(&self, py: Python<'_>, name: &Bound<'_, PyAny>, args: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
        self.0.enter(|scope, this| {
            let key = key_to_js(scope, name)?;
            let method = get(scope, py, this, key)?;
            let args = arguments(scope, args.as_borrowed())?;
            // SAFETY: the handle is live; the test has no side effects.
            if !unsafe { (v8().is_function)(method.handle()) } {
                return Err(PyValueError::new_err(format!("{} is not a function", name.str()?)));
            }
            let value = scope.evaluate(py, || {
                let (context, count) = (scope.context.handle(), args.len() as i32);
                // SAFETY: `method` is a function; `args` holds `count` live handles.
                unsafe {
                    (v8().function_call)(method.handle(), scope.isolate, context, this.handle(), count, args.as_ptr())
                }
            })?;
            to_python(scope, py, value)
        })
    }

    #[getter]
    fn prototype(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.enter(|scope, this| {
            // SAFETY: the handle is an object.
            let value = scope.evaluate(py, || unsafe { (v8().object_prototype)(this.handle()) })?;
            to_python(scope, py, value)
        })
    }

    /// The name of the constructor, without running JavaScript.
    #[getter]
    fn class_name(&self, py: Python<'_>) -> PyResult<Py<PyString>> {
        self.0.enter(|scope, this| {
            // SAFETY: the handle is an object; V8 answers with a string.
            let name = unsafe { scope.local((v8().object_constructor_name)(this.handle())) };
            string_to_python(scope, py, name.expect("a string"))
        })
    }

    /// The kind of the object: "function", "array", "promise", "error", "map", "typed-array", ..., "object".
    #[getter]
    fn kind(&self) -> PyResult<&'static str> {
        self.0.enter(|_, this| Ok(kind_of(this)))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let name = self.class_name(py).map_or_else(|_| "of a closed engine".into(), |name| name.to_string());
        format!("<JavaScript {name}>")
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if self.has(py, key)? { self.get(py, key) } else { Err(PyKeyError::new_err(key.clone().unbind())) }
    }

    fn __setitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(py, key, value)
    }

    fn __contains__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.has(py, key)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<JsObject>() else { return Ok(false) };
        let other = &other.get().0;
        if !std::sync::Arc::ptr_eq(self.0.state(), other.state()) {
            return Ok(false);
        }
        self.0.enter(|scope, this| Ok(this.is(other.in_scope(scope)?)))
    }

    fn __hash__(&self) -> PyResult<isize> {
        // SAFETY: the handle is an object.
        self.0.enter(|_, this| Ok(unsafe { (v8().object_hash)(this.handle()) } as isize))
    }

    /// A deep copy in Python: arrays as lists, plain objects as dicts, buffers as bytes; anything else stays a live
    /// reference. Raises ValueError for objects that contain themselves or nest deeper than `depth`.
    #[pyo3(signature = (depth=100))]
    fn to_python(&self, py: Python<'_>, depth: u32) -> PyResult<Py<PyAny>> {
        self.0.enter(|scope, this| copy(scope, py, this, depth))
    }
}

#[pymethods]
impl JsArray {
    fn __len__(this: PyRef<'_, Self>) -> PyResult<usize> {
        // SAFETY: the handle is an array.
        this.as_super().0.enter(|_, this| Ok(unsafe { (v8().array_length)(this.handle()) } as usize))
    }

    /// The elements, each converted.
    fn to_list(this: PyRef<'_, Self>, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        this.as_super().0.enter(|scope, this| elements(scope, py, this, &|scope, value| to_python(scope, py, value)))
    }
}

#[pymethods]
impl JsSymbol {
    #[getter]
    fn description(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.enter(|scope, this| {
            // SAFETY: the handle is a symbol.
            let text = unsafe { scope.local((v8().symbol_description)(this.handle(), scope.isolate)) };
            text.map_or_else(|| Ok(py.None()), |text| to_python(scope, py, text))
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<JsSymbol>() else { return Ok(false) };
        let other = &other.get().0;
        if !std::sync::Arc::ptr_eq(self.0.state(), other.state()) {
            return Ok(false);
        }
        self.0.enter(|scope, this| Ok(this.is(other.in_scope(scope)?)))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.description(py)?.bind(py).hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let description = self.description(py)?;
        let description = description.bind(py);
        Ok(if description.is_none() { "Symbol()".into() } else { format!("Symbol({description})") })
    }
}

impl JsSymbol {
    /// `Symbol(description)`, or `Symbol.for(description)`.
    pub fn make(scope: &Scope<'_>, description: &Bound<'_, PyString>, shared: bool) -> PyResult<JsSymbol> {
        let text = string_to_js(scope, description)?.handle();
        let make = if shared { v8().symbol_for } else { v8().symbol_new };
        // SAFETY: the string is live.
        let symbol = unsafe { scope.local(make(scope.isolate, text)) };
        Ok(JsSymbol::new(scope, symbol.ok_or_else(too_large)?))
    }

    pub fn new(scope: &Scope<'_>, value: Local<'_>) -> JsSymbol {
        JsSymbol(Global::new(scope, value))
    }
}

pub fn get<'s>(scope: &Scope<'s>, py: Python<'_>, object: Local<'s>, key: Local<'s>) -> PyResult<Local<'s>> {
    // SAFETY: the handles belong to this scope; the first is an object.
    scope.evaluate(py, || unsafe { (v8().object_get)(object.handle(), scope.context.handle(), key.handle()) })
}

/// The name for an integer key, where V8 requires a name.
fn name_of<'s>(scope: &Scope<'s>, key: Local<'s>) -> Local<'s> {
    // SAFETY: the handles are live; an integer's string runs no JavaScript.
    unsafe {
        if (v8().is_number)(key.handle()) {
            scope.local((v8().to_string)(key.handle(), scope.context.handle())).unwrap_or(key)
        } else {
            key
        }
    }
}

pub fn own_keys(scope: &Scope<'_>, py: Python<'_>, object: Local<'_>, filter: i32) -> PyResult<Vec<Py<PyAny>>> {
    let context = scope.context.handle();
    let names = scope.evaluate(py, || {
        // SAFETY: the handles belong to this scope; the numbers are V8's enums.
        unsafe {
            (v8().object_property_names)(object.handle(), context, OWN_ONLY, filter, KEEP_INDICES, KEYS_TO_STRINGS)
        }
    })?;
    elements(scope, py, names, &|scope, value| to_python(scope, py, value))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<JsObject>(module)?;
    class::<JsArray>(module)?;
    class::<JsSymbol>(module)
}
