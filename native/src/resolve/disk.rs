//! The file system as the resolver sees it: a package.json is always JSON there.
//!
//! People write comments and trailing commas into it, and while one is being edited it may be empty or broken; none of
//! that may keep a program from its own files. What cannot be read as the dialect of `workspace::manifest_text` says
//! nothing, as if it were `{}`; who asks for its scripts is told what is wrong with it. `"exports": null` says nothing
//! either, as in Node, and as anything else there that is no text, list or object.
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

/// Gives an `exports` that is no string, list or object another name. Inside a string these bytes cannot stand: its
/// quotes are escaped there.
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
