//! Prints a run line by line: each line of a script with the prefix of its step, and a line about the end of each step.
//!
//! An incomplete line is buffered; a long one is passed through and holds the output meanwhile, so that lines of two scripts
//! never mix and memory stays bounded. Nothing is written here: bytes are returned with their sink.
use std::collections::HashMap;
use std::ffi::c_int;

use rt_wire::outcome::Outcome;
use rt_wire::plan::{Plan, TaskStep};
use rt_wire::protocol::Bytes;
use rt_wire::template::fill;

use super::events::StepEnd;
use super::output::Sink;

const LONGEST_KEPT_LINE: usize = 64 * 1024;
/// From here on, a duration is printed in seconds.
const A_SECOND: f64 = 0.9995;

/// A stream of a script: the key of its task, and its descriptor there.
pub type Source = (u32, c_int);

/// Removes control sequences that must not reach a terminal from the blocks of one stream.
pub type Cleaner = Box<dyn FnMut(&[u8]) -> Bytes + Send>;

/// Makes a cleaner for each stream that goes to a sink; None if its bytes are not changed.
pub type MakeCleaner = Box<dyn Fn(Sink) -> Option<Cleaner> + Send>;

/// One stream of one script.
struct Stream {
    prefix: Bytes,
    tail: Bytes,
    /// The beginning of an unfinished line has been written: the stream holds the output.
    is_mid_line: bool,
    cleaner: Option<Cleaner>,
}

impl Stream {
    /// Appends to `to` the lines that `block` completes. Its incomplete end is buffered or passed through.
    fn feed(&mut self, block: &[u8], to: &mut Bytes) {
        let mut rest = block;
        while let Some(end) = line_end(rest) {
            let (line, after) = rest.split_at(end);
            if !self.is_mid_line {
                to.extend_from_slice(&self.prefix);
            }
            to.append(&mut self.tail);
            to.extend_from_slice(line);
            self.is_mid_line = false;
            rest = after;
        }
        if self.is_mid_line {
            to.extend_from_slice(rest);
        } else if self.tail.len() + rest.len() > LONGEST_KEPT_LINE {
            self.is_mid_line = true;
            to.extend_from_slice(&self.prefix);
            to.append(&mut self.tail);
            to.extend_from_slice(rest);
        } else {
            self.tail.extend_from_slice(rest);
        }
    }

    /// Ends an unfinished line.
    fn flush(&mut self, to: &mut Bytes) {
        if self.is_mid_line || !self.tail.is_empty() {
            self.feed(b"\n", to);
        }
    }
}

/// Returns where the first line of `bytes` ends, after its newline.
fn line_end(bytes: &[u8]) -> Option<usize> {
    memchr::memchr(b'\n', bytes).map(|at| at + 1)
}

#[derive(Default)]
pub struct Printer {
    streams: HashMap<Source, Stream>,
    holder: Option<Source>,
    make_cleaner: Option<MakeCleaner>,
}

impl Printer {
    pub fn new(make_cleaner: Option<MakeCleaner>) -> Printer {
        Printer { make_cleaner, ..Printer::default() }
    }

    /// The stream whose unfinished line has been written in part. Until that line ends, no other stream may be read.
    pub fn holder(&self) -> Option<Source> {
        self.holder
    }

    /// Returns the text to print for a block that `step` wrote.
    pub fn block(&mut self, plan: &Plan, source: Source, step: &TaskStep, block: &[u8]) -> (Sink, Bytes) {
        let sink = sink_of(plan, source.1);
        let make_cleaner = &self.make_cleaner;
        let stream = self.streams.entry(source).or_insert_with(|| Stream {
            prefix: step.prefix.clone(),
            tail: Vec::new(),
            is_mid_line: false,
            cleaner: make_cleaner.as_ref().and_then(|make| make(sink)),
        });
        let cleaned = stream.cleaner.as_mut().map(|clean| clean(block));
        let block = cleaned.as_deref().unwrap_or(block);
        let mut to = Vec::with_capacity(block.len() * 2);
        stream.feed(block, &mut to);
        self.holder = stream.is_mid_line.then_some(source);
        (sink, to)
    }

    /// Returns the text to print at the end of a stream.
    pub fn finish_stream(&mut self, plan: &Plan, source: Source) -> (Sink, Bytes) {
        let mut to = Vec::new();
        if let Some(mut stream) = self.streams.remove(&source) {
            stream.flush(&mut to);
            if self.holder == Some(source) {
                self.holder = None;
            }
        }
        (sink_of(plan, source.1), to)
    }

    pub fn step_end_line(&self, plan: &Plan, step: &TaskStep, end: StepEnd) -> (Sink, Bytes) {
        let words = &plan.words;
        let text = match end.outcome {
            Outcome::Exited(0) if !words.done.is_empty() => {
                fill(&words.done, &[("duration", duration(end.seconds).as_bytes())])
            }
            Outcome::Exited(code) => fill(&words.exited, &[("code", code.to_string().as_bytes())]),
            Outcome::Signaled(number) => fill(&words.signaled, &[("signal", words.signal(number))]),
        };
        line(plan, step, &text)
    }

    pub fn skip_line(&self, plan: &Plan, step: &TaskStep) -> (Sink, Bytes) {
        match &plan.words.skipped {
            words if words.is_empty() => (Sink::Out, Vec::new()),
            words => line(plan, step, words),
        }
    }
}

/// A line of rt itself about `step`.
pub fn line(plan: &Plan, step: &TaskStep, text: &[u8]) -> (Sink, Bytes) {
    let sink = if plan.is_joined { Sink::Out } else { Sink::Err };
    (sink, [&step.prefix[..], text, b"\n"].concat())
}

fn sink_of(plan: &Plan, stream: c_int) -> Sink {
    if stream == libc::STDERR_FILENO && !plan.is_joined { Sink::Err } else { Sink::Out }
}

/// "12ms", or "1.23s" from a second on.
fn duration(seconds: f64) -> String {
    if seconds < A_SECOND { format!("{:.0}ms", seconds * 1000.0) } else { format!("{seconds:.2}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(blocks: &[&[u8]]) -> (Bytes, bool) {
        let mut stream = Stream { prefix: b"a: ".to_vec(), tail: Vec::new(), is_mid_line: false, cleaner: None };
        let mut to = Vec::new();
        blocks.iter().for_each(|block| stream.feed(block, &mut to));
        let holds = stream.is_mid_line;
        stream.flush(&mut to);
        (to, holds)
    }

    #[test]
    fn each_line_gets_the_prefix_however_the_stream_is_cut() {
        let text = b"one\n\ntwo\r\xff\0\nthree";
        let expected = b"a: one\na: \na: two\r\xff\0\na: three\n".to_vec();
        for first in 0..text.len() {
            for second in first..text.len() {
                let blocks = [&text[..first], &text[first..second], &text[second..]];
                assert_eq!(feed(&blocks), (expected.clone(), false));
            }
        }
    }

    #[test]
    fn a_long_line_is_passed_through_and_holds_the_output() {
        let long = vec![b'x'; LONGEST_KEPT_LINE];
        let (to, holds) = feed(&[b"begin", &long, b"end\nnext\n"]);
        assert_eq!(to, [b"a: begin", &long[..], b"end\na: next\n"].concat());
        assert!(!holds);
        assert!(feed(&[b"begin", &long]).1);
        assert!(!feed(&[&long]).1);
    }

    #[test]
    fn durations_are_printed_in_milliseconds_up_to_a_second() {
        let printed = [0.0, 0.0014, 0.9994, 0.9995, 1.0, 61.238].map(duration);
        assert_eq!(printed, ["0ms", "1ms", "999ms", "1.00s", "1.00s", "61.24s"]);
    }
}
