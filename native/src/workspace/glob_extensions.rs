//! What the extended form of globs has beyond the plain one: ranges in braces, and groups after a mark.
use regex_lite::{Captures, Regex};

/// Write `{a..c}` as `{a,b,c}`; ranges of too many are left as they are.
pub fn ranges_written_out(pattern: &str) -> String {
    const MOST: usize = 100;
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

/// How often the group after an extended mark may stand, where one opens at `at`.
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
