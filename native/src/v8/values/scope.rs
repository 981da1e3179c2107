//! Scopes as values: a `Local` borrows the `Scope` that keeps its slot alive, so no handle outlives its scope.
//!
//! A `Scope` exists only while its isolate is current on the owner's thread and a handle scope is open. Calls into V8
//! that require only this and live handles are therefore safe through it. Calls from Python run JavaScript through
//! `javascript` and the functions built on it: without the GIL, under a `TryCatch`, with a `PyResult` as outcome.
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::interpreter;

use super::error;
use super::state::State;
use crate::v8::api::layout::{HANDLE_SCOPE_DATA, HandleScopeData, TRY_CATCH_WORDS};
use crate::v8::api::{Api, Handle, Isolate, Raw, v8};

/// A live handle: valid while the scope it borrows from is open.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Local<'s>(NonNull<usize>, PhantomData<&'s Cell<()>>);

impl<'s> Local<'s> {
    /// # Safety
    /// `handle` is null or a slot that stays valid for `'s`.
    #[inline]
    pub unsafe fn new(handle: Handle) -> Option<Local<'s>> {
        NonNull::new(handle).map(|slot| Local(slot, PhantomData))
    }

    #[inline]
    pub fn handle(self) -> Handle {
        self.0.as_ptr()
    }

    /// The tagged word in the slot: equal words are the same object, until the next garbage collection.
    #[inline]
    pub fn word(self) -> usize {
        // SAFETY: the slot is valid for 's.
        unsafe { *self.0.as_ptr() }
    }

    pub fn is(self, other: Local<'_>) -> bool {
        self.word() as u32 == other.word() as u32
    }
}

/// `v8::HandleScope`, whose constructor and destructor exist only inlined in the headers.
pub struct HandleScope {
    isolate: Isolate,
    next: Handle,
    limit: Handle,
}

impl HandleScope {
    /// # Safety
    /// `isolate` is live and current on this thread; scopes close in the reverse order of opening.
    pub unsafe fn open(isolate: Isolate) -> HandleScope {
        // SAFETY: the isolate is live, and its layout was checked at start.
        let data = unsafe { &mut *HandleScope::data(isolate) };
        data.level += 1;
        HandleScope { isolate, next: data.next, limit: data.limit }
    }

    pub unsafe fn data(isolate: Isolate) -> *mut HandleScopeData {
        // SAFETY: the offset lies inside the isolate.
        unsafe { isolate.byte_add(HANDLE_SCOPE_DATA) as *mut HandleScopeData }
    }
}

impl Drop for HandleScope {
    fn drop(&mut self) {
        // SAFETY: the guarantees of `open` still hold; this repeats the headers' destructor.
        unsafe {
            let data = &mut *HandleScope::data(self.isolate);
            data.next = self.next;
            data.level -= 1;
            if data.limit != self.limit {
                data.limit = self.limit;
                (v8().scope_delete_extensions)(self as *mut _ as Raw, self.isolate);
            }
        }
    }
}

/// Proof that `isolate` is current on this thread and that a handle scope is open for `'s`.
pub struct Scope<'s> {
    pub isolate: Isolate,
    pub context: Local<'s>,
    pub state: &'s State,
}

/// Makes the isolate of `state` current, opens a handle scope and calls `work` with it.
///
/// # Safety
/// The caller is on the owner's thread, and the isolate is not disposed of before this returns.
pub unsafe fn open<R>(state: &State, work: impl for<'s> FnOnce(&Scope<'s>) -> R) -> R {
    struct Leave(Isolate, Handle);
    impl Drop for Leave {
        fn drop(&mut self) {
            // SAFETY: undoes the two calls below, in reverse order.
            unsafe {
                (v8().context_exit)(self.1);
                (v8().isolate_exit)(self.0);
            }
        }
    }
    let isolate = state.isolate;
    // SAFETY: a state exists, so the library is loaded.
    let entered = unsafe { (v8().isolate_current)() } != isolate;
    let context = state.context();
    let _leave = entered.then(|| {
        // SAFETY: the isolate is live and this is its owner's thread; `Leave` undoes it.
        unsafe { (v8().isolate_enter)(isolate) };
        Leave(isolate, context)
    });
    // SAFETY: the isolate is current now, and the scope is dropped before it is left.
    let _handles = unsafe { HandleScope::open(isolate) };
    if entered {
        // SAFETY: the context is a live global handle; `Leave` exits it.
        unsafe { (v8().context_enter)(context) };
    }
    // SAFETY: the context's global handle lives as long as the isolate.
    let context = unsafe { Local::new(context) }.expect("an open engine has a context");
    work(&Scope { isolate, context, state })
}

/// Calls `work` in a handle scope of a fresh isolate that has no context yet.
///
/// # Safety
/// `isolate` is current on this thread.
pub unsafe fn bare<R>(isolate: Isolate, work: impl FnOnce() -> R) -> R {
    // SAFETY: guaranteed by the caller.
    let _handles = unsafe { HandleScope::open(isolate) };
    work()
}

impl<'s> Scope<'s> {
    /// The scope that V8 has opened for a callback.
    ///
    /// # Safety
    /// V8 is calling: `isolate` is current, a handle scope is open for `'s`, and `state` is its state.
    pub unsafe fn in_callback(isolate: Isolate, state: &'s State) -> Scope<'s> {
        // SAFETY: the context's global handle lives as long as the isolate.
        let context = unsafe { Local::new(state.context()) }.expect("an open engine has a context");
        Scope { isolate, context, state }
    }

    /// The functions of V8, for calls that need a current isolate and an open scope.
    #[inline]
    pub fn v8(&self) -> &'static Api {
        v8()
    }

    /// A handle that V8 has just returned in the innermost open scope.
    ///
    /// # Safety
    /// `handle` is null or was returned by V8 under this scope.
    #[inline]
    pub unsafe fn local(&self, handle: Handle) -> Option<Local<'s>> {
        // SAFETY: as the caller guarantees, the slot lives until this scope closes.
        unsafe { Local::new(handle) }
    }

    /// A new handle of this scope for the object of a tagged word that was just read from a live slot.
    #[inline]
    pub fn handle_for(&self, word: usize) -> Local<'s> {
        // SAFETY: this repeats the headers' `HandleScope::CreateHandle`; the layout was checked.
        unsafe {
            let data = HandleScope::data(self.isolate);
            let mut slot = (*data).next;
            if slot == (*data).limit {
                slot = (v8().scope_extend)(self.isolate);
            }
            (*data).next = slot.add(1);
            *slot = word;
            Local(NonNull::new_unchecked(slot), PhantomData)
        }
    }

    /// Calls `work` in a nested handle scope, so that loops do not accumulate handles.
    pub fn nested<R>(&self, work: impl for<'n> FnOnce(&Scope<'n>) -> R) -> R {
        // SAFETY: this scope proves the isolate current; the inner one closes first.
        let _handles = unsafe { HandleScope::open(self.isolate) };
        work(&Scope { isolate: self.isolate, context: self.context, state: self.state })
    }

    /// Runs `work`, which may execute JavaScript, without the GIL. `None` means that V8 has an exception or is
    /// terminating, which becomes the Python exception that it stands for.
    pub fn javascript<T>(&self, py: Python<'_>, work: impl FnOnce() -> Option<T>) -> PyResult<T> {
        self.caught(|| without_gil(py, work))
    }

    /// As `javascript`, for a thread that does not hold the GIL.
    pub fn evaluate_detached(&self, work: impl FnOnce() -> Handle) -> PyResult<Local<'s>> {
        // SAFETY: V8 returned the handle under this scope.
        self.caught(|| unsafe { self.local(work()) })
    }

    /// As `javascript`, for a thread that does not hold the GIL.
    pub fn javascript_detached<T>(&self, work: impl FnOnce() -> Option<T>) -> PyResult<T> {
        self.caught(work)
    }

    /// The result of `work`, or None. The exception is dropped, so Python is not needed to hold it.
    pub fn attempt(&self, work: impl FnOnce() -> Handle) -> Option<Local<'s>> {
        let mut words = [0; TRY_CATCH_WORDS];
        let _catcher = TryCatch::open(self, &mut words);
        // SAFETY: V8 returned the handle under this scope.
        unsafe { self.local(work()) }
    }

    fn caught<T>(&self, work: impl FnOnce() -> Option<T>) -> PyResult<T> {
        let mut words = [0; TRY_CATCH_WORDS];
        let catcher = TryCatch::open(self, &mut words);
        let depth = &self.state.inner().depth;
        depth.set(depth.get() + 1);
        let outcome = work();
        depth.set(depth.get() - 1);
        match outcome {
            Some(value) => Ok(value),
            None => Err(error::exited(self, &catcher)
                .unwrap_or_else(|| interpreter::attach(|py| error::caught(self, py, &catcher)))),
        }
    }

    /// As `javascript`, for work whose result does not show a termination.
    pub fn work<T>(&self, py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
        without_gil(py, || self.work_detached(work))
    }

    /// As `work`, for a thread that does not hold the GIL.
    pub fn work_detached<T>(&self, work: impl FnOnce() -> T) -> PyResult<T> {
        let inner = self.state.inner();
        self.caught(|| {
            let result = work();
            // SAFETY: the scope proves the isolate current.
            let is_terminating = inner.is_terminating.get() || unsafe { (v8().is_terminating)(self.isolate) };
            (!is_terminating).then_some(result)
        })
    }

    /// As `javascript`, for work that returns a handle.
    pub fn evaluate(&self, py: Python<'_>, work: impl FnOnce() -> Handle) -> PyResult<Local<'s>> {
        // SAFETY: V8 returned the handle under this scope.
        self.javascript(py, || unsafe { self.local(work()) })
    }
}

/// The scope of a callback that receives no isolate.
///
/// # Safety
/// V8 is calling on this thread.
pub unsafe fn calling<'s>() -> Scope<'s> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let isolate: Isolate = (v8().isolate_current)();
        Scope::in_callback(isolate, State::of(isolate))
    }
}

/// Runs `work` on this thread with the GIL released.
pub fn without_gil<T>(py: Python<'_>, work: impl FnOnce() -> T) -> T {
    struct SameThread<T>(T);
    // SAFETY: `Python::detach` requires Send so that no Python object is used without the GIL; it calls the closure on
    // this same thread. The closures passed to this function use V8 only.
    unsafe impl<T> Send for SameThread<T> {}
    impl<T> SameThread<T> {
        fn open(self) -> T {
            self.0
        }
    }
    let work = SameThread(work);
    py.detach(move || SameThread((work.open())())).open()
}

/// `v8::TryCatch`: the innermost one receives what JavaScript throws. V8 stores its address, so the words are borrowed
/// and stay in place on their owner's frame.
pub struct TryCatch<'w, 's> {
    words: &'w mut [usize; TRY_CATCH_WORDS],
    scope: PhantomData<&'s ()>,
}

impl<'w, 's> TryCatch<'w, 's> {
    pub fn open(scope: &Scope<'s>, words: &'w mut [usize; TRY_CATCH_WORDS]) -> TryCatch<'w, 's> {
        // SAFETY: the memory is large enough and borrowed until the destructor; the scope proves the isolate current.
        unsafe { (v8().try_catch)(words.as_mut_ptr() as Raw, scope.isolate) };
        TryCatch { words, scope: PhantomData }
    }

    fn pointer(&self) -> Raw {
        self.words.as_ptr() as Raw
    }

    /// Makes the debugger regard what is caught here as uncaught; V8 also passes it to the message listeners.
    pub fn stay_verbose(&self) {
        // SAFETY: the object is constructed.
        unsafe { (v8().try_catch_set_verbose)(self.pointer(), true) };
    }

    pub fn has_terminated(&self) -> bool {
        // SAFETY: the object is constructed.
        unsafe { (v8().try_catch_has_terminated)(self.pointer()) }
    }

    /// Throws the exception again once this catcher is dropped.
    pub fn rethrow(&self) {
        // SAFETY: the object is constructed.
        unsafe { (v8().try_catch_rethrow)(self.pointer()) };
    }

    pub fn exception(&self) -> Option<Local<'s>> {
        // SAFETY: the object is constructed; the handle lies in the open scope 's.
        unsafe { Local::new((v8().try_catch_exception)(self.pointer())) }
    }

    pub fn message(&self) -> Option<Local<'s>> {
        // SAFETY: as for `exception`.
        unsafe { Local::new((v8().try_catch_message)(self.pointer())) }
    }
}

impl Drop for TryCatch<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: constructed once, destroyed once.
        unsafe { (v8().try_catch_end)(self.pointer()) }
    }
}

/// A persistent handle. If it is dropped on another thread, the owner's thread releases it later (`State::release`).
pub struct Global {
    state: std::sync::Arc<State>,
    handle: Handle,
}

// SAFETY: the word is used only through a scope, which proves the owner's thread; a drop on another thread adds it to a
// list.
unsafe impl Send for Global {}
// SAFETY: as above.
unsafe impl Sync for Global {}

impl Global {
    pub fn new(scope: &Scope<'_>, value: Local<'_>) -> Global {
        // SAFETY: the scope proves the isolate current, and the word is that of a live handle.
        let handle = unsafe { (v8().global_new)(scope.isolate, value.word()) };
        scope.state.inner().note_global(handle);
        Global { state: scope.state.share(), handle }
    }

    pub fn state(&self) -> &std::sync::Arc<State> {
        &self.state
    }

    /// The object, in a scope of the same engine.
    pub fn in_scope<'s>(&self, scope: &Scope<'s>) -> PyResult<Local<'s>> {
        if !std::ptr::eq(&*self.state, scope.state) {
            return Err(PyValueError::new_err("the JavaScript value belongs to another engine"));
        }
        // SAFETY: the slot is live while `self` is, and nothing collects between reading it and creating the handle.
        Ok(scope.handle_for(unsafe { *self.handle }))
    }

    /// Opens a scope of the value's engine with the value in it.
    pub fn enter<R>(&self, work: impl for<'s> FnOnce(&Scope<'s>, Local<'s>) -> PyResult<R>) -> PyResult<R> {
        self.state.enter(|scope| work(scope, self.in_scope(scope)?))
    }
}

impl Drop for Global {
    fn drop(&mut self) {
        self.state.release(self.handle);
    }
}

pub const NO_HANDLE: Handle = null_mut();
