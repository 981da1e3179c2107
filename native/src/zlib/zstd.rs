//! The Zstandard encoder and decoder.
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use zstd_sys as s;

use super::{Problem, Step, Stream};

const END: i32 = 2;
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

fn is_error(result: usize) -> bool {
    // SAFETY: the call takes a number.
    unsafe { s::ZSTD_isError(result) != 0 }
}

fn problem(result: usize) -> Problem {
    // SAFETY: the calls take a number; the texts are static.
    let (code, text) = unsafe {
        let code = s::ZSTD_getErrorCode(result);
        (code, CStr::from_ptr(s::ZSTD_getErrorString(code)).to_string_lossy().into_owned())
    };
    Problem::new(&text, code as i32, &format!("{code:?}"))
}

pub struct Encoder {
    context: NonNull<s::ZSTD_CCtx>,
    size: Option<u64>,
    fed: u64,
}

// SAFETY: only this value uses the context.
unsafe impl Send for Encoder {}
// SAFETY: shared references read nothing.
unsafe impl Sync for Encoder {}

impl Encoder {
    pub fn new(params: &[(i32, i32)], dictionary: Option<&[u8]>, size: Option<u64>) -> Result<Self, String> {
        // SAFETY: zstd uses its own allocator.
        let context = NonNull::new(unsafe { s::ZSTD_createCCtx() }).ok_or("Could not initialize zstd instance")?;
        let mut codec = Self { context, size, fed: 0 };
        for &(key, value) in params {
            // SAFETY: zstd's parameter numbers are plain C integers, and it refuses unknown ones.
            let result = unsafe { set_parameter(codec.context.as_ptr(), key, value) };
            if is_error(result) {
                return Err("Setting parameter failed".to_string());
            }
        }
        if let Some(dictionary) = dictionary {
            // SAFETY: the slice is readable and copied.
            let result = unsafe {
                s::ZSTD_CCtx_loadDictionary(codec.context.as_ptr(), dictionary.as_ptr().cast(), dictionary.len())
            };
            if is_error(result) {
                return Err("Failed to load zstd dictionary".to_string());
            }
        }
        match codec.announce_size() {
            None => Ok(codec),
            Some(_) => Err("Could not set pledged src size".to_string()),
        }
    }

    fn announce_size(&mut self) -> Option<Problem> {
        let size = self.size?;
        // SAFETY: the context is live.
        let result = unsafe { s::ZSTD_CCtx_setPledgedSrcSize(self.context.as_ptr(), size) };
        is_error(result).then(|| problem(result))
    }
}

unsafe extern "C" {
    // The binding declares enums here, which must not hold other numbers.
    #[link_name = "ZSTD_CCtx_setParameter"]
    fn set_parameter(context: *mut s::ZSTD_CCtx, key: i32, value: i32) -> usize;
    #[link_name = "ZSTD_DCtx_setParameter"]
    fn set_decoder_parameter(context: *mut s::ZSTD_DCtx, key: i32, value: i32) -> usize;
}

impl Stream for Encoder {
    fn step(&mut self, input: &[u8], flush: i32, output: &mut [MaybeUninit<u8>]) -> Step {
        let mut from = s::ZSTD_inBuffer { src: input.as_ptr().cast(), size: input.len(), pos: 0 };
        let mut to = s::ZSTD_outBuffer { dst: output.as_mut_ptr().cast(), size: output.len(), pos: 0 };
        let mode = match flush {
            0 => s::ZSTD_EndDirective::ZSTD_e_continue,
            1 => s::ZSTD_EndDirective::ZSTD_e_flush,
            _ => s::ZSTD_EndDirective::ZSTD_e_end,
        };
        // SAFETY: the context is live, and the buffers describe live slices.
        let result = unsafe { s::ZSTD_compressStream2(self.context.as_ptr(), &raw mut to, &raw mut from, mode) };
        self.fed += from.pos as u64;
        let problem = if is_error(result) {
            Some(problem(result))
        } else {
            // zstd ignores the announced size if all input comes at once.
            let is_other_size = flush == END && from.pos == from.size && self.size.is_some_and(|size| size != self.fed);
            is_other_size.then(|| Problem::new("Src size is incorrect", 72, "ZSTD_error_srcSize_wrong"))
        };
        Step { consumed: from.pos, produced: to.pos, problem }
    }

    fn reset(&mut self) -> Option<Problem> {
        self.fed = 0;
        // SAFETY: the context is live; its parameters and dictionary are kept.
        let result =
            unsafe { s::ZSTD_CCtx_reset(self.context.as_ptr(), s::ZSTD_ResetDirective::ZSTD_reset_session_only) };
        if is_error(result) { Some(problem(result)) } else { self.announce_size() }
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        // SAFETY: the context is live and freed once.
        unsafe { s::ZSTD_freeCCtx(self.context.as_ptr()) };
    }
}

pub struct Decoder {
    context: NonNull<s::ZSTD_DCtx>,
    is_complete: bool, // a frame has ended and no other has begun
}

// SAFETY: only this value uses the context.
unsafe impl Send for Decoder {}
// SAFETY: shared references read nothing.
unsafe impl Sync for Decoder {}

impl Decoder {
    pub fn new(params: &[(i32, i32)], dictionary: Option<&[u8]>) -> Result<Self, String> {
        // SAFETY: zstd uses its own allocator.
        let context = NonNull::new(unsafe { s::ZSTD_createDCtx() }).ok_or("Could not initialize zstd instance")?;
        let codec = Self { context, is_complete: false };
        for &(key, value) in params {
            // SAFETY: the context is live; zstd refuses unknown numbers.
            if is_error(unsafe { set_decoder_parameter(codec.context.as_ptr(), key, value) }) {
                return Err("Setting parameter failed".to_string());
            }
        }
        if let Some(dictionary) = dictionary {
            // SAFETY: the slice is readable and copied.
            let result = unsafe {
                s::ZSTD_DCtx_loadDictionary(codec.context.as_ptr(), dictionary.as_ptr().cast(), dictionary.len())
            };
            if is_error(result) {
                return Err("Failed to load zstd dictionary".to_string());
            }
        }
        Ok(codec)
    }
}

impl Stream for Decoder {
    fn step(&mut self, input: &[u8], flush: i32, output: &mut [MaybeUninit<u8>]) -> Step {
        let mut from = s::ZSTD_inBuffer { src: input.as_ptr().cast(), size: input.len(), pos: 0 };
        let mut to = s::ZSTD_outBuffer { dst: output.as_mut_ptr().cast(), size: output.len(), pos: 0 };
        if self.is_complete && !input.starts_with(&MAGIC) {
            return Step { consumed: 0, produced: 0, problem: None }; // the rest is not a frame
        }
        loop {
            // SAFETY: the context is live, and the buffers describe live slices.
            let result = unsafe { s::ZSTD_decompressStream(self.context.as_ptr(), &raw mut to, &raw mut from) };
            self.is_complete = result == 0;
            let problem = if is_error(result) {
                Some(problem(result))
            } else if self.is_complete && to.pos < to.size && input[from.pos..].starts_with(&MAGIC) {
                continue; // another frame
            } else {
                (result != 0 && flush == END && to.pos < to.size).then(Problem::unexpected_end)
            };
            return Step { consumed: from.pos, produced: to.pos, problem };
        }
    }

    fn reset(&mut self) -> Option<Problem> {
        self.is_complete = false;
        // SAFETY: the context is live; its parameters and dictionary are kept.
        let result =
            unsafe { s::ZSTD_DCtx_reset(self.context.as_ptr(), s::ZSTD_ResetDirective::ZSTD_reset_session_only) };
        is_error(result).then(|| problem(result))
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: the context is live and freed once.
        unsafe { s::ZSTD_freeDCtx(self.context.as_ptr()) };
    }
}
