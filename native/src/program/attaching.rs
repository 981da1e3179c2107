//! Attaches Python to a program that runs without it: starts the interpreter inside the process and creates the program's
//! provider.
//!
//! The interpreter starts as its own `main` would start it: with the same command line, from the same image.
use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::rc::Rc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::cached_program::CachedProgram;
use super::entrance::CommandLine;
use super::life::Life;
use super::python::Program;
use crate::interpreter;

const FAILED: i32 = 70; // EX_SOFTWARE of sysexits(3)

/// The bytes before the code in an image: the header of a compiled file.
const HEADER: usize = 16;

/// `PyConfig`, whose size differs between versions of the interpreter; this is larger than any of them.
type Config = [u64; 512];

#[repr(C)]
struct Status {
    kind: c_int,
    function: *const c_char,
    message: *const c_char,
    exit_code: c_int,
}

unsafe extern "C" {
    fn PyConfig_InitPythonConfig(config: *mut c_void);
    fn PyConfig_SetBytesArgv(config: *mut c_void, count: isize, words: *const *mut c_char) -> Status;
    fn PyConfig_Clear(config: *mut c_void);
    fn Py_InitializeFromConfig(config: *const c_void) -> Status;
}

/// A program that runs without Python, and the data needed to start the interpreter.
struct ProgramWithoutPython {
    life: Rc<Life>,
    cached: Rc<CachedProgram>,
    line: CommandLine,
}

thread_local! {
    static UNATTACHED: RefCell<Option<ProgramWithoutPython>> = const { RefCell::new(None) };
}

/// Makes the first call that needs Python attach it to `life`, the program of this thread.
pub fn attach_on_demand(life: Rc<Life>, cached: Rc<CachedProgram>, line: CommandLine) {
    UNATTACHED.set(Some(ProgramWithoutPython { life, cached, line }));
    interpreter::do_without(start, leave);
}

/// Ends the process from within JavaScript.
fn leave(status: i32) {
    UNATTACHED.with_borrow(|unattached| {
        if let Some(ProgramWithoutPython { life, .. }) = unattached {
            let _ = life.output.flush();
        }
    });
    crate::children::end_guarded();
    // SAFETY: ends the process.
    unsafe { libc::_exit(status) };
}

/// Starts the interpreter, and creates the provider of this thread's program.
fn start() {
    let Some(ProgramWithoutPython { life, cached, line }) = UNATTACHED.take() else {
        fail("Python is needed on a thread that cannot start it")
    };
    cached.note_need();
    initialise(line);
    crate::system::reinstall_handlers();
    interpreter::is_started();
    let attached = Python::attach(|py| {
        let provider = make_provider(py, &life, &cached).inspect_err(|error| error.print(py))?;
        life.provider.replace(Some(provider));
        Ok::<(), PyErr>(())
    });
    // SAFETY: this thread has held the GIL since the interpreter was initialised; from now on every use acquires it.
    unsafe { pyo3::ffi::PyEval_SaveThread() };
    if attached.is_err() {
        fail("Python could not be attached to the program");
    }
}

/// Ends the process because rt itself has failed.
pub fn fail(why: &str) -> ! {
    let text = format!("error: rt has failed, which is a bug in rt: {why}\n");
    // SAFETY: `text` outlives the write; then the process ends.
    unsafe {
        libc::write(2, text.as_ptr().cast(), text.len());
        libc::_exit(FAILED)
    }
}

/// Like `fail`, for an error that could not be reported.
pub fn fail_with(error: PyErr) -> i32 {
    interpreter::attach(|py| error.print(py));
    FAILED
}

fn initialise(line: CommandLine) {
    let mut config: Config = [0; 512];
    let place = config.as_mut_ptr().cast::<c_void>();
    // SAFETY: the memory is larger than the structure, which the first call fills and the last one clears; the words are those
    // of the process. No interpreter was started before, and this thread becomes its main thread.
    unsafe {
        PyConfig_InitPythonConfig(place);
        let set = PyConfig_SetBytesArgv(place, line.count as isize, line.words);
        let started = if set.kind == 0 { Py_InitializeFromConfig(place) } else { set };
        PyConfig_Clear(place);
        if started.kind != 0 {
            let message = if started.message.is_null() { c"" } else { CStr::from_ptr(started.message) };
            fail(&format!("Python could not be started: {}", message.to_string_lossy()));
        }
    }
}

/// Makes the modules of the image importable, and creates the program's provider.
fn make_provider(py: Python<'_>, life: &Rc<Life>, cached: &CachedProgram) -> PyResult<Py<PyAny>> {
    let image = std::fs::read(&cached.image)?;
    let code =
        py.import("marshal")?.call_method1("loads", (PyBytes::new(py, image.get(HEADER..).unwrap_or_default()),))?;
    let names = PyDict::new(py);
    names.set_item("__name__", "rt_image")?;
    py.import("builtins")?.call_method1("exec", (code, &names))?;
    names.as_any().get_item("_boot")?.call1((&cached.image,))?;
    let entry = py.import("rt_supervisor.cli.run.attached_program")?;
    entry.call_method1("attach", (Program::of(life),)).map(Bound::unbind)
}
