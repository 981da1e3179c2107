//! The databases, statements and sessions of one engine, by the numbers that JavaScript uses.
//!
//! A number belongs to one JavaScript object (its owner) and is free again once that object is collected. The collector
//! only records this; the object behind the number is ended at the next call here, where SQLite may be used. The end of
//! a thread ends everything.
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use pyo3::PyErr;

use crate::v8::rows::Weak;
use crate::v8::{Call, Global, Local, Scope};

use super::library::{OK, Raw, sqlite};

/// An open connection, closed by `close` or when nothing refers to it.
pub struct Database {
    pub raw: Cell<Raw>,
    /// Statements and sessions, which must end before the connection.
    statements: RefCell<HashSet<usize>>,
    sessions: RefCell<HashSet<usize>>,
    /// The exception of a JavaScript callback, to be thrown again when SQLite has returned.
    thrown: RefCell<Option<Thrown>>,
    /// The number of SQLite calls in progress that may call JavaScript.
    pub depth: Cell<u32>,
}

pub enum Thrown {
    Exception(PyErr),
    Value(Global),
}

impl Database {
    pub fn new(raw: Raw) -> Database {
        Database {
            raw: Cell::new(raw),
            statements: RefCell::default(),
            sessions: RefCell::default(),
            thrown: RefCell::default(),
            depth: Cell::new(0),
        }
    }

    pub fn is_open(&self) -> bool {
        !self.raw.get().is_null()
    }

    /// Records a JavaScript exception, unless there is an earlier one.
    pub fn note(&self, thrown: Thrown) {
        self.thrown.borrow_mut().get_or_insert(thrown);
    }

    /// Throws the recorded exception; false if there is none.
    pub fn rethrow(&self, call: &Call<'_>) -> bool {
        match self.thrown.take() {
            None => return false,
            Some(Thrown::Exception(error)) => call.raise(error),
            Some(Thrown::Value(value)) => match value.in_scope(&call.scope) {
                Ok(value) => call.throw(value),
                Err(error) => call.raise(error),
            },
        }
        true
    }

    /// Runs `work`, in which SQLite may call JavaScript.
    pub fn calling<R>(&self, work: impl FnOnce() -> R) -> R {
        self.depth.set(self.depth.get() + 1);
        let result = work();
        self.depth.set(self.depth.get() - 1);
        result
    }

    /// Ends statements and sessions, then the connection. None of them is running.
    pub fn close(&self) -> i32 {
        let raw = self.raw.replace(std::ptr::null_mut());
        if raw.is_null() {
            return OK;
        }
        super::backup::end_of(raw);
        super::callbacks::forget(raw);
        // SAFETY: SQLite made each for this connection; each is in one table only and not in use.
        unsafe {
            for session in self.sessions.take() {
                (sqlite().session_delete)(session as Raw);
            }
            for statement in self.statements.take() {
                (sqlite()._finalize)(statement as Raw);
            }
            (sqlite()._close_v2)(raw)
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.close();
    }
}

/// A prepared statement.
pub struct Statement {
    pub database: Rc<Database>,
    raw: Cell<Raw>,
    /// Whether some of its parameters have names.
    pub has_names: bool,
    pub mode: Cell<u32>,
    /// Whether SQLite is executing it.
    pub is_running: Cell<bool>,
    /// Counts its runs, so that an iterator notices a new one.
    pub runs: Cell<u32>,
    /// Its column names as JavaScript strings, with SQLite's reprepare count at that time.
    pub names: RefCell<Option<(i32, Vec<Global>)>>,
    /// The prototype of its rows; null if they have none.
    pub prototype: RefCell<Option<Weak>>,
}

impl Statement {
    pub fn new(database: Rc<Database>, raw: Raw, has_names: bool, mode: u32) -> Statement {
        database.statements.borrow_mut().insert(raw as usize);
        Statement {
            database,
            raw: Cell::new(raw),
            has_names,
            mode: Cell::new(mode),
            is_running: Cell::new(false),
            runs: Cell::new(0),
            names: RefCell::default(),
            prototype: RefCell::default(),
        }
    }

    /// SQLite's statement; None once it is finalized.
    pub fn raw(&self) -> Option<Raw> {
        let raw = self.raw.get();
        let is_there = !raw.is_null() && self.database.statements.borrow().contains(&(raw as usize));
        is_there.then_some(raw)
    }

    pub fn finalize(&self) {
        let raw = self.raw.replace(std::ptr::null_mut());
        if !raw.is_null() && self.database.statements.borrow_mut().remove(&(raw as usize)) {
            // SAFETY: it was in the table, so it is not finalized, and it is not running.
            unsafe { (sqlite()._finalize)(raw) };
        }
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        self.finalize();
    }
}

/// A session that records changes.
pub struct Session {
    pub database: Rc<Database>,
    raw: Cell<Raw>,
}

impl Session {
    pub fn new(database: Rc<Database>, raw: Raw) -> Session {
        database.sessions.borrow_mut().insert(raw as usize);
        Session { database, raw: Cell::new(raw) }
    }

    pub fn raw(&self) -> Option<Raw> {
        let raw = self.raw.get();
        (!raw.is_null() && self.database.sessions.borrow().contains(&(raw as usize))).then_some(raw)
    }

    pub fn close(&self) {
        let raw = self.raw.replace(std::ptr::null_mut());
        if !raw.is_null() && self.database.sessions.borrow_mut().remove(&(raw as usize)) {
            // SAFETY: as for statements.
            unsafe { (sqlite().session_delete)(raw) };
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.close();
    }
}

#[derive(Clone)]
pub enum OwnedObject {
    Database(Rc<Database>),
    Statement(Rc<Statement>),
    Session(Rc<Session>),
}

#[derive(Default)]
struct Table {
    entries: RefCell<Vec<Option<OwnedObject>>>,
    free: RefCell<Vec<usize>>,
}

thread_local! {
    static TABLE: Table = Table::default();
    /// Numbers whose owners are collected.
    static COLLECTED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Assigns a number to `held` for as long as `owner` lives.
pub fn hold(scope: &Scope<'_>, owner: Local<'_>, held: OwnedObject) -> usize {
    reap();
    let number = TABLE.with(|table| {
        let mut entries = table.entries.borrow_mut();
        match table.free.borrow_mut().pop() {
            Some(number) => {
                entries[number] = Some(held);
                number
            }
            None => {
                entries.push(Some(held));
                entries.len() - 1
            }
        }
    });
    scope.run_when_collected(owner, move || {
        let _ = COLLECTED.try_with(|collected| collected.borrow_mut().push(number));
    });
    number
}

/// Ends everything whose owner is collected.
pub fn reap() {
    let numbers = COLLECTED.with(RefCell::take);
    for number in numbers {
        let ended = TABLE.with(|table| {
            table.free.borrow_mut().push(number);
            table.entries.borrow_mut()[number].take()
        });
        drop(ended); // outside the borrow: closing a database may run the destructors of its functions
    }
}

/// Closes everything that SQLite is not using: a closed database leaves no log beside its file.
pub fn end_all() {
    let all = TABLE.with(|table| table.entries.borrow().clone());
    for held in all.iter().flatten() {
        if let OwnedObject::Database(database) = held
            && database.depth.get() == 0
        {
            database.close();
        }
    }
}

fn entry(call: &Call<'_>, index: usize) -> Option<OwnedObject> {
    let number = call.number(index)? as usize;
    TABLE.with(|table| table.entries.borrow().get(number).cloned().flatten())
}

/// The open database with the number of argument `index`; throws if there is none.
pub fn database(call: &Call<'_>, index: usize) -> Option<Rc<Database>> {
    match entry(call, index) {
        Some(OwnedObject::Database(database)) if database.is_open() => Some(database),
        _ => super::errors::invalid_state(call, "database is not open"),
    }
}

/// As `database`, for a statement that is not finalized.
pub fn statement(call: &Call<'_>, index: usize) -> Option<(Rc<Statement>, Raw)> {
    if let Some(OwnedObject::Statement(statement)) = entry(call, index)
        && let Some(raw) = statement.raw()
    {
        return Some((statement, raw));
    }
    super::errors::invalid_state(call, "statement has been finalized")
}

/// As `database`, for a session whose database is open.
pub fn session(call: &Call<'_>, index: usize) -> Option<(Rc<Session>, Raw)> {
    let Some(OwnedObject::Session(session)) = entry(call, index) else {
        return super::errors::invalid_state(call, "session is not open");
    };
    if !session.database.is_open() {
        return super::errors::invalid_state(call, "database is not open");
    }
    match session.raw() {
        Some(raw) => Some((session, raw)),
        None => super::errors::invalid_state(call, "session is not open"),
    }
}
