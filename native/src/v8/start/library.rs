//! Starts V8 once for the process: loads the library, checks that it is the expected build, initialises it.
//!
//! Without threads, everything runs on the caller's thread and a ready process may fork. With threads, V8 compiles and
//! collects garbage in parallel; such a process must not fork and use V8 in the child, unless the threads are held back
//! until after the fork. V8 counts on them from the start but has work for them only when a program runs.
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, OnceLock, PoisonError};

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::files::cache::trust::open_own;

use super::limits;
use crate::v8::api::layout::{
    BUILD_CONFIGURATION, PARAMS_ALLOCATOR, PARAMS_ATOMICS_WAIT, PARAMS_BLOB, PARAMS_REFERENCES, PARAMS_WORDS,
    PLATFORM_THREADS, PLATFORM_WORDS, VERSION, WHEEL,
};
use crate::v8::api::symbol_tables;
use crate::v8::api::{self, Raw, v8};
use crate::v8::api::{allocator, process};
use crate::v8::values::scope::Scope;

create_exception!(
    rt_supervisor._native,
    EngineUnavailable,
    PyRuntimeError,
    "V8 could not be started; the message says what to do."
);

/// V8 omits the interrupt check from loops that it considers short, and then, incorrectly, from an endless loop around
/// one: `for (;;) new Array(1000).fill(1)` could not be terminated. Without unrolling V8 considers no loop short, at no
/// measurable cost.
const INTERRUPTIBLE: &str = "--no-turboshaft-loop-unrolling";
/// `v8.setFlagsFromString` may be called while programs run; V8 would abort the process for a frozen flag.
const UNFROZEN: &str = "--no-freeze-flags-after-init";
/// `WebAssembly.Module` inherits from the standard's AbstractModuleSource, as in Node.
const SOURCE_PHASE: &str = "--js-source-phase-imports";
/// `getOrInsert` and `getOrInsertComputed` of Map and WeakMap, which this V8 implements but does not enable.
const UPSERT: &str = "--js-upsert";

/// The folder of ICU's data, which `ready_icu` passes to ICU.
static ICU_FOLDER: OnceLock<CString> = OnceLock::new();
static ICU_READY: Once = Once::new();
static STARTING: Mutex<()> = Mutex::new(());
static HOLDS_THREADS: AtomicBool = AtomicBool::new(false);

/// Makes `start` hold V8's threads back until `v8_release_threads`.
#[pyfunction]
fn v8_hold_threads() {
    HOLDS_THREADS.store(true, Ordering::Relaxed);
}

/// Starts the threads that were held back, if any.
#[pyfunction]
fn v8_release_threads() -> PyResult<()> {
    check_started()?;
    if HOLDS_THREADS.swap(false, Ordering::Relaxed) {
        // SAFETY: the platform is V8's own.
        let threads = unsafe { (v8().platform_threads)(process::platform()) };
        if !limits::has_threads(threads.unsigned_abs() as usize) {
            return Err(std::io::Error::from_raw_os_error(libc::EAGAIN).into());
        }
        // SAFETY: `held_platform` made the platform, and its threads have not been started.
        unsafe { (v8().platform_start_threads)(process::platform()) };
    }
    Ok(())
}

/// The default platform for `threads` threads, none of which is started; it lives as long as the process.
///
/// # Safety
/// The library is loaded.
unsafe fn held_platform(threads: u8, library: &str) -> PyResult<Raw> {
    let memory = Box::leak(Box::new([0u64; PLATFORM_WORDS])).as_mut_ptr() as Raw;
    let threads = c_int::from(threads);
    // SAFETY: the memory is larger than the object; the null pointer is an empty unique_ptr. The constructor starts
    // zero threads. V8's own accessor confirms the offset of the thread count.
    let confirmed = unsafe {
        (v8().platform_make)(memory, 0, 0, null_mut(), 0);
        memory.byte_add(PLATFORM_THREADS).cast::<c_int>().write(threads);
        (v8().platform_threads)(memory)
    };
    if confirmed == threads { Ok(memory) } else { Err(unavailable(&format!("V8 in {library} is built another way"))) }
}

/// Loads and initialises V8 from `library`. `icu_folder` holds ICU's data under the name that ICU looks for, so the file
/// is mapped on first use; without it the file beside the library is read at once. Later calls do nothing.
pub fn start(library: &str, icu_folder: Option<&str>, flags: &str, threads: u8) -> PyResult<()> {
    let _guard = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    if process::is_started() {
        return Ok(());
    }
    limits::check_address_space()?;
    let path = c_string(library)?;
    if icu_folder.is_some()
        && let Err(problem) = open_own(Path::new(library))
    {
        return Err(unavailable(&format!("{library} is not to be loaded: {problem}")));
    }
    // SAFETY: the path ends in NUL; only V8's initialisers run.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if handle.is_null() {
        return Err(unavailable(&format!("cannot load V8 from {library}: {}", loader_error())));
    }
    check_version(handle, library)?;
    // SAFETY: the handle is never closed, and the version matches the table.
    unsafe { api::load(handle) }.map_err(|symbol| unavailable(&format!("V8 in {library} has no {symbol}")))?;
    check_params(library)?;
    symbol_tables::give_back(v8().platform_make as *const c_void);
    // V8 ends the process if it cannot start a thread; without threads it is only slower.
    let threads = if limits::has_threads(threads.into()) { threads } else { 0 };
    let own = if threads == 0 { "--single-threaded" } else { "" };
    let flags = c_string(&format!("{INTERRUPTIBLE} {UNFROZEN} {SOURCE_PHASE} {UPSERT} {own} {flags}"))?;
    // SAFETY: the calls are made once, in the order that V8 requires, with strings that end in NUL; the null pointer is
    // an empty unique_ptr.
    unsafe {
        match icu_folder {
            Some(folder) => {
                let _ = ICU_FOLDER.set(c_string(folder)?);
            }
            None => {
                let data = library.rsplit_once('/').map_or("icudtl.dat".into(), |(at, _)| format!("{at}/icudtl.dat"));
                (v8().initialize_icu)(c_string(&data)?.as_ptr());
            }
        }
        if threads == 0 {
            HOLDS_THREADS.store(false, Ordering::Relaxed); // there will be no threads
        }
        (v8().set_flags)(flags.as_ptr());
        let platform = match threads {
            0 => (v8().platform_new)(0, 0, null_mut()),
            _ if HOLDS_THREADS.load(Ordering::Relaxed) => held_platform(threads, library)?,
            _ => (v8().platform_new_threaded)(threads.into(), 0, 0, null_mut(), false),
        };
        (v8().platform_initialize)(platform);
        (v8().initialize)(BUILD_CONFIGURATION);
        process::set_started(platform, allocator::make(handle));
    }
    super::abandoned::install();
    Ok(())
}

/// The version of V8 that this build of rt binds to.
#[pyfunction]
fn v8_version() -> &'static str {
    VERSION
}

/// V8's hash of its version and its present flags: code cached under another one is rejected. V8 must be started.
#[pyfunction]
fn v8_version_tag() -> u32 {
    // SAFETY: the call reads V8's flags and returns a number.
    unsafe { (v8().cache_version_tag)() }
}

fn c_string(text: &str) -> PyResult<CString> {
    CString::new(text).map_err(|_| PyValueError::new_err("the text holds a NUL character"))
}

fn unavailable(problem: &str) -> PyErr {
    EngineUnavailable::new_err(format!("{problem}; install {WHEEL}, whose V8 is {VERSION}"))
}

fn loader_error() -> String {
    // SAFETY: dlerror returns null or a string that lives until the next dl call of this thread.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}

fn check_version(handle: Raw, library: &str) -> PyResult<()> {
    // SAFETY: the handle is live and the name ends in NUL.
    let address = unsafe { libc::dlsym(handle, c"_ZN2v82V810GetVersionEv".as_ptr()) };
    if address.is_null() {
        return Err(unavailable(&format!("{library} is not V8")));
    }
    // SAFETY: `v8::V8::GetVersion` takes nothing and returns a static string, in every version.
    let version = unsafe {
        let get = std::mem::transmute::<Raw, unsafe extern "C" fn() -> *const c_char>(address);
        CStr::from_ptr(get()).to_string_lossy().into_owned()
    };
    if version == VERSION { Ok(()) } else { Err(unavailable(&format!("{library} holds V8 {version}"))) }
}

/// Compares what the constructor of `CreateParams` writes with the layout that rt assumes.
fn check_params(library: &str) -> PyResult<()> {
    let mut words = [u64::MAX; PARAMS_WORDS];
    // SAFETY: the memory is larger than the object.
    unsafe { (v8().create_params)(words.as_mut_ptr() as Raw) };
    let zeros = [PARAMS_BLOB, PARAMS_ALLOCATOR, PARAMS_REFERENCES].iter().all(|offset| words[offset / 8] == 0);
    let wait = words[PARAMS_ATOMICS_WAIT / 8] as u8 == 1;
    if zeros && wait { Ok(()) } else { Err(unavailable(&format!("V8 in {library} is built another way"))) }
}

/// Makes ICU find its data before the first script of the process runs.
///
/// ICU reads the variable `ICU_DATA` when it first loads something, and maps the file. Creating a date is the cheapest
/// trigger (0.2 ms, once). The variable is restored afterwards, so neither children nor programs see it.
pub fn ready_icu(scope: &Scope<'_>) {
    ICU_READY.call_once(|| {
        let Some(folder) = ICU_FOLDER.get() else { return };
        // SAFETY: the names end in NUL, and the old value is copied before it is replaced. The environment is changed
        // under the GIL, as everywhere in this process. The context is live.
        unsafe {
            let name = c"ICU_DATA".as_ptr();
            let old = libc::getenv(name);
            let old = (!old.is_null()).then(|| CStr::from_ptr(old).to_owned());
            libc::setenv(name, folder.as_ptr(), 1);
            (v8().date_new)(scope.context.handle(), 0.0);
            match old {
                Some(old) => libc::setenv(name, old.as_ptr(), 1),
                None => libc::unsetenv(name),
            };
        }
    });
}

/// Fails unless V8 is started.
pub fn check_started() -> PyResult<()> {
    if process::is_started() {
        Ok(())
    } else {
        Err(EngineUnavailable::new_err("V8 is not started: call v8_start first"))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EngineUnavailable", module.py().get_type::<EngineUnavailable>())?;
    module.add_function(wrap_pyfunction!(v8_hold_threads, module)?)?;
    module.add_function(wrap_pyfunction!(v8_release_threads, module)?)?;
    module.add_function(wrap_pyfunction!(v8_version_tag, module)?)?;
    module.add_function(wrap_pyfunction!(v8_version, module)?)
}

const _: () = assert!(size_of::<c_int>() == 4);

/// Seeds an isolate's `Math.random` from the system's randomness.
pub fn reseed(scope: &Scope<'_>) -> PyResult<()> {
    let mut seed = [0u8; 8];
    // SAFETY: the call fills at most `seed.len()` bytes.
    if unsafe { libc::getrandom(seed.as_mut_ptr().cast(), seed.len(), 0) } != seed.len() as isize {
        return Err(std::io::Error::last_os_error().into());
    }
    // SAFETY: the scope proves the isolate current; its generator lives as long as it.
    unsafe { (v8().random_seed)((v8().random_generator)(scope.isolate), i64::from_ne_bytes(seed)) };
    Ok(())
}

/// Reads the time zone again after a change of `TZ`.
pub fn read_time_zone(scope: &Scope<'_>) -> PyResult<()> {
    const REDETECT: i32 = 1;
    // SAFETY: the scope proves the isolate current.
    unsafe { (v8().time_zone_changed)(scope.isolate, REDETECT) };
    Ok(())
}
