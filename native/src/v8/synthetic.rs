//! Modules made by the host: exports read from an object, given, or set by a Python callable when they are evaluated.
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyString;

use super::api::{Handle, Raw, v8};
use super::error;
use super::layout::{Span, maybe_bool};
use super::module::JsModule;
use super::module_graph::{Data, ModuleEntry, calling, enter_into_table, find, throw_error};
use super::object::{self, JsObject};
use super::scope::{Global, Local, NO_HANDLE, Scope};
use super::value::{literal, property_key, to_js};

/// Where a synthetic module's exports come from when it is evaluated.
pub struct Exports {
    names: Vec<Py<PyString>>,
    source: Option<Global>,
    default: Option<Py<PyAny>>,
    evaluate: Option<Py<PyAny>>,
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
    let data = Data::new(scope, module, name.to_owned(), Some(exports));
    enter_into_table(scope, data.hash, ModuleEntry::Kept(data.clone()));
    Ok(JsModule::new(data))
}

/// Set an export; the module is instantiated.
pub fn set_export(
    scope: &Scope<'_>,
    py: Python<'_>,
    module: Local<'_>,
    name: Local<'_>,
    value: Local<'_>,
) -> PyResult<()> {
    // SAFETY: live handles; the module is synthetic.
    let set = || unsafe { (v8().module_set_export)(module.handle(), scope.isolate, name.handle(), value.handle()) };
    scope.javascript(py, || maybe_bool(set())).map(|_| ())
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
        evaluate.call1(py, (JsModule::new(data.clone()),))?;
    }
    Ok(())
}
