//! zlib: deflate and inflate, raw or with zlib or gzip headers. Errors are those of Node.
use std::ffi::CStr;
use std::mem::MaybeUninit;

use cloudflare_zlib_sys as z;

use super::{Problem, Step, Stream};

const OK: i32 = 0;
const STREAM_END: i32 = 1;
const NEED_DICT: i32 = 2;
const DATA_ERROR: i32 = -3;
const BUF_ERROR: i32 = -5;
const FINISH: i32 = 4;
const DEFLATED: i32 = 8;
const CODES: [&str; 9] = [
    "Z_OK",
    "Z_STREAM_END",
    "Z_NEED_DICT",
    "Z_ERRNO",
    "Z_STREAM_ERROR",
    "Z_DATA_ERROR",
    "Z_MEM_ERROR",
    "Z_BUF_ERROR",
    "Z_VERSION_ERROR",
];

const GZIP_BITS: i32 = 16; // added to the window bits to select gzip's header

pub fn crc32(data: &[u8], value: u32) -> u32 {
    let mut value = u64::from(value);
    for piece in data.chunks(1 << 30) {
        // SAFETY: the slice is readable and at most 2^30 bytes long.
        value = unsafe { z::crc32(value, piece.as_ptr(), piece.len() as u32) };
    }
    value as u32
}

fn new_stream() -> Box<z::z_stream> {
    // SAFETY: zlib accepts a zeroed stream. It is boxed because zlib's state points back to it.
    unsafe { Box::new(MaybeUninit::zeroed().assume_init()) }
}

/// Point the stream at `input` and `output`, call, and count bytes: (result, consumed, produced).
fn call(
    stream: &mut z::z_stream,
    input: &[u8],
    output: &mut [MaybeUninit<u8>],
    work: impl FnOnce(&mut z::z_stream) -> i32,
) -> (i32, usize, usize) {
    stream.next_in = input.as_ptr().cast_mut();
    stream.avail_in = input.len() as u32;
    stream.next_out = output.as_mut_ptr().cast();
    stream.avail_out = output.len() as u32;
    let result = work(stream);
    (result, input.len() - stream.avail_in as usize, output.len() - stream.avail_out as usize)
}

fn problem(stream: &z::z_stream, result: i32, usual: &str) -> Problem {
    let code = match result {
        0..=2 => CODES[result as usize],
        _ => CODES.get((2 - result) as usize).copied().unwrap_or("Z_ERRNO"),
    };
    let message = if stream.msg.is_null() {
        usual.to_string()
    } else {
        // SAFETY: zlib's messages are static texts.
        unsafe { CStr::from_ptr(stream.msg) }.to_string_lossy().into_owned()
    };
    Problem { message, errno: result, code: code.to_string() }
}

/// The error after a step, if any.
fn judge(stream: &z::z_stream, result: i32, flush: i32, has_dictionary: bool) -> Option<Problem> {
    match result {
        OK | BUF_ERROR => (stream.avail_out != 0 && flush == FINISH).then(Problem::unexpected_end),
        STREAM_END => None,
        NEED_DICT => {
            let message = if has_dictionary { "Bad dictionary" } else { "Missing dictionary" };
            Some(Problem::new(message, NEED_DICT, "Z_NEED_DICT"))
        }
        _ => Some(problem(stream, result, "Zlib error")),
    }
}

pub struct Deflate {
    stream: Box<z::z_stream>,
    dictionary: Vec<u8>,
    has_gzip_header: bool,
}

// SAFETY: only this value uses the state behind the stream's pointers.
unsafe impl Send for Deflate {}
// SAFETY: shared references read nothing.
unsafe impl Sync for Deflate {}

impl Deflate {
    pub fn new(level: i32, window_bits: i32, mem_level: i32, strategy: i32, dictionary: &[u8]) -> Result<Self, String> {
        let mut stream = new_stream();
        // SAFETY: the stream is zeroed; zlib checks the parameters.
        let result = unsafe { z::deflateInit2(&raw mut *stream, level, DEFLATED, window_bits, mem_level, strategy) };
        if result != OK {
            return Err(problem(&stream, result, "Init error").message);
        }
        let mut codec = Self { stream, dictionary: dictionary.to_vec(), has_gzip_header: window_bits > 15 };
        match codec.set_dictionary() {
            None => Ok(codec),
            Some(problem) => Err(problem.message),
        }
    }

    fn set_dictionary(&mut self) -> Option<Problem> {
        if self.dictionary.is_empty() || self.has_gzip_header {
            return None;
        }
        // SAFETY: the stream is initialised and the slice readable.
        let result = unsafe {
            z::deflateSetDictionary(&raw mut *self.stream, self.dictionary.as_ptr(), self.dictionary.len() as u32)
        };
        (result != OK).then(|| problem(&self.stream, result, "Failed to set dictionary"))
    }
}

impl Stream for Deflate {
    fn step(&mut self, input: &[u8], flush: i32, output: &mut [MaybeUninit<u8>]) -> Step {
        // SAFETY: the stream is initialised, and `call` has pointed it at live slices.
        let (result, consumed, produced) =
            call(&mut self.stream, input, output, |stream| unsafe { z::deflate(&raw mut *stream, flush) });
        Step { consumed, produced, problem: judge(&self.stream, result, flush, false) }
    }

    fn set_params(&mut self, level: i32, strategy: i32) -> Option<Problem> {
        let mut none: [MaybeUninit<u8>; 0] = [];
        // SAFETY: the stream is initialised; everything was flushed before, so nothing is written.
        let (result, ..) = call(&mut self.stream, &[], &mut none, |stream| unsafe {
            z::deflateParams(&raw mut *stream, level, strategy)
        });
        (result != OK && result != BUF_ERROR).then(|| problem(&self.stream, result, "Failed to set parameters"))
    }

    fn reset(&mut self) -> Option<Problem> {
        // SAFETY: the stream is initialised.
        let result = unsafe { z::deflateReset(&raw mut *self.stream) };
        if result != OK {
            return Some(problem(&self.stream, result, "Failed to reset stream"));
        }
        self.set_dictionary()
    }
}

impl Drop for Deflate {
    fn drop(&mut self) {
        // SAFETY: the stream is initialised and ended once.
        unsafe { z::deflateEnd(&raw mut *self.stream) };
    }
}

/// The expected header.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    Zlib,
    Gzip,
    Raw,
    Either,
}

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

pub struct Inflate {
    stream: Box<z::z_stream>,
    form: Form,
    window_bits: i32,
    dictionary: Vec<u8>,
    magic_seen: usize, // for `Either`, which the first bytes decide
    is_gzip: bool,
    is_single: bool, // input after the first end is ignored
}

// SAFETY: only this value uses the state behind the stream's pointers.
unsafe impl Send for Inflate {}
// SAFETY: shared references read nothing.
unsafe impl Sync for Inflate {}

impl Inflate {
    pub fn new(form: Form, window_bits: i32, dictionary: &[u8], is_single: bool) -> Result<Self, String> {
        let mut stream = new_stream();
        let bits = match form {
            Form::Zlib => window_bits,
            Form::Gzip => window_bits + GZIP_BITS,
            Form::Raw => -window_bits,
            Form::Either => window_bits + 2 * GZIP_BITS,
        };
        // SAFETY: the stream is zeroed; zlib checks the parameter.
        let result = unsafe { z::inflateInit2(&raw mut *stream, bits) };
        if result != OK {
            return Err(problem(&stream, result, "Init error").message);
        }
        let is_gzip = form == Form::Gzip;
        let dictionary = dictionary.to_vec();
        let mut codec = Self { stream, form, window_bits: bits, dictionary, magic_seen: 0, is_gzip, is_single };
        match codec.set_raw_dictionary() {
            None => Ok(codec),
            Some(problem) => Err(problem.message),
        }
    }

    fn set_dictionary(&mut self) -> i32 {
        // SAFETY: the stream is initialised and the slice readable.
        unsafe {
            z::inflateSetDictionary(&raw mut *self.stream, self.dictionary.as_ptr(), self.dictionary.len() as u32)
        }
    }

    /// Sets the dictionary of a stream without a header, which never requests it.
    fn set_raw_dictionary(&mut self) -> Option<Problem> {
        if self.form != Form::Raw || self.dictionary.is_empty() {
            return None;
        }
        let result = self.set_dictionary();
        (result != OK).then(|| problem(&self.stream, result, "Failed to set dictionary"))
    }

    /// Examines the first bytes to distinguish gzip from zlib.
    fn detect_header(&mut self, input: &[u8]) {
        if self.form != Form::Either {
            return;
        }
        for &byte in input {
            match self.magic_seen {
                seen @ 0..=1 if byte == GZIP_MAGIC[seen] => self.magic_seen += 1,
                _ => break,
            }
        }
        self.is_gzip = self.magic_seen == GZIP_MAGIC.len();
    }

    fn inflate(&mut self, input: &[u8], flush: i32, output: &mut [MaybeUninit<u8>]) -> (i32, usize, usize) {
        // SAFETY: the stream is initialised, and `call` has pointed it at live slices.
        call(&mut self.stream, input, output, |stream| unsafe { z::inflate(&raw mut *stream, flush) })
    }
}

impl Stream for Inflate {
    fn step(&mut self, input: &[u8], flush: i32, output: &mut [MaybeUninit<u8>]) -> Step {
        self.detect_header(input);
        let (mut result, mut consumed, mut produced) = self.inflate(input, flush, output);
        if result == NEED_DICT && !self.dictionary.is_empty() {
            result = self.set_dictionary();
            if result == OK {
                let (next, more_in, more_out) = self.inflate(&input[consumed..], flush, &mut output[produced..]);
                (result, consumed, produced) = (next, consumed + more_in, produced + more_out);
            } else if result == DATA_ERROR {
                result = NEED_DICT; // the dictionary is not the requested one
            }
        }
        // A gzip file may have several members; trailing zeros are not a member.
        let may_follow = self.is_gzip && !self.is_single;
        while result == STREAM_END && may_follow && input.get(consumed).is_some_and(|&byte| byte != 0) {
            if let Some(problem) = self.reset() {
                return Step { consumed, produced, problem: Some(problem) };
            }
            let (next, more_in, more_out) = self.inflate(&input[consumed..], flush, &mut output[produced..]);
            (result, consumed, produced) = (next, consumed + more_in, produced + more_out);
        }
        Step { consumed, produced, problem: judge(&self.stream, result, flush, !self.dictionary.is_empty()) }
    }

    fn reset(&mut self) -> Option<Problem> {
        // SAFETY: the stream is initialised.
        let result = unsafe { z::inflateReset2(&raw mut *self.stream, self.window_bits) };
        if result != OK {
            return Some(problem(&self.stream, result, "Failed to reset stream"));
        }
        self.set_raw_dictionary()
    }
}

impl Drop for Inflate {
    fn drop(&mut self) {
        // SAFETY: the stream is initialised and ended once.
        unsafe { z::inflateEnd(&raw mut *self.stream) };
    }
}
