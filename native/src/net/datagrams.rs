//! UDP sockets: opening, sending and receiving in the loop's wait, options and multicast groups.
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::os::fd::IntoRawFd;
use std::rc::Rc;

use pyo3::prelude::*;
use socket2::{Domain, SockRef, Socket, Type};

use super::connecting::{close_socket, with_socket};
use super::negative;
use super::places::{domain_of, invalid, place, text_of_end};
use crate::event_loop::{Core, Slot};
use crate::v8::{Call, Global, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("dgram_open", open),
    ("dgram_kindOf", kind_of),
    ("dgram_at", at),
    ("dgram_disconnect", disconnect),
    ("dgram_send", send),
    ("dgram_sendLater", send_later),
    ("dgram_receive", receive),
    ("dgram_close", close),
    ("dgram_setOption", set_option),
    ("dgram_multicastInterface", multicast_interface),
    ("dgram_membership", membership),
    ("dgram_sourceMembership", source_membership),
    ("dgram_bufferSize", buffer_size),
];

const MOST_BYTES: usize = 65536;
const MOST_IN_A_TURN: usize = 32;

thread_local! {
    /// The callbacks of this thread's receiving sockets, by descriptor.
    static RECEIVING: RefCell<HashMap<i32, Rc<Global>>> = RefCell::default();
}

/// Answer with a number, or a negative errno.
fn answer(call: &Call<'_>, outcome: io::Result<usize>) -> bool {
    call.answer_number(outcome.map_or_else(|error| negative(&error).into(), |number| number as f64));
    true
}

/// Answer with what `work` returns for the socket in the first argument.
fn answer_with(call: &Call<'_>, work: impl FnOnce(&SockRef<'_>) -> io::Result<usize>) -> bool {
    answer(call, with_socket(call.integer(0) as i32, work))
}

/// Answer with 0 after `work` on the socket in the first argument.
fn change(call: &Call<'_>, work: impl FnOnce(&SockRef<'_>) -> io::Result<()>) -> bool {
    answer_with(call, |socket| work(socket).map(|()| 0))
}

fn text(call: &Call<'_>, index: usize) -> String {
    String::from_utf8(call.utf8(index).unwrap_or_default()).unwrap_or_default()
}

/// `dgram_open(family, options)`: the descriptor of a new socket. `options`: reuseAddr, reusePort, ipv6Only.
fn open(call: &Call<'_>) -> bool {
    let scope = &call.scope;
    let is_set = |name| scope.get(call.argument(1), name).is_ok_and(|value| scope.is_true(value));
    let domain = domain_of(call.integer(0));
    let make = || {
        let socket = Socket::new(domain, Type::DGRAM.nonblocking(), None)?;
        if is_set("reuseAddr") {
            socket.set_reuse_address(true)?;
        }
        if is_set("reusePort") {
            socket.set_reuse_port(true)?;
        }
        if domain == Domain::IPV6 {
            socket.set_only_v6(is_set("ipv6Only"))?;
        }
        let descriptor = socket.into_raw_fd();
        if let Some(core) = Core::of(scope) {
            core.own(descriptor);
        }
        Ok(descriptor as usize)
    };
    answer(call, make())
}

/// `dgram_kindOf(descriptor)`: the family of an inherited socket; 0 for a descriptor that is not a UDP socket.
fn kind_of(call: &Call<'_>) -> bool {
    let found = with_socket(call.integer(0) as i32, |socket| {
        if socket.r#type()? != Type::DGRAM {
            return Ok(0);
        }
        let family = match socket.domain()? {
            Domain::IPV4 => 4,
            Domain::IPV6 => 6,
            _ => return Ok(0),
        };
        socket.set_nonblocking(true)?;
        Ok(family)
    });
    answer(call, Ok(found.unwrap_or(0)))
}

/// `dgram_at(descriptor, 'bind' or 'connect', address, port)`
fn at(call: &Call<'_>) -> bool {
    change(call, |socket| {
        let place = place(&text(call, 2), call.number(3).unwrap_or(0.0), socket.domain()?)?;
        if text(call, 1) == "bind" { socket.bind(&place) } else { socket.connect(&place) }
    })
}

/// `dgram_disconnect(descriptor)`
fn disconnect(call: &Call<'_>) -> bool {
    let nowhere = libc::sockaddr { sa_family: libc::AF_UNSPEC as u16, sa_data: [0; 14] };
    // SAFETY: the address is valid for its size; the system refuses a number that is not a socket.
    let outcome = unsafe { libc::connect(call.integer(0) as i32, &raw const nowhere, size_of_val(&nowhere) as u32) };
    answer(call, if outcome == 0 { Ok(0) } else { Err(io::Error::last_os_error()) })
}

/// Sends a message; with port 0 to the address that the socket is connected to. Returns the number of bytes.
fn send_to(descriptor: i32, data: &[u8], address: &str, port: f64) -> io::Result<usize> {
    with_socket(descriptor, |socket| {
        if port == 0.0 {
            return socket.send(data);
        }
        // The family of a numeric address is that of its socket, which takes no system call to find.
        let domain = if address.contains(':') { Domain::IPV6 } else { socket.domain()? };
        socket.send_to(data, &place(address, port, domain)?)
    })
}

/// `dgram_send(descriptor, data, address, port)`: the number of bytes.
fn send(call: &Call<'_>) -> bool {
    let (address, port) = (text(call, 2), call.number(3).unwrap_or(0.0));
    let sent = call.with_bytes(1, |data| send_to(call.integer(0) as i32, data, &address, port));
    answer(call, sent.unwrap_or_else(|| Err(invalid())))
}

/// `dgram_sendLater(descriptor, data, address, port, callback)`: sends when the socket is writable, then calls
/// `callback(number of bytes or a negative errno)`.
fn send_later(call: &Call<'_>) -> bool {
    let (Some(core), Some(callback)) = (Core::of(&call.scope), call.function(4)) else { return false };
    let descriptor = call.integer(0) as i32;
    let (address, port) = (text(call, 2), call.number(3).unwrap_or(0.0));
    let data = call.with_bytes(1, <[u8]>::to_vec).unwrap_or_default();
    let writable = move |core: &Rc<Core>| {
        let outcome = send_to(descriptor, &data, &address, port);
        if outcome.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock) {
            return Ok(());
        }
        core.unwatch(descriptor, Slot::Writable);
        let number = outcome.map_or_else(|error| negative(&error).into(), |count| count as f64);
        core.call(&callback, &[&|scope| Ok(scope.number(number))])
    };
    if let Err(error) = core.watch(descriptor, Slot::Writable, Rc::new(writable)) {
        call.raise(io::Error::from(error).into());
    }
    true
}

/// `dgram_receive(descriptor, callback)`: calls `callback(bytes, address, port)` for each message, `callback(negative
/// errno)` for an error.
fn receive(call: &Call<'_>) -> bool {
    let (Some(core), Some(callback)) = (Core::of(&call.scope), call.function(1)) else { return false };
    let (descriptor, callback) = (call.integer(0) as i32, Rc::new(callback));
    RECEIVING.with_borrow_mut(|receiving| receiving.insert(descriptor, callback.clone()));
    let readable = move |core: &Rc<Core>| {
        let mut room = vec![MaybeUninit::uninit(); MOST_BYTES];
        for _ in 0..MOST_IN_A_TURN {
            let is_open = RECEIVING.with_borrow(|all| all.get(&descriptor).is_some_and(|it| Rc::ptr_eq(it, &callback)));
            if !is_open {
                return Ok(()); // closed; another socket may have its number by now
            }
            match with_socket(descriptor, |socket| socket.recv_from(&mut room)) {
                Ok((size, from)) => {
                    // SAFETY: the system has written this many bytes.
                    let bytes = unsafe { std::slice::from_raw_parts(room.as_ptr().cast::<u8>(), size) };
                    let (address, port) =
                        from.as_socket().map_or_else(Default::default, |from| (text_of_end(&from), from.port()));
                    deliver(core, &callback, bytes, &address, port)?;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return core.call(&callback, &[&|scope| Ok(scope.number(negative(&error).into()))]),
            }
        }
        Ok(())
    };
    if let Err(error) = core.watch(descriptor, Slot::Readable, Rc::new(readable)) {
        call.raise(io::Error::from(error).into());
    }
    true
}

fn deliver(core: &Core, callback: &Global, bytes: &[u8], address: &str, port: u16) -> PyResult<()> {
    core.call(
        callback,
        &[
            &|scope| Ok(scope.bytes_of(bytes).unwrap_or_else(|| scope.undefined())),
            &|scope| Ok(scope.latin1(address.as_bytes(), false)),
            &|scope| Ok(scope.number(port.into())),
        ],
    )
}

/// `dgram_close(descriptor)`
fn close(call: &Call<'_>) -> bool {
    let descriptor = call.integer(0) as i32;
    let Some(core) = Core::of(&call.scope) else { return false };
    let callback = RECEIVING.with_borrow_mut(|receiving| receiving.remove(&descriptor));
    drop(callback);
    close_socket(&core, descriptor);
    true
}

/// `dgram_setOption(descriptor, name, value)`
fn set_option(call: &Call<'_>) -> bool {
    let value = call.integer(2) as u32;
    change(call, |socket| {
        let is_v6 = socket.domain()? == Domain::IPV6;
        match (&*text(call, 1), is_v6) {
            ("ttl", _) if !(1..=255).contains(&value) => Err(invalid()), // as in Node; the system accepts 0 for IPv6
            ("broadcast", _) => socket.set_broadcast(value != 0),
            ("ttl", false) => socket.set_ttl_v4(value),
            ("ttl", true) => socket.set_unicast_hops_v6(value),
            ("multicastTtl", false) => socket.set_multicast_ttl_v4(value),
            ("multicastTtl", true) => socket.set_multicast_hops_v6(value),
            ("multicastLoopback", false) => socket.set_multicast_loop_v4(value != 0),
            ("multicastLoopback", true) => socket.set_multicast_loop_v6(value != 0),
            _ => Err(invalid()),
        }
    })
}

fn parse_v4(address: &str) -> io::Result<Ipv4Addr> {
    address.parse().map_err(|_| invalid())
}

/// An IPv6 address and the index of the interface after its `%`; 0 (any) for an unknown interface.
fn parse_scoped(address: &str) -> io::Result<(Ipv6Addr, u32)> {
    let (address, name) = address.split_once('%').unwrap_or((address, ""));
    let address = address.parse().map_err(|_| invalid())?;
    let name = CString::new(name).map_err(|_| invalid())?;
    // SAFETY: the name ends in NUL; no interface has an empty one.
    Ok((address, unsafe { libc::if_nametoindex(name.as_ptr()) }))
}

/// `dgram_multicastInterface(descriptor, address)`
fn multicast_interface(call: &Call<'_>) -> bool {
    let address = text(call, 1);
    change(call, |socket| {
        if address.contains(':') {
            socket.set_multicast_if_v6(parse_scoped(&address)?.1)
        } else {
            socket.set_multicast_if_v4(&parse_v4(&address)?)
        }
    })
}

/// `dgram_membership(descriptor, group, interface, isAdded)`
fn membership(call: &Call<'_>) -> bool {
    let (group, interface, is_added) = (text(call, 1), text(call, 2), call.is_true(3));
    change(call, |socket| {
        if socket.domain()? == Domain::IPV6 {
            let index = if interface.is_empty() { 0 } else { parse_scoped(&interface)?.1 };
            let group = parse_scoped(&group)?.0;
            return if is_added {
                socket.join_multicast_v6(&group, index)
            } else {
                socket.leave_multicast_v6(&group, index)
            };
        }
        let (group, interface) = (parse_v4(&group)?, parse_interface_v4(&interface)?);
        if is_added {
            socket.join_multicast_v4(&group, &interface)
        } else {
            socket.leave_multicast_v4(&group, &interface)
        }
    })
}

fn parse_interface_v4(interface: &str) -> io::Result<Ipv4Addr> {
    if interface.is_empty() { Ok(Ipv4Addr::UNSPECIFIED) } else { parse_v4(interface) }
}

/// `dgram_sourceMembership(descriptor, source, group, interface, isAdded)`
fn source_membership(call: &Call<'_>) -> bool {
    let (source, group, interface, is_added) = (text(call, 1), text(call, 2), text(call, 3), call.is_true(4));
    let descriptor = call.integer(0) as i32;
    change(call, |socket| {
        if socket.domain()? == Domain::IPV6 {
            return change_source_v6(descriptor, &source, &group, is_added);
        }
        let (source, group, interface) = (parse_v4(&source)?, parse_v4(&group)?, parse_interface_v4(&interface)?);
        if is_added {
            socket.join_ssm_v4(&source, &group, &interface)
        } else {
            socket.leave_ssm_v4(&source, &group, &interface)
        }
    })
}

/// `struct group_source_req` of <netinet/in.h>.
#[repr(C)]
struct SourceRequest {
    interface: u32,
    group: libc::sockaddr_storage,
    source: libc::sockaddr_storage,
}

fn change_source_v6(descriptor: i32, source: &str, group: &str, is_added: bool) -> io::Result<()> {
    const JOIN: i32 = 46; // MCAST_JOIN_SOURCE_GROUP, MCAST_LEAVE_SOURCE_GROUP
    const LEAVE: i32 = 47;
    let storage = |address: &str| -> io::Result<libc::sockaddr_storage> {
        let address: Ipv6Addr = address.parse().map_err(|_| invalid())?;
        // SAFETY: an IPv6 address of the system fits its storage, and all bytes zero are valid for both.
        unsafe {
            let mut storage: libc::sockaddr_storage = std::mem::zeroed();
            let place = &mut *(&raw mut storage).cast::<libc::sockaddr_in6>();
            place.sin6_family = libc::AF_INET6 as u16;
            place.sin6_addr.s6_addr = address.octets();
            Ok(storage)
        }
    };
    let request = SourceRequest { interface: 0, group: storage(group)?, source: storage(source)? };
    let option = if is_added { JOIN } else { LEAVE };
    // SAFETY: the request is valid for its size.
    let outcome = unsafe {
        let size = size_of_val(&request) as libc::socklen_t;
        libc::setsockopt(descriptor, libc::IPPROTO_IPV6, option, (&raw const request).cast::<c_void>(), size)
    };
    if outcome == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// `dgram_bufferSize(descriptor, 'receive' or 'send', size)`: sets the size of a buffer; with 0, returns it.
fn buffer_size(call: &Call<'_>) -> bool {
    let size = call.integer(2).max(0) as usize;
    answer_with(call, |socket| match (text(call, 1) == "receive", size) {
        (true, 0) => socket.recv_buffer_size(),
        (false, 0) => socket.send_buffer_size(),
        (true, _) => socket.set_recv_buffer_size(size).map(|()| size),
        (false, _) => socket.set_send_buffer_size(size).map(|()| size),
    })
}
