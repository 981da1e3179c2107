//! Copying files: as a reflink if the file system supports it, otherwise in the kernel.
use std::ffi::CStr;
use std::os::fd::OwnedFd;

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::{Errno, Result};

use super::failure::Failure;
use super::request::{Value, on_two_paths};
use crate::v8::CallbackInfo;
use crate::v8::Natives;

pub const NATIVES: Natives = &[("fs_copyFile", copy_file)];

const EXCLUSIVE: i64 = 1;
const CLONE: i64 = 2;
const CLONE_ONLY: i64 = 4;
const BLOCK: usize = 1 << 30;

/// `fs_copyFile(from, to, mode, callback)`.
extern "C" fn copy_file(info: &CallbackInfo) {
    on_two_paths(info, 3, |from, to, mode| match copy_one(from, to, mode) {
        Ok(()) => Ok(Value::Nothing),
        Err(error) => Err(Failure::with_destination(error, "copyfile", from.to_bytes(), to.to_bytes())),
    });
}

fn copy_one(from: &CStr, to: &CStr, mode: i64) -> Result<()> {
    let source = rustix::fs::open(from, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let about = rustix::fs::fstat(&source)?;
    if FileType::from_raw_mode(about.st_mode) == FileType::Directory {
        return Err(Errno::ISDIR);
    }
    let permissions = Mode::from_raw_mode(about.st_mode);
    let mut flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC;
    flags.set(OFlags::EXCL, mode & EXCLUSIVE != 0);
    let target = rustix::fs::open(to, flags, permissions)?;
    let other = rustix::fs::fstat(&target)?;
    if (about.st_dev, about.st_ino) == (other.st_dev, other.st_ino) {
        return Ok(());
    }
    let outcome = fill(&source, &target, permissions, mode);
    if outcome.is_err() {
        let _ = rustix::fs::unlink(to); // a partial copy is removed
    }
    outcome
}

fn fill(source: &OwnedFd, target: &OwnedFd, permissions: Mode, mode: i64) -> Result<()> {
    rustix::fs::ftruncate(target, 0)?;
    rustix::fs::fchmod(target, permissions)?;
    if mode & (CLONE | CLONE_ONLY) != 0 {
        match rustix::fs::ioctl_ficlone(target, source) {
            Ok(()) => return Ok(()),
            Err(error) if mode & CLONE_ONLY != 0 => {
                return Err(if error == Errno::NOTTY || error == Errno::XDEV { Errno::NOTSUP } else { error });
            }
            Err(_) => {}
        }
    }
    loop {
        match rustix::fs::copy_file_range(source, None, target, None, BLOCK) {
            Ok(0) => break, // the end, or a kernel file that reports no size
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => break,
        }
    }
    let mut block = vec![0u8; 64 * 1024];
    loop {
        let count = match rustix::io::read(source, &mut block[..]) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(Errno::INTR) => continue,
            Err(error) => return Err(error),
        };
        let mut rest = &block[..count];
        while !rest.is_empty() {
            match rustix::io::write(target, rest) {
                Ok(count) => rest = &rest[count..],
                Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
    }
}
