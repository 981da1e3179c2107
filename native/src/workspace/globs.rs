//! Glob patterns with Bun's syntax, matched in time linear in pattern times text for every pattern.
//!
//! `*` and `?` do not match `/`; `**` does as a whole segment; `[abc]`, `[a-z]`, `[!x]`, `{a,b}` nest, `\` escapes, a
//! leading `!` negates. An unclosed `[` or `{` stands for itself. A pattern always matches its own text. The extended
//! syntax of `RT.Glob` adds `?(a|b)`, `*(a|b)`, `+(a|b)`, `@(a|b)`, `!(a|b)`, `{a..c}` and `{1..9}`; in it `**` matches
//! empty segments and no segment at all, a negated class matches `/`, braces may contain part of a path, and `\\b`,
//! `\\n`, `\\r`, `\\t` mean the same as in a string.
use pyo3::prelude::*;
use pyo3::types::PyString;
use regex_lite::Regex;

use crate::workspace::glob_extensions::{
    Group, escaped, group_suffix, groups_written_out, parts_between, ranges_written_out, without_negation,
};
use crate::workspace::glob_negation::{Cut, has_negation, split_negation};

/// Longer patterns match only their own text.
const LONGEST: usize = 1000;

pub struct Glob {
    text: String,
    regex: Option<Regex>,
    cuts: Vec<Cut>, // in place of `regex` if the pattern has `!(…)`
    negated: bool,
}

/// Braces with more alternatives stay one expression.
const MOST_WRITTEN_OUT: usize = 100;

/// Whether `a/**` matches `a` itself.
#[derive(Clone, Copy, PartialEq)]
pub enum Tail {
    Below,
    BelowAndItself,
}

impl Glob {
    pub fn new(pattern: &str, tail: Tail) -> Self {
        let bare = pattern.trim_start_matches('!');
        let regex = (bare.len() <= LONGEST).then(|| Regex::new(&translate(bare, tail)).ok()).flatten();
        Self { text: bare.to_owned(), regex, cuts: vec![], negated: (pattern.len() - bare.len()) % 2 == 1 }
    }

    /// A pattern of the extended syntax. A few alternatives are expanded, because `**` counts as a segment of the
    /// resulting path.
    fn with_extensions(pattern: &str) -> Self {
        let (bare, negated) = without_negation(pattern);
        let bare = ranges_written_out(bare);
        let mut glob = Self { text: bare, regex: None, cuts: vec![], negated };
        if glob.text.len() > LONGEST {
            return glob;
        }
        let texts = alternatives(&glob.text, MOST_WRITTEN_OUT).unwrap_or_else(|| vec![glob.text.clone()]);
        if has_negation(&glob.text) {
            let texts = groups_written_out(texts, MOST_WRITTEN_OUT);
            glob.cuts = texts
                .iter()
                .filter_map(|text| split_negation(text, &|part| regex_of(part, Tail::Below, true)))
                .collect();
        } else {
            let regexes: Vec<String> = texts.iter().map(|text| regex_of(text, Tail::Below, true)).collect();
            glob.regex = Regex::new(&regexes.join("|")).ok();
        }
        glob
    }

    pub fn is_match(&self, text: &str) -> bool {
        let matched = text == self.text || self.regex.as_ref().is_some_and(|regex| regex.is_match(text));
        matched != self.negated
    }

    fn is_extended_match(&self, text: &str) -> bool {
        let matched = match &self.regex {
            Some(regex) => regex.is_match(text),
            None if self.cuts.is_empty() => text == self.text,
            None => self.cuts.iter().any(|cut| cut.is_match(text)),
        };
        matched != self.negated
    }
}

/// Returns whether `pattern` contains anything but literal characters.
pub fn is_wild(pattern: &str) -> bool {
    pattern.contains(['*', '?', '[', '\\'])
}

/// Expands `{a,b}`: all texts that the braces of `pattern` stand for, in order; None if there are too many.
pub fn alternatives(pattern: &str, most: usize) -> Option<Vec<String>> {
    let mut done = vec![];
    let mut todo = vec![(pattern.to_owned(), 0)];
    while let Some((text, from)) = todo.pop() {
        if done.len() + todo.len() >= most {
            return None;
        }
        let chars: Vec<char> = text.chars().collect();
        let Some((open, parts, close)) = first_braces(&chars, from) else {
            done.push(text);
            continue;
        };
        for part in parts.iter().rev() {
            let expanded = chars[..open].iter().chain(&chars[part.0..part.1]).chain(&chars[close + 1..]).collect();
            todo.push((expanded, open));
        }
    }
    Some(done)
}

/// The start of braces, the ranges of their parts, and their end.
type Braces = (usize, Vec<(usize, usize)>, usize);

/// The first complete braces at or after `from`.
fn first_braces(chars: &[char], from: usize) -> Option<Braces> {
    let mut at = from;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            '[' => at = class_end(chars, at).unwrap_or(at),
            '{' => {
                if let Some((parts, close)) = brace_parts(chars, at) {
                    return Some((at, parts, close));
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The comma-separated parts of the braces that open at `open`, and their end.
fn brace_parts(chars: &[char], open: usize) -> Option<Group> {
    parts_between(chars, open, ['{', ',', '}'], |at| class_end(chars, at).unwrap_or(at))
}

/// The end of the class that opens at `open`: a `]` right after the opening is a member.
fn class_end(chars: &[char], open: usize) -> Option<usize> {
    let mut at = open + 1 + usize::from(matches!(chars.get(open + 1), Some('!' | '^')));
    let first = at;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            ']' if at > first => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// `**/`: any number of segments; in the extended syntax including empty ones.
const ANY_DEPTH: &str = "(?:[^/]+/)*";
const ANY_DEPTH_EXTENDED: &str = "(?:[^/]*/)*";

fn translate(pattern: &str, tail: Tail) -> String {
    regex_of(pattern, tail, false)
}

fn regex_of(pattern: &str, tail: Tail, is_extended: bool) -> String {
    let any_depth = if is_extended { ANY_DEPTH_EXTENDED } else { ANY_DEPTH };
    let mut groups: Vec<&str> = vec![];
    let chars: Vec<char> = pattern.chars().collect();
    let closing = closing_braces(&chars);
    let mut regex = String::from(r"(?s)\A(?:");
    let mut open_braces = 0;
    let mut at = 0;
    while at < chars.len() {
        let char = chars[at];
        if let Some(suffix) = group_suffix(&chars, at).filter(|_| is_extended) {
            groups.push(suffix);
            regex.push_str("(?:");
            at += 2;
            continue;
        }
        match char {
            '|' if !groups.is_empty() => regex.push('|'),
            ')' if !groups.is_empty() => {
                regex.push(')');
                regex.push_str(groups.pop().unwrap_or_default());
            }
            '*' => {
                let stars = chars[at..].iter().take_while(|&&char| char == '*').count();
                let starts = at == 0 || chars[at - 1] == '/';
                let next = chars.get(at + stars);
                at += stars - 1;
                if stars == 2 && starts && next == Some(&'/') {
                    if !regex.ends_with(any_depth) {
                        regex.push_str(any_depth);
                    }
                    at += 1;
                } else if stars == 2 && starts && next.is_none() {
                    if is_extended {
                        regex.push_str(".*");
                    } else if tail == Tail::BelowAndItself && regex.ends_with('/') {
                        regex.truncate(regex.len() - 1);
                        regex.push_str("(?:/.+)?");
                    } else {
                        regex.push_str(".+");
                    }
                } else {
                    // A segment must follow any number of segments, not the empty text after the last slash.
                    let needs_one = is_extended && next.is_none() && regex.ends_with(any_depth);
                    regex.push_str(if needs_one { "[^/]+" } else { "[^/]*" });
                }
            }
            '?' => regex.push_str("[^/]"),
            '[' => match class_end(&chars, at) {
                Some(end) => {
                    push_class(&mut regex, &chars[at + 1..end], is_extended);
                    at = end;
                }
                None => regex.push_str(r"\["),
            },
            '{' if closing[at] => {
                open_braces += 1;
                regex.push_str("(?:");
            }
            '}' if closing[at] => {
                open_braces -= 1;
                regex.push(')');
            }
            ',' if open_braces > 0 => regex.push('|'),
            '\\' if at + 1 < chars.len() => {
                at += 1;
                push_literal(&mut regex, if is_extended { escaped(chars[at]) } else { chars[at] });
            }
            _ => push_literal(&mut regex, char),
        }
        at += 1;
    }
    regex.push_str(r")\z");
    regex
}

/// For each position, whether a matching brace is there.
fn closing_braces(chars: &[char]) -> Vec<bool> {
    let mut paired = vec![false; chars.len()];
    let mut open = vec![];
    let mut at = 0;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            '[' => at = class_end(chars, at).unwrap_or(at),
            '{' => open.push(at),
            '}' => {
                if let Some(partner) = open.pop() {
                    paired[partner] = true;
                    paired[at] = true;
                }
            }
            _ => {}
        }
        at += 1;
    }
    paired
}

fn push_class(regex: &mut String, members: &[char], is_extended: bool) {
    let negated = matches!(members.first(), Some('!' | '^'));
    let members = &members[usize::from(negated)..];
    regex.push_str(match (negated, is_extended) {
        (true, false) => "[^/",
        (true, true) => "[^",
        (false, _) => "[",
    });
    let mut at = 0;
    while at < members.len() {
        match members[at] {
            '-' if at > 0 && at + 1 < members.len() => regex.push('-'),
            '\\' if at + 1 < members.len() => {
                at += 1;
                push_literal(regex, if is_extended { escaped(members[at]) } else { members[at] });
            }
            char => push_literal(regex, char),
        }
        at += 1;
    }
    regex.push(']');
}

fn push_literal(regex: &mut String, char: char) {
    if char.is_ascii_punctuation() && char != '/' {
        regex.push('\\');
    }
    regex.push(char);
}

#[pyfunction]
#[pyo3(signature = (pattern, texts, *, extended = false))]
fn match_glob(
    py: Python<'_>,
    pattern: &Bound<'_, PyString>,
    texts: Vec<Bound<'_, PyString>>,
    extended: bool,
) -> Vec<usize> {
    let pattern = pattern.to_string_lossy().into_owned();
    let texts: Vec<String> = texts.iter().map(|text| text.to_string_lossy().into_owned()).collect();
    py.detach(|| {
        let glob = if extended { Glob::with_extensions(&pattern) } else { Glob::new(&pattern, Tail::Below) };
        let matched = |text: &str| if extended { glob.is_extended_match(text) } else { glob.is_match(text) };
        texts.iter().enumerate().filter(|(_, text)| matched(text)).map(|(place, _)| place).collect()
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(match_glob, module)?)
}
