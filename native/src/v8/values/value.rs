//! Values across the border: JavaScript to Python and Python to JavaScript.
//!
//! undefined is None, null is `null`; booleans, strings, symbols and BigInts keep their type; a number with an integral
//! value below 2^53 is an int, any other a float (-0 too). Everything else in JavaScript is a live reference. From
//! Python, bytes become a Uint8Array, lists, tuples and dicts are copied, exceptions become Error objects.
use std::ffi::c_int;

use pyo3::exceptions::{PyBaseException, PyRecursionError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use pyo3::{Borrowed, ffi, intern};

use crate::interpreter::class;

use super::buffer;
use super::error;
use super::object::{self, JsObject, JsSymbol};
use super::scope::{Local, Scope};
pub use super::strings::{
    literal, one_byte, property_key, string_to_js, string_to_python, string_to_rust, too_large, two_byte, utf8_to_js,
};
use crate::v8::api::layout::small_integer;
use crate::v8::api::{Handle, v8};

/// The largest integer n such that n and n + 1 are both exact as numbers.
const MAX_SAFE: i64 = (1 << 53) - 1;
const MAX_DEPTH: u32 = 500;

/// JavaScript's null.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct JsNull;

#[pymethods]
impl JsNull {
    fn __bool__(&self) -> bool {
        false
    }
    fn __repr__(&self) -> &'static str {
        "null"
    }
    fn __reduce__(&self) -> &'static str {
        "null"
    }
}

static NULL: PyOnceLock<Py<JsNull>> = PyOnceLock::new();
static BIGINT: PyOnceLock<Py<PyType>> = PyOnceLock::new();

pub fn null(py: Python<'_>) -> Py<PyAny> {
    NULL.get(py).expect("registered with the module").clone_ref(py).into_any()
}

/// A JavaScript value as a Python object.
pub fn to_python(scope: &Scope<'_>, py: Python<'_>, value: Local<'_>) -> PyResult<Py<PyAny>> {
    let word = value.word();
    if let Some(number) = small_integer(word) {
        return Ok(number.into_pyobject(py)?.into_any().unbind());
    }
    let roots = scope.state.inner().roots.get();
    if word == roots.undefined {
        return Ok(py.None());
    }
    if word == roots.yes || word == roots.no {
        return Ok(PyBool::new(py, word == roots.yes).to_owned().into_any().unbind());
    }
    if word == roots.null {
        return Ok(null(py));
    }
    let handle = value.handle();
    // SAFETY: the handle is live and the scope proves the isolate current; the tests and `number_value` have no side
    // effects.
    unsafe {
        if (v8().is_string)(handle) {
            Ok(string_to_python(scope, py, value)?.into_any())
        } else if (v8().is_number)(handle) {
            Ok(number_to_python(py, (v8().number_value)(handle)))
        } else if (v8().is_object)(handle) {
            object::wrap(scope, py, value)
        } else if (v8().is_symbol)(handle) {
            Ok(Py::new(py, JsSymbol::new(scope, value))?.into_any())
        } else if (v8().is_bigint)(handle) {
            bigint_to_python(scope, py, value)
        } else {
            Err(PyTypeError::new_err("this kind of JavaScript value has no Python form"))
        }
    }
}

fn number_to_python(py: Python<'_>, number: f64) -> Py<PyAny> {
    let integral = number.abs() <= MAX_SAFE as f64 && number.trunc() == number;
    if integral && !(number == 0.0 && number.is_sign_negative()) {
        return (number as i64).into_pyobject(py).expect("an int").into_any().unbind();
    }
    PyFloat::new(py, number).into_any().unbind()
}

fn bigint_to_python(scope: &Scope<'_>, py: Python<'_>, value: Local<'_>) -> PyResult<Py<PyAny>> {
    // SAFETY: `value` is a BigInt (the caller tested); `words` has room for `count` words.
    let (negative, words) = unsafe {
        let mut count = (v8().bigint_word_count)(value.handle());
        let mut words = vec![0u64; count as usize];
        let mut negative: c_int = 0;
        (v8().bigint_to_words)(value.handle(), &mut negative, &mut count, words.as_mut_ptr());
        (negative != 0, words)
    };
    let _ = scope;
    let kind = BIGINT.get(py).expect("registered with the module").bind(py);
    let magnitude = match words[..] {
        [] => 0u64.into_pyobject(py)?.into_any(),
        [word] => word.into_pyobject(py)?.into_any(),
        _ => {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            py.get_type::<PyInt>().call_method1(intern!(py, "from_bytes"), (PyBytes::new(py, &bytes), "little"))?
        }
    };
    let number = if negative { magnitude.call_method0(intern!(py, "__neg__"))? } else { magnitude };
    Ok(kind.call1((number,))?.unbind())
}

/// A Python object as a JavaScript value in `scope`.
pub fn to_js<'s>(scope: &Scope<'s>, value: &Bound<'_, PyAny>) -> PyResult<Local<'s>> {
    convert(scope, value, 0)
}

fn convert<'s>(scope: &Scope<'s>, value: &Bound<'_, PyAny>, depth: u32) -> PyResult<Local<'s>> {
    let roots = scope.state.inner().roots.get();
    if value.is_none() {
        return Ok(scope.handle_for(roots.undefined));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return string_to_js(scope, text);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(scope.handle_for(if flag.is_true() { roots.yes } else { roots.no }));
    }
    if let Ok(number) = value.cast::<PyInt>() {
        return int_to_js(scope, number);
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(number_to_js(scope, number.value()));
    }
    if let Ok(object) = value.cast::<JsObject>() {
        return object.get().0.in_scope(scope);
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return buffer::uint8_array(scope, bytes.as_bytes());
    }
    if let Ok(symbol) = value.cast::<JsSymbol>() {
        return symbol.get().0.in_scope(scope);
    }
    if value.cast::<JsNull>().is_ok() {
        return Ok(scope.handle_for(roots.null));
    }
    container_to_js(scope, value, depth)
}

fn container_to_js<'s>(scope: &Scope<'s>, value: &Bound<'_, PyAny>, depth: u32) -> PyResult<Local<'s>> {
    if depth > MAX_DEPTH {
        return Err(PyRecursionError::new_err("the value nests too deeply for JavaScript"));
    }
    if let Ok(items) = value.cast::<PyList>() {
        return array_to_js(scope, items.len(), items.iter(), depth);
    }
    if let Ok(items) = value.cast::<PyTuple>() {
        return array_to_js(scope, items.len(), items.iter(), depth);
    }
    if let Ok(items) = value.cast::<PyDict>() {
        return dict_to_js(scope, items, depth);
    }
    if let Ok(exception) = value.cast::<PyBaseException>() {
        return error::to_js(scope, value.py(), &PyErr::from_value(exception.clone().into_any()));
    }
    if let Ok(resolver) = value.cast::<super::promise::JsResolver>() {
        return resolver.get().promise(scope);
    }
    if let Some(local) = buffer::from_python(scope, value)? {
        return Ok(local);
    }
    let kind = value.get_type().fully_qualified_name()?.to_string();
    Err(PyTypeError::new_err(format!("a Python {kind} has no JavaScript form")))
}

fn array_to_js<'s, 'py>(
    scope: &Scope<'s>,
    length: usize,
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    depth: u32,
) -> PyResult<Local<'s>> {
    let mut handles: Vec<Handle> = Vec::with_capacity(length);
    for item in items {
        handles.push(convert(scope, &item, depth + 1)?.handle());
    }
    // SAFETY: the handles are live in this scope, and V8 copies them.
    let array = unsafe { scope.local((v8().array_new)(scope.isolate, handles.as_ptr(), handles.len())) };
    array.ok_or_else(too_large)
}

fn dict_to_js<'s>(scope: &Scope<'s>, items: &Bound<'_, PyDict>, depth: u32) -> PyResult<Local<'s>> {
    // SAFETY: the scope proves the isolate current.
    let object = unsafe { scope.local((v8().object_new)(scope.isolate)) }.ok_or_else(too_large)?;
    for (key, item) in items.iter() {
        let key = match key.cast::<PyString>() {
            Ok(text) => property_key(scope, text)?,
            Err(_) if key.is_instance_of::<JsSymbol>() => convert(scope, &key, depth + 1)?,
            Err(_) => property_key(scope, &key.str()?)?,
        };
        let item = convert(scope, &item, depth + 1)?;
        // SAFETY: all handles are live; a fresh plain object has no setters, so no JavaScript runs.
        unsafe { (v8().object_create_property)(object.handle(), scope.context.handle(), key.handle(), item.handle()) };
    }
    Ok(object)
}

fn int_to_js<'s>(scope: &Scope<'s>, number: &Bound<'_, PyInt>) -> PyResult<Local<'s>> {
    let mut overflow: c_int = 0;
    // SAFETY: the object is an int.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(number.as_ptr(), &mut overflow) };
    let is_plain = number.is_exact_instance_of::<PyInt>();
    if overflow == 0 && value.unsigned_abs() <= MAX_SAFE as u64 && (is_plain || !is_bigint(number)) {
        return Ok(number_to_js(scope, value as f64));
    }
    let py = number.py();
    let negative = number.lt(0)?;
    let magnitude = number.call_method0(intern!(py, "__abs__"))?;
    let bits: usize = magnitude.call_method0(intern!(py, "bit_length"))?.extract()?;
    let bytes = magnitude.call_method1(intern!(py, "to_bytes"), (bits.div_ceil(64) * 8, "little"))?;
    let words: Vec<u64> = bytes
        .cast::<PyBytes>()?
        .as_bytes()
        .chunks_exact(8)
        .map(|chunk| u64::from_le_bytes(chunk.try_into().expect("eight bytes")))
        .collect();
    let context = scope.context.handle();
    // A BigInt that is too large throws a RangeError, so this call is made as JavaScript calls are.
    scope.evaluate(py, || {
        // SAFETY: V8 reads `words.len()` words.
        unsafe { (v8().bigint_from_words)(context, negative as c_int, words.len() as c_int, words.as_ptr()) }
    })
}

fn is_bigint(number: &Bound<'_, PyInt>) -> bool {
    let kind = BIGINT.get(number.py()).expect("registered with the module");
    number.is_instance(kind.bind(number.py())).unwrap_or(false)
}

pub fn number_to_js<'s>(scope: &Scope<'s>, number: f64) -> Local<'s> {
    // SAFETY: the scope proves the isolate current; numbers always fit.
    unsafe { scope.local((v8().number_new)(scope.isolate, number)) }.expect("a number")
}

/// Source text: str, or bytes in UTF-8.
pub fn source_to_js<'s>(scope: &Scope<'s>, source: &Bound<'_, PyAny>) -> PyResult<Local<'s>> {
    if let Ok(text) = source.cast::<PyString>() {
        return string_to_js(scope, text);
    }
    match source.cast::<PyBytes>() {
        Ok(bytes) => utf8_to_js(scope, bytes.as_bytes(), 0),
        Err(_) => Err(PyTypeError::new_err("source text is str or bytes")),
    }
}

/// A key for `get`, `set` and similar methods: a str, an int or a symbol.
pub fn key_to_js<'s>(scope: &Scope<'s>, key: &Bound<'_, PyAny>) -> PyResult<Local<'s>> {
    if let Ok(text) = key.cast::<PyString>() {
        return property_key(scope, text);
    }
    if key.is_instance_of::<PyInt>() || key.is_instance_of::<JsSymbol>() {
        return to_js(scope, key);
    }
    Err(PyTypeError::new_err("a property key is a str, an int or a symbol"))
}

/// Arguments of a call.
pub fn arguments<'s>(scope: &Scope<'s>, values: Borrowed<'_, '_, PyTuple>) -> PyResult<Vec<Handle>> {
    values.iter().map(|value| Ok(to_js(scope, &value)?.handle())).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let null = NULL.get_or_try_init(py, || Py::new(py, JsNull))?;
    class::<JsNull>(module)?;
    module.add("null", null)?;
    let body = PyDict::new(py);
    body.set_item("__slots__", PyTuple::empty(py))?;
    body.set_item("__module__", "rt_supervisor._native")?;
    body.set_item("__doc__", "A JavaScript BigInt: an int that goes back to JavaScript as a BigInt.")?;
    let kind = py.get_type::<PyType>().call1(("BigInt", (py.get_type::<PyInt>(),), body))?.cast_into::<PyType>()?;
    module.add("BigInt", &kind)?;
    let _ = BIGINT.set(py, kind.unbind());
    Ok(())
}
