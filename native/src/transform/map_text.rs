//! Source maps as JSON: the ordinary form, index maps (`sections`), and invalid forms that tools write.
//!
//! An index map becomes one ordinary map: each section's positions are moved to the section's start, and its sources
//! get its own `sourceRoot`. Sections that only have a URL, or nested sections, are ignored.
use std::borrow::Cow;

use oxc_sourcemap::{SourceMap, Token};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Index {
    sections: Vec<Section>,
}

#[derive(Deserialize)]
struct Section {
    offset: Offset,
    map: Option<Value>,
}

#[derive(Deserialize)]
struct Offset {
    line: u32,
    column: u32,
}

/// Decodes the map in `text`, which may start with the `)]}'` line that some servers put before JSON.
pub fn decode(text: &str) -> Result<SourceMap<'static>, String> {
    let text = text.trim_start_matches('\u{feff}');
    let text = if text.starts_with(")]}'") { text.split_once('\n').map_or("", |(_, rest)| rest) } else { text };
    match SourceMap::from_json_string(text) {
        Ok(map) => Ok(map.into_owned()),
        Err(problem) => match serde_json::from_str::<Index>(text) {
            Ok(index) => flatten(index),
            Err(_) => tidy(serde_json::from_str(text).map_err(|_| problem.to_string())?),
        },
    }
}

/// Removes what readers of the map do not need: unnamed sources, ignore lists.
fn tidy(mut json: Value) -> Result<SourceMap<'static>, String> {
    let fields = json.as_object_mut().ok_or("not an object")?;
    fields.remove("ignoreList");
    fields.remove("x_google_ignoreList");
    for list in ["sources", "names"] {
        for each in fields.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            if !each.is_string() {
                *each = Value::String(String::new());
            }
        }
    }
    for each in fields.get_mut("sourcesContent").and_then(Value::as_array_mut).into_iter().flatten() {
        if !each.is_string() {
            *each = Value::Null;
        }
    }
    let text = json.to_string();
    SourceMap::from_json_string(&text).map(SourceMap::into_owned).map_err(|problem| problem.to_string())
}

fn flatten(index: Index) -> Result<SourceMap<'static>, String> {
    let (mut names, mut sources, mut contents, mut tokens) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for Section { offset, map } in index.sections {
        let Some(map) = map else { continue };
        let map = tidy(map)?;
        let (first_name, first_source) = (names.len() as u32, sources.len() as u32);
        names.extend(map.get_names().map(|name| Cow::Owned(name.to_string())));
        sources.extend(map.get_sources().map(|source| Cow::Owned(join_source_root(map.get_source_root(), source))));
        contents.extend(
            (first_source..sources.len() as u32)
                .map(|id| map.get_source_content(id - first_source).map(|text| Cow::Owned(text.to_string()))),
        );
        tokens.extend(map.get_tokens().map(|token| {
            let shift = if token.get_dst_line() == 0 { offset.column } else { 0 };
            Token::new(
                token.get_dst_line().saturating_add(offset.line),
                token.get_dst_col().saturating_add(shift),
                token.get_src_line(),
                token.get_src_col(),
                token.get_source_id().map(|id| id + first_source),
                token.get_name_id().map(|id| id + first_name),
            )
        }));
    }
    Ok(SourceMap::new(None, names, None, sources, contents, tokens.into_boxed_slice(), None))
}

/// A source's name relative to its map's `sourceRoot`.
pub fn join_source_root(root: Option<&str>, source: &str) -> String {
    match root.unwrap_or("") {
        "" => source.to_string(),
        _ if source.is_empty() => String::new(),
        root => format!("{}/{source}", root.trim_end_matches('/')),
    }
}
