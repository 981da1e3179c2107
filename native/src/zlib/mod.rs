//! Compression for `node:zlib` and what stands on it: zlib (deflate, gzip, raw), brotli and zstd, one piece after another.
//!
//! A `Codec` owns one stream of one library. It is given input and a flush mode, and gives output up to a limit; what of the
//! input is left it keeps for the next call. It may be used from any thread, by one at a time. Each library has a file, and
//! `operations` is what JavaScript asks of them, without Python.
use std::mem::MaybeUninit;

mod brotli;
mod deflate;
mod operations;
mod zstd;

pub use operations::OPERATIONS;

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

/// One stream, and what of its input is left.
struct Codec {
    stream: Box<dyn Stream>,
    rest: Vec<u8>,
    at: usize,
}

/// What one step gives: at most about as many bytes as were asked for.
struct Given {
    output: Vec<u8>,
    /// How many bytes of the input are left.
    left: usize,
    /// Whether there may be more to give.
    has_more: bool,
    problem: Option<Problem>,
}

impl Codec {
    fn of<S: Stream + 'static>(stream: S) -> Self {
        Self { stream: Box::new(stream), rest: Vec::new(), at: 0 }
    }

    /// Take `data` in place of what is left of the input.
    fn take(&mut self, data: Vec<u8>) {
        self.rest = data;
        self.at = 0;
    }

    /// Go on with what is left of the input.
    fn go_on(&mut self, flush: i32, limit: usize) -> Given {
        let (output, at, has_more, problem) = run(self.stream.as_mut(), &self.rest, self.at, flush, limit);
        self.at = at;
        let left = self.rest.len() - at;
        if left == 0 {
            self.take(Vec::new());
        }
        Given { output, left, has_more, problem }
    }

    /// Take `data`, of which only what is left is copied, and go on with it.
    fn run(&mut self, data: &[u8], flush: i32, limit: usize) -> Given {
        let (output, at, has_more, problem) = run(self.stream.as_mut(), data, 0, flush, limit);
        let left = data.len() - at;
        self.take(data[at..].to_vec());
        Given { output, left, has_more, problem }
    }

    fn reset(&mut self) -> Option<Problem> {
        self.take(Vec::new());
        self.stream.reset()
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
