//! Errors across the border, without losing the object on the other side.
//!
//! JavaScript exceptions are `JsError` in Python, with the thrown value and its position. An exception of a Python
//! callback becomes a JavaScript Error that remembers it (`__cause__` of the `JsError`, if it returns to Python); a
//! `JsError` throws its own value again. JavaScript cannot catch `KeyboardInterrupt`, `SystemExit` and similar
//! exceptions: they terminate it, and the outermost call raises them.
use pyo3::create_exception;
use pyo3::exceptions::{
    PyException, PyMemoryError, PyOverflowError, PyRecursionError, PyRuntimeError, PySystemExit, PyTypeError,
};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::scope::{Local, NO_HANDLE, Scope, TryCatch};
use super::value::{literal, string_to_js, to_js as value_to_js, to_python};
use super::weak;
use crate::interpreter;
use crate::v8::api::layout::{maybe_int, small_integer};
use crate::v8::api::v8;
use std::sync::atomic::Ordering;

create_exception!(rt_supervisor._native, JsError, PyException, "JavaScript threw `value`; str() is V8's message.");
create_exception!(rt_supervisor._native, JsTerminated, PyException, "JavaScript was ended by `Engine.terminate`.");
create_exception!(
    rt_supervisor._native,
    JsStopped,
    JsTerminated,
    "A debugger ended the JavaScript that ran; the program goes on."
);
create_exception!(
    rt_supervisor._native,
    JsHeapLimit,
    PyMemoryError,
    "JavaScript reached its heap limit and was ended."
);

/// The exception of a call that returned nothing.
pub fn caught(scope: &Scope<'_>, py: Python<'_>, catcher: &TryCatch<'_, '_>) -> PyErr {
    // SAFETY: the scope proves the isolate current.
    let is_terminating = || unsafe { (v8().is_terminating)(scope.isolate) };
    if catcher.has_terminated() || scope.state.inner().is_terminating.get() || is_terminating() {
        return propagate_termination(scope, py);
    }
    match catcher.exception() {
        Some(value) => {
            let message = catcher.message();
            js_error(scope, py, value, message).unwrap_or_else(|error| error)
        }
        None => PyRuntimeError::new_err("V8 returned neither a value nor an exception"),
    }
}

/// The exception of a call that a program's exit terminated; None if something else did.
pub fn exited(scope: &Scope<'_>, catcher: &TryCatch<'_, '_>) -> Option<PyErr> {
    let inner = scope.state.inner();
    let status = inner.exiting.get()?;
    if !catcher.has_terminated() && !inner.is_terminating.get() {
        return None;
    }
    let is_outermost = inner.depth.get() == 0;
    inner.is_terminating.set(!is_outermost);
    if is_outermost {
        // SAFETY: the isolate is current, and no JavaScript is on the stack.
        unsafe { (v8().cancel_terminate)(scope.isolate) };
        inner.exited.set(inner.exiting.take());
        drop(inner.pending.take());
    }
    Some(PySystemExit::new_err(status))
}

/// Termination has reached a call: the outermost call resets it, the others propagate it.
fn propagate_termination(scope: &Scope<'_>, py: Python<'_>) -> PyErr {
    let inner = scope.state.inner();
    let is_outermost = inner.depth.get() == 0;
    inner.is_terminating.set(!is_outermost);
    if is_outermost {
        // SAFETY: the isolate is current, and no JavaScript is on the stack.
        unsafe { (v8().cancel_terminate)(scope.isolate) };
        if let Some(error) = inner.pending.take() {
            scope.state.heap_limit_reached.store(false, Ordering::Relaxed);
            return error;
        }
    } else if let Some(error) = &*inner.pending.borrow() {
        return error.clone_ref(py);
    }
    let is_heap = if is_outermost {
        scope.state.heap_limit_reached.swap(false, Ordering::Relaxed)
    } else {
        scope.state.heap_limit_reached.load(Ordering::Relaxed)
    };
    if is_heap {
        return JsHeapLimit::new_err("JavaScript heap limit reached");
    }
    let is_ended = if is_outermost {
        scope.state.is_terminated.swap(false, Ordering::Relaxed)
    } else {
        scope.state.is_terminated.load(Ordering::Relaxed)
    };
    if is_ended || !inner.is_inspected.get() {
        JsTerminated::new_err("JavaScript was terminated")
    } else {
        // Without a request of the host, V8's inspector has terminated it (`Runtime.terminateExecution`).
        JsStopped::new_err("a debugger stopped JavaScript")
    }
}

/// Returns whether a debugger has ended the JavaScript that ran, so that the program goes on.
pub fn is_stopped(error: &PyErr) -> bool {
    interpreter::attach(|py| error.is_instance_of::<JsStopped>(py))
}

/// A `JsError` for `value`, with the position in `message`.
pub fn js_error<'s>(
    scope: &Scope<'s>,
    py: Python<'_>,
    value: Local<'s>,
    message: Option<Local<'s>>,
) -> PyResult<PyErr> {
    let text = match message {
        // SAFETY: the message is live; its text is a string.
        Some(message) => unsafe { scope.local((v8().message_text)(message.handle())) },
        None => None,
    };
    let text = match text {
        Some(text) => to_python(scope, py, text)?.bind(py).to_string(),
        None => String::new(),
    };
    let text = text.strip_prefix("Uncaught ").unwrap_or(&text);
    let error = JsError::new_err(text.to_owned());
    let object = error.value(py);
    object.setattr(intern!(py, "value"), to_python(scope, py, value)?)?;
    object.setattr(intern!(py, "is_from_compiler"), false)?;
    describe(scope, py, object.as_any(), message)?;
    if let Some(cause) = find_exception(scope, py, value) {
        error.set_cause(py, Some(PyErr::from_value(cause.into_bound(py))));
    }
    Ok(error)
}

/// Record that V8's compiler raised a `JsError`; other exceptions stay as they are.
pub fn mark_as_from_compiler(py: Python<'_>, error: &PyErr) {
    if error.is_instance_of::<JsError>(py) {
        // The class has a dictionary, so this fails only when memory is exhausted; the error then counts as one of the script.
        let _ = error.value(py).setattr(intern!(py, "is_from_compiler"), true);
    }
}

fn describe<'s>(
    scope: &Scope<'s>,
    py: Python<'_>,
    error: &Bound<'_, PyAny>,
    message: Option<Local<'s>>,
) -> PyResult<()> {
    let (mut file, mut source_line) = (py.None(), py.None());
    let (mut line, mut column, mut end_column) = (None, None, None);
    if let Some(message) = message {
        let (handle, context) = (message.handle(), scope.context.handle());
        // SAFETY: the message is live; these functions only read and return handles of this scope.
        unsafe {
            if let Some(name) = scope.local((v8().message_resource)(handle)) {
                file = to_python(scope, py, name)?;
            }
            if let Some(text) = scope.local((v8().message_source_line)(handle, context)) {
                source_line = to_python(scope, py, text)?;
            }
            line = maybe_int((v8().message_line)(handle, context)).filter(|line| *line > 0);
            if line.is_some() {
                column = Some((v8().message_start_column)(handle) + 1);
                end_column = Some((v8().message_end_column)(handle) + 1);
            }
        }
    }
    error.setattr(intern!(py, "file"), file)?;
    error.setattr(intern!(py, "line"), line)?;
    error.setattr(intern!(py, "column"), column)?;
    error.setattr(intern!(py, "end_column"), end_column)?;
    error.setattr(intern!(py, "source_line"), source_line)
}

/// Terminates the running JavaScript with an exception that it cannot catch.
pub fn end(scope: &Scope<'_>, error: PyErr) {
    let inner = scope.state.inner();
    if !inner.is_terminating.replace(true) {
        inner.pending.replace(Some(error));
    }
    // SAFETY: allowed on any thread; takes effect when JavaScript resumes.
    unsafe { (v8().terminate)(scope.isolate) };
}

/// Throws a Python exception into the calling JavaScript; V8 sees it when the callback returns.
pub fn throw(scope: &Scope<'_>, py: Python<'_>, error: PyErr) {
    let inner = scope.state.inner();
    if inner.is_terminating.get() || !error.is_instance_of::<PyException>(py) {
        return end(scope, error);
    }
    let value = match to_js(scope, py, &error) {
        Ok(value) => value,
        Err(second) if !second.is_instance_of::<PyException>(py) => return throw(scope, py, second),
        // The hook ran JavaScript, which may have exhausted its stack; its exception reports that.
        Err(second) => instead(scope, py, &second),
    };
    // SAFETY: V8 is calling, so an exception may be scheduled.
    unsafe { (v8().throw)(scope.isolate, value.handle()) };
}

/// What to throw if the hook cannot convert an exception: the hook's own failure.
fn instead<'s>(scope: &Scope<'s>, py: Python<'_>, error: &PyErr) -> Local<'s> {
    let own = || value_to_js(scope, &error.value(py).getattr(intern!(py, "value"))?);
    let value = if error.is_instance_of::<JsError>(py) { own() } else { new_error(scope, py, error) };
    value.unwrap_or_else(|_| literal(scope, "a Python exception could not be converted"))
}

/// The JavaScript value that stands for a Python exception.
pub fn to_js<'s>(scope: &Scope<'s>, py: Python<'_>, error: &PyErr) -> PyResult<Local<'s>> {
    let exception = error.value(py);
    if error.is_instance_of::<JsError>(py) && exception.hasattr(intern!(py, "value"))? {
        return value_to_js(scope, &exception.getattr(intern!(py, "value"))?);
    }
    let convert = scope.state.inner().convert_exception.borrow().as_ref().map(|hook| hook.clone_ref(py));
    let converted = match convert {
        Some(convert) => convert.call1(py, (exception,))?,
        None => py.None(),
    };
    // JavaScript may throw `undefined`, so an exception that carries a value is always converted.
    let is_converted = !converted.is_none(py) || exception.hasattr(intern!(py, "value"))?;
    let value = if is_converted { value_to_js(scope, converted.bind(py))? } else { new_error(scope, py, error)? };
    remember(scope, value, exception.clone().into_any().unbind());
    Ok(value)
}

fn new_error<'s>(scope: &Scope<'s>, py: Python<'_>, error: &PyErr) -> PyResult<Local<'s>> {
    // At the recursion limit even str() fails.
    let text = error.value(py).str().unwrap_or_else(|_| PyString::new(py, "maximum recursion depth exceeded"));
    let text = string_to_js(scope, &text)?.handle();
    let is_range = error.is_instance_of::<PyRecursionError>(py) || error.is_instance_of::<PyOverflowError>(py);
    let make = match () {
        () if error.is_instance_of::<PyTypeError>(py) => v8().error_type,
        () if is_range => v8().error_range,
        () => v8().error_new,
    };
    // SAFETY: the string is live.
    let value = unsafe { scope.local(make(text, std::ptr::null_mut())) };
    value.ok_or_else(|| PyRuntimeError::new_err("V8 made no error object"))
}

/// Links the object `value` to the Python exception for as long as it lives.
fn remember(scope: &Scope<'_>, value: Local<'_>, exception: Py<PyAny>) {
    let inner = scope.state.inner();
    // SAFETY: the handle is live; the test has no side effects.
    if inner.exception_key.get() == 0 || !unsafe { (v8().is_object)(value.handle()) } {
        return; // a snapshot being built has no key, and a primitive no properties
    }
    let id = inner.next_exception.get().wrapping_add(1) & 0x3fff_ffff;
    inner.next_exception.set(id);
    let key = inner.exception_key.get();
    // SAFETY: the key is the engine's private symbol and lives as long as the isolate; private properties run no
    // JavaScript.
    let is_set = unsafe {
        let number = (v8().integer_new)(scope.isolate, id as i32);
        (v8().object_set_private)(value.handle(), scope.context.handle(), key as _, number)
    };
    if is_set & 0xff == 0 {
        return;
    }
    inner.exceptions.borrow_mut().insert(id, exception);
    weak::watch(scope, value, move |state| {
        let exception = state.inner().exceptions.borrow_mut().remove(&id);
        state.let_go(exception);
    });
}

/// The Python exception behind a thrown value.
pub fn find_exception(scope: &Scope<'_>, py: Python<'_>, value: Local<'_>) -> Option<Py<PyAny>> {
    let inner = scope.state.inner();
    if inner.exceptions.borrow().is_empty() {
        return None;
    }
    let key = inner.exception_key.get();
    // SAFETY: as in `remember`.
    let id = unsafe {
        if !(v8().is_object)(value.handle()) {
            return None;
        }
        scope.local((v8().object_get_private)(value.handle(), scope.context.handle(), key as _))?
    };
    let id = small_integer(id.word())? as u32;
    inner.exceptions.borrow().get(&id).map(|exception| exception.clone_ref(py))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("JsError", py.get_type::<JsError>())?;
    module.add("JsTerminated", py.get_type::<JsTerminated>())?;
    module.add("JsStopped", py.get_type::<JsStopped>())?;
    module.add("JsHeapLimit", py.get_type::<JsHeapLimit>())
}

/// Throws an Error into the calling JavaScript.
pub fn throw_error(scope: &Scope<'_>, text: &str) {
    let text = literal(scope, text);
    // SAFETY: V8 is calling; the string is live.
    unsafe { (v8().throw)(scope.isolate, (v8().error_new)(text.handle(), NO_HANDLE)) };
}
