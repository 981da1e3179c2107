//! The insecure form of HTTP/1 (`--insecure-http-parser`): heads that `head` refuses because senders and receivers may disagree
//! about them. As in Node, a line may end with LF alone, the first line and the head also with CR alone; values may contain
//! control characters and continue in the next line; any version is valid. A head is copied, and the line breaks inside its
//! values are removed, so that fields are still ranges.
use memchr::{memchr, memchr2};

use super::head::{BAD_TOKEN, Line, Range, token_size};
use super::parser::{Parser, Sink};
use super::{Problem, problem};

impl Parser {
    /// As `read_head`, for a lenient parser.
    pub fn read_lenient_head(&mut self, input: &[u8], sink: &mut impl Sink) -> Result<Option<usize>, (Problem, usize)> {
        let mut pending = std::mem::take(&mut self.pending);
        let before = pending.len();
        pending.extend_from_slice(input);
        let mut removed = 0;
        let (kind, limit) = (self.kind, self.limit);
        while let Some(end) = line_end(&pending, self.line, self.head.is_started()) {
            if self.head.is_started() && !is_empty(&pending[self.line..end]) {
                match pending.get(end) {
                    None => break, // the next byte shows whether the value continues
                    Some(b' ' | b'\t') => {
                        removed += remove_line_break(&mut pending, end);
                        continue;
                    }
                    Some(_) => {}
                }
            }
            let at = |place: usize| (place + removed).saturating_sub(before);
            let read = self.head.line(kind, &pending, self.line, end, limit);
            let read = read.map_err(|(problem, place)| (problem, at(place)))?;
            if let Line::Last = read {
                self.report_head(&pending, sink);
                self.line = 0;
                return Ok(Some(at(end)));
            }
            self.line = end;
        }
        let unfinished = self.head.unfinished(kind, &pending, self.line, limit);
        unfinished.map_err(|(problem, place)| (problem, (place + removed).saturating_sub(before)))?;
        self.pending = pending;
        Ok(None)
    }
}

/// The end of the line that begins at `start`; None if it is incomplete.
fn line_end(bytes: &[u8], start: usize, is_field: bool) -> Option<usize> {
    let line = &bytes[start..];
    let size =
        if is_field && line.first() != Some(&b'\r') { memchr(b'\n', line)? } else { memchr2(b'\r', b'\n', line)? };
    match line[size..] {
        [b'\r'] => None,
        [b'\r', b'\n', ..] => Some(start + size + 2),
        _ => Some(start + size + 1),
    }
}

/// Whether a line consists of its end.
pub fn is_empty(line: &[u8]) -> bool {
    matches!(line, b"\r\n" | b"\n" | b"\r")
}

/// Removes the line break that ends at `end`; returns its size.
pub fn remove_line_break(bytes: &mut Vec<u8>, end: usize) -> usize {
    let size = if bytes[..end].ends_with(b"\r\n") { 2 } else { 1 };
    bytes.drain(end - size..end);
    size
}

/// The name and the value of the field that is `bytes[start..end]`, with its line break.
pub fn field(
    bytes: &[u8],
    start: usize,
    end: usize,
    follows_another: bool,
) -> Result<(Range, Range), (Problem, usize)> {
    let blank = |byte: &&u8| matches!(**byte, b' ' | b'\t');
    let indent = if follows_another { 0 } else { bytes[start..end].iter().take_while(blank).count() };
    let start = start + indent;
    let size = token_size(&bytes[start..end]);
    if size == 0 || bytes[start + size] != b':' {
        return Err((BAD_TOKEN, start + size));
    }
    let stop = end - if bytes[start..end].ends_with(b"\r\n") { 2 } else { 1 };
    let value = start + size + 1;
    if let Some(found) = memchr(b'\r', &bytes[value.min(stop)..stop]) {
        return Err((problem("LF_EXPECTED", "Missing expected LF after header value"), value + found + 1));
    }
    let value = value + bytes[value..stop].iter().take_while(blank).count();
    let stop = stop - bytes[value..stop].iter().rev().take_while(blank).count();
    Ok((start..start + size, value..stop))
}
