//! A database as bytes and back, its file, and extensions.
use std::ffi::{CStr, c_int};

use crate::v8::Natives;
use crate::v8::rows::Kind;
use crate::v8::{Call, CallbackInfo, guarded};

use super::errors::{self, bytes};
use super::held;
use super::library::{OK, sqlite};

pub const NATIVES: Natives = &[
    ("sqlite_serialize", serialize),
    ("sqlite_deserialize", deserialize),
    ("sqlite_filename", filename),
    ("sqlite_loadExtension", load_extension),
    ("sqlite_fileControl", file_control),
];

const FREE_ON_CLOSE: u32 = 1;
const RESIZEABLE: u32 = 2;
const READ_ONLY: u32 = 4;

/// `sqlite_serialize(database, name)`: the bytes of the database file; undefined if SQLite cannot produce them.
extern "C" fn serialize(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        let name = call.c_text(1).unwrap_or_default();
        let mut size = 0;
        // SAFETY: the connection is open; SQLite returns `size` bytes, which are copied and then freed.
        unsafe {
            let data = (sqlite()._serialize)(database.raw.get(), name.as_ptr(), &mut size, 0);
            if data.is_null() {
                return call.throw(errors::of_connection(&call.scope, database.raw.get()));
            }
            give_copy(call, data, size as usize);
        }
    });
}

/// Answer with a copy of `size` bytes that SQLite allocated, and free them.
///
/// # Safety
/// `data` is owned by the caller and has `size` bytes; it may be null if `size` is 0.
pub unsafe fn give_copy(call: &Call, data: *mut u8, size: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let bytes = call.scope.bytes(size, |place| {
            if size > 0 {
                place.copy_from_slice(std::slice::from_raw_parts(data, size));
            }
            size
        });
        (sqlite()._free)(data.cast());
        match bytes {
            Some(bytes) => call.answer(bytes),
            None => call.refuse(Kind::Range, "Array buffer allocation failed", "ERR_BUFFER_TOO_LARGE"),
        }
    }
}

/// `sqlite_deserialize(database, name, bytes, isReadOnly)`: replaces the database by an in-memory one with these bytes.
extern "C" fn deserialize(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        if database.depth.get() > 0 {
            let _: Option<()> = errors::invalid_state(call, "database cannot be deserialized while in a callback");
            return;
        }
        let name = call.c_text(1).unwrap_or_default();
        let flags = FREE_ON_CLOSE | if call.is_true(3) { READ_ONLY } else { RESIZEABLE };
        let copied = call.with_bytes(2, |given| {
            // SAFETY: SQLite allocates `len` bytes, or returns null; it owns the memory from here on, even on failure.
            unsafe {
                let data = (sqlite()._malloc64)(given.len().max(1) as u64);
                if !data.is_null() && !given.is_empty() {
                    std::ptr::copy_nonoverlapping(given.as_ptr(), data, given.len());
                }
                (data, given.len() as i64)
            }
        });
        let Some((data, size)) = copied.filter(|(data, _)| !data.is_null()) else {
            return call.throw(errors::of_code(&call.scope, 7, None));
        };
        // SAFETY: the connection is open and idle, and SQLite allocated the memory for this.
        let code = unsafe { (sqlite()._deserialize)(database.raw.get(), name.as_ptr(), data, size, size, flags) };
        if code != OK {
            errors::throw(call, &database);
        }
    });
}

/// `sqlite_filename(database, name)`: the path of a database's file; null if it has none.
extern "C" fn filename(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        let name = call.c_text(1).unwrap_or_default();
        // SAFETY: the connection is open; the text lives as long as the database is attached.
        let path = bytes(unsafe { (sqlite()._db_filename)(database.raw.get(), name.as_ptr()) });
        let text = if path.is_empty() { None } else { call.scope.text(path) };
        call.answer(text.unwrap_or_else(|| call.scope.null()));
    });
}

/// `sqlite_loadExtension(database, path, entry)`: the loader's message if it fails; undefined otherwise.
extern "C" fn load_extension(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        let path = call.c_text(1).unwrap_or_default();
        let entry = call.c_text(2);
        let entry = entry.as_deref().map_or(std::ptr::null(), CStr::as_ptr);
        let mut problem = std::ptr::null_mut();
        // SAFETY: the connection is open and the texts end in NUL; the library's code runs, as the program requests.
        unsafe {
            let load = || (sqlite()._load_extension)(database.raw.get(), path.as_ptr(), entry, &mut problem);
            if database.calling(load) != OK {
                let text = call.scope.text(bytes(problem));
                (sqlite()._free)(problem.cast());
                call.answer(text.unwrap_or_else(|| call.scope.null()));
            }
        }
    });
}

/// The integer operand of an operation, if it has one.
fn number_of(call: &Call<'_>, index: usize) -> c_int {
    if call.is_true(index) { 1 } else { call.integer(index) as c_int }
}

/// `sqlite_fileControl(database, name, operation, value)`: SQLite's code; the value is an integer or a buffer.
extern "C" fn file_control(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        let name = call.c_text(1);
        let name = name.as_deref().map_or(std::ptr::null(), CStr::as_ptr);
        let (raw, operation) = (database.raw.get(), call.integer(2) as c_int);
        // SAFETY: the connection is open. The program must provide a value large enough for the operation, as file
        // systems define their own operations.
        let control = |value| unsafe { (sqlite()._file_control)(raw, name, operation, value) };
        let with_buffer = call.with_bytes_mut(3, |place| control(place.as_mut_ptr().cast()));
        let code = with_buffer.unwrap_or_else(|| {
            let mut number = number_of(call, 3);
            control((&raw mut number).cast())
        });
        call.answer_number(code.into());
    });
}
