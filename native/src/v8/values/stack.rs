//! The formatter of `error.stack`.
use super::scope::{Local, NO_HANDLE, Scope};
use super::state::State;
use crate::v8::api::{Handle, Isolate, Raw, v8};

/// Formats `error.stack` with `function(error, callSites)`, or with V8's own formatter. `this` is the global object of the
/// error's context.
pub fn set_prepare(scope: &Scope<'_>, function: Option<Local<'_>>) {
    let slot = &scope.state.inner().prepare_stack_trace;
    // SAFETY: the scope proves the isolate current; the callback has V8's signature; only this slot owns the old
    // handle.
    unsafe {
        let new = function.map_or(NO_HANDLE, |function| (v8().global_new)(scope.isolate, function.word()));
        let old = slot.replace(new as usize);
        (v8().set_prepare_stack_trace)(scope.isolate, if new.is_null() { NO_HANDLE as Raw } else { prepare as Raw });
        if old != 0 {
            (v8().global_dispose)(old as Handle);
        }
    }
}

unsafe extern "C" fn prepare(context: Handle, error: Handle, sites: Handle) -> Handle {
    // SAFETY: V8 passes live handles; the current isolate is an engine's.
    unsafe {
        let isolate: Isolate = (v8().isolate_current)();
        let state = State::of(isolate);
        let scope = Scope::in_callback(isolate, state);
        let function = state.inner().prepare_stack_trace.get() as Handle;
        let receiver = (v8().context_global)(context);
        (v8().function_call)(function, isolate, scope.context.handle(), receiver, 2, [error, sites].as_ptr())
    }
}
