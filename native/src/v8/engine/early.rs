//! Starts V8 before the interpreter: the launcher preloads this library (`native/launcher/src/head_start.rs`) and
//! describes in an environment variable what to start. Nothing here may use Python.
use std::ffi::{CStr, CString, OsStr};
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rt_wire::head_start::{ORDER, PRELOAD};

use crate::files::cache::trust::{flaw, open_own};

use super::ahead::{self, IsolateInputs};

/// The text that `rt_supervisor/start/image.py` writes, one field a line. The launcher appends a descriptor if it knows
/// of a program that needs no Python, and the former value of LD_PRELOAD.
struct Order {
    wanted: IsolateInputs,
    /// Files with their expected sizes; all of them have the same modification time.
    prepared: [(String, u64); 2],
    prepared_ns: i64,
}

/// Carry out the launcher's order, if there is one. Called when this library is loaded into a process.
pub fn begin() {
    let Ok(name) = CString::new(ORDER) else { return };
    // SAFETY: the name ends in NUL. When the library is preloaded, there is no other thread yet; otherwise there is no
    // order.
    let text = unsafe {
        let text = libc::getenv(name.as_ptr());
        if text.is_null() {
            return;
        }
        CStr::from_ptr(text).to_owned()
    };
    let _ = catch_unwind(|| {
        let text = text.to_bytes();
        restore_environment(&name, text);
        let Ok(text) = std::str::from_utf8(text).map(str::to_owned) else { return };
        note_program(&text);
        ahead::begin(move || Order::read(&text).filter(Order::is_prepared).map(|order| order.wanted));
    });
}

/// The descriptor of what the launcher knows of the program.
static PROGRAM: Mutex<Option<i32>> = Mutex::new(None);

/// Takes the descriptor of the program to run without Python, if there is one.
pub fn take_program() -> Option<i32> {
    PROGRAM.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Returns whether to run a program without Python.
pub fn has_program() -> bool {
    PROGRAM.lock().unwrap_or_else(PoisonError::into_inner).is_some()
}

fn note_program(text: &str) {
    let fields: Vec<&str> = text.split('\n').collect();
    // The last field is the former LD_PRELOAD; the field before it is the launcher's as well.
    let Some(descriptor) = fields.len().checked_sub(2).and_then(|place| fields[place].parse().ok()) else { return };
    *PROGRAM.lock().unwrap_or_else(PoisonError::into_inner) = Some(descriptor);
}

/// Restores the environment that the launcher found.
fn restore_environment(order: &CStr, text: &[u8]) {
    let last = text.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let (Ok(preload), Ok(last)) = (CString::new(PRELOAD), CString::new(last)) else { return };
    // SAFETY: the names and the value end in NUL; there is no other thread yet.
    unsafe {
        libc::unsetenv(order.as_ptr());
        match last.to_bytes() {
            b"" => libc::unsetenv(preload.as_ptr()),
            _ => libc::setenv(preload.as_ptr(), last.as_ptr(), 1),
        };
    }
}

impl Order {
    fn read(text: &str) -> Option<Order> {
        let mut fields = text.split('\n');
        let mut next = || fields.next().map(str::to_owned);
        let _module = next()?;
        let wanted = IsolateInputs {
            library: next()?,
            folder: next()?,
            flags: next()?,
            threads: next()?.parse().ok()?,
            sources: next()?.into(),
            names: next()?.into(),
            heap_limit_bytes: crate::v8::start::memory::largest_heap(next()?.parse().ok()?),
        };
        let prepared_ns = next()?.parse().ok()?;
        let prepared = [(wanted.library.clone(), next()?.parse().ok()?), (next()?, next()?.parse().ok()?)];
        Some(Order { wanted, prepared, prepared_ns })
    }

    /// Returns whether the prepared files are unchanged and no other user can have written them.
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
