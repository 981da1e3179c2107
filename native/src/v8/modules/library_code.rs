//! V8's code for the runtime's files outside the snapshot, in one file beside it, so that programs with the same
//! built-in modules do not compile them again.
//!
//! At its end a program adds the code that it had to compile, including the functions it called. The file belongs to
//! one snapshot and one set of V8 flags. If two programs end at once, one write wins; the next program that compiles
//! the missing code adds it.
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use pyo3::prelude::*;

use super::code_cache::CodeOwner;
use super::code_pack::{self, Fresh, Pack, hash_of};
use super::script::compile_function_with_code;
use crate::v8::api::v8;
use crate::v8::values::scope::{Local, Scope};
use crate::v8::values::state::State;

/// The parameters of the runtime's files; `rt_supervisor/engine_worker/start/bundle.py` declares them for Python.
const PARAMETERS: [&str; 4] = ["exports", "require", "module", "host"];
const PREFIX: &str = "rt:";

/// The folder of the runtime's files, if this process can read them without Python.
static LIBRARY: OnceLock<PathBuf> = OnceLock::new();

/// The runtime's files that an engine compiled, to be added to the code file.
#[derive(Default)]
struct Compiled(RefCell<Vec<Fresh>>);

/// Reads files of the runtime from `folder`; later calls have no effect.
pub fn set_library(folder: PathBuf) {
    let _ = LIBRARY.set(folder);
}

/// The body of the runtime's file `name`; None if it cannot be read without Python.
pub fn module<'s>(scope: &Scope<'s>, name: &str) -> Option<PyResult<Local<'s>>> {
    let source = std::fs::read_to_string(LIBRARY.get()?.join(format!("{name}.js"))).ok()?;
    Some(function(scope, name, &source, &PARAMETERS, &format!("{PREFIX}{name}")))
}

/// The snapshot of this process, if it is a file.
static SNAPSHOT: OnceLock<PathBuf> = OnceLock::new();
static KEPT: OnceLock<Option<Pack>> = OnceLock::new();
/// Only one thread of the process writes at a time.
static WRITING: Mutex<()> = Mutex::new(());

/// Stores code beside the snapshot at `path`; later calls have no effect.
pub fn belongs_to(path: &Path) {
    let _ = SNAPSHOT.set(path.to_path_buf());
}

/// V8's hash of its present flags.
fn flags() -> String {
    // SAFETY: V8 is started; the call only returns a number.
    format!("{:08x}", unsafe { (v8().cache_version_tag)() })
}

/// The path of the code file for V8's present flags.
fn place() -> Option<PathBuf> {
    Some(SNAPSHOT.get()?.with_extension(format!("{}.code", flags())))
}

/// The path of the code of a program's own files, for V8's present flags.
pub fn place_of_program(main: &str) -> Option<PathBuf> {
    let folder = SNAPSHOT.get()?.parent()?.join("programs");
    Some(folder.join(format!("{:016x}-{}", hash_of(main), flags())))
}

/// The body of the runtime's file `name`, from cached code if there is any.
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
    // V8 rejects code if its flags have changed since the file was chosen; it would reject new code too.
    if code.is_none() && !was_rejected && SNAPSHOT.get().is_some() {
        let owner = CodeOwner::of_function(scope, function);
        scope.state.slot::<Compiled>().0.borrow_mut().push(Fresh { name: name.to_owned(), text, owner });
    }
    Ok(function)
}

/// Adds what an engine has compiled to the file. If writing fails, the old file stays.
pub fn keep(state: &State) {
    let fresh = state.slot::<Compiled>().0.take();
    if fresh.is_empty() || state.is_uncacheable() {
        return;
    }
    let Some(place) = place() else { return };
    let packed = Fresh::encode_all(fresh);
    let _alone = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let before = Pack::read(&place); // another process may have extended it
    let mut pieces = before.as_ref().map(Pack::all).unwrap_or_default();
    pieces.extend(packed.iter().map(|(name, text, code)| (name.as_str(), (*text, code.as_slice()))));
    code_pack::write(&place, &pieces);
}
