//! Atomic file replacement: a file is written under a random name in the target's folder, then renamed.
//!
//! The writer holds a lock on its draft; an unlocked draft belongs to a dead process, and the next process that writes
//! in that folder removes it. Anything at the target is replaced, even a folder, because the folder belongs to rt.
use std::collections::HashSet;
use std::fs::{DirBuilder, File, FileTimes, OpenOptions};
use std::io::{ErrorKind, Result, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rt_guardian::system::error_text;
use rustix::fs::FlockOperation;

const ENDING: &str = ".draft";
/// How often a draft is created: another writer may consider it abandoned between its creation and its lock, and remove
/// it.
const ATTEMPTS: usize = 3;

/// The folders that this process has created if they were missing, and swept: a run may write thousands of files into one.
static SWEPT: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

pub struct Draft {
    pub file: File,
    path: PathBuf,
    is_placed: bool,
}

impl Draft {
    /// Creates an empty file in `folder`, which is created as needed.
    pub fn create(folder: &Path, mode: u32) -> Result<Draft> {
        if !SWEPT.lock().unwrap_or_else(PoisonError::into_inner).contains(folder) {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            sweep(folder);
            SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_path_buf());
        }
        match Draft::create_in(folder, mode) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                DirBuilder::new().recursive(true).mode(0o700).create(folder)?; // it was removed meanwhile
                Draft::create_in(folder, mode)
            }
            outcome => outcome,
        }
    }

    fn create_in(folder: &Path, mode: u32) -> Result<Draft> {
        let path = folder.join(format!(".{:016x}{ENDING}", random()?));
        let flags = libc::O_NOFOLLOW | libc::O_CLOEXEC;
        let file = OpenOptions::new().write(true).create_new(true).mode(mode).custom_flags(flags).open(&path)?;
        lock(&file)?;
        Ok(Draft { file, path, is_placed: false })
    }

    /// Renames it to `target`, with a modification time if given; with `is_durable` its bytes are flushed to disk first.
    pub fn place(mut self, target: &Path, mtime_ns: Option<u64>, is_durable: bool) -> Result<()> {
        if let Some(mtime_ns) = mtime_ns {
            self.file.set_times(FileTimes::new().set_modified(UNIX_EPOCH + Duration::from_nanos(mtime_ns)))?;
        }
        if is_durable {
            self.file.sync_all()?;
        }
        if let Err(error) = std::fs::rename(&self.path, target) {
            if !target.symlink_metadata().is_ok_and(|about| about.is_dir()) {
                return Err(error);
            }
            std::fs::remove_dir_all(target)?;
            std::fs::rename(&self.path, target)?;
        }
        self.is_placed = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_placed {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Writes a file with `fill`, and again if the draft was removed meanwhile.
pub fn put(
    target: &Path,
    mode: u32,
    mtime_ns: Option<u64>,
    is_durable: bool,
    fill: impl Fn(&mut File) -> Result<()>,
) -> Result<()> {
    let folder = target.parent().ok_or(ErrorKind::InvalidInput)?;
    for attempt in 1.. {
        let mut draft = Draft::create(folder, mode)?;
        fill(&mut draft.file)?;
        match draft.place(target, mtime_ns, is_durable) {
            Err(error) if error.kind() == ErrorKind::NotFound && attempt < ATTEMPTS => {}
            outcome => return outcome,
        }
    }
    unreachable!("the last attempt returns")
}

/// Removes the drafts of dead processes.
fn sweep(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if !entry.file_name().as_encoded_bytes().windows(ENDING.len()).any(|part| part == ENDING.as_bytes()) {
            continue;
        }
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC;
        match OpenOptions::new().read(true).custom_flags(flags).open(entry.path()) {
            Ok(file) if lock(&file).is_err() => {} // another process is writing it
            _ => {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

fn lock(file: &File) -> Result<()> {
    Ok(rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive)?)
}

fn random() -> Result<u64> {
    let mut bytes = [0; 8];
    match rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())? {
        8 => Ok(u64::from_ne_bytes(bytes)),
        _ => Err(std::io::ErrorKind::UnexpectedEof.into()),
    }
}

#[pyfunction]
fn cache_put(py: Python<'_>, path: PathBuf, data: &[u8], is_durable: bool) -> PyResult<()> {
    py.detach(|| put(&path, 0o600, None, is_durable, |file| file.write_all(data)))
        .map_err(|error| failure(&error, path))
}

/// Copies the whole of `source` into the empty `file`, as a reflink if the file system supports it.
pub fn copy(mut source: &File, file: &mut File) -> Result<()> {
    if rustix::fs::ioctl_ficlone(&*file, source).is_ok() {
        return Ok(());
    }
    source.rewind()?;
    std::io::copy(&mut source, file).map(|_| ())
}

/// Copies `source`; the copy is always a new inode.
#[pyfunction]
fn cache_copy(py: Python<'_>, source: PathBuf, target: PathBuf, mtime_ns: u64) -> PyResult<()> {
    py.detach(|| put(&target, 0o600, Some(mtime_ns), true, |file| copy(&File::open(&source)?, file)))
        .map_err(|error| failure(&error, target))
}

/// An OSError with `errno`, `strerror` and `filename`, like those of Python's own functions.
fn failure(error: &std::io::Error, path: PathBuf) -> PyErr {
    PyOSError::new_err((error.raw_os_error(), error_text(error), path))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(cache_put, module)?)?;
    module.add_function(wrap_pyfunction!(cache_copy, module)?)
}
