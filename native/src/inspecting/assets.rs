//! The files of the debugger's page: the only place that maps a request's path to bytes and a media type.
//!
//! They are static files of the package. A path names a file below the page's folder and nothing else: no hidden
//! names, no parent folders, no links.
use std::fs;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

const INDEX: &str = "index.html";
const MOST_BYTES: u64 = 16 << 20;

/// Media types by file name extension; a file of another kind is not served.
const MEDIA_TYPES: &[(&str, &str)] = &[
    ("html", "text/html; charset=UTF-8"),
    ("js", "text/javascript; charset=UTF-8"),
    ("mjs", "text/javascript; charset=UTF-8"),
    ("css", "text/css; charset=UTF-8"),
    ("json", "application/json; charset=UTF-8"),
    ("txt", "text/plain; charset=UTF-8"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("wasm", "application/wasm"),
];

/// What the page may load and connect to: its own files, and the debugger that serves them.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the bytes and the media type of the file at the request's `path`; `/` is the page itself.
pub fn read(folder: &Path, path: &str) -> Option<(Vec<u8>, &'static str)> {
    let name = path.strip_prefix('/')?;
    let name = if name.is_empty() { INDEX } else { name };
    let place = place_of(folder, name)?;
    let extension = name.rsplit_once('.')?.1;
    let media_type = MEDIA_TYPES.iter().find(|(each, _)| *each == extension)?.1;
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC;
    let file = fs::OpenOptions::new().read(true).custom_flags(flags).open(place).ok()?;
    let size = file.metadata().ok().filter(|facts| facts.is_file() && facts.len() <= MOST_BYTES)?.len();
    let mut bytes = Vec::with_capacity(size as usize);
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some((bytes, media_type))
}

/// Returns the file that `name` stands for, if each of its parts is a plain name.
fn place_of(folder: &Path, name: &str) -> Option<PathBuf> {
    let is_plain = |part: &str| {
        !part.starts_with('.')
            && !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    name.split('/').all(is_plain).then(|| folder.join(name))
}
