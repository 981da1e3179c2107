//! Lazy properties: their values are created on first access, but they look like plain data properties.
//!
//! V8 replaces such a property with its value at the first access; an assignment or a definition before that replaces
//! it without creating the value. An accessor in JavaScript could not do that, because code that wraps methods, as test
//! libraries do, reads the descriptor's value. V8 stores the data of such a property outside of contexts, in a snapshot
//! too, so it is a number; a function of the library creates the value for a number.
use super::function::{Natives, guarded};
use super::scope::Global;
use super::scope::calling;
use crate::v8::api::layout::{CALLBACK_INFO_DATA, CallbackInfo, INFO_CALLBACK_INFO, INFO_RETURN_VALUE, small_integer};
use crate::v8::api::{Handle, Raw, v8};

pub const NATIVES: Natives = &[("defineLazyValue", define), ("setLazyMaker", set_maker)];

const HAS_SIDE_EFFECT: i32 = 0;

/// `setLazyMaker(make)`: sets the function that creates the value for a number.
pub extern "C" fn set_maker(info: &CallbackInfo) {
    guarded(info, |call| {
        let maker = Global::new(&call.scope, call.argument(0));
        drop(call.scope.state.inner().lazy_maker.replace(Some(maker)));
    });
}

/// `defineLazyValue(object, name, number, attributes)`: defines a lazy property with V8's attributes.
pub extern "C" fn define(info: &CallbackInfo) {
    guarded(info, |call| {
        let [object, name, number, attributes] = [0, 1, 2, 3].map(|index| call.argument(index));
        let attributes = small_integer(attributes.word()).unwrap_or_default();
        // SAFETY: the library passes an object, a name and two small integers; `made` has V8's signature and is an
        // external reference.
        unsafe {
            (v8().object_set_lazy_data)(
                object.handle(),
                call.scope.context.handle(),
                name.handle(),
                create_value as Raw,
                number.handle(),
                attributes,
                HAS_SIDE_EFFECT,
                HAS_SIDE_EFFECT,
            );
        }
    });
}

/// V8's getter of a lazy property. If the library throws, the access throws and the property stays lazy.
pub unsafe extern "C" fn create_value(_name: Handle, info: *mut usize) {
    // SAFETY: V8 is calling: the slots are live, and that of the return value is writable.
    unsafe {
        calling().nested(|scope| {
            let inner = scope.state.inner();
            let maker = inner.lazy_maker.borrow().as_ref().and_then(|maker| maker.in_scope(scope).ok());
            let Some(maker) = maker else { return };
            let undefined = scope.handle_for(inner.roots.get().undefined).handle();
            let number = scope.handle_for(data(*info.add(INFO_CALLBACK_INFO))).handle();
            let context = scope.context.handle();
            let value = (v8().function_call)(maker.handle(), scope.isolate, context, undefined, 1, &raw const number);
            if let Some(value) = scope.local(value) {
                *info.add(INFO_RETURN_VALUE) = value.word();
            }
        });
    }
}

/// The decompressed data of an `AccessorInfo`; a compressed word shares its upper half with its holder.
///
/// # Safety
/// `holder` is the tagged word of a live `AccessorInfo`.
unsafe fn data(holder: usize) -> usize {
    // SAFETY: `holder` points to an `AccessorInfo`, as the caller guarantees; `like_node/modules/lazy_members` fails if
    // the layout changes.
    let low = unsafe { ((holder + CALLBACK_INFO_DATA) as *const u32).read_unaligned() };
    holder & !(u32::MAX as usize) | low as usize
}
