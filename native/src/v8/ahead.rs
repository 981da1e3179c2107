//! An engine's isolate made ahead of time, on a thread of its own, while Python still imports what runs the program.
//!
//! Starting V8 and making the first isolate needs no Python and takes as long as the imports do. A failure here is not
//! reported: the engine then makes its isolate in the ordinary way, which fails likewise and says so. The engine takes
//! the isolate over on its own thread; before that, and before a fork, `v8_wait_ahead` waits for the thread.
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use pyo3::prelude::*;

use crate::files::stamps::{Look, Sources};

use super::context::{Fresh, fresh};
use super::snapshot::{Loaded, record_path, snapshot_path};
use super::start;

/// What an isolate was made of: an engine takes over only what it would have made itself.
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

// SAFETY: the isolate and its snapshot are used by one thread after the other: first by the one that makes them, then,
// once that has ended, by the one that takes them over.
unsafe impl Send for Ahead {}

enum Attempt {
    None,
    Running(JoinHandle<Option<Ahead>>),
    Made(Ahead),
}

static ATTEMPT: Mutex<Attempt> = Mutex::new(Attempt::None);

/// What to start V8 with, and the sources whose snapshot the isolate is made from.
pub struct Wanted {
    pub library: String,
    pub folder: String,
    pub flags: String,
    pub threads: u8,
    pub sources: PathBuf,
    pub names: PathBuf,
    pub heap_limit_bytes: usize,
}

/// Start V8 and make an isolate from the snapshot of those sources, on another thread, unless that has begun already.
#[pyfunction]
#[pyo3(signature = (library, folder, flags, threads, *, sources, names, heap_limit_bytes))]
#[allow(clippy::too_many_arguments)] // one flat call across the border
fn v8_start_ahead(
    library: String,
    folder: String,
    flags: String,
    threads: u8,
    sources: PathBuf,
    names: PathBuf,
    heap_limit_bytes: usize,
) {
    let wanted = Wanted { library, folder, flags, threads, sources, names, heap_limit_bytes };
    begin(move || Some(wanted));
}

/// As `v8_start_ahead`; what is wanted is found out on the thread. Needs no interpreter.
pub fn begin(find: impl FnOnce() -> Option<Wanted> + Send + 'static) {
    let mut attempt = lock();
    if !matches!(*attempt, Attempt::None) {
        return;
    }
    let thread = std::thread::Builder::new().name("rt-ahead".into());
    if let Ok(thread) = thread.spawn(move || make(find()?)) {
        *attempt = Attempt::Running(thread);
    }
}

fn make(wanted: Wanted) -> Option<Ahead> {
    let Wanted { library, folder, flags, threads, sources, names, heap_limit_bytes } = wanted;
    super::operations::set_library(sources.clone());
    let record = record_path(&folder, &sources);
    let sources = Sources { folder: sources, file: names };
    let find = || Found::find(&sources, &record, &folder);
    let (started, found) = std::thread::scope(|scope| {
        let finding = std::thread::Builder::new().spawn_scoped(scope, find).ok();
        let started = start::start(&library, Some(&folder), &flags, threads);
        let found = match finding {
            Some(finding) => finding.join().ok().flatten(),
            None => find(), // the system gives no further thread
        };
        (started, found)
    });
    started.ok()?;
    let Found { snapshot, look } = found?;
    let loaded = Loaded::map(&snapshot).ok()?;
    if let Some(look) = look {
        let parts: Vec<String> = loaded.parts.lines().map(|name| format!("{name}.js")).collect();
        let _ = look.keep(&record, &parts); // where that fails, the next start looks at everything again
    }
    let fresh = fresh(Some(loaded), Some(heap_limit_bytes)).ok()?;
    Some(Ahead { recipe: Recipe { snapshot, heap_limit_bytes }, fresh, rights: key_rights() })
}

/// Which snapshot belongs to the sources, and how all of them look where that had to be asked.
struct Found {
    snapshot: String,
    look: Option<Look>,
}

impl Found {
    fn find(sources: &Sources, record: &Path, folder: &str) -> Option<Found> {
        if let Some(stamp) = sources.recorded(record) {
            let snapshot = snapshot_path(folder, stamp);
            if Path::new(&snapshot).exists() {
                return Some(Found { snapshot, look: None });
            }
        }
        let look = sources.look().ok()?;
        Some(Found { snapshot: snapshot_path(folder, look.stamp), look: Some(look) })
    }
}

/// Whether an isolate is being made ahead, or waits to be taken over; `v8_wait_ahead` forgets an attempt that failed.
#[pyfunction]
fn v8_is_ahead() -> bool {
    !matches!(*lock(), Attempt::None)
}

/// Wait for the thread of `v8_start_ahead`; the path of the snapshot from which an isolate is ready, if one is.
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

/// What was made ahead, if anything was; `wait` comes before.
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

/// The isolate that was made ahead, if it was made of just this.
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

/// This thread's rights to memory protection keys, where the processor has them. V8 guards its code with a key and gives
/// the right to it to the thread that starts V8.
#[cfg(target_arch = "x86_64")]
fn key_rights() -> Option<u32> {
    use std::arch::x86_64::__cpuid_count;
    const KEYS_IN_USE: u32 = 1 << 4; // OSPKE
    if __cpuid_count(0, 0).eax < 7 || __cpuid_count(7, 0).ecx & KEYS_IN_USE == 0 {
        return None;
    }
    let rights: u32;
    // SAFETY: the processor has the instruction and the system allows it (OSPKE); it only reads a register.
    unsafe { std::arch::asm!("rdpkru", in("ecx") 0, out("eax") rights, out("edx") _, options(nomem, nostack)) };
    Some(rights)
}

#[cfg(target_arch = "x86_64")]
fn adopt_key_rights(rights: Option<u32>) {
    if let Some(rights) = rights {
        // SAFETY: as above; V8 alone uses keys here, so this thread needs just the rights of the one that started V8.
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
    module.add_function(wrap_pyfunction!(v8_start_ahead, module)?)?;
    module.add_function(wrap_pyfunction!(v8_is_ahead, module)?)?;
    module.add_function(wrap_pyfunction!(v8_wait_ahead, module)?)
}
