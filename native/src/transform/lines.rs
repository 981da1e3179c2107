//! Moves printed code to the lines of its source, for debuggers that read no source map: a breakpoint on a line of the
//! author's file is a breakpoint on that line of the code.
//!
//! The printer ends every statement with a semicolon and writes no comments, so its line breaks can become spaces. A
//! line break is inserted before a mapped token, except where one would end a statement (`return`, `=>`, `++`). Text of
//! templates keeps its line breaks. The result is parsed again: code that differs in anything but its layout is
//! discarded.
use std::borrow::Cow;

use oxc_allocator::Allocator;
use oxc_ast::ast::{Program, TemplateElement};
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_sourcemap::{SourceMap, Token};
use oxc_span::{ContentEq, SourceType};

/// Words after which a line break ends the statement, or changes the meaning of the next word.
const RESTRICTED: [&str; 8] = ["return", "throw", "break", "continue", "yield", "async", "await", "using"];
const MOST_INDENT: u32 = 80;
/// How many tokens ahead one may belong to an earlier line: the end of an element comes before its children.
const AHEAD: usize = 16;

/// Return `code` with its mapped tokens on the lines of the source, and the map of the result. None if that would change
/// the code, or if it cannot be read.
pub fn align(code: &str, map: &SourceMap<'_>, is_module: bool) -> Option<(String, SourceMap<'static>)> {
    let allocator = Allocator::default();
    let program = parse(&allocator, code, is_module)?;
    let mut fixed = Fixed::default();
    fixed.visit_program(&program);
    if let Some(hashbang) = &program.hashbang {
        fixed.spans.push((0, hashbang.span.end as usize + 1));
    }
    fixed.spans.sort_unstable();
    let mut layout = Layout::default();
    let mut tokens = Vec::new();
    let mut start = 0;
    let found = places(code, map)?;
    for (index, (place, token)) in found.iter().copied().enumerate() {
        layout.append(&code[start..place], start, &fixed);
        let line = token.get_src_line();
        let next = found[index..].iter().take(AHEAD).filter(|(_, token)| token.get_source_id().is_some());
        let first_line = next.map(|(_, token)| token.get_src_line()).min().unwrap_or(0);
        if token.get_source_id().is_some()
            && first_line > layout.line
            && !fixed.has(place)
            && may_break(&layout.text, &code[place..])
        {
            layout.go_to(first_line, if first_line == line { token.get_src_col() } else { 0 });
        }
        tokens.push(Token::new(
            layout.line,
            layout.column,
            line,
            token.get_src_col(),
            token.get_source_id(),
            token.get_name_id(),
        ));
        start = place;
    }
    layout.append(&code[start..], start, &fixed);
    let other = Allocator::default();
    if !program.content_eq(&parse(&other, &layout.text, is_module)?) {
        return None;
    }
    Some((layout.text, with_tokens(map, tokens)))
}

fn with_tokens(map: &SourceMap<'_>, tokens: Vec<Token>) -> SourceMap<'static> {
    let owned = |text: &str| Cow::Owned(text.to_string());
    let names = map.get_names().map(owned).collect();
    let sources = map.get_sources().map(owned).collect();
    let contents = map.get_source_contents().map(|text| text.map(owned)).collect();
    SourceMap::new(None, names, None, sources, contents, tokens.into_boxed_slice(), None)
}

fn parse<'a>(allocator: &'a Allocator, code: &'a str, is_module: bool) -> Option<Program<'a>> {
    let kind = if is_module { SourceType::mjs() } else { SourceType::cjs() };
    let options =
        ParseOptions { preserve_parens: false, allow_return_outside_function: !is_module, ..ParseOptions::default() };
    let parsed = Parser::new(allocator, code, kind).with_options(options).parse();
    (!parsed.panicked && parsed.diagnostics.is_empty()).then_some(parsed.program)
}

/// The tokens of the map with their byte offsets in the code; None if they are out of order.
fn places(code: &str, map: &SourceMap<'_>) -> Option<Vec<(usize, Token)>> {
    let mut found: Vec<(usize, Token)> = Vec::new();
    let mut tokens = map.get_tokens().peekable();
    let mut line_start = 0;
    for (number, line) in code.split_inclusive('\n').enumerate() {
        let mut characters = line.char_indices();
        let (mut units, mut offset) = (0, 0);
        while let Some(token) = tokens.next_if(|token| token.get_dst_line() == number as u32) {
            while units < token.get_dst_col() {
                let Some((index, character)) = characters.next() else { break };
                units += character.len_utf16() as u32;
                offset = index + character.len_utf8();
            }
            if found.last().is_some_and(|(last, _)| *last > line_start + offset) {
                return None;
            }
            found.push((line_start + offset, token));
        }
        line_start += line.len();
    }
    tokens.next().is_none().then_some(found)
}

/// Text whose line breaks must stay: spans of byte offsets, sorted and apart.
#[derive(Default)]
struct Fixed {
    spans: Vec<(usize, usize)>,
}

impl Fixed {
    fn has(&self, place: usize) -> bool {
        let next = self.spans.partition_point(|(start, _)| *start <= place);
        self.spans[..next].last().is_some_and(|(_, end)| place <= *end)
    }
}

impl<'a> Visit<'a> for Fixed {
    fn visit_template_element(&mut self, element: &TemplateElement<'a>) {
        self.spans.push((element.span.start as usize, element.span.end as usize));
    }
}

/// The text so far, and where it ends.
#[derive(Default)]
struct Layout {
    text: String,
    line: u32,
    column: u32,
}

impl Layout {
    /// Append code that starts at byte `start`; line breaks become spaces where they mean the same.
    fn append(&mut self, code: &str, start: usize, fixed: &Fixed) {
        for (index, character) in code.char_indices() {
            match character {
                '\n' if fixed.has(start + index) => {
                    self.text.push('\n');
                    (self.line, self.column) = (self.line + 1, 0);
                }
                '\n' if self.text.is_empty() || self.text.ends_with([' ', '\n']) => {}
                '\n' => self.push(' '),
                other => self.push(other),
            }
        }
    }

    fn push(&mut self, character: char) {
        self.text.push(character);
        self.column += character.len_utf16() as u32;
    }

    fn go_to(&mut self, line: u32, column: u32) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.extend(std::iter::repeat_n('\n', (line - self.line) as usize));
        (self.line, self.column) = (line, 0);
        (0..column.min(MOST_INDENT)).for_each(|_| self.push(' '));
    }
}

/// Whether a line break between `before` and `after` leaves the meaning of both.
fn may_break(before: &str, after: &str) -> bool {
    let before = before.trim_end_matches(' ');
    let Some(last) = before.chars().next_back() else { return true };
    if ["=>", "++", "--"].iter().any(|operator| after.starts_with(operator)) {
        return matches!(last, ';' | '{' | '}' | '\n');
    }
    let is_of_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$' | '#');
    let word = &before[before.trim_end_matches(is_of_word).len()..];
    !RESTRICTED.contains(&word)
}
