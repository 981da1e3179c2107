//! The assignments of a `.env` file, unexpanded: as Bun reads them, and as Node does.
//!
//! Both accept `export`, comments, and values in single quotes, double quotes and backquotes over several lines. Only Bun's form has
//! restricted names, `NAME: value` and escaped quotes. In Node's, any text before `=` is a
//! name, and the variables are sorted.
use pyo3::prelude::*;

pub type Assignments = Vec<(String, String)>;

/// Returns the assignments in their order; a name may occur more than once, and the last counts.
pub fn parse(text: &str, as_node: bool) -> Assignments {
    let text = text.strip_prefix('\u{feff}').filter(|_| !as_node).unwrap_or(text);
    // Node drops a carriage return anywhere.
    let single = if as_node { "" } else { "\n" };
    let unified = text.contains('\r').then(|| text.replace("\r\n", "\n").replace('\r', single));
    let text = unified.as_deref().unwrap_or(text);
    let mut found = Vec::new();
    if as_node {
        parse_as_node(text, &mut found);
    } else {
        parse_as_bun(text, &mut found);
    }
    found
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// The first line of `text` without its end, and what follows it.
fn split_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// The text of a value without quotes: up to a comment.
fn plain_value(line: &str) -> &str {
    line.split_once('#').map_or(line, |(value, _)| value)
}

fn parse_as_bun(mut text: &str, found: &mut Assignments) {
    while !text.is_empty() {
        let (line, rest) = split_line(text);
        let Some((name, value)) = bun_name(line) else {
            text = rest;
            continue;
        };
        // The rest of the text, since a value in quotes may have several lines.
        let value = &text[text.len() - rest.len() - (line.len() - value) - usize::from(text.len() > line.len())..];
        let value = value.trim_start_matches(is_blank);
        let quoted = value.chars().next().filter(|first| matches!(first, '\'' | '"' | '`')).and_then(|quote| {
            let length = unescaped_end(&value[1..], quote)?;
            Some((quote, &value[1..=length], &value[length + 2..]))
        });
        let (value, left) = match quoted {
            Some(('"', inner, left)) => (unescape_lines(inner), left),
            Some((_, inner, left)) => (inner.to_owned(), left),
            None => (plain_value(split_line(value).0).trim_matches(is_blank).to_owned(), value),
        };
        found.push((name.to_owned(), value));
        text = split_line(left).1;
    }
}

/// The name that a line assigns to, and where its value begins.
fn bun_name(line: &str) -> Option<(&str, usize)> {
    let mut rest = line.trim_start_matches(is_blank);
    if let Some(after) = rest.strip_prefix("export").filter(|after| after.starts_with(is_blank)) {
        let after = after.trim_start_matches(is_blank);
        // `export = x` assigns to a variable of that name.
        rest = if after.starts_with('=') { rest } else { after };
    }
    let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.');
    let end = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    let after = after.trim_start_matches(is_blank);
    let is_assignment = after.starts_with('=') || after.starts_with(": ") || after.starts_with(":\t");
    (is_assignment && !name.is_empty()).then(|| (name, line.len() - after.len() + 1))
}

/// Where `quote` ends the value at the beginning of `text`; a backslash keeps the character after it.
fn unescaped_end(text: &str, quote: char) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find([quote, '\\'])?;
        if text[at..].starts_with(quote) {
            return Some(at);
        }
        from = at + 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8);
    }
}

/// In double quotes, `\n` and `\r` are line ends; every other backslash stays.
fn unescape_lines(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let next = if character == '\\' { characters.next() } else { None };
        match next {
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            next => plain.extend(std::iter::once(character).chain(next)),
        }
    }
    plain
}

/// Node skips only the `=` of an assignment without a name, and sees what follows as the next one. An empty value does not.
fn parse_as_node(text: &str, found: &mut Assignments) {
    let is_space = |character: char| matches!(character, ' ' | '\t' | '\n');
    let mut text = text.trim_matches(is_space);
    while let Some(end) = text.find(['=', '\n']) {
        if text.starts_with('#') || text[end..].starts_with('\n') {
            text = split_line(text).1.trim_start_matches(is_space);
            continue;
        }
        let name = text[..end].trim_matches(is_space);
        text = &text[end + 1..];
        if text.is_empty() || text.starts_with('\n') {
            found.push((name.to_owned(), String::new()));
            text = text.trim_start_matches(is_space);
            continue;
        }
        text = text.trim_start_matches(is_space);
        if name.is_empty() {
            continue;
        }
        let quoted = text.chars().next().filter(|first| matches!(first, '\'' | '"' | '`')).map(|quote| {
            let closed = text[1..].split_once(quote);
            let (line, _) = split_line(text);
            closed.map_or_else(|| (line.to_owned(), text), |(inner, left)| (unescape(inner, quote), left))
        });
        let (value, left) =
            quoted.unwrap_or_else(|| (plain_value(split_line(text).0).trim_matches(is_space).to_owned(), text));
        found.push((name.strip_prefix("export ").unwrap_or(name).to_owned(), value));
        text = split_line(left).1.trim_start_matches(is_space);
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
}

fn unescape(inner: &str, quote: char) -> String {
    if quote == '"' { inner.replace("\\n", "\n") } else { inner.to_owned() }
}

/// The variables of a file.
#[pyfunction]
#[pyo3(signature = (text, *, as_node = false))]
fn parse_env(text: &str, as_node: bool) -> Assignments {
    parse(text, as_node)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse_env, module)?)
}
