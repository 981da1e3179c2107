//! Lexical path operations, which do not access the disk.
use std::path::{Component, Path, PathBuf};

/// Removes `.` and `..` from a path.
pub fn normalize(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

/// Percent-decodes a URL's path; invalid escapes stay as they are.
pub fn percent_decode(text: &str) -> Vec<u8> {
    let raw = text.as_bytes();
    let mut bytes = Vec::with_capacity(raw.len());
    let mut index = 0;
    while index < raw.len() {
        let hex = raw.get(index + 1..index + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match (raw[index], hex.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                index += 3;
            }
            (byte, _) => {
                bytes.push(byte);
                index += 1;
            }
        }
    }
    bytes
}
