//! A safe interface for native functions outside the binding: creating, reading and calling values; `plain` handles
//! their arguments.
//!
//! Everything here works without the GIL.
use pyo3::prelude::*;

use super::buffer;
use super::scope::{Global, Local, Scope, TryCatch};
use super::strings::{system_bytes, with_characters, with_encoded};
use super::value::{literal, number_to_js, utf8_to_js};
use crate::v8::api::layout::{TRY_CATCH_WORDS, small_integer};
use crate::v8::api::{Handle, v8};

/// A value by its kind.
pub enum Plain {
    /// Undefined or null.
    Nothing,
    Boolean(bool),
    Number(f64),
    Text,
    Function,
    Array,
    /// Anything else, including buffers.
    Other,
}

impl<'s> Scope<'s> {
    pub fn keep(&self, value: Local<'_>) -> Global {
        Global::new(self, value)
    }

    pub fn undefined(&self) -> Local<'s> {
        self.handle_for(self.state.inner().roots.get().undefined)
    }

    pub fn null(&self) -> Local<'s> {
        self.handle_for(self.state.inner().roots.get().null)
    }

    pub fn boolean(&self, value: bool) -> Local<'s> {
        let roots = self.state.inner().roots.get();
        self.handle_for(if value { roots.yes } else { roots.no })
    }

    pub fn number(&self, number: f64) -> Local<'s> {
        number_to_js(self, number)
    }

    /// A string from UTF-8 bytes, with invalid sequences as U+FFFD; None if it is too long for V8.
    pub fn text(&self, bytes: &[u8]) -> Option<Local<'s>> {
        utf8_to_js(self, bytes, 0).ok()
    }

    /// A string, exactly; None if it has lone surrogates, or U+FFFD, which stands for them.
    pub fn exact_text(&self, text: Local<'_>) -> Option<String> {
        let text = String::from_utf8(self.utf8(text)).ok()?;
        (!text.contains(char::REPLACEMENT_CHARACTER)).then_some(text)
    }

    /// A string of Latin-1 bytes, internalized if it names a property. Panics if it is too long for V8.
    pub fn latin1(&self, bytes: &[u8], is_name: bool) -> Local<'s> {
        super::strings::one_byte(self, bytes, is_name.into()).expect("a short text")
    }

    /// The size of a string in UTF-8; None for any other value.
    pub fn utf8_length(&self, value: Local<'_>) -> Option<usize> {
        // SAFETY: the handle is live and tested to be a string.
        unsafe { (v8().is_string)(value.handle()).then(|| (v8().string_utf8_length)(value.handle(), self.isolate)) }
    }

    /// Appends the UTF-8 bytes of a string, with lone surrogates as U+FFFD; returns their number, None for any other value.
    pub fn append_utf8(&self, value: Local<'_>, target: &mut Vec<u8>) -> Option<usize> {
        const REPLACE_INVALID: i32 = 2;
        /// Most strings are shorter, and writing them without measuring them first takes half of the time.
        const SHORT: usize = 128;
        const LONGEST_CHARACTER: usize = 4;
        // SAFETY: the handle is live.
        if !unsafe { (v8().is_string)(value.handle()) } {
            return None;
        }
        let start = target.len();
        target.reserve(SHORT);
        // SAFETY: the string is live, and the spare capacity has `SHORT` bytes, of which V8 fills the returned number.
        let size = unsafe {
            let (place, null) = (target.as_mut_ptr().add(start), std::ptr::null_mut());
            let size = (v8().string_write_utf8)(value.handle(), self.isolate, place, SHORT, REPLACE_INVALID, null);
            target.set_len(start + size);
            size
        };
        if size + LONGEST_CHARACTER <= SHORT {
            return Some(size);
        }
        // V8 may have stopped before a character without room, and writes longer text more slowly.
        let size = self.utf8_length(value)?;
        target.resize(start + size, 0);
        with_characters(self, value, |text| text.write_utf8(&mut target[start..]));
        Some(size)
    }

    /// Calls `work` with a string in UTF-8, where lone surrogates are U+FFFD, or in Latin-1, where only the low byte of a unit
    /// counts; None for any other value. V8 must not be called meanwhile.
    pub fn encoded<R>(&self, text: Local<'_>, is_latin: bool, work: impl FnOnce(&[u8]) -> R) -> Option<R> {
        // SAFETY: the handle is live.
        unsafe { (v8().is_string)(text.handle()) }.then(|| with_encoded(self, text, is_latin, work))
    }

    /// The UTF-8 bytes of a string, with lone surrogates as U+FFFD.
    pub fn utf8(&self, text: Local<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.append_utf8(text, &mut bytes);
        bytes
    }

    pub fn array(&self, items: &[Local<'_>]) -> Local<'s> {
        // SAFETY: a `Local` is a handle; the handles are live, and V8 copies them.
        unsafe { self.local((v8().array_new)(self.isolate, items.as_ptr().cast(), items.len())) }.expect("an array")
    }

    /// The elements of an array; empty for anything else.
    pub fn elements(&self, array: Local<'_>) -> Vec<Local<'s>> {
        // SAFETY: the handle is live and tested to be an array; an element whose getter throws is skipped.
        unsafe {
            if !(v8().is_array)(array.handle()) {
                return Vec::new();
            }
            let get = |index| self.local((v8().object_get_index)(array.handle(), self.context.handle(), index));
            (0..(v8().array_length)(array.handle())).filter_map(get).collect()
        }
    }

    /// A Uint8Array of the bytes that `fill` writes, at most `size`; `fill` returns their number.
    pub fn bytes(&self, size: usize, fill: impl FnOnce(&mut [u8]) -> usize) -> Option<Local<'s>> {
        let (array, data) = buffer::new_uint8_array(self, size)?;
        if size == 0 {
            fill(&mut []);
            return Some(array);
        }
        // SAFETY: the array has `size` bytes of V8's own memory, which nothing else refers to yet.
        let written = fill(unsafe { std::slice::from_raw_parts_mut(data, size) });
        if written >= size {
            return Some(array);
        }
        // SAFETY: the array is live; the view lies inside its buffer.
        unsafe { self.local((v8().uint8_array_new)((v8().view_buffer)(array.handle()), 0, written)) }
    }

    /// A BigInt.
    pub fn big_unsigned(&self, number: u64) -> Option<Local<'s>> {
        // SAFETY: the scope proves the isolate current; V8 reads one word.
        unsafe { self.local((v8().bigint_from_words)(self.context.handle(), 0, 1, [number].as_ptr())) }
    }

    /// The value of a number; zero for anything else.
    pub fn double(&self, value: Local<'_>) -> f64 {
        if let Some(small) = small_integer(value.word()) {
            return small.into();
        }
        // SAFETY: the handle is live and was tested to be a number.
        unsafe { if (v8().is_number)(value.handle()) { (v8().number_value)(value.handle()) } else { 0.0 } }
    }

    /// A copy of the bytes of a buffer.
    pub fn copy_bytes(&self, value: Local<'_>) -> Option<Vec<u8>> {
        buffer::with_bytes(value, <[u8]>::to_vec)
    }

    /// Copies `bytes` into a buffer at `offset`, as far as they fit.
    pub fn overwrite(&self, buffer: Local<'_>, offset: usize, bytes: &[u8]) {
        let Some(region) = buffer::region(buffer) else { return };
        let count = bytes.len().min(region.length.saturating_sub(offset));
        if count > 0 {
            // SAFETY: the range lies inside the buffer, whose memory does not move while no JavaScript runs.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), region.data.add(offset), count) };
        }
    }

    /// A Float64Array.
    pub fn doubles(&self, values: &[f64]) -> Option<Local<'s>> {
        let size = values.len() * 8;
        let (array, data) = buffer::new_uint8_array(self, size)?;
        // SAFETY: the array has room for the values; its buffer is fresh, and views of whole elements fit it.
        unsafe {
            std::ptr::copy_nonoverlapping(values.as_ptr().cast(), data, size);
            self.local((v8().float64_array_new)((v8().view_buffer)(array.handle()), 0, values.len()))
        }
    }

    /// A BigInt64Array.
    pub fn big_integers(&self, values: &[i64]) -> Option<Local<'s>> {
        let size = values.len() * 8;
        let (array, data) = buffer::new_uint8_array(self, size)?;
        // SAFETY: as above.
        unsafe {
            std::ptr::copy_nonoverlapping(values.as_ptr().cast(), data, size);
            self.local((v8().big_int64_array_new)((v8().view_buffer)(array.handle()), 0, values.len()))
        }
    }

    /// A Uint8Array with a copy of these bytes.
    pub fn bytes_of(&self, bytes: &[u8]) -> Option<Local<'s>> {
        self.bytes(bytes.len(), |room| {
            room.copy_from_slice(bytes);
            bytes.len()
        })
    }

    /// The bytes that a string stands for in system calls, restoring bytes that were not UTF-8; None if it is not a
    /// string.
    pub fn system_bytes(&self, value: Local<'_>) -> Option<Vec<u8>> {
        // SAFETY: the handle is live; the test has no side effects.
        unsafe { (v8().is_string)(value.handle()) }.then(|| system_bytes(self, value))
    }

    /// `new Error(message)`.
    pub fn error(&self, message: &str) -> Local<'s> {
        let text = self.text(message.as_bytes()).unwrap_or_else(|| literal(self, "error"));
        // SAFETY: the string is live.
        unsafe { self.local((v8().error_new)(text.handle(), std::ptr::null_mut())) }.expect("an error")
    }

    /// `globalThis`.
    pub fn global(&self) -> Local<'s> {
        // SAFETY: the context is live.
        unsafe { self.local((v8().context_global)(self.context.handle())) }.expect("a context has a global object")
    }

    /// A fresh object.
    pub fn object(&self) -> Local<'s> {
        // SAFETY: the scope proves the isolate current.
        unsafe { self.local((v8().object_new)(self.isolate)) }.expect("an object")
    }

    pub fn is_true(&self, value: Local<'_>) -> bool {
        value.word() as u32 == self.state.inner().roots.get().yes as u32
    }

    /// The reason of a rejected promise.
    pub fn rejection(&self, promise: Local<'_>) -> Option<Local<'s>> {
        const REJECTED: i32 = 2;
        // SAFETY: the handle is live and tested to be a promise; its result is read only once it is settled.
        unsafe {
            let is_rejected = (v8().is_promise)(promise.handle()) && (v8().promise_state)(promise.handle()) == REJECTED;
            if is_rejected { self.local((v8().promise_result)(promise.handle())) } else { None }
        }
    }

    /// As `put`, for any name.
    pub fn put_named(&self, object: Local<'_>, name: Local<'_>, value: Local<'_>) {
        // SAFETY: the handles are live, and the second is a string; defining a data property of a fresh object runs no
        // JavaScript.
        unsafe { (v8().object_create_property)(object.handle(), self.context.handle(), name.handle(), value.handle()) };
    }

    /// Defines an own property of a fresh object.
    pub fn put(&self, object: Local<'_>, name: &str, value: Local<'_>) {
        let name = literal(self, name).handle();
        // SAFETY: the handles are live; defining a data property of a fresh object runs no JavaScript.
        unsafe { (v8().object_create_property)(object.handle(), self.context.handle(), name, value.handle()) };
    }

    /// Whether a promise is settled; None if the value is not a promise.
    pub fn is_settled(&self, promise: Local<'_>) -> Option<bool> {
        // SAFETY: the handle is live and tested to be a promise.
        unsafe { (v8().is_promise)(promise.handle()).then(|| (v8().promise_state)(promise.handle()) != 0) }
    }

    /// Calls a function with `this` undefined. An exception becomes the Python exception that it stands for.
    pub fn call(&self, function: Local<'_>, arguments: &[Handle]) -> PyResult<Local<'s>> {
        let (context, receiver) = (self.context.handle(), self.undefined().handle());
        self.evaluate_detached(|| {
            let (count, first) = (arguments.len() as i32, arguments.as_ptr());
            // SAFETY: the first handle is a function; `arguments` holds live handles.
            unsafe { (v8().function_call)(function.handle(), self.isolate, context, receiver, count, first) }
        })
    }

    /// Like `call`, but exceptions are returned unchanged, so that no Python is needed to hold it; None where the program ends.
    pub fn call_caught(&self, function: Local<'_>, arguments: &[Handle]) -> Result<Local<'s>, Option<Local<'s>>> {
        let (context, receiver) = (self.context.handle(), self.undefined().handle());
        let mut words = [0; TRY_CATCH_WORDS];
        let catcher = TryCatch::open(self, &mut words);
        let depth = &self.state.inner().depth;
        depth.set(depth.get() + 1);
        let (count, first) = (arguments.len() as i32, arguments.as_ptr());
        // SAFETY: as in `call`.
        let answer = unsafe {
            self.local((v8().function_call)(function.handle(), self.isolate, context, receiver, count, first))
        };
        depth.set(depth.get() - 1);
        answer.ok_or_else(|| if catcher.has_terminated() { None } else { catcher.exception() })
    }

    /// The kind of a value, with its content.
    pub fn plain(&self, value: Local<'_>) -> Plain {
        let (roots, word) = (self.state.roots(), value.word() as u32);
        if word == roots.undefined as u32 || word == roots.null as u32 {
            return Plain::Nothing;
        }
        if word == roots.yes as u32 || word == roots.no as u32 {
            return Plain::Boolean(word == roots.yes as u32);
        }
        // SAFETY: the handle is live; the test has no side effects.
        unsafe {
            if (v8().is_string)(value.handle()) {
                Plain::Text
            } else if (v8().is_number)(value.handle()) {
                Plain::Number((v8().number_value)(value.handle()))
            } else if (v8().is_function)(value.handle()) {
                Plain::Function
            } else if (v8().is_array)(value.handle()) {
                Plain::Array
            } else {
                Plain::Other
            }
        }
    }

    /// A fresh error of class `TypeError` or `RangeError`; any other name gives an Error.
    pub fn error_of(&self, class: &str, message: &str) -> Local<'s> {
        let make = match class {
            "TypeError" => v8().error_type,
            "RangeError" => v8().error_range,
            _ => v8().error_new,
        };
        let text = self.text(message.as_bytes()).unwrap_or_else(|| literal(self, "error"));
        // SAFETY: the string is live.
        unsafe { self.local(make(text.handle(), std::ptr::null_mut())) }.expect("an error")
    }

    /// Returns whether V8's own threads work for this engine.
    pub fn has_background_work(&self) -> bool {
        // SAFETY: the scope proves the isolate current.
        unsafe { (v8().has_pending_background_tasks)(self.isolate) }
    }

    /// The property `name` of one of rt's own objects.
    pub fn get(&self, object: Local<'_>, name: &str) -> PyResult<Local<'s>> {
        let (key, context) = (literal(self, name).handle(), self.context.handle());
        // SAFETY: the handles are live.
        self.evaluate_detached(|| unsafe { (v8().object_get)(object.handle(), context, key) })
    }
}
