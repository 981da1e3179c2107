//! Callbacks with an asynchronous context: what AsyncLocalStorage held when the context was made.
//!
//! Ticks and microtasks come after the task that an addon runs in (`engine`), so a callback scope has none of its own to run.
use std::ffi::c_char;
use std::rc::Rc;

use crate::v8::api::v8;

use super::engine::AsyncFrame;
use super::env::{api, check, given, place, tell};
use super::functions::callable;
use super::types::{AUTO_LENGTH, Data, Status, Value};
use super::uv::event_loop::Loop;

/// `napi_node_version`.
#[repr(C)]
pub struct NodeVersion {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
    pub release: *const c_char,
}

api! {
    plain fn napi_async_init(env, resource: Value, name: Value, result: *mut Data) {
        given(name)?;
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
        given(receiver)?;
        if count > 0 {
            place(values.cast_mut())?;
        }
        let receiver = env.object(receiver)?;
        callable(function)?;
        let known = env.addons.contexts.borrow().get(&(context as usize)).cloned();
        check(known.is_some() || context.is_null(), Status::InvalidArg)?;
        // Without a context there is nothing in AsyncLocalStorage, as in Node.
        let frame = known.unwrap_or_else(|| Rc::new(AsyncFrame::nothing(env)));
        let made = frame.within(env, || env.call(function, receiver, count, values), Result::is_err);
        tell(result, made?);
    }

    plain fn napi_open_callback_scope(env, _resource: Value, _context: Data, result: *mut Data) {
        place(result)?;
        env.callback_scopes.set(env.callback_scopes.get() + 1);
        *result = env.addons.next_number() as Data;
    }

    plain fn napi_close_callback_scope(env, scope: Data) {
        place(scope)?;
        let open = env.callback_scopes.get();
        check(open > 0, Status::CallbackScopeMismatch)?;
        env.callback_scopes.set(open - 1);
    }

    plain fn napi_get_node_version(env, result: *mut *const NodeVersion) {
        *place(result)? = &raw const env.addons.node_version;
    }

    /// For `uv_async_init`.
    plain fn napi_get_uv_event_loop(env, result: *mut *const Loop) {
        *place(result)? = Loop::of(env);
    }

    running fn napi_fatal_exception(env, error: Value) {
        given(error)?;
        let scope = env.scope();
        let error = scope.handle_for(*error);
        env.addons.tell_uncaught(&scope, error);
    }

    plain fn node_api_get_module_file_name(env, result: *mut *const c_char) {
        *place(result)? = env.filename.as_ptr();
    }
}

/// `napi_fatal_error`: the process ends, for that is what an addon calls it for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_fatal_error(
    location: *const c_char,
    location_length: usize,
    message: *const c_char,
    message_length: usize,
) -> ! {
    let text = |text: *const c_char, length: usize| {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: as much text as told, or up to its NUL.
        unsafe {
            let length = if length == AUTO_LENGTH { libc::strlen(text) } else { length };
            String::from_utf8_lossy(std::slice::from_raw_parts(text.cast::<u8>(), length)).into_owned()
        }
    };
    // SAFETY: only asks; an isolate that is current is this thread's, and its state is alive.
    unsafe {
        let isolate = (v8().isolate_current)();
        if !isolate.is_null()
            && let Some(addons) = super::engine::Addons::known(crate::v8::State::of(isolate))
        {
            let _ = addons.core().map(|core| core.flush()); // what the program printed before
        }
    }
    eprintln!("FATAL ERROR: {} {}", text(location, location_length), text(message, message_length));
    std::process::abort()
}

/// `napi_module_register`: called by a constructor of an addon's library while it is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn napi_module_register(module: *const super::types::Module) {
    super::loading::registered(module);
}
