//! Listening sockets; `event_loop` accepts their connections.
use std::ffi::OsStr;
use std::io;
use std::os::fd::IntoRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use socket2::{Domain, SockAddr, Socket, Type};

use super::negative;
use super::places::{domain_of, place};
use crate::event_loop::Core;
use crate::v8::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[("net_listen", listen), ("net_listenUnix", listen_unix)];

/// The descriptor of a new socket after `prepare`, or a negative errno.
pub fn new_socket(domain: Domain, prepare: impl FnOnce(&Socket) -> io::Result<()>) -> i32 {
    let make = || {
        let socket = Socket::new(domain, Type::STREAM.nonblocking(), None)?;
        prepare(&socket)?;
        Ok(socket.into_raw_fd())
    };
    make().unwrap_or_else(|error| negative(&error))
}

/// `net_listen(address, port, options)`: listens on a TCP address. `options`: family, backlog, ipv6Only, reusePort.
fn listen(call: &Call<'_>) -> bool {
    let scope = &call.scope;
    let option = |name| scope.get(call.argument(2), name).ok();
    let number = |name| option(name).map_or(0.0, |value| scope.double(value));
    let is_set = |name| option(name).is_some_and(|value| scope.is_true(value));
    let (domain, address) = (domain_of(number("family") as i64), call.utf8(0).unwrap_or_default());
    let descriptor = new_socket(domain, |socket| {
        socket.set_reuse_address(true)?;
        if is_set("reusePort") {
            socket.set_reuse_port(true)?;
        }
        if domain == Domain::IPV6 {
            socket.set_only_v6(is_set("ipv6Only"))?;
        }
        socket.bind(&place(&String::from_utf8_lossy(&address), call.number(1).unwrap_or(0.0), domain)?)?;
        socket.listen(number("backlog") as i32)
    });
    answer(call, descriptor)
}

/// Answer with a new socket, which closes with its loop, or a negative errno.
fn answer(call: &Call<'_>, descriptor: i32) -> bool {
    if descriptor >= 0
        && let Some(core) = Core::of(&call.scope)
    {
        core.own(descriptor);
    }
    call.answer_number(descriptor.into());
    true
}

/// The address of a path, or of an abstract name, which begins with NUL.
pub fn unix_place(path: &[u8]) -> io::Result<SockAddr> {
    SockAddr::unix(OsStr::from_bytes(path))
}

/// `net_listenUnix(path, backlog, mode)`: `mode` is added to the permissions of the path's file.
fn listen_unix(call: &Call<'_>) -> bool {
    let path = call.scope.system_bytes(call.argument(0)).unwrap_or_default();
    let mode = call.integer(2) as u32;
    let descriptor = new_socket(Domain::UNIX, |socket| {
        socket.bind(&unix_place(&path)?)?;
        if mode != 0 && path.first() != Some(&0) {
            let file = OsStr::from_bytes(&path);
            let mut permissions = std::fs::metadata(file)?.permissions();
            permissions.set_mode(permissions.mode() | mode);
            std::fs::set_permissions(file, permissions)?;
        }
        socket.listen(call.integer(1) as i32)
    });
    answer(call, descriptor)
}
