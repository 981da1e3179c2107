//! SQL functions and aggregates implemented in JavaScript.
//!
//! SQLite refers to JavaScript's functions weakly (their database object keeps them), so that a function which refers
//! to its own database does not keep that alive. An exception of a function is recorded with the connection and thrown
//! when SQLite has returned.
use std::ffi::c_int;
use std::rc::Rc;

use crate::v8::Natives;
use crate::v8::rows::Weak;
use crate::v8::{CallbackInfo, Global, Local, Scope, guarded};

use super::errors;
use super::held::{self, Database, Thrown};
use super::library::{Function, OK, Raw, UTF8, sqlite};
use super::values::{Argument, Integers, give_back, refuse, to_js};

pub const NATIVES: Natives = &[("sqlite_function", function), ("sqlite_aggregate", aggregate)];

/// The data that SQLite passes to a call: JavaScript's functions, and how to call them.
struct Callee {
    /// The connection's table outlives this, because SQLite destroys functions before the connection.
    database: *const Database,
    integers: Integers,
    is_lenient: bool,
    step: Weak,
    start: Option<Weak>,
    inverse: Option<Weak>,
    result: Option<Weak>,
}

impl Callee {
    /// # Safety
    /// SQLite calls with `context`, whose data `register` provided.
    unsafe fn of<'a>(context: Raw) -> &'a Callee {
        // SAFETY: guaranteed by the caller; SQLite destroys the data after the last call.
        unsafe { &*((sqlite()._user_data)(context) as *const Callee) }
    }

    fn note(&self, thrown: Thrown) {
        // SAFETY: see the field.
        unsafe { &*self.database }.note(thrown);
    }

    /// Calls a JavaScript function; None if it threw, or no longer exists.
    fn call<'s>(&self, scope: &Scope<'s>, function: &Weak, arguments: &[Local<'s>]) -> Option<Local<'s>> {
        let function = function.get(scope)?;
        let handles: Vec<_> = arguments.iter().map(|argument| argument.handle()).collect();
        match scope.call(function, &handles) {
            Ok(value) => Some(value),
            Err(error) => {
                self.note(Thrown::Exception(error));
                None
            }
        }
    }

    /// The arguments as JavaScript values, after `first`; None if one cannot be represented.
    fn arguments<'s>(
        &self,
        scope: &Scope<'s>,
        first: Option<Local<'s>>,
        count: c_int,
        values: *mut Raw,
    ) -> Option<Vec<Local<'s>>> {
        let mut arguments: Vec<Local<'s>> = first.into_iter().collect();
        for index in 0..count as usize {
            // SAFETY: SQLite passes `count` values.
            match to_js(scope, &Argument(unsafe { *values.add(index) }), self.integers) {
                Ok(value) => arguments.push(value),
                Err(error) => {
                    self.note(Thrown::Value(scope.keep(error)));
                    return None;
                }
            }
        }
        Some(arguments)
    }

    /// Runs `work` in a scope; the SQL function fails if it returns false.
    fn enter(&self, context: Raw, work: impl for<'s> FnOnce(&Scope<'s>) -> bool) {
        if !matches!(self.step.state().enter(|scope| Ok(work(scope))), Ok(true)) {
            refuse(context, "");
        }
    }
}

unsafe extern "C" fn call_function(context: Raw, count: c_int, values: *mut Raw) {
    // SAFETY: SQLite is calling.
    let callee = unsafe { Callee::of(context) };
    callee.enter(context, |scope| {
        let Some(arguments) = callee.arguments(scope, None, count, values) else { return false };
        let Some(value) = callee.call(scope, &callee.step, &arguments) else { return false };
        give_back(scope, context, value, callee.is_lenient);
        true
    });
}

/// The accumulated value of one group.
struct GroupValue {
    value: Global,
    is_window: bool,
}

/// SQLite's pointer for a group, null until a value is stored.
fn place(context: Raw) -> *mut *mut GroupValue {
    // SAFETY: SQLite is calling an aggregate; the memory is zeroed at first and large enough, or null.
    unsafe { (sqlite()._aggregate_context)(context, size_of::<*mut GroupValue>() as c_int) as *mut *mut GroupValue }
}

impl Callee {
    /// The group's value, created on first use. None if that threw.
    fn group_value(&self, scope: &Scope<'_>, context: Raw) -> Option<&'static mut GroupValue> {
        let place = place(context);
        if place.is_null() {
            return None;
        }
        // SAFETY: the pointer belongs to this group, and its value was boxed here. Only one call at a time uses a
        // group. Only SQLite ends it, after this returns, so no reference is used across a JavaScript call that could
        // end it.
        unsafe {
            if (*place).is_null() {
                let start = self.start.as_ref().and_then(|start| start.get(scope));
                let value = match start {
                    None => scope.undefined(),
                    Some(holder) => match scope.elements(holder).as_slice() {
                        [value] => *value,
                        [begin, ..] => match scope.call(*begin, &[]) {
                            Ok(value) => value,
                            Err(error) => {
                                self.note(Thrown::Exception(error));
                                return None;
                            }
                        },
                        [] => scope.undefined(),
                    },
                };
                *place = Box::into_raw(Box::new(GroupValue { value: scope.keep(value), is_window: false }));
            }
            Some(&mut **place)
        }
    }

    fn gather(&self, context: Raw, count: c_int, values: *mut Raw, function: &Weak) {
        self.enter(context, |scope| {
            let Some(gathered) = self.group_value(scope, context) else { return false };
            let Ok(value) = gathered.value.in_scope(scope) else { return false };
            let Some(arguments) = self.arguments(scope, Some(value), count, values) else { return false };
            let Some(value) = self.call(scope, function, &arguments) else { return false };
            gathered.value = scope.keep(value);
            true
        });
    }

    fn answer(&self, context: Raw, is_last: bool) {
        self.enter(context, |scope| {
            let Some(gathered) = self.group_value(scope, context) else { return false };
            gathered.is_window |= !is_last;
            if is_last && gathered.is_window {
                return true; // each row received its value
            }
            let Ok(mut value) = gathered.value.in_scope(scope) else { return false };
            if let Some(result) = &self.result {
                let Some(result) = self.call(scope, result, &[value]) else { return false };
                value = result;
            }
            give_back(scope, context, value, self.is_lenient);
            true
        });
        let place = place(context);
        // SAFETY: as in `group_value`; SQLite does not use this group again.
        unsafe {
            if is_last && !place.is_null() && !(*place).is_null() {
                drop(Box::from_raw(std::mem::replace(&mut *place, std::ptr::null_mut())));
            }
        }
    }
}

unsafe extern "C" fn call_step(context: Raw, count: c_int, values: *mut Raw) {
    // SAFETY: SQLite is calling.
    let callee = unsafe { Callee::of(context) };
    callee.gather(context, count, values, &callee.step);
}

unsafe extern "C" fn call_inverse(context: Raw, count: c_int, values: *mut Raw) {
    // SAFETY: SQLite is calling; this function was registered only together with an inverse.
    let callee = unsafe { Callee::of(context) };
    if let Some(inverse) = &callee.inverse {
        callee.gather(context, count, values, inverse);
    }
}

unsafe extern "C" fn call_value(context: Raw) {
    // SAFETY: SQLite is calling.
    unsafe { Callee::of(context) }.answer(context, false);
}

unsafe extern "C" fn call_final(context: Raw) {
    // SAFETY: SQLite is calling.
    unsafe { Callee::of(context) }.answer(context, true);
}

unsafe extern "C" fn end(callee: Raw) {
    // SAFETY: the box was registered with the functions, and is released once.
    drop(unsafe { Box::from_raw(callee as *mut Callee) });
}

const BIG_INTEGERS: i64 = 1;
const LENIENT: i64 = 2;

fn callee(call: &crate::v8::Call<'_>, database: &Rc<Database>, step: usize) -> Callee {
    let mode = call.integer(4);
    let integers = match mode {
        mode if mode & BIG_INTEGERS != 0 => Integers::BigInt,
        mode if mode & LENIENT != 0 => Integers::Rounded,
        _ => Integers::Exact,
    };
    Callee {
        database: Rc::as_ptr(database),
        integers,
        is_lenient: mode & LENIENT != 0,
        step: call.scope.weak(call.argument(step)),
        start: None,
        inverse: None,
        result: None,
    }
}

/// `sqlite_function(database, name, count, flags, mode, function)`.
extern "C" fn function(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        let name = call.c_text(1).unwrap_or_default();
        let data = Box::into_raw(Box::new(callee(call, &database, 5))) as Raw;
        let (count, flags) = (call.integer(2) as c_int, UTF8 | call.integer(3) as c_int);
        let (raw, name) = (database.raw.get(), name.as_ptr());
        // SAFETY: the connection is open; SQLite destroys `data` with the function, even if it refuses to create it.
        let code = unsafe {
            (sqlite()._create_function_v2)(raw, name, count, flags, data, Some(call_function), None, None, Some(end))
        };
        if code != OK {
            errors::throw(call, &database);
        }
    });
}

/// `sqlite_aggregate(database, name, count, flags, mode, start, step, inverse, result)`: `start` is `[value]`, or
/// `[function, true]` with a function that returns the value; inverse and result are functions or undefined. The caller
/// keeps all of them alive.
extern "C" fn aggregate(info: &CallbackInfo) {
    guarded(info, |call| {
        let Some(database) = held::database(call, 0) else { return };
        let name = call.c_text(1).unwrap_or_default();
        let optional = |index: usize| call.function(index).map(|_| call.scope.weak(call.argument(index)));
        let callee = Callee {
            start: Some(call.scope.weak(call.argument(5))),
            inverse: optional(7),
            result: optional(8),
            ..callee(call, &database, 6)
        };
        let is_window = callee.inverse.is_some();
        let inverse: Function = if is_window { Some(call_inverse) } else { None };
        let value: super::library::Finish = if is_window { Some(call_value) } else { None };
        let data = Box::into_raw(Box::new(callee)) as Raw;
        let (count, flags) = (call.integer(2) as c_int, UTF8 | call.integer(3) as c_int);
        let (raw, name) = (database.raw.get(), name.as_ptr());
        // SAFETY: as for functions.
        let code = unsafe {
            let (step, last) = (Some(call_step as _), Some(call_final as _));
            (sqlite()._create_window_function)(raw, name, count, flags, data, step, last, value, inverse, Some(end))
        };
        if code != OK {
            errors::throw(call, &database);
        }
    });
}
