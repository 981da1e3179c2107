//! Console calls that go to both the front ends and the program's output.
use crate::v8::api::layout::CallbackInfo;
use crate::v8::api::{Handle, v8};
use crate::v8::values::function::{Natives, guarded};

pub const NATIVES: Natives = &[("callBoth", call_both)];

/// `callBoth(first, second, ...arguments)`: calls both functions with the receiver and returns the second result.
///
/// A native function has no frame, so front ends see the place that called the console.
pub extern "C" fn call_both(info: &CallbackInfo) {
    guarded(info, |call| {
        let arguments: Vec<Handle> = (2..call.len()).map(|index| call.argument(index).handle()).collect();
        let (isolate, context, receiver) = (call.scope.isolate, call.scope.context.handle(), call.receiver().handle());
        let count = arguments.len() as i32;
        let [first, second] = [0, 1].map(|index| call.argument(index).handle());
        // SAFETY: the runtime's JavaScript passes two functions; all handles outlive the calls. V8 propagates an
        // exception when this returns.
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
