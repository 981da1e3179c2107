//! Terminations of JavaScript that V8 cannot carry to the outermost call.
//!
//! When a module with a top-level await is done, a builtin of V8 (`AsyncModuleExecutionFulfilled`) runs the modules
//! that import it. If one of them fails, the builtin asks what it threw. A module that was terminated (by
//! `process.exit`, at the heap's limit, because nobody reads its output) threw nothing, and V8 aborts as for a bug of
//! its own. Before it does, it calls `failed`, which gives the hook what the outermost call would have raised. The hook
//! ends the process; it cannot return into JavaScript.
use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use crate::interpreter;

use crate::v8::api::{Isolate, v8};
use crate::v8::values::error::{JsHeapLimit, JsTerminated};
use crate::v8::values::state::State;

/// Have V8 call `failed` before it aborts. Once in a process, after V8's start.
pub fn install() {
    // SAFETY: the function has the signature that V8 calls, and lives as long as the process.
    unsafe { (v8().set_fatal_function)(failed as *mut std::ffi::c_void) };
}

/// V8's fatal function: a check of its own has failed. When this returns, V8 prints the check and aborts.
unsafe extern "C" fn failed(_file: *const c_char, _line: c_int, _message: *const c_char) {
    // SAFETY: asks which isolate is current on this thread; there may be none.
    let isolate: Isolate = unsafe { (v8().isolate_current)() };
    if isolate.is_null() {
        return;
    }
    // SAFETY: every isolate of this process is ours, and its state lives as long as it does.
    let state = unsafe { State::of(isolate) };
    let is_heap = state.heap_limit_reached.load(Ordering::Relaxed);
    let inner = state.inner();
    // SAFETY: the isolate is current on this thread.
    let is_ending = is_heap || inner.is_terminating.get() || unsafe { (v8().is_terminating)(isolate) };
    if !is_ending {
        return; // a bug of V8's, indeed
    }
    // A panic must not unwind through V8; its message is on stderr already.
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
