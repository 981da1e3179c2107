//! Numbers that stand for rt's own JavaScript: each start of a program needs one, to know the snapshot that was made of it.
//!
//! The whole stamp asks about every file below the folder, by its name in its open folder, and sorts nothing: half the time of
//! walking paths. But a snapshot is made of a part of the files only, and names them. So beside the snapshots lies a record for
//! each folder of sources: those files, and the folders, whose time of change tells of files that come or go; what they looked
//! like; and the whole stamp of that moment. While they look like that, the recorded number stands: a sixth of the questions.
use std::collections::HashMap;
use std::ffi::{CStr, OsString};
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use rapidhash::v3::rapidhash_v3;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, Stat, open, openat, stat, statat};

use super::cache::draft;
use super::cache::trust::open_own;

const LISTED_BYTES: usize = 32 << 10;
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// The path of the folder of sources itself, and what stands for the one file that lies elsewhere.
const ITSELF: &str = ".";
const ELSEWHERE: &str = "";
/// A record has a hundred lines; a file that is larger is something else.
const LARGEST_RECORD: u64 = 1 << 20;

/// What a snapshot is made of: a folder with all that is below it, and one file elsewhere.
pub struct Sources {
    pub folder: PathBuf,
    pub file: PathBuf,
}

/// What all sources looked like at one time.
pub struct Look {
    /// A number that changes when a file comes, goes, or is written.
    pub stamp: u64,
    /// For each path below the folder, folders too: a number for what it looked like.
    seen: HashMap<String, u64>,
    folders: Vec<String>,
}

impl Sources {
    /// Look at every file.
    pub fn look(&self) -> io::Result<Look> {
        let own = sum_of(ELSEWHERE, &stat(&self.file)?);
        let folder = open(&self.folder, FOLDER, Mode::empty())?;
        let mut look = Look { stamp: own, seen: HashMap::from([(ELSEWHERE.to_owned(), own)]), folders: Vec::new() };
        look.add_folder(folder.as_fd(), ITSELF, &mut [MaybeUninit::uninit(); LISTED_BYTES])?;
        Ok(look)
    }

    /// The stamp of the last record, if all that counts looks the same as then.
    pub fn recorded(&self, record: &Path) -> Option<u64> {
        let mut text = String::new();
        open_own(record).ok()?.take(LARGEST_RECORD).read_to_string(&mut text).ok()?;
        let (stamp, rest) = text.split_once('\n')?;
        let (sum, paths) = rest.split_once('\n')?;
        let number = |digits| u64::from_str_radix(digits, 16).ok();
        let folder = open(&self.folder, FOLDER, Mode::empty()).ok()?;
        let mut found = sum_of(ELSEWHERE, &stat(&self.file).ok()?);
        for path in paths.lines() {
            found = found.wrapping_add(sum_of(path, &statat(&folder, path, AtFlags::SYMLINK_NOFOLLOW).ok()?));
        }
        (found == number(sum)?).then(|| number(stamp))?
    }
}

impl Look {
    /// Write the record of a snapshot that was made at this look, of `parts`, paths below the folder. Where that cannot be done,
    /// the next start looks at everything again.
    pub fn keep(&self, record: &Path, parts: &[String]) -> io::Result<()> {
        let mut sum = self.seen.get(ELSEWHERE).copied().unwrap_or(0);
        let mut paths = String::new();
        for path in parts.iter().chain(&self.folders) {
            let about = self.seen.get(path).ok_or(io::ErrorKind::NotFound)?;
            sum = sum.wrapping_add(*about);
            paths += path;
            paths.push('\n');
        }
        let text = format!("{:016x}\n{sum:016x}\n{paths}", self.stamp);
        draft::put(record, 0o600, None, false, |file| file.write_all(text.as_bytes()))
    }

    /// Look at the files below an open folder, in whatever order they are listed.
    fn add_folder(&mut self, folder: BorrowedFd<'_>, path: &str, listed: &mut [MaybeUninit<u8>]) -> io::Result<()> {
        // Asked before the folder is read: what comes later changes its time.
        let about = statat(folder, c".", AtFlags::SYMLINK_NOFOLLOW)?;
        self.seen.insert(path.to_owned(), sum_of(path, &about));
        self.folders.push(path.to_owned());
        let mut folders = Vec::new();
        let mut entries = RawDir::new(folder, &mut *listed);
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let name = entry.file_name();
            match entry.file_type() {
                FileType::Directory if name != c"." && name != c".." => folders.push(name.to_owned()),
                FileType::RegularFile => {
                    self.add_file(&below(path, name), &statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?);
                }
                FileType::Unknown if name != c"." && name != c".." => {
                    let about = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
                    match FileType::from_raw_mode(about.st_mode) {
                        FileType::Directory => folders.push(name.to_owned()),
                        FileType::RegularFile => self.add_file(&below(path, name), &about),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        for name in folders {
            let inner = openat(folder, &name, FOLDER, Mode::empty())?;
            self.add_folder(inner.as_fd(), &below(path, &name), listed)?;
        }
        Ok(())
    }

    fn add_file(&mut self, path: &str, about: &Stat) {
        let sum = sum_of(path, about);
        self.stamp = self.stamp.wrapping_add(sum);
        self.seen.insert(path.to_owned(), sum);
    }
}

fn below(folder: &str, name: &CStr) -> String {
    let name = name.to_string_lossy();
    if folder == ITSELF { name.into_owned() } else { format!("{folder}/{name}") }
}

fn sum_of(path: &str, about: &Stat) -> u64 {
    let mut words = [0; 32];
    let numbers = [rapidhash_v3(path.as_bytes()), about.st_size as u64, about.st_mtime as u64, about.st_mtime_nsec];
    for (word, number) in words.chunks_exact_mut(8).zip(numbers) {
        word.copy_from_slice(&number.to_le_bytes());
    }
    rapidhash_v3(&words)
}

#[pyfunction]
fn stamp(py: Python<'_>, folder: OsString, file: OsString) -> PyResult<u64> {
    let sources = Sources { folder: folder.into(), file: file.into() };
    Ok(py.detach(|| sources.look())?.stamp)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(stamp, module)?)
}
