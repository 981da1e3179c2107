//! Callbacks with an asynchronous context: what AsyncLocalStorage held when the context was created.
//!
//! Ticks and microtasks run after the task in which an addon runs (`engine`), so a callback scope runs none: it only
//! enters its resource.
use std::ffi::c_char;
use std::rc::Rc;

use super::engine::{AsyncFrame, PreviousContext};
use super::env::{Env, api, check, place, require, store};
use super::functions::callable;
use super::types::{Data, Status, Value};
use super::uv::event_loop::Loop;

/// `napi_node_version`.
#[repr(C)]
pub struct NodeVersion {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
    pub release: *const c_char,
}

/// A callback scope that an addon has opened.
pub struct OpenScope {
    id: usize,
    entered: Option<(Rc<AsyncFrame>, PreviousContext)>,
}

impl OpenScope {
    fn close(self, env: &Env) {
        if let Some((frame, entered)) = self.entered {
            frame.exit(env, entered, env.has_exception());
        }
    }
}

/// Closes the scopes that an addon has left open, down to `count`.
#[cold]
pub fn close_down_to(env: &Env, count: usize) {
    loop {
        let mut scopes = env.callback_scopes.borrow_mut();
        let Some(scope) = (scopes.len() > count).then(|| scopes.pop()).flatten() else { break };
        env.callback_scope_count.set(scopes.len());
        drop(scopes);
        scope.close(env);
    }
}

fn context_of(env: &Env, context: Data) -> Result<Option<Rc<AsyncFrame>>, Status> {
    let known = env.addons.contexts.borrow().get(&(context as usize)).cloned();
    check(known.is_some() || context.is_null(), Status::InvalidArg)?;
    Ok(known)
}

api! {
    plain fn napi_async_init(env, resource: Value, name: Value, result: *mut Data) {
        require(name)?;
        place(result)?;
        let number = env.addons.next_number();
        env.addons.contexts.borrow_mut().insert(number, Rc::new(AsyncFrame::begin(env, resource, name)?));
        *result = number as Data;
    }

    plain fn napi_async_destroy(env, context: Data) {
        place(context)?;
        let frame = env.addons.contexts.borrow_mut().remove(&(context as usize));
        frame.ok_or(Status::InvalidArg)?.end(env);
    }

    running fn napi_make_callback(env, context: Data, receiver: Value, function: Value, count: usize, values: *const Value, result: *mut Value) {
        require(receiver)?;
        if count > 0 {
            place(values.cast_mut())?;
        }
        let receiver = env.object(receiver)?;
        callable(function)?;
        // Without a context AsyncLocalStorage is empty, as in Node.
        let frame = context_of(env, context)?.unwrap_or_else(|| Rc::new(AsyncFrame::nothing(env)));
        let made = frame.within(env, || env.call_in_domain(function, receiver, count, values), Result::is_err);
        store(result, made?);
    }

    plain fn napi_open_callback_scope(env, _resource: Value, context: Data, result: *mut Data) {
        place(result)?;
        let entered = context_of(env, context)?.map(|frame| {
            let entered = frame.enter_bare(env);
            (frame, entered)
        });
        let id = env.addons.next_number();
        let mut scopes = env.callback_scopes.borrow_mut();
        scopes.push(OpenScope { id, entered });
        env.callback_scope_count.set(scopes.len());
        *result = id as Data;
    }

    plain fn napi_close_callback_scope(env, scope: Data) {
        place(scope)?;
        let mut scopes = env.callback_scopes.borrow_mut();
        let is_innermost = scopes.last().is_some_and(|last| last.id == scope as usize);
        let last = scopes.pop_if(|_| is_innermost).ok_or(Status::CallbackScopeMismatch)?;
        env.callback_scope_count.set(scopes.len());
        drop(scopes);
        last.close(env);
    }

    basic fn napi_get_node_version(env, result: *mut *const NodeVersion) {
        *place(result)? = &raw const env.addons.node_version;
    }

    /// For `uv_async_init`.
    basic fn napi_get_uv_event_loop(env, result: *mut *const Loop) {
        *place(result)? = Loop::of(env);
    }

    running fn napi_fatal_exception(env, error: Value) {
        require(error)?;
        let scope = env.scope();
        let error = scope.handle_for(*error);
        env.addons.report_uncaught(&scope, error);
    }

    basic fn node_api_get_module_file_name(env, result: *mut *const c_char) {
        *place(result)? = env.filename.as_ptr();
    }
}

/// `napi_module_register`: a constructor of an addon's library calls it during loading.
#[unsafe(no_mangle)]
pub extern "C" fn napi_module_register(module: *const super::types::Module) {
    super::loading::on_registered(module);
}
