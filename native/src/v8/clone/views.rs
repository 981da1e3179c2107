//! Structured clones as bytes in Node's format: `v8.serialize`, and messages between processes that hold Buffers.
//!
//! Node writes buffer views as host objects: the class number, the size and the bytes, preceded by a tag between
//! processes.
use std::cell::RefCell;

use super::serializer::{self, Delegate};
use crate::v8::api::layout::{CallbackInfo, small_integer};
use crate::v8::api::rare::{self, more};
use crate::v8::api::{Handle, Isolate, Raw, v8};
use crate::v8::values::buffer;
use crate::v8::values::function::guarded;
use crate::v8::values::scope::{Global, Local, Scope};
use crate::v8::values::state::State;

const BUFFER: u32 = 10;
/// The format of messages between processes; the other one is that of `v8.serialize`.
const WITH_TAGS: i32 = 2;
const VIEW_TAG: u32 = 0;

thread_local! {
    /// `Buffer.prototype` of this thread's engine.
    static BUFFER_PROTOTYPE: RefCell<Option<Global>> = const { RefCell::new(None) };
}

/// Returns whether the prototype of `view` is `Buffer.prototype`.
fn is_buffer(scope: &Scope<'_>, view: Local<'_>) -> bool {
    // SAFETY: the object is live and not a proxy, so reading its prototype runs no JavaScript.
    let prototype = unsafe { scope.local((v8().object_prototype)(view.handle())) };
    BUFFER_PROTOTYPE.with_borrow(|known| {
        let known = known.as_ref().and_then(|known| known.in_scope(scope).ok());
        known.zip(prototype).is_some_and(|(known, prototype)| known.is(prototype))
    })
}

/// Turns a Uint8Array into a Buffer.
pub fn as_buffer(scope: &Scope<'_>, view: Handle) {
    BUFFER_PROTOTYPE.with_borrow(|known| {
        if let Some(known) = known.as_ref().and_then(|known| known.in_scope(scope).ok()) {
            // SAFETY: the array is fresh and the object live; no JavaScript runs.
            unsafe { (v8().object_set_prototype)(view, scope.context.handle(), known.handle()) };
        }
    });
}

/// Node's number for a view's class.
fn class_of(scope: &Scope<'_>, view: Local<'_>) -> Option<u32> {
    let handle = view.handle();
    let more = more();
    let tests = [
        (more.is_uint8_array, 1),
        (more.is_int8_array, 0),
        (more.is_uint8_clamped_array, 2),
        (more.is_int16_array, 3),
        (more.is_uint16_array, 4),
        (more.is_int32_array, 5),
        (more.is_uint32_array, 6),
        (more.is_float32_array, 7),
        (more.is_float64_array, 8),
        (v8().is_data_view, 9),
        (more.is_big_int64_array, 11),
        (more.is_big_uint64_array, 12),
        (more.is_float16_array, 13),
    ];
    // SAFETY: the handle is live; the test has no side effects.
    let class = tests.iter().find(|(test, _)| unsafe { test(handle) }).map(|(_, class)| *class)?;
    Some(if class == 1 && is_buffer(scope, view) { BUFFER } else { class })
}

/// `WriteHostObject`: writes a view; no other host object can be cloned.
pub unsafe extern "C" fn write_view(this: Raw, isolate: Isolate, view: Handle) -> u16 {
    const DONE: u16 = 0x0101; // `Maybe<bool>` of true
    // SAFETY: `this` is the delegate given to V8 and outlives the call; V8 passes a live object.
    unsafe {
        let delegate = &*(this as *const Delegate);
        let scope = Scope::in_callback(isolate, State::of(isolate));
        let Some(local) = Local::new(view) else { return 0 };
        let Some(class) = class_of(&scope, local) else {
            return (v8().delegate_write_host)(this, isolate, view);
        };
        let writer = delegate.writer;
        if delegate.form == WITH_TAGS {
            (more().serializer_u32)(writer, VIEW_TAG);
        }
        (more().serializer_u32)(writer, class);
        buffer::with_bytes(local, |bytes| {
            (more().serializer_u32)(writer, bytes.len() as u32);
            (more().serializer_raw)(writer, bytes.as_ptr().cast_mut().cast(), bytes.len());
        });
        DONE
    }
}

/// `cloneBytes(value, format)`: the bytes of a clone; throws if the value cannot be cloned.
pub extern "C" fn clone_bytes(info: &CallbackInfo) {
    guarded(info, |call| {
        if rare::load().is_err() {
            return call.throw_type_error("this V8 writes no host objects");
        }
        let form = small_integer(call.argument(1).word()).unwrap_or(1);
        let written = serializer::write_in(&call.scope, call.argument(0), &[], false, form);
        let Some(written) = written else { return };
        match call.scope.bytes_of(written.bytes.as_slice()) {
            Some(made) => call.answer(made),
            None => call.throw_type_error("the clone is too large"),
        }
    });
}

/// `setBufferPrototype(object)`: sets the prototype that distinguishes a Buffer from a Uint8Array.
pub extern "C" fn set_buffer_prototype(info: &CallbackInfo) {
    guarded(info, |call| {
        let prototype = Global::new(&call.scope, call.argument(0));
        BUFFER_PROTOTYPE.with_borrow_mut(|known| *known = Some(prototype));
    });
}
