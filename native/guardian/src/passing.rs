//! Passes descriptors together with bytes over a channel (SCM_RIGHTS).
use std::ffi::{c_int, c_uint, c_void};
use std::io::{Error, Result};
use std::mem::{size_of, size_of_val, zeroed};
use std::ptr::null_mut;

use crate::terminal::Opened;

/// The most descriptors per message.
pub const MOST: usize = 4;
const WORDS: usize = 8; // space for the header and four descriptors, with the required alignment

/// Sends as much of `bytes` as fits at once, with `descriptors` attached to its first byte. Returns how much was sent.
pub fn send(channel: &Opened, bytes: &[u8], descriptors: &[c_int], flags: c_int) -> Result<usize> {
    debug_assert!(descriptors.len() <= MOST);
    let mut room = [0u64; WORDS];
    let payload = size_of_val(descriptors) as c_uint;
    // SAFETY: the structures are plain data that outlives the call; `room` has space for the header and the descriptors.
    let sent = unsafe {
        let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast::<c_void>(), iov_len: bytes.len() };
        let mut message: libc::msghdr = zeroed();
        (message.msg_iov, message.msg_iovlen) = (&mut part, 1);
        if !descriptors.is_empty() {
            message.msg_control = room.as_mut_ptr().cast();
            message.msg_controllen = libc::CMSG_SPACE(payload) as _;
            let header = libc::CMSG_FIRSTHDR(&message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(payload) as _;
            let to = libc::CMSG_DATA(header).cast::<c_int>();
            descriptors.iter().enumerate().for_each(|(place, each)| to.add(place).write_unaligned(*each));
        }
        libc::sendmsg(channel.0, &message, flags | libc::MSG_NOSIGNAL)
    };
    usize::try_from(sent).map_err(|_| Error::last_os_error())
}

/// Receives what has arrived, up to the size of `buffer`, with its descriptors. The size is 0 when the other end is closed.
pub fn receive(channel: &Opened, buffer: &mut [u8]) -> Result<(usize, Vec<Opened>)> {
    let mut room = [0u64; WORDS];
    let mut descriptors = Vec::new();
    // SAFETY: the structures are plain data that outlives the calls; the system writes no more than their sizes allow.
    let count = unsafe {
        let mut part = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
        let mut message: libc::msghdr = zeroed();
        (message.msg_iov, message.msg_iovlen) = (&mut part, 1);
        message.msg_control = room.as_mut_ptr().cast();
        message.msg_controllen = libc::CMSG_SPACE((MOST * size_of::<c_int>()) as c_uint) as _;
        let count = libc::recvmsg(channel.0, &mut message, libc::MSG_CMSG_CLOEXEC);
        let mut header = if count >= 0 { libc::CMSG_FIRSTHDR(&message) } else { null_mut() };
        while !header.is_null() {
            if (*header).cmsg_level == libc::SOL_SOCKET && (*header).cmsg_type == libc::SCM_RIGHTS {
                let bytes = (*header).cmsg_len as usize - libc::CMSG_LEN(0) as usize;
                let from = libc::CMSG_DATA(header).cast::<c_int>();
                let passed = (0..bytes / size_of::<c_int>()).map(|place| Opened(from.add(place).read_unaligned()));
                descriptors.extend(passed);
            }
            header = libc::CMSG_NXTHDR(&message, header);
        }
        count
    };
    Ok((usize::try_from(count).map_err(|_| Error::last_os_error())?, descriptors))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system;

    #[test]
    fn descriptors_arrive_with_their_bytes() {
        let (one, other) = system::channel(libc::SOCK_STREAM).unwrap_or_else(|_| unreachable!());
        let (reader, writer) = system::pipe(0).unwrap_or_else(|_| unreachable!());
        assert_eq!(send(&one, b"first", &[], 0).ok(), Some(5));
        assert_eq!(send(&one, b"second", &[writer.0, writer.0], 0).ok(), Some(6));
        drop((one, writer));
        let mut buffer = [0; 64];
        let mut got = Vec::new();
        let mut passed = Vec::new();
        while let Ok((count @ 1.., mut descriptors)) = receive(&other, &mut buffer) {
            got.extend_from_slice(&buffer[..count]);
            passed.append(&mut descriptors);
        }
        assert_eq!((&got[..], passed.len()), (&b"firstsecond"[..], 2));
        assert_eq!(system::wait_for([reader.0], Some(std::time::Duration::ZERO)), [false]);
        drop(passed);
        assert_eq!(system::wait_for([reader.0], None), [true]); // end of file: no other process holds the descriptor
    }
}
