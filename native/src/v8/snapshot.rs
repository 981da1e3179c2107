//! Start-up snapshots: a context in which scripts have run, as a file to start engines from.
//!
//! The file is V8's blob behind a header that names the host functions in it, in the order of their indices, and the files that
//! it was made of; a key of everything that must match (V8 itself, the native functions, the crate); and a checksum of the
//! rest: V8 ends the process over a blob of another version or with damage in it. The checksum takes 0.1 ms for a megabyte,
//! which V8 is about to read anyway.
use std::collections::HashSet;
use std::ffi::c_int;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::files::cache::trust::open_own;

use super::api::{Raw, v8};
use super::context::{install_host, new_context, new_params, take_roots};
use super::layout::{Blob, SNAPSHOT_CREATOR_WORDS, VERSION};
use super::library_code;
use super::natives;
use super::scope::{self, NO_HANDLE};
use super::script::{self, Origin};
use super::start;
use super::state::State;

const MAGIC: &[u8; 8] = b"RTSNAP04";
/// Magic, key, sizes of the names, the parts and the blob, checksum.
const FIXED_HEADER: usize = 48;
const ALIGNMENT: usize = 64;
const KEEP_FUNCTION_CODE: c_int = 1;

/// A snapshot in memory, kept for as long as its isolate lives.
pub struct Loaded {
    blob: Box<Blob>,
    pub names: Vec<String>,
    /// What it was made of, as the last script of `build_snapshot` told: a name a line.
    pub parts: String,
    _memory: Memory,
}

enum Memory {
    Bytes(#[allow(dead_code, reason = "keeps the bytes alive")] Py<PyBytes>),
    Map(#[allow(dead_code, reason = "keeps the bytes mapped")] Mapped),
}

/// A file of rt's own cache, mapped.
pub struct Mapped {
    address: Raw,
    size: usize,
}

// SAFETY: the bytes are only read, and nobody writes to a file of the cache once it has its name.
unsafe impl Send for Mapped {}
// SAFETY: as above.
unsafe impl Sync for Mapped {}

impl Mapped {
    pub fn open(path: &Path) -> std::io::Result<Mapped> {
        let file = open_own(path)?;
        let size = file.metadata()?.len() as usize;
        if size == 0 {
            return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof));
        }
        // SAFETY: a fresh private mapping of an open file.
        let address = unsafe { libc::mmap(null_mut(), size, libc::PROT_READ, libc::MAP_PRIVATE, file.as_raw_fd(), 0) };
        if address == libc::MAP_FAILED { Err(std::io::Error::last_os_error()) } else { Ok(Mapped { address, size }) }
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping has that size and lives as long as `self`.
        unsafe { std::slice::from_raw_parts(self.address as *const u8, self.size) }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: the mapping made in `open`, given back once.
        unsafe { libc::munmap(self.address, self.size) };
    }
}

fn key() -> u64 {
    let mut hasher = DefaultHasher::new();
    (VERSION, env!("CARGO_PKG_VERSION"), natives::all().iter().map(|(name, _)| *name).collect::<Vec<_>>())
        .hash(&mut hasher);
    hasher.finish()
}

impl Loaded {
    /// A snapshot from its bytes, or from the file of that path, which is mapped.
    pub fn open(source: &Bound<'_, PyAny>) -> PyResult<Loaded> {
        if let Ok(bytes) = source.cast::<PyBytes>() {
            let memory = Memory::Bytes(bytes.clone().unbind());
            return Loaded::parse(bytes.as_bytes().as_ptr(), bytes.as_bytes().len(), memory);
        }
        let Ok(path) = source.cast::<PyString>() else {
            return Err(PyTypeError::new_err("a snapshot is bytes or the path of a file"));
        };
        Loaded::map(&path.to_cow()?)
    }

    /// The snapshot in the file of that path, mapped.
    pub fn map(path: &str) -> PyResult<Loaded> {
        let path = Path::new(path);
        let mapped = Mapped::open(path)?;
        let (start, size) = (mapped.bytes().as_ptr(), mapped.size);
        let loaded = Loaded::parse(start, size, Memory::Map(mapped))?;
        library_code::belongs_to(path);
        Ok(loaded)
    }

    fn parse(data: *const u8, size: usize, memory: Memory) -> PyResult<Loaded> {
        // SAFETY: `memory` keeps `size` bytes at `data`.
        let bytes = unsafe { std::slice::from_raw_parts(data, size) };
        let broken = || PyValueError::new_err("this is no snapshot of this build");
        let word = |at: usize| -> Option<usize> {
            bytes.get(at..at + 8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")) as usize)
        };
        let header = || Some((word(8)?, word(16)?, word(24)?, word(32)?, word(40)?));
        let (found_key, names_size, parts_size, blob_size, checksum) = header().ok_or_else(broken)?;
        let names_end = FIXED_HEADER.saturating_add(names_size);
        let parts_end = names_end.saturating_add(parts_size);
        let names = bytes.get(FIXED_HEADER..names_end).ok_or_else(broken)?;
        let parts = bytes.get(names_end..parts_end).ok_or_else(broken)?;
        let start = parts_end.next_multiple_of(ALIGNMENT);
        let whole = start.checked_add(blob_size) == Some(size);
        if &bytes[..8] != MAGIC || found_key as u64 != key() || !whole || c_int::try_from(blob_size).is_err() {
            return Err(broken());
        }
        if checksum as u64 != sum_of(&bytes[FIXED_HEADER..]) {
            return Err(broken());
        }
        let text = |bytes| std::str::from_utf8(bytes).map_err(|_| broken());
        let names = text(names)?.lines().map(str::to_owned).collect();
        let parts = text(parts)?.to_owned();
        // SAFETY: `start` is inside the bytes.
        let blob = Box::new(Blob { data: unsafe { data.add(start) }, size: blob_size as c_int });
        Ok(Loaded { blob, names, parts, _memory: memory })
    }

    pub fn blob(&self) -> *const Blob {
        &*self.blob
    }
}

fn sum_of(bytes: &[u8]) -> u64 {
    rapidhash::v3::rapidhash_v3(bytes)
}

fn container(names: &[String], parts: &str, blob: &[u8]) -> Vec<u8> {
    let names = names.join("\n");
    let start = (FIXED_HEADER + names.len() + parts.len()).next_multiple_of(ALIGNMENT);
    let mut bytes = Vec::with_capacity(start + blob.len());
    bytes.extend_from_slice(MAGIC);
    for word in [key(), names.len() as u64, parts.len() as u64, blob.len() as u64, 0] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(names.as_bytes());
    bytes.extend_from_slice(parts.as_bytes());
    bytes.resize(start, 0);
    bytes.extend_from_slice(blob);
    let checksum = sum_of(&bytes[FIXED_HEADER..]);
    bytes[FIXED_HEADER - 8..FIXED_HEADER].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Run `scripts`, pairs of a file name and a source text, in a fresh context and return the snapshot of it.
///
/// `host_functions` are names: the global object `host_name` holds a function for each, and rt's native ones. They may
/// be stored anywhere, but not called, before an engine that starts from the snapshot binds them. Of the scripts named in
/// `eager` every function is compiled, not only those that ran. A text that the last script ends with is kept as `parts`.
#[pyfunction]
#[pyo3(signature = (scripts, host_functions=vec![], host_name="__host", eager=HashSet::new()))]
fn build_snapshot(
    py: Python<'_>,
    scripts: Vec<(String, Bound<'_, PyAny>)>,
    host_functions: Vec<String>,
    host_name: &str,
    eager: HashSet<String>,
) -> PyResult<Py<PyBytes>> {
    start::check_started()?;
    let mut params = new_params(None, None);
    let mut creator = [0usize; SNAPSHOT_CREATOR_WORDS];
    let creator = creator.as_mut_ptr() as Raw;
    // SAFETY: the memory is large enough and outlives the creator, which makes its isolate current until its end.
    let state = unsafe {
        (v8().snapshot_creator)(creator, params.as_mut_ptr() as Raw);
        State::new((v8().snapshot_isolate)(creator))
    };
    let outcome = fill(py, &state, creator, &scripts, &host_functions, host_name, &eager);
    state.abandon();
    // SAFETY: no scope is open and no handle is left; a context must be set before a blob can be made, and `fill` did.
    let bytes = unsafe {
        let blob = outcome.is_ok().then(|| (v8().snapshot_blob)(creator, KEEP_FUNCTION_CODE));
        (v8().snapshot_creator_end)(creator);
        let parts = outcome?;
        blob.map(|blob| {
            let blob_bytes = std::slice::from_raw_parts(blob.data, blob.size as usize);
            let bytes = container(&host_functions, &parts, blob_bytes);
            (v8().operator_delete)(blob.data as Raw);
            bytes
        })
    };
    Ok(PyBytes::new(py, &bytes.unwrap_or_default()).unbind())
}

fn fill(
    py: Python<'_>,
    state: &State,
    creator: Raw,
    scripts: &[(String, Bound<'_, PyAny>)],
    host_functions: &[String],
    host_name: &str,
    eager: &HashSet<String>,
) -> PyResult<String> {
    // SAFETY: the creator has made the isolate current on this thread.
    unsafe { state.begin(new_context(state.isolate, false)?) };
    // SAFETY: this thread made the isolate just now.
    let outcome = unsafe {
        scope::open(state, |scope| {
            take_roots(scope)?;
            start::ready_icu(scope);
            install_host(scope, host_functions, host_name)?;
            let mut last = None;
            for (name, source) in scripts {
                let eager = eager.contains(name);
                let origin = Origin { eager, ..Origin::of_script(name) };
                last = Some(script::run(scope, py, source, &origin)?);
            }
            let parts = last.and_then(|value| value.extract(py).ok()).unwrap_or_default();
            let (creator, n) = (creator, null_mut());
            // The default context, from which others are made (`node:vm`), has the language's own globals only.
            let plain = (v8().context_new)(scope.isolate, n, NO_HANDLE, NO_HANDLE, n, n, n, n, n, n, n);
            (v8().snapshot_context)(creator, plain, n, n, n, n, n, n);
            (v8().snapshot_add_context)(creator, scope.context.handle(), n, n, n, n, n, n);
            Ok(parts)
        })
    };
    state.release_everything();
    outcome
}

/// Where the snapshot of the sources with that stamp is kept in `folder`.
#[pyfunction]
pub fn snapshot_path(folder: &str, stamp: u64) -> String {
    format!("{folder}/{stamp:016x}-{:016x}.snapshot", key())
}

/// Where the record of the sources in `sources` lies: for what of them the snapshots of this build are made (`files/stamps.rs`).
pub fn record_path(folder: &str, sources: &Path) -> PathBuf {
    let sources = sum_of(sources.as_os_str().as_encoded_bytes());
    PathBuf::from(format!("{folder}/{sources:016x}-{:016x}.parts", key()))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(snapshot_path, module)?)?;
    module.add_function(wrap_pyfunction!(build_snapshot, module)?)
}
