//! Stopping JavaScript from outside: termination, interrupts, the heap's limit, the stack's limit.
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{OnceLock, PoisonError};

use pyo3::ffi;
use pyo3::prelude::*;

use crate::interpreter;

use super::scope::Scope;
use super::state::State;
use crate::v8::api::allocator;
use crate::v8::api::layout::OomDetails;
use crate::v8::api::{Isolate, Raw, v8};

/// Reserved below JavaScript's stack for callbacks into Rust and Python and for V8's C++.
const STACK_RESERVE: usize = 512 * 1024;
/// The largest stack for JavaScript, even if the thread's stack is unlimited.
const STACK_MAXIMUM: usize = 7 * 1024 * 1024;

/// Writes a report before the process ends by a fatal error. `heap::fatal_report` sets it.
pub static FATAL_REPORT: OnceLock<fn(&str)> = OnceLock::new();

pub fn install(scope: &Scope<'_>) {
    // SAFETY: the scope proves the isolate current; the limit lies in this thread's stack; the callback has V8's
    // signature, and its data, the state, outlives the isolate.
    unsafe {
        if let Some(limit) = stack_limit() {
            (v8().set_stack_limit)(scope.isolate, limit);
        }
        (v8().set_oom_handler)(scope.isolate, out_of_memory as Raw);
        (v8().add_near_heap_limit)(scope.isolate, near_heap_limit as Raw, scope.state as *const State as Raw);
    }
}

/// The lowest address that JavaScript's stack may reach on this thread.
fn stack_limit() -> Option<usize> {
    // SAFETY: the first call initialises the attributes and the last one destroys them; the others only read them.
    let (low, size) = unsafe {
        let mut attributes = std::mem::zeroed::<libc::pthread_attr_t>();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return None;
        }
        let (mut low, mut size) = (std::ptr::null_mut(), 0);
        libc::pthread_attr_getstack(&attributes, &mut low, &mut size);
        libc::pthread_attr_destroy(&mut attributes);
        (low as usize, size)
    };
    let top = low + size;
    let marker = stack_marker();
    if marker < low || marker >= top {
        return None;
    }
    let limit = (low + STACK_RESERVE).max(marker.saturating_sub(STACK_MAXIMUM));
    (limit < marker).then_some(limit)
}

/// An address on the stack, just below the frame of the caller.
#[inline(never)]
fn stack_marker() -> usize {
    let marker = 0u8;
    std::hint::black_box(&raw const marker) as usize
}

pub fn terminate(state: &State) {
    let _guard = state.disposing.lock().unwrap_or_else(PoisonError::into_inner);
    if state.is_open() {
        // SAFETY: V8 allows this on any thread; the lock keeps the isolate from being disposed of.
        unsafe { (v8().terminate)(state.isolate) };
    }
}

/// An action to run while JavaScript is stopped.
pub enum Action {
    Python(Py<PyAny>),
    Native(fn(&State)),
}

/// Stops JavaScript at its next safe point for `action`.
pub fn request(state: &State, action: Action) {
    let _guard = state.disposing.lock().unwrap_or_else(PoisonError::into_inner);
    if !state.is_open() {
        return;
    }
    state.interrupts.lock().unwrap_or_else(PoisonError::into_inner).push_back(action);
    // SAFETY: V8 allows this on any thread; the lock keeps the isolate from being disposed of.
    unsafe { (v8().request_interrupt)(state.isolate, on_interrupt as Raw, std::ptr::null_mut()) };
}

/// V8's interrupt callback: JavaScript is on the stack and may not run. An exception terminates it.
unsafe extern "C" fn on_interrupt(isolate: Isolate, _data: Raw) {
    // SAFETY: V8 calls on the isolate's thread.
    let state = unsafe { State::of(isolate) };
    let was_interrupted = state.inner().is_interrupted.replace(true);
    // A panic must not unwind through V8; its message has been printed.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        if let Err(error) = run_interrupts(state) {
            let inner = state.inner();
            if !inner.is_terminating.replace(true) {
                inner.pending.replace(Some(error));
            }
            // SAFETY: V8 passes the isolate that is current on this thread.
            unsafe { (v8().terminate)(isolate) };
        }
    }));
    state.inner().is_interrupted.set(was_interrupted);
}

fn run_interrupts(state: &State) -> PyResult<()> {
    loop {
        let action = state.interrupts.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        match action {
            None => break,
            Some(Action::Native(action)) => action(state),
            Some(Action::Python(action)) => interpreter::attach(|py| action.call0(py).map(|_| ()))?,
        }
    }
    if interpreter::is_missing() {
        return Ok(()); // no handler is installed
    }
    interpreter::attach(|py| {
        // SAFETY: attached to Python; runs the handlers of pending signals if this is the main thread.
        if unsafe { ffi::PyErr_CheckSignals() } != 0 { Err(PyErr::fetch(py)) } else { Ok(()) }
    })
}

/// V8's near-heap-limit callback: terminates JavaScript, and raises the limit far enough to unwind.
unsafe extern "C" fn near_heap_limit(data: Raw, current: usize, initial: usize) -> usize {
    if allocator::take_refusal() {
        return current; // a buffer allocation failed; JavaScript gets a RangeError
    }
    // SAFETY: `install` passed the state, which outlives its isolate.
    let state = unsafe { &*(data as *const State) };
    if let Some(limit) = state.inner().near_heap_limit.get().and_then(|hook| hook(state, current)) {
        return limit;
    }
    state.heap_limit_reached.store(true, Ordering::Relaxed);
    // SAFETY: V8 passes the isolate that is current on this thread.
    unsafe { (v8().terminate)(state.isolate) };
    current + (initial / 4).max(64 << 20)
}

/// V8's out-of-memory handler: even the raised limit was too low, as a single huge allocation cannot be interrupted.
unsafe extern "C" fn out_of_memory(_location: *const std::ffi::c_char, _details: &OomDetails) {
    const MESSAGE: &[u8] = b"error: JavaScript ran out of memory\n";
    // SAFETY: writes a constant to stderr and ends the process, as V8 requires of this handler.
    unsafe {
        libc::write(2, MESSAGE.as_ptr().cast(), MESSAGE.len());
        if let Some(report) = FATAL_REPORT.get() {
            report("JavaScript ran out of memory");
        }
        libc::abort();
    }
}
