//! Permissions, owners and times of files.
use std::ffi::CStr;

use rustix::fs::{AtFlags, CWD, Gid, Mode, Timespec, Timestamps, Uid};

use super::data::nothing;
use super::failure::Failure;
use super::request::{Outcome, Value, on_descriptor, on_path, path, perform};
use crate::event_loop::{borrowed, with_core};
use crate::v8::CallbackInfo;
use crate::v8::Natives;

pub const NATIVES: Natives = &[
    ("fs_chmod", chmod),
    ("fs_fchmod", fchmod),
    ("fs_chown", chown),
    ("fs_lchown", lchown),
    ("fs_fchown", fchown),
    ("fs_utimes", utimes),
    ("fs_lutimes", lutimes),
    ("fs_futimes", futimes),
];

fn outcome_of(outcome: rustix::io::Result<()>, syscall: &'static str, path: &CStr) -> Outcome {
    outcome.map(|()| Value::Nothing).map_err(|error| Failure::at(error, syscall, path.to_bytes()))
}

/// `fs_chmod(path, mode, callback)`.
extern "C" fn chmod(info: &CallbackInfo) {
    on_path(info, 2, |path, mode| outcome_of(rustix::fs::chmod(path, Mode::from_raw_mode(mode as u32)), "chmod", path));
}

/// `fs_fchmod(descriptor, mode, callback)`.
extern "C" fn fchmod(info: &CallbackInfo) {
    on_descriptor(info, 2, |descriptor, mode| {
        nothing(rustix::fs::fchmod(borrowed(descriptor), Mode::from_raw_mode(mode as u32)), "fchmod")
    });
}

/// None for -1, also if given as 2^32 - 1: the owner does not change.
fn user(id: i64) -> Option<Uid> {
    u32::try_from(id).ok().filter(|id| *id != u32::MAX).map(Uid::from_raw)
}

fn group(id: i64) -> Option<Gid> {
    u32::try_from(id).ok().filter(|id| *id != u32::MAX).map(Gid::from_raw)
}

/// `fs_chown(path, user, group, callback)`.
extern "C" fn chown(info: &CallbackInfo) {
    own(info, AtFlags::empty(), "chown");
}

extern "C" fn lchown(info: &CallbackInfo) {
    own(info, AtFlags::SYMLINK_NOFOLLOW, "lchown");
}

fn own(info: &CallbackInfo, flags: AtFlags, syscall: &'static str) {
    with_core(info, |call, core| {
        let Some(path) = path(call, 0) else { return };
        let (user, group) = (user(call.integer(1)), group(call.integer(2)));
        perform(call, core, 3, move || outcome_of(rustix::fs::chownat(CWD, &path, user, group, flags), syscall, &path));
    });
}

/// `fs_fchown(descriptor, user, group, callback)`.
extern "C" fn fchown(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let descriptor = call.integer(0) as i32;
        let (user, group) = (user(call.integer(1)), group(call.integer(2)));
        perform(call, core, 3, move || nothing(rustix::fs::fchown(borrowed(descriptor), user, group), "fchown"));
    });
}

/// A time in seconds since 1970.
fn time(seconds: f64) -> Timespec {
    let whole = seconds.floor();
    Timespec { tv_sec: whole as i64, tv_nsec: (((seconds - whole) * 1e9) as i64).clamp(0, 999_999_999) as _ }
}

fn times(accessed: Option<f64>, modified: Option<f64>) -> Timestamps {
    Timestamps { last_access: time(accessed.unwrap_or(0.0)), last_modification: time(modified.unwrap_or(0.0)) }
}

/// `fs_utimes(path, accessed, modified, callback)`, in seconds.
extern "C" fn utimes(info: &CallbackInfo) {
    touch(info, AtFlags::empty(), "utime");
}

extern "C" fn lutimes(info: &CallbackInfo) {
    touch(info, AtFlags::SYMLINK_NOFOLLOW, "lutime");
}

fn touch(info: &CallbackInfo, flags: AtFlags, syscall: &'static str) {
    with_core(info, |call, core| {
        let Some(path) = path(call, 0) else { return };
        let times = times(call.number(1), call.number(2));
        perform(call, core, 3, move || outcome_of(rustix::fs::utimensat(CWD, &path, &times, flags), syscall, &path));
    });
}

/// `fs_futimes(descriptor, accessed, modified, callback)`.
extern "C" fn futimes(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let descriptor = call.integer(0) as i32;
        let times = times(call.number(1), call.number(2));
        perform(call, core, 3, move || nothing(rustix::fs::futimens(borrowed(descriptor), &times), "futime"));
    });
}
