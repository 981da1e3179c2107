//! Source maps: from a place in running code to the place its author wrote.
//!
//! Maps come from our own transformation or from a package that ships compiled code (`sourceMappingURL`).
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oxc_sourcemap::Token;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::source_comment;

/// A decoded map: its tokens sorted by generated place, and its texts.
pub struct Map {
    inner: oxc_sourcemap::SourceMap<'static>,
    tokens: Vec<Token>,
    /// The folder that the names of its sources are relative to, for a map that was found by its comment.
    folder: Option<PathBuf>,
}

impl Map {
    pub fn new(inner: oxc_sourcemap::SourceMap<'static>) -> Self {
        let mut tokens: Vec<Token> = inner.get_tokens().collect();
        if !tokens.is_sorted_by_key(place_of) {
            tokens.sort_by_key(place_of);
        }
        Self { inner, tokens, folder: None }
    }

    fn parse(json: &[u8]) -> Result<Self, String> {
        let text = String::from_utf8_lossy(json);
        let text = if text.starts_with(")]}'") { text.split_once('\n').map_or("", |(_, rest)| rest) } else { &text };
        super::deep::guarded(|| {
            let map = oxc_sourcemap::SourceMap::from_json_string(text).map_err(|error| error.to_string())?;
            Ok(Self::new(map.into_owned()))
        })?
    }

    fn source_name(&self, source: &str) -> String {
        let rooted = match self.inner.get_source_root().unwrap_or("") {
            "" => source.to_string(),
            root => format!("{}/{source}", root.trim_end_matches('/')),
        };
        match &self.folder {
            Some(folder) => source_comment::locate(&rooted, folder),
            None => rooted,
        }
    }

    fn lookup(&self, line: u32, column: u32) -> Option<Token> {
        let index = self.tokens.partition_point(|token| place_of(token) <= (line, column));
        // A token holds until the next one, but never past the end of its line.
        self.tokens[..index].last().copied().filter(|token| token.get_dst_line() == line)
    }
}

fn place_of(token: &Token) -> (u32, u32) {
    (token.get_dst_line(), token.get_dst_col())
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

    /// The map that a file's `sourceMappingURL` comment carries or names; None without one that can be read.
    #[staticmethod]
    fn of_code(py: Python<'_>, code: &str, path: &str) -> Option<Self> {
        let map = py.detach(|| {
            let (json, folder) = source_comment::read(source_comment::find(code)?, Path::new(path))?;
            let map = Map::parse(&json).ok()?;
            Some(Map { folder: Some(folder), ..map })
        })?;
        Some(Self { map: Arc::new(map) })
    }

    /// The original place of a generated one; lines and columns count from 1, as in a stack trace.
    fn lookup(&self, line: u32, column: u32) -> Option<(String, u32, u32, Option<String>)> {
        let map = &*self.map;
        let token = map.lookup(line.checked_sub(1)?, column.saturating_sub(1))?;
        let source = map.inner.get_source(token.get_source_id()?)?;
        let name = token.get_name_id().and_then(|id| map.inner.get_name(id)).map(str::to_string);
        let source = map.source_name(source);
        Some((source, token.get_src_line() + 1, token.get_src_col() + 1, name))
    }

    #[getter]
    fn sources(&self) -> Vec<String> {
        self.map.inner.get_sources().map(|source| self.map.source_name(source)).collect()
    }

    /// The text of a source that the map carries along.
    fn source_content(&self, source: &str) -> Option<String> {
        let inner = &self.map.inner;
        let index = inner.get_sources().position(|known| known == source || self.map.source_name(known) == source)?;
        inner.get_source_content(index as u32).map(str::to_string)
    }

    fn to_json<'py>(&self, py: Python<'py>) -> Bound<'py, pyo3::types::PyBytes> {
        let json = py.detach(|| self.map.inner.to_json_string());
        pyo3::types::PyBytes::new(py, json.as_bytes())
    }

    fn __len__(&self) -> usize {
        self.map.tokens.len()
    }
}
