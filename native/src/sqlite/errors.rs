//! SQLite's errors in Node's form: `ERR_SQLITE_ERROR` with `errcode` and `errstr`.
use std::ffi::{CStr, c_char};

use crate::v8::rows::Kind;
use crate::v8::{Call, Local, Scope};

use super::held::Database;
use super::library::{Raw, sqlite};

/// The bytes of one of SQLite's texts; empty for null.
pub fn bytes<'a>(text: *const c_char) -> &'a [u8] {
    // SAFETY: SQLite's texts end in NUL; the callers use them before they call SQLite again.
    if text.is_null() { b"" } else { unsafe { CStr::from_ptr(text) }.to_bytes() }
}

/// An Error with the code of a failed call, and with `message` if SQLite's text for the code is not specific enough.
pub fn of_code<'s>(scope: &Scope<'s>, code: i32, message: Option<&[u8]>) -> Local<'s> {
    // SAFETY: the call returns a static text.
    let words = bytes(unsafe { (sqlite()._errstr)(code) });
    let message = String::from_utf8_lossy(message.unwrap_or(words)).into_owned();
    let error = scope.error_with_code(Kind::Error, &message, "ERR_SQLITE_ERROR");
    scope.put(error, "errcode", scope.integer(code.into()));
    if let Some(words) = scope.text(words) {
        scope.put(error, "errstr", words);
    }
    error
}

/// The same without `errstr`, as Node throws it if a changeset cannot be applied.
pub fn of_code_alone<'s>(scope: &Scope<'s>, code: i32) -> Local<'s> {
    // SAFETY: the call returns a static text.
    let words = String::from_utf8_lossy(bytes(unsafe { (sqlite()._errstr)(code) })).into_owned();
    let error = scope.error_with_code(Kind::Error, &words, "ERR_SQLITE_ERROR");
    scope.put(error, "errcode", scope.integer(code.into()));
    error
}

/// The last error of a connection.
pub fn of_connection<'s>(scope: &Scope<'s>, raw: Raw) -> Local<'s> {
    // SAFETY: the connection is open, or failed to open and is not closed yet.
    unsafe {
        let code = (sqlite()._extended_errcode)(raw);
        of_code(scope, code, Some(bytes((sqlite()._errmsg)(raw))))
    }
}

/// Throws the exception of a JavaScript callback, or else the connection's error.
pub fn throw(call: &Call<'_>, database: &Database) {
    if !database.rethrow(call) {
        call.throw(of_connection(&call.scope, database.raw.get()));
    }
}

pub fn invalid_state<T>(call: &Call<'_>, message: &str) -> Option<T> {
    call.refuse(Kind::Error, message, "ERR_INVALID_STATE");
    None
}
