//! The modes of a terminal: what they were, and putting them back, also when a signal ends this process.
use std::ffi::c_int;
use std::io::Error;
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rt_start::terminal::{get, set};

const SIZE: usize = size_of::<libc::termios>();

static TERMINAL: AtomicI32 = AtomicI32::new(-1);
static MODES: AtomicPtr<libc::termios> = AtomicPtr::new(std::ptr::null_mut());

/// Put the terminal of `keep_terminal` back. Safe in a signal handler.
pub fn put_back() {
    let (terminal, modes) = (TERMINAL.load(Ordering::Acquire), MODES.load(Ordering::Acquire));
    if terminal >= 0 && !modes.is_null() {
        // SAFETY: the modes were leaked by `keep_terminal`.
        set(terminal, unsafe { &*modes });
    }
}

#[pyfunction]
fn terminal_modes(py: Python<'_>, descriptor: c_int) -> PyResult<Py<PyBytes>> {
    let modes = get(descriptor).map_err(PyOSError::new_err)?;
    // SAFETY: the bytes of a plain structure that was zeroed before it was filled.
    let bytes = unsafe { std::slice::from_raw_parts((&raw const modes).cast::<u8>(), SIZE) };
    Ok(PyBytes::new(py, bytes).unbind())
}

#[pyfunction]
fn set_terminal_modes(descriptor: c_int, modes: &[u8]) -> PyResult<()> {
    if modes.len() != SIZE {
        return Err(PyValueError::new_err("these are no modes of a terminal"));
    }
    // SAFETY: any bytes are a termios; the system checks what it is given.
    let is_set = set(descriptor, &unsafe { modes.as_ptr().cast::<libc::termios>().read_unaligned() });
    if is_set { Ok(()) } else { Err(PyOSError::new_err(Error::last_os_error())) }
}

#[pyfunction]
fn keep_terminal(descriptor: c_int) -> PyResult<()> {
    let modes = Box::leak(Box::new(get(descriptor).map_err(PyOSError::new_err)?));
    MODES.store(modes, Ordering::Release);
    TERMINAL.store(descriptor, Ordering::Release);
    super::last_words::watch_ends()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(terminal_modes, module)?)?;
    module.add_function(wrap_pyfunction!(set_terminal_modes, module)?)?;
    module.add_function(wrap_pyfunction!(keep_terminal, module)?)
}
