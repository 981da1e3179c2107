//! Terminations of JavaScript that V8 cannot propagate to the outermost call.
//!
//! When a module with a top-level await completes, a builtin of V8 (`AsyncModuleExecutionFulfilled`) runs the modules
//! that import it. If one of them fails, the builtin reads what it threw. A terminated module (by `process.exit`, at
//! the heap's limit, because its output was closed) threw nothing, and V8 aborts as for an internal error. Before that
//! it calls `failed`, which passes the exception of the outermost call to the hook. The hook ends the process; it
//! cannot return into JavaScript.
use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use crate::interpreter;

use crate::v8::api::{Isolate, v8};
use crate::v8::values::error::{JsHeapLimit, JsTerminated};
use crate::v8::values::state::State;

/// Makes V8 call `failed` before it aborts. Called once per process, after V8's start.
pub fn install() {
    // SAFETY: the function has V8's signature and lives as long as the process.
    unsafe { (v8().set_fatal_function)(failed as *mut std::ffi::c_void) };
}

/// V8's fatal function, called after a failed internal check. When it returns, V8 prints the check and aborts.
unsafe extern "C" fn failed(_file: *const c_char, _line: c_int, _message: *const c_char) {
    // SAFETY: the call only reads which isolate is current on this thread; there may be none.
    let isolate: Isolate = unsafe { (v8().isolate_current)() };
    if isolate.is_null() {
        return;
    }
    // SAFETY: the isolate is current on this thread, and the state of its engine outlives it.
    let Some(state) = (unsafe { State::find(isolate) }) else {
        return; // V8 is making it from a damaged or foreign snapshot
    };
    let is_heap = state.heap_limit_reached.load(Ordering::Relaxed);
    let inner = state.inner();
    // SAFETY: the isolate is current on this thread.
    let is_ending = is_heap || inner.is_terminating.get() || unsafe { (v8().is_terminating)(isolate) };
    if !is_ending {
        return; // an actual bug in V8
    }
    // A panic must not unwind through V8; its message has been printed.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        if let Some(status) = inner.exiting.get() {
            interpreter::leave(status);
        }
        interpreter::attach(|py| {
            let Some(hook) = inner.on_abandoned.borrow().as_ref().map(|hook| hook.clone_ref(py)) else { return };
            let error = inner.pending.take().unwrap_or_else(|| {
                if is_heap {
                    JsHeapLimit::new_err("JavaScript heap limit reached")
                } else {
                    JsTerminated::new_err("JavaScript was terminated")
                }
            });
            if let Err(problem) = hook.call1(py, (error.value(py),)) {
                problem.print(py);
            }
        });
    }));
}
