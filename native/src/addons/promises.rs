//! Promises that an addon settles.
use crate::v8::api::{Handle, v8};

use super::env::{Running, api, check, place, require};
use super::types::{Data, Done, Status, Value};

/// Settles the promise of `deferred`, a persistent handle, which ends its life.
unsafe fn conclude(env: &Running, deferred: Data, value: Value, is_resolved: bool) -> Done {
    require(value)?;
    place(deferred)?;
    check(env.addons.deferreds.borrow_mut().remove(&(deferred as usize)), Status::InvalidArg)?;
    let resolver_handle = deferred as Handle;
    // SAFETY: a known deferred is a live persistent handle of a resolver, which is released here.
    let settled = unsafe {
        let resolver = env.scope().handle_for(*resolver_handle).handle();
        env.release(resolver_handle);
        let settle = if is_resolved { v8().resolver_resolve } else { v8().resolver_reject };
        settle(resolver, env.context(), value)
    };
    check(crate::v8::api::layout::maybe_bool(settled) == Some(true), Status::GenericFailure)
}

api! {
    running fn napi_create_promise(env, deferred: *mut Data, promise: *mut Value) {
        place(deferred)?;
        place(promise)?;
        let resolver = env.some((v8().resolver_new)(env.context()), Status::GenericFailure)?;
        let global = (v8().global_new)(env.isolate, *resolver);
        env.addons.deferreds.borrow_mut().insert(global as usize);
        *deferred = global.cast();
        *promise = (v8().resolver_promise)(resolver);
    }

    running fn napi_resolve_deferred(env, deferred: Data, value: Value) {
        conclude(env, deferred, value, true)?;
    }

    running fn napi_reject_deferred(env, deferred: Data, value: Value) {
        conclude(env, deferred, value, false)?;
    }

    plain fn napi_is_promise(_env, value: Value, result: *mut bool) {
        require(value)?;
        *place(result)? = (v8().is_promise)(value);
    }
}
