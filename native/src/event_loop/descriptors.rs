//! Passing descriptors through a socket between two processes (SCM_RIGHTS); each accompanies the first byte of a write.
//! Received descriptors are closed on exec and belong to the receiver.
use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, IntoRawFd, OwnedFd};

use rustix::io::Result;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};

/// The largest number of descriptors in one read; the kernel closes the rest.
const MOST: usize = 16;

/// Writes as much of `bytes` as fits at once, together with `passed`.
pub fn send(channel: BorrowedFd<'_>, bytes: &[u8], passed: BorrowedFd<'_>) -> Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let passed = [passed];
    control.push(SendAncillaryMessage::ScmRights(&passed));
    rustix::net::sendmsg(channel, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL)
}

/// Reads into `room`, and appends the received descriptors.
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

/// Duplicate a descriptor, so that it stays open when the original is closed.
pub fn duplicate(descriptor: BorrowedFd<'_>) -> Result<OwnedFd> {
    rustix::io::fcntl_dupfd_cloexec(descriptor, 0)
}
