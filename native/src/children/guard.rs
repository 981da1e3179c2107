//! Ensures that no process spawned by a program outlives it, whatever ends it, `kill -9` included.
//!
//! Every child except detached ones carries a mark that its descendants inherit (`rt_guardian::marked`), and that a
//! cleared environment, a new session or a second fork does not remove. The guardian starts with the first child, waits
//! for the program's end and then ends the marked processes. It is the launcher under another name
//! (`rt_guardian::child_guard`), or a Python process if no launcher started this process.
use std::cell::RefCell;
use std::ffi::OsString;
use std::fs::File;
use std::io::Error;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::sync::OnceLock;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rt_guardian::child_guard::{self, GRACE};
use rt_guardian::marked;
use rt_guardian::spawn::{Extras, NO_GROUP, Order, c_strings};

use crate::interpreter;
use crate::processes::notify_of_end;

/// Signals that the guardian ignores.
const SHIELD: u64 = 1 << libc::SIGHUP | 1 << libc::SIGINT | 1 << libc::SIGTERM;

/// The launcher that started this process.
static LAUNCHER: OnceLock<PathBuf> = OnceLock::new();

/// Uses the launcher at `path`, relative to the present working directory, to guard children.
pub fn is_guarded_by(path: &[u8]) {
    let path = PathBuf::from(OsString::from_vec(path.to_vec()));
    let _ = std::path::absolute(path).map(|path| LAUNCHER.set(path));
}

struct Guard {
    mark: u64,
    guardian: i32,
    /// The user of the guardian.
    user: libc::uid_t,
    writer: i32,
}

thread_local! {
    /// The guard of this thread's program, once it has started a child.
    static GUARD: RefCell<Option<Guard>> = const { RefCell::new(None) };
}

/// Starts the guardian, unless it is running; returns the mark of the program's children.
pub fn ensure() -> Result<u64, Error> {
    GUARD.with_borrow_mut(|guard| {
        if let Some(there) = guard {
            if is_running(there.guardian) {
                return Ok(there.mark);
            }
            // SAFETY: this process owns the descriptor, and the pipe has no reader any more.
            unsafe { libc::close(there.writer) };
        }
        let mark = guard.as_ref().map_or_else(marked::random_mark, |there| Ok(there.mark))?;
        let made = start(mark)?;
        *guard = Some(made);
        Ok(mark)
    })
}

fn start(mark: u64) -> Result<Guard, Error> {
    let null = File::options().read(true).write(true).open("/dev/null")?;
    let (reader, writer) = std::io::pipe()?;
    let (program, mut argv) = guardian()?;
    argv.extend([std::process::id().to_string().into_bytes(), mark.to_string().into_bytes()]);
    let invalid = |_| Error::from_raw_os_error(libc::EINVAL);
    let extras = Extras {
        programs: c_strings(vec![program]).map_err(invalid)?,
        new_session: true,
        mark: Some(libc::RLIM_INFINITY),
        is_child: true,
        ..Extras::default()
    };
    let descriptors = vec![reader.as_raw_fd(), null.as_raw_fd(), null.as_raw_fd()];
    let order = Order::new(argv, vec![], b"/".to_vec(), descriptors, NO_GROUP, SHIELD, extras, None);
    let started = order.map_err(invalid)?.start().map_err(|refusal| Error::from_raw_os_error(refusal.errno))?;
    let writer = writer.into_raw_fd();
    notify_of_end(writer)?;
    Ok(Guard { mark, guardian: started.pid, user: rustix::process::geteuid().as_raw(), writer })
}

/// The guardian's program, and its command line without pid and mark.
fn guardian() -> Result<(Vec<u8>, Vec<Vec<u8>>), Error> {
    if let Some(launcher) = LAUNCHER.get() {
        return Ok((launcher.clone().into_os_string().into_vec(), vec![child_guard::NAME.into()]));
    }
    let words = interpreter::attach(|py| {
        let module = py.import("rt_supervisor.engine_worker.program.child_guard")?;
        module.call_method0("words")?.extract::<(OsString, Vec<OsString>)>()
    });
    let (program, words) = words.map_err(|_| Error::from_raw_os_error(libc::ENOENT))?;
    Ok((program.into_vec(), words.into_iter().map(OsString::into_vec).collect()))
}

/// Ends the remaining children of this thread's program, which is over.
pub fn end() {
    let Some(guard) = GUARD.take() else { return }; // only detached children were started, if any
    // SAFETY: the calls take numbers only.
    unsafe {
        if libc::geteuid() != guard.user {
            return; // the program changed its user, so only its guardian may end all of them
        }
        child_guard::end_marked(guard.mark, GRACE, 0);
        if is_running(guard.guardian) {
            libc::kill(guard.guardian, libc::SIGKILL);
            libc::waitpid(guard.guardian, std::ptr::null_mut(), 0);
        }
    }
}

fn is_running(child: i32) -> bool {
    // SAFETY: the call reaps a child of this process if it has ended.
    unsafe { libc::waitpid(child, std::ptr::null_mut(), libc::WNOHANG) == 0 }
}

// --- Python functions; see `_native.pyi`.

#[pyfunction]
#[pyo3(name = "guard_children")]
fn ensure_for_python(py: Python<'_>) -> PyResult<(i32, u64)> {
    py.detach(ensure).map_err(PyOSError::new_err)?;
    Ok(GUARD.with_borrow(|guard| guard.as_ref().map_or((0, 0), |guard| (guard.guardian, guard.mark))))
}

#[pyfunction]
#[pyo3(name = "end_children")]
fn end_for_python(py: Python<'_>) {
    py.detach(end);
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(ensure_for_python, module)?)?;
    module.add_function(wrap_pyfunction!(end_for_python, module)?)
}
