//! What this library gives to rt's native module, which opens it and calls by address (`native/src/http/secure.rs` takes this
//! file in, too): TLS over sockets for servers that are not JavaScript's, and bytes through connections that are.
use std::ffi::{c_int, c_void};

/// A connection, made by `accept` and ended by `free`; one thread at a time uses it.
pub type Accepted = *mut c_void;

/// The name of the function without arguments that gives them.
#[allow(dead_code)] // each side uses one of the two forms
pub const NAME: &std::ffi::CStr = c"rt_tls_functions";

#[repr(C)]
pub struct Functions {
    /// A connection of an acceptor's (its number) on a connected socket, which stays the caller's; null where that fails.
    pub accept: unsafe extern "C" fn(u64, c_int) -> Accepted,
    /// Read from the socket what there is, clear bytes into so much room; how many came, and what else there is to tell.
    pub read: unsafe extern "C" fn(Accepted, *mut u8, usize, *mut u32) -> usize,
    /// Encrypt bytes; `send` sends them. False where the connection is broken.
    pub write: unsafe extern "C" fn(Accepted, *const u8, usize) -> bool,
    /// Send what is to be sent; how much of it the socket has not taken, or below zero where it is broken.
    pub send: unsafe extern "C" fn(Accepted) -> isize,
    /// How much is to be sent.
    pub unsent: unsafe extern "C" fn(Accepted) -> usize,
    /// Nothing more is written: say so to the other side, once.
    pub goodbye: unsafe extern "C" fn(Accepted),
    pub free: unsafe extern "C" fn(Accepted),
    /// For a connection of `tls_new`, by its number: bytes that arrived, and room for the clear ones. How many those are, with
    /// `MORE` or `NEWS`; below zero where it is not open, and nothing has happened.
    pub take: unsafe extern "C" fn(u64, *const u8, usize, *mut u8, usize) -> i64,
    /// Encrypt one or two pieces, and send what comes out through a descriptor: 0 when all is sent, 1 when the rest waits to be
    /// taken, 2 when the second piece has not been looked at besides; below zero where nothing has happened.
    pub put: unsafe extern "C" fn(u64, c_int, *const u8, usize, *const u8, usize) -> i64,
}

/// Besides how many bytes `take` has given: there may be more, for another call without bytes;
#[allow(dead_code)] // JavaScript looks at both
pub const MORE: i64 = 1 << 20;
/// there is something else to tell, which `tls_step` does.
#[allow(dead_code)]
pub const NEWS: i64 = 2 << 20;

/// What `read` tells: the socket has no more for now;
pub const DRAINED: u32 = 1;
/// the other side says nothing more;
pub const ENDED: u32 = 2;
/// the connection is broken, or never came to be;
pub const BROKEN: u32 = 4;
/// the handshake is done, and has chosen HTTP/2 (told once, without bytes);
pub const SPEAKS_HTTP2: u32 = 8;
/// the handshake has got further.
pub const ADVANCED: u32 = 16;
