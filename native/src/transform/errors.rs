//! Syntax errors as the user reads them: where, which source line, and one sentence.
//!
//! The parser's sentences are kept where they say more; the ones that users of this command line already
//! know are reworded to the known form. Columns count UTF-16 units from 1, as editors and engines do.
use oxc_diagnostics::{LabeledSpan, OxcDiagnostic};
use pyo3::prelude::*;

/// A place in a source with the line it stands in.
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

/// Lines are cut to this many characters around the place, so that a minified file stays printable.
const WIDEST_LINE: usize = 10_000;

/// Finds lines and columns in one source; builds its line table only when first asked.
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

/// What the parser and the checker found, worded and placed.
pub fn describe(diagnostics: &[OxcDiagnostic], source: &str, path: &str) -> Vec<SyntaxProblem> {
    let lines = Lines::new(source);
    diagnostics.iter().map(|diagnostic| describe_one(diagnostic, source, path, &lines)).collect()
}

fn describe_one(diagnostic: &OxcDiagnostic, source: &str, path: &str, lines: &Lines) -> SyntaxProblem {
    let redeclared = diagnostic.message.ends_with("has already been declared") && diagnostic.labels.len() == 2;
    let primary = diagnostic.labels.iter().position(|label| label.primary()).unwrap_or(usize::from(redeclared));
    let (mut start, mut end) =
        diagnostic.labels.get(primary).map_or((0, 0), |label| (label.offset() as usize, end_of(label)));
    let is_end = source.get(start..).is_none_or(|rest| rest.trim_start().is_empty());
    if is_end {
        start = last_character(source);
        end = source.len();
    }
    let found = if is_end { "" } else { source.get(start..end).unwrap_or("").trim_start() };
    let mut message = reword(&diagnostic.message, found);
    let mut notes = Vec::new();
    for (index, label) in diagnostic.labels.iter().enumerate().filter(|(index, _)| *index != primary) {
        let (from, to) = (label.offset() as usize, end_of(label));
        let place = lines.place(from as u32, to as u32);
        let name = source.get(from..to).unwrap_or("");
        let said = match label.label() {
            _ if redeclared && index == 0 => format!("{} was originally declared here", quoted(name)),
            Some(said) => said.to_string(),
            None => continue,
        };
        notes.push(Note { message: said, place });
    }
    if redeclared {
        message = format!("{} has already been declared", quoted(found));
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

fn last_character(source: &str) -> usize {
    source.trim_end().char_indices().next_back().map_or(0, |(index, _)| index)
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// The known wording of the most common mistakes; every other sentence stays the parser's own.
fn reword(message: &str, found: &str) -> String {
    match message {
        "Unexpected token" if found.is_empty() => "Unexpected end of file".to_string(),
        "Unexpected token" => format!("Unexpected {}", first_line(found)),
        "Unterminated string" => "Unterminated string literal".to_string(),
        "Unterminated multiline comment" => "Expected \"*/\" to terminate multi-line comment".to_string(),
        "Missing initializer in const declaration" => format!("The constant {} must be initialized", quoted(found)),
        "Illegal break statement" => "Cannot use \"break\" here".to_string(),
        "Illegal continue statement: no surrounding iteration statement" => "Cannot use \"continue\" here".to_string(),
        "Expected a semicolon or an implicit semicolon after a statement, but found none" => {
            "Expected \";\" after this statement".to_string()
        }
        _ => expected(message, found).unwrap_or_else(|| message.trim_end_matches('.').to_string()),
    }
}

/// "Expected `,` or `)` but found `x`" in the known quotes.
fn expected(message: &str, found: &str) -> Option<String> {
    let (wanted, kind) = message.strip_prefix("Expected ")?.rsplit_once(" but found ")?;
    let wanted = wanted.replace("`Identifier`", "identifier").replace('`', "\"");
    let found =
        if kind == "`EOF`" || found.is_empty() { "end of file".to_string() } else { quoted(&first_line(found)) };
    Some(format!("Expected {wanted} but found {found}"))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("").chars().take(80).collect()
}

impl SyntaxProblem {
    /// A problem that has no place of its own: the whole file is wrong.
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
