//! The dependencies of a cached decision (files, folders and variables), and whether they have changed.
//!
//! The identity of a path is the result of `lstat`, for a link also that of `stat`, or the error if it does not exist. It
//! includes mtime and ctime, so it changes with the mode of a file and the entries of a folder.
use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::frames::Reader;

const SECOND: i64 = 1_000_000_000;
/// Prefixes of variables that are always dependencies, because the interpreter, the C library, npm or bash reads them.
const DECIDING: [&[u8]; 7] = [b"RT_", b"PYTHON", b"LC_", b"LANG", b"LD_", b"npm_config_", b"BASH"];

/// The identities of `paths`. Returns None if one of them changed after `settled_ns` (since the epoch), because it could change
/// again without a different time stamp.
pub fn identify(paths: &[Vec<u8>], settled_ns: i64) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for path in paths {
        let (identity, changed_ns) = identity(path);
        // On a file system with a resolution of seconds, two changes within one second are indistinguishable.
        let coarse_ns = if changed_ns % SECOND == 0 { 2 * SECOND } else { 0 };
        if changed_ns.saturating_add(coarse_ns) >= settled_ns {
            return None;
        }
        put(&mut all, path);
        put(&mut all, &identity);
    }
    Some(all)
}

/// Returns whether every path in `identities` still has the identity that `identify` found; false if the bytes are malformed.
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

/// The paths in `identities`.
pub fn paths(identities: &[u8]) -> Vec<Vec<u8>> {
    let mut from = Reader(identities);
    std::iter::from_fn(|| from.text().zip(from.text()).map(|(path, _)| path)).collect()
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

/// The variables that are always dependencies, as `NAME=value`, sorted.
pub fn deciding_variables(environment: &[(Vec<u8>, Vec<u8>)]) -> Vec<Vec<u8>> {
    let is_one = |name: &[u8]| DECIDING.iter().any(|family| name.starts_with(family));
    let found = environment.iter().filter(|(name, _)| is_one(name));
    let mut found: Vec<Vec<u8>> = found.map(|(name, value)| [&name[..], b"=", value].concat()).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identities(paths: &[&str]) -> Vec<u8> {
        let paths: Vec<Vec<u8>> = paths.iter().map(|path| path.as_bytes().to_vec()).collect();
        identify(&paths, i64::MAX).unwrap_or_default()
    }

    #[test]
    fn paths_are_listed() {
        assert_eq!(paths(&identities(&["/", "/nothing/there"])), [b"/".to_vec(), b"/nothing/there".to_vec()]);
    }

    #[test]
    fn a_file_that_appears_changes_or_goes_is_changed() {
        let folder = std::env::temp_dir().join(format!("rt-dependencies-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("file");
        let name = file.to_str().unwrap();
        let absent = identities(&[name]);
        assert!(is_unchanged(&absent));
        std::fs::write(&file, "a").unwrap();
        assert!(!is_unchanged(&absent));
        let present = identities(&[name]);
        assert!(is_unchanged(&present));
        std::fs::write(&file, "longer").unwrap();
        assert!(!is_unchanged(&present));
        let link = folder.join("link");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let linked = identities(&[link.to_str().unwrap()]);
        std::fs::remove_file(&file).unwrap();
        assert!(!is_unchanged(&linked), "what a link leads to counts");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn deciding_variables_are_sorted_and_complete() {
        let given = [("RT_B", "2"), ("HOME", "/"), ("LANG", "C"), ("BASH_ENV", "")];
        let given: Vec<_> =
            given.iter().map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec())).collect();
        assert_eq!(deciding_variables(&given), [b"BASH_ENV=".to_vec(), b"LANG=C".to_vec(), b"RT_B=2".to_vec()]);
    }

    #[test]
    fn truncated_identities_are_changed() {
        let all = identify(&[b"/".to_vec(), b"/nothing/there".to_vec()], i64::MAX).unwrap_or_default();
        assert!(is_unchanged(&all));
        assert!((1..all.len()).filter(|at| is_unchanged(&all[..*at])).count() <= 1); // between the two
    }

    #[test]
    fn what_changed_recently_has_no_identity() {
        assert_eq!(identify(&[b"/".to_vec()], 0), None);
    }
}
