//! Syntax errors for users: position, source line, and one sentence.
//!
//! The parser's messages are kept where they are more specific; those for which users of this command line know a
//! wording use that one. Columns count UTF-16 units from 1, as editors and engines do.
use oxc_diagnostics::{LabeledSpan, OxcDiagnostic};
use oxc_span::SourceType;
use pyo3::prelude::*;

use super::expected;

/// A position in a source, with its line.
#[pyclass(frozen, get_all, module = "rt_supervisor._native")]
#[derive(Clone, Debug)]
pub struct Place {
    pub line: u32,
    pub column: u32,
    pub length: u32,
    pub text: String,
}

#[pyclass(frozen, get_all, module = "rt_supervisor._native")]
#[derive(Clone, Debug)]
pub struct Note {
    pub message: String,
    pub place: Place,
}

#[pyclass(frozen, get_all, module = "rt_supervisor._native")]
#[derive(Clone, Debug)]
pub struct SyntaxProblem {
    pub message: String,
    pub path: String,
    pub place: Place,
    pub notes: Vec<Note>,
    pub help: Option<String>,
}

/// Lines are cut to this many characters around the position, so that minified files stay printable.
const WIDEST_LINE: usize = 10_000;

/// Finds lines and columns in one source; builds its line table on first use.
pub struct Lines<'s> {
    source: &'s str,
    starts: Vec<u32>,
}

impl<'s> Lines<'s> {
    pub fn new(source: &'s str) -> Self {
        let bytes = source.as_bytes();
        let mut starts = vec![0];
        let mut index = 0;
        while index < bytes.len() {
            match bytes[index] {
                b'\n' => starts.push(index as u32 + 1),
                b'\r' if bytes.get(index + 1) != Some(&b'\n') => starts.push(index as u32 + 1),
                0xE2 if bytes.get(index + 1) == Some(&0x80) && matches!(bytes.get(index + 2), Some(0xA8 | 0xA9)) => {
                    starts.push(index as u32 + 3);
                }
                _ => {}
            }
            index += 1;
        }
        Self { source, starts }
    }

    /// Line and column, both from 1, the column in UTF-16 units.
    pub fn position(&self, offset: u32) -> (u32, u32) {
        let offset = offset.min(self.source.len() as u32);
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let start = self.starts[line] as usize;
        let mut end = offset as usize;
        while !self.source.is_char_boundary(end) {
            end -= 1;
        }
        let column = self.source[start.min(end)..end].encode_utf16().count();
        (line as u32 + 1, column as u32 + 1)
    }

    pub fn place(&self, start: u32, end: u32) -> Place {
        let (line, column) = self.position(start);
        let first = self.starts[line as usize - 1] as usize;
        let last = self.starts.get(line as usize).map_or(self.source.len(), |&next| next as usize);
        let text = self.source[first..last].trim_end_matches(['\n', '\r', '\u{2028}', '\u{2029}']);
        let line_end = (first + text.len()) as u32;
        let (_, end_column) = self.position(end.clamp(start, line_end.max(start)));
        let length = if end > line_end { 1 } else { end_column.saturating_sub(column) };
        Place { line, column, length, text: text.chars().take(WIDEST_LINE).collect() }
    }
}

/// The problems that the parser and the checker found, with messages and positions.
pub fn describe(diagnostics: &[OxcDiagnostic], source: &str, path: &str) -> Vec<SyntaxProblem> {
    let lines = Lines::new(source);
    diagnostics.iter().map(|diagnostic| describe_one(diagnostic, source, path, &lines)).collect()
}

fn describe_one(diagnostic: &OxcDiagnostic, source: &str, path: &str, lines: &Lines) -> SyntaxProblem {
    let redeclared = diagnostic.message.ends_with("has already been declared") && diagnostic.labels.len() == 2;
    let primary = diagnostic.labels.iter().position(|label| label.primary()).unwrap_or(usize::from(redeclared));
    let (mut start, mut end) =
        diagnostic.labels.get(primary).map_or((0, 0), |label| (label.offset() as usize, end_of(label)));
    if diagnostic.message == NO_SEMICOLON {
        // The parser reports the end of the statement; the problem is the following token.
        start += source.get(start..).map_or(0, |rest| rest.len() - without_blanks(rest).len());
        end = start + token(source.get(start..).unwrap_or("")).len();
    }
    let is_end = source.get(start..).is_none_or(|rest| rest.trim_start().is_empty());
    if is_end {
        start = last_place(source);
        end = source.len();
    }
    let found = if is_end { "" } else { source.get(start..end).unwrap_or("").trim_start() };
    let next = if is_end { "" } else { token(source.get(start..).unwrap_or("").trim_start()) };
    let mut message = reword(&diagnostic.message, found, next);
    let mut notes = Vec::new();
    for (index, label) in diagnostic.labels.iter().enumerate().filter(|(index, _)| *index != primary) {
        let (from, to) = (label.offset() as usize, end_of(label));
        let place = lines.place(from as u32, to as u32);
        let name = source.get(from..to).unwrap_or("");
        let words = match label.label() {
            _ if redeclared && index == 0 => format!("{} was originally declared here", quote(name)),
            Some(words) => words.to_string(),
            None => continue,
        };
        notes.push(Note { message: words, place });
    }
    if redeclared {
        message = format!("{} has already been declared", quote(found));
    }
    SyntaxProblem {
        message,
        path: path.to_string(),
        place: lines.place(start as u32, end as u32),
        notes,
        help: diagnostic.help.as_ref().map(ToString::to_string),
    }
}

fn end_of(label: &LabeledSpan) -> usize {
    (label.offset() + label.len()) as usize
}

/// The end of a text as shown to users: after its last character if whitespace follows, otherwise at it.
fn last_place(source: &str) -> usize {
    let written = source.trim_end();
    if written.len() < source.len() {
        return written.len();
    }
    written.char_indices().next_back().map_or(0, |(index, _)| index)
}

/// `text` without leading whitespace and comments.
fn without_blanks(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let behind = match rest.get(..2) {
            Some("//") => rest.find('\n').map(|end| &rest[end..]),
            Some("/*") => rest.find("*/").map(|end| &rest[end + 2..]),
            _ => return rest,
        };
        rest = behind.unwrap_or("").trim_start();
    }
}

fn quote(name: &str) -> String {
    format!("\"{name}\"")
}

const END: &str = "Unexpected end of file";
const AT_END: &str = " but found end of file";
const NO_SEMICOLON: &str = "Expected a semicolon or an implicit semicolon after a statement, but found none";
const SIGNS: &str = "=><!&|+-*/%^?.";

/// The token at the beginning of `text`, as far as a message needs it: a word, a string on its line, a run of operator
/// characters, or one other character.
fn token(text: &str) -> &str {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let Some(first) = text.chars().next() else { return "" };
    let length = match first {
        _ if is_word(first) => text.find(|letter| !is_word(letter)).unwrap_or(text.len()),
        '"' | '\'' | '`' => text[1..].find([first, '\n']).map_or(text.len(), |end| end + 2),
        _ if SIGNS.contains(first) => text.find(|letter| !SIGNS.contains(letter)).unwrap_or(text.len()),
        _ => first.len_utf8(),
    };
    text.get(..length).unwrap_or(text)
}

/// The familiar wording of the most common errors; other messages stay the parser's. `found` is the text that the
/// parser reports, `next` the token that begins there.
fn reword(message: &str, found: &str, next: &str) -> String {
    match message {
        "Cannot assign to this expression" => "Invalid assignment target".to_string(),
        "A 'default' clause cannot appear more than once in a 'switch' statement." => {
            "Multiple default clauses are not allowed".to_string()
        }
        "`await` is only allowed within async functions and at the top levels of modules" => {
            "\"await\" can only be used inside an \"async\" function".to_string()
        }
        "A 'yield' expression is only allowed in a generator body." => {
            "Cannot use \"yield\" outside a generator function".to_string()
        }
        "Lexical declaration cannot appear in a single-statement context" | "Invalid class declaration" => {
            "Cannot use a declaration in a single-statement context".to_string()
        }
        "Illegal newline after throw" => "Unexpected newline after \"throw\"".to_string(),
        "Cannot use new with dynamic import" => {
            "Cannot use an \"import\" expression here without parentheses".to_string()
        }
        "'super' keyword unexpected here" => "Unexpected \"super\"".to_string(),
        "Invalid assignment in object literal" => "Unexpected \"=\"".to_string(),
        "Expected function name" if !next.is_empty() => format!("Expected identifier but found {}", quote(next)),
        "Unexpected token" if found.is_empty() => END.to_string(),
        "Unexpected token" => format!("Unexpected {}", first_line(found)),
        "Unterminated string" => "Unterminated string literal".to_string(),
        "Unterminated multiline comment" => "Expected \"*/\" to terminate multi-line comment".to_string(),
        "Missing initializer in destructuring declaration" => "This constant must be initialized".to_string(),
        "Missing initializer in const declaration" => format!("The constant {} must be initialized", quote(found)),
        "Illegal break statement" => "Cannot use \"break\" here".to_string(),
        "Illegal continue statement: no surrounding iteration statement" => "Cannot use \"continue\" here".to_string(),
        NO_SEMICOLON if next.is_empty() => END.to_string(),
        NO_SEMICOLON => {
            format!("Expected \";\" but found {}", quote(next))
        }
        _ => reword_expected(message, found)
            .or_else(|| reword_named(message))
            .unwrap_or_else(|| message.trim_end_matches('.').to_string()),
    }
}

/// The familiar wording of messages that contain a name.
fn reword_named(message: &str) -> Option<String> {
    let name = |before: &str, after: &str| message.strip_prefix(before)?.strip_suffix(after);
    if let Some(name) = name("Expected corresponding JSX closing tag for '", "'.") {
        return Some(format!("Expected closing JSX tag to match opening tag \"<{name}>\""));
    }
    if let Some(name) = name("Identifier expected. '", "' is a reserved word that cannot be used here.") {
        return Some(format!("Expected identifier but found {}", quote(name)));
    }
    if let Some(name) = name("Duplicated export '", "'") {
        return Some(format!("Multiple exports with the same name {}", quote(name)));
    }
    None
}

/// "Expected `,` or `)` but found `x`" with familiar quotes.
fn reword_expected(message: &str, found: &str) -> Option<String> {
    let (wanted, kind) = message.strip_prefix("Expected ")?.rsplit_once(" but found ")?;
    if (kind == "`EOF`" || found.is_empty())
        && matches!(wanted, "`)`" | "`}`" | "`]`" | "`,` or `)`" | "`,` or `}`" | "`,` or `]`")
    {
        return Some(END.to_string());
    }
    let wanted = wanted.strip_prefix("`,` or ").unwrap_or(wanted); // what would end the list
    let wanted = wanted.replace("`Identifier`", "identifier").replace('`', "\"");
    let found = if kind == "`EOF`" || found.is_empty() { "end of file".to_string() } else { quote(&first_line(found)) };
    Some(format!("Expected {wanted} but found {found}"))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("").chars().take(80).collect()
}

impl SyntaxProblem {
    /// If the file ends too early, name what is expected there.
    pub fn say_what_ends_too_early(&mut self, source: &str, source_type: SourceType) {
        if self.message != END && !self.message.ends_with(AT_END) {
            return;
        }
        if let Some(wanted) = expected::at_end(source, source_type) {
            self.message = format!("Expected {wanted}{AT_END}");
        }
    }

    /// A problem without a position, which concerns the whole file.
    pub fn of_file(path: &str, message: String) -> Self {
        let place = Place { line: 1, column: 1, length: 0, text: String::new() };
        Self { message, path: path.to_string(), place, notes: Vec::new(), help: None }
    }
}

#[pymethods]
impl SyntaxProblem {
    fn __repr__(&self) -> String {
        format!("SyntaxProblem({:?} at {}:{}:{})", self.message, self.path, self.place.line, self.place.column)
    }
}
