//! The names and options of sockets.
use std::io;
use std::time::Duration;

use socket2::{Domain, SockRef, TcpKeepalive};

use super::connecting::with_socket;
use super::negative;
use super::places::end_to_js;
use crate::v8::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("net_localName", local_name),
    ("net_remoteName", remote_name),
    ("net_resetOnClose", reset_on_close),
    ("net_setKeepAlive", set_keep_alive),
    ("net_setNoDelay", set_no_delay),
    ("net_typeOfService", type_of_service),
];

/// Calls `work` with the socket in the first argument; a failure becomes a negative errno.
fn with(call: &Call<'_>, work: impl FnOnce(&SockRef<'_>) -> io::Result<()>) -> bool {
    let descriptor = call.integer(0) as i32;
    if let Err(error) = with_socket(descriptor, work) {
        call.answer_number(negative(&error).into());
    }
    true
}

/// `net_localName(descriptor)`: [address, kind, port].
fn local_name(call: &Call<'_>) -> bool {
    with(call, |socket| {
        call.answer(end_to_js(&call.scope, socket, &socket.local_addr()?));
        Ok(())
    })
}

/// `net_remoteName(descriptor)`: as `net_localName`.
fn remote_name(call: &Call<'_>) -> bool {
    with(call, |socket| {
        call.answer(end_to_js(&call.scope, socket, &socket.peer_addr()?));
        Ok(())
    })
}

/// `net_setNoDelay(descriptor, on)`
fn set_no_delay(call: &Call<'_>) -> bool {
    with(call, |socket| socket.set_tcp_nodelay(call.is_true(1)))
}

/// `net_setKeepAlive(descriptor, on, delay in seconds)`
fn set_keep_alive(call: &Call<'_>) -> bool {
    with(call, |socket| {
        socket.set_keepalive(call.is_true(1))?;
        let delay = call.number(2).unwrap_or(0.0);
        if call.is_true(1) && delay > 0.0 {
            let delay = Duration::from_secs(delay as u64);
            let manner = TcpKeepalive::new().with_time(delay).with_interval(Duration::from_secs(1)).with_retries(10);
            socket.set_tcp_keepalive(&manner)?;
        }
        Ok(())
    })
}

/// `net_resetOnClose(descriptor)`
fn reset_on_close(call: &Call<'_>) -> bool {
    with(call, |socket| socket.set_linger(Some(Duration::ZERO)))
}

/// `net_typeOfService(descriptor, value)`: sets the type of service; a negative value only reads it.
fn type_of_service(call: &Call<'_>) -> bool {
    let value = call.integer(1);
    with(call, |socket| {
        let is_v6 = socket.domain()? == Domain::IPV6;
        if value >= 0 {
            if is_v6 { socket.set_tclass_v6(value as u32)? } else { socket.set_tos_v4(value as u32)? }
        }
        call.answer_number(if is_v6 { socket.tclass_v6()? } else { socket.tos_v4()? }.into());
        Ok(())
    })
}
