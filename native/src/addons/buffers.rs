//! ArrayBuffers, their views, and Node's Buffers.
//!
//! V8's sandbox accepts no memory from outside, so memory that an addon allocated is copied. The addon's own memory is
//! released through its finalizer when the copy is collected, as Node releases what it did not copy.
use std::ptr::null_mut;

use crate::v8::api::rare::more;
use crate::v8::api::{Handle, v8};

use super::env::{Env, Running, api, check, place, require, store};
use super::errors::throw_range_error;
use super::references::{ReferenceOptions, make};
use super::types::{Data, Done, Finalize, Status, Value};

const ZEROED: i32 = 0;
const UNINITIALIZED: i32 = 1;
/// The largest buffer that V8 accepts.
const MAX_SIZE: usize = 1 << 32;

unsafe fn new_buffer(env: &Env, size: usize, mode: i32) -> Result<Handle, Status> {
    check(size <= MAX_SIZE, Status::GenericFailure)?;
    // SAFETY: an addon is running, so the isolate is current.
    require(unsafe { (v8().array_buffer_maybe_new)(env.isolate, size, mode) }).map_err(|_| Status::GenericFailure)
}

/// A Buffer of `size` bytes of an ArrayBuffer.
unsafe fn node_buffer(env: &Running, buffer: Handle, offset: usize, size: usize) -> Result<Handle, Status> {
    // SAFETY: the ArrayBuffer is live and has `size` bytes from the offset on.
    unsafe {
        let scope = env.scope();
        let array = (v8().uint8_array_new)(buffer, offset, size);
        let prototype = env.addons.buffer_prototype.in_scope(&scope).map_err(|_| Status::GenericFailure)?;
        (v8().object_set_prototype)(array, env.context(), prototype.handle());
        Ok(array)
    }
}

unsafe fn copy_of(env: &Env, data: Data, size: usize) -> Result<Handle, Status> {
    check(size == 0 || !data.is_null(), Status::InvalidArg)?;
    // SAFETY: the addon guarantees `length` readable bytes at `data`, and the fresh buffer has room for them.
    unsafe {
        let buffer = new_buffer(env, size, UNINITIALIZED)?;
        if size > 0 {
            std::ptr::copy_nonoverlapping(data as *const u8, (v8().array_buffer_data)(buffer), size);
        }
        Ok(buffer)
    }
}

unsafe fn external(
    env: &'static Env,
    data: Data,
    size: usize,
    finalize: Option<Finalize>,
    hint: Data,
) -> Result<Handle, Status> {
    // SAFETY: as for `copy_of`.
    unsafe {
        let buffer = copy_of(env, data, size)?;
        if data.is_null() {
            // as in Node, where an allocation failure gives a detached buffer
            (v8().array_buffer_detach)(buffer, null_mut());
        }
        env.addons.keep_here(&env.scope(), buffer);
        if finalize.is_some() {
            make(env, buffer, ReferenceOptions { count: 0, is_addons: false, finalize, data, hint });
        }
        Ok(buffer)
    }
}

fn is(value: Value, test: unsafe extern "C" fn(Handle) -> bool, status: Status) -> Done {
    require(value)?;
    // SAFETY: the handle is live; the test has no side effects.
    check(unsafe { test(value) }, status)
}

/// Views can be created of both kinds: V8's functions for views of an ArrayBuffer accept a SharedArrayBuffer as well.
fn viewable(buffer: Value) -> Done {
    require(buffer)?;
    // SAFETY: the handle is live; the test has no side effects.
    unsafe { check((v8().is_array_buffer)(buffer) || (v8().is_shared_array_buffer)(buffer), Status::InvalidArg) }
}

/// Address and size of the bytes of an ArrayBuffer or a SharedArrayBuffer.
unsafe fn bytes_of(buffer: Handle) -> (*mut u8, usize) {
    // SAFETY: the handle is one of the two.
    unsafe {
        if (v8().is_shared_array_buffer)(buffer) {
            ((v8().shared_array_buffer_data)(buffer), (v8().shared_array_buffer_length)(buffer))
        } else {
            ((v8().array_buffer_data)(buffer), (v8().array_buffer_length)(buffer))
        }
    }
}

/// Writes the properties of a view that an addon requests.
unsafe fn view(value: Value, data: *mut Data, buffer: *mut Value, offset: *mut usize) {
    // SAFETY: the view is live; each pointer is null or valid for writes.
    unsafe {
        let start = (v8().view_offset)(value);
        if !data.is_null() || !buffer.is_null() {
            let whole = (v8().view_buffer)(value);
            let bytes = bytes_of(whole).0;
            store(data, if bytes.is_null() { null_mut() } else { bytes.add(start).cast() });
            store(buffer, whole);
        }
        store(offset, start);
    }
}

type New = unsafe extern "C" fn(Handle, usize, usize) -> Handle;
type Test = unsafe extern "C" fn(Handle) -> bool;

/// The kinds of typed arrays by number: name, element size, constructor and type test.
fn kinds() -> [(&'static str, usize, New, Test); 12] {
    let (v8, more) = (v8(), more());
    [
        ("Int8Array", 1, v8.int8_array_new, more.is_int8_array),
        ("Uint8Array", 1, v8.uint8_array_new, more.is_uint8_array),
        ("Uint8ClampedArray", 1, v8.uint8_clamped_array_new, more.is_uint8_clamped_array),
        ("Int16Array", 2, v8.int16_array_new, more.is_int16_array),
        ("Uint16Array", 2, v8.uint16_array_new, more.is_uint16_array),
        ("Int32Array", 4, v8.int32_array_new, more.is_int32_array),
        ("Uint32Array", 4, v8.uint32_array_new, more.is_uint32_array),
        ("Float32Array", 4, v8.float32_array_new, more.is_float32_array),
        ("Float64Array", 8, v8.float64_array_new, more.is_float64_array),
        ("BigInt64Array", 8, v8.big_int64_array_new, more.is_big_int64_array),
        ("BigUint64Array", 8, v8.big_uint64_array_new, more.is_big_uint64_array),
        ("Float16Array", 2, v8.float16_array_new, more.is_float16_array),
    ]
}

fn refused(env: &Env, code: &str, message: &str) -> Done {
    throw_range_error(env, code, message);
    Err(Status::GenericFailure)
}

api! {
    plain fn napi_is_arraybuffer(_env, value: Value, result: *mut bool) {
        require(value)?;
        *place(result)? = (v8().is_array_buffer)(value);
    }

    running fn napi_create_arraybuffer(env, size: usize, data: *mut Data, result: *mut Value) {
        place(result)?;
        let buffer = new_buffer(env, size, ZEROED)?;
        store(data, (v8().array_buffer_data)(buffer).cast());
        *result = buffer;
    }

    running fn napi_create_external_arraybuffer(env, data: Data, size: usize, finalize: Option<Finalize>, hint: Data, result: *mut Value) {
        place(result)?;
        *result = external(env.env, data, size, finalize, hint)?;
    }

    plain fn napi_get_arraybuffer_info(_env, value: Value, data: *mut Data, size: *mut usize) {
        viewable(value)?;
        let (bytes, length) = bytes_of(value);
        store(data, bytes.cast());
        store(size, length);
    }

    plain fn node_api_is_sharedarraybuffer(_env, value: Value, result: *mut bool) {
        require(value)?;
        *place(result)? = (v8().is_shared_array_buffer)(value);
    }

    running fn node_api_create_sharedarraybuffer(env, size: usize, data: *mut Data, result: *mut Value) {
        place(result)?;
        check(size <= MAX_SIZE, Status::GenericFailure)?;
        let buffer = env.some((more().shared_buffer_maybe_new)(env.isolate, size, ZEROED), Status::GenericFailure)?;
        store(data, (v8().shared_array_buffer_data)(buffer).cast());
        *result = buffer;
    }

    running fn node_api_create_external_sharedarraybuffer(env, data: Data, size: usize, finalize: Option<unsafe extern "C" fn(Data, Data)>, hint: Data, result: *mut Value) {
        place(result)?;
        check(size == 0 || !data.is_null(), Status::InvalidArg)?;
        check(size <= MAX_SIZE, Status::GenericFailure)?;
        let buffer = env.some((more().shared_buffer_maybe_new)(env.isolate, size, UNINITIALIZED), Status::GenericFailure)?;
        if size > 0 {
            std::ptr::copy_nonoverlapping(data as *const u8, (v8().shared_array_buffer_data)(buffer), size);
        }
        if let Some(finalize) = finalize {
            finalize(data, hint); // the memory was copied, so nothing else refers to it
        }
        *result = buffer;
    }

    plain fn napi_is_typedarray(_env, value: Value, result: *mut bool) {
        require(value)?;
        *place(result)? = (v8().is_typed_array)(value);
    }

    running fn napi_create_typedarray(env, kind: i32, length: usize, buffer: Value, offset: usize, result: *mut Value) {
        require(buffer)?;
        place(result)?;
        viewable(buffer)?;
        let kinds = kinds();
        let (name, size, new, _) = kinds.get(kind as usize).ok_or(Status::InvalidArg)?;
        if !offset.is_multiple_of(*size) {
            let message = format!("start offset of {name} should be a multiple of {size}");
            return refused(env, "ERR_NAPI_INVALID_TYPEDARRAY_ALIGNMENT", &message);
        }
        let end = length.checked_mul(*size).and_then(|bytes| bytes.checked_add(offset));
        if end.is_none_or(|end| end > bytes_of(buffer).1) {
            return refused(env, "ERR_NAPI_INVALID_TYPEDARRAY_LENGTH", "Invalid typed array length");
        }
        *result = new(buffer, offset, length);
    }

    plain fn napi_get_typedarray_info(_env, value: Value, kind: *mut i32, length: *mut usize, data: *mut Data, buffer: *mut Value, offset: *mut usize) {
        is(value, v8().is_typed_array, Status::InvalidArg)?;
        if !kind.is_null()
            && let Some(known) = kinds().iter().position(|(.., test)| test(value))
        {
            *kind = known as i32;
        }
        store(length, (more().typed_array_length)(value));
        view(value, data, buffer, offset);
    }

    running fn napi_create_dataview(env, length: usize, buffer: Value, offset: usize, result: *mut Value) {
        require(buffer)?;
        place(result)?;
        viewable(buffer)?;
        if length.checked_add(offset).is_none_or(|end| end > bytes_of(buffer).1) {
            let message = "byte_offset + byte_length should be less than or equal to the size in bytes of the array passed in";
            throw_range_error(env, "ERR_NAPI_INVALID_DATAVIEW_ARGS", message);
            return Err(Status::PendingException);
        }
        *result = (v8().data_view_new)(buffer, offset, length);
    }

    plain fn napi_is_dataview(_env, value: Value, result: *mut bool) {
        require(value)?;
        *place(result)? = (v8().is_data_view)(value);
    }

    plain fn napi_get_dataview_info(_env, value: Value, length: *mut usize, data: *mut Data, buffer: *mut Value, offset: *mut usize) {
        is(value, v8().is_data_view, Status::InvalidArg)?;
        store(length, (v8().view_length)(value));
        view(value, data, buffer, offset);
    }

    plain fn napi_detach_arraybuffer(_env, value: Value) {
        is(value, v8().is_array_buffer, Status::ArrayBufferExpected)?;
        check((v8().array_buffer_is_detachable)(value), Status::DetachableArrayBufferExpected)?;
        (v8().array_buffer_detach)(value, null_mut());
    }

    plain fn napi_is_detached_arraybuffer(_env, value: Value, result: *mut bool) {
        require(value)?;
        *place(result)? = (v8().is_array_buffer)(value) && (v8().array_buffer_was_detached)(value);
    }

    // Node's Buffers.

    running fn napi_create_buffer(env, size: usize, data: *mut Data, result: *mut Value) {
        place(result)?;
        let buffer = new_buffer(env, size, UNINITIALIZED)?;
        store(data, (v8().array_buffer_data)(buffer).cast());
        *result = node_buffer(env, buffer, 0, size)?;
    }

    running fn napi_create_buffer_copy(env, size: usize, data: Data, copy: *mut Data, result: *mut Value) {
        place(result)?;
        let buffer = copy_of(env, data, size)?;
        store(copy, (v8().array_buffer_data)(buffer).cast());
        *result = node_buffer(env, buffer, 0, size)?;
    }

    running fn napi_create_external_buffer(env, size: usize, data: Data, finalize: Option<Finalize>, hint: Data, result: *mut Value) {
        place(result)?;
        let buffer = external(env.env, data, size, finalize, hint)?;
        *result = node_buffer(env, buffer, 0, size)?;
    }

    running fn node_api_create_buffer_from_arraybuffer(env, buffer: Value, offset: usize, size: usize, result: *mut Value) {
        require(buffer)?;
        place(result)?;
        is(buffer, v8().is_array_buffer, Status::InvalidArg)?;
        if offset.checked_add(size).is_none_or(|end| end > bytes_of(buffer).1) {
            throw_range_error(env, "ERR_OUT_OF_RANGE", "The byte offset + length is out of range");
            return Ok(()); // as in Node, only the exception reports the failure
        }
        *result = node_buffer(env, buffer, offset, size)?;
    }

    plain fn napi_is_buffer(_env, value: Value, result: *mut bool) {
        require(value)?;
        *place(result)? = (v8().is_array_buffer_view)(value);
    }

    plain fn napi_get_buffer_info(_env, value: Value, data: *mut Data, length: *mut usize) {
        is(value, v8().is_array_buffer_view, Status::InvalidArg)?;
        view(value, data, null_mut(), null_mut());
        store(length, (v8().view_length)(value));
    }
}
