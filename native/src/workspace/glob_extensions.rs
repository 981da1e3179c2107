//! The extended syntax of globs: ranges in braces, and groups after a mark.
use regex_lite::{Captures, Regex};

/// Expands `{a..c}` to `{a,b,c}`; large ranges stay as they are.
pub fn ranges_written_out(pattern: &str) -> String {
    const MOST: usize = 100;
    if !pattern.contains("..") {
        return pattern.to_owned(); // most patterns have none and are matched often
    }
    let Ok(range) = Regex::new(r"\{(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))\}") else {
        return pattern.to_owned();
    };
    let written = range.replace_all(pattern, |found: &Captures<'_>| {
        let items: Vec<String> = match (found.get(1), found.get(2), found.get(3), found.get(4)) {
            (Some(low), Some(high), ..) => {
                let (low, high): (i64, i64) = (low.as_str().parse().unwrap_or(0), high.as_str().parse().unwrap_or(0));
                (low.min(high)..=low.max(high)).take(MOST + 1).map(|number| number.to_string()).collect()
            }
            (_, _, Some(low), Some(high)) => {
                let (low, high) = (low.as_str().as_bytes()[0], high.as_str().as_bytes()[0]);
                (low.min(high)..=low.max(high)).map(|byte| char::from(byte).to_string()).collect()
            }
            _ => vec![],
        };
        if items.is_empty() || items.len() > MOST { found[0].to_owned() } else { format!("{{{}}}", items.join(",")) }
    });
    written.into_owned()
}

/// How often the group after an extended mark may occur, if one opens at `at`.
pub fn group_suffix(chars: &[char], at: usize) -> Option<&'static str> {
    let suffix = match chars[at] {
        '?' => "?",
        '*' => "*",
        '+' => "+",
        '@' => "",
        _ => return None,
    };
    (chars.get(at + 1) == Some(&'(') && chars[at + 1..].contains(&')')).then_some(suffix)
}

/// Strips the negating marks at the beginning of `pattern`, and returns whether they negate it; `!(` opens a group.
pub fn without_negation(pattern: &str) -> (&str, bool) {
    let mut bare = pattern;
    let mut negated = false;
    while let Some(rest) = bare.strip_prefix('!').filter(|rest| !rest.starts_with('(')) {
        bare = rest;
        negated = !negated;
    }
    (bare, negated)
}

/// Expands groups such as `@(a|b)` that contain a negation, so that no negation is inside another group.
pub fn groups_written_out(texts: Vec<String>, most: usize) -> Vec<String> {
    let mut done = vec![];
    let mut todo = texts;
    while let Some(text) = todo.pop() {
        let chars: Vec<char> = text.chars().collect();
        let group = (0..chars.len()).find_map(|at| {
            let (parts, close) = (chars[at] == '@').then(|| group_alternatives(&chars, at + 1)).flatten()?;
            chars[at..close].windows(2).any(|pair| pair == ['!', '(']).then_some((at, parts, close))
        });
        match group {
            Some((open, parts, close)) if done.len() + todo.len() + parts.len() <= most => {
                for (start, end) in parts {
                    todo.push(chars[..open].iter().chain(&chars[start..end]).chain(&chars[close + 1..]).collect());
                }
            }
            _ => done.push(text),
        }
    }
    done
}

/// The ranges of a group's alternatives, and its end.
pub type Group = (Vec<(usize, usize)>, usize);

/// The group that opens at `open`.
pub fn group_alternatives(chars: &[char], open: usize) -> Option<Group> {
    if chars.get(open) != Some(&'(') {
        return None;
    }
    parts_between(chars, open, ['(', '|', ')'], |at| at)
}

/// The parts between an opening sign, separators and a closing sign. `behind` is called where a class may begin, and
/// returns its end if nothing inside counts.
pub fn parts_between(chars: &[char], open: usize, signs: [char; 3], behind: impl Fn(usize) -> usize) -> Option<Group> {
    let [opening, separator, closing] = signs;
    let (mut parts, mut start, mut depth, mut at) = (vec![], open + 1, 0, open);
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            '[' => at = behind(at),
            sign if sign == opening => depth += 1,
            sign if sign == separator && depth == 1 => {
                parts.push((start, at));
                start = at + 1;
            }
            sign if sign == closing => {
                depth -= 1;
                if depth == 0 {
                    parts.push((start, at));
                    return Some((parts, at));
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The character that a backslash escape stands for.
pub fn escaped(char: char) -> char {
    match char {
        'b' => '\u{8}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        _ => char,
    }
}
