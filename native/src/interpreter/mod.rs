//! The interpreter, which need not be there yet: a program that asks nothing of Python runs without it (`program`).
//!
//! Whoever needs Python without being called by it enters through `attach`, which starts the interpreter where it is missing.
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

mod classes;

pub use classes::{class, register};

/// Whether this process has no interpreter so far.
static IS_MISSING: AtomicBool = AtomicBool::new(false);
static START: OnceLock<fn()> = OnceLock::new();
static LEAVE: OnceLock<fn(i32)> = OnceLock::new();

/// Run without the interpreter from now on, until `attach` calls `start`. `leave` ends the process with a status, out of the
/// middle of JavaScript.
pub fn do_without(start: fn(), leave: fn(i32)) {
    let _ = START.set(start);
    let _ = LEAVE.set(leave);
    IS_MISSING.store(true, Ordering::Relaxed);
}

/// The interpreter is there; who calls this has started it.
pub fn is_started() {
    IS_MISSING.store(false, Ordering::Relaxed);
}

pub fn is_missing() -> bool {
    IS_MISSING.load(Ordering::Relaxed)
}

/// End a process that has no interpreter so far; returns where it has one.
pub fn leave(status: i32) {
    if is_missing()
        && let Some(leave) = LEAVE.get()
    {
        leave(status);
    }
}

/// As `Python::attach`; starts the interpreter if need be.
pub fn attach<R>(work: impl FnOnce(Python<'_>) -> R) -> R {
    if is_missing()
        && let Some(start) = START.get()
    {
        tell_need("it is started");
        start();
    }
    Python::attach(work)
}

/// Where `RT_TELL_NEED` asks for it, say what a program that runs without Python needs it for.
pub fn tell_need(what: &str) {
    if std::env::var_os("RT_TELL_NEED").is_some_and(|value| !value.is_empty()) {
        eprintln!("note: Python is needed: {what}");
    }
}
