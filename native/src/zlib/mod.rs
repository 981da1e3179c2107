//! Compression for `node:zlib` and its users: zlib (deflate, gzip, raw), brotli and zstd, in chunks.
//!
//! A `Codec` owns one stream of one library. It takes input and a flush mode, returns output up to a limit, and keeps
//! unread input for the next call. Any thread may use it, but only one at a time. Each library has a file; `operations`
//! has the functions for JavaScript, which need no Python; `frames` has those for Python.
use std::mem::MaybeUninit;

mod brotli;
mod deflate;
mod frames;
mod operations;
mod zstd;

pub use frames::register;
pub use operations::OPERATIONS;

/// An error in Node's form.
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

/// The result of one library call. If it leaves room in the output, there is nothing more for this input.
struct Step {
    consumed: usize,
    produced: usize,
    problem: Option<Problem>,
}

/// One stream of one library.
trait Stream: Send + Sync {
    /// Read from `input` and write to `output`, with the library's own value for a flush mode.
    fn step(&mut self, input: &[u8], flush: i32, output: &mut [MaybeUninit<u8>]) -> Step;
    /// Change level and strategy between two steps.
    fn set_params(&mut self, _level: i32, _strategy: i32) -> Option<Problem> {
        None
    }
    /// Resets the stream, keeping its settings.
    fn reset(&mut self) -> Option<Problem>;
}

const FIRST_BYTES: usize = 16 * 1024;
const LARGEST_STEP: usize = 1 << 30; // zlib counts in 32 bits

/// A stream and its unread input.
struct Codec {
    stream: Box<dyn Stream>,
    rest: Vec<u8>,
    at: usize,
}

/// The result of a step: about as many bytes as requested, at most.
struct StepOutput {
    output: Vec<u8>,
    /// How many bytes of input are unread.
    left: usize,
    /// Whether there may be more output.
    has_more: bool,
    problem: Option<Problem>,
}

impl Codec {
    fn of<S: Stream + 'static>(stream: S) -> Self {
        Self { stream: Box::new(stream), rest: Vec::new(), at: 0 }
    }

    /// Replaces the unread input by `data`.
    fn take(&mut self, data: Vec<u8>) {
        self.rest = data;
        self.at = 0;
    }

    /// Continue with the unread input.
    fn resume(&mut self, flush: i32, limit: usize) -> StepOutput {
        let (output, at, has_more, problem) = run(self.stream.as_mut(), &self.rest, self.at, flush, limit);
        self.at = at;
        let left = self.rest.len() - at;
        if left == 0 {
            self.take(Vec::new());
        }
        StepOutput { output, left, has_more, problem }
    }

    /// Process `data`, copying only what remains unread.
    fn run(&mut self, data: &[u8], flush: i32, limit: usize) -> StepOutput {
        let (output, at, has_more, problem) = run(self.stream.as_mut(), data, 0, flush, limit);
        let left = data.len() - at;
        self.take(data[at..].to_vec());
        StepOutput { output, left, has_more, problem }
    }

    fn reset(&mut self) -> Option<Problem> {
        self.take(Vec::new());
        self.stream.reset()
    }
}

/// Step until the library has no more output, or there are `limit` bytes: (output, position in `input`, whether there
/// may be more, error).
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
        // SAFETY: the step has written that many bytes of the spare capacity.
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
