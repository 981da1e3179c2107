//! Handle scopes that addons open and close explicitly.
//!
//! They form a stack in the environment. Closing a scope closes those opened after it; closing a scope that is not open
//! only returns an error.
use crate::v8::HandleScope;
use crate::v8::api::Handle;

use super::env::{Env, api, check, place, require};
use super::types::{Data, Status, Value};

pub struct Open {
    /// Closes the scope on drop.
    _scope: HandleScope,
    id: usize,
    /// The outer slot for the escaping handle; null in a scope from which none escapes.
    outside: Handle,
    has_escaped: bool,
}

/// Closes scopes down to `count`.
pub fn close_down_to(env: &Env, count: usize) {
    loop {
        let last = {
            let mut scopes = env.scopes.borrow_mut();
            if scopes.len() <= count {
                return;
            }
            scopes.pop()
        };
        drop(last);
    }
}

unsafe fn open(env: &Env, can_escape: bool) -> Data {
    let outside = if can_escape { env.undefined() } else { std::ptr::null_mut() };
    let id = env.addons.next_number();
    // SAFETY: an addon is running, so the isolate is current; scopes are closed in reverse order.
    let scope = unsafe { HandleScope::open(env.isolate) };
    env.scopes.borrow_mut().push(Open { _scope: scope, id, outside, has_escaped: false });
    id as Data
}

fn close(env: &Env, scope: Data) -> Result<(), Status> {
    let index = env.scopes.borrow().iter().rposition(|open| open.id == scope as usize);
    close_down_to(env, index.ok_or(Status::HandleScopeMismatch)?);
    Ok(())
}

api! {
    plain fn napi_open_handle_scope(env, result: *mut Data) {
        *place(result)? = open(env, false);
    }

    plain fn napi_close_handle_scope(env, scope: Data) {
        place(scope)?;
        close(env, scope)?;
    }

    plain fn napi_open_escapable_handle_scope(env, result: *mut Data) {
        *place(result)? = open(env, true);
    }

    plain fn napi_close_escapable_handle_scope(env, scope: Data) {
        place(scope)?;
        close(env, scope)?;
    }

    plain fn napi_escape_handle(env, scope: Data, escapee: Value, result: *mut Value) {
        place(scope)?;
        require(escapee)?;
        place(result)?;
        let mut scopes = env.scopes.borrow_mut();
        let open = scopes.iter_mut().rfind(|open| open.id == scope as usize).ok_or(Status::HandleScopeMismatch)?;
        check(!open.outside.is_null(), Status::InvalidArg)?;
        check(!open.has_escaped, Status::EscapeCalledTwice)?;
        open.has_escaped = true;
        *open.outside = *escapee;
        *result = open.outside;
    }
}

/// Runs `work` in a handle scope from which one handle escapes.
///
/// # Safety
/// The isolate is current on this thread.
pub unsafe fn escaping(env: &Env, work: impl FnOnce() -> Result<Handle, Status>) -> Result<Handle, Status> {
    let scope = env.scope();
    let outside = scope.undefined().handle();
    // SAFETY: guaranteed by the caller; the scope closes before the one around it.
    let inner = unsafe { HandleScope::open(env.isolate) };
    let result = work();
    if let Ok(result) = result {
        // SAFETY: both slots are live.
        unsafe { *outside = *result };
    }
    drop(inner);
    result.map(|_| outside)
}
