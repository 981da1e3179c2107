//! Parses package.json: the fields that rt uses, or the place and the reason of an error.
//!
//! The dialect is Bun's: comments, trailing commas, single quotes, a byte order mark, invalid UTF-8, lone surrogates and text after
//! the document are accepted. A field of the wrong type counts as absent; of a repeated key, the last value counts. Nothing here recurses over
//! the input, so deep nesting cannot overflow the stack.
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

/// The protocol of ranges that refer to packages of the workspace.
const WORKSPACE: &str = "workspace:";

pub type Pairs = Vec<(String, String)>;

/// An absent field is None or empty. `dependencies` lists the names that order a run, each once: those of dependencies,
/// devDependencies and optionalDependencies, and of peerDependencies with a `workspace:` range. `ranges` has all names of the four
/// tables with their ranges; of a name in several, the last entry counts. `workspaces` is None if the package is not a workspace root.
#[derive(Default, Debug, PartialEq)]
pub struct Fields {
    pub name: Option<String>,
    pub version: Option<String>,
    pub main: Option<String>,
    pub scripts: Pairs,
    pub config: Pairs,
    pub dependencies: Vec<String>,
    pub ranges: Pairs,
    pub workspaces: Option<Vec<String>>,
}

/// The place and the reason of a parse error; line and column count from 1, in characters.
#[derive(Debug)]
pub struct Misread {
    pub line: usize,
    pub column: usize,
    pub reason: String,
}

pub fn parse(bytes: &[u8]) -> Result<Fields, Misread> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(Misread { line: 1, column: 1, reason: "is UTF-16, not UTF-8".to_owned() });
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    let first = match serde_json::from_str(&text) {
        Ok(fields) => return Ok(fields),
        Err(error) => error,
    };
    // Not plain JSON. Blank out what the dialect allows, which moves no byte except in strings that contain the other quote, and
    // look again.
    let mut plain = with_double_quotes(&text);
    if json_strip_comments::strip(&mut plain).is_err() {
        return Err(misread(&first, &text, &text));
    }
    blank_lone_surrogates(&mut plain);
    document(&plain).map(|(fields, _)| fields).map_err(|error| misread(&error, &plain, &text))
}

/// The document at the beginning of `text`, and its length. Text after the document is ignored, as in Bun.
fn document<'de, T: Deserialize<'de>>(text: &'de str) -> Result<(T, usize), serde_json::Error> {
    let mut documents = serde_json::Deserializer::from_str(text).into_iter();
    match documents.next() {
        Some(first) => first.map(|fields| (fields, documents.byte_offset())),
        None => Err(serde_json::from_str::<IgnoredAny>(text).expect_err("an empty text is no document")),
    }
}

/// The text as strict JSON; None if it is not valid in this dialect.
pub fn plain_json(bytes: &[u8]) -> Option<Vec<u8>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    if let Ok(text) = std::str::from_utf8(bytes)
        && is_json(text)
        && !text.contains("\\u")
    {
        return Some(bytes.to_vec());
    }
    let mut plain = with_double_quotes(&String::from_utf8_lossy(bytes));
    json_strip_comments::strip(&mut plain).ok()?;
    blank_lone_surrogates(&mut plain);
    let (_, length) = document::<IgnoredAny>(&plain).ok()?;
    plain.truncate(length);
    Some(plain.into_bytes())
}

/// Describes `error`, found in `plain`, at its position in `text`; both have the same byte offsets.
fn misread(error: &serde_json::Error, plain: &str, text: &str) -> Misread {
    let line_start = plain.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    let at = match error.classify() {
        Category::Data => text.len() - text.trim_start().len(),
        Category::Eof => text.trim_end().len(),
        Category::Syntax | Category::Io => (line_start + error.column()).saturating_sub(1).min(text.len()),
    };
    // Inside a skipped value the reported position is the preceding one.
    let is_control = |at: usize| plain.as_bytes().get(at).is_some_and(u8::is_ascii_control);
    let at = if is_control_character(error) && !is_control(at) && is_control(at + 1) { at + 1 } else { at };
    let before = &text.as_bytes()[..at];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    Misread { line, column, reason: in_words(error, text) }
}

fn is_control_character(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("control character")
}

fn in_words(error: &serde_json::Error, text: &str) -> String {
    if text.trim().is_empty() {
        return "the file is empty".to_owned();
    }
    let full = error.to_string();
    let reason = full.split(" at line ").next().unwrap_or(&full);
    match reason.strip_prefix("EOF while parsing ") {
        Some(what) => format!("the file ends inside {what}"),
        None if error.is_data() => "the file must hold an object".to_owned(),
        None if matches!(reason, "expected value" | "expected ident") => "expected a value".to_owned(),
        None if reason == "key must be a string" => "expected a key in double quotes".to_owned(),
        None if is_control_character(error) => "a string holds a line break or control character".to_owned(),
        None => reason.chars().take(120).collect(),
    }
}

/// The text with double quotes around its strings; comments may contain any quote.
fn with_double_quotes(text: &str) -> String {
    if !text.contains('\'') {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with('/') {
            1
        } else {
            string_length(rest)
        };
        let (taken, left) = rest.split_at(length);
        match taken.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\'')) {
            Some(inner) => push_double_quoted(&mut plain, inner),
            None => plain.push_str(taken),
        }
        rest = left;
    }
    plain + rest
}

/// The length of the string at the beginning of `text`, with its quotes; 1 if it does not end on its line.
fn string_length(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'\n' => break,
            _ if byte == quote => return at + 1,
            _ => {}
        }
    }
    1
}

fn push_double_quoted(plain: &mut String, inner: &str) {
    plain.push('"');
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => plain.push_str("\\\""),
            '\\' => match characters.next() {
                Some('\'') => plain.push('\''),
                next => plain.extend(std::iter::once('\\').chain(next)),
            },
            _ => plain.push(character),
        }
    }
    plain.push('"');
}

/// Replaces each escape of a lone surrogate by `\uFFFD`, as Bun displays it.
fn blank_lone_surrogates(text: &mut String) {
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        at += found;
        match escaped_unit(text, at) {
            Some(0xD800..=0xDBFF) if matches!(escaped_unit(text, at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => text.replace_range(at..at + 6, "\\uFFFD"),
            Some(_) => at += 6,
            None => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
}

/// The UTF-16 unit of the escape `\uXXXX` at `at`.
fn escaped_unit(text: &str, at: usize) -> Option<u32> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Top;
        impl<'de> Visitor<'de> for Top {
            type Value = Fields;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Fields::default();
                let mut dependencies = [vec![], vec![], vec![], vec![]];
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "name" => fields.name = text(&mut map)?,
                        "version" => fields.version = text(&mut map)?,
                        "main" => fields.main = text(&mut map)?,
                        "scripts" => fields.scripts = pairs(&mut map)?,
                        "config" => fields.config = pairs(&mut map)?,
                        "dependencies" => dependencies[0] = pairs(&mut map)?,
                        "devDependencies" => dependencies[1] = pairs(&mut map)?,
                        "optionalDependencies" => dependencies[2] = pairs(&mut map)?,
                        "peerDependencies" => dependencies[3] = pairs(&mut map)?,
                        "workspaces" => fields.workspaces = map.next_value::<Lenient<Patterns>>()?.0.0,
                        _ => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                fields.ranges = dependencies.iter().rev().flatten().cloned().collect();
                dependencies[3].retain(|(_, range)| range.starts_with(WORKSPACE));
                fields.dependencies = dependencies.concat().into_iter().map(target_name).collect();
                let mut seen = std::collections::HashSet::with_capacity(fields.dependencies.len());
                fields.dependencies.retain(|name| seen.insert(name.clone()));
                Ok(fields)
            }
        }
        input.deserialize_any(Top)
    }
}

/// The name of the package that a dependency resolves to: `lib` for `"alias": "workspace:lib@*"`, otherwise its key.
fn target_name((key, range): (String, String)) -> String {
    let Some(target) = range.strip_prefix(WORKSPACE) else { return key };
    match target.rfind('@') {
        Some(at) if at > 0 && !target.starts_with(['.', '/']) => target[..at].to_owned(),
        _ => key,
    }
}

fn text<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<String>, A::Error> {
    Ok(map.next_value::<Lenient<Text>>()?.0.0)
}

fn pairs<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Pairs, A::Error> {
    Ok(map.next_value::<Lenient<TextMap>>()?.0.0)
}

/// The expected shape of a value; a value of another shape is skipped and yields the default.
trait Shape<'de>: Default {
    fn of_text(_: String) -> Self {
        Self::default()
    }

    fn of_list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }

    fn of_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
}

#[derive(Default)]
struct Text(Option<String>);

impl Shape<'_> for Text {
    fn of_text(text: String) -> Self {
        Text(Some(text))
    }
}

#[derive(Default)]
struct TextMap(Pairs);

impl<'de> Shape<'de> for TextMap {
    fn of_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut result: Vec<(String, Option<String>)> = vec![];
        let mut places = std::collections::HashMap::new();
        while let Some((key, value)) = map.next_entry::<String, Lenient<Text>>()? {
            match places.entry(key.clone()) {
                std::collections::hash_map::Entry::Vacant(place) => {
                    place.insert(result.len());
                    result.push((key, value.0.0));
                }
                std::collections::hash_map::Entry::Occupied(place) => result[*place.get()].1 = value.0.0,
            }
        }
        Ok(TextMap(result.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()))
    }
}

#[derive(Default)]
struct Patterns(Option<Vec<String>>);

impl<'de> Shape<'de> for Patterns {
    fn of_list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut result = vec![];
        while let Some(item) = list.next_element::<Lenient<Text>>()? {
            result.extend(item.0.0);
        }
        Ok(Patterns(Some(result)))
    }

    fn of_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut result = Patterns(None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "packages" => result = map.next_value::<Lenient<PlainList>>()?.0.0,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(result)
    }
}

/// `Patterns` without the `{packages}` form, so that it cannot nest.
#[derive(Default)]
struct PlainList(Patterns);

impl<'de> Shape<'de> for PlainList {
    fn of_list<A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        Ok(PlainList(Patterns::of_list(list)?))
    }
}

struct Lenient<S>(S);

impl<'de, S: Shape<'de>> Deserialize<'de> for Lenient<S> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(LenientVisitor(PhantomData)).map(Lenient)
    }
}

struct LenientVisitor<S>(PhantomData<S>);

impl<'de, S: Shape<'de>> Visitor<'de> for LenientVisitor<S> {
    type Value = S;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<S, E> {
        Ok(S::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<S, E> {
        Ok(S::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<S, E> {
        Ok(S::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<S, E> {
        Ok(S::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<S, E> {
        Ok(S::default())
    }

    fn visit_str<E>(self, text: &str) -> Result<S, E> {
        Ok(S::of_text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<S, A::Error> {
        S::of_list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<S, A::Error> {
        S::of_map(map)
    }
}
