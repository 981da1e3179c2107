//! `!(a|b)` in extended globs: any part of a segment except those where an alternative would match.
//!
//! `x!(a|b)y` matches if for some split `x` matches the text before it, and the rest matches `*y` but neither `ay` nor
//! `by`. Results for text positions are memoised: a match is quadratic in the text for one negation and cubic for more,
//! so patterns with several match only texts up to the length of a file name.
use std::collections::HashMap;

use regex_lite::Regex;

use crate::workspace::glob_extensions::{Group, group_alternatives};

/// A pattern with more negations matches nothing.
const MOST: usize = 4;
const MOST_ALTERNATIVES: usize = 20;
const LONGEST_FOR_SEVERAL: usize = 300;

/// A pattern split at its negations.
pub enum Cut {
    Plain(Regex),
    Negated(Box<Negated>),
}

pub struct Negated {
    id: usize,
    before: Regex,
    refused: Vec<Cut>,
    after: Cut,
}

/// Returns whether `pattern` contains a negating group.
pub fn has_negation(pattern: &str) -> bool {
    pattern.contains("!(")
}

/// Splits `pattern`; `regex_of` translates the parts without negation. None if there are too many negations, or a part
/// is invalid.
pub fn split_negation(pattern: &str, regex_of: &dyn Fn(&str) -> String) -> Option<Cut> {
    let mut last = 0;
    (pattern.matches("!(").count() <= MOST).then(|| cut_at(pattern, regex_of, &mut last)).flatten()
}

fn cut_at(pattern: &str, regex_of: &dyn Fn(&str) -> String, last: &mut usize) -> Option<Cut> {
    let chars: Vec<char> = pattern.chars().collect();
    let Some((open, (parts, close))) = first_negation(&chars) else {
        return Regex::new(&regex_of(pattern)).ok().map(Cut::Plain);
    };
    if parts.len() > MOST_ALTERNATIVES {
        return None;
    }
    *last += 1;
    let id = *last;
    let rest: String = chars[close + 1..].iter().collect();
    let before = Regex::new(&regex_of(&chars[..open].iter().collect::<String>())).ok()?;
    let mut refused = vec![];
    for (start, end) in parts {
        let text: String = chars[start..end].iter().collect::<String>() + &rest;
        refused.push(cut_at(&text, regex_of, last)?);
    }
    Some(Cut::Negated(Box::new(Negated { id, before, refused, after: cut_at(&rest, regex_of, last)? })))
}

/// The start of the first `!(`, and its content.
fn first_negation(chars: &[char]) -> Option<(usize, Group)> {
    let mut at = 0;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            '!' if chars.get(at + 1) == Some(&'(') => {
                if let Some(group) = group_alternatives(chars, at + 1) {
                    return Some((at, group));
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

impl Negated {
    fn holds_another(&self) -> bool {
        self.refused.iter().chain([&self.after]).any(|cut| matches!(cut, Cut::Negated(_)))
    }
}

impl Cut {
    pub fn is_match(&self, text: &str) -> bool {
        if text.len() > LONGEST_FOR_SEVERAL && matches!(self, Self::Negated(negated) if negated.holds_another()) {
            return false;
        }
        self.fits(text, 0, &mut HashMap::new())
    }

    /// Returns whether the text from `from` on matches.
    fn fits(&self, text: &str, from: usize, known: &mut HashMap<(usize, usize), bool>) -> bool {
        let negated = match self {
            Self::Plain(regex) => return regex.is_match(&text[from..]),
            Self::Negated(negated) => negated,
        };
        if let Some(&is_known) = known.get(&(negated.id, from)) {
            return is_known;
        }
        let found = places(text, from).any(|at| {
            negated.before.is_match(&text[from..at])
                && !negated.refused.iter().any(|each| each.fits(text, at, known))
                && places(text, at)
                    .take_while(|&end| !text[at..end].contains('/'))
                    .any(|end| negated.after.fits(text, end, known))
        });
        known.insert((negated.id, from), found);
        found
    }
}

/// The positions between the characters of `text` from `from` on, including its end.
fn places(text: &str, from: usize) -> impl Iterator<Item = usize> + '_ {
    text[from..].char_indices().map(move |(at, _)| from + at).chain([text.len()])
}
