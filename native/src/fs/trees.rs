//! Folder trees: creating folders with their parents, removing folders with their content.
use std::ffi::{CStr, CString};

use rustix::fs::{FileType, Mode};
use rustix::io::Errno;

use super::failure::Failure;
use super::folders::{join, list};
use super::request::{Outcome, Value, on_path, path, perform};
use crate::event_loop::with_core;
use crate::v8::CallbackInfo;
use crate::v8::Natives;

pub const NATIVES: Natives = &[("fs_mkdirs", mkdirs), ("fs_rm", rm)];

fn to_c_string(bytes: &[u8]) -> CString {
    CString::new(bytes).expect("a part of a path has no NUL")
}

/// `path` without trailing slashes, and its parent.
fn parent(path: &[u8]) -> (&[u8], &[u8]) {
    let end = path.iter().rposition(|byte| *byte != b'/').map_or(0, |place| place + 1);
    let path = &path[..end];
    let slash = path.iter().rposition(|byte| *byte == b'/');
    let folder: &[u8] = match slash {
        None => b".",
        Some(0) => b"/",
        Some(place) => &path[..place],
    };
    (path, folder)
}

/// `fs_mkdirs(path, mode, callback)`: the first folder that was created; undefined if all existed.
extern "C" fn mkdirs(info: &CallbackInfo) {
    on_path(info, 2, |path, mode| {
        let failed = |error| Failure::at(error, "mkdir", path.as_bytes());
        let mut missing: Vec<Vec<u8>> = Vec::new();
        let mut folder = path.as_bytes().to_vec();
        loop {
            match rustix::fs::stat(to_c_string(&folder).as_c_str()) {
                Ok(found) if FileType::from_raw_mode(found.st_mode) == FileType::Directory => break,
                Ok(_) => return Err(failed(if missing.is_empty() { Errno::EXIST } else { Errno::NOTDIR })),
                Err(Errno::NOENT) if folder != b"." && !folder.is_empty() => {
                    let (path, above) = parent(&folder);
                    missing.push(path.to_vec());
                    folder = above.to_vec();
                }
                Err(error) => return Err(failed(error)),
            }
        }
        for folder in missing.iter().rev() {
            match rustix::fs::mkdir(to_c_string(folder).as_c_str(), Mode::from_raw_mode(mode as u32)) {
                Ok(()) | Err(Errno::EXIST) => {} // it was created meanwhile
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(missing.pop().map_or(Value::Nothing, Value::Text))
    });
}

/// Errors that may be temporary: `fs.rm` retries them if asked to.
const PASSING: [Errno; 5] = [Errno::BUSY, Errno::MFILE, Errno::NFILE, Errno::NOTEMPTY, Errno::PERM];

/// `fs_rm(path, recursive, force, callback, retries, delay)`: false for a folder that must not be removed. It retries
/// up to `retries` times, `delay` milliseconds after the first attempt, twice as long after the second, and so on.
extern "C" fn rm(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(path) = path(call, 0) else { return };
        let (recursive, force) = (call.is_true(1), call.is_true(2));
        let (retries, delay) = (call.integer(4), call.integer(5));
        perform(call, core, 3, move || {
            for attempt in 1..=retries {
                match remove_tree(&path, recursive, force) {
                    Err(failure) if PASSING.iter().any(|error| error.raw_os_error() == failure.errno) => {}
                    outcome => return outcome,
                }
                let pause = attempt.saturating_mul(delay).try_into().unwrap_or(0);
                std::thread::sleep(std::time::Duration::from_millis(pause));
            }
            remove_tree(&path, recursive, force)
        });
    });
}

fn remove_tree(path: &CStr, recursive: bool, force: bool) -> Outcome {
    let found = match rustix::fs::lstat(path) {
        Err(Errno::NOENT) if force => return Ok(Value::Flag(true)),
        Err(error) => return Err(Failure::at(error, "lstat", path.to_bytes())),
        Ok(found) => found,
    };
    if FileType::from_raw_mode(found.st_mode) != FileType::Directory {
        remove(path, false)?;
        return Ok(Value::Flag(true));
    }
    if !recursive {
        return Ok(Value::Flag(false));
    }
    // Depth first without recursion, as a tree may be deeper than the stack.
    let mut waiting = vec![path.to_owned()];
    let mut folders = Vec::new();
    while let Some(folder) = waiting.pop() {
        let entries = match list(&folder) {
            Err(Errno::NOENT) => continue,
            Err(error) => return Err(Failure::at(error, "rm", folder.as_bytes())),
            Ok(entries) => entries,
        };
        for (name, kind) in entries {
            let inner = join(folder.as_bytes(), &name);
            if kind == FileType::Directory {
                waiting.push(inner);
            } else {
                remove(&inner, false)?;
            }
        }
        folders.push(folder);
    }
    for folder in folders.iter().rev() {
        remove(folder, true)?;
    }
    Ok(Value::Flag(true))
}

fn remove(path: &CStr, is_folder: bool) -> Result<(), Failure> {
    let outcome = if is_folder { rustix::fs::rmdir(path) } else { rustix::fs::unlink(path) };
    match outcome {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(Failure::at(error, "rm", path.to_bytes())),
    }
}
