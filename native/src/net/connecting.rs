//! Connecting sockets, until the outcome is known or JavaScript gives them up.
use std::cell::RefCell;
use std::collections::HashSet;
use std::io;
use std::os::fd::BorrowedFd;
use std::rc::Rc;

use pyo3::prelude::*;
use socket2::{Domain, SockAddr, SockRef};

use super::listening::{new_socket, unix_place};
use super::negative;
use super::places::{domain_of, place};
use crate::event_loop::{Core, Slot, Task};
use crate::v8::{Call, Global, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] =
    &[("net_connect", connect), ("net_connectUnix", connect_unix), ("net_giveUp", give_up)];

thread_local! {
    /// The connecting sockets of this thread, which keep its program alive.
    static CONNECTING: RefCell<HashSet<i32>> = RefCell::default();
}

/// Calls `work` with the socket of a JavaScript descriptor.
pub fn with_socket<R>(descriptor: i32, work: impl FnOnce(&SockRef<'_>) -> io::Result<R>) -> io::Result<R> {
    if descriptor < 0 {
        return Err(io::Error::from_raw_os_error(libc::EBADF));
    }
    // SAFETY: the borrow ends before anything is closed; the system refuses a number that is not a socket.
    let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
    work(&SockRef::from(&borrowed))
}

/// `net_connect(address, port, options, callback)`: begins to connect, and returns the descriptor. `callback(0 or a
/// negative errno)` follows. `options`: family, localAddress, localPort.
fn connect(call: &Call<'_>) -> bool {
    let scope = &call.scope;
    let option = |name| scope.get(call.argument(2), name).ok();
    let number = |name| option(name).map_or(0.0, |value| scope.double(value));
    let text = |bytes: Option<Vec<u8>>| String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
    let domain = domain_of(number("family") as i64);
    let (local, local_port) = (text(option("localAddress").and_then(|it| scope.system_bytes(it))), number("localPort"));
    let there = place(&text(call.utf8(0)), call.number(1).unwrap_or(0.0), domain);
    let descriptor = new_socket(domain, |socket| {
        if !local.is_empty() || local_port != 0.0 {
            socket.bind(&place(&local, local_port, domain)?)?;
        }
        Ok(())
    });
    begin(call, descriptor, there, 3)
}

/// `net_connectUnix(path, callback)`: as `net_connect`.
fn connect_unix(call: &Call<'_>) -> bool {
    let path = call.scope.system_bytes(call.argument(0)).unwrap_or_default();
    begin(call, new_socket(Domain::UNIX, |_| Ok(())), unix_place(&path), 1)
}

/// Begins to connect; the outcome is always reported in a later turn.
fn begin(call: &Call<'_>, descriptor: i32, there: io::Result<SockAddr>, callback: usize) -> bool {
    call.answer_number(descriptor.into());
    let (Some(core), Some(callback)) = (Core::of(&call.scope), call.function(callback)) else { return true };
    if descriptor < 0 {
        return true;
    }
    core.own(descriptor);
    let outcome = there.and_then(|there| with_socket(descriptor, |socket| socket.connect(&there)));
    CONNECTING.with_borrow_mut(|all| all.insert(descriptor));
    core.refer(1);
    let failure = outcome.err().filter(|error| error.raw_os_error() != Some(libc::EINPROGRESS));
    match failure {
        Some(error) => {
            let code = negative(&error);
            core.inbox.push(Task::Native(Box::new(move |core| complete(core, descriptor, code, &callback))));
        }
        None => {
            let writable = move |core: &Rc<Core>| {
                core.unwatch(descriptor, Slot::Writable);
                let outcome = with_socket(descriptor, |socket| socket.take_error());
                let code =
                    outcome.map_or_else(|error| negative(&error), |error| error.map_or(0, |error| negative(&error)));
                complete(core, descriptor, code, &callback)
            };
            if let Err(error) = core.watch(descriptor, Slot::Writable, Rc::new(writable)) {
                call.raise(io::Error::from(error).into());
            }
        }
    }
    true
}

fn complete(core: &Core, descriptor: i32, code: i32, callback: &Global) -> PyResult<()> {
    if !CONNECTING.with_borrow_mut(|all| all.remove(&descriptor)) {
        return Ok(()); // given up meanwhile
    }
    core.refer(-1);
    core.call(callback, &[&|scope| Ok(scope.number(code.into()))])
}

/// `net_giveUp(descriptor)`: closes a connecting or listening socket.
fn give_up(call: &Call<'_>) -> bool {
    let descriptor = call.integer(0) as i32;
    let Some(core) = Core::of(&call.scope) else { return false };
    if CONNECTING.with_borrow_mut(|all| all.remove(&descriptor)) {
        core.refer(-1);
    }
    close_socket(&core, descriptor);
    true
}

/// Closes a socket that JavaScript owned, and stops watching it.
pub fn close_socket(core: &Core, descriptor: i32) {
    core.unwatch(descriptor, Slot::Readable);
    core.unwatch(descriptor, Slot::Writable);
    core.disown(descriptor);
    // SAFETY: JavaScript owned the descriptor and transfers it.
    unsafe { libc::close(descriptor) };
}
