//! A source text whose types are blanked out in place, and what surrounds a position in it, skipping comments.
use std::collections::BTreeMap;

use oxc_ast::ast::{Comment, Program};
use oxc_span::Span;

pub struct Text<'s> {
    source: &'s str,
    comments: Vec<Span>,
    blanks: Vec<Span>,
    /// Characters that replace others at a position.
    written: BTreeMap<u32, char>,
}

impl<'s> Text<'s> {
    pub fn new(source: &'s str, program: &Program<'_>) -> Self {
        let mut comments: Vec<Span> = program.comments.iter().map(|comment: &Comment| comment.span).collect();
        comments.extend(program.hashbang.as_ref().map(|hashbang| hashbang.span));
        comments.sort_unstable_by_key(|span| span.start);
        Self { source, comments, blanks: Vec::new(), written: BTreeMap::new() }
    }

    pub fn blank(&mut self, start: u32, end: u32) {
        if start < end {
            self.blanks.push(Span::new(start, end));
        }
    }

    pub fn write(&mut self, place: u32, character: char) {
        self.written.insert(place, character);
    }

    /// The white space at the end, but not at the beginning, of a part of the program.
    pub fn last_blank_of(&self, span: Span) -> Option<Span> {
        let own = self.blanks.iter().rev().take_while(|blank| blank.start >= span.start);
        own.copied()
            .filter(|blank| blank.end == span.end)
            .min_by_key(|blank| blank.start)
            .filter(|blank| blank.start > span.start)
    }

    pub fn slice(&self, start: u32, end: u32) -> &'s str {
        &self.source[start as usize..end as usize]
    }

    pub fn has_line_break(&self, start: u32, end: u32) -> bool {
        self.slice(start, end).contains(['\n', '\r', '\u{2028}', '\u{2029}'])
    }

    /// The first character at or after `place` that is neither white space nor in a comment.
    pub fn next(&self, place: u32) -> Option<(u32, char)> {
        let mut place = place;
        loop {
            let (offset, character) =
                self.source[place as usize..].char_indices().find(|(_, each)| !is_space(*each))?;
            let found = place + offset as u32;
            match self.comment_at(found) {
                Some(comment) => place = comment.end,
                None => return Some((found, character)),
            }
        }
    }

    /// The last such character before `place` that is not blanked out.
    pub fn previous(&self, place: u32) -> Option<(u32, char)> {
        let mut place = place;
        loop {
            let (offset, character) =
                self.source[..place as usize].char_indices().rev().find(|(_, each)| !is_space(*each))?;
            let found = offset as u32;
            let covered =
                self.comment_at(found).or_else(|| self.blanks.iter().rev().copied().find(|span| covers(span, found)));
            match covered {
                Some(span) if !self.written.contains_key(&span.start) => place = span.start,
                Some(span) => return Some((span.start, self.written[&span.start])),
                None => return Some((found, character)),
            }
        }
    }

    /// The word at `place`.
    pub fn word(&self, place: u32) -> &'s str {
        let rest = &self.source[place as usize..];
        let is_part = |each: char| each.is_alphanumeric() || each == '_' || each == '$';
        &rest[..rest.find(|each| !is_part(each)).unwrap_or(rest.len())]
    }

    fn comment_at(&self, place: u32) -> Option<Span> {
        let after = self.comments.partition_point(|span| span.start <= place);
        self.comments[..after].last().copied().filter(|span| covers(span, place))
    }

    /// The result, with everything else in its column: blanked text keeps its number of UTF-16 units.
    pub fn finish(mut self) -> String {
        self.blanks.sort_unstable_by_key(|span| span.start);
        let mut stripped = String::with_capacity(self.source.len());
        let mut blanks = self.blanks.iter().peekable();
        let mut blank_end = 0;
        for (offset, character) in self.source.char_indices() {
            let place = offset as u32;
            while let Some(span) = blanks.next_if(|span| span.start <= place) {
                blank_end = blank_end.max(span.end);
            }
            match self.written.get(&place) {
                Some(written) => stripped.push(*written),
                None if place >= blank_end || is_space(character) => stripped.push(character),
                None => stripped.push_str(blank_of(character)),
            }
        }
        stripped
    }
}

fn covers(span: &Span, place: u32) -> bool {
    span.start <= place && place < span.end
}

/// White space of the language, including line breaks.
fn is_space(character: char) -> bool {
    character.is_whitespace() && character != '\u{85}' || character == '\u{feff}'
}

/// White space with the same number of UTF-16 units and UTF-8 bytes.
fn blank_of(character: char) -> &'static str {
    match character.len_utf8() {
        1 => " ",
        2 => "\u{a0}",
        3 => "\u{2002}",
        _ => " \u{feff}",
    }
}
