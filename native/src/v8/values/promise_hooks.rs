//! Promise hooks: JavaScript functions called when a promise is created, before and after its reactions, and when it is
//! settled. `async_hooks` builds on them.
//!
//! This build of V8 cannot call such functions itself, so its C++ hook does. The hook is installed only while there are
//! functions.
use super::function::{Call, Natives, guarded};
use super::scope::calling;
use super::scope::{Global, NO_HANDLE};
use crate::v8::api::layout::CallbackInfo;
use crate::v8::api::{Handle, Raw, v8};

pub const NATIVES: Natives = &[("setPromiseHooks", set_promise_hooks)];

/// The functions by V8's event numbers: created, settled, before a reaction, after it.
pub type Hooks = [Option<Global>; 4];

/// The event number of each argument of `setPromiseHooks` (init, before, after, settled).
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
        let listener = if hooks.iter().any(Option::is_some) { on_promise as Raw } else { std::ptr::null_mut() };
        // SAFETY: the scope proves the isolate current; the callback has V8's signature.
        unsafe { (v8().set_promise_hook)(call.scope.isolate, listener) };
        drop(call.scope.state.inner().promise_hooks.replace(hooks));
    });
}

/// V8's promise hook. If a function throws, the exception stays pending for the running JavaScript.
unsafe extern "C" fn on_promise(event: i32, promise: Handle, parent: Handle) {
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
        // SAFETY: the function and the arguments are live.
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
