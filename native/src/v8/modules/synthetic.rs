//! Synthetic modules: their exports are read from an object, given, or set by a Python callable during evaluation.
use std::sync::Arc;

use pyo3::prelude::*;

use crate::interpreter;
use pyo3::types::PyString;

use super::graph::{Data, ModuleEntry, Table, enter_into_table, find};
use super::module::JsModule;
use crate::v8::api::layout::{Span, maybe_bool};
use crate::v8::api::{Handle, Raw, v8};
use crate::v8::values::error;
use crate::v8::values::error::throw_error;
use crate::v8::values::object::JsObject;
use crate::v8::values::scope::calling;
use crate::v8::values::scope::{Global, Local, NO_HANDLE, Scope};
use crate::v8::values::value::{literal, property_key, to_js};

/// The source of a synthetic module's exports during its evaluation.
pub struct Exports {
    names: Vec<Global>,
    source: Option<Global>,
    /// The value of `default`, and its index among the names.
    default: Option<(Py<PyAny>, Option<usize>)>,
    evaluate: Option<Py<PyAny>>,
}

/// Implements `Engine.synthetic_module`.
pub fn synthetic_module(
    scope: &Scope<'_>,
    py: Python<'_>,
    name: &str,
    names: Vec<Bound<'_, PyString>>,
    source: Option<&Bound<'_, JsObject>>,
    default: Option<Py<PyAny>>,
    evaluate: Option<Py<PyAny>>,
) -> PyResult<JsModule> {
    let place = names.iter().position(|name| name.to_cow().is_ok_and(|name| name == "default"));
    let names: Vec<Local<'_>> = names.iter().map(|name| property_key(scope, name)).collect::<PyResult<_>>()?;
    let source = source.map(|source| source.get().0.in_scope(scope)).transpose()?;
    let exports = Exports {
        names: names.iter().map(|name| Global::new(scope, *name)).collect(),
        source: source.map(|source| Global::new(scope, source)),
        default: default.map(|default| (default, place)),
        evaluate,
    };
    let label = crate::v8::values::value::string_to_js(scope, &PyString::new(py, name))?;
    create(scope, label, name, &names, exports).map(JsModule::new)
}

/// A module that exports the properties `names` of `source`; needs no GIL.
pub fn module_of_view(scope: &Scope<'_>, name: &str, names: &[Local<'_>], source: Local<'_>) -> PyResult<Arc<Data>> {
    let exports = Exports {
        names: names.iter().map(|name| Global::new(scope, *name)).collect(),
        source: Some(Global::new(scope, source)),
        default: None,
        evaluate: None,
    };
    create(scope, literal(scope, name), name, names, exports)
}

fn create(
    scope: &Scope<'_>,
    label: Local<'_>,
    name: &str,
    names: &[Local<'_>],
    exports: Exports,
) -> PyResult<Arc<Data>> {
    let handles: Vec<Handle> = names.iter().map(|name| name.handle()).collect();
    let span = Span { data: handles.as_ptr(), size: handles.len() };
    // SAFETY: the strings are live; the callback has V8's signature.
    let module = scope.evaluate_detached(|| unsafe {
        (v8().module_synthetic)(scope.isolate, label.handle(), &span, evaluate_synthetic as Raw)
    })?;
    let data = Data::new(scope, module, name.to_owned(), Some(exports));
    enter_into_table(scope, data.hash, ModuleEntry::Kept(data.clone()));
    Ok(data)
}

/// Sets an export of an instantiated module. May be called with or without the GIL.
pub fn set_export(scope: &Scope<'_>, module: Local<'_>, name: Local<'_>, value: Local<'_>) -> PyResult<()> {
    // SAFETY: the handles are live; the module is synthetic.
    let set = || unsafe { (v8().module_set_export)(module.handle(), scope.isolate, name.handle(), value.handle()) };
    scope.javascript_detached(|| maybe_bool(set())).map(|_| ())
}

/// Sets an export of a synthetic module that was evaluated.
pub fn set_export_of(scope: &Scope<'_>, data: &Arc<Data>, name: Local<'_>, value: Local<'_>) -> PyResult<()> {
    set_export(scope, data.module.in_scope(scope)?, name, value)
}

/// V8's evaluation steps of a synthetic module.
unsafe extern "C" fn evaluate_synthetic(_context: Handle, module: Handle) -> Handle {
    // SAFETY: V8 passes a live module.
    let (scope, module) = unsafe { (calling(), Local::new(module).expect("a module")) };
    let Some(data) = find(&scope, module) else {
        throw_error(&scope, "the module's exports are gone");
        return NO_HANDLE;
    };
    // SAFETY: the module is live.
    let hash = unsafe { (v8().module_hash)(module.handle()) };
    if let Some(entries) = scope.state.slot::<Table>().0.borrow_mut().get_mut(&hash) {
        for entry in entries.iter_mut() {
            if matches!(entry, ModuleEntry::Kept(kept) if Arc::ptr_eq(kept, &data)) {
                *entry = ModuleEntry::Known(Arc::downgrade(&data));
            }
        }
    }
    let Some(exports) = data.exports.take() else { return undefined(&scope) };
    let outcome = fill_from_source(&scope, module, &exports);
    if let Err(problem) = outcome {
        interpreter::attach(|py| error::throw(&scope, py, problem));
        return NO_HANDLE;
    }
    if exports.default.is_none() && exports.evaluate.is_none() {
        return undefined(&scope);
    }
    let outcome = interpreter::attach(|py| {
        let result = fill_from_python(&scope, py, module, &data, &exports);
        drop(exports);
        result.map_err(|error| error::throw(&scope, py, error))
    });
    if outcome.is_ok() { undefined(&scope) } else { NO_HANDLE }
}

fn undefined(scope: &Scope<'_>) -> Handle {
    scope.handle_for(scope.state.inner().roots.get().undefined).handle()
}

fn fill_from_source(scope: &Scope<'_>, module: Local<'_>, exports: &Exports) -> PyResult<()> {
    let Some(source) = &exports.source else { return Ok(()) };
    let source = source.in_scope(scope)?;
    let place_of_default = exports.default.as_ref().and_then(|(_, place)| *place);
    for (_, name) in exports.names.iter().enumerate().filter(|(place, _)| Some(*place) != place_of_default) {
        scope.nested(|scope| {
            let name = name.in_scope(scope)?;
            let context = scope.context.handle();
            // SAFETY: the handles are live.
            let value =
                scope.evaluate_detached(|| unsafe { (v8().object_get)(source.handle(), context, name.handle()) })?;
            set_export(scope, module, name, value)
        })?;
    }
    Ok(())
}

fn fill_from_python(
    scope: &Scope<'_>,
    py: Python<'_>,
    module: Local<'_>,
    data: &Arc<Data>,
    exports: &Exports,
) -> PyResult<()> {
    if let Some((default, place)) = &exports.default
        && (place.is_some() || exports.source.is_none())
    {
        set_export(scope, module, literal(scope, "default"), to_js(scope, default.bind(py))?)?;
    }
    if let Some(evaluate) = &exports.evaluate {
        evaluate.call1(py, (JsModule::new(data.clone()),))?;
    }
    Ok(())
}
