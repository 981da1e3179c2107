//! Folder listings, used instead of single lookups for folders in which many files are looked up.
//!
//! Listings are used only while a graph is read (`Watch`). Nothing of the program runs meanwhile, and changes by others
//! in these milliseconds could as well have come earlier or later. Names missing in a listing are looked up on disk, as
//! a file system may know a file by other names than the listed one (`A.ts` for `a.ts`).
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use oxc_resolver::FileMetadata;
use rapidhash::RapidHashMap;
use rustix::fs::{CWD, Dir, FileType, Mode, OFlags, openat};

/// This many lookups cost as much as listing an ordinary folder.
const LOOKS_BEFORE_LIST: u32 = 16;
/// A larger folder is not worth listing.
const MOST_ENTRIES: usize = 4096;

type List = RapidHashMap<OsString, FileMetadata>;

enum Folder {
    /// Looked up that many times.
    Seen(u32),
    Listed(List),
    /// Too large, or the file system does not report the types of entries.
    Unlisted,
}

#[derive(Default)]
struct State {
    readers: usize,
    known: RapidHashMap<PathBuf, Folder>,
}

#[derive(Default)]
pub struct Folders(Mutex<State>);

/// Listings are kept while one of these exists.
pub struct Watch<'a>(&'a Folders);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.readers -= 1;
        state.known = RapidHashMap::default();
    }
}

impl Folders {
    pub fn watch(&self) -> Watch<'_> {
        self.lock().readers += 1;
        Watch(self)
    }

    pub fn forget(&self) {
        self.lock().known.clear();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The type of `path`, without following links; None if the disk must be checked.
    pub fn find(&self, path: &Path) -> Option<FileMetadata> {
        let (parent, name) = (path.parent()?, path.file_name()?);
        let mut state = self.lock();
        if state.readers == 0 {
            return None;
        }
        let Some(folder) = state.known.get_mut(parent) else {
            state.known.insert(parent.to_path_buf(), Folder::Seen(1));
            return None;
        };
        if let Folder::Seen(looks) = folder {
            *looks += 1;
            if *looks < LOOKS_BEFORE_LIST {
                return None;
            }
            *folder = list(parent).map_or(Folder::Unlisted, Folder::Listed);
        }
        let Folder::Listed(list) = folder else { return None };
        list.get(name).copied()
    }
}

fn list(folder: &Path) -> Option<List> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut entries = Dir::new(openat(CWD, folder, flags, Mode::empty()).ok()?).ok()?;
    let mut list = List::default();
    while let Some(entry) = entries.read() {
        let entry = entry.ok()?;
        let kind = match entry.file_type() {
            FileType::Unknown => return None,
            kind => {
                FileMetadata::new(kind == FileType::RegularFile, kind == FileType::Directory, kind == FileType::Symlink)
            }
        };
        if list.len() == MOST_ENTRIES {
            return None;
        }
        list.insert(OsStr::from_bytes(entry.file_name().to_bytes()).to_owned(), kind);
    }
    Some(list)
}
