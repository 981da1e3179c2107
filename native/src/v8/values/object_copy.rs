//! Copies of JavaScript arrays and plain objects as Python lists and dicts, to a given depth, and the kinds of objects.
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::object::{ONLY_ENUMERABLE, SKIP_SYMBOLS, own_keys};
use super::scope::{Local, Scope};
use super::value::{to_js, to_python};
use crate::v8::api::v8;

type Convert<'a> = dyn for<'n> Fn(&Scope<'n>, Local<'n>) -> PyResult<Py<PyAny>> + 'a;

/// The elements of an array, each converted in a nested handle scope.
pub fn elements(
    scope: &Scope<'_>,
    py: Python<'_>,
    array: Local<'_>,
    convert: &Convert<'_>,
) -> PyResult<Vec<Py<PyAny>>> {
    // SAFETY: the handle is an array (the callers check).
    let length = unsafe { (v8().array_length)(array.handle()) };
    let mut items = Vec::new();
    for index in 0..length {
        items.push(scope.nested(|scope| {
            let (context, array) = (scope.context.handle(), array.handle());
            // SAFETY: the handles are live; the outer scope outlives the nested one.
            let value = scope.evaluate(py, || unsafe { (v8().object_get_index)(array, context, index) })?;
            convert(scope, value)
        })?);
    }
    Ok(items)
}

/// Implements `JsObject::to_python`.
pub fn copy(scope: &Scope<'_>, py: Python<'_>, value: Local<'_>, depth: u32) -> PyResult<Py<PyAny>> {
    match kind_of(value) {
        "array" | "object" if depth == 0 => Err(PyValueError::new_err("the JavaScript value nests too deeply")),
        "array" => {
            let items = elements(scope, py, value, &|scope, item| copy_item(scope, py, item, depth - 1))?;
            Ok(PyList::new(py, items)?.into_any().unbind())
        }
        "object" => {
            let result = PyDict::new(py);
            for name in own_keys(scope, py, value, SKIP_SYMBOLS | ONLY_ENUMERABLE)? {
                let item = scope.nested(|scope| {
                    let key = to_js(scope, name.bind(py))?;
                    let (context, object) = (scope.context.handle(), value.handle());
                    // SAFETY: the handles are live; the outer scope outlives the nested one.
                    let item = scope.evaluate(py, || unsafe { (v8().object_get)(object, context, key.handle()) })?;
                    copy_item(scope, py, item, depth - 1)
                })?;
                result.set_item(name, item)?;
            }
            Ok(result.into_any().unbind())
        }
        "array-buffer" | "shared-array-buffer" | "typed-array" | "data-view" => {
            Ok(super::buffer::to_bytes(py, value)?.into_any())
        }
        _ => to_python(scope, py, value),
    }
}

fn copy_item(scope: &Scope<'_>, py: Python<'_>, value: Local<'_>, depth: u32) -> PyResult<Py<PyAny>> {
    // SAFETY: the handle is live; the test has no side effects.
    if unsafe { (v8().is_object)(value.handle()) } {
        copy(scope, py, value, depth)
    } else {
        to_python(scope, py, value)
    }
}

/// The value of `JsObject.kind`.
pub fn kind_of(value: Local<'_>) -> &'static str {
    let handle = value.handle();
    let api = v8();
    let tests = [
        (api.is_function, "function"),
        (api.is_array, "array"),
        (api.is_proxy, "proxy"),
        (api.is_promise, "promise"),
        (api.is_native_error, "error"),
        (api.is_typed_array, "typed-array"),
        (api.is_array_buffer, "array-buffer"),
        (api.is_shared_array_buffer, "shared-array-buffer"),
        (api.is_data_view, "data-view"),
        (api.is_date, "date"),
        (api.is_reg_exp, "regexp"),
        (api.is_map, "map"),
        (api.is_set, "set"),
        (api.is_weak_map, "weak-map"),
        (api.is_weak_set, "weak-set"),
        (api.is_weak_ref, "weak-ref"),
        (api.is_map_iterator, "map-iterator"),
        (api.is_set_iterator, "set-iterator"),
        (api.is_generator, "generator"),
        (api.is_module_namespace, "namespace"),
        (api.is_arguments, "arguments"),
        (api.is_boolean_object, "boxed-boolean"),
        (api.is_number_object, "boxed-number"),
        (api.is_string_object, "boxed-string"),
        (api.is_symbol_object, "boxed-symbol"),
        (api.is_bigint_object, "boxed-bigint"),
        (api.is_wasm_module, "wasm-module"),
        (api.is_wasm_memory, "wasm-memory"),
        (api.is_external, "external"),
    ];
    // SAFETY: the handle is live; the tests have no side effects.
    tests.iter().find(|(test, _)| unsafe { test(handle) }).map_or("object", |(_, name)| name)
}
