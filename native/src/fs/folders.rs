//! Directory entries: listing and creating folders, removing and renaming files, links, and resolving paths.
use std::ffi::{CStr, CString, OsStr};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Dir, FileType, Mode};
use rustix::io::Errno;

use super::failure::Failure;
use super::request::{Outcome, Value, on_path, on_two_paths, path, perform};
use crate::event_loop::with_core;
use crate::v8::CallbackInfo;
use crate::v8::Natives;

pub const NATIVES: Natives = &[
    ("fs_readdir", readdir),
    ("fs_mkdir", mkdir),
    ("fs_rmdir", rmdir),
    ("fs_unlink", unlink),
    ("fs_rename", rename),
    ("fs_realpath", realpath),
    ("fs_readlink", readlink),
    ("fs_symlink", symlink),
    ("fs_link", link),
    ("fs_mkdtemp", mkdtemp),
];

const MOST_LINKS: usize = 40;
const MOST_ATTEMPTS: usize = 100;
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// The kind of a directory entry.
pub fn kind_of(kind: FileType) -> u8 {
    match kind {
        FileType::RegularFile => 1,
        FileType::Directory => 2,
        FileType::Symlink => 3,
        FileType::Fifo => 4,
        FileType::Socket => 5,
        FileType::CharacterDevice => 6,
        FileType::BlockDevice => 7,
        FileType::Unknown => 0,
    }
}

/// The names in a folder in the system's order, with their kinds.
pub fn list(folder: &CStr) -> rustix::io::Result<Vec<(Vec<u8>, FileType)>> {
    use rustix::fs::OFlags;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::open(folder, flags, Mode::empty())?;
    let mut found = Vec::new();
    for entry in Dir::new(opened)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name == b"." || name == b".." {
            continue;
        }
        let mut kind = entry.file_type();
        if kind == FileType::Unknown {
            let path = join(folder.to_bytes(), name);
            kind = rustix::fs::lstat(path.as_c_str()).map_or(kind, |found| FileType::from_raw_mode(found.st_mode));
        }
        found.push((name.to_vec(), kind));
    }
    Ok(found)
}

pub fn join(folder: &[u8], name: &[u8]) -> CString {
    let slash: &[u8] = if folder.ends_with(b"/") { b"" } else { b"/" };
    CString::new([folder, slash, name].concat()).expect("names have no NUL")
}

/// `fs_readdir(path, typed, asBytes, callback)`: names, sorted, and with `typed` [names, kinds].
extern "C" fn readdir(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(path) = path(call, 0) else { return };
        let (is_typed, is_text) = (call.is_true(1), !call.is_true(2));
        perform(call, core, 3, move || {
            let mut found = list(&path).map_err(|error| Failure::at(error, "scandir", path.as_bytes()))?;
            found.sort_unstable_by(|one, other| one.0.cmp(&other.0));
            let kinds = is_typed.then(|| found.iter().map(|(_, kind)| kind_of(*kind)).collect());
            let names = found.into_iter().map(|(name, _)| name).collect();
            Ok(Value::Names { names, kinds, is_text })
        });
    });
}

fn outcome_of(outcome: rustix::io::Result<()>, syscall: &'static str, path: &CStr) -> Outcome {
    outcome.map(|()| Value::Nothing).map_err(|error| Failure::at(error, syscall, path.to_bytes()))
}

fn both(outcome: rustix::io::Result<()>, syscall: &'static str, from: &CStr, to: &CStr) -> Outcome {
    outcome
        .map(|()| Value::Nothing)
        .map_err(|error| Failure::with_destination(error, syscall, from.to_bytes(), to.to_bytes()))
}

/// `fs_mkdir(path, mode, callback)`.
extern "C" fn mkdir(info: &CallbackInfo) {
    on_path(info, 2, |path, mode| outcome_of(rustix::fs::mkdir(path, Mode::from_raw_mode(mode as u32)), "mkdir", path));
}

extern "C" fn rmdir(info: &CallbackInfo) {
    on_path(info, 1, |path, _| outcome_of(rustix::fs::rmdir(path), "rmdir", path));
}

extern "C" fn unlink(info: &CallbackInfo) {
    on_path(info, 1, |path, _| outcome_of(rustix::fs::unlink(path), "unlink", path));
}

extern "C" fn rename(info: &CallbackInfo) {
    on_two_paths(info, 2, |from, to, _| both(rustix::fs::rename(from, to), "rename", from, to));
}

extern "C" fn symlink(info: &CallbackInfo) {
    on_two_paths(info, 2, |target, path, _| both(rustix::fs::symlink(target, path), "symlink", target, path));
}

extern "C" fn link(info: &CallbackInfo) {
    on_two_paths(info, 2, |from, to, _| both(rustix::fs::link(from, to), "link", from, to));
}

/// `fs_readlink(path, asBytes, callback)`.
extern "C" fn readlink(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(path) = path(call, 0) else { return };
        let is_text = !call.is_true(1);
        perform(call, core, 2, move || match rustix::fs::readlink(&path, Vec::new()) {
            Ok(target) => Ok(name(target.into_bytes(), is_text)),
            Err(error) => Err(Failure::at(error, "readlink", path.as_bytes())),
        });
    });
}

fn name(bytes: Vec<u8>, is_text: bool) -> Value {
    if is_text { Value::Text(bytes) } else { Value::Bytes(bytes) }
}

/// `fs_realpath(path, native, asBytes, callback)`.
extern "C" fn realpath(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(path) = path(call, 0) else { return };
        let (is_native, is_text) = (call.is_true(1), !call.is_true(2));
        perform(call, core, 3, move || {
            let place = Path::new(OsStr::from_bytes(path.as_bytes()));
            match std::fs::canonicalize(if place.as_os_str().is_empty() { Path::new(".") } else { place }) {
                Ok(real) => Ok(name(real.into_os_string().into_vec(), is_text)),
                Err(error) => {
                    let error = Errno::from_io_error(&error).unwrap_or(Errno::IO);
                    // Node resolves the path itself, and names the part that fails.
                    match if is_native { Walk::Unknown } else { walk(place) } {
                        Walk::Failed(error, syscall, part) => {
                            Err(Failure::at(error, syscall, part.as_os_str().as_bytes()))
                        }
                        Walk::Ended(real) => Ok(name(real.into_os_string().into_vec(), is_text)),
                        Walk::Unknown => Err(Failure::at(error, "realpath", path.as_bytes())),
                    }
                }
            }
        });
    });
}

/// The result of walking along a path.
enum Walk {
    /// A part, or the target of a link, cannot be examined.
    Failed(Errno, &'static str, PathBuf),
    /// The path leads to a pipe or socket without a name in a folder, as under `/proc/self/fd`.
    Ended(PathBuf),
    Unknown,
}

/// Walks along a path that the system refuses, following links.
fn walk(path: &Path) -> Walk {
    let Ok(absolute) = std::path::absolute(path) else { return Walk::Unknown };
    let mut waiting: Vec<PathBuf> = components(&absolute);
    let mut walked = PathBuf::from("/");
    let mut links = 0;
    while let Some(part) = waiting.pop() {
        if part.as_os_str() == ".." {
            walked.pop();
            continue;
        }
        let place = walked.join(&part);
        match rustix::fs::lstat(&place) {
            Err(error) => return Walk::Failed(error, "lstat", place),
            Ok(found) if FileType::from_raw_mode(found.st_mode) == FileType::Symlink => {
                links += 1;
                if links > MOST_LINKS {
                    return Walk::Failed(Errno::LOOP, "stat", place);
                }
                let behind = match rustix::fs::stat(&place) {
                    Err(error) => return Walk::Failed(error, "stat", place),
                    Ok(behind) => FileType::from_raw_mode(behind.st_mode),
                };
                let Ok(target) = rustix::fs::readlink(&place, Vec::new()) else { return Walk::Unknown };
                let target = PathBuf::from(OsStr::from_bytes(target.as_bytes()));
                let named = walked.join(&target);
                if matches!(behind, FileType::Fifo | FileType::Socket) && rustix::fs::lstat(&named).is_err() {
                    return Walk::Ended(named);
                }
                if target.is_absolute() {
                    walked = PathBuf::from("/");
                }
                waiting.extend(components(&target));
            }
            Ok(_) => walked = place,
        }
    }
    Walk::Unknown
}

/// The parts of a path, the last one first.
fn components(path: &Path) -> Vec<PathBuf> {
    let is_part = |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    let mut parts: Vec<PathBuf> =
        path.components().filter(is_part).map(|part| PathBuf::from(part.as_os_str())).collect();
    parts.reverse();
    parts
}

/// `fs_mkdtemp(prefix, asBytes, callback)`: the path of the new folder.
extern "C" fn mkdtemp(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(prefix) = path(call, 0) else { return };
        let is_text = !call.is_true(1);
        perform(call, core, 2, move || {
            let failed = |error| Failure::at(error, "mkdtemp", &[prefix.as_bytes(), b"XXXXXX"].concat());
            for _ in 0..MOST_ATTEMPTS {
                let path = [prefix.as_bytes(), &random_letters()].concat();
                match rustix::fs::mkdir(OsStr::from_bytes(&path), Mode::RWXU) {
                    Ok(()) => return Ok(name(path, is_text)),
                    Err(Errno::EXIST) => {}
                    Err(error) => return Err(failed(error)),
                }
            }
            Err(failed(Errno::EXIST))
        });
    });
}

fn random_letters() -> [u8; 6] {
    let mut bytes = [0u8; 6];
    let _ = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty());
    bytes.map(|byte| LETTERS[byte as usize % LETTERS.len()])
}
