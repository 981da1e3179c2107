//! Classes of addons, wrapped objects, externals and type tags.
use std::ffi::c_char;
use std::ptr::null_mut;

use crate::v8::api::layout::{WeakCallbackInfo, small_integer};
use crate::v8::api::rare::more;
use crate::v8::api::{Handle, Raw, v8};

use super::env::{Env, Running, api, check, place, require, store};
use super::functions::{TAG, template};
use super::handles::escaping;
use super::objects::{define, name_of, read_descriptors};
use super::references::{Id, ReferenceOptions, make, unwrap};
use super::strings::text;
use super::types::{
    CONFIGURABLE, Callback, Data, Done, ENUMERABLE, Finalize, PropertyDescriptor, STATIC, Status, TypeTag, Value,
    WRITABLE,
};

const READ_ONLY: i32 = 1;
const DONT_ENUM: i32 = 2;
const DONT_DELETE: i32 = 4;

fn attributes_of(property: &PropertyDescriptor) -> i32 {
    let is_accessor = property.getter.is_some() || property.setter.is_some();
    let lacks = |bit, attribute| if property.attributes & bit == 0 { attribute } else { 0 };
    let read_only = if is_accessor { 0 } else { lacks(WRITABLE, READ_ONLY) };
    read_only | lacks(ENUMERABLE, DONT_ENUM) | lacks(CONFIGURABLE, DONT_DELETE)
}

/// Adds an instance property to a class's template.
unsafe fn describe(env: &'static Env, class: Handle, property: &PropertyDescriptor) -> Done {
    // SAFETY: an addon is running, and its description is live.
    unsafe {
        let name = name_of(env, property)?;
        let attributes = attributes_of(property);
        let prototype = (more().template_prototype)(class);
        if property.getter.is_some() || property.setter.is_some() {
            let made = |callback: Option<Callback>| match callback {
                Some(callback) => template(env, callback, property.data, null_mut()),
                None => null_mut(),
            };
            (more().template_accessor)(prototype, name, made(property.getter), made(property.setter), attributes);
        } else if let Some(method) = property.method {
            let signature = (more().signature_new)(env.isolate, class);
            (more().template_set)(prototype, name, template(env, method, property.data, signature), attributes);
        } else {
            let value = require(property.value)?;
            (more().template_set)(prototype, name, value, attributes);
        }
    }
    Ok(())
}

impl Running {
    /// The reference to what an object wraps.
    unsafe fn find_wrapped(&self, object: Value) -> Result<Option<Id>, Status> {
        require(object)?;
        // SAFETY: the handle is live; private properties run no JavaScript.
        unsafe {
            check((v8().is_object)(object), Status::InvalidArg)?;
            let number = (v8().object_get_private)(object, self.context(), self.addons.wrap_key);
            let index = if number.is_null() { None } else { small_integer(*number) };
            let references = &self.addons.references;
            let id = index.and_then(|index| references.at(index as u32));
            // The reference may have been deleted, and its index reused.
            Ok(id.filter(|id| references.with(*id, |reference| reference.is_of(object)) == Some(true)))
        }
    }

    unsafe fn unwrap_object(&self, object: Value) -> Result<Id, Status> {
        // SAFETY: guaranteed by the caller.
        unsafe { self.find_wrapped(object)?.ok_or(Status::InvalidArg) }
    }
}

/// The content of an addon's External. V8 allows it no properties, so its tag is stored here.
struct Outside {
    data: Data,
    tag: Option<TypeTag>,
    handle: Handle,
}

unsafe extern "C" fn on_external_collected(info: &WeakCallbackInfo) {
    // SAFETY: the parameter is the box of `napi_create_external`, which is released once; V8 requires the release in
    // this call.
    unsafe {
        let outside = Box::from_raw(info.parameter as *mut Outside);
        (v8().global_dispose)(outside.handle);
    }
}

unsafe fn outside(value: Value) -> *mut Outside {
    // SAFETY: every External that JavaScript can hold was created by `napi_create_external`.
    unsafe { (more().external_value)(value, TAG) as *mut Outside }
}

unsafe fn tag_of(env: &Running, object: Value) -> Result<Option<TypeTag>, Status> {
    // SAFETY: the handle is live, and `words` has room for `count` words.
    unsafe {
        if (v8().is_external)(object) {
            return Ok((*outside(object)).tag);
        }
        let object = env.object(object).map_err(|status| env.failure_status(status))?;
        let value = (v8().object_get_private)(object, env.context(), env.addons.tag_key);
        if env.some(value, Status::GenericFailure).is_err() || !(v8().is_bigint)(value) {
            return Ok(None);
        }
        let (mut sign, mut count, mut words) = (0, 2, [0u64; 2]);
        (v8().bigint_to_words)(value, &mut sign, &mut count, words.as_mut_ptr());
        Ok(Some(TypeTag { lower: words[0], upper: words[1] }))
    }
}

api! {
    running fn napi_define_class(env, name: *const c_char, length: usize, constructor: Option<Callback>, data: Data, count: usize, properties: *const PropertyDescriptor, result: *mut Value) {
        place(result)?;
        let constructor = constructor.ok_or(Status::InvalidArg)?;
        let properties = read_descriptors(count, properties)?;
        *result = escaping(env, || {
            let class = template(env.env, constructor, data, null_mut());
            (more().template_class_name)(class, text(env, name, length)?);
            for property in properties.iter().filter(|property| property.attributes & STATIC == 0) {
                env.scope().nested(|_| describe(env.env, class, property))?;
            }
            let made = env.some((more().template_function)(class, env.context()), Status::GenericFailure)?;
            let of_class: Vec<_> = properties.iter().filter(|property| property.attributes & STATIC != 0).copied().collect();
            define(env, made, &of_class)?;
            Ok(made)
        })?;
    }

    running fn napi_wrap(env, object: Value, data: Data, finalize: Option<Finalize>, hint: Data, result: *mut Data) {
        check(env.find_wrapped(object)?.is_none(), Status::InvalidArg)?;
        if !result.is_null() {
            check(finalize.is_some(), Status::InvalidArg)?;
        }
        let id = make(env.env, object, ReferenceOptions { count: 0, is_addons: !result.is_null(), finalize, data, hint });
        let index = (v8().integer_new)(env.isolate, id as u32 as i32);
        (v8().object_set_private)(object, env.context(), env.addons.wrap_key, index);
        store(result, id as Data);
    }

    running fn napi_unwrap(env, object: Value, result: *mut Data) {
        require(object)?;
        place(result)?;
        let id = env.unwrap_object(object)?;
        *result = env.addons.references.with(id, |reference| reference.data).ok_or(Status::InvalidArg)?;
    }

    running fn napi_remove_wrap(env, object: Value, result: *mut Data) {
        let id = env.unwrap_object(object)?;
        store(result, env.addons.references.with(id, |reference| reference.data).ok_or(Status::InvalidArg)?);
        (more().object_delete_private)(object, env.context(), env.addons.wrap_key);
        unwrap(env, id);
    }

    running fn napi_create_external(env, data: Data, finalize: Option<Finalize>, hint: Data, result: *mut Value) {
        const BY_PARAMETER: i32 = 0;
        place(result)?;
        let outside = Box::into_raw(Box::new(Outside { data, tag: None, handle: null_mut() }));
        let external = (more().external_new)(env.isolate, outside as Raw, TAG);
        let handle = (v8().global_new)(env.isolate, *external);
        (*outside).handle = handle;
        (v8().global_make_weak)(handle, outside as Raw, on_external_collected as Raw, BY_PARAMETER);
        if finalize.is_some() {
            make(env.env, external, ReferenceOptions { count: 0, is_addons: false, finalize, data, hint });
        }
        *result = external;
    }

    plain fn napi_get_value_external(_env, value: Value, result: *mut Data) {
        require(value)?;
        place(result)?;
        check((v8().is_external)(value), Status::InvalidArg)?;
        *result = (*outside(value)).data;
    }

    running fn napi_type_tag_object(env, object: Value, tag: *const TypeTag) {
        require(object)?;
        let tag = *place(tag.cast_mut())?;
        if (v8().is_external)(object) {
            let outside = outside(object);
            check((*outside).tag.is_none(), Status::InvalidArg)?;
            (*outside).tag = Some(tag);
            return Ok(());
        }
        check(tag_of(env, object)?.is_none(), Status::InvalidArg)?;
        let object = env.object(object)?;
        let words = [tag.lower, tag.upper];
        let value = env.some((v8().bigint_from_words)(env.context(), 0, 2, words.as_ptr()), Status::GenericFailure)?;
        (v8().object_set_private)(object, env.context(), env.addons.tag_key, value);
    }

    running fn napi_check_object_type_tag(env, object: Value, tag: *const TypeTag, result: *mut bool) {
        require(object)?;
        let tag = *place(tag.cast_mut())?;
        place(result)?;
        *result = tag_of(env, object)? == Some(tag);
    }
}
