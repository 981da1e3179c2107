//! Host functions that act on the running engine: the clock, microtasks, rejections, stack traces, V8's flags.
use crate::v8::api::layout::CallbackInfo;
use crate::v8::api::v8;
use crate::v8::values::clock::clock_ms;
use crate::v8::values::function::{Natives, guarded};
use crate::v8::values::value::number_to_js;
use crate::v8::values::{plain, promise, stack};

pub const NATIVES: Natives = &[
    ("enqueueMicrotask", enqueue_microtask),
    ("now", now),
    ("runMicrotasks", run_microtasks),
    ("setPrepareStackTrace", set_prepare_stack_trace),
    ("setV8Flags", set_v8_flags),
    ("takeRejections", take_rejections),
];

/// `now()`: milliseconds of the monotonic clock since the first call.
extern "C" fn now(info: &CallbackInfo) {
    guarded(info, |call| call.answer(number_to_js(&call.scope, clock_ms())));
}

/// `enqueueMicrotask(function)`: exceptions go to `Engine.take_uncaught`.
extern "C" fn enqueue_microtask(info: &CallbackInfo) {
    guarded(info, |call| {
        if !call.is(0, v8().is_function) {
            return call.throw_type_error("enqueueMicrotask takes a function");
        }
        // SAFETY: the function is live.
        unsafe { (v8().enqueue_microtask)(call.scope.isolate, call.argument(0).handle()) };
    });
}

/// `setV8Flags(text)`: V8 flags as on its command line.
extern "C" fn set_v8_flags(info: &CallbackInfo) {
    guarded(info, |call| {
        let flags = call.utf8(0).and_then(|text| std::ffi::CString::new(text).ok());
        if let Some(flags) = flags {
            // SAFETY: the text ends in NUL; V8 ignores unknown flags.
            unsafe { (v8().set_flags)(flags.as_ptr()) };
        }
    });
}

/// `setPrepareStackTrace(function)`: `function(error, callSites)` formats every `error.stack`; undefined restores V8's
/// format.
extern "C" fn set_prepare_stack_trace(info: &CallbackInfo) {
    guarded(info, |call| {
        let function = call.is(0, v8().is_function).then(|| call.argument(0));
        stack::set_prepare(&call.scope, function);
    });
}

/// `runMicrotasks()`: runs the queued microtasks, and those that they queue.
extern "C" fn run_microtasks(info: &CallbackInfo) {
    guarded(info, plain::run_microtasks);
}

/// `takeRejections()`: `[handledLater, promise, reason, context, ...]` since the last call, or undefined for none.
extern "C" fn take_rejections(info: &CallbackInfo) {
    guarded(info, |call| {
        if let Some(notes) = promise::taken_rejections(&call.scope) {
            call.answer(call.scope.array(&notes));
        }
    });
}
