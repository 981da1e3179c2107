//! The interface between the crypto library (`native/crypto`) and rt's native module, which opens it and calls its functions by
//! number (`native/src/crypto`).
//!
//! Arguments are an array of items in the caller's memory, valid during the call. A result is passed item by item to
//! `put`, which copies it: neither side frees the other's memory.
use std::ffi::{CStr, c_char, c_void};

/// The function that exchanges the callbacks of the host for the functions of the library.
pub const NAME: &CStr = c"rt_crypto_calls";
pub type Open = unsafe extern "C" fn(&'static Host) -> &'static Calls;

/// The kinds of items. `NOTHING` is undefined.
pub const NOTHING: u32 = 0;
/// `number` is 0 or 1.
pub const BOOLEAN: u32 = 1;
pub const NUMBER: u32 = 2;
/// `size` bytes of UTF-8 at `data`.
pub const TEXT: u32 = 3;
/// `size` bytes at `data`.
pub const BYTES: u32 = 4;
/// The host's object at `data`: a JavaScript function, owned by the receiver.
pub const FUNCTION: u32 = 5;
/// The next `size` values are its elements.
pub const LIST: u32 = 6;
/// The next `size` pairs of a text and a value are its properties.
pub const RECORD: u32 = 7;
/// The host's object at `data`: a JavaScript exception, owned by the receiver.
pub const THROWN: u32 = 8;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Item {
    pub kind: u32,
    pub number: f64,
    pub data: *mut c_void,
    pub size: usize,
}

/// Receives an item of a result; the first argument identifies the call.
pub type Put = unsafe extern "C" fn(*mut c_void, &Item);

/// The callbacks of the host.
#[repr(C)]
pub struct Host {
    /// Calls a JavaScript function with that many arguments; false if it throws, and the result is `THROWN`.
    pub call: unsafe extern "C" fn(*mut c_void, *const Item, usize, *mut c_void, Put) -> bool,
    /// Releases one of the host's objects.
    pub forget: unsafe extern "C" fn(*mut c_void),
}

/// The functions of the library.
#[repr(C)]
pub struct Calls {
    /// The name of a function, which ends in NUL; null for an invalid number.
    pub name: unsafe extern "C" fn(usize) -> *const c_char,
    /// Calls a function; false if it fails, and the result is `THROWN`, or a list of an error class, a message and a
    /// list of alternating names and values of further properties.
    pub call: unsafe extern "C" fn(usize, *const Item, usize, *mut c_void, Put) -> bool,
}
