//! Bytes across the border: ArrayBuffers and their views as `JsBuffer`, Python buffers as Uint8Arrays.
//!
//! The sandbox requires that buffers lie in V8's memory, so bytes from Python are copied once. In the other direction
//! nothing is copied: `JsBuffer` implements Python's buffer protocol, and a memoryview keeps the memory alive through
//! V8's reference count, even after a detach. Resizable buffers are refused, because shrinking unmaps their pages.
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyBufferError, PyIndexError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::interpreter::class;

use super::object::JsObject;
use super::scope::{Local, Scope};
use super::value::{to_js, too_large};
use crate::v8::api::share::Share;
use crate::v8::api::{Handle, v8};

/// An ArrayBuffer, a SharedArrayBuffer, a typed array or a DataView.
#[pyclass(frozen, extends = JsObject, module = "rt_supervisor._native")]
pub struct JsBuffer;

const UNINITIALIZED: c_int = 1;
/// The largest array that the host creates; JavaScript itself may create larger ones.
const MAX_SIZE: usize = 1 << 32;

/// The present location of a buffer's bytes, valid until JavaScript runs or garbage is collected.
pub struct Region {
    pub data: *mut u8,
    pub length: usize,
    /// The ArrayBuffer or SharedArrayBuffer.
    pub buffer: Handle,
    pub is_shared: bool,
}

/// The bytes behind `value`; None if it is not a buffer.
pub fn region(value: Local<'_>) -> Option<Region> {
    let handle = value.handle();
    // SAFETY: the handle is live and its type is tested before each call.
    unsafe {
        if (v8().is_array_buffer_view)(handle) {
            let buffer = (v8().view_buffer)(handle);
            let (offset, length) = ((v8().view_offset)(handle), (v8().view_length)(handle));
            let whole = region(Local::new(buffer)?)?;
            let data = if whole.data.is_null() { whole.data } else { whole.data.add(offset) };
            let length = if whole.data.is_null() { 0 } else { length };
            Some(Region { data, length, buffer, is_shared: whole.is_shared })
        } else if (v8().is_array_buffer)(handle) {
            let (data, length) = ((v8().array_buffer_data)(handle), (v8().array_buffer_length)(handle));
            Some(Region { data, length, buffer: handle, is_shared: false })
        } else if (v8().is_shared_array_buffer)(handle) {
            let (data, length) = ((v8().shared_array_buffer_data)(handle), (v8().shared_array_buffer_length)(handle));
            Some(Region { data, length, buffer: handle, is_shared: true })
        } else {
            None
        }
    }
}

fn not_a_buffer() -> PyErr {
    PyTypeError::new_err("an ArrayBuffer or a view of one is needed")
}

/// Calls `work` with the bytes of a buffer; it may not run JavaScript on the same buffer.
pub fn with_bytes<R>(value: Local<'_>, work: impl FnOnce(&[u8]) -> R) -> Option<R> {
    let region = region(value)?;
    if region.length == 0 {
        return Some(work(&[]));
    }
    // SAFETY: the memory does not move while no JavaScript runs, and V8 reports its length. Only shared memory can be
    // written by other threads, and rt passes none to a thread that could write during this read.
    Some(work(unsafe { std::slice::from_raw_parts(region.data, region.length) }))
}

pub fn to_bytes(py: Python<'_>, value: Local<'_>) -> PyResult<Py<PyBytes>> {
    with_bytes(value, |bytes| PyBytes::new(py, bytes).unbind()).ok_or_else(not_a_buffer)
}

/// A fresh Uint8Array whose `size` bytes the caller fills before JavaScript sees it.
pub fn new_uint8_array<'s>(scope: &Scope<'s>, size: usize) -> Option<(Local<'s>, *mut u8)> {
    if size > MAX_SIZE {
        return None;
    }
    // SAFETY: the scope proves the isolate current; the array covers the buffer.
    unsafe {
        let buffer = scope.local((v8().array_buffer_maybe_new)(scope.isolate, size, UNINITIALIZED))?;
        let array = scope.local((v8().uint8_array_new)(buffer.handle(), 0, size))?;
        Some((array, (v8().array_buffer_data)(buffer.handle())))
    }
}

pub fn uint8_array<'s>(scope: &Scope<'s>, bytes: &[u8]) -> PyResult<Local<'s>> {
    let (array, data) = new_uint8_array(scope, bytes.len()).ok_or_else(too_large)?;
    if !bytes.is_empty() {
        // SAFETY: the array has `bytes.len()` bytes of V8's own memory.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), data, bytes.len()) };
    }
    Ok(array)
}

/// A Uint8Array with the bytes of any Python object that has the buffer protocol.
pub fn from_python<'s>(scope: &Scope<'s>, value: &Bound<'_, PyAny>) -> PyResult<Option<Local<'s>>> {
    // SAFETY: the object is live.
    if unsafe { ffi::PyObject_CheckBuffer(value.as_ptr()) } == 0 {
        return Ok(None);
    }
    let source = PyBuffer::<u8>::get(value)?;
    let (array, data) = new_uint8_array(scope, source.len_bytes()).ok_or_else(too_large)?;
    if source.len_bytes() > 0 {
        // SAFETY: the array has `size` bytes, which nothing else refers to yet.
        let target = unsafe { std::slice::from_raw_parts_mut(data, source.len_bytes()) };
        source.copy_to_slice(value.py(), target)?;
    }
    Ok(Some(array))
}

#[pymethods]
impl JsBuffer {
    fn __len__(this: PyRef<'_, Self>) -> PyResult<usize> {
        this.as_super().0.enter(|_, value| Ok(region(value).map_or(0, |region| region.length)))
    }

    /// A copy of the bytes from `offset`, at most `size` of them.
    #[pyo3(signature = (offset=0, size=None))]
    fn read(this: PyRef<'_, Self>, py: Python<'_>, offset: usize, size: Option<usize>) -> PyResult<Py<PyBytes>> {
        this.as_super().0.enter(|_, value| {
            with_bytes(value, |bytes| {
                let start = offset.min(bytes.len());
                let end = size.map_or(bytes.len(), |size| start.saturating_add(size).min(bytes.len()));
                PyBytes::new(py, &bytes[start..end]).unbind()
            })
            .ok_or_else(not_a_buffer)
        })
    }

    fn __bytes__(this: PyRef<'_, Self>, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        this.as_super().0.enter(|_, value| to_bytes(py, value))
    }

    /// Copies `data` to `offset`; raises IndexError if it does not fit.
    #[pyo3(signature = (data, offset=0))]
    fn write(this: PyRef<'_, Self>, py: Python<'_>, data: &Bound<'_, PyAny>, offset: usize) -> PyResult<()> {
        let source = PyBuffer::<u8>::get(data)?;
        this.as_super().0.enter(|_, value| {
            let region = region(value).ok_or_else(not_a_buffer)?;
            if offset > region.length || source.len_bytes() > region.length - offset {
                return Err(PyIndexError::new_err("the data does not fit into the JavaScript buffer"));
            }
            if source.len_bytes() > 0 {
                // SAFETY: the range was checked; no JavaScript runs while the slice lives.
                let target = unsafe { std::slice::from_raw_parts_mut(region.data.add(offset), source.len_bytes()) };
                source.copy_to_slice(py, target)?;
            }
            Ok(())
        })
    }

    /// Empty the ArrayBuffer behind this object, as a transfer does.
    fn detach(this: PyRef<'_, Self>, py: Python<'_>) -> PyResult<()> {
        this.as_super().0.enter(|scope, value| {
            let region = region(value).ok_or_else(not_a_buffer)?;
            if region.is_shared {
                return Err(PyTypeError::new_err("a SharedArrayBuffer cannot be detached"));
            }
            // SAFETY: the ArrayBuffer is live.
            if !unsafe { (v8().array_buffer_is_detachable)(region.buffer) } {
                return Err(PyTypeError::new_err("the memory of WebAssembly cannot be detached"));
            }
            // SAFETY: as above; an empty key is the default one.
            let detach = || unsafe { (v8().array_buffer_detach)(region.buffer, null_mut()) };
            scope.javascript(py, || crate::v8::api::layout::maybe_bool(detach())).map(|_| ())
        })
    }

    /// # Safety
    /// Python's buffer protocol: `view` points to a structure to fill.
    unsafe fn __getbuffer__(this: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let (region, store) = this.borrow().as_super().0.enter(|_, value| {
            let region = region(value).ok_or_else(not_a_buffer)?;
            // SAFETY: the buffer is live and of the type that each function takes; `Share` releases the share.
            let store = unsafe {
                if region.is_shared {
                    (v8().shared_array_buffer_store)(region.buffer)
                } else if (v8().array_buffer_is_resizable)(region.buffer) {
                    return Err(PyBufferError::new_err("a resizable ArrayBuffer has no lasting memory"));
                } else {
                    (v8().array_buffer_store)(region.buffer)
                }
            };
            // SAFETY: V8 transferred the share to this function.
            Ok((region, unsafe { Share::new(store) }))
        })?;
        let empty = [0u8; 0].as_ptr() as *mut c_void;
        let data = if region.length == 0 { empty } else { region.data as *mut c_void };
        // SAFETY: Python passes a view to fill; `store`, which the view owns, keeps the memory alive.
        unsafe {
            let filled = ffi::PyBuffer_FillInfo(view, this.as_ptr(), data, region.length as ffi::Py_ssize_t, 0, flags);
            if filled != 0 {
                return Err(PyErr::fetch(this.py()));
            }
            (*view).internal = Box::into_raw(Box::new(store)) as *mut c_void;
        }
        Ok(())
    }

    /// # Safety
    /// Python's buffer protocol: `__getbuffer__` filled `view`.
    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: `__getbuffer__` made the box, which is released once.
        drop(unsafe { Box::from_raw((*view).internal as *mut Share) });
    }
}

/// A Uint8Array of `size` zero bytes, or with a copy of the bytes of `data`.
pub fn make<'s>(scope: &Scope<'s>, data: &Bound<'_, PyAny>) -> PyResult<Local<'s>> {
    let Ok(size) = data.extract::<usize>() else { return to_js(scope, data) };
    let (array, bytes) = new_uint8_array(scope, size).ok_or_else(too_large)?;
    if size > 0 {
        // SAFETY: the array has `size` bytes.
        unsafe { std::ptr::write_bytes(bytes, 0, size) };
    }
    Ok(array)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<JsBuffer>(module)
}
