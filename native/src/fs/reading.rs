//! Reading files: into a program's buffers, or whole.
//!
//! A read that may block (a pipe, a terminal) is done when the loop finds the descriptor readable, so that it occupies
//! no thread.
use std::ffi::CStr;
use std::io::IoSliceMut;
use std::rc::Rc;

use rustix::fs::FileType;
use rustix::io::Errno;

use super::data::open_file;
use super::failure::Failure;
use super::request::{File, Outcome, Value, answer, complete, file, perform, position};
use super::status::may_wait;
use crate::event_loop::{Core, Slot, borrowed, with_core};
use crate::v8::Natives;
use crate::v8::{Call, CallbackInfo, Global, Local, PinnedBytes};

pub const NATIVES: Natives =
    &[("fs_read", read), ("fs_readv", read_many), ("fs_readFile", read_file), ("fs_readText", read_text)];

const BLOCK: usize = 64 * 1024;
/// Node reads no larger file whole: the result is its size instead of its content.
const LARGEST_FILE: usize = (1 << 31) - 1;

fn read_once(descriptor: i32, room: &mut [u8], position: Option<u64>) -> rustix::io::Result<usize> {
    match position {
        Some(position) => rustix::io::pread(borrowed(descriptor), room, position),
        None => rustix::io::read(borrowed(descriptor), room),
    }
}

fn failed(error: Errno) -> Failure {
    Failure::new(error, "read")
}

/// The memory to read into: the program's own, or a copy for a resizable buffer.
enum Room {
    PinnedBytes(PinnedBytes),
    Copy(Global),
}

/// `fs_read(descriptor, buffer, offset, length, position, callback)`: how many bytes were read.
extern "C" fn read(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let descriptor = call.integer(0) as i32;
        let (offset, length) = (call.integer(2).max(0) as usize, call.integer(3).max(0) as usize);
        let position = position(call, 4);
        let Some(callback) = call.function(5) else {
            let read = |bytes: &mut [u8]| match bytes.get_mut(offset..offset.saturating_add(length)) {
                Some(room) => read_once(descriptor, room, position).map_err(failed),
                None => Err(failed(Errno::INVAL)),
            };
            let outcome = call.with_bytes_mut(1, read).unwrap_or(Err(failed(Errno::INVAL)));
            return answer(call, outcome.map(|count| Value::Number(count as f64)));
        };
        let room = match call.keep_buffer(1) {
            Some(kept) => Room::PinnedBytes(kept),
            None => Room::Copy(call.scope.keep(call.argument(1))),
        };
        let work = move || -> Outcome {
            match room {
                Room::PinnedBytes(mut kept) => {
                    let range = offset..offset.saturating_add(length);
                    let room = kept.bytes_mut().get_mut(range).ok_or_else(|| failed(Errno::INVAL))?;
                    Ok(Value::Number(read_once(descriptor, room, position).map_err(failed)? as f64))
                }
                Room::Copy(place) => {
                    let mut bytes = vec![0; length];
                    let count = read_once(descriptor, &mut bytes, position).map_err(failed)?;
                    bytes.truncate(count);
                    Ok(Value::Read { bytes, place: Some(place), offset })
                }
            }
        };
        if may_wait(descriptor) && !core.is_watched(descriptor, Slot::Readable) {
            when_readable(core, descriptor, callback, work);
        } else {
            perform(call, core, 5, work);
        }
    });
}

/// Runs `work` in the turn in which the descriptor is readable.
fn when_readable(core: &Rc<Core>, descriptor: i32, callback: Global, work: impl FnOnce() -> Outcome + 'static) {
    let waiting = std::cell::Cell::new(Some((callback, work)));
    core.refer(1);
    let watcher = move |core: &Rc<Core>| {
        core.unwatch(descriptor, Slot::Readable);
        let Some((callback, work)) = waiting.take() else { return Ok(()) };
        core.refer(-1);
        complete(core, &callback, work())
    };
    let watcher = Rc::new(watcher);
    if core.watch(descriptor, Slot::Readable, watcher.clone()).is_err() {
        core.complete(watcher); // the descriptor cannot be polled; the read reports why
    }
}

/// `fs_readv(descriptor, buffers, position, callback)`: how many bytes were read into all of them.
extern "C" fn read_many(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let (descriptor, position) = (call.integer(0) as i32, position(call, 2));
        let Some(mut kept) = keep_buffers(call, call.argument(1)) else { return };
        perform(call, core, 3, move || {
            let mut slices: Vec<_> = kept.iter_mut().map(|kept| IoSliceMut::new(kept.bytes_mut())).collect();
            let outcome = match position {
                Some(position) => rustix::io::preadv(borrowed(descriptor), &mut slices, position),
                None => rustix::io::readv(borrowed(descriptor), &mut slices),
            };
            outcome.map(|count| Value::Number(count as f64)).map_err(failed)
        });
    });
}

/// The memory of all buffers of an array. Throws for a resizable one.
pub fn keep_buffers(call: &Call<'_>, buffers: Local<'_>) -> Option<Vec<PinnedBytes>> {
    let kept: Option<Vec<_>> = call.scope.elements(buffers).into_iter().map(PinnedBytes::of).collect();
    if kept.is_none() {
        call.throw_type_error("buffers of a fixed size are needed");
    }
    kept
}

// --- Whole files.

/// `fs_readFile(file, flags, callback)`: its bytes, or its size if that is too large.
extern "C" fn read_file(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(file) = file(call, 0) else { return };
        let flags = call.integer(1);
        if call.function(2).is_some() {
            return perform(call, core, 2, move || read_whole(&file, flags, Value::Bytes));
        }
        match with_descriptor(&file, flags, |descriptor| read_to_js(call, descriptor)) {
            Ok(Some(bytes)) => call.answer(bytes),
            Ok(None) => answer(call, read_whole(&file, flags, Value::Bytes)),
            Err(failure) => call.throw(failure.to_js(&call.scope)),
        }
    });
}

/// Reads a regular file directly into JavaScript's memory; None if it has no size.
fn read_to_js<'s>(call: &Call<'s>, descriptor: i32) -> Result<Option<Local<'s>>, Failure> {
    let Some(size) = size_of(descriptor)? else { return Ok(None) };
    if size > LARGEST_FILE {
        return Ok(Some(call.scope.number(size as f64)));
    }
    let mut problem = None;
    let bytes = call.scope.bytes(size, |room| {
        let mut total = 0;
        while total < room.len() {
            match read_once(descriptor, &mut room[total..], None) {
                Ok(0) => break,
                Ok(count) => total += count,
                Err(Errno::INTR) => {}
                Err(error) => {
                    problem = Some(failed(error));
                    break;
                }
            }
        }
        total
    });
    match problem {
        Some(problem) => Err(problem),
        None => bytes.map(Some).ok_or_else(|| failed(Errno::NOMEM)),
    }
}

/// The size of a regular file; kernel files report none.
fn size_of(descriptor: i32) -> Result<Option<usize>, Failure> {
    let found = rustix::fs::fstat(borrowed(descriptor)).map_err(|error| Failure::new(error, "fstat"))?;
    let is_regular = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
    Ok((is_regular && found.st_size > 0).then_some(found.st_size as usize))
}

/// `fs_readText(file, flags, callback)`: its text; undefined, or its size, if that is too large.
extern "C" fn read_text(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(file) = file(call, 0) else { return };
        let flags = call.integer(1);
        perform(call, core, 2, move || read_whole(&file, flags, Value::Text));
    });
}

fn with_descriptor<R>(file: &File, flags: i64, work: impl FnOnce(i32) -> Result<R, Failure>) -> Result<R, Failure> {
    match file {
        File::Descriptor(descriptor) => work(*descriptor),
        File::Path(path) => with_open_file(path, flags, work),
    }
}

fn with_open_file<R>(path: &CStr, flags: i64, work: impl FnOnce(i32) -> Result<R, Failure>) -> Result<R, Failure> {
    use std::os::fd::AsRawFd;
    let opened = open_file(path, flags, 0o666)?;
    work(opened.as_raw_fd())
}

fn read_whole(file: &File, flags: i64, form: impl FnOnce(Vec<u8>) -> Value) -> Outcome {
    with_descriptor(file, flags, |descriptor| match size_of(descriptor)? {
        Some(size) if size > LARGEST_FILE => Ok(Value::Number(size as f64)),
        size => match read_all(descriptor, size)? {
            bytes if bytes.len() > LARGEST_FILE => Ok(Value::Number(bytes.len() as f64)),
            bytes => Ok(form(bytes)),
        },
    })
}

/// Reads the rest of a file: up to its reported size, its end, or the limit.
fn read_all(descriptor: i32, size: Option<usize>) -> Result<Vec<u8>, Failure> {
    let mut bytes: Vec<u8> = Vec::new();
    loop {
        if bytes.len() >= size.unwrap_or(LARGEST_FILE + 1) {
            return Ok(bytes);
        }
        let more = size.map_or(BLOCK, |size| size - bytes.len());
        bytes.try_reserve(more).map_err(|_| failed(Errno::NOMEM))?;
        match rustix::io::read(borrowed(descriptor), rustix::buffer::spare_capacity(&mut bytes)) {
            Ok(0) => return Ok(bytes),
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(failed(error)),
        }
    }
}
