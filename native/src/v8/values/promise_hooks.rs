//! Calls functions of JavaScript when a promise is made, when its reaction begins and ends, and when it is settled:
//! `async_hooks` is built on it.
//!
//! This build of V8 cannot call such functions itself, so its C++ hook does. It is set only while there are any.
use super::function::{Call, Natives, guarded};
use super::scope::calling;
use super::scope::{Global, NO_HANDLE};
use crate::v8::api::layout::CallbackInfo;
use crate::v8::api::{Handle, Raw, v8};

pub const NATIVES: Natives = &[("setPromiseHooks", set_promise_hooks)];

/// The functions by V8's numbers of the events: a promise is made, settled, its reaction begins, has ended.
pub type Hooks = [Option<Global>; 4];

/// Where the arguments of `setPromiseHooks` (init, before, after, settled) belong.
const EVENTS: [usize; 4] = [0, 2, 3, 1];

/// `setPromiseHooks(init, before, after, settled)`: functions or undefined.
pub extern "C" fn set_promise_hooks(info: &CallbackInfo) {
    guarded(info, |call: &Call<'_>| {
        let mut hooks = Hooks::default();
        for (index, event) in EVENTS.into_iter().enumerate() {
            let hook = call.argument(index);
            // SAFETY: the handle is live; the test has no side effects.
            if unsafe { (v8().is_function)(hook.handle()) } {
                hooks[event] = Some(Global::new(&call.scope, hook));
            }
        }
        let listener = if hooks.iter().any(Option::is_some) { told as Raw } else { std::ptr::null_mut() };
        // SAFETY: the scope proves the isolate current; the callback has V8's signature.
        unsafe { (v8().set_promise_hook)(call.scope.isolate, listener) };
        drop(call.scope.state.inner().promise_hooks.replace(hooks));
    });
}

/// V8's promise hook. What a function throws is left pending for the JavaScript that is running.
unsafe extern "C" fn told(event: i32, promise: Handle, parent: Handle) {
    // SAFETY: V8 passes live handles.
    let scope = unsafe { calling() };
    scope.nested(|scope| {
        let inner = scope.state.inner();
        let hook = match inner.promise_hooks.borrow().get(event as usize) {
            Some(Some(hook)) => hook.in_scope(scope).ok(),
            _ => None,
        };
        let Some(hook) = hook else { return };
        let undefined = scope.handle_for(inner.roots.get().undefined).handle();
        let parent = if parent == NO_HANDLE { undefined } else { parent };
        let arguments = [promise, parent];
        // SAFETY: a live function and live arguments.
        unsafe {
            (v8().function_call)(
                hook.handle(),
                scope.isolate,
                scope.context.handle(),
                undefined,
                2,
                arguments.as_ptr(),
            );
        }
    });
}
