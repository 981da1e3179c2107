//! Backups: copies a database to a file while programs use it, some pages at a time, on the pool's threads.
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::{Arc, Mutex, PoisonError};

use crate::event_loop::{Answer, submit, with_core};
use crate::v8::Natives;
use crate::v8::{CallbackInfo, Local, Scope, guarded};

use super::errors;
use super::held;
use super::library::{BUSY, DONE, LOCKED, OK, Raw, sqlite};

pub const NATIVES: Natives =
    &[("sqlite_backup", backup), ("sqlite_backupStep", backup_step), ("sqlite_backupEnd", backup_end)];

const READ_WRITE: c_int = 2;
const CREATE: c_int = 4;
const URI: c_int = 64;

/// A running backup: the target, and SQLite's object, null once it has ended.
struct Backup {
    target: Raw,
    raw: Raw,
}

// SAFETY: this build of SQLite may be used from any thread and locks what a backup uses; a mutex guards the object.
unsafe impl Send for Backup {}

impl Backup {
    fn end(&mut self) {
        // SAFETY: SQLite made both, and they are released once.
        unsafe {
            if !self.raw.is_null() {
                (sqlite()._backup_finish)(std::mem::replace(&mut self.raw, std::ptr::null_mut()));
            }
            if !self.target.is_null() {
                (sqlite()._close_v2)(std::mem::replace(&mut self.target, std::ptr::null_mut()));
            }
        }
    }
}

impl Drop for Backup {
    fn drop(&mut self) {
        self.end();
    }
}

struct UnderWay {
    source: usize,
    backup: Arc<Mutex<Backup>>,
}

thread_local! {
    /// The backups by number, and the last number.
    static UNDER_WAY: RefCell<(u64, HashMap<u64, UnderWay>)> = RefCell::default();
}

/// `sqlite_backup(database, path, source, target)`: the number of a new backup.
extern "C" fn backup(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        let text = |index| call.c_text(index).unwrap_or_default();
        let (path, source, target_name) = (text(1), text(2), text(3));
        let mut backup = Backup { target: std::ptr::null_mut(), raw: std::ptr::null_mut() };
        // SAFETY: the texts end in NUL, and the source is open; the target's error is read before it is closed.
        unsafe {
            let flags = READ_WRITE | CREATE | URI;
            if (sqlite()._open_v2)(path.as_ptr(), &mut backup.target, flags, std::ptr::null()) != OK {
                return call.throw(errors::of_connection(&call.scope, backup.target));
            }
            let source = source.as_ptr();
            backup.raw = (sqlite()._backup_init)(backup.target, target_name.as_ptr(), database.raw.get(), source);
            if backup.raw.is_null() {
                return call.throw(errors::of_connection(&call.scope, backup.target));
            }
        }
        let number = UNDER_WAY.with_borrow_mut(|(last, known)| {
            *last += 1;
            let backup = Arc::new(Mutex::new(backup));
            known.insert(*last, UnderWay { source: database.raw.get() as usize, backup });
            *last
        });
        call.answer_number(number as f64);
    });
}

/// The result of a step: `(isOver, total, remaining)` as arguments of the callback, after an error or null.
struct Step {
    code: c_int,
    total: c_int,
    remaining: c_int,
}

impl Answer for Step {
    fn arguments<'s>(self: Box<Self>, scope: &Scope<'s>) -> Vec<Local<'s>> {
        let error = match self.code {
            OK | DONE | BUSY | LOCKED => scope.null(),
            code => errors::of_code(scope, code, None),
        };
        let numbers = [self.total, self.remaining].map(|number| scope.integer(number.into()));
        vec![error, scope.boolean(self.code == DONE), numbers[0], numbers[1]]
    }
}

/// `sqlite_backupStep(backup, pages, callback)`: `callback(error, isOver, total, remaining)` in a later turn.
extern "C" fn backup_step(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let number = call.integer(0) as u64;
        let found = UNDER_WAY.with_borrow(|(_, known)| known.get(&number).map(|each| each.backup.clone()));
        let (Some(backup), Some(callback)) = (found, call.function(2)) else {
            let _: Option<()> = errors::invalid_state(call, "database is not open");
            return;
        };
        let pages = call.integer(1) as c_int;
        let outcome = submit(core, callback, move || {
            let backup = backup.lock().unwrap_or_else(PoisonError::into_inner);
            if backup.raw.is_null() {
                const MISUSE: c_int = 21;
                return Box::new(Step { code: MISUSE, total: 0, remaining: 0 });
            }
            // SAFETY: the backup is live and locked; the source is not closed before it (see `end_of`).
            unsafe {
                let code = (sqlite()._backup_step)(backup.raw, pages);
                let total = (sqlite()._backup_pagecount)(backup.raw);
                let remaining = (sqlite()._backup_remaining)(backup.raw);
                Box::new(Step { code, total, remaining })
            }
        });
        if let Err(error) = outcome {
            call.raise(error);
        }
    });
}

/// `sqlite_backupEnd(backup)`.
extern "C" fn backup_end(info: &CallbackInfo) {
    guarded(info, |call| {
        let number = call.integer(0) as u64;
        let ended = UNDER_WAY.with_borrow_mut(|(_, known)| known.remove(&number));
        if let Some(ended) = ended {
            ended.backup.lock().unwrap_or_else(PoisonError::into_inner).end();
        }
    });
}

/// Ends the backups of a connection that is about to close.
pub fn end_of(source: Raw) {
    let _ = UNDER_WAY.try_with(|table| {
        let known = &mut table.borrow_mut().1;
        for (_, each) in known.extract_if(|_, each| each.source == source as usize) {
            each.backup.lock().unwrap_or_else(PoisonError::into_inner).end();
        }
    });
}
