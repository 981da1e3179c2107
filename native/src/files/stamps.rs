//! A number for a whole folder, which changes when any file in it does: rt's own JavaScript is looked at so at each start
//! of a program. Each file is asked about by its name in its open folder, and nothing is sorted: half the time of walking paths.
//!
//! A wheel brings the number with it (`packaging/edition.py`): nobody changes the files of an installed rt one by one.
use std::ffi::{CStr, OsString};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use pyo3::prelude::*;
use rapidhash::v3::rapidhash_v3;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, Stat, open, openat, stat, statat};

const LISTED_BYTES: usize = 32 << 10;
const OF_FILE: u64 = 1;

/// The file in a folder that stands for all of them, and for what else a stamp is made of.
const EDITION: &str = "EDITION";
const LONGEST_EDITION: usize = 256;

/// A number that changes when `file`, or a file anywhere below `folder`, comes, goes, or is written; with an edition it is the
/// edition's.
pub fn stamp_of(folder: &Path, file: &Path) -> io::Result<u64> {
    if let Some(edition) = edition_of(folder) {
        return Ok(rapidhash_v3(&edition));
    }
    let own = sum_of(OF_FILE, c"", &stat(file)?);
    let folder = open(folder, FOLDER, Mode::empty())?;
    let mut listed = vec![MaybeUninit::uninit(); LISTED_BYTES];
    Ok(own.wrapping_add(folder_sum(folder.as_fd(), 0, &mut listed)?))
}

fn edition_of(folder: &Path) -> Option<Vec<u8>> {
    let text = std::fs::read(folder.join(EDITION)).ok()?;
    (!text.is_empty() && text.len() <= LONGEST_EDITION).then_some(text)
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// The sum over the files below an open folder, in whatever order they are listed. `place` stands for the folder's path.
fn folder_sum(folder: BorrowedFd<'_>, place: u64, listed: &mut [MaybeUninit<u8>]) -> io::Result<u64> {
    let mut sum = 0u64;
    let mut folders = Vec::new();
    let mut entries = RawDir::new(folder, &mut *listed);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = entry.file_name();
        match entry.file_type() {
            FileType::Directory if name != c"." && name != c".." => folders.push(name.to_owned()),
            FileType::RegularFile => {
                sum = sum.wrapping_add(sum_of(place, name, &statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?));
            }
            FileType::Unknown if name != c"." && name != c".." => {
                let about = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
                match FileType::from_raw_mode(about.st_mode) {
                    FileType::Directory => folders.push(name.to_owned()),
                    FileType::RegularFile => sum = sum.wrapping_add(sum_of(place, name, &about)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    for name in folders {
        let inner = openat(folder, &name, FOLDER, Mode::empty())?;
        sum = sum.wrapping_add(folder_sum(inner.as_fd(), place_of(place, &name), listed)?);
    }
    Ok(sum)
}

fn place_of(folder: u64, name: &CStr) -> u64 {
    rapidhash_v3(&[&folder.to_le_bytes(), name.to_bytes()].concat())
}

fn sum_of(folder: u64, name: &CStr, about: &Stat) -> u64 {
    let mut words = [0; 32];
    let numbers = [place_of(folder, name), about.st_size as u64, about.st_mtime as u64, about.st_mtime_nsec];
    for (word, number) in words.chunks_exact_mut(8).zip(numbers) {
        word.copy_from_slice(&number.to_le_bytes());
    }
    rapidhash_v3(&words)
}

#[pyfunction]
fn stamp(py: Python<'_>, folder: OsString, file: OsString) -> PyResult<u64> {
    Ok(py.detach(|| stamp_of(Path::new(&folder), Path::new(&file)))?)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(stamp, module)?)
}
