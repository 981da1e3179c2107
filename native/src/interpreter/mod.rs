//! The Python interpreter, which may not be started yet: a program that needs nothing of Python runs without it (`program`).
//!
//! Native code that was not called by Python enters it through `attach`, which starts a missing interpreter first.
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

mod classes;
#[cfg(feature = "debug_logs")]
pub mod debug_logs;
#[cfg(feature = "planted_errors")]
pub mod planted_errors;

pub use classes::{class, register};

/// This process has no interpreter so far.
static IS_MISSING: AtomicBool = AtomicBool::new(false);
static START: OnceLock<fn()> = OnceLock::new();
static LEAVE: OnceLock<fn(i32)> = OnceLock::new();

/// Runs without the interpreter until `attach` calls `start`. `leave` ends the process with a status, from inside JavaScript.
pub fn do_without(start: fn(), leave: fn(i32)) {
    let _ = START.set(start);
    let _ = LEAVE.set(leave);
    IS_MISSING.store(true, Ordering::Relaxed);
}

/// Record that the interpreter was started.
pub fn is_started() {
    IS_MISSING.store(false, Ordering::Relaxed);
}

pub fn is_missing() -> bool {
    IS_MISSING.load(Ordering::Relaxed)
}

/// Ends a process without an interpreter; returns if there is one.
pub fn leave(status: i32) {
    if is_missing()
        && let Some(leave) = LEAVE.get()
    {
        leave(status);
    }
}

/// As `Python::attach`; starts a missing interpreter.
pub fn attach<R>(work: impl FnOnce(Python<'_>) -> R) -> R {
    if is_missing()
        && let Some(start) = START.get()
    {
        start();
    }
    Python::attach(work)
}
