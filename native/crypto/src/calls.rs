//! What crosses between this library and rt's native module, which opens it and calls its functions by number
//! (`native/src/crypto` takes this file in, too).
//!
//! Arguments are a row of items in the caller's memory, read where they lie while the call lasts. An answer is told item by
//! item through `put`, which copies what it is given: nothing of one side's memory is freed by the other.
use std::ffi::{CStr, c_char, c_void};

/// The function that takes what the library may call and gives its own functions.
#[allow(dead_code)] // the host looks it up
pub const NAME: &CStr = c"rt_crypto_calls";
#[allow(dead_code)]
pub type Open = unsafe extern "C" fn(&'static Host) -> &'static Calls;

/// Kinds of items. `NOTHING` is undefined.
pub const NOTHING: u32 = 0;
/// `number` is 0 or 1.
pub const BOOLEAN: u32 = 1;
pub const NUMBER: u32 = 2;
/// `size` bytes of UTF-8 at `data`.
pub const TEXT: u32 = 3;
/// `size` bytes at `data`.
pub const BYTES: u32 = 4;
/// The host's object at `data`: a function of JavaScript, which belongs to who is given it.
pub const FUNCTION: u32 = 5;
/// The next `size` values are its elements.
pub const LIST: u32 = 6;
/// The next `size` pairs of a text and a value are its properties.
pub const RECORD: u32 = 7;
/// The host's object at `data`: what JavaScript has thrown, which belongs to who is given it.
pub const THROWN: u32 = 8;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Item {
    pub kind: u32,
    pub number: f64,
    pub data: *mut c_void,
    pub size: usize,
}

/// Takes an item of an answer for whoever waits at the first argument.
pub type Put = unsafe extern "C" fn(*mut c_void, &Item);

/// What the library calls.
#[repr(C)]
pub struct Host {
    /// Call a function of JavaScript with so many arguments: false where it throws, and the answer is `THROWN`.
    pub call: unsafe extern "C" fn(*mut c_void, *const Item, usize, *mut c_void, Put) -> bool,
    /// Forget one of the host's objects.
    pub forget: unsafe extern "C" fn(*mut c_void),
}

/// What the host calls.
#[repr(C)]
pub struct Calls {
    /// The name of the function with a number, which ends in NUL; null where there is none.
    pub name: unsafe extern "C" fn(usize) -> *const c_char,
    /// Call the function with a number: false where it fails, and the answer is `THROWN` or a list of a class of errors, a
    /// message and a list of further properties, each name before its value.
    pub call: unsafe extern "C" fn(usize, *const Item, usize, *mut c_void, Put) -> bool,
}
