//! One side of a connection: a sequence of messages, parsed from pieces of any size.
//!
//!     head --> body (by length, chunked, or until the end) --> head …; upgrade and failure end it
use memchr::memchr;

use super::chunked::{Chunked, Step};
use super::head::{Head, Kind, Line, Range};
use super::{Problem, problem};

/// Receives what a piece held, in order. Ranges refer to the piece.
pub trait Sink {
    /// A complete head; its ranges refer to `bytes`.
    fn head(&mut self, head: &Head, bytes: &[u8], facts: Facts);
    fn body(&mut self, range: Range);
    fn end(&mut self, trailer: &[u8], fields: &[(Range, Range)]);
}

/// The request that a response answers, which decides whether the response has a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    Other,
    Head,
    Connect,
}

/// The consequences of a head.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    pub should_keep_alive: bool,
    /// Whether another protocol may begin here: reading has stopped, and the caller decides how to continue.
    pub is_upgrade: bool,
    pub has_body: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The whole piece was read.
    Read,
    /// Reading stopped after that many bytes, at a head that requests another protocol.
    Upgrade(usize),
    Failed(Problem, usize),
}

#[derive(Debug)]
enum State {
    Head,
    Length(u64),
    Chunked(Box<Chunked>),
    UntilEnd,
    /// The last message closed the connection.
    Closed,
    Failed(Problem),
}

pub struct Parser {
    pub(super) kind: Kind,
    pub(super) limit: usize,
    state: State,
    pub(super) head: Head,
    /// The received part of an incomplete head; empty if heads arrive whole.
    pub(super) pending: Vec<u8>,
    /// The start of the head's next line.
    pub(super) line: usize,
    /// The request that a response answers.
    pub answers: Answers,
    waits_for_upgrade: bool,
    should_keep_alive: bool,
}

impl Parser {
    pub fn new(kind: Kind, limit: usize, is_lenient: bool) -> Parser {
        Parser {
            kind,
            limit,
            state: State::Head,
            head: Head::new(is_lenient),
            pending: Vec::new(),
            line: 0,
            answers: Answers::Other,
            waits_for_upgrade: false,
            should_keep_alive: true,
        }
    }

    /// Reads a piece. After `Upgrade`, the next call continues as if the message had not requested it.
    pub fn execute(&mut self, input: &[u8], sink: &mut impl Sink) -> Outcome {
        let mut place = 0;
        if std::mem::take(&mut self.waits_for_upgrade) {
            self.begin_body(sink);
        }
        while place < input.len() || matches!(self.state, State::Length(0)) {
            match self.state {
                State::Head => match self.read_head(&input[place..], sink) {
                    Ok(None) => return Outcome::Read,
                    Ok(Some(size)) => {
                        place += size;
                        if self.waits_for_upgrade {
                            return Outcome::Upgrade(place);
                        }
                    }
                    Err((problem, at)) => return self.fail(problem, place + at),
                },
                State::Length(left) => {
                    let size = left.min((input.len() - place) as u64) as usize;
                    if size > 0 {
                        sink.body(place..place + size);
                    }
                    place += size;
                    self.state = State::Length(left - size as u64);
                    if left == size as u64 {
                        self.finish_message(&[], &[], sink);
                    }
                }
                State::Chunked(ref mut chunked) => match chunked.step(input, place, self.limit) {
                    Ok(Step::Body(range)) => {
                        place = range.end;
                        sink.body(range);
                    }
                    Ok(Step::NeedsMore) => return Outcome::Read,
                    Ok(Step::Done(after)) => {
                        place = after;
                        if let State::Chunked(chunked) = std::mem::replace(&mut self.state, State::Head) {
                            let (trailer, fields) = chunked.trailers();
                            self.finish_message(trailer, fields, sink);
                        }
                    }
                    Err((problem, at)) => return self.fail(problem, at),
                },
                State::UntilEnd => {
                    sink.body(place..input.len());
                    return Outcome::Read;
                }
                State::Closed => {
                    // Empty lines after it are not a message.
                    if input[place..].iter().all(|byte| matches!(byte, b'\r' | b'\n')) {
                        return Outcome::Read;
                    }
                    return self.fail(problem("CLOSED_CONNECTION", "Data after `Connection: close`"), place);
                }
                State::Failed(problem) => return Outcome::Failed(problem, 0),
            }
        }
        Outcome::Read
    }

    /// How many bytes of a body with a length are missing.
    pub fn body_left(&self) -> Option<u64> {
        match self.state {
            State::Length(left) if left > 0 && !self.waits_for_upgrade => Some(left),
            _ => None,
        }
    }

    /// Counts bytes of such a body, at most those that are missing, which did not pass through `execute`.
    pub fn count_body(&mut self, size: u64, sink: &mut impl Sink) {
        if let State::Length(left) = &mut self.state {
            *left -= size;
            if *left == 0 {
                self.finish_message(&[], &[], sink);
            }
        }
    }

    /// Returns whether part of a head has arrived; empty lines before a head do not count.
    pub fn is_in_head(&self) -> bool {
        matches!(self.state, State::Head)
            && (self.head.is_started() || self.pending[self.line..].iter().any(|byte| !matches!(byte, b'\r' | b'\n')))
    }

    /// Handles the end of the input.
    pub fn finish(&mut self, sink: &mut impl Sink) -> Outcome {
        match self.state {
            State::UntilEnd => {
                self.finish_message(&[], &[], sink);
                Outcome::Read
            }
            State::Head if !self.is_in_head() => Outcome::Read,
            State::Closed => Outcome::Read,
            State::Failed(problem) => Outcome::Failed(problem, 0),
            _ => self.fail(problem("INVALID_EOF_STATE", "Invalid EOF state"), 0),
        }
    }

    fn fail(&mut self, problem: Problem, at: usize) -> Outcome {
        self.state = State::Failed(problem);
        Outcome::Failed(problem, at)
    }

    /// Reads lines of a head; returns how many bytes of `input` belong to it once it is complete.
    fn read_head(&mut self, input: &[u8], sink: &mut impl Sink) -> Result<Option<usize>, (Problem, usize)> {
        if self.head.is_lenient() {
            return self.read_lenient_head(input, sink);
        }
        let before = self.pending.len();
        let pending = if before == 0 {
            None
        } else {
            let mut pending = std::mem::take(&mut self.pending);
            pending.extend_from_slice(input);
            Some(pending)
        };
        let bytes: &[u8] = pending.as_deref().unwrap_or(input);
        let (kind, limit) = (self.kind, self.limit);
        let mut search = self.line.max(before);
        let at = |problem: Problem, place: usize| (problem, place.saturating_sub(before));
        while let Some(found) = memchr(b'\n', &bytes[search..]) {
            let end = search + found + 1;
            let line =
                self.head.line(kind, bytes, self.line, end, limit).map_err(|(problem, place)| at(problem, place))?;
            self.line = end;
            search = end;
            if let Line::Last = line {
                self.report_head(bytes, sink);
                self.line = 0;
                return Ok(Some(end - before));
            }
        }
        self.head.unfinished(kind, bytes, self.line, limit).map_err(|(problem, place)| at(problem, place))?;
        self.pending = pending.unwrap_or_else(|| input.to_vec());
        Ok(None)
    }

    pub(super) fn report_head(&mut self, bytes: &[u8], sink: &mut impl Sink) {
        let head = &self.head;
        let is_upgrade = match self.kind {
            Kind::Request => head.is_upgrade() || head.method == "CONNECT",
            Kind::Response => head.status == 101 || (self.answers == Answers::Connect && head.status >= 200),
        };
        let framing = &head.framing;
        let has_no_body = self.kind == Kind::Response
            && (self.answers != Answers::Other || head.status < 200 || head.status == 204 || head.status == 304);
        // A request with another encoding is an error, unless the parser is lenient.
        let is_until_end = !has_no_body
            && !framing.is_chunked
            && (framing.has_transfer_encoding || self.kind == Kind::Response && framing.content_length.is_none());
        self.should_keep_alive = head.should_keep_alive() && !is_until_end;
        let has_body = !has_no_body && (is_until_end || framing.is_chunked || framing.content_length.unwrap_or(0) > 0);
        self.state = match () {
            () if has_no_body => State::Length(0),
            () if is_until_end => State::UntilEnd,
            () if framing.is_chunked => State::Chunked(Box::new(Chunked::new(head.is_lenient()))),
            () => State::Length(framing.content_length.unwrap_or(0)),
        };
        self.waits_for_upgrade = is_upgrade;
        sink.head(head, bytes, Facts { should_keep_alive: self.should_keep_alive, is_upgrade, has_body });
    }

    /// Continue after a refused upgrade: the body is as the head declared.
    fn begin_body(&mut self, sink: &mut impl Sink) {
        if matches!(self.state, State::Length(0)) {
            self.finish_message(&[], &[], sink);
        }
    }

    fn finish_message(&mut self, trailer: &[u8], fields: &[(Range, Range)], sink: &mut impl Sink) {
        self.head.reset();
        // An interim response that closes the connection may precede the final one.
        let continues = self.should_keep_alive || self.head.is_lenient();
        self.state = if continues { State::Head } else { State::Closed };
        sink.end(trailer, fields);
    }
}
