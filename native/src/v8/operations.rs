//! Host functions that every program may ask for and that need no Python: exit, terminals, the working folder, parts of the
//! runtime that are not in the snapshot.
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::OnceLock;

use pyo3::exceptions::PySystemExit;

use super::function::{Call, HostOperation};
use super::library_code;

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("core_exit", exit),
    ("core_isTerminal", is_terminal),
    ("core_libraryModule", library_module),
    ("process_cwd", working_folder),
];

/// The parameters of each file of the runtime, as `rt_supervisor/engine_worker/start/bundle.py` has them.
const PARAMETERS: [&str; 4] = ["exports", "require", "module", "host"];
const PREFIX: &str = "rt:";

/// Where the files of the runtime lie, if this process knows it without Python.
static LIBRARY: OnceLock<PathBuf> = OnceLock::new();

pub fn set_library(folder: PathBuf) {
    let _ = LIBRARY.set(folder);
}

/// `core_exit(status)`: the program ends itself.
fn exit(call: &Call<'_>) -> bool {
    let status = call.integer(0) as i32;
    call.scope.state.inner().exiting.set(Some(status));
    call.end(PySystemExit::new_err(status));
    true
}

/// `core_isTerminal(descriptor)`
fn is_terminal(call: &Call<'_>) -> bool {
    // SAFETY: only asks.
    let is_one = unsafe { libc::isatty(call.integer(0) as i32) == 1 };
    call.answer(call.scope.boolean(is_one));
    true
}

/// `core_libraryModule(name)`: the body of a file of the runtime.
fn library_module(call: &Call<'_>) -> bool {
    let (Some(folder), Some(name)) = (LIBRARY.get(), call.utf8(0).and_then(|name| String::from_utf8(name).ok())) else {
        return false;
    };
    let Ok(source) = std::fs::read_to_string(folder.join(format!("{name}.js"))) else { return false };
    match library_code::function(&call.scope, &name, &source, &PARAMETERS, &format!("{PREFIX}{name}")) {
        Ok(function) => call.answer(function),
        Err(problem) => call.raise(problem),
    }
    true
}

/// `process_cwd()`
fn working_folder(call: &Call<'_>) -> bool {
    let Ok(folder) = std::env::current_dir() else { return false };
    let Some(text) = call.scope.text(folder.as_os_str().as_bytes()) else { return false };
    call.answer(text);
    true
}
