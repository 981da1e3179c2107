//! Reading small files that others write, such as manifests and tsconfigs. Anything but a regular file is refused at
//! once.
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

/// The size limit: a larger file is not a configuration file.
const LARGEST: u64 = 16 << 20;

/// Opens what should be a regular file, without blocking if it is something else.
pub fn open(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

/// The bytes of a regular file within the size limit. Never blocks: a FIFO opens at once and is then refused.
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
