//! The Brotli encoder and decoder.
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr::{NonNull, null_mut};

use brotlic_sys as b;

use super::{Problem, Step, Stream};

const FINISH: i32 = 2;
const RAW_DICTIONARY: u32 = 0; // raw bytes, not brotli's own format
const BEST_QUALITY: i32 = 11;

type Params = Vec<(u32, u32)>;

pub struct Encoder {
    state: NonNull<b::BrotliEncoderState>,
    prepared: Option<NonNull<b::BrotliEncoderPreparedDictionary>>,
    dictionary: Vec<u8>, // must outlive what was prepared from it
    params: Params,
}

// SAFETY: only this value uses the state.
unsafe impl Send for Encoder {}
// SAFETY: shared references read nothing.
unsafe impl Sync for Encoder {}

impl Encoder {
    pub fn new(params: &[(u32, u32)], dictionary: Option<&[u8]>) -> Result<Self, String> {
        let dictionary = dictionary.unwrap_or_default().to_vec();
        let prepared = if dictionary.is_empty() { None } else { Some(prepare(&dictionary)?) };
        let state = new_encoder(params, prepared)?;
        Ok(Self { state, prepared, dictionary, params: params.to_vec() })
    }
}

fn prepare(dictionary: &[u8]) -> Result<NonNull<b::BrotliEncoderPreparedDictionary>, String> {
    // SAFETY: the slice is readable and outlives what is prepared from it.
    let prepared = unsafe {
        b::BrotliEncoderPrepareDictionary(
            RAW_DICTIONARY as _,
            dictionary.len(),
            dictionary.as_ptr(),
            BEST_QUALITY,
            None,
            None,
            null_mut(),
        )
    };
    NonNull::new(prepared).ok_or_else(|| "Failed to prepare brotli dictionary".to_string())
}

fn new_encoder(
    params: &[(u32, u32)],
    prepared: Option<NonNull<b::BrotliEncoderPreparedDictionary>>,
) -> Result<NonNull<b::BrotliEncoderState>, String> {
    // SAFETY: brotli uses its own allocator; the results are checked, and their owners free them.
    unsafe {
        let state = NonNull::new(b::BrotliEncoderCreateInstance(None, None, null_mut()))
            .ok_or("Could not initialize Brotli instance")?;
        let is_set =
            params.iter().all(|&(key, value)| b::BrotliEncoderSetParameter(state.as_ptr(), key as _, value) != 0);
        let is_attached = prepared
            .is_none_or(|prepared| b::BrotliEncoderAttachPreparedDictionary(state.as_ptr(), prepared.as_ptr()) != 0);
        if is_set && is_attached {
            return Ok(state);
        }
        b::BrotliEncoderDestroyInstance(state.as_ptr());
        Err(if is_set { "Failed to attach brotli dictionary" } else { "Initialization failed" }.to_string())
    }
}

impl Stream for Encoder {
    fn step(&mut self, input: &[u8], flush: i32, output: &mut [MaybeUninit<u8>]) -> Step {
        let (mut in_left, mut out_left) = (input.len(), output.len());
        let (mut next_in, mut next_out) = (input.as_ptr(), output.as_mut_ptr().cast::<u8>());
        // SAFETY: the state is live; the pointers and lengths describe live slices.
        let is_done = unsafe {
            b::BrotliEncoderCompressStream(
                self.state.as_ptr(),
                flush as _,
                &raw mut in_left,
                &raw mut next_in,
                &raw mut out_left,
                &raw mut next_out,
                null_mut(),
            )
        };
        let problem = (is_done == 0).then(|| Problem::new("Compression failed", -1, "ERR_BROTLI_COMPRESSION_FAILED"));
        Step { consumed: input.len() - in_left, produced: output.len() - out_left, problem }
    }

    fn reset(&mut self) -> Option<Problem> {
        match new_encoder(&self.params, self.prepared) {
            Ok(state) => {
                // SAFETY: the old state is not used any more.
                unsafe { b::BrotliEncoderDestroyInstance(self.state.as_ptr()) };
                self.state = state;
                None
            }
            Err(message) => Some(Problem::new(&message, -1, "ERR_ZLIB_INITIALIZATION_FAILED")),
        }
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        // SAFETY: the values are live and freed once, the state before the dictionary it refers to.
        unsafe {
            b::BrotliEncoderDestroyInstance(self.state.as_ptr());
            if let Some(prepared) = self.prepared {
                b::BrotliEncoderDestroyPreparedDictionary(prepared.as_ptr());
            }
        }
        self.dictionary.clear();
    }
}

pub struct Decoder {
    state: NonNull<b::BrotliDecoderState>,
    dictionary: Vec<u8>, // must outlive the state
    params: Params,
}

// SAFETY: only this value uses the state.
unsafe impl Send for Decoder {}
// SAFETY: shared references read nothing.
unsafe impl Sync for Decoder {}

impl Decoder {
    pub fn new(params: &[(u32, u32)], dictionary: Option<&[u8]>) -> Result<Self, String> {
        let dictionary = dictionary.unwrap_or_default().to_vec();
        let state = new_decoder(params, &dictionary)?;
        Ok(Self { state, dictionary, params: params.to_vec() })
    }
}

fn new_decoder(params: &[(u32, u32)], dictionary: &[u8]) -> Result<NonNull<b::BrotliDecoderState>, String> {
    // SAFETY: brotli uses its own allocator; the dictionary outlives the state.
    unsafe {
        let state = NonNull::new(b::BrotliDecoderCreateInstance(None, None, null_mut()))
            .ok_or("Could not initialize Brotli instance")?;
        let is_set =
            params.iter().all(|&(key, value)| b::BrotliDecoderSetParameter(state.as_ptr(), key as _, value) != 0);
        let is_attached = dictionary.is_empty()
            || b::BrotliDecoderAttachDictionary(
                state.as_ptr(),
                RAW_DICTIONARY as _,
                dictionary.len(),
                dictionary.as_ptr(),
            ) != 0;
        if is_set && is_attached {
            return Ok(state);
        }
        b::BrotliDecoderDestroyInstance(state.as_ptr());
        Err(if is_set { "Failed to attach brotli dictionary" } else { "Initialization failed" }.to_string())
    }
}

impl Stream for Decoder {
    fn step(&mut self, input: &[u8], flush: i32, output: &mut [MaybeUninit<u8>]) -> Step {
        let (mut in_left, mut out_left) = (input.len(), output.len());
        let (mut next_in, mut next_out) = (input.as_ptr(), output.as_mut_ptr().cast::<u8>());
        // SAFETY: the state is live; the pointers and lengths describe live slices.
        let result = unsafe {
            b::BrotliDecoderDecompressStream(
                self.state.as_ptr(),
                &raw mut in_left,
                &raw mut next_in,
                &raw mut out_left,
                &raw mut next_out,
                null_mut(),
            )
        } as i32;
        const NEEDS_MORE_INPUT: i32 = 2;
        let problem = match result {
            0 => Some(self.failure()),
            NEEDS_MORE_INPUT if flush == FINISH => Some(Problem::unexpected_end()),
            _ => None,
        };
        Step { consumed: input.len() - in_left, produced: output.len() - out_left, problem }
    }

    fn reset(&mut self) -> Option<Problem> {
        match new_decoder(&self.params, &self.dictionary) {
            Ok(state) => {
                // SAFETY: the old state is not used any more.
                unsafe { b::BrotliDecoderDestroyInstance(self.state.as_ptr()) };
                self.state = state;
                None
            }
            Err(message) => Some(Problem::new(&message, -1, "ERR_ZLIB_INITIALIZATION_FAILED")),
        }
    }
}

impl Decoder {
    fn failure(&self) -> Problem {
        // SAFETY: the state is live; the texts are static.
        unsafe {
            let code = b::BrotliDecoderGetErrorCode(self.state.as_ptr());
            let text = b::BrotliDecoderErrorString(code);
            let text = if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() };
            Problem::new("Decompression failed", code as i32, &format!("ERR_{text}"))
        }
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: the state is live and freed once.
        unsafe { b::BrotliDecoderDestroyInstance(self.state.as_ptr()) };
    }
}
