//! What is in a small file that others write: a manifest, a tsconfig. What stands there instead of one is refused at once.
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

/// Text written by people; beyond this it is something else.
const LARGEST: u64 = 16 << 20;

/// Open what should be a regular file, without waiting for whatever else it is.
pub fn open(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

/// The bytes of a regular file of sane size. Never waits: a FIFO opens at once and is then refused.
pub fn contents(path: &Path) -> std::io::Result<Vec<u8>> {
    let file = open(path)?;
    let about = file.metadata()?;
    let kind = about.file_type();
    let refuse = |reason: &str| Err(std::io::Error::other(reason.to_owned()));
    if kind.is_dir() {
        return refuse("is a folder, not a file");
    } else if kind.is_fifo() {
        return refuse("is a named pipe, not a file");
    } else if !kind.is_file() {
        return refuse("is a device, not a file");
    } else if about.len() > LARGEST {
        return refuse("is larger than 16 MiB");
    }
    let mut bytes = Vec::with_capacity(about.len() as usize + 1);
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST { refuse("is larger than 16 MiB") } else { Ok(bytes) }
}
