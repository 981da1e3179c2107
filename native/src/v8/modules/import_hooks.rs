//! V8's callbacks for `import.meta` and `import()`.
use std::ffi::c_int;
use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::interpreter;

use super::graph::{Data, find};
use super::module::{JsModule, read_attributes};
use super::script_hooks::{self, imports_of};
use crate::v8::api::layout::MODULE_REQUEST_FLAGS;
use crate::v8::api::{Handle, v8};
use crate::v8::values::error;
use crate::v8::values::object;
use crate::v8::values::promise::new_resolver;
use crate::v8::values::scope::calling;
use crate::v8::values::scope::{Local, NO_HANDLE, Scope};
use crate::v8::values::value::{number_to_js, string_to_python, to_python};

/// The `type` attribute that stands for the source phase; the transpiler writes it as well (`passes::source_phase`).
const AS_ATTRIBUTE: &str = "rt:source";
/// V8's `ModuleImportPhase`.
const SOURCE: c_int = 0;
pub const EVALUATION: c_int = 2;

/// The phase of a live request; V8 exports no function for it.
pub fn phase_of(request: Local<'_>) -> c_int {
    const PHASE_BITS: u32 = 2;
    // SAFETY: the request is live and has V8's layout; the field lies inside the object.
    let (flags, place) = unsafe {
        let word = ((request.word() + MODULE_REQUEST_FLAGS) as *const u32).read_unaligned();
        (word >> 1, (v8().request_offset)(request.handle()))
    };
    let is_right = i64::from(flags >> PHASE_BITS) == i64::from(place);
    if is_right { (flags & ((1 << PHASE_BITS) - 1)) as c_int } else { EVALUATION }
}

/// V8's `import.meta` callback.
pub unsafe extern "C" fn import_meta(_context: Handle, module: Handle, meta: Handle) {
    // SAFETY: V8 passes live handles.
    let (scope, module, meta) =
        unsafe { (calling(), Local::new(module).expect("a module"), Local::new(meta).expect("an object")) };
    if let Some(id) = find(&scope, module).map(|data| data.vm_id.get()).filter(|id| *id != 0) {
        script_hooks::call(&scope, script_hooks::META, &[number_to_js(&scope, id.into()).handle(), meta.handle()]);
        return;
    }
    let native = scope.state.inner().native_import_meta.borrow().clone();
    let has_hook = scope.state.inner().on_import_meta.borrow().is_some();
    if let Some(native) = native.filter(|_| !has_hook) {
        let data = find(&scope, module).unwrap_or_else(|| unknown(&scope, module));
        if let Err(problem) = native(&scope, &data.name, meta) {
            raise(&scope, problem);
        }
        return;
    }
    interpreter::attach(|py| {
        let hook = scope.state.inner().on_import_meta.borrow().as_ref().map(|hook| hook.clone_ref(py));
        let Some(hook) = hook else { return };
        let run = || {
            let data = find(&scope, module).unwrap_or_else(|| unknown(&scope, module));
            let meta = object::wrap(&scope, py, meta)?;
            hook.call1(py, (JsModule::new(data), meta))
        };
        if let Err(error) = run() {
            error::throw(&scope, py, error);
        }
    });
}

/// Throws what `problem` stands for into the JavaScript that is calling, or ends it.
fn raise(scope: &Scope<'_>, problem: PyErr) {
    if scope.state.is_ending() {
        return error::end(scope, problem);
    }
    interpreter::attach(|py| error::throw(scope, py, problem));
}

/// New data for a module that nothing else holds any more.
fn unknown(scope: &Scope<'_>, module: Local<'_>) -> Arc<Data> {
    // SAFETY: a live module.
    let name = unsafe { scope.local((v8().module_name)(module.handle())) };
    let name = name.map_or_else(String::new, |name| text_of(scope, name));
    Data::new(scope, module, name, None)
}

/// A string, with U+FFFD for lone surrogates; "" for any other value.
fn text_of(scope: &Scope<'_>, value: Local<'_>) -> String {
    // SAFETY: a live handle; the test only looks.
    let is_text = unsafe { (v8().is_string)(value.handle()) };
    if is_text { String::from_utf8_lossy(&scope.utf8(value)).into_owned() } else { String::new() }
}

/// The symbol with which code of `node:vm` was compiled, or that of its context.
unsafe fn symbol_of_vm<'s>(scope: &Scope<'s>, context: Local<'_>, options: Handle) -> Option<Local<'s>> {
    // SAFETY: the handle is the script's options, an array of primitives.
    unsafe {
        if options.is_null() || (v8().primitive_array_length)(options) != 1 {
            let symbol = imports_of(scope, context)?;
            return (v8().is_symbol)(symbol.handle()).then_some(symbol);
        }
        let symbol = scope.local((v8().primitive_array_get)(options, scope.isolate, 0))?;
        (v8().is_symbol)(symbol.handle()).then_some(symbol)
    }
}

/// A promise of `context` resolved with `value`, which may be a promise of another context.
pub fn promise_of(scope: &Scope<'_>, context: Local<'_>, value: Local<'_>) -> Handle {
    // SAFETY: the handles belong to this isolate; V8 is calling, so JavaScript may run.
    unsafe {
        let Some(resolver) = scope.local((v8().resolver_new)(context.handle())) else { return NO_HANDLE };
        (v8().resolver_resolve)(resolver.handle(), context.handle(), value.handle());
        (v8().resolver_promise)(resolver.handle())
    }
}

/// The promise of an `import()`; None where a hook of Python's answers.
fn answered_natively<'s>(
    scope: &Scope<'s>,
    specifier: Local<'_>,
    referrer: Option<Local<'_>>,
    phase: c_int,
    attributes: Handle,
) -> Option<PyResult<Local<'s>>> {
    const STRIDE: usize = 2; // key, value
    let inner = scope.state.inner();
    let answer = inner.native_import.borrow().clone().filter(|_| inner.on_import.borrow().is_none())?;
    // SAFETY: a live array; the indices are below its length, and its entries are strings.
    let mut attributes: Vec<(String, String)> = unsafe {
        let text = |index| text_of(scope, scope.local((v8().fixed_array_get)(attributes, index)).expect("a string"));
        let places = (0..(v8().fixed_array_length)(attributes)).step_by(STRIDE);
        places.map(|index| (text(index), text(index + 1))).collect()
    };
    if phase == SOURCE {
        attributes.push(("type".to_owned(), AS_ATTRIBUTE.to_owned()));
    }
    let referrer = referrer.map_or_else(String::new, |referrer| text_of(scope, referrer));
    Some(answer(scope, &text_of(scope, specifier), &referrer, attributes))
}

/// V8's dynamic-import callback.
pub unsafe extern "C" fn dynamic_import(
    context: Handle,
    options: Handle,
    resource: Handle,
    specifier: Handle,
    attributes: Handle,
) -> Handle {
    // SAFETY: V8 passes live handles.
    unsafe { dynamic_import_phase(context, options, resource, specifier, EVALUATION, attributes) }
}

/// V8's callback for the source of a linked module. Only a program's files have one, and these use the attribute
/// instead.
pub unsafe extern "C" fn resolve_source(_context: Handle, index: usize, referrer: Handle) -> Handle {
    // SAFETY: V8 passes a live module.
    let (scope, referrer) = unsafe { (calling(), Local::new(referrer).expect("a module")) };
    let linked = find(&scope, referrer).and_then(|data| data.links.borrow().get(index).cloned());
    let id = linked.map_or(0, |data| data.vm_id.get());
    script_hooks::call(&scope, script_hooks::NO_SOURCE, &[number_to_js(&scope, id.into()).handle()]);
    NO_HANDLE
}

/// V8's callback for `import()` and `import.source()`: a promise that the host settles through its resolver.
pub unsafe extern "C" fn dynamic_import_phase(
    context: Handle,
    options: Handle,
    resource: Handle,
    specifier: Handle,
    phase: c_int,
    attributes: Handle,
) -> Handle {
    // SAFETY: V8 passes live handles.
    let (scope, context, resource, specifier) = unsafe {
        let context = Local::new(context).expect("a context");
        (calling(), context, Local::new(resource), Local::new(specifier).expect("a string"))
    };
    // SAFETY: V8 passes live handles.
    if let Some(symbol) = unsafe { symbol_of_vm(&scope, context, options) } {
        // SAFETY: the array is live; the list copies its handles.
        let attributes = unsafe {
            let flat: Vec<Handle> =
                (0..(v8().fixed_array_length)(attributes)).map(|at| (v8().fixed_array_get)(attributes, at)).collect();
            (v8().array_new)(scope.isolate, flat.as_ptr(), flat.len())
        };
        let phase = number_to_js(&scope, phase.into());
        let arguments = [symbol.handle(), specifier.handle(), attributes, phase.handle()];
        let found = script_hooks::call(&scope, script_hooks::IMPORT, &arguments);
        return found.map_or(NO_HANDLE, |found| promise_of(&scope, context, found));
    }
    match answered_natively(&scope, specifier, resource, phase, attributes) {
        None => {}
        Some(Ok(promise)) => return promise.handle(),
        Some(Err(problem)) => {
            raise(&scope, problem);
            return NO_HANDLE;
        }
    }
    interpreter::attach(|py| {
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
            if phase == SOURCE {
                attributes.bind(py).set_item("type", AS_ATTRIBUTE)?;
            }
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
