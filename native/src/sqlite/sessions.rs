//! Sessions, which record changes, and applying changesets.
use std::ffi::{c_char, c_int};
use std::rc::Rc;

use crate::v8::Natives;
use crate::v8::rows::DatabaseValue;
use crate::v8::{Call, CallbackInfo, Local, Scope, State, guarded};

use super::errors::{self, bytes};
use super::held::{self, Database, OwnedObject, Session, Thrown};
use super::library::{ABORT, OK, Raw, sqlite};
use super::storing;

pub const NATIVES: Natives = &[
    ("sqlite_session", session),
    ("sqlite_sessionChanges", session_changes),
    ("sqlite_sessionClose", session_close),
    ("sqlite_apply", apply),
];

/// `sqlite_session(database, owner, table, name)`: a session's number. An empty table selects all.
extern "C" fn session(info: &CallbackInfo) {
    guarded(info, |call| {
        held::reap();
        let Some(database) = held::database(call, 0) else { return };
        let (table, name) = (call.c_text(2).unwrap_or_default(), call.c_text(3).unwrap_or_default());
        let is_all = call.utf8(2).is_none_or(|table| table.is_empty());
        let mut raw: Raw = std::ptr::null_mut();
        // SAFETY: the connection is open and the texts end in NUL; SQLite copies them.
        unsafe {
            if (sqlite().session_create)(database.raw.get(), name.as_ptr(), &mut raw) != OK {
                return errors::throw(call, &database);
            }
            let session = Session::new(database.clone(), raw);
            let table = if is_all { std::ptr::null() } else { table.as_ptr() };
            if (sqlite().session_attach)(raw, table) != OK {
                return errors::throw(call, &database);
            }
            let number = held::hold(&call.scope, call.argument(1), OwnedObject::Session(Rc::new(session)));
            call.answer_number(number as f64);
        }
    });
}

/// `sqlite_sessionChanges(session, isPatch)`: the changes so far, as a changeset or a patchset.
extern "C" fn session_changes(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some((session, raw)) = held::session(call, 0) else { return };
        let take = if call.is_true(1) { sqlite().session_patchset } else { sqlite().session_changeset };
        let (mut size, mut data) = (0, std::ptr::null_mut());
        // SAFETY: the session is live; SQLite returns `size` bytes, which are copied and then freed.
        unsafe {
            if session.database.calling(|| take(raw, &mut size, &mut data)) != OK {
                return errors::throw(call, &session.database);
            }
            storing::give_copy(call, data, size as usize);
        }
    });
}

/// `sqlite_sessionClose(session)`.
extern "C" fn session_close(info: &CallbackInfo) {
    guarded(info, |call| {
        if let Some((session, _)) = held::session(call, 0) {
            session.close();
        }
    });
}

/// The functions that decide while a changeset is applied: arguments of the call in progress.
struct Deciding<'a, 's> {
    state: &'a State,
    database: &'a Database,
    filter: Option<Local<'s>>,
    conflict: Option<Local<'s>>,
    /// JavaScript has thrown, so it is not called again.
    has_thrown: std::cell::Cell<bool>,
}

impl Deciding<'_, '_> {
    /// Calls JavaScript; returns `otherwise` if it threw.
    fn ask(
        &self,
        function: Local<'_>,
        argument: impl for<'n> FnOnce(&Scope<'n>) -> Local<'n>,
        read: impl for<'n> FnOnce(&Scope<'n>, Local<'n>) -> c_int,
        otherwise: c_int,
    ) -> c_int {
        if self.has_thrown.get() {
            return otherwise;
        }
        let answer = self.state.enter(|scope| {
            let argument = argument(scope);
            match scope.call(function, &[argument.handle()]) {
                Ok(value) => Ok(read(scope, value)),
                Err(error) => {
                    self.has_thrown.set(true);
                    self.database.note(Thrown::Exception(error));
                    Ok(otherwise)
                }
            }
        });
        answer.unwrap_or(otherwise)
    }
}

unsafe extern "C" fn filter(deciding: Raw, table: *const c_char) -> c_int {
    // SAFETY: `apply` passed it, and waits for SQLite to return.
    let deciding = unsafe { &*(deciding as *const Deciding<'_, '_>) };
    let Some(function) = deciding.filter else { return 1 };
    let name = bytes(table);
    deciding.ask(
        function,
        |scope| scope.text(name).unwrap_or_else(|| scope.null()),
        |scope, value| match scope.classify(value) {
            DatabaseValue::Undefined | DatabaseValue::Null | DatabaseValue::Boolean(false) => 0,
            DatabaseValue::Number(number) => c_int::from(number != 0.0 && !number.is_nan()),
            DatabaseValue::BigInt(number) => c_int::from(number != Some(0)),
            DatabaseValue::Text(text) => c_int::from(!scope.utf8(text).is_empty()),
            _ => 1,
        },
        0,
    )
}

unsafe extern "C" fn conflict(deciding: Raw, kind: c_int, _changes: Raw) -> c_int {
    const GIVE_UP: c_int = 2;
    const NO_ANSWER: c_int = -1;
    // SAFETY: as above.
    let deciding = unsafe { &*(deciding as *const Deciding<'_, '_>) };
    let Some(function) = deciding.conflict else { return GIVE_UP };
    deciding.ask(
        function,
        |scope| scope.integer(kind.into()),
        |scope, value| match scope.classify(value) {
            DatabaseValue::Number(number) if number.trunc() == number && number.abs() < f64::from(c_int::MAX) => {
                number as c_int
            }
            _ => NO_ANSWER,
        },
        GIVE_UP,
    )
}

fn optional<'s>(call: &Call<'s>, index: usize) -> Option<Local<'s>> {
    call.function(index).map(|_| call.argument(index))
}

/// `sqlite_apply(database, changes, filter, onConflict)`: whether the changes were applied; the last two are functions
/// or undefined.
extern "C" fn apply(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        let changes = call.with_bytes(1, <[u8]>::to_vec).unwrap_or_default(); // callbacks could change them
        let deciding = Deciding {
            state: call.scope.state,
            database: &database,
            filter: optional(call, 2),
            conflict: optional(call, 3),
            has_thrown: std::cell::Cell::new(false),
        };
        // SAFETY: the connection is open, `changes` has `len()` bytes, and `deciding` outlives the call.
        let code = database.calling(|| unsafe {
            let (data, size) = (changes.as_ptr(), changes.len() as c_int);
            (sqlite().changeset_apply)(
                database.raw.get(),
                size,
                data,
                Some(filter),
                Some(conflict),
                &raw const deciding as Raw,
            )
        });
        if database.rethrow(call) {
            return;
        }
        match code {
            OK => call.answer(call.scope.boolean(true)),
            ABORT => call.answer(call.scope.boolean(false)),
            _ => call.throw(errors::of_code_alone(&call.scope, code)),
        }
    });
}
