//! One file of a compile cache: a header, then V8's code. It is written under another name and renamed, so that a reader sees a
//! complete file or none, even if two processes write the same one.
//!
//! Code is used only if the header has the digest of the text being compiled, the code's checksum is correct, and only the user
//! or root can have written the file: V8 executes the code without checking it.
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

const MAGIC: u32 = 0x5254_0001; // the last digits are the version of the format
/// Magic, length of the text, length of the code, padding, digest of the text, checksum of the code; little endian.
const HEADER: usize = 40;
const OTHERS_MAY_WRITE: u32 = 0o022;
const ATTEMPTS: u32 = 16;

/// Identifies a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Digest {
    pub length: u32,
    pub hash: u128,
}

impl Digest {
    /// `form` is everything besides the text that determines the compiled code.
    pub fn of(text: &str, form: &str) -> Digest {
        Digest { length: text.len() as u32, hash: xxh3_128_with_seed(text.as_bytes(), xxh3_64(form.as_bytes())) }
    }
}

/// The fields of a header, as they are printed.
pub fn numbers(digest: Digest, code: &[u8]) -> String {
    format!("{} {} {} {:x} {:x}", MAGIC, digest.length, code.len(), digest.hash, xxh3_64(code))
}

/// Returns the code in the file if it matches `digest`, otherwise the reason.
pub fn read(path: &Path, digest: Digest) -> Result<Vec<u8>, String> {
    let mut bytes = read_trusted(path)?;
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap_or_default());
    if bytes.len() < HEADER {
        return Err("header is cut short".to_owned());
    }
    let (magic, length, size) = (word(0), word(4), word(8));
    let hash = u128::from_le_bytes(bytes[16..32].try_into().unwrap_or_default());
    let sum = u64::from_le_bytes(bytes[32..HEADER].try_into().unwrap_or_default());
    let code = &bytes[HEADER..];
    let differs = |what: &str, wanted: &dyn std::fmt::Display, found: &dyn std::fmt::Display| {
        Err(format!("{what} mismatch: expected {wanted}, actual {found}"))
    };
    match () {
        () if magic != MAGIC => differs("magic number", &MAGIC, &magic),
        () if length != digest.length => differs("code size", &digest.length, &length),
        () if hash != digest.hash => differs("code hash", &digest.hash, &hash),
        () if size as usize != code.len() => differs("cache size", &size, &code.len()),
        () if sum != xxh3_64(code) => differs("cache hash", &sum, &xxh3_64(code)),
        () => Ok(bytes.split_off(HEADER)),
    }
}

fn read_trusted(path: &Path) -> Result<Vec<u8>, String> {
    let mut file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW)
        .open(path)
        .map_err(|error| words(&error))?;
    let about = file.metadata().map_err(|error| words(&error))?;
    let user = rustix::process::geteuid().as_raw();
    if !about.is_file() || (about.uid() != user && about.uid() != 0) || about.mode() & OTHERS_MAY_WRITE != 0 {
        return Err("others could have written it".to_owned());
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    file.read_to_end(&mut bytes).map_err(|error| words(&error))?;
    Ok(bytes)
}

/// Creates a file beside `path` under a unique name.
pub fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    static MADE: AtomicU64 = AtomicU64::new(0);
    let mut attempts = 0;
    loop {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let beside = path.with_extension(format!("{}-{number}", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempts < ATTEMPTS => attempts += 1,
            made => return made.map(|file| (beside, file)),
        }
    }
}

pub fn write(mut file: File, digest: Digest, code: &[u8]) -> io::Result<()> {
    let mut header = [0; HEADER];
    header[0..4].copy_from_slice(&MAGIC.to_le_bytes());
    header[4..8].copy_from_slice(&digest.length.to_le_bytes());
    header[8..12].copy_from_slice(&(code.len() as u32).to_le_bytes());
    header[16..32].copy_from_slice(&digest.hash.to_le_bytes());
    header[32..40].copy_from_slice(&xxh3_64(code).to_le_bytes());
    file.write_all(&header)?;
    file.write_all(code)
}

/// Renames the finished file to its final name; removes it if that fails.
pub fn put_in_place(beside: &Path, path: &Path) -> io::Result<()> {
    fs::rename(beside, path).inspect_err(|_| drop(fs::remove_file(beside)))
}

/// The system's error message, as Node prints it.
pub fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
