//! Fresh isolates and their contexts: parameters, roots, the host object, and V8's callbacks.
use std::cell::RefCell;
use std::sync::Arc;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::host_table::{self, external_references};
use super::snapshot::Loaded;
use crate::v8::api::layout::{
    Blob, PARAMS_ALLOCATOR, PARAMS_BLOB, PARAMS_CONSTRAINTS, PARAMS_MAX_OLD_GENERATION, PARAMS_REFERENCES, PARAMS_WORDS,
};
use crate::v8::api::process;
use crate::v8::api::{Handle, Isolate, Raw, v8};
use crate::v8::modules::import_hooks;
use crate::v8::start::library;
use crate::v8::start::memory;
use crate::v8::values::function::{self, call_python};
use crate::v8::values::inner::Roots;
use crate::v8::values::interrupt;
use crate::v8::values::promise;
use crate::v8::values::scope::{Local, NO_HANDLE, Scope};
use crate::v8::values::state::State;
use crate::v8::values::tasks;
use crate::v8::values::value::{literal, too_large, utf8_to_js};
use crate::v8::vm::contexts;

/// `Isolate::CreateParams`, filled in.
pub fn new_params(blob: Option<*const Blob>, heap_limit_bytes: Option<usize>) -> [u64; PARAMS_WORDS] {
    let mut params = [0u64; PARAMS_WORDS];
    // SAFETY: the memory is larger than the object, whose destructor releases nothing.
    unsafe { (v8().create_params)(params.as_mut_ptr() as Raw) };
    params[PARAMS_ALLOCATOR / 8] = process::allocator() as u64;
    params[PARAMS_REFERENCES / 8] = external_references().as_ptr() as u64;
    params[PARAMS_BLOB / 8] = blob.map_or(0, |blob| blob as u64);
    // SAFETY: the constraints lie at this offset.
    unsafe {
        let constraints = params.as_mut_ptr().byte_add(PARAMS_CONSTRAINTS) as Raw;
        (v8().constraints_defaults)(constraints, memory::available(), 0);
    }
    if let Some(limit) = heap_limit_bytes {
        params[PARAMS_MAX_OLD_GENERATION / 8] = limit as u64;
    }
    params
}

/// The snapshot that an engine was started from, which lives as long as its isolate.
#[derive(Default)]
struct Snapshot(RefCell<Option<Loaded>>);

/// Returns the snapshot that an engine was started from, which must live as long as its isolate.
pub fn take_snapshot(state: &State) -> Option<Loaded> {
    state.slot::<Snapshot>().0.take()
}

/// A fresh isolate with its context, neither of them entered.
pub struct Fresh {
    pub isolate: Isolate,
    /// A persistent handle.
    pub context: Handle,
    pub snapshot: Option<Loaded>,
}

/// Creates an isolate and its context, from the snapshot if there is one. V8 is started.
pub fn fresh(snapshot: Option<Loaded>, heap_limit_bytes: Option<usize>) -> PyResult<Fresh> {
    let mut params = new_params(snapshot.as_ref().map(Loaded::blob), heap_limit_bytes);
    // SAFETY: the parameters are filled, and their pointers live as long as the isolate. The isolate is entered only
    // while its context is created; the previous one is current again afterwards.
    unsafe {
        let isolate = (v8().isolate_new)(params.as_mut_ptr() as Raw);
        (v8().isolate_enter)(isolate);
        let context = new_context(isolate, snapshot.is_some());
        (v8().isolate_exit)(isolate);
        Ok(Fresh { isolate, context: context?, snapshot })
    }
}

/// Enter a fresh isolate and set it up as an engine: its roots, its host object, its callbacks. `names` are the names
/// of the host functions if no snapshot provides them.
pub fn open(
    state: &Arc<State>,
    made: Fresh,
    host: Option<Py<PyAny>>,
    names: Vec<String>,
    host_name: &str,
) -> PyResult<()> {
    let Fresh { isolate, context, snapshot } = made;
    // SAFETY: the isolate is fresh. If no isolate is current, it stays entered; otherwise it is entered for each call,
    // and left here with its context.
    unsafe {
        let current = (v8().isolate_current)();
        let is_first = current.is_null() || current == isolate; // the latter if it belongs to a snapshot creator
        (v8().isolate_enter)(isolate);
        state.begin(context);
        state.inner().is_resident.set(is_first);
        if !is_first {
            (v8().context_exit)(context);
            (v8().isolate_exit)(isolate);
        }
    }
    tasks::watch(state);
    // SAFETY: the context is live. An inspector gives its first context this id, so an inspector created later knows
    // the scripts compiled before it.
    state.enter(|scope| unsafe {
        (v8().set_context_id)(scope.context.handle(), 1);
        Ok(())
    })?;
    let inner = state.inner();
    let names = snapshot.as_ref().map_or(names, |snapshot| snapshot.names.clone());
    inner.functions.borrow_mut().resize_with(names.len(), || None);
    inner.resolve_host.replace(host);
    state.enter(|scope| {
        take_roots(scope)?;
        library::ready_icu(scope);
        if snapshot.is_none() {
            install_host(scope, &names, host_name)?;
        }
        install_callbacks(scope);
        Ok(())
    })?;
    inner.operations.replace(host_table::operations(&names));
    inner.names.replace(names);
    state.slot::<Snapshot>().0.replace(snapshot);
    Ok(())
}

/// Creates the context of a fresh isolate, from its snapshot or with V8's defaults; a persistent handle.
///
/// # Safety
/// The isolate is fresh and current on this thread.
pub unsafe fn new_context(isolate: Isolate, from_snapshot: bool) -> PyResult<Handle> {
    let n = std::ptr::null_mut();
    // SAFETY: guaranteed by the caller. `bare` opens only a handle scope, as there is no context to enter yet.
    unsafe {
        crate::v8::values::scope::bare(isolate, || {
            let context = match from_snapshot {
                true => (v8().context_from_snapshot)(isolate, 0, n, n, n, NO_HANDLE, n, n, n, n, n),
                false => (v8().context_new)(isolate, n, NO_HANDLE, NO_HANDLE, n, n, n, n, n, n, n),
            };
            if context.is_null() {
                return Err(PyRuntimeError::new_err("V8 made no context"));
            }
            Ok((v8().global_new)(isolate, *context))
        })
    }
}

/// Reads the tagged words of undefined, null, true and false, which the headers inline, from functions that return them.
/// This also checks the layout of handle scopes and small integers.
pub fn take_roots(scope: &Scope<'_>) -> PyResult<()> {
    let (isolate, context) = (scope.isolate, scope.context.handle());
    // SAFETY: the scope proves the isolate current; every handle is live and of the expected type.
    unsafe {
        let before = (v8().scope_count)(isolate);
        let (one, zero) = ((v8().integer_new)(isolate, 21), (v8().integer_new)(isolate, 0));
        if (v8().scope_count)(isolate) != before + 2 || *one as u32 != 42 {
            return Err(library::EngineUnavailable::new_err("V8's handles are laid out another way"));
        }
        let empty = (v8().array_new)(isolate, std::ptr::null(), 0);
        let undefined = *(v8().object_get_index)(empty, context, 0);
        let null = *(v8().object_prototype)((v8().object_prototype)((v8().object_new)(isolate)));
        let (yes, no) = (*(v8().to_boolean)(one, isolate), *(v8().to_boolean)(zero, isolate));
        scope.state.inner().roots.set(Roots { undefined, null, yes, no });
    }
    Ok(())
}

/// Defines the global `host_name` with the native functions and one trampoline for each of `names`.
pub fn install_host(scope: &Scope<'_>, names: &[String], host_name: &str) -> PyResult<()> {
    // SAFETY: the scope proves the isolate current; the objects are fresh or the global, so no setter runs.
    let host = unsafe { scope.local((v8().object_new)(scope.isolate)) }.ok_or_else(too_large)?;
    let put = |scope: &Scope<'_>, name: &str, function: Local<'_>| {
        let name = literal(scope, name).handle();
        // SAFETY: the handles are live; the object is plain, so no setter runs.
        unsafe { (v8().object_create_property)(host.handle(), scope.context.handle(), name, function.handle()) };
    };
    let natives = host_table::natives();
    for (name, native) in &natives {
        scope.nested(|scope| function::make(scope, *native, 0, name, 0).map(|function| put(scope, name, function)))?;
    }
    for (index, name) in names.iter().enumerate() {
        if name.contains('\n') || natives.iter().any(|(native, _)| native == name) {
            return Err(PyValueError::new_err(format!("a host function cannot be called {name:?}")));
        }
        scope.nested(|scope| {
            let function = function::make(scope, call_python, index as i32, name, 0)?;
            put(scope, name, function);
            Ok::<(), PyErr>(())
        })?;
    }
    // V8's own functions for hosts: the asynchronous context (`js/internal/async/context.js`), the inspector's console.
    // SAFETY: the context is live and has the object.
    let extras = unsafe { scope.local((v8().context_extras)(scope.context.handle())) };
    put(scope, "extras", extras.ok_or_else(too_large)?);
    const NOT_ENUMERABLE: i32 = 2;
    let key = utf8_to_js(scope, host_name.as_bytes(), 1)?.handle();
    // SAFETY: the handles are live.
    unsafe {
        let global = (v8().context_global)(scope.context.handle());
        (v8().object_define)(global, scope.context.handle(), key, host.handle(), NOT_ENUMERABLE);
    }
    Ok(())
}

/// Removes the callback that V8 keeps in the heap.
pub fn remove_callbacks(scope: &Scope<'_>) {
    // SAFETY: the scope proves the isolate current.
    unsafe { (v8().remove_message_listeners)(scope.isolate, promise::uncaught as Raw) };
}

/// Installs V8's callbacks.
pub fn install_callbacks(scope: &Scope<'_>) {
    const EXPLICIT: i32 = 0;
    // SAFETY: the scope proves the isolate current; the callbacks have V8's signatures and live as long as the process.
    unsafe {
        let isolate = scope.isolate;
        (v8().set_microtasks_policy)(isolate, EXPLICIT);
        (v8().set_promise_reject)(isolate, promise::on_rejected as Raw);
        (v8().add_message_listener)(isolate, promise::uncaught as Raw, NO_HANDLE);
        (v8().set_import_meta)(isolate, import_hooks::import_meta as Raw);
        (v8().set_dynamic_import)(isolate, import_hooks::dynamic_import as Raw);
        (v8().set_dynamic_import_phase)(isolate, import_hooks::dynamic_import_phase as Raw);
        (v8().set_allow_wasm)(isolate, contexts::allows_wasm as Raw);
        let key = (v8().private_new)(isolate, literal(scope, "exception").handle());
        scope.state.inner().exception_key.set((v8().global_new)(isolate, *key) as usize);
    }
    interrupt::install(scope);
}
