//! The functions of `node:vm` that answer V8's callbacks about its code: `import()`, `import.meta`, evaluation.
//!
//! Code of `node:vm` is identified by a symbol in its host options or in the embedder data of its context, and its
//! modules by a number. The library provides the functions with `vmHooks`.
use std::cell::RefCell;

use crate::v8::api::layout::{CallbackInfo, EMBEDDER_IMPORTS};
use crate::v8::api::{Handle, v8};
use crate::v8::values::function::{Natives, guarded};
use crate::v8::values::scope::{Global, Local, Scope};

pub const NATIVES: Natives = &[("vmHooks", set_hooks)];

/// The index of each function.
pub const IMPORT: usize = 0;
pub const META: usize = 1;
pub const EVALUATE: usize = 2;
pub const NO_SOURCE: usize = 3;

#[derive(Default)]
struct Hooks(RefCell<[Option<Global>; 4]>);

/// `vmHooks(import(symbol, specifier, attributes, phase), meta(id, object), evaluate(id), noSource(id))`.
extern "C" fn set_hooks(info: &CallbackInfo) {
    guarded(info, |call| {
        let global = |index: usize| Some(Global::new(&call.scope, call.argument(index)));
        drop(call.scope.state.slot::<Hooks>().0.replace([IMPORT, META, EVALUATE, NO_SOURCE].map(global)));
    });
}

/// Calls one of the functions; `None` if it threw or is not set.
pub fn call<'s>(scope: &Scope<'s>, hook: usize, arguments: &[Handle]) -> Option<Local<'s>> {
    let function = scope.state.slot::<Hooks>().0.borrow()[hook].as_ref()?.in_scope(scope).ok()?;
    let this = scope.undefined().handle();
    // SAFETY: the function and the arguments are live; V8 is calling, so JavaScript may run.
    unsafe {
        let context = scope.context.handle();
        let count = arguments.len() as i32;
        scope.local((v8().function_call)(function.handle(), scope.isolate, context, this, count, arguments.as_ptr()))
    }
}

/// The symbol for `import()` of code in `context` that was compiled without one, by `eval` for example.
pub fn imports_of<'s>(scope: &Scope<'s>, context: Local<'_>) -> Option<Local<'s>> {
    if context.is(scope.context) {
        return None;
    }
    // SAFETY: every context but the program's own is one of `node:vm`, which has the field.
    unsafe { scope.local((v8().context_embedder_data)(context.handle(), EMBEDDER_IMPORTS)) }
}
