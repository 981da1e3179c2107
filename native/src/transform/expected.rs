//! What is missing at the end of an incomplete file. The parser only reports the end; parsing again with a few more
//! characters shows, by where it then stops, whether these could follow.
use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;

/// Larger files are not parsed repeatedly for one message.
const LARGEST: usize = 256 * 1024;

/// What is expected at the end of `source`: a character in quotes, or the name of a kind of token. None if many things
/// could follow.
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
        (true, true) => None,                               // a type, or an import list
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

/// Returns whether the parser gets past `more`, which is appended to `source` on a new line.
fn stands(source: &str, more: &str, source_type: SourceType) -> bool {
    let allocator = Allocator::default();
    let text = format!("{source}\n{more}");
    let parsed = Parser::new(&allocator, &text, source_type).parse();
    let stop = parsed.diagnostics.iter().next_back().and_then(|last| last.labels.iter().next());
    !parsed.panicked || stop.is_some_and(|label| label.offset() as usize >= text.len())
}
