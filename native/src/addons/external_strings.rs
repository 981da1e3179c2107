//! Strings over an addon's own memory: V8 reads them in place, through an object that mimics a C++ class.
//!
//! V8 destroys such an object inside the collector, or with the engine. The addon's finalizer is called then, limited
//! to what a `node_api_basic_finalize` may do. After the end of its environment it receives none, as in Node.
use std::cell::Cell;
use std::ffi::c_void;

use crate::v8::api::layout::STRING_RESOURCE_OF_SIZE_UNKNOWN;
use crate::v8::api::rare::more;
use crate::v8::api::{Handle, Isolate};

use super::env::{Env, api, store};
use super::strings::sized;
use super::types::{AUTO_LENGTH, Data, Done, Finalize, Status, Value};

/// `v8::String::ExternalStringResource`, followed by rt's own fields.
#[repr(C)]
struct Resource {
    table: &'static Functions,
    /// V8 caches the result of `text` here.
    cached: Cell<*const c_void>,
    text: Data,
    length: usize,
    env: &'static Env,
    finalize: Option<Finalize>,
    hint: Data,
}

type Method<R> = extern "C" fn(&Resource) -> R;

/// The virtual functions, in the order of V8's header.
#[repr(C)]
struct Functions {
    end_in_place: Method<()>,
    end: Method<()>,
    is_cacheable: Method<bool>,
    unaccount: extern "C" fn(&Resource, Isolate),
    estimate: Method<usize>,
    estimate_shared: extern "C" fn(&Resource, *mut c_void),
    dispose: unsafe extern "C" fn(*mut Resource),
    lock: Method<()>,
    unlock: Method<()>,
    text: Method<Data>,
    length: Method<usize>,
}

/// A C++ virtual table: two unused words (offset and type) precede the functions.
#[repr(C)]
struct Table {
    head: [usize; 2],
    functions: Functions,
}

static TABLE: Table = Table {
    head: [0, 0],
    functions: Functions {
        end_in_place: nothing,
        end: nothing,
        is_cacheable: yes,
        unaccount,
        estimate,
        estimate_shared,
        dispose,
        lock: nothing,
        unlock: nothing,
        text,
        length,
    },
};

extern "C" fn nothing(_resource: &Resource) {}

extern "C" fn yes(_resource: &Resource) -> bool {
    true
}

extern "C" fn unaccount(_resource: &Resource, _isolate: Isolate) {}

extern "C" fn estimate(_resource: &Resource) -> usize {
    STRING_RESOURCE_OF_SIZE_UNKNOWN
}

extern "C" fn estimate_shared(_resource: &Resource, _recorder: *mut c_void) {}

extern "C" fn text(resource: &Resource) -> Data {
    resource.text
}

extern "C" fn length(resource: &Resource) -> usize {
    resource.length
}

/// V8 no longer needs the string's memory: calls the finalizer.
unsafe extern "C" fn dispose(resource: *mut Resource) {
    // SAFETY: `external` made the object, and V8 releases it once.
    let resource = unsafe { Box::from_raw(resource) };
    let Some(finalize) = resource.finalize else { return };
    let (env, text, hint) = (resource.env, resource.text as usize, resource.hint as usize);
    if env.is_open() {
        env.while_collecting(|| {
            super::references::run_last(finalize, [std::ptr::from_ref(env) as usize, text, hint, 0])
        });
    } else {
        super::references::run_last(finalize, [0, text, hint, 0]);
    }
}

/// An addon's memory, and the finalizer that releases it.
struct ForeignMemory {
    text: Data,
    length: usize,
    finalize: Option<Finalize>,
    hint: Data,
}

type Make = unsafe extern "C" fn(Isolate, *mut c_void) -> Handle;

unsafe fn external(
    env: &'static Env,
    make: Make,
    wanted: ForeignMemory,
    result: *mut Value,
    is_copied: *mut bool,
) -> Done {
    let ForeignMemory { text, length, finalize, hint } = wanted;
    let resource = Resource { table: &TABLE.functions, cached: Cell::new(text), text, length, env, finalize, hint };
    let resource = Box::into_raw(Box::new(resource));
    // SAFETY: an addon is running. V8 takes ownership of the object, and destroys it at once for an empty text. If the
    // text is too long, ownership stays here, and the addon keeps its memory.
    unsafe {
        let string = make(env.isolate, resource.cast());
        if string.is_null() {
            drop(Box::from_raw(resource));
            return Err(Status::GenericFailure);
        }
        *result = string;
        store(is_copied, false);
    }
    Ok(())
}

api! {
    plain fn node_api_create_external_string_latin1(env, text: *mut u8, length: usize, finalize: Option<Finalize>, hint: Data, result: *mut Value, is_copied: *mut bool) {
        sized(text, length, result)?;
        let length = if length == AUTO_LENGTH { libc::strlen(text.cast()) } else { length };
        external(env, more().string_external_one_byte, ForeignMemory { text: text.cast(), length, finalize, hint }, result, is_copied)?;
    }

    plain fn node_api_create_external_string_utf16(env, text: *mut u16, length: usize, finalize: Option<Finalize>, hint: Data, result: *mut Value, is_copied: *mut bool) {
        sized(text.cast(), length, result)?;
        let length = if length == AUTO_LENGTH { (0..).take_while(|at| *text.add(*at) != 0).count() } else { length };
        external(env, more().string_external_two_byte, ForeignMemory { text: text.cast(), length, finalize, hint }, result, is_copied)?;
    }
}
