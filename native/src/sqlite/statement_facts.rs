//! Preparing and finalizing statements, and their properties.
use std::ffi::c_int;
use std::rc::Rc;

use crate::v8::Natives;
use crate::v8::{CallbackInfo, Local, Scope, guarded};

use super::errors::{self, bytes};
use super::held::{self, OwnedObject, Statement};
use super::library::{OK, Raw, sqlite};

pub const NATIVES: Natives = &[
    ("sqlite_prepare", prepare),
    ("sqlite_finalize", finalize),
    ("sqlite_mode", mode),
    ("sqlite_columns", columns),
    ("sqlite_parameters", parameters),
    ("sqlite_sql", sql),
    ("sqlite_stat", stat),
    ("sqlite_prototype", prototype),
    ("sqlite_readonly", readonly),
];

/// `sqlite_prepare(database, owner, sql, mode)`: a statement's number; undefined if the text contains none. A fifth
/// argument, an array, receives the offset in the text's UTF-8 at which the statement ends.
extern "C" fn prepare(info: &CallbackInfo) {
    guarded(info, |call| {
        held::reap();
        let Some(database) = held::database(call, 0) else { return };
        let mut text = call.utf8(2).unwrap_or_default();
        if text.len() > c_int::MAX as usize - 1 {
            return call.throw(errors::of_code(&call.scope, 18, None));
        }
        text.push(0);
        let mut raw: Raw = std::ptr::null_mut();
        let mut tail = std::ptr::null();
        // SAFETY: the connection is open; the text ends in NUL, which its length includes.
        let code = database.calling(|| unsafe {
            let (start, size) = (text.as_ptr().cast(), text.len() as c_int);
            (sqlite()._prepare_v3)(database.raw.get(), start, size, 0, &mut raw, &mut tail)
        });
        if code != OK {
            return errors::throw(call, &database);
        }
        if database.rethrow(call) {
            // SAFETY: SQLite has just made it, or it is null.
            unsafe { (sqlite()._finalize)(raw) };
            return;
        }
        if call.len() > 4 {
            let end = (tail as usize).saturating_sub(text.as_ptr() as usize);
            call.scope.overwrite(call.argument(4), 0, &(end as f64).to_ne_bytes());
        }
        if raw.is_null() {
            return;
        }
        // SAFETY: SQLite has just made the statement.
        let has_names = unsafe {
            let count = (sqlite()._bind_parameter_count)(raw);
            (1..=count).any(|index| {
                let name = bytes((sqlite()._bind_parameter_name)(raw, index));
                name.first().is_some_and(|first| *first != b'?')
            })
        };
        let mode = call.integer(3) as u32;
        let statement = Rc::new(Statement::new(database, raw, has_names, mode));
        let number = held::hold(&call.scope, call.argument(1), OwnedObject::Statement(statement));
        call.answer_number(number as f64);
    });
}

/// `sqlite_finalize(statement)`.
extern "C" fn finalize(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some((statement, _)) = held::statement(call, 0) else { return };
        if statement.is_running.get() {
            let _: Option<()> = errors::invalid_state(call, "statement is already being executed");
            return;
        }
        statement.finalize();
    });
}

/// `sqlite_mode(statement, bits)`; see `reading`.
extern "C" fn mode(info: &CallbackInfo) {
    guarded(info, |call| {
        if let Some((statement, _)) = held::statement(call, 0) {
            statement.mode.set(call.integer(1) as u32);
        }
    });
}

/// `sqlite_prototype(statement, object)`: sets the prototype of rows, which the caller keeps alive; null at first.
extern "C" fn prototype(info: &CallbackInfo) {
    guarded(info, |call| {
        if let Some((statement, _)) = held::statement(call, 0) {
            statement.prototype.replace(Some(call.scope.weak(call.argument(1))));
        }
    });
}

fn text_or_null<'s>(scope: &Scope<'s>, text: *const std::ffi::c_char) -> Local<'s> {
    if text.is_null() { scope.null() } else { scope.text(bytes(text)).unwrap_or_else(|| scope.null()) }
}

/// `sqlite_columns(statement)`: `[origin, database, name, table, type]` of each column.
extern "C" fn columns(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some((_, raw)) = held::statement(call, 0) else { return };
        let (scope, sqlite) = (&call.scope, sqlite());
        // SAFETY: the statement is live and has these columns.
        let columns: Vec<Local<'_>> = unsafe {
            (0..(sqlite._column_count)(raw))
                .map(|column| {
                    scope.array(&[
                        text_or_null(scope, (sqlite._column_origin_name)(raw, column)),
                        text_or_null(scope, (sqlite._column_database_name)(raw, column)),
                        text_or_null(scope, (sqlite._column_name)(raw, column)),
                        text_or_null(scope, (sqlite._column_table_name)(raw, column)),
                        text_or_null(scope, (sqlite._column_decltype)(raw, column)),
                    ])
                })
                .collect()
        };
        call.answer(scope.array(&columns));
    });
}

/// `sqlite_parameters(statement)`: the name of each parameter, null for one without a name.
extern "C" fn parameters(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some((_, raw)) = held::statement(call, 0) else { return };
        let scope = &call.scope;
        // SAFETY: the statement is live and has these parameters.
        let names: Vec<Local<'_>> = unsafe {
            (1..=(sqlite()._bind_parameter_count)(raw))
                .map(|index| text_or_null(scope, (sqlite()._bind_parameter_name)(raw, index)))
                .collect()
        };
        call.answer(scope.array(&names));
    });
}

/// `sqlite_sql(statement, isExpanded)`: its text, or the text with bound values; null if that is too long.
extern "C" fn sql(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some((_, raw)) = held::statement(call, 0) else { return };
        // SAFETY: the statement is live; an expanded text is freed after it is read.
        unsafe {
            if !call.is_true(1) {
                return call.answer(text_or_null(&call.scope, (sqlite()._sql)(raw)));
            }
            let text = (sqlite()._expanded_sql)(raw);
            call.answer(text_or_null(&call.scope, text));
            (sqlite()._free)(text.cast());
        }
    });
}

/// `sqlite_stat(statement, counter, isReset)`: one of SQLite's counters for it.
extern "C" fn stat(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some((_, raw)) = held::statement(call, 0) else { return };
        // SAFETY: the statement is live.
        let count = unsafe { (sqlite()._stmt_status)(raw, call.integer(1) as c_int, call.is_true(2).into()) };
        call.answer_number(count.into());
    });
}

/// `sqlite_readonly(statement)`: whether it changes nothing.
extern "C" fn readonly(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some((_, raw)) = held::statement(call, 0) else { return };
        // SAFETY: the statement is live.
        call.answer(call.scope.boolean(unsafe { (sqlite()._stmt_readonly)(raw) } != 0));
    });
}
