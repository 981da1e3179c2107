//! What a file that stops too early lacks. The parser only says that it met the end; asked again with a few characters more,
//! it tells by where it stops then whether they could have stood there.
use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;

/// A file beyond this many bytes is not parsed again and again for one sentence.
const LARGEST: usize = 256 * 1024;

/// What the end of `source` should be instead: a sign in quotes, or the name of a kind of token. None where much could follow.
pub fn at_end(source: &str, source_type: SourceType) -> Option<&'static str> {
    if source.len() > LARGEST {
        return None;
    }
    let may_follow = |more: &str| stands(source, more, source_type);
    if may_follow("1 + 2") {
        return None; // a statement or an expression
    }
    let has_name = may_follow("zz");
    if may_follow("}") {
        return in_braces(has_name, may_follow);
    }
    match (has_name, may_follow("'zz'")) {
        (true, true) => None,                               // a type, or what is imported
        (true, false) if may_follow("/>") => Some("\">\""), // a tag
        (true, false) => Some("identifier"),
        (false, true) => Some("string"),
        (false, false) => ["\")\"", "\"]\""].into_iter().find(|sign| may_follow(sign.trim_matches('"'))),
    }
}

/// The same between braces that hold no statements.
fn in_braces(has_name: bool, may_follow: impl Fn(&str) -> bool) -> Option<&'static str> {
    if may_follow("static {}") {
        return Some("\"}\""); // a class
    }
    if may_follow("zz;") {
        return None; // members of a type
    }
    if may_follow("case 1:") {
        return Some("\"case\"");
    }
    Some(if has_name { "identifier" } else { "\"}\"" })
}

/// Whether the parser gets beyond `more`, which begins a line behind `source`.
fn stands(source: &str, more: &str, source_type: SourceType) -> bool {
    let allocator = Allocator::default();
    let text = format!("{source}\n{more}");
    let parsed = Parser::new(&allocator, &text, source_type).parse();
    let stop = parsed.diagnostics.iter().next_back().and_then(|last| last.labels.iter().next());
    !parsed.panicked || stop.is_some_and(|label| label.offset() as usize >= text.len())
}
