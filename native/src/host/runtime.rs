//! Host functions for every program that need no Python: exit, terminals, the working directory, the runtime's files
//! outside the snapshot.
use std::os::unix::ffi::OsStrExt;

use pyo3::exceptions::PySystemExit;

use crate::event_loop::borrowed;
use crate::v8::library_code;
use crate::v8::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("core_exit", exit),
    ("core_isTerminal", is_terminal),
    ("core_libraryModule", library_module),
    ("process_cwd", working_folder),
];

/// `core_exit(status)`: ends the program.
fn exit(call: &Call<'_>) -> bool {
    let status = call.integer(0) as i32;
    call.scope.state.inner().exiting.set(Some(status));
    call.end(PySystemExit::new_err(status));
    true
}

/// `core_isTerminal(descriptor)`
fn is_terminal(call: &Call<'_>) -> bool {
    let is_one = rustix::termios::isatty(borrowed(call.integer(0) as i32));
    call.answer(call.scope.boolean(is_one));
    true
}

/// `core_libraryModule(name)`: the body of one of the runtime's files.
fn library_module(call: &Call<'_>) -> bool {
    let Some(name) = call.exact_text(0) else { return false };
    let Some(body) = library_code::module(&call.scope, &name) else { return false };
    match body {
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
