//! Descriptors: opening, closing, flushing and truncating files.
use std::ffi::CStr;
use std::os::fd::{AsRawFd, IntoRawFd, OwnedFd};
use std::sync::Arc;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::failure::Failure;
use super::request::{Outcome, Value, on_descriptor, on_path, path, perform};
use crate::event_loop::{OwnedDescriptors, borrowed, with_core};
use crate::v8::CallbackInfo;
use crate::v8::Natives;

pub const NATIVES: Natives = &[
    ("fs_open", open),
    ("fs_close", close),
    ("fs_truncate", truncate),
    ("fs_ftruncate", ftruncate),
    ("fs_fsync", fsync),
    ("fs_fdatasync", fdatasync),
];

pub fn open_file(path: &CStr, flags: i64, mode: i64) -> Result<OwnedFd, Failure> {
    let flags = OFlags::from_bits_retain(flags as u32) | OFlags::CLOEXEC;
    rustix::fs::open(path, flags, Mode::from_raw_mode(mode as u32))
        .map_err(|error| Failure::at(error, "open", path.to_bytes()))
}

/// `fs_open(path, flags, mode, callback)`: a descriptor.
extern "C" fn open(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(path) = path(call, 0) else { return };
        let (flags, mode) = (call.integer(1), call.integer(2));
        let owned_descriptors = core.owned_descriptors();
        perform(call, core, 3, move || {
            let descriptor = open_file(&path, flags, mode)?.into_raw_fd();
            record_opened(owned_descriptors, descriptor);
            Ok(Value::Number(descriptor.into()))
        });
    });
}

/// Records the descriptor with the loop, which closes it at its end.
pub fn record_opened(owned_descriptors: Option<Arc<OwnedDescriptors>>, descriptor: i32) {
    if let Some(owned_descriptors) = owned_descriptors {
        owned_descriptors.record_opened(descriptor);
    }
}

pub fn nothing(outcome: rustix::io::Result<()>, syscall: &'static str) -> Outcome {
    outcome.map(|()| Value::Nothing).map_err(|error| Failure::new(error, syscall))
}

/// `fs_close(descriptor, callback)`.
extern "C" fn close(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let (descriptor, owned_descriptors) = (call.integer(0) as i32, core.owned_descriptors());
        perform(call, core, 1, move || close_now(descriptor, owned_descriptors));
    });
}

fn close_now(descriptor: i32, owned_descriptors: Option<Arc<OwnedDescriptors>>) -> Outcome {
    if let Some(owned_descriptors) = owned_descriptors {
        owned_descriptors.closing(descriptor);
    }
    // SAFETY: the program names the descriptor, as in Node; rt does not expose its own descriptors.
    let outcome = unsafe { libc::close(descriptor) };
    let error = std::io::Error::last_os_error().raw_os_error().unwrap_or(0);
    nothing(if outcome == 0 { Ok(()) } else { Err(Errno::from_raw_os_error(error)) }, "close")
}

/// `fs_truncate(path, size, callback)`.
extern "C" fn truncate(info: &CallbackInfo) {
    on_path(info, 2, |path, size| {
        let file = open_file(path, OFlags::RDWR.bits().into(), 0o666)?;
        truncate_file(file.as_raw_fd(), size as u64)
    });
}

/// `fs_ftruncate(descriptor, size, callback)`.
extern "C" fn ftruncate(info: &CallbackInfo) {
    on_descriptor(info, 2, |descriptor, size| truncate_file(descriptor, size as u64));
}

fn truncate_file(descriptor: i32, size: u64) -> Outcome {
    nothing(rustix::fs::ftruncate(borrowed(descriptor), size), "ftruncate")
}

/// `fs_fsync(descriptor, callback)`.
extern "C" fn fsync(info: &CallbackInfo) {
    on_descriptor(info, 1, |descriptor, _| nothing(rustix::fs::fsync(borrowed(descriptor)), "fsync"));
}

/// `fs_fdatasync(descriptor, callback)`.
extern "C" fn fdatasync(info: &CallbackInfo) {
    on_descriptor(info, 1, |descriptor, _| nothing(rustix::fs::fdatasync(borrowed(descriptor)), "fdatasync"));
}
