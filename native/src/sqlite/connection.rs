//! Opening, querying, configuring and closing connections.
use std::ffi::c_int;
use std::rc::Rc;

use crate::v8::Natives;
use crate::v8::rows::Kind;
use crate::v8::{Call, CallbackInfo, guarded};

use super::errors::{self, bytes};
use super::held::{self, Database, OwnedObject};
use super::library::{OK, Raw, load, sqlite};

pub const NATIVES: Natives = &[
    ("sqlite_version", version),
    ("sqlite_open", open),
    ("sqlite_close", close),
    ("sqlite_end", end),
    ("sqlite_exec", exec),
    ("sqlite_configure", configure),
    ("sqlite_limit", limit),
    ("sqlite_isTransaction", is_transaction),
    ("sqlite_changes", changes),
    ("sqlite_errorOffset", error_offset),
];

fn loaded_library(call: &Call<'_>) -> Option<&'static super::library::Loaded> {
    match load() {
        Ok(loaded) => Some(loaded),
        Err(problem) => {
            let text = format!("rt's SQLite cannot be loaded: {problem}");
            call.refuse(Kind::Error, &text, "ERR_DLOPEN_FAILED");
            None
        }
    }
}

/// `sqlite_version()`.
extern "C" fn version(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(loaded) = loaded_library(call) else { return };
        // SAFETY: the call returns a static text.
        if let Some(text) = call.scope.text(bytes(unsafe { (loaded.sqlite._libversion)() })) {
            call.answer(text);
        }
    });
}

/// `sqlite_open(owner, path, flags, timeoutMs)`: the connection's number.
extern "C" fn open(info: &CallbackInfo) {
    guarded(info, |call| {
        if loaded_library(call).is_none() {
            return;
        }
        held::reap();
        let path = call.c_text(1).unwrap_or_default();
        let mut raw: Raw = std::ptr::null_mut();
        // SAFETY: the path ends in NUL; if opening failed, the connection's error is read before it is closed.
        unsafe {
            let flags = call.integer(2) as c_int;
            let code = (sqlite()._open_v2)(path.as_ptr(), &mut raw, flags, std::ptr::null());
            if code != OK {
                call.throw(errors::of_connection(&call.scope, raw));
                (sqlite()._close_v2)(raw);
                return;
            }
            (sqlite()._busy_timeout)(raw, call.integer(3) as c_int);
        }
        let database = Rc::new(Database::new(raw));
        call.answer_number(held::hold(&call.scope, call.argument(0), OwnedObject::Database(database)) as f64);
    });
}

/// `sqlite_close(database)`: also ends its statements and sessions.
extern "C" fn close(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        if database.depth.get() > 0 {
            let _: Option<()> = errors::invalid_state(call, "database cannot be closed while in a callback");
            return;
        }
        let code = database.close();
        if code != OK {
            call.throw(errors::of_code(&call.scope, code, None));
        }
    });
}

/// `sqlite_end()`: closes every database at the program's end.
extern "C" fn end(info: &CallbackInfo) {
    guarded(info, |_| held::end_all());
}

/// `sqlite_exec(database, sql)`: runs every statement of the text.
extern "C" fn exec(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        let text = call.c_text(1).unwrap_or_default();
        let null = std::ptr::null_mut();
        // SAFETY: the connection is open and cannot be closed meanwhile; the text ends in NUL.
        let code =
            database.calling(|| unsafe { (sqlite()._exec)(database.raw.get(), text.as_ptr(), null, null, null) });
        if code != OK {
            errors::throw(call, &database);
        } else {
            database.rethrow(call);
        }
    });
}

/// `sqlite_configure(database, what, isOn)`: sets a switch of `sqlite3_db_config`.
extern "C" fn configure(info: &CallbackInfo) {
    guarded(info, |call| {
        let (Some(database), Some(loaded)) = (held::database(call, 0), loaded_library(call)) else { return };
        let (what, is_on) = (call.integer(1) as c_int, c_int::from(call.is_true(2)));
        // SAFETY: the connection is open; all switches take an int and an optional address of one.
        let code = unsafe { (loaded.configure)(database.raw.get(), what, is_on, std::ptr::null_mut::<c_int>()) };
        if code != OK {
            errors::throw(call, &database);
        }
    });
}

/// `sqlite_limit(database, which, value)`: sets a limit and returns the old one; a negative value changes nothing.
extern "C" fn limit(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        let value = call.number(2).unwrap_or(-1.0).min(c_int::MAX.into()) as c_int;
        // SAFETY: the connection is open.
        let before = unsafe { (sqlite()._limit)(database.raw.get(), call.integer(1) as c_int, value) };
        call.answer_number(before.into());
    });
}

/// `sqlite_isTransaction(database)`.
extern "C" fn is_transaction(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        // SAFETY: the connection is open.
        call.answer(call.scope.boolean(unsafe { (sqlite()._get_autocommit)(database.raw.get()) } == 0));
    });
}

/// `sqlite_changes(database)`: `[changes of the last statement, total changes, last row's id]`, as doubles.
extern "C" fn changes(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        let (raw, sqlite) = (database.raw.get(), sqlite());
        // SAFETY: the connection is open.
        let numbers =
            unsafe { [(sqlite._changes64)(raw), (sqlite._total_changes64)(raw), (sqlite._last_insert_rowid)(raw)] };
        call.answer(call.scope.array(&numbers.map(|number| call.scope.bigint(number))));
    });
}

/// `sqlite_errorOffset(database)`: the byte offset of the last error in the statement's text; -1 if it has none.
extern "C" fn error_offset(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        // SAFETY: the connection is open.
        call.answer_number(unsafe { (sqlite()._error_offset)(database.raw.get()) }.into());
    });
}
