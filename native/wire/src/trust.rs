//! Checks whether only this user (and root) can have written a folder or file.
//!
//! A folder is as safe as every folder above it and every link on the way: a user who can rename one of them controls what is
//! below it. Once all are safe, no other user can change the path between this check and its use.
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

const ROOT: u32 = 0;
/// The overflow uid: the owner of a file whose real owner the user namespace does not map, such as the host's root.
const UNMAPPED: u32 = 65534;
const EVERY_USER_MAPPED: &str = "4294967295";
const WRITABLE_BY_GROUP: u32 = 0o020;
const WRITABLE_BY_ALL: u32 = 0o002;
const STICKY: u32 = 0o1000;
const MOST_LINKS: usize = 40;

fn user() -> u32 {
    // SAFETY: it only returns a number.
    unsafe { libc::geteuid() }
}

fn group() -> u32 {
    // SAFETY: as above.
    unsafe { libc::getegid() }
}

/// What makes `path` unsafe: the folder or link, and its owner if the owner is the reason; otherwise others can write to it.
/// A part that does not exist or is not a folder is safe, because only this user can create something there.
pub fn flaw(path: &Path) -> Option<(PathBuf, Option<u32>)> {
    let mut done = PathBuf::from("/");
    let mut rest: VecDeque<OsString> = parts(path);
    let mut links = 0;
    rest.push_front(OsString::from("."));
    while let Some(part) = rest.pop_front() {
        if part == ".." {
            done.pop();
            continue;
        }
        let next = if part == "." { done.clone() } else { done.join(part) };
        let about = std::fs::symlink_metadata(&next).ok()?;
        if about.is_symlink() {
            links += 1;
            if about.uid() != ROOT && about.uid() != user() {
                return Some((next, Some(about.uid())));
            }
            let target = std::fs::read_link(&next).ok()?;
            if links > MOST_LINKS {
                return None; // opening it fails
            }
            if target.is_absolute() {
                done = PathBuf::from("/");
            }
            for part in parts(&target).into_iter().rev() {
                rest.push_front(part);
            }
            continue;
        }
        if !about.is_dir() {
            return None;
        }
        if !is_trusted_owner(about.uid()) {
            return Some((next, Some(about.uid())));
        }
        if may_be_changed_by_others(&about) {
            return Some((next, None));
        }
        done = next;
    }
    None
}

fn parts(path: &Path) -> VecDeque<OsString> {
    let names = path.components().filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
    names.map(|part| part.as_os_str().to_owned()).collect()
}

fn is_trusted_owner(owner: u32) -> bool {
    owner == ROOT || owner == user() || (owner == UNMAPPED && !is_every_user_mapped())
}

fn is_every_user_mapped() -> bool {
    let map = std::fs::read_to_string("/proc/self/uid_map");
    map.map_or(true, |map| map.split_whitespace().nth(2) == Some(EVERY_USER_MAPPED))
}

/// In a sticky folder, only the owner of an entry can change it. A group with the user's number contains only that user, on
/// systems that create a group for each user; folders are often writable by it there.
fn may_be_changed_by_others(about: &Metadata) -> bool {
    let mode = about.mode();
    let by_group = mode & WRITABLE_BY_GROUP != 0 && !is_own_group(about);
    mode & STICKY == 0 && (mode & WRITABLE_BY_ALL != 0 || by_group)
}

fn is_own_group(about: &Metadata) -> bool {
    about.gid() == group() && group() == user() && about.uid() == user()
}

/// Opens a cached file for reading. Fails unless it is a regular file of this user that no other user can write to.
pub fn open_own(path: &Path) -> Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let about = file.metadata()?;
    let is_own = about.uid() == user() && about.mode() & (WRITABLE_BY_GROUP | WRITABLE_BY_ALL) == 0;
    if about.is_file() && is_own { Ok(file) } else { Err(Error::from(ErrorKind::PermissionDenied)) }
}
