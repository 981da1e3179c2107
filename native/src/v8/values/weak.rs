//! Weak handles whose action runs when their object is collected, and weak references for Python.
//!
//! Actions run inside the garbage collector: they may only change rt's tables, must not call V8, and must not drop
//! Python objects (`State::let_go`).
use pyo3::prelude::*;

use crate::interpreter::class;

use super::object::{self, JsObject};
use super::scope::{Local, Scope};
use super::state::State;
use crate::v8::api::layout::WeakCallbackInfo;
use crate::v8::api::{Handle, Raw, v8};

pub struct Watch {
    handle: usize,
    action: Box<dyn FnOnce(&State)>,
}

const BY_PARAMETER: i32 = 0;

impl Watch {
    pub fn handle(&self) -> usize {
        self.handle
    }
}

/// Calls `action` once `value` is collected; returns an id for `target` and `unwatch`.
pub fn watch(scope: &Scope<'_>, value: Local<'_>, action: impl FnOnce(&State) + 'static) -> u64 {
    let inner = scope.state.inner();
    let id = inner.next_watch.get() + 1;
    inner.next_watch.set(id);
    // SAFETY: the scope proves the isolate current; the callback has V8's signature; the parameter is a number.
    let handle = unsafe {
        let handle = (v8().global_new)(scope.isolate, value.word());
        (v8().global_make_weak)(handle, id as Raw, on_collected as Raw, BY_PARAMETER);
        handle
    };
    inner.watches.borrow_mut().insert(id, Watch { handle: handle as usize, action: Box::new(action) });
    id
}

/// The watched object; None once it is collected.
pub fn target<'s>(scope: &Scope<'s>, id: u64) -> Option<Local<'s>> {
    let handle = scope.state.inner().watches.borrow().get(&id).map(|watch| watch.handle)?;
    // SAFETY: a watched handle is live until `on_collected` removes the watch, and nothing collects here.
    Some(scope.handle_for(unsafe { *(handle as Handle) }))
}

/// Removes a watch; its action does not run.
pub fn unwatch(state: &State, id: u64) {
    let watch = state.inner().watches.borrow_mut().remove(&id);
    if let Some(watch) = watch {
        state.release(watch.handle as Handle);
    }
}

unsafe extern "C" fn on_collected(info: &WeakCallbackInfo) {
    // SAFETY: V8 passes a live isolate of this thread.
    let state = unsafe { State::of(info.isolate) };
    let watch = state.inner().watches.borrow_mut().remove(&(info.parameter as u64));
    if let Some(watch) = watch {
        // SAFETY: V8 requires the release in this call; only the watch owns the handle.
        unsafe { (v8().global_dispose)(watch.handle as Handle) };
        (watch.action)(state);
    }
}

/// A reference that does not keep its object alive. When the object is collected, `Engine.take_finalized` returns the
/// token of the reference.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct JsWeak {
    state: std::sync::Arc<State>,
    id: u64,
}

#[pymethods]
impl JsWeak {
    #[new]
    #[pyo3(signature = (target, token=None))]
    fn new(target: &Bound<'_, JsObject>, token: Option<Py<PyAny>>) -> PyResult<JsWeak> {
        target.get().0.enter(|scope, value| {
            let id = watch(scope, value, |state| {
                if let Some(token) = token {
                    state.inner().finalized.borrow_mut().push(token);
                }
            });
            Ok(JsWeak { state: scope.state.share(), id })
        })
    }

    /// The object; None once it is collected.
    fn get(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.state.enter(|scope| target(scope, self.id).map(|value| object::wrap(scope, py, value)).transpose())
    }

    /// Drops the reference: its token is never returned.
    fn cancel(&self) -> PyResult<()> {
        self.state.enter(|scope| {
            unwatch(scope.state, self.id);
            Ok(())
        })
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<JsWeak>(module)
}
