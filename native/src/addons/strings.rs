//! Strings and symbols: created from an addon's text, and copied to an addon's buffers.
use std::ffi::c_char;

use crate::v8::api::rare::more;
use crate::v8::api::{Handle, v8};

use super::env::{Env, api, check, place, require, store};
use super::types::{AUTO_LENGTH, Done, Status, Value};

const NORMAL: i32 = 0;
const INTERNALIZED: i32 = 1;
const NULL_TERMINATE: i32 = 1;
const REPLACE_INVALID: i32 = 2;

pub fn sized(text: *const u8, length: usize, result: *mut Value) -> Done {
    check(length == 0 || !text.is_null(), Status::InvalidArg)?;
    place(result)?;
    check(length == AUTO_LENGTH || length <= i32::MAX as usize, Status::InvalidArg)
}

/// A property's name, or another short text.
///
/// # Safety
/// An addon is running; the text has the given length, or ends in NUL.
pub unsafe fn text(env: &Env, text: *const c_char, length: usize) -> Result<Handle, Status> {
    check(!text.is_null(), Status::InvalidArg)?;
    check(length == AUTO_LENGTH || length <= i32::MAX as usize, Status::InvalidArg)?;
    // SAFETY: guaranteed by the caller; V8 accepts -1 for a text that ends in NUL.
    let string = unsafe { (v8().string_utf8)(env.isolate, text.cast(), INTERNALIZED, length as i32) };
    require(string).map_err(|_| Status::GenericFailure)
}

type Make<T> = unsafe extern "C" fn(crate::v8::api::Isolate, *const T, i32, i32) -> Handle;

unsafe fn make<T>(env: &Env, make: Make<T>, kind: i32, text: *const T, length: usize, result: *mut Value) -> Done {
    sized(text.cast(), length, result)?;
    // SAFETY: the caller guarantees the length of the text.
    let string = unsafe { make(env.isolate, text, kind, length as i32) };
    require(string).map_err(|_| Status::GenericFailure)?;
    // SAFETY: the pointer was tested above.
    unsafe { *result = string };
    Ok(())
}

fn string(value: Value) -> Done {
    require(value)?;
    // SAFETY: the handle is live; the test has no side effects.
    check(unsafe { (v8().is_string)(value) }, Status::StringExpected)
}

api! {
    plain fn napi_create_string_utf8(env, text: *const u8, length: usize, result: *mut Value) {
        make(env, v8().string_utf8, NORMAL, text, length, result)?;
    }

    plain fn napi_create_string_latin1(env, text: *const u8, length: usize, result: *mut Value) {
        make(env, v8().string_one_byte, NORMAL, text, length, result)?;
    }

    plain fn napi_create_string_utf16(env, text: *const u16, length: usize, result: *mut Value) {
        make(env, v8().string_two_byte, NORMAL, text, length, result)?;
    }

    plain fn node_api_create_property_key_utf8(env, text: *const u8, length: usize, result: *mut Value) {
        make(env, v8().string_utf8, INTERNALIZED, text, length, result)?;
    }

    plain fn node_api_create_property_key_latin1(env, text: *const u8, length: usize, result: *mut Value) {
        make(env, v8().string_one_byte, INTERNALIZED, text, length, result)?;
    }

    plain fn node_api_create_property_key_utf16(env, text: *const u16, length: usize, result: *mut Value) {
        make(env, v8().string_two_byte, INTERNALIZED, text, length, result)?;
    }

    plain fn napi_get_value_string_utf8(env, value: Value, buffer: *mut u8, size: usize, result: *mut usize) {
        string(value)?;
        if buffer.is_null() {
            *place(result)? = (v8().string_utf8_length)(value, env.isolate);
        } else if size != 0 {
            let null = std::ptr::null_mut();
            let written = (v8().string_write_utf8)(value, env.isolate, buffer, size - 1, REPLACE_INVALID, null);
            *buffer.add(written) = 0;
            store(result, written);
        } else {
            store(result, 0);
        }
    }

    plain fn napi_get_value_string_latin1(env, value: Value, buffer: *mut u8, size: usize, result: *mut usize) {
        string(value)?;
        let length = (more().string_length)(value) as usize;
        if buffer.is_null() {
            *place(result)? = length;
        } else if size != 0 {
            let written = length.min(size - 1);
            (more().string_write_latin1)(value, env.isolate, 0, written as u32, buffer, NULL_TERMINATE);
            store(result, written);
        } else {
            store(result, 0);
        }
    }

    plain fn napi_get_value_string_utf16(env, value: Value, buffer: *mut u16, size: usize, result: *mut usize) {
        string(value)?;
        let length = (more().string_length)(value) as usize;
        if buffer.is_null() {
            *place(result)? = length;
        } else if size != 0 {
            let written = length.min(size - 1);
            (more().string_write_utf16)(value, env.isolate, 0, written as u32, buffer, NULL_TERMINATE);
            store(result, written);
        } else {
            store(result, 0);
        }
    }

    plain fn napi_create_symbol(env, description: Value, result: *mut Value) {
        place(result)?;
        if !description.is_null() {
            string(description)?;
        }
        *result = (v8().symbol_new)(env.isolate, description);
    }

    plain fn node_api_symbol_for(env, description: *const u8, length: usize, result: *mut Value) {
        let mut text = std::ptr::null_mut();
        place(result)?;
        make(env, v8().string_utf8, NORMAL, description, length, &mut text)?;
        *result = (v8().symbol_for)(env.isolate, text);
    }
}
