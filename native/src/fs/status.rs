//! Information about files and file systems, as the numbers from which `js/node/fs/values.js` creates its objects.
use std::ffi::CString;

use rustix::fs::{Access, AtFlags, CWD, FileType, Statx, StatxFlags, StatxTimestamp};
use rustix::io::Errno;

use super::failure::Failure;
use super::request::{Outcome, Value, answer, on_path, path, perform};
use crate::event_loop::{borrowed, with_core};
use crate::v8::Natives;
use crate::v8::{Call, CallbackInfo};

pub const NATIVES: Natives = &[
    ("fs_stat", stat),
    ("fs_lstat", lstat),
    ("fs_fstat", fstat),
    ("fs_exists", exists),
    ("fs_access", access),
    ("fs_statfs", statfs),
];

const FIGURES: usize = 14;

fn status_of(path: &CString, follow: bool) -> rustix::io::Result<Statx> {
    let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
    rustix::fs::statx(CWD, path, flags, StatxFlags::BASIC_STATS | StatxFlags::BTIME)
}

fn stated_descriptor(descriptor: i32) -> rustix::io::Result<Statx> {
    let mask = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
    rustix::fs::statx(borrowed(descriptor), c"", AtFlags::EMPTY_PATH, mask)
}

fn times(of: &Statx) -> [StatxTimestamp; 4] {
    [of.stx_atime, of.stx_mtime, of.stx_ctime, of.stx_btime]
}

fn device(major: u32, minor: u32) -> u64 {
    rustix::fs::makedev(major, minor)
}

/// In the order of `Stats`.
fn figures(of: &Statx) -> [f64; FIGURES] {
    let [accessed, modified, changed, born] =
        times(of).map(|time| time.tv_sec as f64 * 1e3 + f64::from(time.tv_nsec) / 1e6);
    [
        device(of.stx_dev_major, of.stx_dev_minor) as f64,
        of.stx_mode.into(),
        of.stx_nlink.into(),
        of.stx_uid.into(),
        of.stx_gid.into(),
        device(of.stx_rdev_major, of.stx_rdev_minor) as f64,
        of.stx_blksize.into(),
        of.stx_ino as f64,
        of.stx_size as f64,
        of.stx_blocks as f64,
        accessed,
        modified,
        changed,
        born,
    ]
}

/// In the order of `BigIntStats`: times in whole milliseconds, followed by times in nanoseconds.
fn big_figures(of: &Statx) -> Vec<i64> {
    let nanoseconds = times(of).map(|time| time.tv_sec * 1_000_000_000 + i64::from(time.tv_nsec));
    let mut figures = vec![
        device(of.stx_dev_major, of.stx_dev_minor) as i64,
        of.stx_mode.into(),
        of.stx_nlink.into(),
        of.stx_uid.into(),
        of.stx_gid.into(),
        device(of.stx_rdev_major, of.stx_rdev_minor) as i64,
        of.stx_blksize.into(),
        of.stx_ino as i64,
        of.stx_size as i64,
        of.stx_blocks as i64,
    ];
    figures.extend(nanoseconds.map(|each| each.div_euclid(1_000_000)));
    figures.extend(nanoseconds);
    figures
}

fn value(of: &Statx, is_big: bool) -> Value {
    if is_big { Value::BigIntegers(big_figures(of)) } else { Value::Doubles(figures(of).to_vec()) }
}

/// `fs_stat(path, big, throws, callback, figures)`: the numbers; undefined for a missing file if that is not an error.
/// Without a callback a Float64Array `figures` is filled, and the result is true.
extern "C" fn stat(info: &CallbackInfo) {
    of_path(info, true, "stat");
}

extern "C" fn lstat(info: &CallbackInfo) {
    of_path(info, false, "lstat");
}

fn of_path(info: &CallbackInfo, follow: bool, syscall: &'static str) {
    with_core(info, |call, core| {
        let Some(path) = path(call, 0) else { return };
        let (is_big, throws) = (call.is_true(1), call.is_true(2));
        let missing = move |error: Errno, path: &CString| {
            let failure = Failure::at(error, syscall, path.as_bytes());
            if !throws && failure.is_missing() { Ok(Value::Nothing) } else { Err(failure) }
        };
        if call.len() > 4 && !is_big {
            return match status_of(&path, follow) {
                Ok(found) => fill(call, 4, &found),
                Err(error) => answer(call, missing(error, &path)),
            };
        }
        perform(call, core, 3, move || match status_of(&path, follow) {
            Ok(found) => Ok(value(&found, is_big)),
            Err(error) => missing(error, &path),
        });
    });
}

/// Fills the Float64Array at `index`.
fn fill(call: &Call<'_>, index: usize, found: &Statx) {
    let numbers = figures(found);
    call.with_bytes_mut(index, |room| {
        for (place, number) in room.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_ne_bytes());
        }
    });
    call.answer(call.scope.boolean(true));
}

/// `fs_fstat(descriptor, big, callback, figures)`.
extern "C" fn fstat(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let (descriptor, is_big) = (call.integer(0) as i32, call.is_true(1));
        let failed = |error| Failure::new(error, "fstat");
        if call.len() > 3 && !is_big {
            return match stated_descriptor(descriptor) {
                Ok(found) => fill(call, 3, &found),
                Err(error) => answer(call, Err(failed(error))),
            };
        }
        perform(call, core, 2, move || {
            stated_descriptor(descriptor).map(|found| value(&found, is_big)).map_err(failed)
        });
    });
}

/// `fs_exists(path, callback)`.
extern "C" fn exists(info: &CallbackInfo) {
    on_path(info, 1, |path, _| Ok(Value::Flag(rustix::fs::access(path, Access::EXISTS).is_ok())));
}

/// `fs_access(path, mode, callback)`.
extern "C" fn access(info: &CallbackInfo) {
    on_path(info, 2, |path, mode| match rustix::fs::access(path, Access::from_bits_truncate(mode as u32)) {
        Ok(()) => Ok(Value::Nothing),
        Err(error) => Err(Failure::at(error, "access", path.as_bytes())),
    });
}

/// `fs_statfs(path, big, callback)`: type, bsize, frsize, blocks, bfree, bavail, files, ffree.
extern "C" fn statfs(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(path) = path(call, 0) else { return };
        let is_big = call.is_true(1);
        perform(call, core, 2, move || -> Outcome {
            let of = rustix::fs::statfs(&path).map_err(|error| Failure::at(error, "statfs", path.as_bytes()))?;
            let figures = [
                of.f_type as i64,
                of.f_bsize as i64,
                of.f_frsize as i64,
                of.f_blocks as i64,
                of.f_bfree as i64,
                of.f_bavail as i64,
                of.f_files as i64,
                of.f_ffree as i64,
            ];
            Ok(match is_big {
                true => Value::BigIntegers(figures.to_vec()),
                false => Value::Doubles(figures.map(|each| each as f64).to_vec()),
            })
        });
    });
}

/// Returns whether reading a descriptor may block: pipes, sockets, terminals and similar files.
pub fn may_wait(descriptor: i32) -> bool {
    let kind = rustix::fs::fstat(borrowed(descriptor)).map(|found| FileType::from_raw_mode(found.st_mode));
    matches!(kind, Ok(FileType::Fifo | FileType::Socket | FileType::CharacterDevice))
}
