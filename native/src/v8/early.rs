//! V8 started before the interpreter is: the launcher has this module preloaded (`native/launcher/src/head_start.rs`) and
//! says in an environment variable what to start. Python is not there yet, and nothing here may use it.
use std::ffi::{CStr, CString, OsStr};
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rt_wire::head_start::{ORDER, PRELOAD};

use crate::files::cache::trust::{flaw, open_own};

use super::ahead::{self, Wanted};

/// What `rt_supervisor/start/image.py` has written, one field a line; the launcher appends a descriptor, where it knows of a program
/// that needs no Python, and what LD_PRELOAD was.
struct Order {
    wanted: Wanted,
    /// Files with the size that they must have; all of them have the same modification time.
    prepared: [(String, u64); 2],
    prepared_ns: i64,
}

#[used]
#[unsafe(link_section = ".init_array")]
static LOADED: extern "C" fn() = loaded;

/// Called by the loader, each time that this module is loaded into a process.
extern "C" fn loaded() {
    let Ok(name) = CString::new(ORDER) else { return };
    // SAFETY: the name ends in NUL. Preloaded, this runs before there is another thread; otherwise there is no order.
    let told = unsafe {
        let told = libc::getenv(name.as_ptr());
        if told.is_null() {
            return;
        }
        CStr::from_ptr(told).to_owned()
    };
    let _ = catch_unwind(|| {
        let told = told.to_bytes();
        restore_environment(&name, told);
        let Ok(told) = std::str::from_utf8(told).map(str::to_owned) else { return };
        note_program(&told);
        ahead::begin(move || Order::read(&told).filter(Order::is_prepared).map(|order| order.wanted));
    });
}

/// A descriptor of what is known of the program that the launcher wants run.
static PROGRAM: Mutex<Option<i32>> = Mutex::new(None);

/// That of the program that is to be run without Python, if there is one; once.
pub fn take_program() -> Option<i32> {
    PROGRAM.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Whether there is one.
pub fn has_program() -> bool {
    PROGRAM.lock().unwrap_or_else(PoisonError::into_inner).is_some()
}

fn note_program(told: &str) {
    let fields: Vec<&str> = told.split('\n').collect();
    // The last field is what LD_PRELOAD was, the one before it the launcher's, too.
    let Some(descriptor) = fields.len().checked_sub(2).and_then(|place| fields[place].parse().ok()) else { return };
    *PROGRAM.lock().unwrap_or_else(PoisonError::into_inner) = Some(descriptor);
}

/// Leave the environment as the launcher found it.
fn restore_environment(order: &CStr, told: &[u8]) {
    let given = told.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let (Ok(preload), Ok(given)) = (CString::new(PRELOAD), CString::new(given)) else { return };
    // SAFETY: the names and the value end in NUL; there is no other thread yet.
    unsafe {
        libc::unsetenv(order.as_ptr());
        match given.to_bytes() {
            b"" => libc::unsetenv(preload.as_ptr()),
            _ => libc::setenv(preload.as_ptr(), given.as_ptr(), 1),
        };
    }
}

impl Order {
    fn read(told: &str) -> Option<Order> {
        let mut fields = told.split('\n');
        let mut next = || fields.next().map(str::to_owned);
        let _module = next()?;
        let wanted = Wanted {
            library: next()?,
            folder: next()?,
            flags: next()?,
            threads: next()?.parse().ok()?,
            sources: next()?.into(),
            names: next()?.into(),
            heap_limit_bytes: super::memory::largest_heap(next()?.parse().ok()?),
        };
        let prepared_ns = next()?.parse().ok()?;
        let prepared = [(wanted.library.clone(), next()?.parse().ok()?), (next()?, next()?.parse().ok()?)];
        Some(Order { wanted, prepared, prepared_ns })
    }

    /// Whether the prepared files are what was made, and nobody else can have put them there.
    fn is_prepared(&self) -> bool {
        let is_whole = |about: Metadata, size| {
            about.len() == size && about.mtime().saturating_mul(1_000_000_000) + about.mtime_nsec() == self.prepared_ns
        };
        let holds = |(path, size): &(String, u64)| {
            let about = open_own(Path::new(OsStr::from_bytes(path.as_bytes()))).and_then(|file| file.metadata());
            about.is_ok_and(|about| is_whole(about, *size))
        };
        flaw(Path::new(&self.wanted.folder)).is_none() && self.prepared.iter().all(holds)
    }
}
