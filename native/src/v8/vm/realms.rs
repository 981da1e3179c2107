//! The contexts of `ShadowRealm`, which the library creates as it does those of `node:vm` (`node/vm/shadow_realm`).
use std::cell::RefCell;

use super::contexts::context_of;
use crate::v8::api::layout::CallbackInfo;
use crate::v8::api::{Handle, Raw, v8};
use crate::v8::values::function::guarded;
use crate::v8::values::scope::calling;
use crate::v8::values::scope::{Global, NO_HANDLE};

/// The function that creates a context and returns its global object.
#[derive(Default)]
struct Create(RefCell<Option<Global>>);

/// `vmRealms(create)`.
pub extern "C" fn set_create(info: &CallbackInfo) {
    guarded(info, |call| {
        let create = Global::new(&call.scope, call.argument(0));
        drop(call.scope.state.slot::<Create>().0.replace(Some(create)));
        // SAFETY: the scope proves the isolate current; the callback has V8's signature and lives as long as the process.
        unsafe { (v8().set_shadow_realm)(call.scope.isolate, create_context as Raw) };
    });
}

/// V8's callback for `new ShadowRealm()`; without a context, an error has been thrown.
unsafe extern "C" fn create_context(_initiator: Handle) -> Handle {
    // SAFETY: V8 is calling on this thread.
    let scope = unsafe { calling() };
    let slot = scope.state.slot::<Create>();
    let create = slot.0.borrow().as_ref().and_then(|create| create.in_scope(&scope).ok());
    let Some(create) = create else {
        return NO_HANDLE;
    };
    let this = scope.undefined().handle();
    // SAFETY: the function is live; V8 is calling, so JavaScript may run.
    let global = unsafe {
        scope.local((v8().function_call)(
            create.handle(),
            scope.isolate,
            scope.context.handle(),
            this,
            0,
            std::ptr::null(),
        ))
    };
    global.and_then(|global| context_of(&scope, global)).map_or(NO_HANDLE, |context| context.handle())
}
