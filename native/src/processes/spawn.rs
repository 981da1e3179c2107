//! Process primitives that Python's standard library lacks or implements too slowly.
//!
//! `spawn_child` starts a child of a program as the program requests (`rt_guardian::spawn`).
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use rt_guardian::spawn::{Extras, InvalidArguments, NO_GROUP, Order, StartError, c_strings};
use std::ffi::c_int;
use std::io::Error;

/// Starts a child of a program and returns its pid; see `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (programs, argv, environment, folder, descriptors, ignored, *, new_session, mark, user, group))]
#[allow(clippy::too_many_arguments)] // one flat call from Python
fn spawn_child(
    py: Python<'_>,
    programs: Vec<Vec<u8>>,
    argv: Vec<Vec<u8>>,
    environment: Vec<Vec<u8>>,
    folder: Vec<u8>,
    descriptors: Vec<c_int>,
    ignored: u64,
    new_session: bool,
    mark: Option<u64>,
    user: Option<libc::uid_t>,
    group: Option<libc::gid_t>,
) -> PyResult<libc::pid_t> {
    let extras = Extras {
        programs: c_strings(programs).map_err(value_error)?,
        direct: vec![],
        new_session,
        has_terminal: false,
        mark,
        user,
        group,
        is_child: true,
        trace: None,
    };
    let order =
        Order::new(argv, environment, folder, descriptors, NO_GROUP, ignored, extras, None).map_err(value_error)?;
    py.detach(|| order.start()).map(|started| started.pid).map_err(os_error)
}

pub(crate) fn value_error(wrong: InvalidArguments) -> PyErr {
    PyValueError::new_err(wrong.0)
}

pub(crate) fn os_error(error: StartError) -> PyErr {
    match error.path {
        Some(path) => PyOSError::new_err((error.errno, error.message, path)),
        None => PyOSError::new_err((error.errno, error.message)),
    }
}

/// Returns a descriptor that becomes readable when one of the blocked signals in `mask` arrives; see `_native.pyi`.
#[pyfunction]
fn signal_descriptor(mask: u64) -> PyResult<c_int> {
    // SAFETY: the set is initialised before use; signalfd only reads it and returns a new descriptor.
    let descriptor = unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        for signal in (1..64).filter(|signal| mask & (1 << signal) != 0) {
            libc::sigaddset(&mut set, signal);
        }
        libc::signalfd(-1, &set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK)
    };
    if descriptor < 0 { Err(PyOSError::new_err(Error::last_os_error())) } else { Ok(descriptor) }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(signal_descriptor, module)?)?;
    module.add_function(wrap_pyfunction!(spawn_child, module)?)
}
