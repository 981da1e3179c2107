//! Source maps: from a position in running code to the original one.
//!
//! Maps come from rt's own transformation or from packages that ship compiled code (`sourceMappingURL`).
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oxc_sourcemap::Token;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{map_text, source_comment};

/// A decoded map: its tokens sorted by generated position, and its texts.
pub struct Map {
    inner: oxc_sourcemap::SourceMap<'static>,
    tokens: Vec<Token>,
    /// The folder for relative source names, for a map found through its comment.
    folder: Option<PathBuf>,
    /// The code with that comment.
    code: Option<Arc<str>>,
}

impl Map {
    pub fn new(inner: oxc_sourcemap::SourceMap<'static>) -> Self {
        let mut tokens: Vec<Token> = inner.get_tokens().collect();
        if !tokens.is_sorted_by_key(place_of) {
            tokens.sort_by_key(place_of);
        }
        Self { inner, tokens, folder: None, code: None }
    }

    fn parse(json: &[u8]) -> Result<Self, String> {
        let text = String::from_utf8_lossy(json);
        super::deep::catch_panic(|| map_text::decode(&text).map(Self::new))?
    }

    /// The map that a `sourceMappingURL` comment of `code`, the text of the file `path`, contains or refers to.
    pub fn shipped_with(code: &Arc<str>, path: &Path) -> Option<Self> {
        let (json, folder) = source_comment::read(source_comment::find(code)?, path)?;
        let map = Self::parse(&json).ok()?;
        Some(Self { folder: Some(folder), code: Some(code.clone()), ..map })
    }

    fn source_name(&self, source: &str) -> String {
        let rooted = map_text::join_source_root(self.inner.get_source_root(), source);
        match &self.folder {
            Some(folder) => source_comment::locate(&rooted, folder),
            None => rooted,
        }
    }

    /// The original position of a generated one; lines and columns count from 1, as in a stack trace.
    pub fn original(&self, line: u32, column: u32) -> Option<Original> {
        let token = self.lookup(line.checked_sub(1)?, column.saturating_sub(1))?;
        let source = self.inner.get_source(token.get_source_id()?).filter(|source| !source.is_empty())?;
        let name = token.get_name_id().and_then(|id| self.inner.get_name(id)).map(str::to_string);
        Some((self.source_name(source), token.get_src_line() + 1, token.get_src_col() + 1, name))
    }

    /// The original name of the function that the code calls `name` and that starts at a position; None if the map does
    /// not tell.
    pub fn function_name(&self, line: u32, column: u32, name: &str) -> Option<String> {
        let line = line.checked_sub(1)?;
        let text = self.code.as_deref()?.split('\n').nth(line as usize)?;
        let index = name_index(text, byte_index(text, column.saturating_sub(1))?, name)?;
        let place = (line, text[..index].encode_utf16().count() as u32);
        let token = self.lookup(place.0, place.1).filter(|token| place_of(token) == place)?;
        let original = self.inner.get_name(token.get_name_id()?)?;
        (!original.is_empty()).then(|| original.to_string())
    }

    /// The text of a source that the map contains.
    pub fn source_content(&self, source: &str) -> Option<&str> {
        let index = self.inner.get_sources().position(|known| known == source || self.source_name(known) == source)?;
        self.inner.get_source_content(index as u32)
    }

    pub fn to_json(&self) -> String {
        self.inner.to_json_string()
    }

    fn lookup(&self, line: u32, column: u32) -> Option<Token> {
        let index = self.tokens.partition_point(|token| place_of(token) <= (line, column));
        // A token applies until the next one, but never past the end of its line.
        self.tokens[..index].last().copied().filter(|token| token.get_dst_line() == line)
    }
}

/// Source, line, column and name.
type Original = (String, u32, u32, Option<String>);

fn place_of(token: &Token) -> (u32, u32) {
    (token.get_dst_line(), token.get_dst_col())
}

/// The byte index of a column, which counts UTF-16 units.
fn byte_index(line: &str, column: u32) -> Option<usize> {
    let mut units = 0;
    for (index, character) in line.char_indices() {
        if units >= column as usize {
            return Some(index);
        }
        units += character.len_utf16();
    }
    None
}

const BEFORE_A_NAME: [&str; 6] = ["async", "function", "class", "static", "get", "set"];

/// The position of the name of the function that starts at `start`: in its head, before `=` or `:`, or in its class's
/// head.
fn name_index(text: &str, start: usize, name: &str) -> Option<usize> {
    let mut rest = text[start..].trim_start_matches('*');
    while let Some(after) = BEFORE_A_NAME.iter().find_map(|word| after_word(rest, word)) {
        rest = after.trim_start_matches([' ', '*']);
    }
    if after_word(rest, name).is_some() {
        return Some(text.len() - rest.len());
    }
    let before = text[..start].trim_end().strip_suffix(['=', ':']).map(str::trim_end);
    if let Some(head) = before.and_then(|before| before.strip_suffix(name)) {
        return (!head.ends_with(is_name_part)).then_some(head.len());
    }
    after_word(rest, "constructor")?;
    let class = format!("class {name}");
    let found = text[..start].rmatch_indices(&class).map(|(index, _)| index + class.len() - name.len());
    found.into_iter().find(|index| after_word(&text[*index..], name).is_some())
}

fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    text.strip_prefix(word).filter(|rest| !rest.starts_with(is_name_part))
}

fn is_name_part(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct SourceMap {
    map: Arc<Map>,
}

impl From<Arc<Map>> for SourceMap {
    fn from(map: Arc<Map>) -> Self {
        Self { map }
    }
}

#[pymethods]
impl SourceMap {
    /// Reads a map's JSON, with or without the `)]}'` line that some servers put before it.
    #[new]
    fn read(py: Python<'_>, json: Vec<u8>) -> PyResult<Self> {
        let parsed = py.detach(|| Map::parse(&json));
        parsed.map(|map| Self { map: Arc::new(map) }).map_err(PyValueError::new_err)
    }

    /// The map that a file's `sourceMappingURL` comment contains or refers to; None if there is no readable one.
    #[staticmethod]
    fn of_code(py: Python<'_>, code: &str, path: &str) -> Option<Self> {
        let code = Arc::from(code);
        let map = py.detach(|| Map::shipped_with(&code, Path::new(path)))?;
        Some(Self { map: Arc::new(map) })
    }

    /// The original position of a generated one; lines and columns count from 1, as in a stack trace.
    fn lookup(&self, line: u32, column: u32) -> Option<Original> {
        self.map.original(line, column)
    }

    fn function_name(&self, line: u32, column: u32, name: &str) -> Option<String> {
        self.map.function_name(line, column, name)
    }

    #[getter]
    fn sources(&self) -> Vec<String> {
        self.map.inner.get_sources().map(|source| self.map.source_name(source)).collect()
    }

    /// The text of a source that the map contains.
    fn source_content(&self, source: &str) -> Option<&str> {
        self.map.source_content(source)
    }

    fn to_json<'py>(&self, py: Python<'py>) -> Bound<'py, pyo3::types::PyBytes> {
        let json = py.detach(|| self.map.to_json());
        pyo3::types::PyBytes::new(py, json.as_bytes())
    }

    fn __len__(&self) -> usize {
        self.map.tokens.len()
    }
}
