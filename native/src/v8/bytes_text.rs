//! Bytes as text in the encodings of Buffer other than UTF-8, for the JavaScript library.
//!
//! The caller has checked that the text is not longer than V8 allows.
use super::buffer;
use super::function::guarded;
use super::layout::{CallbackInfo, small_integer};
use super::scope::{Local, Scope};
use super::value::{one_byte, two_byte};

const LATIN1: i32 = 0;
const ASCII: i32 = 1;
const HEX: i32 = 2;
const BASE64: i32 = 3;
const BASE64URL: i32 = 4;
const UTF16LE: i32 = 5;

/// `textOf(bytes, encoding)`: their text; undefined for what is no buffer.
pub unsafe extern "C" fn text_of(info: &CallbackInfo) {
    guarded(info, |call| {
        let encoding = small_integer(call.argument(1).word()).unwrap_or(-1);
        let text = buffer::with_bytes(call.argument(0), |bytes| text(&call.scope, bytes, encoding));
        if let Some(Some(text)) = text {
            call.answer(text);
        }
    });
}

fn text<'s>(scope: &Scope<'s>, part: &[u8], encoding: i32) -> Option<Local<'s>> {
    match encoding {
        LATIN1 => one_byte(scope, part, 0).ok(),
        ASCII if part.is_ascii() => one_byte(scope, part, 0).ok(),
        ASCII => one_byte(scope, &part.iter().map(|byte| byte & 0x7f).collect::<Vec<u8>>(), 0).ok(),
        HEX => one_byte(scope, &hex(part), 0).ok(),
        BASE64 => one_byte(scope, &base64(part, STANDARD, true), 0).ok(),
        BASE64URL => one_byte(scope, &base64(part, FOR_URLS, false), 0).ok(),
        UTF16LE => {
            let units: Vec<u16> = part.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
            two_byte(scope, &units, 0).ok()
        }
        _ => None,
    }
}

fn hex(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| DIGITS[usize::from(value)];
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FOR_URLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn base64(bytes: &[u8], alphabet: &[u8; 64], is_padded: bool) -> Vec<u8> {
    let letter = |value: u32| alphabet[(value & 63) as usize];
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    let threes = bytes.chunks_exact(3);
    let rest = threes.remainder();
    for three in threes {
        let bits = u32::from(three[0]) << 16 | u32::from(three[1]) << 8 | u32::from(three[2]);
        text.extend_from_slice(&[letter(bits >> 18), letter(bits >> 12), letter(bits >> 6), letter(bits)]);
    }
    if !rest.is_empty() {
        let bits = u32::from(rest[0]) << 16 | u32::from(rest.get(1).copied().unwrap_or(0)) << 8;
        text.extend_from_slice(&[letter(bits >> 18), letter(bits >> 12)]);
        if rest.len() == 2 {
            text.push(letter(bits >> 6));
        }
        if is_padded {
            text.resize(text.len().next_multiple_of(4), b'=');
        }
    }
    text
}
