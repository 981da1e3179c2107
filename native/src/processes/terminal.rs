//! The modes of a terminal: saving and restoring them, also when a signal ends this process.
use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rt_guardian::terminal::{get, set};

static TERMINAL: AtomicI32 = AtomicI32::new(-1);
static MODES: AtomicPtr<libc::termios> = AtomicPtr::new(std::ptr::null_mut());

/// Restores the terminal of `keep_terminal`. Async-signal-safe.
pub fn restore_terminal() {
    let (terminal, modes) = (TERMINAL.load(Ordering::Acquire), MODES.load(Ordering::Acquire));
    if terminal >= 0 && !modes.is_null() {
        // SAFETY: `keep_terminal` leaked the modes.
        set(terminal, unsafe { &*modes });
    }
}

#[pyfunction]
fn keep_terminal(descriptor: c_int) -> PyResult<()> {
    let modes = Box::leak(Box::new(get(descriptor).map_err(PyOSError::new_err)?));
    MODES.store(modes, Ordering::Release);
    TERMINAL.store(descriptor, Ordering::Release);
    super::last_words::watch_ends().map_err(PyOSError::new_err)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(keep_terminal, module)?)
}
