//! What `js/node/net` and `js/node/dns` ask of the host, without Python: sockets that listen and connect, all in the loop's wait,
//! and names as the system resolves them, on the pool.
//!
//! A socket is its descriptor, never blocking; its bytes and new connections are `event_loop`'s. Failures are negative errno
//! values. Names are resolved first (`names`): addresses of sockets are numeric.
use std::io;

use crate::v8::HostOperation;

mod connecting;
mod listening;
mod names;
mod options;
mod places;

pub const OPERATIONS: [&[(&str, HostOperation)]; 4] =
    [connecting::OPERATIONS, listening::OPERATIONS, names::OPERATIONS, options::OPERATIONS];

/// A failure as JavaScript is told of it.
fn negative(error: &io::Error) -> i32 {
    -error.raw_os_error().unwrap_or(libc::EINVAL)
}
