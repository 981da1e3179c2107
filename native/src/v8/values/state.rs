//! The state of one engine: its isolate, its thread, and the tables that V8's callbacks use.
//!
//! Live references share the state with their engine. `Inner` belongs to the thread that created the engine, which
//! `inner` checks; other threads use the rest. Closing disposes of the isolate; references that outlive it raise
//! errors.
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::inner::{Closing, Inner};
use super::scope::{self, Scope};
use crate::v8::api::{Handle, Isolate, v8};

pub struct State {
    pub isolate: Isolate,
    context: AtomicUsize,
    owner: usize,
    open: AtomicBool,
    /// Persistent handles dropped on other threads, for the owner to release.
    dropped: Mutex<Vec<usize>>,
    has_dropped: AtomicBool,
    /// Set by the near-heap-limit callback, which may not run Python.
    pub heap_limit_reached: AtomicBool,
    /// Whether `Engine.terminate` was called and its effect has not been raised yet.
    pub is_terminated: AtomicBool,
    /// Whether a SIGINT may end the running evaluation: see `signals::breaks`.
    pub breaks: AtomicU8,
    /// Actions of other threads, to run while JavaScript is stopped.
    pub interrupts: Mutex<VecDeque<super::interrupt::Action>>,
    /// Held while another thread requests an interrupt, so that the isolate is not disposed of meanwhile.
    pub disposing: Mutex<()>,
    this: Weak<State>,
    inner: Inner,
}

// SAFETY: `inner` is used only on the owner's thread (checked); `isolate` is used only there or through functions that
// V8 allows on any thread (under `disposing`); the rest is atomic or locked.
unsafe impl Send for State {}
// SAFETY: as above.
unsafe impl Sync for State {}

thread_local! {
    static TOKEN: u8 = const { 0 };
    /// The engines of this thread, for V8's callbacks. They are few; `LAST` is the one looked up last.
    static ENGINES: RefCell<Vec<(Isolate, *const State)>> = const { RefCell::new(Vec::new()) };
    static LAST: Cell<(Isolate, *const State)> = const { Cell::new((std::ptr::null_mut(), std::ptr::null())) };
}

fn this_thread() -> usize {
    TOKEN.with(|token| token as *const u8 as usize)
}

impl State {
    /// Takes ownership of a fresh isolate; this thread becomes its owner.
    pub fn new(isolate: Isolate) -> Arc<State> {
        let state = Arc::new_cyclic(|this| State {
            isolate,
            context: AtomicUsize::new(0),
            owner: this_thread(),
            open: AtomicBool::new(true),
            dropped: Mutex::default(),
            has_dropped: AtomicBool::new(false),
            heap_limit_reached: AtomicBool::new(false),
            is_terminated: AtomicBool::new(false),
            breaks: AtomicU8::new(0),
            interrupts: Mutex::default(),
            disposing: Mutex::default(),
            this: this.clone(),
            inner: Inner::default(),
        });
        ENGINES.with_borrow_mut(|engines| engines.push((isolate, Arc::as_ptr(&state))));
        state
    }

    /// The state of the calling isolate.
    ///
    /// # Safety
    /// V8 is calling on this thread with `isolate`, so its state is alive during the call, `'a`.
    #[inline]
    pub unsafe fn of<'a>(isolate: Isolate) -> &'a State {
        // SAFETY: guaranteed by the caller.
        unsafe { State::find(isolate) }.expect("the isolate belongs to an engine of this thread")
    }

    /// The state of the calling isolate; None while V8 still makes it, or if it belongs to no engine of this thread.
    ///
    /// # Safety
    /// V8 is calling on this thread with `isolate`, so its state is alive during the call, `'a`.
    #[inline]
    pub unsafe fn find<'a>(isolate: Isolate) -> Option<&'a State> {
        let (last, state) = LAST.get();
        let state = if last == isolate {
            state
        } else {
            let found = ENGINES.with_borrow(|engines| engines.iter().find(|(known, _)| *known == isolate).copied())?;
            LAST.set(found);
            found.1
        };
        // SAFETY: `close` removes the entry before the state can be dropped.
        Some(unsafe { &*state })
    }

    pub fn share(&self) -> Arc<State> {
        self.this.upgrade().expect("a state in use is alive")
    }

    pub fn context(&self) -> Handle {
        self.context.load(Ordering::Relaxed) as Handle
    }

    /// Takes ownership of the context of the fresh isolate and enters it; the caller may exit it again.
    ///
    /// # Safety
    /// The isolate is current on this thread; `context` is a persistent handle to one of its contexts.
    pub unsafe fn begin(&self, context: Handle) {
        self.set_context(context);
        // SAFETY: guaranteed by the caller.
        unsafe { (v8().context_enter)(context) };
    }

    fn set_context(&self, global: Handle) {
        self.context.store(global as usize, Ordering::Relaxed);
    }

    pub fn is_owner(&self) -> bool {
        self.owner == this_thread()
    }

    pub fn is_open(&self) -> bool {
        self.open.load(Ordering::Acquire)
    }

    /// Returns whether compiled code cannot be cached: a debugger or a profiler may have instrumented it, and V8 refuses to
    /// while the heap is to be stored. To be called on the owner's thread.
    pub fn is_uncacheable(&self) -> bool {
        self.inner().is_inspected.get() || self.inner().globals.borrow().is_some()
    }

    /// The owner thread's part. Panics on other threads; call `check` first wherever another thread can call.
    #[inline]
    pub fn inner(&self) -> &Inner {
        assert!(self.is_owner(), "the engine belongs to another thread");
        &self.inner
    }

    /// Fails on the wrong thread, after `close`, and while JavaScript is interrupted.
    pub fn check(&self) -> PyResult<()> {
        self.check_interrupted()?;
        if self.inner.is_interrupted.get() {
            return Err(PyRuntimeError::new_err("JavaScript cannot run while it is interrupted"));
        }
        Ok(())
    }

    /// Like `check`, for operations that are allowed during an interrupt.
    pub fn check_interrupted(&self) -> PyResult<()> {
        if !self.is_owner() {
            return Err(PyRuntimeError::new_err("an engine is used on the thread that made it"));
        }
        if !self.is_open() {
            return Err(PyRuntimeError::new_err("the engine is closed"));
        }
        Ok(())
    }

    /// Calls `work`, in which JavaScript may run although it is interrupted: V8 allows that for the inspector.
    pub fn permit_interrupted<R>(&self, work: impl FnOnce() -> R) -> R {
        let was_interrupted = self.is_owner() && self.inner().is_interrupted.replace(false);
        let result = work();
        if was_interrupted {
            self.inner().is_interrupted.set(true);
        }
        result
    }

    /// As `enter`, also while JavaScript is interrupted.
    pub fn enter_interrupted<R>(&self, work: impl for<'s> FnOnce(&Scope<'s>) -> PyResult<R>) -> PyResult<R> {
        self.permit_interrupted(|| self.enter(work))
    }

    /// Calls `work` in a scope of this engine; fails as `check` does.
    #[inline]
    pub fn enter<R>(&self, work: impl for<'s> FnOnce(&Scope<'s>) -> PyResult<R>) -> PyResult<R> {
        self.check()?;
        self.sweep();
        // SAFETY: `check` proved the owner's thread and an open isolate, and `close` refuses while `depth` is not
        // zero; Python references keep the state aoutlive the call.
        unsafe { scope::open(self, work) }
    }

    /// The state that the room of `T` stores with this engine.
    pub fn slot<T: Default + 'static>(&self) -> std::rc::Rc<T> {
        self.inner().slots.get()
    }

    /// Calls `close` when the engine closes, while its isolate still exists.
    pub fn at_close(&self, step: Closing, close: fn(&State)) {
        self.inner().closers.borrow_mut().insert(step, close);
    }

    /// Drops `holder` at the next call across the border. The collector uses this, because dropping a Python object may
    /// run a finalizer, and thus JavaScript.
    pub fn let_go(&self, holder: impl std::any::Any) {
        self.inner().let_go.borrow_mut().push(Box::new(holder));
        self.has_dropped.store(true, Ordering::Release);
    }

    /// Releases values that other threads and the collector have dropped.
    #[inline]
    pub fn sweep(&self) {
        if self.has_dropped.load(Ordering::Acquire) {
            self.release_dropped();
        }
    }

    /// Releases a persistent handle, now or on the owner's next call.
    pub fn release(&self, handle: Handle) {
        if !self.is_open() {
            return; // it was released with the isolate
        }
        if self.is_owner() {
            self.inner().forget_global(handle);
            // SAFETY: the isolate is open and this is its thread; the caller owned the handle.
            unsafe { (v8().global_dispose)(handle) };
        } else {
            self.dropped.lock().unwrap_or_else(PoisonError::into_inner).push(handle as usize);
            self.has_dropped.store(true, Ordering::Release);
        }
    }

    fn release_dropped(&self) {
        self.has_dropped.store(false, Ordering::Release);
        let handles = std::mem::take(&mut *self.dropped.lock().unwrap_or_else(PoisonError::into_inner));
        for handle in handles {
            self.inner().forget_global(handle as Handle);
            // SAFETY: this is the owner's thread; each handle was added once, by its last owner.
            unsafe { (v8().global_dispose)(handle as Handle) };
        }
        drop(self.inner().let_go.take()); // last, and outside of its table, because finalizers run here
    }

    /// Releases every persistent handle of the tables, as a snapshot requires.
    pub fn release_everything(&self) {
        let inner = self.inner();
        self.release_dropped();
        let mut handles: Vec<usize> = inner.watches.take().into_values().map(|watch| watch.handle()).collect();
        for note in inner.rejections.take() {
            handles.extend(note.handles());
        }
        inner.promise_hooks.take();
        inner.lazy_maker.take();
        for (message, value) in inner.uncaught.take() {
            handles.extend([message, value]);
        }
        handles.extend([inner.prepare_stack_trace.take(), inner.exception_key.take()]);
        inner.slots.clear();
        // SAFETY: this is the owner's thread; each handle is removed from the only table that has it. The context was
        // entered when it was created.
        unsafe {
            for handle in handles.into_iter().filter(|handle| *handle != 0) {
                (v8().global_dispose)(handle as Handle);
            }
            let context = self.context();
            if !context.is_null() {
                (v8().context_exit)(context);
                (v8().global_dispose)(context);
                self.set_context(std::ptr::null_mut());
            }
        }
    }

    /// Gives up the isolate, which the caller disposes of.
    pub fn abandon(&self) {
        self.open.store(false, Ordering::Release);
        ENGINES.with_borrow_mut(|engines| engines.retain(|(isolate, _)| *isolate != self.isolate));
        LAST.set((std::ptr::null_mut(), std::ptr::null()));
    }

    /// Dispose of the isolate. Fails while its JavaScript is on the stack, and on other threads.
    pub fn close(&self, py: Python<'_>) -> PyResult<()> {
        if !self.is_open() {
            return Ok(());
        }
        self.check()?;
        if self.inner.depth.get() > 0 {
            return Err(PyRuntimeError::new_err("an engine cannot be closed while its JavaScript runs"));
        }
        // SAFETY: the call only reads which isolate is current.
        let is_current = unsafe { (v8().isolate_current)() } == self.isolate;
        if self.inner.is_resident.get() && !is_current {
            let text = "the thread's first engine cannot be closed while another's JavaScript runs";
            return Err(PyRuntimeError::new_err(text));
        }
        for close in self.inner.closers.take().into_values() {
            close(self);
        }
        {
            let _guard = self.disposing.lock().unwrap_or_else(PoisonError::into_inner);
            self.open.store(false, Ordering::Release);
            ENGINES.with_borrow_mut(|engines| engines.retain(|(isolate, _)| *isolate != self.isolate));
            LAST.set((std::ptr::null_mut(), std::ptr::null()));
            // SAFETY: no JavaScript is on the stack, this is the owner's thread, and nothing reaches the isolate:
            // `open` is false for references, `ENGINES` has no entry, and `disposing` is held against interrupts.
            unsafe {
                if is_current {
                    (v8().context_exit)(self.context());
                    (v8().isolate_exit)(self.isolate);
                }
                (v8().isolate_dispose)(self.isolate);
            }
        }
        let _ = py; // the Python objects in the tables are released here, under the GIL
        self.inner.let_everything_go();
        Ok(())
    }
}
