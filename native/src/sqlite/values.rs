//! Values across the border: columns and function arguments to JavaScript, bound parameters and results to SQLite.
use std::ffi::c_int;

use crate::v8::rows::{DatabaseValue, Kind};
use crate::v8::{Local, Scope};

use super::library::{BLOB, FLOAT, INTEGER, OK, Raw, TEXT, TRANSIENT, UTF8, sqlite};

/// How integers are converted to JavaScript.
#[derive(Clone, Copy, PartialEq)]
pub enum Integers {
    /// Numbers; an integer too large for one is an error.
    Exact,
    BigInt,
    /// Numbers; large integers are rounded.
    Rounded,
}

const MAX_SAFE: u64 = (1 << 53) - 1;

/// A place to read a value from.
pub trait Source {
    fn kind(&self) -> c_int;
    fn integer(&self) -> i64;
    fn double(&self) -> f64;
    fn text(&self) -> *const u8;
    fn blob(&self) -> *const u8;
    fn size(&self) -> c_int;
}

/// A column of a statement's current row.
pub struct Column(pub Raw, pub c_int);
/// An argument of a function.
pub struct Argument(pub Raw);

macro_rules! source {
    ($name:ident($($field:tt),*): $kind:ident $integer:ident $double:ident $text:ident $blob:ident $size:ident) => {
        // SAFETY (of all six): the statement is at a row that has the column, or SQLite passes the value to a function.
        impl Source for $name {
            fn kind(&self) -> c_int { unsafe { (sqlite().$kind)($(self.$field),*) } }
            fn integer(&self) -> i64 { unsafe { (sqlite().$integer)($(self.$field),*) } }
            fn double(&self) -> f64 { unsafe { (sqlite().$double)($(self.$field),*) } }
            fn text(&self) -> *const u8 { unsafe { (sqlite().$text)($(self.$field),*) } }
            fn blob(&self) -> *const u8 { unsafe { (sqlite().$blob)($(self.$field),*) } }
            fn size(&self) -> c_int { unsafe { (sqlite().$size)($(self.$field),*) } }
        }
    };
}

source! { Column(0, 1): _column_type _column_int64 _column_double _column_text _column_blob _column_bytes }
source! { Argument(0): _value_type _value_int64 _value_double _value_text _value_blob _value_bytes }

fn borrow_bytes<'a>(data: *const u8, size: c_int) -> &'a [u8] {
    if data.is_null() || size <= 0 {
        return &[];
    }
    // SAFETY: `data` points to `size` readable bytes, which are read before SQLite is called again.
    unsafe { std::slice::from_raw_parts(data, size as usize) }
}

/// A JavaScript value, or the error to throw in its place.
pub fn to_js<'s>(scope: &Scope<'s>, source: &impl Source, integers: Integers) -> Result<Local<'s>, Local<'s>> {
    match source.kind() {
        INTEGER => {
            let number = source.integer();
            if integers == Integers::BigInt {
                return Ok(scope.bigint(number));
            }
            if integers == Integers::Exact && number.unsigned_abs() > MAX_SAFE {
                let text = format!("Value is too large to be represented as a JavaScript number: {number}");
                return Err(scope.error_with_code(Kind::Range, &text, "ERR_OUT_OF_RANGE"));
            }
            Ok(scope.integer(number))
        }
        FLOAT => Ok(scope.number(source.double())),
        TEXT => {
            let text = source.text();
            let too_long = || {
                scope.error_with_code(
                    Kind::Error,
                    "Cannot create a string longer than V8 allows",
                    "ERR_STRING_TOO_LONG",
                )
            };
            scope.text(borrow_bytes(text, source.size())).ok_or_else(too_long)
        }
        BLOB => {
            let blob = source.blob();
            let too_long =
                || scope.error_with_code(Kind::Range, "Array buffer allocation failed", "ERR_BUFFER_TOO_LARGE");
            scope.bytes_of(borrow_bytes(blob, source.size())).ok_or_else(too_long)
        }
        _ => Ok(scope.null()),
    }
}

/// Why a value cannot be bound.
pub enum Unbound {
    /// SQLite has no type for it.
    Kind,
    /// A BigInt of more than 64 bits.
    TooLarge,
    Sqlite,
}

/// Binds `value` to the parameter `index`. With `is_lenient`, integral numbers become integers.
pub fn bind<'s>(
    scope: &Scope<'s>,
    statement: Raw,
    index: c_int,
    value: Local<'s>,
    is_lenient: bool,
) -> Result<(), Unbound> {
    let sqlite = sqlite();
    // SAFETY (of all calls): the statement is live and not running; SQLite checks the index and copies the given bytes.
    let code = unsafe {
        match scope.classify(value) {
            DatabaseValue::Null | DatabaseValue::Undefined => (sqlite._bind_null)(statement, index),
            DatabaseValue::Boolean(value) => (sqlite._bind_int64)(statement, index, value.into()),
            DatabaseValue::Number(number) if is_lenient && is_whole(number) => {
                (sqlite._bind_int64)(statement, index, number as i64)
            }
            DatabaseValue::Number(number) => (sqlite._bind_double)(statement, index, number),
            DatabaseValue::BigInt(Some(number)) => (sqlite._bind_int64)(statement, index, number),
            DatabaseValue::BigInt(None) => return Err(Unbound::TooLarge),
            DatabaseValue::Text(text) => {
                let text = scope.utf8(text);
                (sqlite._bind_text64)(statement, index, start(&text), text.len() as u64, TRANSIENT, UTF8 as u8)
            }
            DatabaseValue::Bytes(value) => {
                let bind =
                    |bytes: &[u8]| (sqlite._bind_blob64)(statement, index, start(bytes), bytes.len() as u64, TRANSIENT);
                crate::v8::with_bytes(value, bind).unwrap_or(OK)
            }
            _ => return Err(Unbound::Kind),
        }
    };
    if code == OK { Ok(()) } else { Err(Unbound::Sqlite) }
}

fn is_whole(number: f64) -> bool {
    number.trunc() == number && number.abs() <= MAX_SAFE as f64 && !(number == 0.0 && number.is_sign_negative())
}

/// The address of a text, not null even if it is empty, because null means NULL.
fn start(text: &[u8]) -> *const u8 {
    if text.is_empty() { b"".as_ptr() } else { text.as_ptr() }
}

/// Sets `value` as the result of the SQL function being called.
pub fn give_back<'s>(scope: &Scope<'s>, context: Raw, value: Local<'s>, is_lenient: bool) {
    let sqlite = sqlite();
    // SAFETY (of all calls): SQLite is calling with the context, and copies the given bytes.
    unsafe {
        match scope.classify(value) {
            DatabaseValue::Null | DatabaseValue::Undefined => (sqlite._result_null)(context),
            DatabaseValue::Boolean(value) if is_lenient => (sqlite._result_int64)(context, value.into()),
            DatabaseValue::Number(number) if is_lenient && is_whole(number) => {
                (sqlite._result_int64)(context, number as i64)
            }
            DatabaseValue::Number(number) => (sqlite._result_double)(context, number),
            DatabaseValue::BigInt(Some(number)) => (sqlite._result_int64)(context, number),
            DatabaseValue::BigInt(None) => refuse(context, "BigInt value is too large for SQLite"),
            DatabaseValue::Text(text) => {
                let text = scope.utf8(text);
                (sqlite._result_text64)(context, start(&text), text.len() as u64, TRANSIENT, UTF8 as u8);
            }
            DatabaseValue::Bytes(value) => {
                let give = |bytes: &[u8]| (sqlite._result_blob64)(context, start(bytes), bytes.len() as u64, TRANSIENT);
                crate::v8::with_bytes(value, give);
            }
            DatabaseValue::Promise => refuse(context, "Asynchronous user-defined functions are not supported"),
            DatabaseValue::Boolean(_) | DatabaseValue::Other => {
                refuse(context, "Returned JavaScript value cannot be converted to a SQLite value");
            }
        }
    }
}

/// Makes the SQL function being called fail.
pub fn refuse(context: Raw, message: &str) {
    // SAFETY: SQLite is calling with the context, and copies the `len()` bytes of the text.
    unsafe { (sqlite()._result_error)(context, message.as_ptr(), message.len() as c_int) };
}
