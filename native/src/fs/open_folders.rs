//! Folders that are read in batches, as by `fs.Dir`: an open folder is a descriptor, which `fs_close` closes.
use rustix::fd::{BorrowedFd, IntoRawFd};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir};
use rustix::io::Errno;

use super::data::record_opened;
use super::failure::Failure;
use super::folders::kind_of;
use super::request::{Outcome, Value, path, perform};
use crate::event_loop::with_core;
use crate::v8::CallbackInfo;
use crate::v8::Natives;

pub const NATIVES: Natives = &[("fs_openFolder", open_folder), ("fs_readFolder", read_folder)];

const BATCH_BYTES: usize = 32768; // the C library's batch size

/// `fs_openFolder(path, callback)`: its descriptor.
extern "C" fn open_folder(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(path) = path(call, 0) else { return };
        let is_nameless = call.function(1).is_none();
        let owned_descriptors = core.owned_descriptors();
        perform(call, core, 1, move || {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            match rustix::fs::open(&path, flags, Mode::empty()) {
                Ok(opened) => {
                    let descriptor = opened.into_raw_fd();
                    record_opened(owned_descriptors, descriptor);
                    Ok(Value::Number(descriptor.into()))
                }
                Err(error) if is_nameless => Err(Failure::new(error, "opendir")), // as in Node's synchronous form
                Err(error) => Err(Failure::at(error, "opendir", path.as_bytes())),
            }
        });
    });
}

/// `fs_readFolder(descriptor, asBytes, callback)`: the next [names, kinds]; no names at the end.
extern "C" fn read_folder(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let descriptor = call.integer(0) as i32;
        let is_text = !call.is_true(1);
        perform(call, core, 2, move || next_names(descriptor, is_text));
    });
}

fn next_names(descriptor: i32, is_text: bool) -> Outcome {
    if descriptor < 0 {
        return Err(Failure::new(Errno::BADF, "scandir"));
    }
    // SAFETY: only `fs.Dir` has the descriptor, and it does not close it during a read.
    let folder = unsafe { BorrowedFd::borrow_raw(descriptor) };
    let mut room = Vec::with_capacity(BATCH_BYTES);
    let mut entries = RawDir::new(folder, room.spare_capacity_mut());
    let (mut names, mut kinds) = (Vec::new(), Vec::new());
    // A batch of only `.` and `..` is not the end.
    while names.is_empty() || !entries.is_buffer_empty() {
        let entry = match entries.next() {
            None | Some(Err(Errno::NOENT)) => break, // a folder that was removed meanwhile has no more names
            Some(Err(error)) => return Err(Failure::new(error, "scandir")),
            Some(Ok(entry)) => entry,
        };
        let name = entry.file_name();
        if name.to_bytes() == b"." || name.to_bytes() == b".." {
            continue;
        }
        let mut kind = entry.file_type();
        if kind == FileType::Unknown {
            let found = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
            kind = found.map_or(kind, |found| FileType::from_raw_mode(found.st_mode));
        }
        kinds.push(kind_of(kind));
        names.push(name.to_bytes().to_vec());
    }
    Ok(Value::Names { names, kinds: Some(kinds), is_text })
}
