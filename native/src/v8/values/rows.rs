//! JavaScript values for databases: rows, 64-bit integers, and objects that are watched or referenced weakly.
//!
//! Some functions here are in the table `api::rare`, so `load` must be called first.
use std::sync::Arc;

use super::function::Call;
use super::scope::{Local, Scope};
use super::state::State;
use super::value::{literal, number_to_js, utf8_to_js};
use super::weak;
use crate::v8::api::rare::{self, more};
use crate::v8::api::{Handle, v8};

/// A value that a program passes to a database.
pub enum DatabaseValue<'s> {
    Null,
    Undefined,
    Boolean(bool),
    Number(f64),
    /// None if it does not fit 64 bits.
    BigInt(Option<i64>),
    Text(Local<'s>),
    Bytes(Local<'s>),
    Promise,
    Other,
}

/// Looks up the functions that this file needs. Fails with the first missing symbol.
pub fn load() -> Result<(), &'static str> {
    rare::load().map(|_| ())
}

impl<'s> Scope<'s> {
    pub fn classify(&self, value: Local<'s>) -> DatabaseValue<'s> {
        if let Some(small) = crate::v8::api::layout::small_integer(value.word()) {
            return DatabaseValue::Number(small.into());
        }
        let (roots, handle) = (self.roots(), value.handle());
        match value.word() {
            word if word == roots.null => return DatabaseValue::Null,
            word if word == roots.undefined => return DatabaseValue::Undefined,
            word if word == roots.yes => return DatabaseValue::Boolean(true),
            word if word == roots.no => return DatabaseValue::Boolean(false),
            _ => {}
        }
        // SAFETY: the handle is live; its type is tested before each call.
        unsafe {
            match () {
                () if (v8().is_string)(handle) => DatabaseValue::Text(value),
                () if (v8().is_number)(handle) => DatabaseValue::Number((v8().number_value)(handle)),
                () if (v8().is_bigint)(handle) => {
                    let mut is_exact = false;
                    let whole = (more().bigint_int64)(handle, &mut is_exact);
                    DatabaseValue::BigInt(is_exact.then_some(whole))
                }
                () if (v8().is_array_buffer_view)(handle) => DatabaseValue::Bytes(value),
                () if (v8().is_array_buffer)(handle) || (v8().is_shared_array_buffer)(handle) => {
                    DatabaseValue::Bytes(value)
                }
                () if (v8().is_promise)(handle) => DatabaseValue::Promise,
                () => DatabaseValue::Other,
            }
        }
    }

    fn roots(&self) -> super::inner::Roots {
        self.state.roots()
    }

    /// A number; small integers need no call into V8.
    pub fn integer(&self, number: i64) -> Local<'s> {
        const SMALL: std::ops::Range<i64> = -(1 << 30)..(1 << 30);
        if SMALL.contains(&number) {
            return self.handle_for((number << 1) as usize);
        }
        number_to_js(self, number as f64)
    }

    pub fn bigint(&self, number: i64) -> Local<'s> {
        // SAFETY: the scope proves the isolate current; a BigInt of one word always fits.
        unsafe { self.local((more().bigint_new)(self.isolate, number)) }.expect("a BigInt")
    }

    /// An internalized string, for a property name.
    pub fn name(&self, bytes: &[u8]) -> Option<Local<'s>> {
        const KEPT_ONCE: i32 = 1;
        utf8_to_js(self, bytes, KEPT_ONCE).ok()
    }

    /// An object created with its prototype and its own properties. `names` are strings, as many as `values`.
    pub fn row(&self, prototype: Local<'_>, names: &[Handle], values: &[Handle]) -> Local<'s> {
        debug_assert_eq!(names.len(), values.len());
        // SAFETY: the handles are live and equally many; the object is fresh, so no JavaScript runs.
        let array = unsafe {
            (more().object_of)(self.isolate, prototype.handle(), names.as_ptr(), values.as_ptr(), names.len())
        };
        // SAFETY: V8 returned the handle in this scope.
        unsafe { self.local(array) }.expect("an object")
    }

    /// An array of live handles.
    pub fn array_of(&self, handles: &[Handle]) -> Local<'s> {
        // SAFETY: the handles are live, and V8 copies them.
        unsafe { self.local((v8().array_new)(self.isolate, handles.as_ptr(), handles.len())) }.expect("an array")
    }

    /// Creates a value in a nested handle scope, which releases all other handles. The flag is returned as well.
    pub fn outliving(&self, make: impl for<'n> FnOnce(&Scope<'n>) -> (Local<'n>, bool)) -> (Local<'s>, bool) {
        let slot = self.undefined();
        let flag = self.nested(|scope| {
            let (value, flag) = make(scope);
            // SAFETY: the slot belongs to this scope and was just created; the word is that of a live handle, and
            // nothing collects here.
            unsafe { *slot.handle() = value.word() };
            flag
        });
        (slot, flag)
    }

    /// Runs `action` once `value` is collected: inside the collector, where V8 must not be called.
    pub fn run_when_collected(&self, value: Local<'_>, action: impl FnOnce() + 'static) {
        weak::watch(self, value, move |_| action());
    }

    /// Refer to `value` without keeping it alive.
    pub fn weak(&self, value: Local<'_>) -> Weak {
        Weak { state: self.state.share(), id: weak::watch(self, value, |_| {}) }
    }
}

impl Call<'_> {
    /// Throws a TypeError or RangeError, or an Error with a code.
    pub fn refuse(&self, kind: Kind, message: &str, code: &str) {
        let error = self.scope.error_with_code(kind, message, code);
        self.throw(error);
    }
}

/// The error classes thrown here.
#[derive(Clone, Copy)]
pub enum Kind {
    Error,
    Type,
    Range,
}

impl<'s> Scope<'s> {
    /// A fresh error; an empty `code` adds none.
    pub fn error_with_code(&self, kind: Kind, message: &str, code: &str) -> Local<'s> {
        let text = self.text(message.as_bytes()).unwrap_or_else(|| literal(self, "a message too long for a string"));
        let make = match kind {
            Kind::Error => v8().error_new,
            Kind::Type => v8().error_type,
            Kind::Range => v8().error_range,
        };
        // SAFETY: the string is live.
        let error = unsafe { self.local(make(text.handle(), std::ptr::null_mut())) }.expect("an error");
        if let Some(code) = Some(code).filter(|code| !code.is_empty()).and_then(|code| self.text(code.as_bytes())) {
            self.put(error, "code", code);
        }
        error
    }
}

/// A weak reference to an object.
pub struct Weak {
    state: Arc<State>,
    id: u64,
}

impl Weak {
    pub fn state(&self) -> &Arc<State> {
        &self.state
    }

    /// The object in a scope of its engine; None once it is collected.
    pub fn get<'s>(&self, scope: &Scope<'s>) -> Option<Local<'s>> {
        weak::target(scope, self.id)
    }
}

impl Drop for Weak {
    fn drop(&mut self) {
        if self.state.is_open() && self.state.is_owner() {
            weak::unwatch(&self.state, self.id);
        }
    }
}
