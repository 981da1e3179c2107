//! A chunked body: sizes, extensions (limited in size, and skipped), data, and trailer fields.
use super::head::{Range, field, is_token};
use super::lenient;
use super::{Problem, problem};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Size,
    SizeBlanks,
    /// After a semicolon.
    Extension,
    ExtensionName,
    ExtensionValue,
    Quoted,
    QuotedPair,
    Unquoted,
    SizeEnd,
    Data,
    DataCr,
    DataLf,
    Trailer,
    TrailerLineEnd,
}

#[derive(Debug)]
pub struct Chunked {
    at: At,
    left: u64,
    has_digits: bool,
    extensions: usize,
    trailer: Vec<u8>,
    line: usize,
    fields: Vec<(Range, Range)>,
    /// Whether the body may have the insecure form (`lenient`).
    is_lenient: bool,
}

/// The result of a step; numbers count the consumed bytes of the input.
pub enum Step {
    Body(Range),
    NeedsMore,
    Done(usize),
}

/// The limit for the extensions of one chunk, as in Node.
const MOST_EXTENSIONS: usize = 16 * 1024;

impl Chunked {
    pub fn new(is_lenient: bool) -> Chunked {
        Chunked {
            at: At::Size,
            left: 0,
            has_digits: false,
            extensions: 0,
            trailer: Vec::new(),
            line: 0,
            fields: Vec::new(),
            is_lenient,
        }
    }

    /// The bytes of the trailer fields, and their ranges.
    pub fn trailers(&self) -> (&[u8], &[(Range, Range)]) {
        (&self.trailer, &self.fields)
    }

    /// Continue at `input[from..]`.
    pub fn step(&mut self, input: &[u8], from: usize, limit: usize) -> Result<Step, (Problem, usize)> {
        let mut place = from;
        while place < input.len() {
            let byte = input[place];
            match self.at {
                At::Size => match (byte as char).to_digit(16) {
                    Some(digit) => {
                        if self.left >> 60 != 0 {
                            return Err((problem("INVALID_CHUNK_SIZE", "Chunk size overflow"), place));
                        }
                        self.left = self.left << 4 | u64::from(digit);
                        self.has_digits = true;
                    }
                    None if !self.has_digits => return Err((BAD_SIZE, place)),
                    None => match byte {
                        b';' => self.at = At::Extension,
                        b'\r' => self.at = At::SizeEnd,
                        // As in Node, another LF may follow.
                        b'\n' if self.is_lenient => self.at = At::SizeEnd,
                        b' ' | b'\t' if self.is_lenient => self.at = At::SizeBlanks,
                        b'\n' => {
                            return Err((problem("CR_EXPECTED", "Missing expected CR after chunk size"), place + 1));
                        }
                        _ => return Err((BAD_SIZE, place)),
                    },
                },
                At::SizeBlanks => match byte {
                    b' ' | b'\t' => {}
                    b';' => self.at = At::Extension,
                    b'\r' | b'\n' => self.at = At::SizeEnd,
                    _ => return Err((BAD_SIZE, place)),
                },
                At::Extension | At::ExtensionName | At::ExtensionValue | At::Unquoted
                    if self.is_lenient && byte == b'\n' =>
                {
                    self.at = At::SizeEnd;
                }
                At::Extension | At::ExtensionName | At::ExtensionValue | At::Quoted | At::QuotedPair | At::Unquoted => {
                    self.extensions += 1;
                    if self.extensions > MOST_EXTENSIONS {
                        return Err((problem("CHUNK_EXTENSIONS_OVERFLOW", "Chunk extensions overflow"), place));
                    }
                    self.at = after_extension(self.at, byte).map_err(|problem| (problem, place))?;
                }
                At::SizeEnd => {
                    let is_line_feed = byte == b'\n';
                    if !is_line_feed && !self.is_lenient {
                        return Err((problem("STRICT", "Expected LF after chunk size"), place));
                    }
                    self.has_digits = false;
                    self.extensions = 0;
                    self.at = if self.left == 0 { At::Trailer } else { At::Data };
                    if !is_line_feed {
                        continue; // the byte belongs to what follows
                    }
                }
                At::Data => {
                    let size = self.left.min((input.len() - place) as u64) as usize;
                    self.left -= size as u64;
                    if self.left == 0 {
                        self.at = At::DataCr;
                    }
                    return Ok(Step::Body(place..place + size));
                }
                At::DataCr => match byte {
                    b'\r' => self.at = At::DataLf,
                    b'\n' if self.is_lenient => self.at = At::Size,
                    _ if self.is_lenient => {
                        self.at = At::Size;
                        continue;
                    }
                    b'\n' => return Err((problem("CR_EXPECTED", "Missing expected CR after chunk data"), place + 1)),
                    _ => return Err((problem("STRICT", "Expected LF after chunk data"), place)),
                },
                At::DataLf => {
                    self.at = At::Size;
                    if byte != b'\n' {
                        if self.is_lenient {
                            continue;
                        }
                        return Err((problem("STRICT", "Expected LF after chunk data"), place));
                    }
                }
                At::TrailerLineEnd => {
                    self.at = At::Trailer;
                    let end = self.trailer.len();
                    if matches!(byte, b' ' | b'\t') {
                        lenient::remove_line_break(&mut self.trailer, end);
                    } else {
                        let found = lenient::field(&self.trailer, self.line, end, !self.fields.is_empty());
                        self.fields.push(found.map_err(|(problem, _)| (problem, place))?);
                        self.line = end;
                    }
                    continue;
                }
                At::Trailer => {
                    self.trailer.push(byte);
                    if self.trailer.len() > limit {
                        return Err((problem("HEADER_OVERFLOW", "Header overflow"), place));
                    }
                    if byte == b'\n' {
                        let line = &self.trailer[self.line..];
                        if line == b"\r\n" || self.is_lenient && lenient::is_empty(line) {
                            return Ok(Step::Done(place + 1));
                        }
                        if self.is_lenient {
                            self.at = At::TrailerLineEnd; // the next byte shows whether the value continues
                            place += 1;
                            continue;
                        }
                        let end = self.trailer.len();
                        let found = field(&self.trailer, self.line, end, !self.fields.is_empty());
                        let found = found.map_err(|(problem, _)| (problem, place))?;
                        refuse_framing(&self.trailer[found.0.clone()]).map_err(|problem| (problem, place))?;
                        self.fields.push(found);
                        self.line = end;
                    }
                }
            }
            place += 1;
        }
        Ok(Step::NeedsMore)
    }
}

/// Refuse a trailer field that would frame the message once more: parsers that merge trailers into the head disagree about it.
fn refuse_framing(name: &[u8]) -> Result<(), Problem> {
    if name.eq_ignore_ascii_case(b"content-length") {
        return Err(problem("INVALID_CONTENT_LENGTH", "Content-Length can't be present with Transfer-Encoding"));
    }
    if name.eq_ignore_ascii_case(b"transfer-encoding") {
        return Err(problem("INVALID_TRANSFER_ENCODING", "Invalid `Transfer-Encoding` header value"));
    }
    Ok(())
}

/// The state after a byte of an extension: `;name`, `;name=value` or `;name="value"`, each part possibly empty. A line end inside
/// quotes is refused, because parsers that disagree about it would see different chunks.
fn after_extension(at: At, byte: u8) -> Result<At, Problem> {
    let is_text = matches!(byte, b'\t' | 0x20..=0x7e | 0x80..);
    Ok(match (at, byte) {
        (At::Quoted, b'"') => At::Unquoted,
        (At::Quoted, b'\\') => At::QuotedPair,
        (At::Quoted | At::QuotedPair, _) if is_text => At::Quoted,
        (At::Extension, b'\r') => return Err(problem("STRICT", "Invalid character in chunk extensions")),
        (At::ExtensionName | At::ExtensionValue | At::Unquoted, b'\r') => At::SizeEnd,
        (At::Extension | At::ExtensionName | At::ExtensionValue | At::Unquoted, b';') => At::Extension,
        (At::Extension | At::ExtensionName, b'=') => At::ExtensionValue,
        (At::Extension | At::ExtensionName, _) if is_token(byte) => At::ExtensionName,
        (At::ExtensionValue, b'"') => At::Quoted,
        (At::ExtensionValue, _) if is_token(byte) => At::ExtensionValue,
        _ => return Err(bad_extension(at, byte)),
    })
}

fn bad_extension(at: At, byte: u8) -> Problem {
    match (at, byte) {
        (At::Extension | At::ExtensionName, b'\n') => {
            problem("CR_EXPECTED", "Missing expected CR after chunk extension name")
        }
        (At::ExtensionValue, b'\n') => problem("CR_EXPECTED", "Missing expected CR after chunk extension value"),
        (At::Extension, b' ') => problem("STRICT", "Invalid character in chunk extensions"),
        (At::Extension | At::ExtensionName, _) => problem("STRICT", "Invalid character in chunk extensions name"),
        (At::ExtensionValue, _) => problem("STRICT", "Invalid character in chunk extensions value"),
        (At::QuotedPair, _) => problem("STRICT", "Invalid quoted-pair in chunk extensions quoted value"),
        (At::Unquoted, _) => problem("STRICT", "Invalid character in chunk extensions quote value"),
        _ => problem("STRICT", "Invalid character in chunk extensions quoted value"),
    }
}

const BAD_SIZE: Problem = problem("INVALID_CHUNK_SIZE", "Invalid character in chunk size");
