//! Creates an engine's isolate ahead of time, on a separate thread, while Python still imports its modules.
//!
//! Starting V8 and creating the first isolate needs no Python and takes as long as the imports do. A failure here is
//! not reported: the engine then creates its isolate in the ordinary way, which fails likewise and reports the reason.
//! The engine takes ownership of the isolate on its own thread; before that, and before a fork, `v8_wait_ahead` waits for this
//! thread.
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use pyo3::prelude::*;

use crate::files::stamps::{Look, Sources};

use super::context::{Fresh, fresh};
use super::snapshot::{Loaded, record_path, snapshot_path};
use crate::v8::modules::library_code;
use crate::v8::start::library;

/// The inputs of an isolate: an engine takes over only the isolate that it would have created itself.
#[derive(PartialEq)]
struct Recipe {
    snapshot: String,
    heap_limit_bytes: usize,
}

struct Ahead {
    recipe: Recipe,
    fresh: Fresh,
    rights: Option<u32>,
}

// SAFETY: two threads use the isolate and its snapshot, one after the other: the thread that creates them, and, after
// that thread has ended, the one that takes ownership of them.
unsafe impl Send for Ahead {}

enum Attempt {
    None,
    Running(JoinHandle<Option<Ahead>>),
    Made(Ahead),
}

static ATTEMPT: Mutex<Attempt> = Mutex::new(Attempt::None);

/// What to start V8 with, and the sources whose snapshot the isolate is created from.
pub struct IsolateInputs {
    pub library: String,
    pub folder: String,
    pub flags: String,
    pub threads: u8,
    pub sources: PathBuf,
    pub names: PathBuf,
    pub heap_limit_bytes: usize,
}

/// Loads and initialises V8 from `library`, after waiting for `v8_start_ahead`.
#[pyfunction]
#[pyo3(signature = (library, icu_folder=None, flags="", threads=0))]
fn v8_start(py: Python<'_>, library: &str, icu_folder: Option<&str>, flags: &str, threads: u8) -> PyResult<()> {
    v8_wait_ahead(py);
    library::start(library, icu_folder, flags, threads)
}

/// Starts V8 and creates an isolate from the snapshot of those sources on another thread, unless that has already begun.
#[pyfunction]
#[pyo3(signature = (library, folder, flags, threads, *, sources, names, heap_limit_bytes))]
#[allow(clippy::too_many_arguments)] // one flat call from Python
fn v8_start_ahead(
    library: String,
    folder: String,
    flags: String,
    threads: u8,
    sources: PathBuf,
    names: PathBuf,
    heap_limit_bytes: usize,
) {
    let wanted = IsolateInputs { library, folder, flags, threads, sources, names, heap_limit_bytes };
    begin(move || Some(wanted));
}

/// As `v8_start_ahead`, but `find` runs on the thread. Needs no interpreter.
pub fn begin(find: impl FnOnce() -> Option<IsolateInputs> + Send + 'static) {
    let mut attempt = lock();
    if !matches!(*attempt, Attempt::None) {
        return;
    }
    let thread = std::thread::Builder::new().name("rt-ahead".into());
    if let Ok(thread) = thread.spawn(move || make(find()?)) {
        *attempt = Attempt::Running(thread);
    }
}

fn make(wanted: IsolateInputs) -> Option<Ahead> {
    let IsolateInputs { library, folder, flags, threads, sources, names, heap_limit_bytes } = wanted;
    library_code::set_library(sources.clone());
    let record = record_path(&folder, &sources);
    let sources = Sources { folder: sources, file: names };
    let find = || FoundSnapshot::find(&sources, &record, &folder);
    let (started, found) = std::thread::scope(|scope| {
        let finding = std::thread::Builder::new().spawn_scoped(scope, find).ok();
        let started = library::start(&library, Some(&folder), &flags, threads);
        let found = match finding {
            Some(finding) => finding.join().ok().flatten(),
            None => find(), // no further thread is available
        };
        (started, found)
    });
    started.ok()?;
    let FoundSnapshot { snapshot, look } = found?;
    let loaded = Loaded::map(&snapshot).ok()?;
    if let Some(look) = look {
        let _ = look.keep(&record, &loaded.source_paths()); // if this fails, the next start reads all sources again
    }
    let fresh = fresh(Some(loaded), Some(heap_limit_bytes)).ok()?;
    Some(Ahead { recipe: Recipe { snapshot, heap_limit_bytes }, fresh, rights: key_rights() })
}

/// The snapshot that belongs to the sources, and the state of all sources if it had to be read.
struct FoundSnapshot {
    snapshot: String,
    look: Option<Look>,
}

impl FoundSnapshot {
    fn find(sources: &Sources, record: &Path, folder: &str) -> Option<FoundSnapshot> {
        if let Some(stamp) = sources.recorded(record) {
            let snapshot = snapshot_path(folder, stamp);
            if Path::new(&snapshot).exists() {
                return Some(FoundSnapshot { snapshot, look: None });
            }
        }
        let look = sources.look().ok()?;
        Some(FoundSnapshot { snapshot: snapshot_path(folder, look.stamp), look: Some(look) })
    }
}

/// Returns whether an isolate is being created ahead, or waits to be taken over. `v8_wait_ahead` resets a failed attempt.
#[pyfunction]
fn v8_is_ahead() -> bool {
    !matches!(*lock(), Attempt::None)
}

/// Wait for the thread of `v8_start_ahead`. Returns the path of the snapshot if an isolate is ready.
#[pyfunction]
pub fn v8_wait_ahead(py: Python<'_>) -> Option<String> {
    py.detach(wait)
}

/// As `v8_wait_ahead`; needs no interpreter.
pub fn wait() -> Option<String> {
    let mut attempt = lock();
    *attempt = match std::mem::replace(&mut *attempt, Attempt::None) {
        Attempt::Running(thread) => thread.join().ok().flatten().map_or(Attempt::None, Attempt::Made),
        settled => settled,
    };
    match &*attempt {
        Attempt::Made(ahead) => Some(ahead.recipe.snapshot.clone()),
        _ => None,
    }
}

/// Takes over the isolate, if there is one; `wait` comes first.
pub fn take_made() -> Option<Fresh> {
    let mut attempt = lock();
    match std::mem::replace(&mut *attempt, Attempt::None) {
        Attempt::Made(ahead) => {
            adopt_key_rights(ahead.rights);
            Some(ahead.fresh)
        }
        other => {
            *attempt = other;
            None
        }
    }
}

/// Takes over the isolate if it was created from exactly these inputs.
pub fn take(py: Python<'_>, snapshot: &str, heap_limit_bytes: Option<usize>) -> Option<Fresh> {
    v8_wait_ahead(py);
    let mut attempt = lock();
    let wanted = Recipe { snapshot: snapshot.to_owned(), heap_limit_bytes: heap_limit_bytes? };
    match std::mem::replace(&mut *attempt, Attempt::None) {
        Attempt::Made(ahead) if ahead.recipe == wanted => {
            adopt_key_rights(ahead.rights);
            Some(ahead.fresh)
        }
        other => {
            *attempt = other;
            None
        }
    }
}

fn lock() -> std::sync::MutexGuard<'static, Attempt> {
    ATTEMPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// This thread's rights to memory protection keys, if the processor has them. V8 guards its code with a key and grants
/// the rights to the thread that starts V8.
#[cfg(target_arch = "x86_64")]
fn key_rights() -> Option<u32> {
    use std::arch::x86_64::__cpuid_count;
    const KEYS_IN_USE: u32 = 1 << 4; // OSPKE
    if __cpuid_count(0, 0).eax < 7 || __cpuid_count(7, 0).ecx & KEYS_IN_USE == 0 {
        return None;
    }
    let rights: u32;
    // SAFETY: the processor has the instruction and the system enables it (OSPKE); it only reads a register.
    unsafe { std::arch::asm!("rdpkru", in("ecx") 0, out("eax") rights, out("edx") _, options(nomem, nostack)) };
    Some(rights)
}

#[cfg(target_arch = "x86_64")]
fn adopt_key_rights(rights: Option<u32>) {
    if let Some(rights) = rights {
        // SAFETY: as above; only V8 uses keys here, so this thread needs the rights of the thread that started V8.
        unsafe { std::arch::asm!("wrpkru", in("eax") rights, in("ecx") 0, in("edx") 0, options(nostack)) };
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn key_rights() -> Option<u32> {
    None
}

#[cfg(not(target_arch = "x86_64"))]
fn adopt_key_rights(_rights: Option<u32>) {}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(v8_start, module)?)?;
    module.add_function(wrap_pyfunction!(v8_start_ahead, module)?)?;
    module.add_function(wrap_pyfunction!(v8_is_ahead, module)?)?;
    module.add_function(wrap_pyfunction!(v8_wait_ahead, module)?)
}
