//! V8's code of the runtime's files that are not in the snapshot, kept in one file beside it: programs that require the same
//! built-in modules do not compile them again.
//!
//! A program adds the code of what it had to compile when it ends, with the functions that it called by then. The file belongs to
//! one snapshot and to one set of V8's flags. Of two programs that end at once one has its say, and what the other knew is added by
//! whoever compiles it next.
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use pyo3::prelude::*;

use super::api::v8;
use super::code_cache::CodeOwner;
use super::code_pack::{self, Fresh, Pack, hash_of};
use super::engine::Engine;
use super::operations::set_library;
use super::scope::{Local, Scope};
use super::script::compile_function_with_code;
use super::state::State;

/// The snapshot of this process, where it is a file.
static SNAPSHOT: OnceLock<PathBuf> = OnceLock::new();
static KEPT: OnceLock<Option<Pack>> = OnceLock::new();
/// One thread of a process writes at a time.
static WRITING: Mutex<()> = Mutex::new(());

/// Keep code beside the snapshot at `path`; the first one stays.
pub fn belongs_to(path: &Path) {
    let _ = SNAPSHOT.set(path.to_path_buf());
}

/// What V8's present flags are known by.
fn flags() -> String {
    // SAFETY: V8 is started; it only returns a number.
    format!("{:08x}", unsafe { (v8().cache_version_tag)() })
}

/// Where the code of V8's present flags lies.
fn place() -> Option<PathBuf> {
    Some(SNAPSHOT.get()?.with_extension(format!("{}.code", flags())))
}

/// Where the code of a program's own files lies, for V8's present flags.
pub fn place_of_program(main: &str) -> Option<PathBuf> {
    let folder = SNAPSHOT.get()?.parent()?.join("programs");
    Some(folder.join(format!("{:016x}-{}", hash_of(main), flags())))
}

/// The body of the runtime's file `name`, from kept code where there is some.
pub fn function<'s>(
    scope: &Scope<'s>,
    name: &str,
    source: &str,
    params: &[&str],
    file_name: &str,
) -> PyResult<Local<'s>> {
    let text = hash_of(source);
    let code = KEPT.get_or_init(|| Pack::read(&place()?)).as_ref().and_then(|kept| kept.find(name, text));
    let (function, was_rejected) = compile_function_with_code(scope, source, params, file_name, code)?;
    // What V8 rejects it would reject again: its flags have changed since the file was looked for.
    if code.is_none() && !was_rejected && SNAPSHOT.get().is_some() {
        let owner = CodeOwner::of_function(scope, function);
        scope.state.inner().library_code.borrow_mut().push(Fresh { name: name.to_owned(), text, owner });
    }
    Ok(function)
}

/// Add what an engine has compiled to the file. A cache that cannot be written stays as it is.
pub fn keep(state: &State) {
    let fresh = state.inner().library_code.take();
    if fresh.is_empty() || state.is_inspected() {
        return;
    }
    let Some(place) = place() else { return };
    let made = Fresh::made(fresh);
    let _alone = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let before = Pack::read(&place); // others may have added something since
    let mut pieces = before.as_ref().map(Pack::all).unwrap_or_default();
    pieces.extend(made.iter().map(|(name, text, code)| (name.as_str(), (*text, code.as_slice()))));
    code_pack::write(&place, &pieces);
}

/// As `keep`, for Python.
#[pyfunction]
fn keep_library_code(engine: &Engine) {
    let state = engine.share();
    if state.check().is_ok() {
        keep(&state);
    }
}

/// Have parts of the runtime read from `folder` without Python.
#[pyfunction]
fn use_library(folder: PathBuf) {
    set_library(folder);
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(keep_library_code, module)?)?;
    module.add_function(wrap_pyfunction!(use_library, module)?)
}
