//! Bytes as text in Buffer's encodings other than UTF-8 and back, comparison and search of bytes, for the JavaScript
//! library.
//!
//! The callers check that the text does not exceed V8's limit.
use crate::v8::api::layout::{CallbackInfo, small_integer};
use crate::v8::values::buffer;
use crate::v8::values::function::{Call, Natives, guarded};
use crate::v8::values::scope::{Local, Scope};
use crate::v8::values::strings::{Characters, with_characters};
use crate::v8::values::value::{one_byte, two_byte};

pub const NATIVES: Natives = &[
    ("compareBytes", compare_bytes),
    ("findBytes", find_bytes),
    ("fromBase64", from_base64),
    ("textOf", text_of),
    ("toBase64", to_base64),
    ("writeText", write_text),
];

const LATIN1: i32 = 0;
const ASCII: i32 = 1;
const HEX: i32 = 2;
const BASE64: i32 = 3;
const BASE64URL: i32 = 4;
const UTF16LE: i32 = 5;

/// `textOf(bytes, encoding)`: the text; undefined if the argument is not a buffer.
pub extern "C" fn text_of(info: &CallbackInfo) {
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
        BASE64 => one_byte(scope, &base64_simd::STANDARD.encode_type::<Vec<u8>>(part), 0).ok(),
        BASE64URL => one_byte(scope, &base64_simd::URL_SAFE_NO_PAD.encode_type::<Vec<u8>>(part), 0).ok(),
        UTF16LE => {
            let units: Vec<u16> = part.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
            two_byte(scope, &units, 0).ok()
        }
        _ => None,
    }
}

const fn pairs_of_digits() -> [[u8; 2]; 256] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [DIGITS[byte >> 4], DIGITS[byte & 15]];
        byte += 1;
    }
    pairs
}

static PAIRS_OF_DIGITS: [[u8; 2]; 256] = pairs_of_digits();

fn hex(bytes: &[u8]) -> Vec<u8> {
    let pairs: Vec<[u8; 2]> = bytes.iter().map(|byte| PAIRS_OF_DIGITS[usize::from(*byte)]).collect();
    pairs.into_flattened()
}

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FOR_URLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// `writeText(text, bytes, offset, end, encoding)`: the number of bytes written to `bytes[offset, end)`, as in Buffer:
/// hexadecimal ends at the first other character; base64 skips other characters and ends at `=`.
pub extern "C" fn write_text(info: &CallbackInfo) {
    guarded(info, |call| {
        let (start, end) = (call.integer(2).max(0) as usize, call.integer(3).max(0) as usize);
        let encoding = small_integer(call.argument(4).word()).unwrap_or(-1);
        if !call.is_string(0) {
            return;
        }
        let count = call.with_bytes_mut(1, |bytes| {
            let room = bytes.get_mut(start..end)?;
            Some(with_characters(&call.scope, call.argument(0), |text| match text {
                Characters::Latin(text) => write(text, room, encoding),
                Characters::Wide(text) => write(text, room, encoding),
            }))
        });
        if let Some(Some(count)) = count {
            call.answer_number(count as f64);
        }
    });
}

/// A unit of a string.
trait Unit: Copy {
    /// The text as bytes if each unit is one.
    fn bytes(text: &[Self]) -> Option<&[u8]>;
    fn low(self) -> u8;
    fn high(self) -> u8;
}

impl Unit for u8 {
    fn bytes(text: &[u8]) -> Option<&[u8]> {
        Some(text)
    }
    fn low(self) -> u8 {
        self
    }
    fn high(self) -> u8 {
        0
    }
}

impl Unit for u16 {
    fn bytes(_: &[u16]) -> Option<&[u8]> {
        None
    }
    fn low(self) -> u8 {
        self as u8
    }
    fn high(self) -> u8 {
        (self >> 8) as u8
    }
}

fn write<U: Unit>(text: &[U], room: &mut [u8], encoding: i32) -> usize {
    match encoding {
        HEX => write_hex(text, room),
        BASE64 | BASE64URL => write_base64(text, room),
        UTF16LE => {
            let (pairs, _) = room.as_chunks_mut::<2>();
            pairs.iter_mut().zip(text).for_each(|(pair, unit)| *pair = [unit.low(), unit.high()]);
            pairs.len().min(text.len()) * 2
        }
        _ => {
            room.iter_mut().zip(text).for_each(|(byte, unit)| *byte = unit.low());
            room.len().min(text.len())
        }
    }
}

const NONE: u8 = 0xff;

const fn digits() -> [u8; 256] {
    let mut values = [NONE; 256];
    let mut digit = 0;
    while digit < 16 {
        values[b"0123456789abcdef"[digit] as usize] = digit as u8;
        values[b"0123456789ABCDEF"[digit] as usize] = digit as u8;
        digit += 1;
    }
    values
}

const fn letters() -> [u8; 256] {
    let mut values = [NONE; 256];
    let mut letter = 0;
    while letter < 64 {
        values[STANDARD[letter] as usize] = letter as u8;
        values[FOR_URLS[letter] as usize] = letter as u8;
        letter += 1;
    }
    values
}

static DIGIT_VALUES: [u8; 256] = digits();
static LETTER_VALUES: [u8; 256] = letters();

fn write_hex<U: Unit>(text: &[U], room: &mut [u8]) -> usize {
    let value = |unit: U| if unit.high() == 0 { DIGIT_VALUES[usize::from(unit.low())] } else { NONE };
    let mut count = 0;
    for (pair, byte) in text.chunks_exact(2).zip(room) {
        let (high, low) = (value(pair[0]), value(pair[1]));
        if high == NONE || low == NONE {
            break;
        }
        *byte = high << 4 | low;
        count += 1;
    }
    count
}

/// Only the low byte of a wide unit counts, as in Node.
fn write_base64<U: Unit>(text: &[U], room: &mut [u8]) -> usize {
    if let Some(count) = U::bytes(text).and_then(|text| write_strict_base64(text, room)) {
        return count;
    }
    let value = |unit: U| LETTER_VALUES[usize::from(unit.low())];
    let whole = text.len().min(room.len() / 3 * 4);
    let mut count = 0;
    // Decode four letters at a time up to the first other character.
    for four in text[..whole].chunks_exact(4) {
        let [a, b, c, d] = [value(four[0]), value(four[1]), value(four[2]), value(four[3])];
        if (a | b | c | d) & 0x80 != 0 {
            break;
        }
        let bits = u32::from(a) << 18 | u32::from(b) << 12 | u32::from(c) << 6 | u32::from(d);
        room[count..count + 3].copy_from_slice(&bits.to_be_bytes()[1..]);
        count += 3;
    }
    let (mut bits, mut size) = (0u32, 0);
    for unit in &text[count / 3 * 4..] {
        if unit.low() == b'=' {
            break;
        }
        let value = value(*unit);
        if value == NONE {
            continue;
        }
        bits = bits << 6 | u32::from(value);
        size += 6;
        if size >= 8 {
            let Some(byte) = room.get_mut(count) else { break };
            size -= 8;
            *byte = (bits >> size) as u8;
            count += 1;
        }
    }
    count
}

/// Decodes text without other characters that fits into `room`; None for any other.
fn write_strict_base64(text: &[u8], room: &mut [u8]) -> Option<usize> {
    let padding = text.iter().rev().take(2).take_while(|byte| **byte == b'=').count();
    let text = &text[..text.len() - padding];
    let room = room.get_mut(..text.len() * 3 / 4)?;
    base64_simd::STANDARD_NO_PAD.check(text).ok()?; // a failed decoding would leave its beginning in the room
    let decoded = base64_simd::STANDARD_NO_PAD.decode(text, base64_simd::Out::from_slice(room)).ok()?;
    Some(decoded.len())
}

/// `toBase64(text)`: base64 of a text whose characters are bytes; undefined if one is not.
pub extern "C" fn to_base64(info: &CallbackInfo) {
    guarded(info, |call| {
        if !call.is_string(0) {
            return;
        }
        let text = with_characters(&call.scope, call.argument(0), |text| match text {
            Characters::Latin(bytes) => Some(base64_simd::STANDARD.encode_type::<Vec<u8>>(bytes)),
            Characters::Wide(units) => {
                let bytes = units.iter().map(|unit| u8::try_from(*unit).ok()).collect::<Option<Vec<u8>>>();
                bytes.map(|bytes| base64_simd::STANDARD.encode_type::<Vec<u8>>(bytes))
            }
        });
        if let Some(text) = text {
            answer_latin(call, &text);
        }
    });
}

fn answer_latin(call: &Call<'_>, text: &[u8]) {
    match one_byte(&call.scope, text, 0) {
        Ok(text) => call.answer(text),
        Err(_) => call.throw_type_error("the string is too long"),
    }
}

/// `fromBase64(text)`: a text with a character for each decoded byte, following the Infra standard; false for an
/// invalid character, undefined for an invalid length.
pub extern "C" fn from_base64(info: &CallbackInfo) {
    guarded(info, |call| {
        if !call.is_string(0) {
            return;
        }
        let bytes = with_characters(&call.scope, call.argument(0), |text| match text {
            Characters::Latin(text) => decode(text.iter().copied()),
            Characters::Wide(text) => decode(text.iter().map(|unit| u8::try_from(*unit).unwrap_or(0))),
        });
        match bytes {
            Decoded::Bytes(bytes) => answer_latin(call, &bytes),
            Decoded::Foreign => call.answer(call.scope.boolean(false)),
            Decoded::Alone => {}
        }
    });
}

enum Decoded {
    Bytes(Vec<u8>),
    Foreign,
    Alone,
}

fn decode(text: impl Iterator<Item = u8>) -> Decoded {
    let mut letters: Vec<u8> = text.filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')).collect();
    if letters.len().is_multiple_of(4) {
        let padding = letters.iter().rev().take(2).take_while(|byte| **byte == b'=').count();
        letters.truncate(letters.len() - padding);
    }
    if !letters.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')) {
        return Decoded::Foreign;
    }
    if letters.len() % 4 == 1 {
        return Decoded::Alone;
    }
    let mut bytes = vec![0; letters.len() * 3 / 4];
    write_base64(&letters, &mut bytes);
    Decoded::Bytes(bytes)
}

/// `compareBytes(one, other)`: -1, 0 or 1, by the first bytes that differ, then by length.
pub extern "C" fn compare_bytes(info: &CallbackInfo) {
    guarded(info, |call| {
        let (one, other) = (call.argument(0), call.argument(1));
        let order = buffer::with_bytes(one, |one| buffer::with_bytes(other, |other| one.cmp(other)));
        if let Some(Some(order)) = order {
            call.answer_number(f64::from(order as i8));
        }
    });
}

/// `findBytes(bytes, part, start, isForward)`: the first index of `part` from `start` on, or the last one up to
/// `start`; -1 if there is none.
pub extern "C" fn find_bytes(info: &CallbackInfo) {
    guarded(info, |call| {
        let (start, is_forward) = (call.integer(2).max(0) as usize, call.is_true(3));
        let found = buffer::with_bytes(call.argument(0), |bytes| {
            buffer::with_bytes(call.argument(1), |part| match is_forward {
                true => memchr::memmem::find(bytes.get(start..)?, part).map(|place| place + start),
                false => memchr::memmem::rfind(&bytes[..(start + part.len()).min(bytes.len())], part),
            })
        });
        if let Some(Some(place)) = found {
            call.answer_number(place.map_or(-1.0, |place| place as f64));
        }
    });
}
