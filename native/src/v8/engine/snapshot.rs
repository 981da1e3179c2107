//! Start-up snapshots: a context in which scripts have run, stored as a file that engines start from.
//!
//! The file consists of a header and V8's blob. The header names the host functions in the order of their indices and
//! the source files. It holds a key of everything that must match (V8, the native functions, the crate), a digest of the
//! source files, and a checksum, because V8 ends the process on a blob of another version or a damaged one. The checksum
//! takes 0.1 ms per megabyte, which V8 is about to read anyway.
use std::collections::HashSet;
use std::ffi::{OsString, c_int};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::files::cache::mapped::Mapped;
use crate::files::stamps::Sources;

use super::context::{install_host, new_context, new_params, take_roots};
use super::host_table;
use crate::v8::api::layout::{Blob, SNAPSHOT_CREATOR_WORDS, VERSION};
use crate::v8::api::{Raw, v8};
use crate::v8::modules::library_code;
use crate::v8::modules::script::{self, Origin};
use crate::v8::start::library;
use crate::v8::values::scope::{self, NO_HANDLE, Scope};
use crate::v8::values::state::State;

const MAGIC: &[u8; 8] = b"RTSNAP05";
/// Magic, key, sizes of the names, the parts and the blob, digest of the sources, checksum.
const FIXED_HEADER: usize = 56;
const ALIGNMENT: usize = 64;
const KEEP_FUNCTION_CODE: c_int = 1;

/// A snapshot in memory, which lives as long as its isolate.
pub struct Loaded {
    blob: Box<Blob>,
    pub names: Vec<String>,
    /// The names of the source files, one a line, as the last script of `build_snapshot` returned them.
    pub parts: String,
    /// The digest of the sources.
    digest: u64,
    _memory: Memory,
}

/// The contents of a valid file.
struct Sections<'a> {
    names: &'a str,
    parts: &'a str,
    blob: &'a [u8],
    digest: u64,
}

impl Sections<'_> {
    /// Divides a file; None if it is damaged or made by another build.
    fn of(bytes: &[u8]) -> Option<Sections<'_>> {
        let word = |at: usize| -> Option<u64> {
            bytes.get(at..at + 8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
        };
        let (names_size, parts_size, blob_size) = (word(16)? as usize, word(24)? as usize, word(32)? as usize);
        let (digest, checksum) = (word(40)?, word(48)?);
        let names_end = FIXED_HEADER.saturating_add(names_size);
        let parts_end = names_end.saturating_add(parts_size);
        let names = bytes.get(FIXED_HEADER..names_end)?;
        let parts = bytes.get(names_end..parts_end)?;
        let blob = bytes.get(parts_end.next_multiple_of(ALIGNMENT)..)?;
        let is_of_this_build = &bytes[..8] == MAGIC && word(8)? == key();
        let is_whole = blob.len() == blob_size && c_int::try_from(blob_size).is_ok();
        if !is_of_this_build || !is_whole || checksum != sum_of(&bytes[FIXED_HEADER..]) {
            return None;
        }
        let (names, parts) = (std::str::from_utf8(names).ok()?, std::str::from_utf8(parts).ok()?);
        Some(Sections { names, parts, blob, digest })
    }
}

enum Memory {
    Bytes(#[allow(dead_code, reason = "keeps the bytes alive")] Py<PyBytes>),
    Map(#[allow(dead_code, reason = "keeps the bytes mapped")] Mapped),
}

fn key() -> u64 {
    let mut hasher = DefaultHasher::new();
    (VERSION, env!("CARGO_PKG_VERSION"), host_table::natives().iter().map(|(name, _)| *name).collect::<Vec<_>>())
        .hash(&mut hasher);
    hasher.finish()
}

impl Loaded {
    /// Opens a snapshot from its bytes, or from the path of a file, which is mapped.
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

    /// Maps the snapshot in the file at `path`.
    pub fn map(path: &str) -> PyResult<Loaded> {
        let path = Path::new(path);
        let mapped = Mapped::open(path)?;
        let (start, size) = (mapped.bytes().as_ptr(), mapped.bytes().len());
        let loaded = Loaded::parse(start, size, Memory::Map(mapped))?;
        library_code::belongs_to(path);
        Ok(loaded)
    }

    fn parse(data: *const u8, size: usize, memory: Memory) -> PyResult<Loaded> {
        // SAFETY: `memory` keeps `size` bytes at `data`.
        let bytes = unsafe { std::slice::from_raw_parts(data, size) };
        let sections = Sections::of(bytes).ok_or_else(|| PyValueError::new_err("not a snapshot of this build"))?;
        let names = sections.names.lines().map(str::to_owned).collect();
        let blob = Box::new(Blob { data: sections.blob.as_ptr(), size: sections.blob.len() as c_int });
        Ok(Loaded { blob, names, parts: sections.parts.to_owned(), digest: sections.digest, _memory: memory })
    }

    /// The paths of the source files, relative to their folder.
    pub fn source_paths(&self) -> Vec<String> {
        source_paths(&self.parts)
    }

    /// The file of another heap that was started from this snapshot.
    pub fn with_blob(&self, blob: &[u8]) -> Vec<u8> {
        container(&self.names, &self.parts, blob, self.digest)
    }

    pub fn blob(&self) -> *const Blob {
        &*self.blob
    }
}

fn sum_of(bytes: &[u8]) -> u64 {
    rapidhash::v3::rapidhash_v3(bytes)
}

fn source_paths(parts: &str) -> Vec<String> {
    parts.lines().map(|name| format!("{name}.js")).collect()
}

fn container(names: &[String], parts: &str, blob: &[u8], digest: u64) -> Vec<u8> {
    let names = names.join("\n");
    let start = (FIXED_HEADER + names.len() + parts.len()).next_multiple_of(ALIGNMENT);
    let mut bytes = Vec::with_capacity(start + blob.len());
    bytes.extend_from_slice(MAGIC);
    for word in [key(), names.len() as u64, parts.len() as u64, blob.len() as u64, digest, 0] {
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

/// Runs `scripts`, pairs of a file name and a source text, in a fresh context and returns its snapshot.
///
/// `host_functions` are names: the global object `host_name` gets a function for each, in addition to the native ones.
/// Scripts may store them anywhere, but must not call them before an engine started from the snapshot binds them. Of
/// the scripts named in `eager` every function is compiled, not only those that ran. If the last script returns a text,
/// it is stored as `parts`. With `sources`, the folder of the parts and one more file, a digest of their contents is
/// stored for `snapshot_is_current`.
#[pyfunction]
#[pyo3(signature = (scripts, host_functions=vec![], host_name="__host", eager=HashSet::new(), sources=None))]
fn build_snapshot(
    py: Python<'_>,
    scripts: Vec<(String, Bound<'_, PyAny>)>,
    host_functions: Vec<String>,
    host_name: &str,
    eager: HashSet<String>,
    sources: Option<(OsString, OsString)>,
) -> PyResult<Py<PyBytes>> {
    library::check_started()?;
    let mut params = new_params(None, None);
    let mut creator = [0usize; SNAPSHOT_CREATOR_WORDS];
    let creator = creator.as_mut_ptr() as Raw;
    // SAFETY: the memory is large enough and outlives the creator, which keeps its isolate current until its end.
    let state = unsafe {
        (v8().snapshot_creator)(creator, params.as_mut_ptr() as Raw);
        State::new((v8().snapshot_isolate)(creator))
    };
    let outcome = fill(py, &state, creator, &scripts, &host_functions, host_name, &eager);
    state.abandon();
    // SAFETY: no scope is open and no handle is left. A blob needs a context, which `fill` has set.
    let bytes = unsafe {
        let blob = outcome.is_ok().then(|| (v8().snapshot_blob)(creator, KEEP_FUNCTION_CODE));
        (v8().snapshot_creator_end)(creator);
        let parts = outcome?;
        let digest = match sources {
            Some(sources) => Sources::from(sources).digest(&source_paths(&parts))?,
            None => 0,
        };
        blob.map(|blob| {
            let blob_bytes = std::slice::from_raw_parts(blob.data, blob.size as usize);
            let bytes = container(&host_functions, &parts, blob_bytes, digest);
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
    // SAFETY: the creator made the isolate current on this thread.
    unsafe { state.begin(new_context(state.isolate, false)?) };
    // SAFETY: this thread created the isolate.
    let outcome = unsafe {
        scope::open(state, |scope| {
            take_roots(scope)?;
            library::ready_icu(scope);
            install_host(scope, host_functions, host_name)?;
            let mut last = None;
            for (name, source) in scripts {
                let eager = eager.contains(name);
                let origin = Origin { eager, ..Origin::of_script(name) };
                last = Some(script::run(scope, py, source, &origin)?);
            }
            let parts = last.and_then(|value| value.extract(py).ok()).unwrap_or_default();
            add_contexts(scope, creator);
            Ok(parts)
        })
    };
    state.release_everything();
    outcome
}

/// Names the contexts of a snapshot: the default one, the base of `node:vm` contexts, which has the language's own globals
/// only, and the context of `scope`.
///
/// # Safety
/// `creator` made the isolate of `scope`.
pub unsafe fn add_contexts(scope: &Scope<'_>, creator: Raw) {
    let n = null_mut();
    // SAFETY: guaranteed by the caller; the handles are live.
    unsafe {
        let plain = (v8().context_new)(scope.isolate, n, NO_HANDLE, NO_HANDLE, n, n, n, n, n, n, n);
        (v8().snapshot_context)(creator, plain, n, n, n, n, n, n);
        (v8().snapshot_add_context)(creator, scope.context.handle(), n, n, n, n, n, n);
    }
}

/// Returns whether `data` is a snapshot of this build whose sources, a folder and one more file, have the same contents
/// as when it was made.
#[pyfunction]
fn snapshot_is_current(py: Python<'_>, data: &[u8], folder: OsString, file: OsString) -> bool {
    py.detach(|| {
        Sections::of(data).is_some_and(|sections| {
            let digest = Sources::from((folder, file)).digest(&source_paths(sections.parts));
            digest.is_ok_and(|digest| digest == sections.digest)
        })
    })
}

/// The path in `folder` of the snapshot for sources with that stamp.
#[pyfunction]
pub fn snapshot_path(folder: &str, stamp: u64) -> String {
    format!("{folder}/{stamp:016x}-{:016x}.snapshot", key())
}

/// The path of the record that maps the sources in `sources` to the snapshots of this build (`files/stamps.rs`).
pub fn record_path(folder: &str, sources: &Path) -> PathBuf {
    let sources = sum_of(sources.as_os_str().as_encoded_bytes());
    PathBuf::from(format!("{folder}/{sources:016x}-{:016x}.parts", key()))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(snapshot_is_current, module)?)?;
    module.add_function(wrap_pyfunction!(snapshot_path, module)?)?;
    module.add_function(wrap_pyfunction!(build_snapshot, module)?)
}
