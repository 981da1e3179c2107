//! The authorizer: while SQLite prepares a statement, JavaScript decides about each of its actions.
use std::ffi::{c_char, c_int};
use std::rc::Rc;

use crate::v8::Natives;
use crate::v8::rows::{DatabaseValue, Kind, Weak};
use crate::v8::{CallbackInfo, Local, Scope, guarded};

use super::errors::bytes;
use super::held::{self, Database, Thrown};
use super::library::{Raw, sqlite};

pub const NATIVES: Natives = &[("sqlite_authorizer", authorizer)];

const DENY: c_int = 1;
const MOST: f64 = 2.0;

struct Authorizer {
    /// The connection, which has no authorizer once it is closed.
    database: *const Database,
    function: Weak,
}

thread_local! {
    /// By connection, as SQLite calls no destructor for an authorizer's data.
    static AUTHORIZERS: std::cell::RefCell<std::collections::HashMap<usize, Box<Authorizer>>> = std::cell::RefCell::default();
}

unsafe extern "C" fn ask(
    authorizer: Raw,
    action: c_int,
    first: *const c_char,
    second: *const c_char,
    name: *const c_char,
    trigger: *const c_char,
) -> c_int {
    // SAFETY: the data was registered with this function; its box lives until it is replaced or the connection ends.
    let authorizer = unsafe { &*(authorizer as *const Authorizer) };
    // SAFETY: SQLite calls for the connection, which is therefore alive.
    let database = unsafe { &*authorizer.database };
    let answer = authorizer.function.state().enter(|scope| {
        let Some(function) = authorizer.function.get(scope) else { return Ok(DENY) };
        let text = |text: *const c_char| {
            if text.is_null() { scope.null() } else { scope.text(bytes(text)).unwrap_or_else(|| scope.null()) }
        };
        let arguments = [scope.integer(action.into()), text(first), text(second), text(name), text(trigger)];
        match scope.call(function, &arguments.map(Local::handle)) {
            Ok(value) => Ok(verdict(scope, database, value)),
            Err(error) => {
                database.note(Thrown::Exception(error));
                Ok(DENY)
            }
        }
    });
    answer.unwrap_or(DENY)
}

/// JavaScript's decision, a number; anything else is recorded as an error.
fn verdict<'s>(scope: &Scope<'s>, database: &Database, value: Local<'s>) -> c_int {
    let (kind, problem) = match scope.classify(value) {
        DatabaseValue::Number(number) if number.trunc() == number => {
            if (0.0..=MOST).contains(&number) {
                return number as c_int;
            }
            (Kind::Range, "Authorizer callback returned a invalid authorization code")
        }
        _ => (Kind::Type, "Authorizer callback must return an integer authorization code"),
    };
    database.note(Thrown::Value(scope.keep(scope.error_with_code(kind, problem, ""))));
    DENY
}

/// `sqlite_authorizer(database, function)`: null removes the authorizer. The caller keeps the function alive.
extern "C" fn authorizer(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        let raw = database.raw.get();
        let boxed = call.function(1).map(|_| {
            let function = call.scope.weak(call.argument(1));
            Box::new(Authorizer { database: Rc::as_ptr(&database), function })
        });
        // SAFETY: the connection is open; the box lives as long as SQLite has its address.
        unsafe {
            match &boxed {
                None => (sqlite()._set_authorizer)(raw, None, std::ptr::null_mut()),
                Some(boxed) => (sqlite()._set_authorizer)(raw, Some(ask), &raw const **boxed as Raw),
            };
        }
        AUTHORIZERS.with_borrow_mut(|known| match boxed {
            Some(boxed) => known.insert(raw as usize, boxed),
            None => known.remove(&(raw as usize)),
        });
    });
}

/// Drops the authorizer of a closed connection.
pub fn forget(raw: Raw) {
    let _ = AUTHORIZERS.try_with(|known| known.borrow_mut().remove(&(raw as usize)));
}
