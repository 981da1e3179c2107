//! Rows of a statement as JavaScript values: objects or arrays of the columns' values.
use std::ffi::c_int;

use crate::v8::{Local, Scope};

use super::errors::bytes;
use super::held::Statement;
use super::library::{Raw, sqlite};
use super::values::{Column, Integers, to_js};

/// The bits of a statement's mode.
pub const BIG_INTEGERS: u32 = 1;
pub const ARRAYS: u32 = 2;
pub const ROUNDED: u32 = 4;
/// Integral numbers are bound as integers.
pub const LENIENT: u32 = 8;

const REPREPARED: c_int = 5;

/// How to read the rows of one call.
pub struct Reader<'s> {
    raw: Raw,
    count: c_int,
    integers: Integers,
    /// None for arrays.
    names: Option<Vec<Local<'s>>>,
    prototype: Local<'s>,
}

pub fn integers(mode: u32) -> Integers {
    match mode {
        mode if mode & BIG_INTEGERS != 0 => Integers::BigInt,
        mode if mode & ROUNDED != 0 => Integers::Rounded,
        _ => Integers::Exact,
    }
}

impl<'s> Reader<'s> {
    /// A reader for the statement's current row and those that follow.
    pub fn new(scope: &Scope<'s>, statement: &Statement, raw: Raw) -> Reader<'s> {
        let mode = statement.mode.get();
        // SAFETY: the statement is live.
        let count = unsafe { (sqlite()._column_count)(raw) };
        let names = (mode & ARRAYS == 0).then(|| names(scope, statement, raw, count));
        let prototype = statement.prototype.borrow().as_ref().and_then(|object| object.get(scope));
        Reader { raw, count, integers: integers(mode), names, prototype: prototype.unwrap_or_else(|| scope.null()) }
    }

    /// The statement's current row, or `Err` with the error to throw.
    pub fn row<'n>(&self, scope: &Scope<'n>) -> (Local<'n>, bool) {
        const USUAL: usize = 16;
        let mut few = [std::ptr::null_mut(); USUAL];
        let mut many = Vec::new();
        let count = self.count as usize;
        let values = if count <= USUAL {
            &mut few[..count]
        } else {
            many.resize(count, std::ptr::null_mut());
            &mut many[..]
        };
        for (column, place) in values.iter_mut().enumerate() {
            match to_js(scope, &Column(self.raw, column as c_int), self.integers) {
                Ok(value) => *place = value.handle(),
                Err(error) => return (error, false),
            }
        }
        match &self.names {
            None => (scope.array_of(values), true),
            Some(names) => {
                let mut few = [std::ptr::null_mut(); USUAL];
                if count <= USUAL {
                    few.iter_mut().zip(names).for_each(|(place, name)| *place = name.handle());
                    return (scope.row(self.prototype, &few[..count], values), true);
                }
                let names: Vec<_> = names.iter().map(|name| name.handle()).collect();
                (scope.row(self.prototype, &names, values), true)
            }
        }
    }
}

/// The column names, created once, and again when SQLite has reprepared the statement for a changed schema.
fn names<'s>(scope: &Scope<'s>, statement: &Statement, raw: Raw, count: c_int) -> Vec<Local<'s>> {
    const KEEP_COUNTING: c_int = 0;
    // SAFETY: the statement is live.
    let prepared = unsafe { (sqlite()._stmt_status)(raw, REPREPARED, KEEP_COUNTING) };
    if let Some((then, names)) = &*statement.names.borrow()
        && *then == prepared
        && names.len() == count as usize
    {
        return names.iter().filter_map(|name| name.in_scope(scope).ok()).collect();
    }
    let strings: Vec<Local<'s>> = (0..count)
        .map(|column| {
            // SAFETY: the statement is live and has this column.
            let name = bytes(unsafe { (sqlite()._column_name)(raw, column) });
            scope.name(name).unwrap_or_else(|| scope.undefined())
        })
        .collect();
    let kept = strings.iter().map(|name| scope.keep(*name)).collect();
    statement.names.replace(Some((prepared, kept)));
    strings
}
