//! Python taking over from a program that runs without it: the interpreter is started inside the process, and its half of
//! the program is made around the engine that is there.
//!
//! It is started as its own `main` would start it, with the same command line, and runs the first code of the same image.
use std::ffi::{CStr, c_char, c_int, c_void};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::kept;
use super::life::{Life, current};
use crate::event_loop::{Loop, ProgramOutput, Task};
use crate::inspecting::when_asked;
use crate::interpreter;
use crate::modules::{CodeKeepers, LoadedTexts, ModuleRecords, ModuleTable};
use crate::v8::{Engine, Global, JsModule, Local, ModuleData, Scope, interrupt, wrap};

const FAILED: i32 = 70; // EX_SOFTWARE of sysexits(3)

/// `PyConfig`, whose size differs between versions of the interpreter; it is larger than all of them.
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

/// Start the interpreter, and have it take the program of this thread over.
pub fn start() {
    let Some(life) = current() else { fail("Python is needed on a thread that cannot start it") };
    life.kept.note_need(kept::ONCE);
    initialise(&life);
    crate::system::catch_again();
    interpreter::is_started();
    let taken = Python::attach(|py| {
        let worker = begin(py, &life).inspect_err(|error| error.print(py))?;
        life.worker.replace(Some(worker));
        Ok::<(), PyErr>(())
    });
    // SAFETY: this thread holds the GIL since the interpreter was initialised; from now on who needs it takes it.
    unsafe { pyo3::ffi::PyEval_SaveThread() };
    if taken.is_err() {
        fail("Python could not take the program over");
    }
}

/// End the process: rt itself has failed.
pub fn fail(why: &str) -> ! {
    let text = format!("error: rt has failed, which is a bug in rt: {why}\n");
    // SAFETY: writes a text that lives through the call, and ends the process.
    unsafe {
        libc::write(2, text.as_ptr().cast(), text.len());
        libc::_exit(FAILED)
    }
}

fn initialise(life: &Life) {
    let mut config: Config = [0; 512];
    let place = config.as_mut_ptr().cast::<c_void>();
    // SAFETY: the memory is larger than the structure, which the first call fills and the last one empties; the words are the
    // process's own. No interpreter was started before, and this thread becomes its main thread.
    unsafe {
        PyConfig_InitPythonConfig(place);
        let set = PyConfig_SetBytesArgv(place, life.line.count as isize, life.line.words);
        let started = if set.kind == 0 { Py_InitializeFromConfig(place) } else { set };
        PyConfig_Clear(place);
        if started.kind != 0 {
            let message = if started.message.is_null() { c"" } else { CStr::from_ptr(started.message) };
            fail(&format!("Python could not be started: {}", message.to_string_lossy()));
        }
    }
}

/// Run the first code of the image, and make Python's half of the program.
fn begin(py: Python<'_>, life: &Rc<Life>) -> PyResult<Py<PyAny>> {
    let scope = PyDict::new(py);
    scope.set_item("image", life.kept.image.clone())?;
    py.run(
        cr#"
from marshal import loads
with open(image, "rb", 0) as file:
    code = loads(memoryview(file.read())[16:])
boot = {"__name__": "rt_image"}
exec(code, boot)
boot["_boot"](image)
from rt_supervisor.cli.run.adopted_program import adopt
"#,
        None,
        Some(&scope),
    )?;
    let adopt = scope.get_item("adopt")?.ok_or_else(|| PyRuntimeError::new_err("the image has no rt"))?;
    adopt.call1((begun(py, life)?,)).map(Bound::unbind)
}

/// What runs already, for Python's half of the program.
#[pyclass(frozen, get_all, module = "rt_supervisor._native")]
pub struct BegunProgram {
    engine: Py<Engine>,
    /// The runtime's object of functions that the host calls.
    entry: Py<PyAny>,
    #[pyo3(name = "loop")]
    event_loop: Py<Loop>,
    output: Py<ProgramOutput>,
    records: Py<ModuleRecords>,
    texts: Py<LoadedTexts>,
    table: Py<ModuleTable>,
    /// The path of the snapshot that the engine was made from.
    snapshot: String,
    /// The built-in modules that were imported: name, and the names of its exports.
    builtins: Py<PyList>,
    /// The files of CommonJS that were read.
    required: Vec<String>,
    keepers: Py<CodeKeepers>,
}

fn begun(py: Python<'_>, life: &Life) -> PyResult<BegunProgram> {
    // Nothing of JavaScript runs here: it may be stopped, and Python be needed for a debugger.
    let (entry, builtins) = life.state.enter_interrupted(|scope| {
        let named = |(name, exports): &(String, Global)| Ok((name.clone(), wrap(scope, py, exports.in_scope(scope)?)?));
        let builtins: Vec<_> = life.builtins.borrow().iter().map(named).collect::<PyResult<_>>()?;
        Ok((wrap(scope, py, life.entry.in_scope(scope)?)?, PyList::new(py, builtins)?.unbind()))
    })?;
    Ok(BegunProgram {
        entry,
        engine: Py::new(py, Engine::of(life.state.clone()))?,
        event_loop: Py::new(py, Loop::of(life.core.clone()))?,
        output: Py::new(py, ProgramOutput(life.output.clone()))?,
        records: Py::new(py, ModuleRecords(life.records.clone()))?,
        texts: Py::new(py, LoadedTexts(life.texts.clone()))?,
        table: Py::new(py, ModuleTable(life.table.clone()))?,
        snapshot: life.snapshot.clone(),
        builtins,
        required: life.required.borrow().iter().cloned().collect(),
        keepers: Py::new(py, CodeKeepers::of(life.state.clone(), life.table.keepers().clone()))?,
    })
}

/// Call a method of Python's half, which is made if need be.
fn ask<R>(work: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<R>) -> PyResult<R> {
    let life = current().ok_or_else(|| PyRuntimeError::new_err("no program runs on this thread"))?;
    interpreter::attach(|py| {
        let worker = life.worker.borrow().as_ref().map(|worker| worker.clone_ref(py));
        work(py, worker.ok_or_else(|| PyRuntimeError::new_err("Python is still being started"))?.bind(py))
    })
}

/// Have Python run the main module: it is not plain after all.
pub fn run_main() -> PyResult<()> {
    ask(|_, worker| worker.call_method0("run_adopted_main").map(|_| ()))
}

/// The module of CommonJS that has run and has getters which are read as they are asked for; `loaded` is what
/// `loadForImport` has returned.
pub fn module_of_loaded(scope: &Scope<'_>, name: &str, loaded: Local<'_>) -> PyResult<Arc<ModuleData>> {
    ask(|py, worker| {
        let module = worker.call_method1("module_of_loaded", (name, wrap(scope, py, loaded)?))?;
        Ok(module.cast::<JsModule>()?.get().data().clone())
    })
}

/// The module of CommonJS that has failed with `error`, and whose text has the exports `known`.
pub fn broken_module(name: &str, error: PyErr, known: &[String]) -> PyResult<Arc<ModuleData>> {
    ask(|py, worker| {
        let module = worker.call_method1("broken_module", (name, error.into_value(py), known.to_vec()))?;
        Ok(module.cast::<JsModule>()?.get().data().clone())
    })
}

/// Load a module for an import() whose `answer` waits (`begin` in js/node/module/import_answers.js).
pub fn load_import(scope: &Scope<'_>, specifier: &str, importer: &str, answer: Local<'_>) -> PyResult<()> {
    ask(|py, worker| worker.call_method1("load_import", (specifier, importer, wrap(scope, py, answer)?)).map(|_| ()))
}

/// Whether a module that Python has run waits for what will never come.
pub fn has_unsettled() -> PyResult<bool> {
    if interpreter::is_missing() {
        return Ok(false);
    }
    ask(|_, worker| worker.call_method0("has_unsettled")?.extract())
}

/// Warn of top-level awaits that nothing will settle, those of `module` and of what Python has run.
pub fn tell_unsettled(module: Option<Arc<ModuleData>>) -> PyResult<()> {
    ask(|_, worker| worker.call_method1("tell_unsettled", (module.map(JsModule::new),)).map(|_| ()))
}

/// End the program as Python ends one: its status.
pub fn end(outcome: PyResult<i32>) -> i32 {
    let ended = ask(|py, worker| {
        let (status, error) = match outcome {
            Ok(status) => (Some(status), None),
            Err(error) => (None, Some(error.into_value(py))),
        };
        worker.call_method1("end_adopted", (status, error))?.extract()
    });
    ended.unwrap_or_else(|error| {
        interpreter::attach(|py| error.print(py));
        FAILED
    })
}

// --- a debugger that is asked for with a signal

static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// Have SIGUSR1 make the program listen for a debugger, whatever it does at that moment.
pub fn heed_debug_signal(life: &Rc<Life>) -> PyResult<()> {
    life.core.waker()?;
    let (inbox, state) = (life.core.inbox.clone(), life.state.clone());
    let told = move || {
        IS_ASKED.store(true, Ordering::Release);
        inbox.send(Task::Native(Box::new(|_| {
            listen();
            Ok(())
        })));
        interrupt::request(&state, interrupt::Action::Native(listen));
        true
    };
    Ok(when_asked(Box::new(told))?)
}

/// Listen for a debugger, once for each signal.
fn listen() {
    if IS_ASKED.swap(false, Ordering::AcqRel) {
        let asked = ask(|_, worker| worker.call_method0("debug_soon").map(|_| ()));
        if let Err(error) = asked {
            interpreter::attach(|py| error.write_unraisable(py, None));
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::class::<BegunProgram>(module)
}
