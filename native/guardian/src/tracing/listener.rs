//! Receives the calls of traced processes and lets them continue; reads the memory and descriptors of the callers.
use std::ffi::{c_int, c_void};
use std::io::{Error, Result};
use std::mem::{size_of, zeroed};

use crate::system;
use crate::terminal::Opened;

const LONGEST_PATH: usize = libc::PATH_MAX as usize;
const PAGE: usize = 4096; // a read never crosses into a page that may not exist
/// The tracer and the process that waits for it run on the same CPU, one after the other.
const SAME_CPU: u64 = 1;
/// The first kernel in which that is so.
const NOTICES_END: (u32, u32) = (6, 11);

/// A system call of a traced thread, which waits until the call is continued.
pub struct Call {
    pub thread: libc::pid_t,
    pub architecture: u32,
    pub number: c_int,
    pub arguments: [u64; 6],
    id: u64,
}

pub struct Listener {
    descriptor: Opened,
    /// Receiving a call ends when no process is left, so that `poll` need not wait for either.
    notices_end: bool,
}

impl Listener {
    pub fn new(descriptor: Opened) -> Listener {
        // SAFETY: the request takes its flags by value. Older kernels do not have it.
        unsafe { libc::ioctl(descriptor.0, libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS as _, SAME_CPU) };
        Listener { descriptor, notices_end: system::kernel_version() >= NOTICES_END }
    }

    /// Waits for the next call. Returns None if the caller was killed before it was received, an error if no process is left.
    pub fn receive(&self) -> Result<Option<Call>> {
        if !self.notices_end {
            let mut entries = [libc::pollfd { fd: self.descriptor.0, events: libc::POLLIN, revents: 0 }];
            system::poll(&mut entries, -1);
            if entries[0].revents & libc::POLLIN == 0 && entries[0].revents & libc::POLLHUP != 0 {
                return Err(Error::from_raw_os_error(libc::ENOENT));
            }
        }
        // SAFETY: the structure is plain data; the kernel requires that it is zeroed, and fills it.
        let (result, received) = unsafe {
            let mut received: libc::seccomp_notif = zeroed();
            (libc::ioctl(self.descriptor.0, libc::SECCOMP_IOCTL_NOTIF_RECV as _, &raw mut received), received)
        };
        if result != 0 {
            let error = Error::last_os_error();
            return match error.raw_os_error() {
                Some(libc::EINTR) => Ok(None),
                Some(libc::ENOENT) if !self.is_over() => Ok(None),
                _ => Err(error),
            };
        }
        let data = received.data;
        Ok(Some(Call {
            thread: received.pid as libc::pid_t,
            architecture: data.arch,
            number: data.nr,
            arguments: data.args,
            id: received.id,
        }))
    }

    /// Whether no process is left that could make a call.
    pub fn is_over(&self) -> bool {
        let mut entries = [libc::pollfd { fd: self.descriptor.0, events: 0, revents: 0 }];
        system::poll(&mut entries, 0) > 0 && entries[0].revents & libc::POLLHUP != 0
    }

    /// Lets the kernel execute the call. A caller that was killed meanwhile is not an error.
    pub fn let_continue(&self, call: &Call) -> Result<()> {
        let answer = libc::seccomp_notif_resp {
            id: call.id,
            val: 0,
            error: 0,
            flags: libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
        };
        // SAFETY: the kernel only reads the structure.
        if unsafe { libc::ioctl(self.descriptor.0, libc::SECCOMP_IOCTL_NOTIF_SEND as _, &raw const answer) } == 0 {
            return Ok(());
        }
        let error = Error::last_os_error();
        if error.raw_os_error() == Some(libc::ENOENT) { Ok(()) } else { Err(error) }
    }
}

impl Call {
    /// Reads up to `buffer.len()` bytes of the caller's memory. Returns how many there are.
    fn read(&self, address: u64, buffer: &mut [u8]) -> Result<usize> {
        let local = libc::iovec { iov_base: buffer.as_mut_ptr().cast::<c_void>(), iov_len: buffer.len() };
        let remote = libc::iovec { iov_base: address as *mut c_void, iov_len: buffer.len() };
        // SAFETY: the call writes to `buffer` only, and checks the other process's addresses itself.
        let count = unsafe { libc::process_vm_readv(self.thread, &raw const local, 1, &raw const remote, 1, 0) };
        usize::try_from(count).map_err(|_| Error::last_os_error())
    }

    /// Reads a C string of the caller's memory; None if the address is invalid, with which the call will fail.
    pub fn text(&self, address: u64) -> Result<Option<Vec<u8>>> {
        let mut text = Vec::new();
        let mut buffer = [0; PAGE];
        let mut at = address;
        while text.len() <= LONGEST_PATH {
            let most = (PAGE - at as usize % PAGE).min(if text.is_empty() { 256 } else { PAGE });
            let count = match self.read(at, &mut buffer[..most]) {
                Ok(0) => return Ok(None),
                Ok(count) => count,
                Err(error) if error.raw_os_error() == Some(libc::EFAULT) => return Ok(None),
                Err(error) => return Err(error),
            };
            if let Some(end) = memchr::memchr(0, &buffer[..count]) {
                text.extend_from_slice(&buffer[..end]);
                return Ok(Some(text));
            }
            text.extend_from_slice(&buffer[..count]);
            at += count as u64;
        }
        Ok(None) // ENAMETOOLONG
    }

    /// Reads `size` bytes of the caller's memory, fewer if there are fewer.
    pub fn bytes(&self, address: u64, size: usize) -> Result<Vec<u8>> {
        let mut buffer = vec![0; size];
        let count = match self.read(address, &mut buffer) {
            Ok(count) => count,
            Err(error) if error.raw_os_error() == Some(libc::EFAULT) => 0,
            Err(error) => return Err(error),
        };
        buffer.truncate(count);
        Ok(buffer)
    }

    /// Reads a number of the caller's memory; 0 if the address is invalid.
    pub fn number_at(&self, address: u64) -> Result<u64> {
        let bytes = self.bytes(address, size_of::<u64>())?;
        Ok(bytes.try_into().map_or(0, u64::from_ne_bytes))
    }
}
