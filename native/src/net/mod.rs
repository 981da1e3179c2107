//! The host side of `js/node/net`, `js/node/dgram` and `js/node/dns`, without Python: listening, connecting and UDP sockets,
//! all in the loop's wait, and name resolution by the system, on the pool.
//!
//! A socket is a non-blocking descriptor; `event_loop` handles its bytes and new connections. Failures are negative
//! errno values. Names are resolved separately (`names`), so socket addresses are numeric.
use std::io;

use crate::v8::HostOperation;

mod connecting;
mod datagrams;
mod listening;
mod names;
mod options;
mod places;

pub const OPERATIONS: [&[(&str, HostOperation)]; 5] =
    [connecting::OPERATIONS, datagrams::OPERATIONS, listening::OPERATIONS, names::OPERATIONS, options::OPERATIONS];

/// The negative errno of a failure.
fn negative(error: &io::Error) -> i32 {
    -error.raw_os_error().unwrap_or(libc::EINVAL)
}
