//! Functions of addons: creating them, calling them from JavaScript, and calling JavaScript.
use std::ffi::c_char;
use std::ptr::null_mut;

use crate::v8::CallbackInfo;
use crate::v8::api::layout::{
    HEAP_NUMBER_VALUE, IMPLICIT_ISOLATE, IMPLICIT_NEW_TARGET, IMPLICIT_RETURN_VALUE, IMPLICIT_TARGET, WeakCallbackInfo,
};
use crate::v8::api::rare::more;
use crate::v8::api::{Handle, Isolate, Raw, v8};

use super::engine::as_raw;
use super::env::{Env, Running, api, check, place, require, store};
use super::handles::escaping;
use super::strings::text;
use super::thrown::call;
use super::types::{Callback, Data, Done, Status, Value};

/// The data of a native function, which is the address of this box and is freed with the function.
pub struct Native {
    env: &'static Env,
    callback: Callback,
    data: Data,
    handle: Handle,
}

/// `napi_callback_info`: one call, on the stack frame of `invoke`.
pub struct Invocation {
    info: *const CallbackInfo,
    native: *const Native,
}

/// The pointer type of an External; there is only one.
pub const TAG: u16 = 0;
const ALLOW_NEW: i32 = 1;
const HAS_SIDE_EFFECTS: i32 = 0;

unsafe extern "C" fn on_function_collected(info: &WeakCallbackInfo) {
    // SAFETY: the parameter is the box made below, which is released once; V8 requires the release of the handle in
    // this call.
    unsafe {
        let native = Box::from_raw(info.parameter as *mut Native);
        (v8().global_dispose)(native.handle);
    }
}

/// Added to an address stored in a number. V8 keeps small numbers in the reference itself, and in a position-dependent
/// interpreter heap addresses are small. With this offset none is, and each address stays exact.
const BEYOND_SMALL_NUMBERS: usize = 1 << 50;

/// The data of a function that calls `callback`.
///
/// # Safety
/// An addon is running.
pub unsafe fn native(env: &'static Env, callback: Callback, data: Data) -> Handle {
    const BY_PARAMETER: i32 = 0;
    let native = Box::into_raw(Box::new(Native { env, callback, data, handle: null_mut() }));
    // SAFETY: the isolate is current; the box lives until the number is collected.
    unsafe {
        let number = (v8().number_new)(env.isolate, (native as usize + BEYOND_SMALL_NUMBERS) as f64);
        assert_eq!(address(number), native.cast_const(), "V8 keeps numbers elsewhere");
        let handle = (v8().global_new)(env.isolate, *number);
        (*native).handle = handle;
        (v8().global_make_weak)(handle, native as Raw, on_function_collected as Raw, BY_PARAMETER);
        number
    }
}

/// Reads the address in a number directly from V8's memory. An External would be looked up in a table, which takes as
/// long as the rest of a call.
///
/// # Safety
/// The handle is live, and `native` made the number.
#[inline]
unsafe fn address(number: Handle) -> *const Native {
    // SAFETY: guaranteed by the caller; `native` has checked the layout.
    let held = unsafe { (*number as *const u8).add(HEAP_NUMBER_VALUE).cast::<f64>().read_unaligned() as usize };
    held.wrapping_sub(BEYOND_SMALL_NUMBERS) as *const Native
}

/// Called by V8 for a function of an addon.
extern "C" fn invoke(info: &CallbackInfo) {
    // SAFETY: V8 fills the implicit arguments; the function's data is the number that `native` made and lives as long
    // as the function. The addon returns null or a live handle.
    unsafe {
        let isolate = *info.implicit.add(IMPLICIT_ISOLATE) as Isolate;
        let data = (v8().function_data)(isolate, info.implicit.add(IMPLICIT_TARGET));
        let native = address(data);
        let (env, callback) = ((*native).env, (*native).callback);
        let mut invocation = Invocation { info, native };
        let words = [std::ptr::from_ref(env) as usize, &raw mut invocation as usize, 0, 0];
        let result = env.enter_throwing(|_| call(env, callback as Raw, words) as Handle);
        if let Some(result) = result
            && !result.is_null()
        {
            *info.implicit.add(IMPLICIT_RETURN_VALUE) = *result;
        }
    }
}

/// A function that calls `callback`.
///
/// # Safety
/// An addon is running.
pub unsafe fn function(env: &'static Env, callback: Callback, data: Data) -> Result<Handle, Status> {
    // SAFETY: the isolate is current; the callback has V8's signature.
    unsafe {
        let data = native(env, callback, data);
        let made = (v8().function_new)(env.context(), as_raw(invoke), data, 0, ALLOW_NEW, HAS_SIDE_EFFECTS);
        require(made).map_err(|_| Status::GenericFailure)
    }
}

/// A template of such a function. If `signature` is not null, only receivers made from it may be `this`.
///
/// # Safety
/// An addon is running; `signature` is null or live.
pub unsafe fn template(env: &'static Env, callback: Callback, data: Data, signature: Handle) -> Handle {
    // SAFETY: as above.
    unsafe {
        let data = native(env, callback, data);
        (more().function_template)(
            env.isolate,
            as_raw(invoke),
            data,
            signature,
            0,
            ALLOW_NEW,
            HAS_SIDE_EFFECTS,
            null_mut(),
            0,
            0,
            0,
        )
    }
}

/// Check that an addon passed a function.
///
/// # Safety
/// The handle is null or live.
pub unsafe fn callable(value: Value) -> Done {
    require(value)?;
    // SAFETY: the handle is live; the test has no side effects.
    check(unsafe { (v8().is_function)(value) }, Status::InvalidArg)
}

fn arguments(count: usize, values: *const Value) -> Done {
    check(count == 0 || !values.is_null(), Status::InvalidArg)?;
    check(count <= i32::MAX as usize, Status::InvalidArg)
}

impl Running {
    /// Calls a function.
    ///
    /// # Safety
    /// The handles are live, and there are `count` arguments.
    pub unsafe fn call(
        &self,
        function: Value,
        receiver: Value,
        count: usize,
        values: *const Value,
    ) -> Result<Handle, Status> {
        // SAFETY: guaranteed by the caller.
        let made =
            unsafe { (v8().function_call)(function, self.isolate, self.context(), receiver, count as i32, values) };
        self.some(made, Status::GenericFailure)
    }

    /// As `call`, in the receiver's domain if the program uses domains.
    ///
    /// # Safety
    /// As for `call`.
    pub unsafe fn call_in_domain(
        &self,
        function: Value,
        receiver: Value,
        count: usize,
        values: *const Value,
    ) -> Result<Handle, Status> {
        arguments(count, values)?;
        let Some(domain_call) = self.addons.domain_call(&self.scope()) else {
            // SAFETY: guaranteed by the caller.
            return unsafe { self.call(function, receiver, count, values) };
        };
        // SAFETY: as above; there are `count` values unless it is zero.
        unsafe {
            let copied = if count == 0 { &[] } else { std::slice::from_raw_parts(values, count) };
            let all = [&[function, receiver], copied].concat();
            self.call(domain_call.handle(), self.undefined(), all.len(), all.as_ptr())
        }
    }
}

api! {
    running fn napi_create_function(env, name: *const c_char, length: usize, callback: Option<Callback>, data: Data, result: *mut Value) {
        place(result)?;
        let callback = callback.ok_or(Status::InvalidArg)?;
        *result = escaping(env, || {
            let made = function(env.env, callback, data)?;
            if !name.is_null() {
                (v8().function_set_name)(made, text(env, name, length)?);
            }
            Ok(made)
        })?;
    }

    plain fn napi_get_cb_info(env, info: *mut Invocation, count: *mut usize, values: *mut Value, this: *mut Value, data: *mut Data) {
        let call = &*(*place(info)?).info;
        if !values.is_null() {
            let wanted = *place(count)?;
            let given = wanted.min(call.length);
            for index in 0..given {
                *values.add(index) = call.values.add(index);
            }
            if wanted > given {
                let undefined = env.undefined();
                for index in given..wanted {
                    *values.add(index) = undefined;
                }
            }
        }
        store(count, call.length);
        store(this, call.values.sub(1));
        store(data, (*(*info).native).data);
    }

    plain fn napi_get_new_target(env, info: *mut Invocation, result: *mut Value) {
        let call = &*(*place(info)?).info;
        let target = call.implicit.add(IMPLICIT_NEW_TARGET);
        let is_new = *target as u32 != *env.undefined() as u32;
        *place(result)? = if is_new { target } else { null_mut() };
    }

    running fn napi_call_function(env, receiver: Value, function: Value, count: usize, values: *const Value, result: *mut Value) {
        require(receiver)?;
        arguments(count, values)?;
        callable(function)?;
        let made = env.call(function, receiver, count, values)?;
        store(result, made);
    }

    running fn napi_new_instance(env, constructor: Value, count: usize, values: *const Value, result: *mut Value) {
        require(constructor)?;
        arguments(count, values)?;
        place(result)?;
        callable(constructor)?;
        let made = (v8().function_construct)(constructor, env.context(), count as i32, values);
        check(!made.is_null(), Status::PendingException)?;
        *result = made;
    }
}
