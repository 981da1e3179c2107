//! Running statements: binding parameters, stepping, returning rows or changes.
//!
//! Each function takes a statement's number, whether its values are for the parameters 1, 2, … (otherwise for those
//! without names), and the values.
use std::cell::RefCell;
use std::ffi::c_int;
use std::rc::Rc;

use crate::v8::Natives;
use crate::v8::rows::Kind;
use crate::v8::{Call, CallbackInfo, PinnedBytes, guarded};

use super::errors::{self, bytes};
use super::held::{self, Statement};
use super::library::{DONE, OK, ROW, Raw, sqlite};
use super::reading::{BIG_INTEGERS, LENIENT, Reader};
use super::values::{Unbound, bind};

pub const NATIVES: Natives = &[
    ("sqlite_outcome", outcome),
    ("sqlite_run", run),
    ("sqlite_all", all),
    ("sqlite_get", get),
    ("sqlite_start", start),
    ("sqlite_next", next),
    ("sqlite_stop", stop),
];

thread_local! {
    /// JavaScript's array of doubles for the changes of a run.
    static OUTCOME: RefCell<Option<PinnedBytes>> = const { RefCell::new(None) };
}

/// `sqlite_outcome(doubles)`: the array into which `sqlite_run` writes the changes of the last statement that changed
/// anything, the last row's id, and the changes of this run including triggers.
extern "C" fn outcome(info: &CallbackInfo) {
    guarded(info, |call| OUTCOME.with(|outcome| *outcome.borrow_mut() = call.keep_buffer(0)));
}

/// A statement that SQLite is executing until this is dropped.
struct Running(Rc<Statement>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.is_running.set(false);
    }
}

/// Resets the statement and binds its parameters. None if that threw.
fn begin(call: &Call<'_>) -> Option<(Running, Raw)> {
    let (statement, raw) = held::statement(call, 0)?;
    if statement.is_running.get() {
        return errors::invalid_state(call, "statement is already being executed");
    }
    statement.runs.set(statement.runs.get().wrapping_add(1));
    let sqlite = sqlite();
    // SAFETY: the statement is live and not running.
    let has_parameters = unsafe {
        (sqlite._reset)(raw);
        let has_parameters = call.len() > 2 || (sqlite._bind_parameter_count)(raw) > 0;
        // A lenient statement keeps its values if none are given, as in Bun.
        let keeps = call.len() == 2 && statement.mode.get() & LENIENT != 0;
        if has_parameters && !keeps {
            (sqlite._clear_bindings)(raw);
        }
        has_parameters
    };
    if has_parameters && !bound(call, &statement, raw) {
        return None;
    }
    statement.is_running.set(true);
    Some((Running(statement), raw))
}

/// Returns whether a parameter has a name that is not a number.
fn is_named(raw: Raw, index: c_int) -> bool {
    // SAFETY: the statement is live; an invalid index has no name.
    let name = bytes(unsafe { (sqlite()._bind_parameter_name)(raw, index) });
    name.first().is_some_and(|first| *first != b'?')
}

fn bound(call: &Call<'_>, statement: &Statement, raw: Raw) -> bool {
    let skips_names = statement.has_names && !call.is_true(1);
    let is_lenient = statement.mode.get() & LENIENT != 0;
    let mut index = 0;
    for argument in 2..call.len() {
        index += 1;
        while skips_names && is_named(raw, index) {
            index += 1;
        }
        match bind(&call.scope, raw, index, call.argument(argument), is_lenient) {
            Ok(()) => {}
            Err(Unbound::Sqlite) => {
                errors::throw(call, &statement.database);
                return false;
            }
            Err(Unbound::TooLarge) => {
                call.refuse(Kind::Type, "BigInt value is too large to bind.", "ERR_INVALID_ARG_VALUE");
                return false;
            }
            Err(Unbound::Kind) => {
                let text = format!("Provided value cannot be bound to SQLite parameter {index}.");
                call.refuse(Kind::Type, &text, "ERR_INVALID_ARG_TYPE");
                return false;
            }
        }
    }
    true
}

fn step(statement: &Statement, raw: Raw) -> c_int {
    // SAFETY: the statement is live, and `Running` keeps it until SQLite returns.
    statement.database.calling(|| unsafe { (sqlite()._step)(raw) })
}

/// Ends a run; returns its error code, if it failed.
fn reset(statement: &Statement, raw: Raw) -> c_int {
    // SAFETY: as in `step`. Resetting may destroy functions defined in JavaScript.
    statement.database.calling(|| unsafe { (sqlite()._reset)(raw) })
}

/// `sqlite_run(…)`: writes the changes to the array of `sqlite_outcome`; returns them in an array if integers are
/// BigInts.
extern "C" fn run(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some((Running(ref statement), raw)) = begin(call) else { return };
        let database = &statement.database;
        // SAFETY: the connection is open, as it cannot be closed while its statement runs.
        let total = || unsafe { (sqlite()._total_changes64)(database.raw.get()) };
        let before = total();
        step(statement, raw);
        let code = reset(statement, raw);
        statement.is_running.set(false);
        if code != OK {
            return errors::throw(call, database);
        }
        if database.rethrow(call) {
            return;
        }
        // SAFETY: the connection is open, as it cannot be closed while its statement runs.
        let (changes, row) = unsafe {
            let connection = database.raw.get();
            ((sqlite()._changes64)(connection), (sqlite()._last_insert_rowid)(connection))
        };
        if statement.mode.get() & BIG_INTEGERS != 0 {
            let numbers = [changes, row, total() - before].map(|number| call.scope.bigint(number));
            return call.answer(call.scope.array(&numbers));
        }
        OUTCOME.with_borrow_mut(|outcome| {
            let Some(places) = outcome.as_mut().map(PinnedBytes::bytes_mut) else { return };
            for (place, number) in places.chunks_exact_mut(8).zip([changes, row, total() - before]) {
                place.copy_from_slice(&(number as f64).to_ne_bytes());
            }
        });
    });
}

/// `sqlite_all(…)`: an array of rows.
extern "C" fn all(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some((Running(ref statement), raw)) = begin(call) else { return };
        let scope = &call.scope;
        let mut rows = Vec::new();
        let mut reader = None;
        let code = loop {
            let code = step(statement, raw);
            if code != ROW {
                break code;
            }
            let reader = reader.get_or_insert_with(|| Reader::new(scope, statement, raw));
            let (row, is_read) = scope.outliving(|scope| reader.row(scope));
            if !is_read {
                reset(statement, raw);
                return call.throw(row);
            }
            rows.push(row.handle());
        };
        if code == DONE {
            reset(statement, raw);
            if !statement.database.rethrow(call) {
                call.answer(scope.array_of(&rows));
            }
            return;
        }
        errors::throw(call, &statement.database);
        reset(statement, raw);
    });
}

/// `sqlite_get(…)`: the first row; undefined if there is none.
extern "C" fn get(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some((Running(ref statement), raw)) = begin(call) else { return };
        match step(statement, raw) {
            ROW => {
                let (row, is_read) = Reader::new(&call.scope, statement, raw).row(&call.scope);
                reset(statement, raw);
                if is_read { call.answer(row) } else { call.throw(row) }
            }
            DONE => {
                reset(statement, raw);
                statement.database.rethrow(call);
            }
            _ => {
                errors::throw(call, &statement.database);
                reset(statement, raw);
            }
        }
    });
}

/// `sqlite_start(…)`: the number of a new run, for `sqlite_next`.
extern "C" fn start(info: &CallbackInfo) {
    guarded(info, |call| {
        if let Some((Running(ref statement), _)) = begin(call) {
            call.answer(call.scope.integer(statement.runs.get().into()));
        }
    });
}

/// `sqlite_next(statement, run)`: the next row; undefined after the last one.
extern "C" fn next(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some((statement, raw)) = held::statement(call, 0) else { return };
        if i64::from(statement.runs.get()) != call.integer(1) {
            let _: Option<()> = errors::invalid_state(call, "iterator was invalidated");
            return;
        }
        if statement.is_running.replace(true) {
            let _: Option<()> = errors::invalid_state(call, "statement is already being executed");
            return;
        }
        let Running(ref statement) = Running(statement);
        match step(statement, raw) {
            ROW => {
                let (row, is_read) = Reader::new(&call.scope, statement, raw).row(&call.scope);
                if is_read {
                    return call.answer(row);
                }
                call.throw(row);
            }
            DONE => {
                statement.database.rethrow(call);
            }
            _ => errors::throw(call, &statement.database),
        }
        reset(statement, raw);
    });
}

/// `sqlite_stop(statement, run)`: ends a run, if it is the latest.
extern "C" fn stop(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some((statement, raw)) = held::statement(call, 0) else { return };
        if i64::from(statement.runs.get()) == call.integer(1) && !statement.is_running.get() {
            reset(&statement, raw);
        }
    });
}
