//! A file that appears whole or not at all: written under a random name beside its place, then renamed.
//!
//! The writer holds a lock on its draft; one that nobody holds belongs to a process that is gone, and is removed by the
//! next writer in that folder. Whatever lies at the target gives way, a folder too: this folder is rt's own.
use std::fs::{DirBuilder, File, FileTimes, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use pyo3::prelude::*;

const ENDING: &str = ".draft";
/// How often a draft is made: between its creation and its lock another writer may take it for abandoned and remove it.
const ATTEMPTS: usize = 3;

pub struct Draft {
    pub file: File,
    path: PathBuf,
    is_placed: bool,
}

impl Draft {
    /// A fresh empty file in `folder`, which is made if need be.
    pub fn create(folder: &Path, mode: u32) -> Result<Draft> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        sweep(folder);
        let path = folder.join(format!(".{:016x}{ENDING}", random()?));
        let flags = libc::O_NOFOLLOW | libc::O_CLOEXEC;
        let file = OpenOptions::new().write(true).create_new(true).mode(mode).custom_flags(flags).open(&path)?;
        lock(&file)?;
        Ok(Draft { file, path, is_placed: false })
    }

    /// Rename it to `target`, with the modification time if one is given; with `is_durable` its bytes are on disk before.
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

/// Write a file with `fill`; again if the draft was swept away meanwhile.
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

/// Remove the drafts of processes that are gone.
fn sweep(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if !entry.file_name().as_encoded_bytes().windows(ENDING.len()).any(|part| part == ENDING.as_bytes()) {
            continue;
        }
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC;
        match OpenOptions::new().read(true).custom_flags(flags).open(entry.path()) {
            Ok(file) if lock(&file).is_err() => {} // somebody is writing it
            _ => {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

fn lock(file: &File) -> Result<()> {
    // SAFETY: the descriptor is open.
    match unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

fn random() -> Result<u64> {
    let mut bytes = [0; 8];
    // SAFETY: the buffer is eight bytes.
    match unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) } {
        8 => Ok(u64::from_ne_bytes(bytes)),
        _ => Err(Error::last_os_error()),
    }
}

#[pyfunction]
fn cache_put(py: Python<'_>, path: PathBuf, data: &[u8], is_durable: bool) -> PyResult<()> {
    py.detach(|| put(&path, 0o600, None, is_durable, |file| file.write_all(data)))?;
    Ok(())
}

/// A copy that shares its blocks with `source` where the file system can, and never its inode.
#[pyfunction]
fn cache_copy(py: Python<'_>, source: PathBuf, target: PathBuf, mtime_ns: u64) -> PyResult<()> {
    py.detach(|| {
        put(&target, 0o600, Some(mtime_ns), true, |file| {
            let mut source = File::open(&source)?;
            // SAFETY: both descriptors are open; a refusal changes nothing.
            if unsafe { libc::ioctl(file.as_raw_fd(), libc::FICLONE, source.as_raw_fd()) } == 0 {
                return Ok(());
            }
            std::io::copy(&mut source, file).map(|_| ())
        })
    })?;
    Ok(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(cache_put, module)?)?;
    module.add_function(wrap_pyfunction!(cache_copy, module)?)
}
