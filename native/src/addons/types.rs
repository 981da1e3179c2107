//! The declarations of `node_api.h`: the layouts and numbers that addons are compiled with.
use std::ffi::{c_char, c_int, c_void};

use crate::v8::api::Handle;

use super::env::Env;

/// `napi_env`.
pub type RawEnv = *const Env;
/// `napi_value`: the slot of a live handle; null for none.
pub type Value = Handle;
pub type Data = *mut c_void;
pub type Finalize = unsafe extern "C" fn(RawEnv, Data, Data);
pub type Callback = unsafe extern "C" fn(RawEnv, *mut CallbackInfo) -> Value;
pub type Register = unsafe extern "C" fn(RawEnv, Value) -> Value;

/// `napi_callback_info`.
pub type CallbackInfo = super::functions::Invocation;

/// `NAPI_AUTO_LENGTH`: the text ends in NUL.
pub const AUTO_LENGTH: usize = usize::MAX;
/// `process.versions.napi`, as in Node 26.
pub const VERSION: u32 = 10;
/// The version of Node-API for an addon that does not name one.
pub const DEFAULT_VERSION: i32 = 8;
pub const EXPERIMENTAL: i32 = i32::MAX;

/// `napi_status`.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Ok,
    InvalidArg,
    ObjectExpected,
    StringExpected,
    NameExpected,
    FunctionExpected,
    NumberExpected,
    BooleanExpected,
    ArrayExpected,
    GenericFailure,
    PendingException,
    Cancelled,
    EscapeCalledTwice,
    HandleScopeMismatch,
    CallbackScopeMismatch,
    QueueFull,
    Closing,
    BigIntExpected,
    DateExpected,
    ArrayBufferExpected,
    DetachableArrayBufferExpected,
    CannotRunJs = 23,
}

pub const MESSAGES: [&[u8]; 24] = [
    b"\0",
    b"Invalid argument\0",
    b"An object was expected\0",
    b"A string was expected\0",
    b"A string or symbol was expected\0",
    b"A function was expected\0",
    b"A number was expected\0",
    b"A boolean was expected\0",
    b"An array was expected\0",
    b"Unknown failure\0",
    b"An exception is pending\0",
    b"The async work item was cancelled\0",
    b"napi_escape_handle already called on scope\0",
    b"Invalid handle scope usage\0",
    b"Invalid callback scope usage\0",
    b"Thread-safe function queue is full\0",
    b"Thread-safe function handle is closing\0",
    b"A bigint was expected\0",
    b"A date was expected\0",
    b"An arraybuffer was expected\0",
    b"A detachable arraybuffer was expected\0",
    b"Main thread would deadlock\0",
    b"External buffers are not allowed\0",
    b"Cannot run JavaScript\0",
];

/// The result of a function's body; its error is the status that the function returns.
pub type Done = Result<(), Status>;

/// `napi_extended_error_info`.
#[repr(C)]
pub struct ExtendedErrorInfo {
    pub message: *const c_char,
    pub engine_reserved: Data,
    pub engine_code: u32,
    pub code: Status,
}

/// `napi_property_descriptor`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PropertyDescriptor {
    pub utf8name: *const c_char,
    pub name: Value,
    pub method: Option<Callback>,
    pub getter: Option<Callback>,
    pub setter: Option<Callback>,
    pub value: Value,
    pub attributes: c_int,
    pub data: Data,
}

pub const WRITABLE: c_int = 1;
pub const ENUMERABLE: c_int = 2;
pub const CONFIGURABLE: c_int = 4;
pub const STATIC: c_int = 1 << 10;

/// `napi_type_tag`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TypeTag {
    pub lower: u64,
    pub upper: u64,
}

/// `napi_module`, which older addons register in a constructor of their library.
#[repr(C)]
pub struct Module {
    pub version: c_int,
    pub flags: u32,
    pub filename: *const c_char,
    pub register: Option<Register>,
    pub name: *const c_char,
    pub private: Data,
    pub reserved: [Data; 4],
}
