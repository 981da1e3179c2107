//! Stacks: who formats `error.stack`, and the frames of the current call as plain data.
use super::api::{Handle, Isolate, Raw, v8};
use super::layout::location;
use super::scope::{Local, NO_HANDLE, Scope};
use super::state::State;
use super::value::number_to_js;

const DETAILED: i32 = 0b111_1111;

/// Let `function(error, callSites)` make `error.stack`, or V8 itself when there is none.
pub fn set_prepare(scope: &Scope<'_>, function: Option<Local<'_>>) {
    let slot = &scope.state.inner().prepare_stack_trace;
    // SAFETY: the scope proves the isolate current; the callback has V8's signature; the old handle is ours.
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
    // SAFETY: V8 is calling with live handles; an isolate is current, and it is an engine's.
    unsafe {
        let isolate: Isolate = (v8().isolate_current)();
        let state = State::of(isolate);
        let scope = Scope::in_callback(isolate, state);
        let function = state.inner().prepare_stack_trace.get() as Handle;
        let receiver = scope.handle_for(state.inner().roots.get().undefined).handle();
        (v8().function_call)(function, isolate, context, receiver, 2, [error, sites].as_ptr())
    }
}

struct FrameParts<'s> {
    function: Option<Local<'s>>,
    script: Option<Local<'s>>,
    position: (i32, i32),
}

fn each_frame<'a, 's>(scope: &'a Scope<'s>, trace: Local<'s>) -> impl Iterator<Item = FrameParts<'s>> + use<'a, 's> {
    // SAFETY: a live stack trace.
    let count = unsafe { (v8().stack_count)(trace.handle()) };
    (0..count).map(move |index| {
        // SAFETY: the index is below the count; what V8 returns lies in this scope. Locations count from zero.
        unsafe {
            let handle = (v8().stack_frame)(trace.handle(), scope.isolate, index as u32);
            let (line, column) = location((v8().frame_location)(handle));
            FrameParts {
                function: scope.local((v8().frame_function)(handle)),
                script: scope.local((v8().frame_script)(handle)),
                position: (line + 1, column + 1),
            }
        }
    })
}

/// The frames that are calling, as an array of arrays.
pub fn current_frames<'s>(scope: &Scope<'s>, limit: i32) -> Option<Local<'s>> {
    let undefined = scope.handle_for(scope.state.inner().roots.get().undefined);
    // SAFETY: the scope proves the isolate current; V8 copies the handles given to `array_new`.
    unsafe {
        let trace = scope.local((v8().stack_current)(scope.isolate, limit.clamp(0, 1000), DETAILED))?;
        let array = |handles: &[Handle]| (v8().array_new)(scope.isolate, handles.as_ptr(), handles.len());
        let frames: Vec<Handle> = each_frame(scope, trace)
            .map(|frame| {
                let (line, column) = frame.position;
                array(&[
                    frame.function.unwrap_or(undefined).handle(),
                    frame.script.unwrap_or(undefined).handle(),
                    number_to_js(scope, line.into()).handle(),
                    number_to_js(scope, column.into()).handle(),
                ])
            })
            .collect();
        scope.local(array(&frames))
    }
}
