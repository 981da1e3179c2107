//! Descriptors that travel beside bytes, through a socket between two processes (SCM_RIGHTS): each goes with the first
//! byte of a write. What arrives is closed on exec, and belongs to whoever it is handed to.
use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, IntoRawFd, OwnedFd};

use rustix::io::Result;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};

/// How many descriptors one read takes; the kernel closes the rest.
const MOST: usize = 16;

/// Write as much of `bytes` as goes at once, and `passed` with it.
pub fn send(channel: BorrowedFd<'_>, bytes: &[u8], passed: BorrowedFd<'_>) -> Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let passed = [passed];
    control.push(SendAncillaryMessage::ScmRights(&passed));
    rustix::net::sendmsg(channel, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL)
}

/// Read into `room`, and append the descriptors that came along.
pub fn receive(channel: BorrowedFd<'_>, room: &mut [u8], arrived: &mut Vec<i32>) -> Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let read = rustix::net::recvmsg(channel, &mut [IoSliceMut::new(room)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            arrived.extend(descriptors.map(IntoRawFd::into_raw_fd));
        }
    }
    Ok(read.bytes)
}

/// A duplicate of a descriptor, which stays open when the first is closed.
pub fn copied(descriptor: BorrowedFd<'_>) -> Result<OwnedFd> {
    rustix::io::fcntl_dupfd_cloexec(descriptor, 0)
}
