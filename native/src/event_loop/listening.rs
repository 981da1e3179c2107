//! Incoming connections, accepted natively and handed to JavaScript as descriptors.
use std::os::fd::IntoRawFd;
use std::rc::Rc;

use pyo3::prelude::*;
use rustix::io::Errno;
use rustix::net::SocketFlags;

use super::core::{Core, Slot};
use super::later::with_core;
use super::poller::borrowed;
use crate::v8::Natives;
use crate::v8::{CallbackInfo, Global};

pub const NATIVES: Natives = &[("net_accept", accept)];

const ACCEPTED_AT_ONCE: usize = 64;
/// Errors of accept that concern a single connection, not the listening socket.
const ABORTED: [Errno; 3] = [Errno::CONNABORTED, Errno::PROTO, Errno::INTR];

/// `net_accept(descriptor, callback)`: calls back with the descriptors of new connections, or a negative errno.
extern "C" fn accept(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(callback) = call.function(1) else { return };
        let descriptor = call.integer(0) as i32;
        let watcher = move |core: &Rc<Core>| take(core, descriptor, &callback);
        if let Err(error) = core.watch(descriptor, Slot::Readable, Rc::new(watcher)) {
            call.raise(std::io::Error::from(error).into());
        }
    });
}

fn take(core: &Rc<Core>, descriptor: i32, callback: &Global) -> PyResult<()> {
    let mut accepted = Vec::new();
    let mut failure = None;
    while accepted.len() < ACCEPTED_AT_ONCE {
        match rustix::net::accept_with(borrowed(descriptor), SocketFlags::NONBLOCK | SocketFlags::CLOEXEC) {
            Ok(connection) => {
                let connection = connection.into_raw_fd();
                core.own(connection);
                accepted.push(f64::from(connection));
            }
            Err(Errno::AGAIN) => break,
            Err(error) => {
                failure = (!ABORTED.contains(&error)).then_some(error);
                break;
            }
        }
    }
    if !accepted.is_empty() {
        core.call(
            callback,
            &[&|scope| {
                let numbers: Vec<_> = accepted.iter().map(|each| scope.number(*each)).collect();
                Ok(scope.array(&numbers))
            }],
        )?;
    }
    failure.map_or(Ok(()), |error| core.call(callback, &[&|scope| Ok(scope.number(-f64::from(error.raw_os_error())))]))
}
