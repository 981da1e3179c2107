//! Text and bytes for the JavaScript library: UTF-8 in both directions, copies and comparisons of buffers.
use crate::v8::api::layout::CallbackInfo;
use crate::v8::api::v8;
use crate::v8::values::buffer;
use crate::v8::values::function::{Natives, guarded};
use crate::v8::values::strings::{Characters, with_characters};
use crate::v8::values::value::utf8_to_js;

pub const NATIVES: Natives = &[
    ("copyBytes", copy_bytes),
    ("decodeUtf8", decode_utf8),
    ("encodeUtf8", encode_utf8),
    ("sameBytes", same_bytes),
    ("unclearedBytes", uncleared_bytes),
    ("writeAscii", write_ascii),
];

/// `encodeUtf8(string)`: a Uint8Array; lone surrogates become U+FFFD.
extern "C" fn encode_utf8(info: &CallbackInfo) {
    guarded(info, |call| {
        if !call.is(0, v8().is_string) {
            return call.throw_type_error("encodeUtf8 takes a string");
        }
        let text = call.argument(0).handle();
        let isolate = call.scope.isolate;
        // SAFETY: the string is live, and the array has as many bytes as V8 needs for it.
        unsafe {
            let size = (v8().string_utf8_length)(text, isolate);
            if let Some((array, data)) = buffer::new_uint8_array(&call.scope, size) {
                const REPLACE_INVALID: i32 = 2;
                (v8().string_write_utf8)(text, isolate, data, size, REPLACE_INVALID, std::ptr::null_mut());
                call.answer(array);
            }
        }
    });
}

/// `writeAscii(text, bytes)`: 1 if the text is ASCII and was copied to the buffer, which has its length; otherwise 0.
extern "C" fn write_ascii(info: &CallbackInfo) {
    guarded(info, |call| {
        let copy = |bytes: &mut [u8]| {
            with_characters(&call.scope, call.argument(0), |text| match text {
                Characters::Latin(text) if text.len() == bytes.len() && text.is_ascii() => {
                    bytes.copy_from_slice(text);
                    true
                }
                _ => false,
            })
        };
        let is_copied = call.is_string(0) && call.with_bytes_mut(1, copy) == Some(true);
        call.answer_number(u8::from(is_copied).into());
    });
}

/// `copyBytes(buffer)`: a copy as a Uint8Array, without clearing its memory first.
extern "C" fn copy_bytes(info: &CallbackInfo) {
    guarded(info, |call| match buffer::with_bytes(call.argument(0), |bytes| buffer::uint8_array(&call.scope, bytes)) {
        Some(Ok(copy)) => call.answer(copy),
        Some(Err(error)) => call.raise(error),
        None => call.throw_type_error("copyBytes takes a buffer"),
    });
}

/// `unclearedBytes(size)`: a Uint8Array whose memory was not cleared; undefined if there is none. The library overwrites
/// all of it before a program sees it.
extern "C" fn uncleared_bytes(info: &CallbackInfo) {
    guarded(info, |call| {
        let size = usize::try_from(call.integer(0)).unwrap_or(usize::MAX);
        if let Some((array, _)) = buffer::new_uint8_array(&call.scope, size) {
            call.answer(array);
        }
    });
}

/// `sameBytes(one, other)`: 1 if two buffers hold the same bytes, otherwise 0.
extern "C" fn same_bytes(info: &CallbackInfo) {
    guarded(info, |call| {
        let (one, other) = (call.argument(0), call.argument(1));
        let is_same = buffer::with_bytes(one, |one| buffer::with_bytes(other, |other| one == other).unwrap_or(false));
        call.answer_number(u8::from(is_same.unwrap_or(false)).into());
    });
}

/// `decodeUtf8(bytes)`: a string; invalid sequences become U+FFFD.
extern "C" fn decode_utf8(info: &CallbackInfo) {
    guarded(info, |call| match buffer::with_bytes(call.argument(0), |bytes| utf8_to_js(&call.scope, bytes, 0)) {
        Some(Ok(text)) => call.answer(text),
        Some(Err(_)) => call.throw_type_error("the string is too long"),
        None => call.throw_type_error("decodeUtf8 takes a buffer"),
    });
}
