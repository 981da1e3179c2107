//! Where a value was thrown, which only the engine knows: an error knows where it was created, other values know nothing.
use crate::v8::api::layout::maybe_int;
use crate::v8::api::v8;
use crate::v8::values::function::{Call, HostOperation};
use crate::v8::values::promise;
use crate::v8::values::scope::TryCatch;
use crate::v8::values::value::number_to_js;

pub const OPERATIONS: &[(&str, HostOperation)] = &[("core_attempt", attempt)];

/// `core_attempt(callback)`: undefined, or `[thrown, file, line, column]` with the place of the throw in the running code, from 1
/// and without a file if it is unknown.
fn attempt(call: &Call<'_>) -> bool {
    let scope = &call.scope;
    let (callback, context, receiver) = (call.argument(0), scope.context.handle(), scope.undefined().handle());
    let mut words = Default::default();
    let catcher = TryCatch::open(scope, &mut words);
    let is_inspected = scope.state.inner().is_inspected.get();
    if is_inspected {
        catcher.stay_verbose(); // a debugger that pauses on uncaught exceptions pauses on these
    }
    let reported = promise::uncaught_count(scope);
    // SAFETY: the handle is live and tested to be a function; it is called without arguments.
    let outcome = unsafe {
        if !(v8().is_function)(callback.handle()) {
            return false;
        }
        scope.local((v8().function_call)(callback.handle(), scope.isolate, context, receiver, 0, std::ptr::null()))
    };
    if outcome.is_some() {
        return true;
    }
    if is_inspected {
        promise::forget_uncaught(scope, reported);
    }
    let (Some(thrown), false) = (catcher.exception(), catcher.has_terminated()) else {
        catcher.rethrow();
        return true;
    };
    // SAFETY: the message is live; these functions only read and return handles of this scope.
    let (file, line, column) = catcher.message().map_or((None, 0, 0), |message| unsafe {
        let line = maybe_int((v8().message_line)(message.handle(), context)).unwrap_or(0);
        let column = (v8().message_start_column)(message.handle()) + 1;
        (scope.local((v8().message_resource)(message.handle())), line, column)
    });
    let file = file.unwrap_or_else(|| scope.undefined());
    let (line, column) = (number_to_js(scope, line.into()), number_to_js(scope, column.into()));
    call.answer(scope.array_of(&[thrown.handle(), file.handle(), line.handle(), column.handle()]));
    true
}
