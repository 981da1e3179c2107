//! Promises in both directions: promises that Python settles, JavaScript's promises as references, and unhandled
//! rejections.
//!
//! V8 reports a rejection without a handler at once and withdraws it when a handler is added. Both are only recorded
//! here; the host takes the records at the end of a turn of its loop (`Engine.take_rejections`).
use std::cell::RefCell;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::interpreter::class;

use super::error;
use super::function::{HostFunction, make_from_python};
use super::object::{self, JsObject};
use super::scope::{Global, Local, Scope};
use super::state::State;
use super::value::{to_js, to_python};
use crate::v8::api::layout::{
    HANDLER_ADDED_AFTER_REJECTION, PromiseRejectMessage, REJECTED_WITHOUT_HANDLER, maybe_bool,
};
use crate::v8::api::{Handle, Isolate, v8};

/// A JavaScript promise.
#[pyclass(frozen, extends = JsObject, module = "rt_supervisor._native")]
pub struct JsPromise;

/// Settles one promise; a second call does nothing, as in JavaScript.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct JsResolver(Global);

/// (handled later, promise, reason, asynchronous context)
pub type Rejection = (bool, Py<PyAny>, Py<PyAny>, Py<PyAny>);

const STATES: [&str; 3] = ["pending", "fulfilled", "rejected"];

#[pymethods]
impl JsPromise {
    /// "pending", "fulfilled" or "rejected".
    #[getter]
    fn state(this: PyRef<'_, Self>) -> PyResult<&'static str> {
        // SAFETY: the handle is a promise.
        this.as_super().0.enter(|_, promise| Ok(STATES[unsafe { (v8().promise_state)(promise.handle()) } as usize]))
    }

    /// The value or the reason; None while the promise is pending.
    #[getter]
    fn result(this: PyRef<'_, Self>, py: Python<'_>) -> PyResult<Py<PyAny>> {
        this.as_super().0.enter(|scope, promise| {
            // SAFETY: the handle is a promise, and its result is read only once it is settled.
            let result = unsafe {
                if (v8().promise_state)(promise.handle()) == 0 {
                    return Ok(py.None());
                }
                scope.local((v8().promise_result)(promise.handle()))
            };
            result.map_or_else(|| Ok(py.None()), |result| to_python(scope, py, result))
        })
    }

    #[getter]
    fn has_handler(this: PyRef<'_, Self>) -> PyResult<bool> {
        // SAFETY: the handle is a promise.
        this.as_super().0.enter(|_, promise| Ok(unsafe { (v8().promise_has_handler)(promise.handle()) }))
    }

    /// Never report a rejection of this promise.
    fn mark_as_handled(this: PyRef<'_, Self>) -> PyResult<()> {
        this.as_super().0.enter(|scope, promise| {
            mark_as_handled(scope, promise);
            Ok(())
        })
    }

    /// `promise.then`: Python callables or JavaScript functions, called in a microtask. Returns the new promise.
    #[pyo3(signature = (on_fulfilled, on_rejected=None))]
    fn then(
        this: PyRef<'_, Self>,
        py: Python<'_>,
        on_fulfilled: &Bound<'_, PyAny>,
        on_rejected: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        this.as_super().0.enter(|scope, promise| {
            let fulfilled = reaction(scope, on_fulfilled)?;
            let rejected = on_rejected.map(|callable| reaction(scope, callable)).transpose()?;
            let (context, promise) = (scope.context.handle(), promise.handle());
            let next = scope.evaluate(py, || {
                // SAFETY: the handles are live: a promise and one or two functions.
                unsafe {
                    match rejected {
                        Some(rejected) => (v8().promise_then)(promise, context, fulfilled.handle(), rejected.handle()),
                        None => (v8().promise_then_fulfilled)(promise, context, fulfilled.handle()),
                    }
                }
            })?;
            object::wrap(scope, py, next)
        })
    }
}

fn reaction<'s>(scope: &Scope<'s>, callable: &Bound<'_, PyAny>) -> PyResult<Local<'s>> {
    if callable.is_instance_of::<super::function::JsFunction>() {
        return to_js(scope, callable);
    }
    make_from_python(scope, HostFunction::new(callable, "", false)?, "")
}

/// A fresh promise and its resolver.
pub fn new_promise(scope: &Scope<'_>, py: Python<'_>) -> PyResult<Py<PyTuple>> {
    let (resolver, promise) = new_resolver(scope, py)?;
    let promise = object::wrap(scope, py, promise)?;
    let resolver = Py::new(py, resolver)?.into_any();
    Ok(PyTuple::new(py, [promise, resolver])?.unbind())
}

pub fn new_resolver<'s>(scope: &Scope<'s>, py: Python<'_>) -> PyResult<(JsResolver, Local<'s>)> {
    // SAFETY: the scope proves the isolate current; the resolver was just created.
    let resolver = scope.evaluate(py, || unsafe { (v8().resolver_new)(scope.context.handle()) })?;
    let promise = scope.evaluate(py, || unsafe { (v8().resolver_promise)(resolver.handle()) })?;
    Ok((JsResolver(Global::new(scope, resolver)), promise))
}

impl JsResolver {
    pub fn promise<'s>(&self, scope: &Scope<'s>) -> PyResult<Local<'s>> {
        let resolver = self.0.in_scope(scope)?;
        // SAFETY: the handle is a resolver.
        Ok(unsafe { scope.local((v8().resolver_promise)(resolver.handle())) }.expect("a resolver has a promise"))
    }

    pub fn settle(&self, py: Python<'_>, value: &Bound<'_, PyAny>, is_rejection: bool) -> PyResult<bool> {
        self.0.enter(|scope, resolver| {
            let value = to_js(scope, value)?;
            let settle = if is_rejection { v8().resolver_reject } else { v8().resolver_resolve };
            // SAFETY: the handles belong to this scope.
            let run = || unsafe { settle(resolver.handle(), scope.context.handle(), value.handle()) };
            scope.javascript(py, || maybe_bool(run()))
        })
    }
}

#[pymethods]
impl JsResolver {
    /// The promise of this resolver.
    #[getter(promise)]
    fn get_promise(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.enter(|scope, _| {
            let promise = self.promise(scope)?;
            object::wrap(scope, py, promise)
        })
    }

    #[pyo3(signature = (value=None))]
    fn resolve(&self, py: Python<'_>, value: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let none = py.None().into_bound(py);
        self.settle(py, value.unwrap_or(&none), false).map(|_| ())
    }

    /// Reject with a value, or with the Error for a Python exception.
    fn reject(&self, py: Python<'_>, reason: &Bound<'_, PyAny>) -> PyResult<()> {
        self.settle(py, reason, true).map(|_| ())
    }
}

/// A rejection as V8 reported it: persistent handles, zero for none.
pub struct Note {
    event: i32,
    promise: usize,
    reason: usize,
    /// The asynchronous context in which the promise was rejected.
    context: usize,
}

impl Note {
    pub fn handles(&self) -> impl Iterator<Item = usize> {
        [self.promise, self.reason, self.context].into_iter().filter(|handle| *handle != 0)
    }

    /// Dispose of the note's handles.
    ///
    /// # Safety
    /// The isolate is open and this is its thread.
    unsafe fn release(self) {
        for handle in self.handles() {
            // SAFETY: the note was the handle's only owner.
            unsafe { (v8().global_dispose)(handle as Handle) };
        }
    }
}

/// Removes the note for `promise`; returns whether there was one.
///
/// # Safety
/// As for `Note::release`; `promise` is a live handle.
unsafe fn forget(notes: &RefCell<Vec<Note>>, promise: Handle) -> bool {
    // SAFETY: noted promises are live persistent handles.
    let is_this = |slot: usize| unsafe { *(slot as Handle) as u32 == *promise as u32 };
    let index_of_note =
        notes.borrow().iter().position(|note| note.event == REJECTED_WITHOUT_HANDLER && is_this(note.promise));
    if let Some(index) = index_of_note {
        let note = notes.borrow_mut().remove(index);
        // SAFETY: guaranteed by the caller.
        unsafe { note.release() };
    }
    index_of_note.is_some()
}

/// V8's promise-reject callback.
pub unsafe extern "C" fn on_rejected(message: PromiseRejectMessage) {
    // SAFETY: V8 calls on the isolate's thread with live handles; the value is empty for some events.
    unsafe {
        let isolate: Isolate = (v8().isolate_current)();
        let inner = State::of(isolate).inner();
        let notes = &inner.rejections;
        let keep = |handle: Handle| if handle.is_null() { 0 } else { (v8().global_new)(isolate, *handle) as usize };
        match message.event {
            REJECTED_WITHOUT_HANDLER => {
                let context = (v8().async_context)(isolate);
                let has_context = *context as u32 != inner.roots.get().undefined as u32;
                let context = if has_context { keep(context) } else { 0 };
                let (promise, reason) = (keep(message.promise), keep(message.value));
                notes.borrow_mut().push(Note { event: message.event, promise, reason, context });
            }
            HANDLER_ADDED_AFTER_REJECTION if !forget(notes, message.promise) => {
                let promise = keep(message.promise);
                notes.borrow_mut().push(Note { event: message.event, promise, reason: 0, context: 0 });
            }
            _ => {} // handled before it was recorded, or settled twice, which JavaScript ignores
        }
    }
}

/// Never report a rejection of `promise`, not even one already noted.
pub fn mark_as_handled(scope: &Scope<'_>, promise: Local<'_>) {
    // SAFETY: the promise is live (the callers check); the scope proves the isolate current.
    unsafe {
        (v8().promise_mark_handled)(promise.handle());
        forget(&scope.state.inner().rejections, promise.handle());
    }
}

/// Implements `Engine.take_rejections`.
pub fn take_rejections(scope: &Scope<'_>, py: Python<'_>) -> PyResult<Vec<Rejection>> {
    let notes = taken_rejections(scope).unwrap_or_default();
    let yes = scope.boolean(true).word();
    notes
        .chunks_exact(4)
        .map(|note| {
            let python = |value| to_python(scope, py, value);
            Ok((note[0].word() == yes, object::wrap(scope, py, note[1])?, python(note[2])?, python(note[3])?))
        })
        .collect()
}

/// Takes a handle out of a note and releases it; None for an empty one.
fn take<'s>(scope: &Scope<'s>, slot: usize) -> Option<Local<'s>> {
    let handle = slot as Handle;
    // SAFETY: the handle is released once; its word moves to this scope first.
    (!handle.is_null()).then(|| unsafe {
        let value = scope.handle_for(*handle);
        (v8().global_dispose)(handle);
        value
    })
}

/// As `take_rejections`, as JavaScript values, four for each: whether it was handled later, the promise, its reason and
/// its asynchronous context, the last two undefined if there are none.
pub fn taken_rejections<'s>(scope: &Scope<'s>) -> Option<Vec<Local<'s>>> {
    let notes = std::mem::take(&mut *scope.state.inner().rejections.borrow_mut());
    if notes.is_empty() {
        return None;
    }
    let each = |note: Note| {
        let is_handled = scope.boolean(note.event == HANDLER_ADDED_AFTER_REJECTION);
        let some = |slot: usize| take(scope, slot).unwrap_or_else(|| scope.undefined());
        [is_handled, some(note.promise), some(note.reason), some(note.context)]
    };
    Some(notes.into_iter().flat_map(each).collect())
}

/// V8's message listener: an exception of a microtask that nothing caught.
pub unsafe extern "C" fn uncaught(message: Handle, value: Handle) {
    // SAFETY: as in `on_rejected`.
    unsafe {
        let isolate: Isolate = (v8().isolate_current)();
        let keep = |handle: Handle| if handle.is_null() { 0 } else { (v8().global_new)(isolate, *handle) as usize };
        let note = (keep(message), keep(value));
        State::of(isolate).inner().uncaught.borrow_mut().push(note);
    }
}

/// How many exceptions `uncaught` has reported that `take_uncaught` has not returned.
pub fn uncaught_count(scope: &Scope<'_>) -> usize {
    scope.state.inner().uncaught.borrow().len()
}

/// Removes the last of more than `count` reports: that of a verbose `TryCatch`, whose owner handles the exception.
pub fn forget_uncaught(scope: &Scope<'_>, count: usize) {
    if uncaught_count(scope) > count {
        let note = scope.state.inner().uncaught.borrow_mut().pop();
        if let Some((message, value)) = note {
            take(scope, message);
            take(scope, value);
        }
    }
}

/// Runs the queued microtasks, and those that they queue.
pub fn run_microtasks(scope: &Scope<'_>, py: Python<'_>) -> PyResult<()> {
    // SAFETY: the scope proves the isolate current.
    scope.work(py, || unsafe {
        (v8().run_microtasks)(scope.isolate);
        if scope.state.inner().depth.get() == 1 {
            (v8().clear_kept_objects)(scope.isolate); // what WeakRefs kept alive during this turn
        }
    })
}

/// As `take_uncaught`, as JavaScript values; needs no GIL.
pub fn take_uncaught_values<'s>(scope: &Scope<'s>) -> Vec<Local<'s>> {
    let notes = std::mem::take(&mut *scope.state.inner().uncaught.borrow_mut());
    let take = |(message, value)| {
        take(scope, message);
        take(scope, value).unwrap_or_else(|| scope.undefined())
    };
    notes.into_iter().map(take).collect()
}

/// Implements `Engine.take_uncaught`.
pub fn take_uncaught(scope: &Scope<'_>, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
    let notes = std::mem::take(&mut *scope.state.inner().uncaught.borrow_mut());
    let undefined = scope.state.inner().roots.get().undefined;
    notes
        .into_iter()
        .map(|(message, value)| {
            let (message, value) = (take(scope, message), take(scope, value));
            let value = value.unwrap_or_else(|| scope.handle_for(undefined));
            Ok(error::js_error(scope, py, value, message)?.into_value(py).into_any())
        })
        .collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<JsPromise>(module)?;
    class::<JsResolver>(module)
}
