//! Writing files: parts of buffers, and whole files.
//!
//! A file that is rewritten is not truncated first, which would make the file system write it out at once; what lies
//! beyond the new end is truncated afterwards. Writes to a standard stream come after the program's buffered output.
use std::io::IoSlice;
use std::os::fd::AsRawFd;
use std::rc::Rc;

use rustix::event::{PollFd, PollFlags};
use rustix::fs::{FileType, OFlags};
use rustix::io::Errno;

use super::data::open_file;
use super::failure::Failure;
use super::reading::keep_buffers;
use super::request::{Data, File, Outcome, Value, answer, data, file, perform, position};
use crate::event_loop::{Core, borrowed, with_core};
use crate::v8::Natives;
use crate::v8::{Call, CallbackInfo};

pub const NATIVES: Natives =
    &[("fs_write", write), ("fs_writeText", write_text), ("fs_writev", write_many), ("fs_writeFile", write_file)];

fn failed(error: Errno) -> Failure {
    Failure::new(error, "write")
}

fn write_once(descriptor: i32, bytes: &[u8], position: Option<u64>) -> Outcome {
    let outcome = match position {
        Some(position) => rustix::io::pwrite(borrowed(descriptor), bytes, position),
        None => rustix::io::write(borrowed(descriptor), bytes),
    };
    outcome.map(|count| Value::Number(count as f64)).map_err(failed)
}

/// Writes buffered output first. False if that ended the program.
fn is_settled(call: &Call<'_>, core: &Rc<Core>, descriptor: i32) -> bool {
    if !matches!(descriptor, 1 | 2) {
        return true;
    }
    match core.flush() {
        Ok(()) => true,
        Err(error) => {
            call.raise(error);
            false
        }
    }
}

/// `fs_write(descriptor, buffer, offset, length, position, callback)`: how many bytes were written.
extern "C" fn write(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let descriptor = call.integer(0) as i32;
        if !is_settled(call, core, descriptor) {
            return;
        }
        let (offset, length) = (call.integer(2).max(0) as usize, call.integer(3).max(0) as usize);
        let position = position(call, 4);
        let part = move |bytes: &[u8]| match bytes.get(offset..offset.saturating_add(length)) {
            Some(bytes) => write_once(descriptor, bytes, position),
            None => Err(failed(Errno::INVAL)),
        };
        if call.function(5).is_none() {
            let outcome = call.with_bytes(1, part).unwrap_or(Err(failed(Errno::INVAL)));
            return answer(call, outcome);
        }
        let Some(data) = data(call, 1) else { return };
        perform(call, core, 5, move || part(data.bytes()));
    });
}

/// `fs_writeText(descriptor, text, position, callback)`: how many bytes were written.
extern "C" fn write_text(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let descriptor = call.integer(0) as i32;
        if !is_settled(call, core, descriptor) {
            return;
        }
        let position = position(call, 2);
        let Some(data) = data(call, 1) else { return };
        perform(call, core, 3, move || write_once(descriptor, data.bytes(), position));
    });
}

/// `fs_writev(descriptor, buffers, position, callback)`: how many bytes of all buffers were written.
extern "C" fn write_many(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let (descriptor, position) = (call.integer(0) as i32, position(call, 2));
        if !is_settled(call, core, descriptor) {
            return;
        }
        let Some(kept) = keep_buffers(call, call.argument(1)) else { return };
        perform(call, core, 3, move || {
            let slices: Vec<_> = kept.iter().map(|kept| IoSlice::new(kept.bytes())).collect();
            let outcome = match position {
                Some(position) => rustix::io::pwritev(borrowed(descriptor), &slices, position),
                None => rustix::io::writev(borrowed(descriptor), &slices),
            };
            outcome.map(|count| Value::Number(count as f64)).map_err(failed)
        });
    });
}

/// `fs_writeFile(file, data, flags, mode, flush, callback)`.
extern "C" fn write_file(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(file) = file(call, 0) else { return };
        if let File::Descriptor(descriptor) = file
            && !is_settled(call, core, descriptor)
        {
            return;
        }
        let (flags, mode, flush) = (call.integer(2), call.integer(3), call.is_true(4));
        if call.function(5).is_none() && !call.is_string(1) {
            let outcome = call.with_bytes(1, |bytes| write_whole(&file, bytes, flags, mode, flush));
            return answer(call, outcome.unwrap_or(Err(failed(Errno::INVAL))));
        }
        let Some(data) = data(call, 1) else { return };
        perform(call, core, 5, move || write_whole(&file, Data::bytes(&data), flags, mode, flush));
    });
}

fn write_whole(file: &File, bytes: &[u8], flags: i64, mode: i64, flush: bool) -> Outcome {
    let finish = |descriptor: i32| {
        if flush { super::data::nothing(rustix::fs::fsync(borrowed(descriptor)), "fsync") } else { Ok(Value::Nothing) }
    };
    match file {
        File::Descriptor(descriptor) => {
            write_all(*descriptor, bytes).map_err(|(_, failure)| failure)?;
            finish(*descriptor)
        }
        File::Path(path) => {
            let cuts = flags & i64::from(OFlags::TRUNC.bits()) != 0;
            let opened = open_file(path, flags & !i64::from(OFlags::TRUNC.bits()), mode)?;
            let descriptor = opened.as_raw_fd();
            let outcome = write_all(descriptor, bytes);
            if cuts {
                let written = outcome.as_ref().err().map_or(bytes.len(), |(written, _)| *written);
                cut_behind(descriptor, written as u64)?;
            }
            outcome.map_err(|(_, failure)| failure)?;
            finish(descriptor)
        }
    }
}

/// Truncates a regular file that is longer than what was written; an empty file is touched in any case.
fn cut_behind(descriptor: i32, written: u64) -> Result<(), Failure> {
    let found = rustix::fs::fstat(borrowed(descriptor)).map_err(|error| Failure::new(error, "fstat"))?;
    let is_regular = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
    if is_regular && (found.st_size as u64 > written || written == 0) {
        rustix::fs::ftruncate(borrowed(descriptor), written).map_err(|error| Failure::new(error, "ftruncate"))?;
    }
    Ok(())
}

/// Writes all bytes, waiting for room on a non-blocking descriptor; on failure, how many were written, and the error.
fn write_all(descriptor: i32, bytes: &[u8]) -> Result<(), (usize, Failure)> {
    let mut written = 0;
    while written < bytes.len() {
        match rustix::io::write(borrowed(descriptor), &bytes[written..]) {
            Ok(count) => written += count,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                let source = borrowed(descriptor);
                let _ = rustix::event::poll(&mut [PollFd::new(&source, PollFlags::OUT)], None);
            }
            Err(error) => return Err((written, failed(error))),
        }
    }
    Ok(())
}
