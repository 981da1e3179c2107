//! Compression for `node:zlib` and what stands on it: zlib (deflate, gzip, raw), brotli and zstd, one piece after another.
//!
//! A `Codec` owns one stream of one library. It is given input and a flush mode, and gives output up to a limit; what of the
//! input is left it keeps for the next call. It may be used from any thread, by one at a time. Each library has a file.
use std::mem::MaybeUninit;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::class;

mod brotli;
mod deflate;
mod zstd;

/// What is wrong, as Node's errors say it.
struct Problem {
    message: String,
    errno: i32,
    code: String,
}

impl Problem {
    fn new(message: &str, errno: i32, code: &str) -> Self {
        Self { message: message.to_string(), errno, code: code.to_string() }
    }

    fn unexpected_end() -> Self {
        Self::new("unexpected end of file", -5, "Z_BUF_ERROR")
    }
}

/// What one call of a library did. It has nothing more to give for this input when it left room in the output.
struct Step {
    consumed: usize,
    produced: usize,
    problem: Option<Problem>,
}

/// One stream of one library.
trait Stream: Send + Sync {
    /// Read from `input` and write to `output`, with the library's own number of a flush mode.
    fn step(&mut self, input: &[u8], flush: i32, output: &mut [MaybeUninit<u8>]) -> Step;
    /// Change level and strategy between two steps.
    fn set_params(&mut self, _level: i32, _strategy: i32) -> Option<Problem> {
        None
    }
    /// Begin anew, with the same settings.
    fn reset(&mut self) -> Option<Problem>;
}

const FIRST_BYTES: usize = 16 * 1024;
const LARGEST_STEP: usize = 1 << 30; // zlib counts in 32 bits

#[pyclass(module = "rt_supervisor._native")]
struct Codec {
    stream: Box<dyn Stream>,
    input: Option<Py<PyBytes>>,
    at: usize,
}

impl Codec {
    fn of<S: Stream + 'static>(stream: Result<S, String>) -> PyResult<Self> {
        match stream {
            Ok(stream) => Ok(Self { stream: Box::new(stream), input: None, at: 0 }),
            Err(problem) => Err(PyValueError::new_err(problem)),
        }
    }
}

type Told = Option<(String, i32, String)>;

fn told(problem: Option<Problem>) -> Told {
    problem.map(|problem| (problem.message, problem.errno, problem.code))
}

#[pymethods]
impl Codec {
    #[staticmethod]
    fn deflate(
        level: i32,
        window_bits: i32,
        mem_level: i32,
        strategy: i32,
        dictionary: Option<&[u8]>,
    ) -> PyResult<Self> {
        Self::of(deflate::Deflate::new(level, window_bits, mem_level, strategy, dictionary.unwrap_or_default()))
    }

    #[staticmethod]
    fn inflate(kind: &str, window_bits: i32, dictionary: Option<&[u8]>, is_single: bool) -> PyResult<Self> {
        let form = match kind {
            "gunzip" => deflate::Form::Gzip,
            "unzip" => deflate::Form::Either,
            "raw" => deflate::Form::Raw,
            _ => deflate::Form::Zlib,
        };
        Self::of(deflate::Inflate::new(form, window_bits, dictionary.unwrap_or_default(), is_single))
    }

    #[staticmethod]
    fn brotli_encoder(params: Vec<(u32, u32)>, dictionary: Option<&[u8]>) -> PyResult<Self> {
        Self::of(brotli::Encoder::new(&params, dictionary))
    }

    #[staticmethod]
    fn brotli_decoder(params: Vec<(u32, u32)>, dictionary: Option<&[u8]>) -> PyResult<Self> {
        Self::of(brotli::Decoder::new(&params, dictionary))
    }

    #[staticmethod]
    fn zstd_encoder(params: Vec<(i32, i32)>, dictionary: Option<&[u8]>, size: Option<u64>) -> PyResult<Self> {
        Self::of(zstd::Encoder::new(&params, dictionary, size))
    }

    #[staticmethod]
    fn zstd_decoder(params: Vec<(i32, i32)>, dictionary: Option<&[u8]>) -> PyResult<Self> {
        Self::of(zstd::Decoder::new(&params, dictionary))
    }

    /// See the stub.
    fn run<'py>(
        &mut self,
        py: Python<'py>,
        data: Option<Py<PyBytes>>,
        flush: i32,
        limit: usize,
    ) -> (Bound<'py, PyBytes>, usize, bool, Told) {
        if let Some(data) = data {
            self.input = Some(data);
            self.at = 0;
        }
        let kept = self.input.as_ref().map(|input| input.clone_ref(py));
        let input = kept.as_ref().map_or(&[][..], |input| input.bind(py).as_bytes());
        let start = self.at;
        let stream = &mut self.stream;
        let (output, at, has_more, problem) = py.detach(|| run(stream.as_mut(), input, start, flush, limit));
        self.at = at;
        let left = input.len() - at;
        if left == 0 {
            self.input = None;
            self.at = 0;
        }
        (PyBytes::new(py, &output), left, has_more, told(problem))
    }

    fn set_params(&mut self, level: i32, strategy: i32) -> Told {
        told(self.stream.set_params(level, strategy))
    }

    fn reset(&mut self) -> Told {
        self.input = None;
        self.at = 0;
        told(self.stream.reset())
    }
}

/// Step until the library has no more to give, or `limit` bytes are there: (output, place in `input`, whether there may be
/// more, what is wrong).
fn run(
    stream: &mut dyn Stream,
    input: &[u8],
    mut at: usize,
    flush: i32,
    limit: usize,
) -> (Vec<u8>, usize, bool, Option<Problem>) {
    let mut output: Vec<u8> = Vec::new();
    loop {
        if output.len() >= limit {
            return (output, at, true, None);
        }
        let wanted = output.len().max(input.len() / 4).clamp(FIRST_BYTES, LARGEST_STEP).min(limit - output.len());
        output.reserve(wanted);
        let room = output.spare_capacity_mut();
        let room_bytes = room.len().min(wanted);
        let rest = &input[at..];
        let is_part = rest.len() > LARGEST_STEP;
        let piece = &rest[..rest.len().min(LARGEST_STEP)];
        let step = stream.step(piece, if is_part { 0 } else { flush }, &mut room[..room_bytes]);
        // SAFETY: the step has written so many bytes of the room.
        unsafe { output.set_len(output.len() + step.produced) };
        at += step.consumed;
        if step.problem.is_some() {
            return (output, at, false, step.problem);
        }
        if step.produced < room_bytes && (!is_part || step.consumed == 0) {
            return (output, at, false, None);
        }
    }
}

/// `crc32(data, value)` as of zlib.
#[pyfunction]
fn crc32(data: &[u8], value: u32) -> u32 {
    deflate::crc32(data, value)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<Codec>(module)?;
    module.add_function(wrap_pyfunction!(crc32, module)?)
}
