//! `//# sourceMappingURL=`: the map that a compiled package contains or refers to.
use std::path::{Path, PathBuf};

use crate::files::paths::{normalize, percent_decode};

/// The last such comment of a file; a map counts only at the end.
pub fn find(code: &str) -> Option<&str> {
    let tail_start = code.rmatch_indices("sourceMappingURL=").next()?.0;
    let before = code[..tail_start].trim_end_matches(['#', '@', ' ', '\t']);
    if !(before.ends_with("//") || before.ends_with("/*")) {
        return None;
    }
    let url = code[tail_start + "sourceMappingURL=".len()..].split(['\n', '\r']).next()?;
    let url = url.trim().trim_end_matches("*/").trim();
    (!url.is_empty()).then_some(url)
}

/// The JSON of a map, from a data URL or from a file beside `path`.
pub fn read(url: &str, path: &Path) -> Option<(Vec<u8>, PathBuf)> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    if let Some(data) = url.strip_prefix("data:") {
        let (kind, payload) = data.split_once(',')?;
        let bytes = if kind.ends_with(";base64") { base64(payload)? } else { percent_decode(payload) };
        return Some((bytes, folder.to_path_buf()));
    }
    let file = match url.strip_prefix("file://") {
        Some(absolute) => PathBuf::from(String::from_utf8(percent_decode(absolute)).ok()?),
        None if url.contains("://") => return None,
        None => normalize(&folder.join(String::from_utf8(percent_decode(url)).ok()?)),
    };
    if !std::fs::metadata(&file).ok()?.is_file() {
        return None; // not a regular file, such as a pipe that never ends
    }
    let bytes = std::fs::read(&file).ok()?;
    Some((bytes, file.parent()?.to_path_buf()))
}

/// The path of a source, if it has one: relative to the map, or absolute.
pub fn locate(source: &str, folder: &Path) -> String {
    if source.contains("://") || source.starts_with('/') {
        return source.strip_prefix("file://").unwrap_or(source).to_string();
    }
    normalize(&folder.join(source)).to_string_lossy().into_owned()
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}
