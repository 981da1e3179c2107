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
    ("isAscii", is_ascii),
    ("isUtf8", is_utf8),
    ("sameBytes", same_bytes),
    ("unclearedBytes", uncleared_bytes),
    ("utf8Length", utf8_length),
    ("writeAscii", write_ascii),
    ("writeUtf8", write_utf8),
];

/// `encodeUtf8(string)`: a Uint8Array; lone surrogates become U+FFFD.
extern "C" fn encode_utf8(info: &CallbackInfo) {
    guarded(info, |call| {
        if !call.is(0, v8().is_string) {
            return call.throw_type_error("encodeUtf8 takes a string");
        }
        let text = call.argument(0);
        let size = call.scope.utf8_length(text).unwrap_or(0);
        if let Some((array, data)) = buffer::new_uint8_array(&call.scope, size) {
            // SAFETY: the new array has `size` bytes, which are written before anything reads them.
            let bytes = unsafe { std::slice::from_raw_parts_mut(data, size) };
            with_characters(&call.scope, text, |text| text.write_utf8(bytes));
            call.answer(array);
        }
    });
}

/// `utf8Length(text)`: how many bytes the text has in UTF-8.
extern "C" fn utf8_length(info: &CallbackInfo) {
    guarded(info, |call| {
        if let Some(length) = call.scope.utf8_length(call.argument(0)) {
            call.answer_number(length as f64);
        }
    });
}

/// `writeUtf8(text, bytes, offset, end, read)`: the number of bytes written to `bytes[offset, end)`, which get whole characters
/// only. `read`, a Uint32Array or undefined, receives the number of units that were read.
extern "C" fn write_utf8(info: &CallbackInfo) {
    guarded(info, |call| {
        if !call.is_string(0) {
            return;
        }
        let (start, end) = (call.integer(2).max(0) as usize, call.integer(3).max(0) as usize);
        let counts = call.with_bytes_mut(1, |bytes| {
            let room = bytes.get_mut(start..end)?;
            Some(with_characters(&call.scope, call.argument(0), |text| text.write_utf8(room)))
        });
        if let Some(Some((read, written))) = counts {
            call.with_bytes_mut(4, |bytes| {
                if let Some(field) = bytes.get_mut(..4) {
                    field.copy_from_slice(&(read as u32).to_ne_bytes());
                }
            });
            call.answer_number(written as f64);
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

fn answer_about(info: &CallbackInfo, holds: impl Fn(&[u8]) -> bool) {
    guarded(info, |call| {
        let answer = buffer::with_bytes(call.argument(0), holds).unwrap_or(false);
        call.answer(call.scope.boolean(answer));
    });
}

/// `isAscii(bytes)`: whether all bytes are below 0x80.
extern "C" fn is_ascii(info: &CallbackInfo) {
    answer_about(info, <[u8]>::is_ascii);
}

/// `isUtf8(bytes)`: whether the bytes are valid UTF-8.
extern "C" fn is_utf8(info: &CallbackInfo) {
    answer_about(info, |bytes| std::str::from_utf8(bytes).is_ok());
}

/// `decodeUtf8(bytes)`: a string; invalid sequences become U+FFFD.
extern "C" fn decode_utf8(info: &CallbackInfo) {
    guarded(info, |call| match buffer::with_bytes(call.argument(0), |bytes| utf8_to_js(&call.scope, bytes, 0)) {
        Some(Ok(text)) => call.answer(text),
        Some(Err(_)) => call.throw_type_error("the string is too long"),
        None => call.throw_type_error("decodeUtf8 takes a buffer"),
    });
}
