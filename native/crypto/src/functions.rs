//! The functions that this library offers to its host, and how they are called: one table per file, created by
//! `functions!`.
use std::ffi::c_void;

use crate::errors::Failure;
use crate::values::{Arguments, IntoAnswer, IntoValue, Outcome, Parameter, Value};
use rt_wire::crypto_calls::{self as calls, Item, Put};

/// A function for the host: its name, which ends in NUL, and how to call it.
pub struct Function {
    pub name: &'static str,
    pub run: for<'a> fn(&mut Arguments<'a>) -> Outcome<Value>,
}

pub trait Callable<'a, Parameters> {
    fn call_with(self, arguments: &mut Arguments<'a>) -> Outcome<Value>;
}

macro_rules! callables {
    ($(($($name:ident),*))*) => {
        $(
            impl<'a, Body, Result, $($name),*> Callable<'a, ($($name,)*)> for Body
            where
                Body: FnOnce($($name),*) -> Result,
                Result: IntoAnswer,
                $($name: Parameter<'a>),*
            {
                #[allow(non_snake_case)]
                fn call_with(self, arguments: &mut Arguments<'a>) -> Outcome<Value> {
                    let _ = &arguments;
                    $(let $name = $name::take(arguments)?;)*
                    self($($name),*).into_answer()
                }
            }
        )*
    };
}

callables!(()(A)(A, B)(A, B, C)(A, B, C, D)(A, B, C, D, E)(A, B, C, D, E, F)(A, B, C, D, E, F, G)(
    A, B, C, D, E, F, G, H
)(A, B, C, D, E, F, G, H, I));

/// Define a file's table of functions for the host.
macro_rules! functions {
    ($($name:ident),* $(,)?) => {
        pub const FUNCTIONS: &[$crate::functions::Function] = &[$($crate::functions::Function {
            name: concat!(stringify!($name), "\0"),
            run: |arguments| $crate::functions::Callable::call_with($name, arguments),
        }),*];
    };
}
pub(crate) use functions;

/// Calls `function` and passes on its result; false if it fails.
///
/// # Safety
/// There are `count` arguments; `put` accepts `sink`.
pub unsafe fn run(function: &Function, arguments: *const Item, count: usize, sink: *mut c_void, put: Put) -> bool {
    // SAFETY: guaranteed by the caller.
    let items = if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(arguments, count) } };
    // SAFETY: as above.
    let mut put = |item: &Item| unsafe { put(sink, item) };
    let called = std::panic::catch_unwind(|| (function.run)(&mut Arguments(items)));
    match called.unwrap_or_else(|_| Err(crate::errors::plain("the crypto library has failed, which is a bug in rt"))) {
        Ok(value) => {
            value.emit(&mut put);
            true
        }
        Err(Failure::Thrown(thrown)) => {
            put(&Item { kind: calls::THROWN, number: 0.0, data: thrown.0, size: 0 });
            std::mem::forget(thrown);
            false
        }
        Err(Failure::OfClass { kind, message, facts }) => {
            let facts = facts.0.into_iter().flat_map(|(name, value)| [Value::Text(name), value]);
            (kind, message, facts.collect::<Vec<_>>()).into_value().emit(&mut put);
            false
        }
    }
}
