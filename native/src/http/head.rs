//! The head of a message: its first line and its fields, parsed a line at a time, so that errors are reported before
//! the rest arrives and no byte is scanned twice. Fields are ranges of the head's bytes.
use memchr::memchr;

use super::lenient;
use super::methods::{BAD_METHOD, method_of};
use super::{Problem, problem};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Request,
    Response,
}

pub type Range = std::ops::Range<usize>;

/// What the head specifies about the body, collected line by line.
#[derive(Default, Debug, Clone)]
pub struct Framing {
    pub content_length: Option<u64>,
    pub has_transfer_encoding: bool,
    pub is_chunked: bool,
    pub has_upgrade: bool,
    pub says_upgrade: bool,
    pub says_close: bool,
    pub says_keep_alive: bool,
}

#[derive(Default, Debug)]
pub struct Head {
    /// The method of a request.
    pub method: &'static str,
    /// The target of a request, the reason of a response.
    pub text: Range,
    pub status: u16,
    pub major: u8,
    pub minor: u8,
    pub fields: Vec<(Range, Range)>,
    pub framing: Framing,
    has_first_line: bool,
    /// Whether messages may have the insecure form.
    is_lenient: bool,
    /// The bytes that count against the limit, as in Node: target, names and values.
    weight: usize,
}

/// The result of reading a line.
pub enum Line {
    More,
    Last,
}

const OVERFLOW: Problem = problem("HEADER_OVERFLOW", "Header overflow");
pub const BAD_TOKEN: Problem = problem("INVALID_HEADER_TOKEN", "Invalid header token");

impl Head {
    pub fn new(is_lenient: bool) -> Head {
        Head { is_lenient, ..Head::default() }
    }

    pub fn reset(&mut self) {
        let mut fields = std::mem::take(&mut self.fields);
        fields.clear();
        *self = Head { fields, is_lenient: self.is_lenient, ..Head::default() };
    }

    pub fn is_lenient(&self) -> bool {
        self.is_lenient
    }

    pub fn is_started(&self) -> bool {
        self.has_first_line
    }

    /// Reads the line `bytes[start..end]`, whose last byte is the line feed.
    pub fn line(
        &mut self,
        kind: Kind,
        bytes: &[u8],
        start: usize,
        end: usize,
        limit: usize,
    ) -> Result<Line, (Problem, usize)> {
        if !self.has_first_line {
            // Empty lines before a message are skipped.
            let start = start + bytes[start..end].iter().take_while(|byte| **byte == b'\r').count();
            if start == end || bytes[start] == b'\n' {
                return Ok(Line::More);
            }
            match kind {
                Kind::Request => self.request_line(bytes, start, end)?,
                Kind::Response => self.status_line(bytes, start, end)?,
            }
            self.has_first_line = true;
            self.weight = self.text.len();
        } else {
            let line = &bytes[start..end];
            if line == b"\r\n" || self.is_lenient && lenient::is_empty(line) {
                self.check_framing(kind).map_err(|problem| (problem, end))?;
                return Ok(Line::Last);
            }
            let read = if self.is_lenient { lenient::field } else { field };
            let (name, value) = read(bytes, start, end, !self.fields.is_empty())?;
            self.weight += name.len() + value.len();
            let rules = if self.is_lenient { Rules::Lenient } else { Rules::Strict(kind) };
            let noted = self.framing.note(&bytes[name.clone()], &bytes[value.clone()], rules);
            noted.map_err(|problem| (problem, value.end))?;
            self.fields.push((name, value));
        }
        if self.weight >= limit { Err((OVERFLOW, end)) } else { Ok(Line::More) }
    }

    /// Checks an incomplete line, so that an invalid one is reported at once.
    pub fn unfinished(&self, kind: Kind, bytes: &[u8], start: usize, limit: usize) -> Result<(), (Problem, usize)> {
        let line = &bytes[start..];
        let counted = if self.has_first_line { weight_of_field(line) } else { weight_of_first_line(line) };
        if self.weight + counted >= limit || bytes.len() > limit.saturating_mul(MOST_SYNTAX).saturating_add(SYNTAX_ROOM)
        {
            return Err((OVERFLOW, bytes.len()));
        }
        match line {
            [] | [b'\r'] => return Ok(()),
            [b'\r', ..] if self.has_first_line => {
                return Err((problem("STRICT", "Expected LF after headers"), start + 1));
            }
            [b'\r', ..] => return Ok(()),
            _ if self.has_first_line => return Ok(()),
            _ => {}
        }
        match kind {
            Kind::Request => method_of(line).map(drop).map_err(|(problem, at)| (problem, start + at)),
            Kind::Response => {
                let size = line.len().min(5);
                if line[..size] == b"HTTP/"[..size] { Ok(()) } else { Err((NO_PROTOCOL, start)) }
            }
        }
    }

    fn request_line(&mut self, bytes: &[u8], start: usize, end: usize) -> Result<(), (Problem, usize)> {
        let line = &bytes[start..end];
        let found = method_of(line).map_err(|(problem, at)| (problem, start + at))?;
        self.method = found.ok_or((BAD_METHOD, start))?;
        let size = self.method.len();
        let target = start + size + line[size..].iter().take_while(|byte| **byte == b' ').count();
        let size = bytes[target..end].iter().take_while(|byte| (0x21..0x7f).contains(*byte)).count();
        let stop = target + size;
        let is_absolute =
            matches!(bytes[target], b'/' | b'*') || self.method == "CONNECT" || bytes[target..stop].contains(&b':');
        if size == 0 || !is_absolute {
            return Err((problem("INVALID_URL", "Invalid characters in url"), stop));
        }
        self.text = target..stop;
        match bytes[stop] {
            b' ' => {}
            b'\r' | b'\n' => {
                // HTTP/0.9 has no version
                (self.major, self.minor) = (0, 9);
                return Ok(());
            }
            _ => return Err((problem("INVALID_URL", "Invalid char in url path"), stop)),
        }
        let version = stop + bytes[stop..end].iter().take_while(|byte| **byte == b' ').count();
        let after = self.version(bytes, version, end)?;
        match &bytes[after..end] {
            b"\r\n" => Ok(()),
            line if self.is_lenient && lenient::is_empty(line) => Ok(()),
            [b'\r', ..] => Err((problem("STRICT", "Expected CRLF after version"), after + 1)),
            _ => Err((problem("INVALID_VERSION", "Expected CRLF after version"), after + 1)),
        }
    }

    fn version(&mut self, bytes: &[u8], start: usize, end: usize) -> Result<usize, (Problem, usize)> {
        if !bytes[start..end].starts_with(b"HTTP/") {
            return Err((NO_PROTOCOL, start));
        }
        let at = start + 5;
        match &bytes[at..end] {
            [major, b'.', minor, ..] => {
                (self.major, self.minor) = (major.wrapping_sub(b'0'), minor.wrapping_sub(b'0'));
                if self.minor > 9 {
                    return Err((problem("INVALID_VERSION", "Invalid minor version"), at + 2));
                }
                match (self.major, self.minor) {
                    (1, 0 | 1) | (0, 9) | (2, 0) => Ok(at + 3),
                    (0..=9, 0..=9) if self.is_lenient => Ok(at + 3),
                    _ => Err((problem("INVALID_VERSION", "Invalid HTTP version"), at + 3)),
                }
            }
            [major, _, ..] if major.is_ascii_digit() => Err((problem("INVALID_VERSION", "Expected dot"), at + 1)),
            _ => Err((problem("INVALID_VERSION", "Invalid major version"), at)),
        }
    }

    fn status_line(&mut self, bytes: &[u8], start: usize, end: usize) -> Result<(), (Problem, usize)> {
        let after = self.version(bytes, start, end)?;
        if bytes[after] != b' ' {
            return Err((problem("INVALID_VERSION", "Expected space after version"), after));
        }
        let digits = &bytes[after + 1..end];
        if digits.len() < 4 || !digits[..3].iter().all(u8::is_ascii_digit) {
            return Err((problem("INVALID_STATUS", "Invalid status code"), after + 1));
        }
        self.status = digits[..3].iter().fold(0, |number, digit| number * 10 + u16::from(digit - b'0'));
        let reason = after + 4;
        let line = &bytes[reason..end];
        let line_break = match line {
            [.., b'\r', b'\n'] => 2,
            _ if self.is_lenient => 1,
            [b'\n'] => return Err((problem("INVALID_STATUS", "Invalid response status"), reason)),
            _ => return Err((problem("CR_EXPECTED", "Missing expected CR after response line"), end)),
        };
        match line[0] {
            b' ' => self.text = reason + 1..end - line_break,
            b'\r' | b'\n' if line.len() == line_break => self.text = reason..reason,
            _ => return Err((problem("INVALID_STATUS", "Invalid response status"), reason)),
        }
        match memchr(b'\r', &bytes[self.text.clone()]) {
            Some(found) => Err((problem("STRICT", "Expected LF after CR"), self.text.start + found + 1)),
            None => Ok(()),
        }
    }

    fn check_framing(&self, kind: Kind) -> Result<(), Problem> {
        if kind == Kind::Request && !self.is_lenient && self.framing.has_transfer_encoding && !self.framing.is_chunked {
            return Err(problem("INVALID_TRANSFER_ENCODING", "Request has invalid `Transfer-Encoding`"));
        }
        Ok(())
    }

    /// Returns whether the connection may carry another message, according to this one.
    pub fn should_keep_alive(&self) -> bool {
        if self.major > 0 && self.minor > 0 { !self.framing.says_close } else { self.framing.says_keep_alive }
    }

    pub fn is_upgrade(&self) -> bool {
        self.framing.has_upgrade && self.framing.says_upgrade
    }
}

/// Spaces, colons and line ends do not count against the limit, as in Node; a head may exceed the limit by this factor
/// with them.
const MOST_SYNTAX: usize = 8;
const SYNTAX_ROOM: usize = 1024;
const NO_PROTOCOL: Problem = problem("INVALID_CONSTANT", "Expected HTTP/, RTSP/ or ICE/");

/// The counted bytes of a field whose line is incomplete: its name and its value.
fn weight_of_field(line: &[u8]) -> usize {
    match memchr(b':', line) {
        Some(size) => size + line[size + 1..].trim_ascii().len(),
        None => line.len(),
    }
}

fn weight_of_first_line(line: &[u8]) -> usize {
    let size = memchr(b' ', line).unwrap_or(0);
    line[size..].trim_ascii_start().iter().take_while(|byte| !byte.is_ascii_whitespace()).count()
}

pub const fn is_token(byte: u8) -> bool {
    matches!(byte, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'z' | b'|' | b'~' | b'0'..=b'9' | b'A'..=b'Z')
}

static TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_token(byte as u8);
        byte += 1;
    }
    table
};

/// The number of token characters at the start of `line`.
pub fn token_size(line: &[u8]) -> usize {
    line.iter().take_while(|byte| TOKEN[**byte as usize]).count()
}

/// The name and the value of the field that is `bytes[start..end]`, whose last byte is the line feed.
pub fn field(
    bytes: &[u8],
    start: usize,
    end: usize,
    follows_another: bool,
) -> Result<(Range, Range), (Problem, usize)> {
    let line = &bytes[start..end];
    match line {
        [b' ' | b'\t', ..] if follows_another => {
            return Err((problem("INVALID_HEADER_TOKEN", "Unexpected whitespace after header value"), start));
        }
        [b' ' | b'\t', ..] => {
            return Err((problem("UNEXPECTED_SPACE", "Unexpected space after start line"), start + 1));
        }
        [b'\n'] => return Err((problem("INVALID_HEADER_TOKEN", "Invalid header field char"), start)),
        [b'\r', ..] => return Err((problem("STRICT", "Expected LF after headers"), start + 1)),
        _ => {}
    }
    let size = token_size(line);
    if size == 0 || line[size] != b':' {
        return Err((BAD_TOKEN, start + size));
    }
    let blank = |byte: &&u8| matches!(**byte, b' ' | b'\t');
    let value = start + size + 1 + line[size + 1..].iter().take_while(blank).count();
    let mut stop = end - 1;
    for (index, byte) in bytes[value..end].iter().enumerate() {
        match byte {
            b'\t' | 0x20..=0x7e | 0x80.. => {}
            b'\n' => return Err((problem("CR_EXPECTED", "Missing expected CR after header value"), value + index)),
            b'\r' if value + index + 2 == end => {
                stop = value + index;
                break;
            }
            b'\r' => return Err((problem("LF_EXPECTED", "Missing expected LF after header value"), value + index + 1)),
            _ => return Err((problem("INVALID_HEADER_TOKEN", "Invalid header value char"), value + index)),
        }
    }
    let stop = stop - bytes[value..stop].iter().rev().take_while(blank).count();
    Ok((start..start + size, value..stop.max(value)))
}

/// Which contradictions between framing fields are errors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    Strict(Kind),
    Lenient,
}

impl Framing {
    fn note(&mut self, name: &[u8], value: &[u8], rules: Rules) -> Result<(), Problem> {
        match name.len() {
            7 if name.eq_ignore_ascii_case(b"upgrade") => self.has_upgrade = true,
            10 if name.eq_ignore_ascii_case(b"connection") => {
                for word in value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
                    self.says_close |= word.eq_ignore_ascii_case(b"close");
                    self.says_keep_alive |= word.eq_ignore_ascii_case(b"keep-alive");
                    self.says_upgrade |= word.eq_ignore_ascii_case(b"upgrade");
                }
            }
            14 if name.eq_ignore_ascii_case(b"content-length") => self.note_length(value, rules)?,
            17 if name.eq_ignore_ascii_case(b"transfer-encoding") => self.note_encoding(value, rules)?,
            _ => {}
        }
        Ok(())
    }

    fn note_length(&mut self, value: &[u8], rules: Rules) -> Result<(), Problem> {
        if self.has_transfer_encoding && rules != Rules::Lenient {
            return Err(problem("INVALID_CONTENT_LENGTH", "Content-Length can't be present with Transfer-Encoding"));
        }
        if self.content_length.is_some() {
            return Err(problem("UNEXPECTED_CONTENT_LENGTH", "Duplicate Content-Length"));
        }
        if value.is_empty() {
            return Err(problem("INVALID_CONTENT_LENGTH", "Empty Content-Length"));
        }
        let mut length: u64 = 0;
        for digit in value {
            if !digit.is_ascii_digit() {
                return Err(problem("INVALID_CONTENT_LENGTH", "Invalid character in Content-Length"));
            }
            let longer = length.checked_mul(10).and_then(|length| length.checked_add(u64::from(digit - b'0')));
            length = longer.ok_or(problem("INVALID_CONTENT_LENGTH", "Content-Length overflow"))?;
        }
        self.content_length = Some(length);
        Ok(())
    }

    fn note_encoding(&mut self, value: &[u8], rules: Rules) -> Result<(), Problem> {
        if self.content_length.is_some() && rules != Rules::Lenient {
            return Err(problem("INVALID_TRANSFER_ENCODING", "Transfer-Encoding can't be present with Content-Length"));
        }
        self.has_transfer_encoding = true;
        for word in value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
            if self.is_chunked && rules == Rules::Strict(Kind::Request) {
                // It must be the last encoding, and occur once. Another response ends with its connection.
                return Err(problem("INVALID_TRANSFER_ENCODING", "Invalid `Transfer-Encoding` header value"));
            }
            self.is_chunked = word.eq_ignore_ascii_case(b"chunked");
        }
        Ok(())
    }
}
