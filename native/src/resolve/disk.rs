//! The file system for the resolver, with every package.json as plain JSON.
//!
//! People write comments and trailing commas into package.json, and while it is edited it may be empty or broken; a
//! program must still reach its own files. Text outside of the dialect of `workspace::manifest_text` therefore counts
//! as `{}`; commands that need its scripts report what is wrong with it. `"exports": null` counts as absent, as in
//! Node, and so does any other value that is not a string, list or object.
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oxc_resolver::{FileMetadata, FileSystem, FileSystemOs, ResolveError};

use super::folders::Folders;
use crate::files::regular::contents;
use crate::workspace::manifest_text;

#[derive(Default)]
pub struct Disk {
    pub folders: Arc<Folders>,
}

impl FileSystem for Disk {
    fn new() -> Self {
        Self::default()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = contents(path)?;
        if path.file_name().is_some_and(|name| name == "package.json") {
            let mut json = manifest_text::plain_json(&bytes).unwrap_or_else(|| b"{}".to_vec());
            hide_empty_exports(&mut json);
            return Ok(json);
        }
        Ok(bytes)
    }

    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        FileSystemOs::validate_string(self.read(path)?)
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        FileSystemOs::metadata(path)
    }

    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.folders.find(path).map_or_else(|| FileSystemOs::symlink_metadata(path), Ok)
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf, ResolveError> {
        FileSystemOs::read_link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        FileSystemOs::canonicalize(path)
    }
}

const EXPORTS: &[u8] = b"\"exports\"";

/// Renames an `exports` that is not a string, list or object. These bytes cannot occur inside a string, where quotes are
/// escaped.
fn hide_empty_exports(json: &mut [u8]) {
    let mut from = 0;
    while let Some(found) = json[from..].windows(EXPORTS.len()).position(|window| window == EXPORTS) {
        let key = from + found;
        from = key + EXPORTS.len();
        let mut after = json[from..].iter().filter(|byte| !byte.is_ascii_whitespace());
        if after.next() == Some(&b':') && !matches!(after.next(), Some(b'"' | b'[' | b'{')) {
            json[key + 1] = b'-';
        }
    }
}
