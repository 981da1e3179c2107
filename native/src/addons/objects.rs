//! Objects and arrays: reading, setting, listing and defining properties.
use std::ffi::c_char;

use crate::v8::api::layout::{MaybeBool, WORDS_OF_DESCRIPTOR, maybe_bool};
use crate::v8::api::rare::more;
use crate::v8::api::{Handle, v8};

use super::env::{Env, Running, api, check, place, require, store};
use super::functions::{callable, function};
use super::strings::text;
use super::types::{AUTO_LENGTH, CONFIGURABLE, Done, ENUMERABLE, PropertyDescriptor, Status, Value, WRITABLE};

impl Running {
    /// Converts an argument to an object as JavaScript does.
    ///
    /// # Safety
    /// The handle is null or live.
    pub unsafe fn object(&self, value: Value) -> Result<Handle, Status> {
        require(value)?;
        // SAFETY: the handle is live.
        unsafe {
            if (v8().is_object)(value) {
                return Ok(value);
            }
            require((more().to_object)(value, self.context())).map_err(|_| Status::ObjectExpected)
        }
    }

    fn answer(&self, maybe: MaybeBool) -> Result<bool, Status> {
        maybe_bool(maybe).ok_or_else(|| self.failure_status(Status::GenericFailure))
    }

    fn check_maybe(&self, maybe: MaybeBool, status: Status) -> Done {
        if maybe_bool(maybe) == Some(true) { Ok(()) } else { Err(self.failure_status(status)) }
    }
}

/// The name of a described property.
///
/// # Safety
/// An addon is running; everything that the description refers to is live.
pub unsafe fn name_of(env: &Env, property: &PropertyDescriptor) -> Result<Handle, Status> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        if !property.utf8name.is_null() {
            return text(env, property.utf8name, AUTO_LENGTH);
        }
        check(!property.name.is_null() && (more().is_name)(property.name), Status::NameExpected)?;
        Ok(property.name)
    }
}

/// Defines what an addon describes.
///
/// # Safety
/// As for `name_of`, for each property.
pub unsafe fn define(env: &Running, object: Handle, properties: &[PropertyDescriptor]) -> Done {
    for property in properties {
        // SAFETY: guaranteed by the caller; the descriptor has room for V8's object, which is destroyed after use.
        unsafe {
            let name = name_of(env, property)?;
            let has = |bit| property.attributes & bit != 0;
            let mut words = [0usize; WORDS_OF_DESCRIPTOR];
            let descriptor = words.as_mut_ptr().cast();
            let mut failure = Status::InvalidArg;
            if property.getter.is_some() || property.setter.is_some() {
                let template_of = |callback| match callback {
                    Some(callback) => function(env.env, callback, property.data),
                    None => Ok(std::ptr::null_mut()),
                };
                let (getter, setter) = (template_of(property.getter)?, template_of(property.setter)?);
                (v8().descriptor_of_accessors)(descriptor, getter, setter);
            } else if let Some(method) = property.method {
                let method = function(env.env, method, property.data)?;
                (v8().descriptor_of_writable)(descriptor, method, has(WRITABLE));
                failure = Status::GenericFailure;
            } else {
                (v8().descriptor_of_writable)(descriptor, require(property.value)?, has(WRITABLE));
            }
            (v8().descriptor_set_enumerable)(descriptor, has(ENUMERABLE));
            (v8().descriptor_set_configurable)(descriptor, has(CONFIGURABLE));
            let defined = (v8().object_define_property)(object, env.context(), name, descriptor);
            (v8().descriptor_end)(descriptor);
            env.check_maybe(defined, failure)?;
        }
    }
    Ok(())
}

/// The descriptions as a slice.
///
/// # Safety
/// There are `count` descriptions at `properties`.
pub unsafe fn read_descriptors<'a>(
    count: usize,
    properties: *const PropertyDescriptor,
) -> Result<&'a [PropertyDescriptor], Status> {
    if count == 0 {
        return Ok(&[]);
    }
    place(properties.cast_mut())?;
    // SAFETY: guaranteed by the caller.
    Ok(unsafe { std::slice::from_raw_parts(properties, count) })
}

const FROZEN: i32 = 0;
const SEALED: i32 = 1;

api! {
    plain fn napi_create_object(env, result: *mut Value) {
        *place(result)? = (v8().object_new)(env.isolate);
    }

    plain fn napi_create_array(env, result: *mut Value) {
        *place(result)? = (more().array_sized)(env.isolate, 0);
    }

    plain fn napi_create_array_with_length(env, length: usize, result: *mut Value) {
        *place(result)? = (more().array_sized)(env.isolate, length as i32);
    }

    plain fn node_api_create_object_with_properties(env, prototype: Value, names: *const Value, values: *const Value, count: usize, result: *mut Value) {
        place(result)?;
        let prototype = if prototype.is_null() { env.scope().null().handle() } else { prototype };
        if count > 0 {
            place(names.cast_mut())?;
            place(values.cast_mut())?;
            for index in 0..count {
                let name = require(*names.add(index))?;
                require(*values.add(index))?;
                check((more().is_name)(name), Status::NameExpected)?;
            }
        }
        let is_fit = *prototype == env.scope().null().word() || (v8().is_object)(prototype);
        check(is_fit, Status::ObjectExpected)?;
        *result = (more().object_of)(env.isolate, prototype, names, values, count);
    }

    running fn napi_get_prototype(env, object: Value, result: *mut Value) {
        place(result)?;
        *result = (v8().object_prototype)(env.object(object)?);
    }

    running fn node_api_set_prototype(env, object: Value, prototype: Value) {
        require(prototype)?;
        let object = env.object(object)?;
        let set = (v8().object_set_prototype)(object, env.context(), prototype);
        env.check_maybe(set, Status::GenericFailure)?;
    }

    running fn napi_get_property_names(env, object: Value, result: *mut Value) {
        const ENUMERABLE_STRINGS: i32 = 2 | 16;
        place(result)?;
        let object = env.object(object)?;
        let names = (v8().object_property_names)(object, env.context(), 1, ENUMERABLE_STRINGS, 0, 0);
        *result = env.some(names, Status::GenericFailure)?;
    }

    running fn napi_get_all_property_names(env, object: Value, mode: i32, filter: i32, conversion: i32, result: *mut Value) {
        place(result)?;
        let object = env.object(object)?;
        let mode = match mode { 0 => 1, 1 => 0, _ => return Err(Status::InvalidArg) };
        let conversion = match conversion { 0 => 1, 1 => 0, _ => return Err(Status::InvalidArg) };
        let names = (v8().object_property_names)(object, env.context(), mode, filter & 31, 0, conversion);
        *result = env.some(names, Status::GenericFailure)?;
    }

    running fn napi_set_property(env, object: Value, key: Value, value: Value) {
        require(key)?;
        require(value)?;
        let object = env.object(object)?;
        env.check_maybe((v8().object_set)(object, env.context(), key, value), Status::GenericFailure)?;
    }

    running fn napi_has_property(env, object: Value, key: Value, result: *mut bool) {
        place(result)?;
        require(key)?;
        let object = env.object(object)?;
        *result = env.answer((v8().object_has)(object, env.context(), key))?;
    }

    running fn napi_get_property(env, object: Value, key: Value, result: *mut Value) {
        require(key)?;
        place(result)?;
        let object = env.object(object)?;
        *result = env.some((v8().object_get)(object, env.context(), key), Status::GenericFailure)?;
    }

    running fn napi_delete_property(env, object: Value, key: Value, result: *mut bool) {
        require(key)?;
        let object = env.object(object)?;
        store(result, env.answer((v8().object_delete)(object, env.context(), key))?);
    }

    running fn napi_has_own_property(env, object: Value, key: Value, result: *mut bool) {
        require(key)?;
        place(result)?;
        let object = env.object(object)?;
        check((more().is_name)(key), Status::NameExpected)?;
        *result = env.answer((v8().object_has_own)(object, env.context(), key))?;
    }

    running fn napi_set_named_property(env, object: Value, name: *const c_char, value: Value) {
        require(value)?;
        let object = env.object(object)?;
        let name = text(env, name, AUTO_LENGTH)?;
        env.check_maybe((v8().object_set)(object, env.context(), name, value), Status::GenericFailure)?;
    }

    running fn napi_has_named_property(env, object: Value, name: *const c_char, result: *mut bool) {
        place(result)?;
        let object = env.object(object)?;
        let name = text(env, name, AUTO_LENGTH)?;
        *result = env.answer((v8().object_has)(object, env.context(), name))?;
    }

    running fn napi_get_named_property(env, object: Value, name: *const c_char, result: *mut Value) {
        place(result)?;
        let name = text(env, name, AUTO_LENGTH)?;
        let object = env.object(object)?;
        *result = env.some((v8().object_get)(object, env.context(), name), Status::GenericFailure)?;
    }

    running fn napi_set_element(env, object: Value, index: u32, value: Value) {
        require(value)?;
        let object = env.object(object)?;
        env.check_maybe((more().object_set_index)(object, env.context(), index, value), Status::GenericFailure)?;
    }

    running fn napi_has_element(env, object: Value, index: u32, result: *mut bool) {
        place(result)?;
        let object = env.object(object)?;
        *result = env.answer((more().object_has_index)(object, env.context(), index))?;
    }

    running fn napi_get_element(env, object: Value, index: u32, result: *mut Value) {
        place(result)?;
        let object = env.object(object)?;
        *result = env.some((v8().object_get_index)(object, env.context(), index), Status::GenericFailure)?;
    }

    running fn napi_delete_element(env, object: Value, index: u32, result: *mut bool) {
        let object = env.object(object)?;
        store(result, env.answer((more().object_delete_index)(object, env.context(), index))?);
    }

    running fn napi_define_properties(env, object: Value, count: usize, properties: *const PropertyDescriptor) {
        let properties = read_descriptors(count, properties)?;
        let object = env.object(object)?;
        define(env, object, properties)?;
    }

    running fn napi_object_freeze(env, object: Value) {
        let object = env.object(object)?;
        env.check_maybe((more().object_integrity)(object, env.context(), FROZEN), Status::GenericFailure)?;
    }

    running fn napi_object_seal(env, object: Value) {
        let object = env.object(object)?;
        env.check_maybe((more().object_integrity)(object, env.context(), SEALED), Status::GenericFailure)?;
    }

    plain fn napi_is_array(_env, value: Value, result: *mut bool) {
        require(value)?;
        *place(result)? = (v8().is_array)(value);
    }

    running fn napi_get_array_length(_env, value: Value, result: *mut u32) {
        require(value)?;
        place(result)?;
        check((v8().is_array)(value), Status::ArrayExpected)?;
        *result = (v8().array_length)(value);
    }

    running fn napi_instanceof(env, object: Value, constructor: Value, result: *mut bool) {
        require(object)?;
        *place(result)? = false;
        let constructor = env.object(constructor)?;
        if callable(constructor).is_err() {
            super::errors::throw_type_error(env, "ERR_NAPI_CONS_FUNCTION", "Constructor must be a function");
            return Err(Status::FunctionExpected);
        }
        let is_one = maybe_bool((more().instance_of)(object, env.context(), constructor));
        *result = is_one.ok_or(Status::GenericFailure)?;
    }
}
