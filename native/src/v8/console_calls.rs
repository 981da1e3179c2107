//! Calls of the console that reach front ends and the program's own output.
use super::api::{Handle, v8};
use super::function::guarded;
use super::layout::CallbackInfo;

/// `callBoth(first, second, ...arguments)`: call both functions with the receiver; what the second returns.
///
/// A native function has no frame of its own, so front ends are told of the place that called the console.
pub unsafe extern "C" fn call_both(info: &CallbackInfo) {
    guarded(info, |call| {
        let arguments: Vec<Handle> = (2..call.len()).map(|index| call.argument(index).handle()).collect();
        let (isolate, context, receiver) = (call.scope.isolate, call.scope.context.handle(), call.receiver().handle());
        let count = arguments.len() as i32;
        let [first, second] = [0, 1].map(|index| call.argument(index).handle());
        // SAFETY: JavaScript of the runtime gives two functions; all handles live through the call. What they throw
        // is V8's to carry on when this returns.
        unsafe {
            if (v8().function_call)(first, isolate, context, receiver, count, arguments.as_ptr()).is_null() {
                return;
            }
            let result = (v8().function_call)(second, isolate, context, receiver, count, arguments.as_ptr());
            if let Some(result) = call.scope.local(result) {
                call.answer(result);
            }
        }
    });
}
