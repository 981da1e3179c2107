//! `<Box />.props`: members of JSX elements without parentheses, which the grammar allows and the parser rejects.
//!
//! A file that fails to parse at such a place is parsed again with parentheses around the element, and the positions in
//! the tree are mapped back to the source.
use oxc_allocator::Allocator;
use oxc_ast::ast::{Expression, Program};
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{SourceType, Span};

/// The largest number of elements in one file that get parentheses.
const MOST_ELEMENTS: usize = 64;
/// How far back the start of an element is searched, in bytes, and at how many positions.
const LONGEST_ELEMENT: usize = 10_000;
const MOST_TRIES: usize = 200;

/// Parses `source`, where the parser stopped at `failure`; None if something else is wrong with it.
pub fn parse<'a>(
    allocator: &'a Allocator,
    source: &'a str,
    source_type: SourceType,
    failure: usize,
    parse_as: impl Fn(&'a str) -> Result<Program<'a>, Option<usize>>,
) -> Option<Program<'a>> {
    let mut text = source.to_string();
    let mut inserted: Vec<usize> = Vec::new();
    let mut failure = failure;
    while inserted.len() < 2 * MOST_ELEMENTS {
        let (start, end) = element_before(&text, failure, source_type)?;
        text.insert(end, ')');
        text.insert(start, '(');
        inserted.push(original(start, &inserted));
        inserted.push(original(end, &inserted));
        inserted.sort_unstable();
        match parse_as(allocator.alloc_str(&text)) {
            Ok(mut program) => {
                MoveBack(&inserted).visit_program(&mut program);
                program.source_text = source;
                return Some(program);
            }
            Err(next) => failure = next.filter(|next| *next > failure)?,
        }
    }
    None
}

/// The range of the element whose member begins at `failure`.
fn element_before(text: &str, failure: usize, source_type: SourceType) -> Option<(usize, usize)> {
    let next = text.get(failure..)?.trim_start();
    let end = text[..failure].trim_end().len();
    let is_member = next.starts_with(['.', '[']) || next.starts_with("?.");
    if !is_member || !text[..end].ends_with('>') {
        return None;
    }
    let candidates = text[..end].rmatch_indices('<').map(|(start, _)| start).take(MOST_TRIES);
    let start = candidates.take_while(|start| end - start < LONGEST_ELEMENT).find(|start| {
        let allocator = Allocator::default();
        let options = ParseOptions::default();
        let parsed = Parser::new(&allocator, &text[*start..end], source_type.with_module(true)).with_options(options);
        matches!(parsed.parse_expression(), Ok(Expression::JSXElement(_) | Expression::JSXFragment(_)))
    })?;
    Some((start, end))
}

/// Maps a position in the text with parentheses to the source.
fn original(place: usize, inserted: &[usize]) -> usize {
    let mut moved = 0;
    for at in inserted {
        if at + moved < place {
            moved += 1;
        }
    }
    place - moved
}

struct MoveBack<'i>(&'i [usize]);

impl<'a> VisitMut<'a> for MoveBack<'_> {
    fn visit_program(&mut self, it: &mut Program<'a>) {
        for comment in &mut it.comments {
            self.visit_span(&mut comment.span);
        }
        walk_mut::walk_program(self, it);
    }

    fn visit_span(&mut self, it: &mut Span) {
        let back = |place: u32| u32::try_from(original(place as usize, self.0)).unwrap_or(place);
        *it = Span::new(back(it.start), back(it.end));
    }
}
