//! Structured clone: V8's serializer, with rt's delegates as tables of C functions.
//!
//! A clone within one engine shares SharedArrayBuffers and takes over the memory of transferred ArrayBuffers. Bytes for
//! another engine can hold neither. A value that cannot be cloned throws an Error named "DataCloneError" with code 25.
use std::ffi::c_void;
use std::ptr::null_mut;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::node;
use super::wasm;
use crate::v8::api::layout::{CallbackInfo, MaybeBool, SERIALIZER_WORDS, maybe_bool};
use crate::v8::api::share::Share;
use crate::v8::api::{Handle, Isolate, Raw, v8};
use crate::v8::values::function::{Call, guarded};
use crate::v8::values::scope::{Global, Local, NO_HANDLE, Scope};
use crate::v8::values::state::State;
use crate::v8::values::value::{literal, number_to_js, to_js};

const WRITE_SLOTS: usize = 11;
const READ_SLOTS: usize = 6;
const WRITE_HOST_SLOT: usize = 5;

/// V8's `Delegate`: a virtual table, followed by the data of its functions.
#[repr(C)]
pub struct Delegate {
    table: *const *const c_void,
    /// The SharedArrayBuffers found so far. These are globals because V8 closes its handle scopes between the calls.
    shared: Vec<Global>,
    /// The compiled WebAssembly modules found so far.
    pub modules: Vec<Share>,
    pub may_share: bool,
    /// The `ValueDeserializer` of a delegate that reads.
    reader: Raw,
    /// The `ValueSerializer` of a delegate that writes, and the format; see `views`.
    pub writer: Raw,
    pub form: i32,
}

unsafe extern "C" fn destroy(_this: Raw) {}

/// `ThrowDataCloneError`.
pub unsafe extern "C" fn throw_clone_error(_this: Raw, message: Handle) {
    // SAFETY: V8 calls on this thread with a live string.
    unsafe {
        let isolate: Isolate = (v8().isolate_current)();
        let scope = Scope::in_callback(isolate, State::of(isolate));
        let error = (v8().error_new)(message, NO_HANDLE);
        let context = scope.context.handle();
        let name = (literal(&scope, "name").handle(), literal(&scope, "DataCloneError").handle());
        let code = (literal(&scope, "code").handle(), number_to_js(&scope, 25.0).handle());
        for (key, value) in [name, code] {
            const NOT_ENUMERABLE: i32 = 2;
            (v8().object_define)(error, context, key, value, NOT_ENUMERABLE);
        }
        (v8().throw)(isolate, error);
    }
}

/// `GetSharedArrayBufferId`: the buffer's index in the list, as a `Maybe<uint32_t>`.
unsafe extern "C" fn shared_id(this: Raw, isolate: Isolate, buffer: Handle) -> u64 {
    const JUST: u64 = 1;
    // SAFETY: `this` is the delegate given to V8 and outlives the call; V8 passes a live handle.
    unsafe {
        let delegate = &mut *(this as *mut Delegate);
        if !delegate.may_share {
            let scope = Scope::in_callback(isolate, State::of(isolate));
            throw_clone_error(this, literal(&scope, "A SharedArrayBuffer could not be cloned.").handle());
            return 0;
        }
        let scope = Scope::in_callback(isolate, State::of(isolate));
        let buffer = scope.handle_for(*buffer);
        let is_this = |known: &Global| known.in_scope(&scope).is_ok_and(|known| known.is(buffer));
        let known = delegate.shared.iter().position(is_this);
        let index = known.unwrap_or_else(|| {
            delegate.shared.push(Global::new(&scope, buffer));
            delegate.shared.len() - 1
        });
        (index as u64) << 32 | JUST
    }
}

unsafe extern "C" fn shared_from_id(this: Raw, isolate: Isolate, id: u32) -> Handle {
    // SAFETY: as in `shared_id`.
    unsafe {
        let scope = Scope::in_callback(isolate, State::of(isolate));
        let delegate = &*(this as *const Delegate);
        let shared = delegate.shared.get(id as usize);
        shared.and_then(|buffer| buffer.in_scope(&scope).ok()).map_or(NO_HANDLE, Local::handle)
    }
}

unsafe extern "C" fn read_host(this: Raw, isolate: Isolate) -> Handle {
    // SAFETY: as in `shared_id`; V8 has read the tag of a host object and fails by itself if this returns null.
    unsafe {
        let scope = Scope::in_callback(isolate, State::of(isolate));
        node::read(&scope, (*(this as *const Delegate)).reader)
    }
}

unsafe extern "C" fn reallocate(_this: Raw, old: Raw, size: usize, actual: *mut usize) -> Raw {
    // SAFETY: `old` is null or was returned by this function; V8 passes a valid pointer for the size.
    unsafe {
        let new = libc::realloc(old, size);
        if !new.is_null() {
            *actual = size;
        }
        new
    }
}

unsafe extern "C" fn release(_this: Raw, buffer: Raw) {
    // SAFETY: `reallocate` returned the buffer.
    unsafe { libc::free(buffer) }
}

/// The virtual functions of `ValueSerializer::Delegate` in the order of its declaration, two destructors first.
fn write_table() -> [*const c_void; WRITE_SLOTS] {
    [
        destroy as *const c_void,
        destroy as *const c_void,
        throw_clone_error as *const c_void,
        v8().delegate_has_custom as *const c_void,
        v8().delegate_is_host as *const c_void,
        v8().delegate_write_host as *const c_void,
        shared_id as *const c_void,
        wasm::module_id as *const c_void,
        v8().delegate_adopt as *const c_void,
        reallocate as *const c_void,
        release as *const c_void,
    ]
}

/// The same for `ValueDeserializer::Delegate`.
fn read_table() -> [*const c_void; READ_SLOTS] {
    [
        destroy as *const c_void,
        destroy as *const c_void,
        read_host as *const c_void,
        wasm::module_from_id as *const c_void,
        shared_from_id as *const c_void,
        v8().delegate_conveyor as *const c_void,
    ]
}

/// Memory allocated by `reallocate`.
pub struct Bytes(*mut u8, usize);

// SAFETY: the memory belongs to the C library and is owned by this value alone.
unsafe impl Send for Bytes {}
// SAFETY: shared references only read it.
unsafe impl Sync for Bytes {}

impl Bytes {
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: V8 filled `self.1` bytes at `self.0`.
        if self.0.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(self.0, self.1) } }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        // SAFETY: V8 released the memory to this value, which frees it once.
        unsafe { libc::free(self.0.cast()) }
    }
}

/// A serialized value and the objects that it shares.
pub struct SerializedValue {
    pub bytes: Bytes,
    pub shared: Vec<Global>,
    pub modules: Vec<Share>,
}

/// V8's own format; `views` has others.
const PLAIN: i32 = 0;

/// Serializes `value`; `None` if it threw. `transfer` lists ArrayBuffers that the reader receives separately.
pub fn write(scope: &Scope<'_>, value: Local<'_>, transfer: &[Handle], may_share: bool) -> Option<SerializedValue> {
    write_in(scope, value, transfer, may_share, PLAIN)
}

/// As `write`, in a format of `views`. The functions of `api::rare` are loaded.
pub fn write_in(
    scope: &Scope<'_>,
    value: Local<'_>,
    transfer: &[Handle],
    may_share: bool,
    form: i32,
) -> Option<SerializedValue> {
    let mut table = write_table();
    if form != PLAIN {
        table[WRITE_HOST_SLOT] = super::views::write_view as *const c_void;
    }
    let mut delegate = Delegate {
        table: table.as_ptr(),
        shared: vec![],
        modules: vec![],
        may_share,
        reader: null_mut(),
        writer: null_mut(),
        form,
    };
    let mut words = [0usize; SERIALIZER_WORDS];
    let serializer = words.as_mut_ptr() as Raw;
    // SAFETY: the serializer and its delegate outlive the calls; the destructor runs once, after the bytes are
    // released.
    unsafe {
        (v8().serializer)(serializer, scope.isolate, &raw mut delegate as Raw);
        if form != PLAIN {
            delegate.writer = serializer;
            (crate::v8::api::rare::more().serializer_views_as_host)(serializer, true);
        }
        (v8().serializer_header)(serializer);
        for (id, buffer) in transfer.iter().enumerate() {
            (v8().serializer_transfer)(serializer, id as u32, *buffer);
        }
        let written = maybe_bool((v8().serializer_write)(serializer, scope.context.handle(), value.handle()));
        let bytes = (v8().serializer_release)(serializer);
        (v8().serializer_end)(serializer);
        let bytes = Bytes(bytes.data, bytes.size);
        let Delegate { shared, modules, .. } = delegate;
        (written == Some(true)).then_some(SerializedValue { bytes, shared, modules })
    }
}

/// Deserializes `bytes`; null if it threw.
pub fn read(scope: &Scope<'_>, bytes: &[u8], transfer: &[Handle], shared: Vec<Global>, modules: Vec<Share>) -> Handle {
    let table = read_table();
    let mut words = [0usize; SERIALIZER_WORDS];
    let deserializer = words.as_mut_ptr() as Raw;
    let mut delegate = Delegate {
        table: table.as_ptr(),
        shared,
        modules,
        may_share: true,
        reader: deserializer,
        writer: null_mut(),
        form: PLAIN,
    };
    let context = scope.context.handle();
    // SAFETY: the deserializer, its delegate and the bytes outlive the calls; the destructor runs once.
    unsafe {
        (v8().deserializer)(deserializer, scope.isolate, bytes.as_ptr(), bytes.len(), &raw mut delegate as Raw);
        for (id, buffer) in transfer.iter().enumerate() {
            (v8().deserializer_transfer)(deserializer, id as u32, *buffer);
        }
        let has_header = maybe_bool((v8().deserializer_header)(deserializer, context)) == Some(true);
        let value = if has_header { (v8().deserializer_read)(deserializer, context) } else { NO_HANDLE };
        (v8().deserializer_end)(deserializer);
        value
    }
}

/// `structuredClone(value, buffers)`: a clone; `buffers` is an array of ArrayBuffers whose memory is transferred to it.
pub extern "C" fn structured_clone(info: &CallbackInfo) {
    guarded(info, |call| {
        if let Some(transfer) = transferable(call, 1) {
            let value = clone(&call.scope, call.argument(0), &transfer);
            // SAFETY: V8 returned the handle in this scope.
            if let Some(value) = unsafe { call.scope.local(value) } {
                call.answer(value);
            }
        }
    });
}

/// The ArrayBuffers in an argument; `None` if it threw.
pub fn transferable(call: &Call<'_>, index: usize) -> Option<Vec<Handle>> {
    let list = call.argument(index);
    // SAFETY: the handles are live and their types are tested before use; the exception of a throwing getter stays with
    // V8.
    unsafe {
        if !(v8().is_array)(list.handle()) {
            return Some(vec![]);
        }
        let mut buffers = vec![];
        for index in 0..(v8().array_length)(list.handle()) {
            let buffer = (v8().object_get_index)(list.handle(), call.scope.context.handle(), index);
            if buffer.is_null() {
                return None;
            }
            let can_move = (v8().is_array_buffer)(buffer)
                && (v8().array_buffer_is_detachable)(buffer) // the memory of WebAssembly is not detachable
                && !(v8().array_buffer_was_detached)(buffer);
            if !can_move || buffers.iter().any(|known: &Handle| **known as u32 == *buffer as u32) {
                let text = "Cannot transfer object of unsupported type.";
                throw_clone_error(null_mut(), literal(&call.scope, text).handle());
                return None;
            }
            buffers.push(buffer);
        }
        Some(buffers)
    }
}

fn clone(scope: &Scope<'_>, value: Local<'_>, transfer: &[Handle]) -> Handle {
    let Some(SerializedValue { bytes, shared, modules }) = write(scope, value, transfer, true) else {
        return NO_HANDLE;
    };
    let mut moved = vec![];
    for buffer in transfer {
        // SAFETY: the ArrayBuffers are live and detachable; the new buffer owns the share.
        unsafe {
            let store = (v8().array_buffer_store)(*buffer);
            if maybe_bool((v8().array_buffer_detach)(*buffer, NO_HANDLE)).is_none() {
                return NO_HANDLE;
            }
            moved.push((v8().array_buffer_from_store)(scope.isolate, store));
        }
    }
    read(scope, bytes.as_slice(), &moved, shared, modules)
}

/// Implements `Engine.serialize`.
pub fn serialize(scope: &Scope<'_>, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyBytes>> {
    let value = to_js(scope, value)?;
    let written = scope.javascript(py, || write(scope, value, &[], false))?;
    Ok(PyBytes::new(py, written.bytes.as_slice()).unbind())
}

/// Implements `Engine.deserialize`.
pub fn deserialize(scope: &Scope<'_>, py: Python<'_>, bytes: &[u8]) -> PyResult<Py<PyAny>> {
    let value = scope.javascript(py, || {
        let value = read(scope, bytes, &[], vec![], vec![]);
        // SAFETY: V8 returned the handle in this scope.
        unsafe { scope.local(value) }
    });
    match value {
        Ok(value) => crate::v8::values::value::to_python(scope, py, value),
        Err(error) if error.is_instance_of::<PyRuntimeError>(py) => {
            Err(pyo3::exceptions::PyValueError::new_err("the bytes are no serialized value"))
        }
        Err(error) => Err(error),
    }
}

const _: () = assert!(size_of::<MaybeBool>() == 2);
