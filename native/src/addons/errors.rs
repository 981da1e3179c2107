//! Errors: creating and throwing them, and the pending exception.
//!
//! What an addon throws is stored in its environment until it returns; only then does V8 see it.
use std::ffi::c_char;

use crate::v8::api::rare::more;
use crate::v8::api::{Handle, v8};

use super::env::{Env, api, check, place, require};
use super::strings::text;
use super::types::{AUTO_LENGTH, Done, ExtendedErrorInfo, MESSAGES, RawEnv, Status, Value};

type Make = unsafe extern "C" fn(Handle, Handle) -> Handle;

/// An error object with a message and an optional code.
unsafe fn make_error(env: &Env, make: Make, message: Value, code: Value) -> Result<Handle, Status> {
    require(message)?;
    // SAFETY: the handles are live; setting a property of a fresh error runs a program's JavaScript only if it replaced
    // a setter.
    unsafe {
        check((v8().is_string)(message), Status::StringExpected)?;
        let error = make(message, std::ptr::null_mut());
        if !code.is_null() {
            check((v8().is_string)(code), Status::StringExpected)?;
            let key = text(env, c"code".as_ptr(), AUTO_LENGTH)?;
            (v8().object_set)(error, env.context(), key, code);
        }
        Ok(error)
    }
}

unsafe fn throw(env: &Env, make: Make, code: *const c_char, message: *const c_char) -> Done {
    // SAFETY: the texts end in NUL, or are null.
    unsafe {
        let message = text(env, message, AUTO_LENGTH)?;
        let code = if code.is_null() { std::ptr::null_mut() } else { text(env, code, AUTO_LENGTH)? };
        env.set_exception(make_error(env, make, message, code)?);
    }
    Ok(())
}

fn throw_own(env: &Env, make: Make, code: &str, message: &str) {
    let scope = env.scope();
    if let (Some(code), Some(message)) = (scope.text(code.as_bytes()), scope.text(message.as_bytes())) {
        // SAFETY: the strings are live.
        if let Ok(error) = unsafe { make_error(env, make, message.handle(), code.handle()) } {
            env.set_exception(error);
        }
    }
}

pub fn throw_type_error(env: &Env, code: &str, message: &str) {
    throw_own(env, v8().error_type, code, message);
}

pub fn throw_range_error(env: &Env, code: &str, message: &str) {
    throw_own(env, v8().error_range, code, message);
}

/// `napi_get_last_error_info`, which leaves the last error as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_get_last_error_info(env: RawEnv, result: *mut *const ExtendedErrorInfo) -> Status {
    // SAFETY: the pointers are null or were given to the addon and are valid for writes.
    unsafe {
        let Some(env) = env.as_ref() else { return Status::InvalidArg };
        if result.is_null() {
            return env.set_last_error(Status::InvalidArg);
        }
        let info = env.last_error();
        let code = (*info).code;
        let message = MESSAGES.get(code as usize).filter(|_| code != Status::Ok);
        (*info).message = message.map_or(std::ptr::null(), |text| text.as_ptr().cast());
        *result = info;
    }
    Status::Ok
}

api! {
    plain fn napi_create_error(env, code: Value, message: Value, result: *mut Value) {
        require(message)?;
        place(result)?;
        *result = make_error(env, v8().error_new, message, code)?;
    }

    plain fn napi_create_type_error(env, code: Value, message: Value, result: *mut Value) {
        require(message)?;
        place(result)?;
        *result = make_error(env, v8().error_type, message, code)?;
    }

    plain fn napi_create_range_error(env, code: Value, message: Value, result: *mut Value) {
        require(message)?;
        place(result)?;
        *result = make_error(env, v8().error_range, message, code)?;
    }

    plain fn node_api_create_syntax_error(env, code: Value, message: Value, result: *mut Value) {
        require(message)?;
        place(result)?;
        *result = make_error(env, more().error_syntax, message, code)?;
    }

    running fn napi_throw(env, error: Value) {
        env.set_exception(require(error)?);
    }

    running fn napi_throw_error(env, code: *const c_char, message: *const c_char) {
        throw(env, v8().error_new, code, message)?;
    }

    running fn napi_throw_type_error(env, code: *const c_char, message: *const c_char) {
        throw(env, v8().error_type, code, message)?;
    }

    running fn napi_throw_range_error(env, code: *const c_char, message: *const c_char) {
        throw(env, v8().error_range, code, message)?;
    }

    running fn node_api_throw_syntax_error(env, code: *const c_char, message: *const c_char) {
        throw(env, more().error_syntax, code, message)?;
    }

    plain fn napi_is_error(_env, value: Value, result: *mut bool) {
        require(value)?;
        *place(result)? = (v8().is_native_error)(value);
    }

    plain fn napi_is_exception_pending(env, result: *mut bool) {
        *place(result)? = env.has_exception();
    }

    plain fn napi_get_and_clear_last_exception(env, result: *mut Value) {
        place(result)?;
        *result = env.take_exception().map_or_else(|| env.undefined(), |exception| exception.handle());
    }
}
