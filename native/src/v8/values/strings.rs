//! Strings across the border: between JavaScript and Python, which both allow lone surrogates, and from JavaScript to
//! Rust, where they become U+FFFD.
use std::ffi::{c_char, c_int};
use std::ptr::null_mut;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use pyo3::{ffi, intern};

use super::scope::{Local, NO_HANDLE, Scope};
use crate::v8::api::layout::ValueView;
use crate::v8::api::v8;

/// V8's view of a string's memory.
struct View(ValueView);

impl View {
    /// Calls `read` with a view of the string `value`; V8 must not be called meanwhile.
    fn of<R>(scope: &Scope<'_>, value: Local<'_>, read: impl FnOnce(&ValueView) -> R) -> R {
        let empty =
            ValueView { string: NO_HANDLE, data: null_mut(), length: 0, is_one_byte: false, scope: 0, spare: [0; 2] };
        let mut view = View(empty);
        // SAFETY: `value` is a string (the callers check), and `view` has room for V8's object.
        unsafe { (v8().string_view)(&mut view.0 as *mut _ as _, scope.isolate, value.handle()) };
        read(&view.0)
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: V8's constructor has run on this object.
        unsafe { (v8().string_view_end)(&mut self.0 as *mut _ as _) }
    }
}

/// The memory of a string: characters up to U+00FF in a byte each, or units of UTF-16.
pub enum Characters<'v> {
    Latin(&'v [u8]),
    Wide(&'v [u16]),
}

impl Characters<'_> {
    /// Writes whole characters while they fit, with U+FFFD for lone surrogates; returns how many units were read and how many
    /// bytes written.
    pub fn write_utf8(&self, room: &mut [u8]) -> (usize, usize) {
        match self {
            Characters::Latin(text) if text.is_ascii() => {
                let count = text.len().min(room.len());
                room[..count].copy_from_slice(&text[..count]);
                (count, count)
            }
            Characters::Latin(text) => encoding_rs::mem::convert_latin1_to_utf8_partial(text, room),
            Characters::Wide(text) => encoding_rs::mem::convert_utf16_to_utf8_partial(text, room),
        }
    }
}

/// Calls `work` with the characters of the string `value`; V8 must not be called meanwhile.
pub fn with_characters<R>(scope: &Scope<'_>, value: Local<'_>, work: impl FnOnce(Characters) -> R) -> R {
    View::of(scope, value, |view| match (view.length as usize, view.is_one_byte) {
        (0, _) => work(Characters::Latin(&[])),
        // SAFETY: the memory holds `length` characters and does not move.
        (length, true) => work(Characters::Latin(unsafe { std::slice::from_raw_parts(view.data as _, length) })),
        // SAFETY: the memory holds `length` units and does not move.
        (length, false) => work(Characters::Wide(unsafe { std::slice::from_raw_parts(view.data as _, length) })),
    })
}

/// Calls `work` with the string `value` in UTF-8 or Latin-1 (`Scope::encoded`); the bytes may be the string's own memory.
pub fn with_encoded<R>(scope: &Scope<'_>, value: Local<'_>, is_latin: bool, work: impl FnOnce(&[u8]) -> R) -> R {
    let size = if is_latin { 0 } else { scope.utf8_length(value).unwrap_or(0) };
    with_characters(scope, value, |characters| match characters {
        Characters::Latin(bytes) if is_latin || bytes.len() == size => work(bytes),
        Characters::Wide(units) if is_latin => work(&units.iter().map(|unit| *unit as u8).collect::<Vec<u8>>()),
        text => {
            let mut bytes = vec![0; size];
            text.write_utf8(&mut bytes);
            work(&bytes)
        }
    })
}

/// A JavaScript string as a str, preserving lone surrogates.
pub fn string_to_python(scope: &Scope<'_>, py: Python<'_>, value: Local<'_>) -> PyResult<Py<PyString>> {
    View::of(scope, value, |view| {
        let length = view.length as ffi::Py_ssize_t;
        // SAFETY: the two decoders copy out of memory that does not move.
        unsafe {
            let text = if view.is_one_byte {
                ffi::PyUnicode_DecodeLatin1(view.data as *const c_char, length, null_mut())
            } else {
                let mut little_endian: c_int = -1;
                let data = view.data as *const c_char;
                ffi::PyUnicode_DecodeUTF16(data, length * 2, c"surrogatepass".as_ptr(), &mut little_endian)
            };
            Ok(Bound::from_owned_ptr_or_err(py, text)?.cast_into_unchecked().unbind())
        }
    })
}

/// A JavaScript string as UTF-8; lone surrogates become U+FFFD.
pub fn string_to_rust(scope: &Scope<'_>, value: Local<'_>) -> String {
    with_characters(scope, value, |characters| match characters {
        Characters::Wide(units) => String::from_utf16_lossy(units),
        Characters::Latin(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) if bytes.is_ascii() => text.to_owned(),
            _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
        },
    })
}

/// A JavaScript string as a system string: UTF-8, where U+DC80 to U+DCFF stand for undecodable bytes, as in Python.
/// Other lone surrogates become U+FFFD.
pub fn system_bytes(scope: &Scope<'_>, value: Local<'_>) -> Vec<u8> {
    let text = string_to_rust(scope, value);
    if !text.contains(char::REPLACEMENT_CHARACTER) {
        return text.into_bytes();
    }
    let raw = with_characters(scope, value, |characters| {
        let Characters::Wide(units) = characters else { return None };
        let mut bytes = Vec::with_capacity(text.len());
        for read in char::decode_utf16(units.iter().copied()) {
            match read {
                Ok(character) => bytes.extend(character.encode_utf8(&mut [0; 4]).bytes()),
                Err(lone) => bytes.push(u8::try_from(lone.unpaired_surrogate().checked_sub(0xdc00)?).ok()?),
            }
        }
        Some(bytes)
    });
    raw.unwrap_or_else(|| text.into_bytes())
}

/// A Python str as a JavaScript string, preserving lone surrogates.
pub fn string_to_js<'s>(scope: &Scope<'s>, text: &Bound<'_, PyString>) -> PyResult<Local<'s>> {
    text_to_js(scope, text, 0)
}

/// As `string_to_js`, internalized for use as a property name.
pub fn property_key<'s>(scope: &Scope<'s>, text: &Bound<'_, PyString>) -> PyResult<Local<'s>> {
    text_to_js(scope, text, 1)
}

fn text_to_js<'s>(scope: &Scope<'s>, text: &Bound<'_, PyString>, kind: c_int) -> PyResult<Local<'s>> {
    let mut size: ffi::Py_ssize_t = 0;
    // SAFETY: the object is a str, which owns the bytes.
    let utf8 = unsafe { ffi::PyUnicode_AsUTF8AndSize(text.as_ptr(), &mut size) };
    if !utf8.is_null() {
        // SAFETY: as above.
        let bytes = unsafe { std::slice::from_raw_parts(utf8 as *const u8, size as usize) };
        return utf8_to_js(scope, bytes, kind);
    }
    // SAFETY: an exception is set, because the str holds surrogates.
    unsafe { ffi::PyErr_Clear() };
    let bytes = text.call_method1(intern!(text.py(), "encode"), ("utf-16-le", "surrogatepass"))?;
    let units: Vec<u16> = bytes
        .cast::<PyBytes>()?
        .as_bytes()
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    two_byte(scope, &units, kind)
}

/// UTF-8 as a JavaScript string; invalid sequences become U+FFFD.
///
/// V8's own decoder is slow, so longer valid text is passed in V8's internal form: one byte for each character if all
/// are below U+0100, otherwise UTF-16.
pub fn utf8_to_js<'s>(scope: &Scope<'s>, bytes: &[u8], kind: c_int) -> PyResult<Local<'s>> {
    const SHORT: usize = 32;
    if bytes.is_ascii() {
        return one_byte(scope, bytes, kind);
    }
    if bytes.len() > SHORT {
        if encoding_rs::mem::is_utf8_latin1(bytes) {
            let mut latin = vec![0; bytes.len()];
            let count = encoding_rs::mem::convert_utf8_to_latin1_lossy(bytes, &mut latin);
            return one_byte(scope, &latin[..count], kind);
        }
        let mut units = vec![0; bytes.len() + 1];
        if let Some(count) = encoding_rs::mem::convert_utf8_to_utf16_without_replacement(bytes, &mut units) {
            return two_byte(scope, &units[..count], kind);
        }
    }
    let size = length(bytes.len())?;
    // SAFETY: as in `one_byte`.
    unsafe { scope.local((v8().string_utf8)(scope.isolate, bytes.as_ptr(), kind, size)) }.ok_or_else(too_large)
}

/// Bytes as the characters U+0000 to U+00FF.
pub fn one_byte<'s>(scope: &Scope<'s>, bytes: &[u8], kind: c_int) -> PyResult<Local<'s>> {
    let size = length(bytes.len())?;
    // SAFETY: V8 copies `size` bytes; if the length does not fit, it returns an empty handle.
    unsafe { scope.local((v8().string_one_byte)(scope.isolate, bytes.as_ptr(), kind, size)) }.ok_or_else(too_large)
}

pub fn two_byte<'s>(scope: &Scope<'s>, units: &[u16], kind: c_int) -> PyResult<Local<'s>> {
    let size = length(units.len())?;
    // SAFETY: V8 copies `size` units; if the length does not fit, it returns an empty handle.
    unsafe { scope.local((v8().string_two_byte)(scope.isolate, units.as_ptr(), kind, size)) }.ok_or_else(too_large)
}

/// A short text of rt's own as an internalized string.
pub fn literal<'s>(scope: &Scope<'s>, text: &str) -> Local<'s> {
    utf8_to_js(scope, text.as_bytes(), 1).expect("a short string fits")
}

fn length(size: usize) -> PyResult<c_int> {
    c_int::try_from(size).map_err(|_| too_large())
}

pub fn too_large() -> PyErr {
    PyValueError::new_err("the value is too large for JavaScript")
}
