//! Fingerprints of rt's JavaScript sources: each start of a program needs one, to find the snapshot made from them.
//!
//! The whole stamp covers every file below the folder, by its name in its open folder, without sorting, which takes
//! half the time of walking paths. A snapshot is made from some of the files only, and names them. A record beside the
//! snapshots therefore stores, for each folder of sources, the state of those files and of the folders, whose times
//! change when files are added or removed, together with the whole stamp of that moment. While that state is unchanged,
//! the recorded stamp is valid: a sixth of the system calls.
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
/// The path that stands for the folder of sources, and the one for the file outside of it.
const ITSELF: &str = ".";
const ELSEWHERE: &str = "";
/// A record has about a hundred lines; a larger file is not a record.
const LARGEST_RECORD: u64 = 1 << 20;

/// The sources of a snapshot: a folder with everything below it, and one file elsewhere.
pub struct Sources {
    pub folder: PathBuf,
    pub file: PathBuf,
}

/// The state of all sources at one time.
pub struct Look {
    /// A number that changes when a file is added, removed or written.
    pub stamp: u64,
    /// A number for the state of each path below the folder, including folders.
    seen: HashMap<String, u64>,
    folders: Vec<String>,
}

impl From<(OsString, OsString)> for Sources {
    fn from((folder, file): (OsString, OsString)) -> Sources {
        Sources { folder: folder.into(), file: file.into() }
    }
}

impl Sources {
    /// A number for the contents of the file and of `parts`, paths below the folder: unlike the stamp it is the same
    /// wherever and whenever the sources were installed.
    pub fn digest(&self, parts: &[String]) -> io::Result<u64> {
        let mut digest = rapidhash_v3(&std::fs::read(&self.file)?);
        for part in parts {
            let content = rapidhash_v3(&std::fs::read(self.folder.join(part))?);
            digest = rapidhash_v3(&[digest, rapidhash_v3(part.as_bytes()), content].map(u64::to_le_bytes).concat());
        }
        Ok(digest)
    }

    /// Reads the state of every file.
    pub fn look(&self) -> io::Result<Look> {
        let own = sum_of(ELSEWHERE, &stat(&self.file)?);
        let folder = open(&self.folder, FOLDER, Mode::empty())?;
        let mut look = Look { stamp: own, seen: HashMap::from([(ELSEWHERE.to_owned(), own)]), folders: Vec::new() };
        look.add_folder(folder.as_fd(), ITSELF, &mut [MaybeUninit::uninit(); LISTED_BYTES])?;
        Ok(look)
    }

    /// The stamp of the last record, if everything it covers is unchanged.
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
    /// Writes the record of a snapshot made of `parts`, paths below the folder, at this state. If that fails, the next
    /// start reads all files again.
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

    /// Reads the state of the files below an open folder, in directory order.
    fn add_folder(&mut self, folder: BorrowedFd<'_>, path: &str, listed: &mut [MaybeUninit<u8>]) -> io::Result<()> {
        // Read before the folder is listed, so that later changes alter its time.
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
    let sources = Sources::from((folder, file));
    Ok(py.detach(|| sources.look())?.stamp)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(stamp, module)?)
}
