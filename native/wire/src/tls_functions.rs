//! The functions of the crypto library (`native/crypto`) that rt's native module calls by address (`native/src/http/secure.rs`):
//! TLS over sockets for native servers, and bytes through the connections of JavaScript.
use std::ffi::{c_int, c_void};

/// A connection, created by `accept` and released by `free`; one thread at a time uses it.
pub type Accepted = *mut c_void;

/// The name of the function without arguments that returns the table.
pub const NAME: &std::ffi::CStr = c"rt_tls_functions";

#[repr(C)]
pub struct Functions {
    /// Creates a connection for an acceptor (by number) on a connected socket, which the caller owns; null on failure.
    pub accept: unsafe extern "C" fn(u64, c_int) -> Accepted,
    /// Read from the socket and decrypt into a buffer of that size; returns the number of bytes, and flags.
    pub read: unsafe extern "C" fn(Accepted, *mut u8, usize, *mut u32) -> usize,
    /// Encrypts bytes, which `send` sends. False if the connection is broken.
    pub write: unsafe extern "C" fn(Accepted, *const u8, usize) -> bool,
    /// Sends pending bytes; returns how many the socket has not accepted, or a negative number if it is broken.
    pub send: unsafe extern "C" fn(Accepted) -> isize,
    /// The number of pending bytes.
    pub unsent: unsafe extern "C" fn(Accepted) -> usize,
    /// Announce the end of the data to the peer, once.
    pub goodbye: unsafe extern "C" fn(Accepted),
    pub free: unsafe extern "C" fn(Accepted),
    /// For a connection of `tls_new`, by number: incoming bytes, and a buffer for decrypted ones. Returns their number,
    /// with `MORE` or `NEWS`; a negative number if the connection is not open, and nothing happened.
    pub take: unsafe extern "C" fn(u64, *const u8, usize, *mut u8, usize) -> i64,
    /// Encrypts one or two pieces and sends the result through a descriptor: 0 if everything is sent, 1 if the rest waits
    /// to be taken, 2 if in addition the second piece was not processed; a negative number if nothing happened.
    pub put: unsafe extern "C" fn(u64, c_int, *const u8, usize, *const u8, usize) -> i64,
}

/// Flag of `take`: there may be more, for another call without bytes.
pub const MORE: i64 = 1 << 20;
/// Flag of `take`: there are events, which `tls_step` reports.
pub const NEWS: i64 = 2 << 20;

/// Flag of `read`: the socket has no more bytes for now.
pub const DRAINED: u32 = 1;
/// Flag of `read`: the peer has ended its data.
pub const ENDED: u32 = 2;
/// Flag of `read`: the connection is broken, or was never established.
pub const BROKEN: u32 = 4;
/// Flag of `read`: the handshake is done and has chosen HTTP/2 (reported once, without bytes).
pub const SPEAKS_HTTP2: u32 = 8;
/// Flag of `read`: the handshake has advanced.
pub const ADVANCED: u32 = 16;
