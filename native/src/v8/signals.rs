//! Signals while JavaScript runs: the main thread is in V8 then, where Python's handlers do not get to run.
//!
//! Python's own C handler writes each signal's number to its wakeup descriptor, whatever thread it arrives on. A
//! thread of rt's reads the other end, has V8 stop at its next safe point, where the Python handlers run
//! (`interrupt.rs`), and passes the byte on to the event loop. Nothing of V8 is called inside a signal handler.
use std::io::{PipeReader, PipeWriter, Read};
use std::os::fd::AsRawFd;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::engine::Engine;
use super::interrupt;
use super::state::State;

/// Watches for signals on behalf of one engine, in this process: after a fork the child makes its own.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct SignalWatch {
    writer: Mutex<Option<PipeWriter>>,
}

#[pymethods]
impl SignalWatch {
    #[new]
    #[pyo3(signature = (engine, forward_to=None))]
    fn new(engine: &Engine, forward_to: Option<i32>) -> PyResult<SignalWatch> {
        let (reader, writer) = std::io::pipe()?;
        set_nonblocking(&writer)?;
        let state = engine.share();
        let name = "signals".to_owned();
        let watch = move || watch(reader, &state, forward_to);
        // The thread must not be the one that a signal is delivered to, or it would interrupt nothing there.
        with_signals_blocked(|| std::thread::Builder::new().name(name).stack_size(64 * 1024).spawn(watch))?;
        Ok(SignalWatch { writer: Mutex::new(Some(writer)) })
    }

    /// The descriptor for `signal.set_wakeup_fd`.
    fn fileno(&self) -> PyResult<i32> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.as_ref().map(AsRawFd::as_raw_fd).ok_or_else(|| PyValueError::new_err("the watch is closed"))
    }

    /// End the watch. Take the wakeup descriptor away from Python first.
    fn close(&self) {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

fn watch(mut reader: PipeReader, state: &Arc<State>, forward_to: Option<i32>) {
    let mut bytes = [0u8; 64];
    loop {
        match reader.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => {
                interrupt::request(state, None);
                if let Some(descriptor) = forward_to {
                    // SAFETY: the bytes are valid; a descriptor that is gone or full is no harm, the loop is awake.
                    unsafe { libc::write(descriptor, bytes.as_ptr().cast(), count) };
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Python warns where a wakeup descriptor could block.
fn set_nonblocking(writer: &PipeWriter) -> std::io::Result<()> {
    // SAFETY: an open descriptor of our own.
    let result = unsafe { libc::fcntl(writer.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    if result == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

/// Call `work` with all signals blocked, so that a thread it starts blocks them for good.
fn with_signals_blocked<R>(work: impl FnOnce() -> R) -> R {
    // SAFETY: the sets are initialised before they are used, and the old mask is restored.
    unsafe {
        let (mut all, mut old) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut old);
        let result = work();
        libc::pthread_sigmask(libc::SIG_SETMASK, &old, std::ptr::null_mut());
        result
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SignalWatch>()
}
