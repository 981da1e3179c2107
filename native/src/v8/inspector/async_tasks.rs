//! Asynchronous tasks of the program, which front ends show as the callers of a callback. The runtime's JavaScript reports
//! them while a front end wants such stacks (`js/node/inspector/hooks`).
use crate::v8::api::layout::CallbackInfo;
use crate::v8::api::{Raw, v8};
use crate::v8::values::function::{Call, Natives, guarded};

use super::client::{Inspecting, Text};

pub const NATIVES: Natives = &[
    ("inspectedTaskScheduled", scheduled),
    ("inspectedTaskStarted", started),
    ("inspectedTaskFinished", finished),
    ("inspectedTaskCanceled", canceled),
];

/// Calls `report` with the inspector and V8's name for the task whose number is the first argument; does nothing without
/// an inspector. V8 numbers promises with odd pointers.
fn with_task(call: &Call<'_>, report: impl FnOnce(Raw, Raw)) {
    let client = call.scope.state.slot::<Inspecting>().0.borrow().clone();
    if let (Some(client), Some(number)) = (client, call.number(0)) {
        report(client.inspector.get(), (number as usize * 2) as Raw);
    }
}

/// `inspectedTaskScheduled(number, name)`: a task that may run several times, until it is canceled, is created here.
extern "C" fn scheduled(info: &CallbackInfo) {
    guarded(info, |call| {
        let name = Text::new(&call.exact_text(1).unwrap_or_default());
        // SAFETY: the inspector is live, and so is the view; V8 does not dereference the task.
        with_task(call, |inspector, task| unsafe {
            (v8().inspector_task_scheduled)(inspector, name.view(), task, true);
        });
    });
}

/// `inspectedTaskStarted(number)`: the callback of the task runs next.
extern "C" fn started(info: &CallbackInfo) {
    // SAFETY: as in `scheduled`.
    guarded(info, |call| with_task(call, |inspector, task| unsafe { (v8().inspector_task_started)(inspector, task) }));
}

/// `inspectedTaskFinished(number)`: the callback of the task has run.
extern "C" fn finished(info: &CallbackInfo) {
    // SAFETY: as in `scheduled`.
    guarded(info, |call| with_task(call, |inspector, task| unsafe { (v8().inspector_task_finished)(inspector, task) }));
}

/// `inspectedTaskCanceled(number)`: the task does not run again.
extern "C" fn canceled(info: &CallbackInfo) {
    // SAFETY: as in `scheduled`.
    guarded(info, |call| with_task(call, |inspector, task| unsafe { (v8().inspector_task_canceled)(inspector, task) }));
}
