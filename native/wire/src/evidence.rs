//! What decided an answer, and whether all of it still is what it was: files and folders, and variables.
//!
//! Of each path is kept what `lstat` says, and behind a link what `stat` says; where nothing is there, why not. Times of
//! change are among it, so whoever may execute a file, and what a folder holds, count too.
use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::frames::Reader;

const SECOND: i64 = 1_000_000_000;
/// Variables of which every one decides, also those that nobody asked for by name: the interpreter, rt itself and the
/// shell did.
const FAMILIES: [&[u8]; 7] = [b"RT_", b"PYTHON", b"LC_", b"LANG", b"LD_", b"npm_config_", b"BASH"];

/// The identities of `paths`; None if one of them changed after `settled_ns` (since the epoch), so that it might once
/// more without being seen.
pub fn identify(paths: &[Vec<u8>], settled_ns: i64) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for path in paths {
        let (identity, changed_ns) = identity(path);
        // A file system that keeps whole seconds only cannot tell two changes of one second apart.
        let coarse_ns = if changed_ns % SECOND == 0 { 2 * SECOND } else { 0 };
        if changed_ns.saturating_add(coarse_ns) >= settled_ns {
            return None;
        }
        put(&mut all, path);
        put(&mut all, &identity);
    }
    Some(all)
}

/// Whether all that `identify` looked at is what it was.
pub fn is_unchanged(identities: &[u8]) -> bool {
    let mut from = Reader(identities);
    while !from.0.is_empty() {
        let (Some(path), Some(kept)) = (from.text(), from.text()) else { return false };
        if identity(&path).0 != kept {
            return false;
        }
    }
    true
}

fn put(all: &mut Vec<u8>, bytes: &[u8]) {
    all.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    all.extend_from_slice(bytes);
}

fn identity(path: &[u8]) -> (Vec<u8>, i64) {
    let path = Path::new(OsStr::from_bytes(path));
    let mut bytes = Vec::with_capacity(128);
    let mut changed = 0;
    let mut look = |about: std::io::Result<Metadata>| {
        let (numbers, at) = match &about {
            Ok(about) => (numbers_of(about), last_change(about)),
            Err(error) => ([i64::from(error.raw_os_error().unwrap_or(-1)), 0, 0, 0, 0, 0, 0], 0),
        };
        numbers.into_iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        changed = changed.max(at);
        about.is_ok_and(|about| about.is_symlink())
    };
    if look(path.symlink_metadata()) {
        look(path.metadata());
    }
    (bytes, changed)
}

fn numbers_of(about: &Metadata) -> [i64; 7] {
    let (dev, ino, size) = (about.dev() as i64, about.ino() as i64, about.size() as i64);
    [dev, ino, size, about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec()]
}

fn last_change(about: &Metadata) -> i64 {
    let modified = about.mtime().saturating_mul(SECOND).saturating_add(about.mtime_nsec());
    let changed = about.ctime().saturating_mul(SECOND).saturating_add(about.ctime_nsec());
    modified.max(changed)
}

/// The variables of every family, `NAME=value`, sorted: as rt's interpreter would see them.
pub fn families(environment: &[(Vec<u8>, Vec<u8>)]) -> Vec<Vec<u8>> {
    let is_one = |name: &[u8]| FAMILIES.iter().any(|family| name.starts_with(family));
    let found = environment.iter().filter(|(name, _)| is_one(name));
    let mut found: Vec<Vec<u8>> = found.map(|(name, value)| [&name[..], b"=", value].concat()).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_short_is_changed() {
        let all = identify(&[b"/".to_vec(), b"/nothing/there".to_vec()], i64::MAX).unwrap_or_default();
        assert!(is_unchanged(&all));
        assert!((1..all.len()).filter(|at| is_unchanged(&all[..*at])).count() <= 1); // between the two
    }

    #[test]
    fn what_changed_lately_is_not_kept() {
        assert_eq!(identify(&[b"/".to_vec()], 0), None);
    }
}
