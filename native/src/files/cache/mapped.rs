//! Files of rt's cache and of installed packages, mapped for reading.
use std::ffi::c_void;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::ptr::null_mut;

use super::trust::open_own;

/// A mapped file, which nothing writes while it is mapped.
pub struct Mapped {
    address: *mut c_void,
    size: usize,
}

// SAFETY: the bytes are only read, and neither the cache nor package managers write a file that has its name.
unsafe impl Send for Mapped {}
// SAFETY: as above.
unsafe impl Sync for Mapped {}

impl Mapped {
    /// Maps the file at `path`, which only this user can have written.
    pub fn open(path: &Path) -> std::io::Result<Mapped> {
        Mapped::of(&open_own(path)?)
    }

    /// Maps an open file of an installed package.
    pub fn of(file: &File) -> std::io::Result<Mapped> {
        let size = file.metadata()?.len() as usize;
        if size == 0 {
            return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof));
        }
        // SAFETY: creates a private mapping of an open file.
        let address = unsafe { libc::mmap(null_mut(), size, libc::PROT_READ, libc::MAP_PRIVATE, file.as_raw_fd(), 0) };
        if address == libc::MAP_FAILED { Err(std::io::Error::last_os_error()) } else { Ok(Mapped { address, size }) }
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping has `size` readable bytes and lives as long as `self`.
        unsafe { std::slice::from_raw_parts(self.address as *const u8, self.size) }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: `open` made the mapping, which is removed once.
        unsafe { libc::munmap(self.address, self.size) };
    }
}
