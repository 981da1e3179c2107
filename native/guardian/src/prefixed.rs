//! What a run of several scripts prints off a terminal: their lines with a label in front, how they ended, what failed. The
//! same as `rt_supervisor/output/displays/prefixed.py` and `rt_supervisor/output/reports/failures.py`; every word comes from
//! the plan.
//!
//! A line that is not yet complete is kept until it is, or, once it is long, passed through while it holds the output, so
//! that lines of two scripts never mix and memory stays bounded. Nothing is written here: bytes come back with their sink.
use std::collections::{BTreeMap, HashMap};
use std::ffi::c_int;

use rt_wire::outcome::Outcome;
use rt_wire::plan::{Plan, Step};

const LONGEST_KEPT_LINE: usize = 64 * 1024;
/// From here on a duration is told in seconds.
const A_SECOND: f64 = 0.9995;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sink {
    Out,
    Err,
}

/// A stream of a script: the key of its task, and its descriptor there.
pub type Source = (u32, c_int);

/// One stream of one script on its way out.
struct Prefixer {
    prefix: Vec<u8>,
    tail: Vec<u8>,
    /// The beginning of an unfinished line has been written: the output is held.
    is_mid_line: bool,
}

impl Prefixer {
    /// What is to be written of a block: the lines that it completes; what it leaves unfinished is kept, or passed through.
    fn feed(&mut self, block: &[u8], to: &mut Vec<u8>) {
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

    fn flush(&mut self, to: &mut Vec<u8>) {
        if self.is_mid_line || !self.tail.is_empty() {
            self.feed(b"\n", to);
        }
    }
}

/// Where the first line of `bytes` ends, its line end with it.
fn line_end(bytes: &[u8]) -> Option<usize> {
    // SAFETY: looks at as many bytes as there are, and returns a place among them or null.
    let found = unsafe { libc::memchr(bytes.as_ptr().cast(), c_int::from(b'\n'), bytes.len()) };
    (!found.is_null()).then(|| found as usize - bytes.as_ptr() as usize + 1)
}

pub struct Display<'a> {
    plan: &'a Plan,
    streams: HashMap<Source, Prefixer>,
    holder: Option<Source>,
    /// By task: the step that failed last, and how.
    failed: BTreeMap<u32, (usize, Outcome)>,
    interrupted: Vec<u32>,
    /// Those that did not run, with the reason.
    skipped: Vec<(u32, Vec<u8>)>,
}

impl<'a> Display<'a> {
    pub fn new(plan: &'a Plan) -> Display<'a> {
        Display {
            plan,
            streams: HashMap::new(),
            holder: None,
            failed: BTreeMap::new(),
            interrupted: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// The stream whose unfinished line has been written in part: no other may be read until that line ends.
    pub fn holder(&self) -> Option<Source> {
        self.holder
    }

    /// A block that step `step` wrote.
    pub fn block(&mut self, source: Source, step: usize, block: &[u8]) -> (Sink, Vec<u8>) {
        let prefix = self.step(source.0, step).map_or(&b""[..], |step| &step.prefix);
        let made = || Prefixer { prefix: prefix.to_vec(), tail: Vec::new(), is_mid_line: false };
        let prefixer = self.streams.entry(source).or_insert_with(made);
        let mut to = Vec::with_capacity(block.len() * 2);
        prefixer.feed(block, &mut to);
        self.holder = prefixer.is_mid_line.then_some(source);
        (self.sink_of(source.1), to)
    }

    /// No more comes from a stream.
    pub fn drained(&mut self, source: Source) -> (Sink, Vec<u8>) {
        let mut to = Vec::new();
        if let Some(mut prefixer) = self.streams.remove(&source) {
            prefixer.flush(&mut to);
            if self.holder == Some(source) {
                self.holder = None;
            }
        }
        (self.sink_of(source.1), to)
    }

    /// A step ended; `requested`: because rt asked for it.
    pub fn ended(
        &mut self,
        task: u32,
        step: usize,
        outcome: Outcome,
        requested: bool,
        seconds: f64,
    ) -> (Sink, Vec<u8>) {
        let words = &self.plan.words;
        let text = match outcome {
            Outcome::Exited(0) if !words.done.is_empty() => [&words.done[..], duration(seconds).as_bytes()].concat(),
            Outcome::Exited(code) => [&words.exited[..], code.to_string().as_bytes()].concat(),
            Outcome::Signaled(number) => [&words.signaled[..], words.signal(number)].concat(),
        };
        if outcome != Outcome::Exited(0) {
            self.failed.insert(task, (step, outcome));
            if matches!(outcome, Outcome::Signaled(number) if requested || number == libc::SIGINT) {
                self.interrupted.push(task);
            }
        }
        self.said(task, step, &text)
    }

    /// A step does not run.
    pub fn skipped(&self, task: u32, step: usize) -> (Sink, Vec<u8>) {
        match &self.plan.words.skipped {
            words if words.is_empty() => (Sink::Out, Vec::new()),
            words => self.said(task, step, words),
        }
    }

    /// A whole task does not run, and why.
    pub fn note_skipped(&mut self, task: u32, because: &[u8]) {
        self.skipped.push((task, because.to_vec()));
    }

    /// The last words of the run: what failed, and what did not run because of it; often none.
    pub fn failures(&self) -> Vec<u8> {
        let words = &self.plan.failures;
        let failed = self.failed.iter().filter(|(task, _)| !self.interrupted.contains(task));
        let count = failed.clone().count();
        let is_wanted = (words.tells_skipped && !self.skipped.is_empty()) || words.is_always;
        if count == 0 || !is_wanted {
            return Vec::new();
        }
        let mut to = [&words.head.0[..], count.to_string().as_bytes(), &words.head.1].concat();
        for (task, (step, outcome)) in failed {
            let name = self.step(*task, *step).map_or(&b""[..], |step| &step.name);
            let (between, end) = match outcome {
                Outcome::Exited(code) => (&words.exited, code.to_string().into_bytes()),
                Outcome::Signaled(number) => (&words.ended, self.plan.words.signal(*number).to_vec()),
            };
            to.extend_from_slice(&[b"  ", name, between, &end, b"\n"].concat());
        }
        for (task, because) in &self.skipped {
            let label = self.plan.tasks.get(*task as usize).map_or(&b""[..], |task| &task.label);
            let failed = if *because == words.another { &b""[..] } else { &words.failed };
            to.extend_from_slice(&[b"  ", label, &words.did_not_run, because, failed, b"\n"].concat());
        }
        to
    }

    fn said(&self, task: u32, step: usize, text: &[u8]) -> (Sink, Vec<u8>) {
        let sink = if self.plan.is_joined { Sink::Out } else { Sink::Err };
        let prefix = self.step(task, step).map_or(&b""[..], |step| &step.prefix);
        (sink, [prefix, text, b"\n"].concat())
    }

    fn sink_of(&self, stream: c_int) -> Sink {
        if stream == libc::STDERR_FILENO && !self.plan.is_joined { Sink::Err } else { Sink::Out }
    }

    fn step(&self, task: u32, step: usize) -> Option<&'a Step> {
        self.plan.tasks.get(task as usize)?.steps.get(step)
    }
}

/// "12ms", or "1.23s" from a second on.
fn duration(seconds: f64) -> String {
    if seconds < A_SECOND { format!("{:.0}ms", seconds * 1000.0) } else { format!("{seconds:.2}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fed(blocks: &[&[u8]]) -> (Vec<u8>, bool) {
        let mut one = Prefixer { prefix: b"a: ".to_vec(), tail: Vec::new(), is_mid_line: false };
        let mut to = Vec::new();
        blocks.iter().for_each(|block| one.feed(block, &mut to));
        let held = one.is_mid_line;
        one.flush(&mut to);
        (to, held)
    }

    #[test]
    fn each_line_has_its_prefix_however_it_is_cut() {
        let text = b"one\n\ntwo\nthree";
        for at in 0..text.len() {
            assert_eq!(fed(&[&text[..at], &text[at..]]), (b"a: one\na: \na: two\na: three\n".to_vec(), false));
        }
    }

    #[test]
    fn a_long_line_is_passed_through() {
        let long = vec![b'x'; LONGEST_KEPT_LINE];
        let (to, held) = fed(&[b"begin", &long, b"end\nnext\n"]);
        assert_eq!(to, [b"a: begin", &long[..], b"end\na: next\n"].concat());
        assert!(!held);
        assert!(fed(&[b"begin", &long]).1);
    }

    #[test]
    fn durations_are_told_as_python_tells_them() {
        let told = [0.0, 0.0014, 0.9994, 0.9995, 1.0, 61.238].map(duration);
        assert_eq!(told, ["0ms", "1ms", "999ms", "1.00s", "1.00s", "61.24s"]);
    }
}
