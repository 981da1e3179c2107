//! Maps positions in running code to the source, and returns source lines, for errors and call sites.
//!
//! A position is mapped to the file through the transpiler's map. If the file was compiled before it was published, the
//! position is mapped further through the map of its `sourceMappingURL`, to the author's source. A map that cannot be read, or
//! has no entry for a position, is ignored. A map may name any file of the machine, so lines are only shown from the sources
//! that it contains, and from files of its project.
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::texts::{Loaded, Texts};
use crate::transform::source_from_bytes;
use crate::v8::{Call, HostOperation, Local, Scope};

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("core_compiledSource", compiled_source),
    ("core_mapName", map_name),
    ("core_mapPosition", map_position),
    ("core_sourceLines", source_lines),
];

/// The most that is read of a file whose lines are shown.
const MOST_READ: u64 = 16 << 20;

/// The code that runs for a file.
pub struct Compiled {
    /// Columns inserted before its first line.
    pub columns: u32,
    pub code: String,
    pub map: Option<String>,
    /// The map was made by rt.
    pub is_own_map: bool,
}

impl Texts {
    /// Returns line, column and file of the source for a position in the running code, with lines and columns from 1. The file
    /// is None
    /// for `name` itself; otherwise it is the source that `name` was compiled from before it was published.
    pub fn position(&self, name: &str, line: u32, column: u32) -> (u32, u32, Option<String>) {
        let Some(loaded) = self.find(name) else { return (line, column, None) };
        let (line, column) = in_file(&loaded, line, column);
        let found = loaded.shipped_map().and_then(|map| Some((map, map.original(line, column)?)));
        let Some((map, (source, line, column, _))) = found else { return (line, column, None) };
        self.has_led_to(&source, map, name);
        (line, column, Some(source))
    }

    /// Returns the author's name of `function`, which starts at a position in the running code.
    fn function_name(&self, name: &str, line: u32, column: u32, function: &str) -> Option<String> {
        let loaded = self.find(name)?;
        let map = loaded.shipped_map()?;
        let (line, column) = in_file(&loaded, line, column);
        map.function_name(line, column, function)
    }

    fn find_compiled(&self, name: &str) -> Option<Compiled> {
        let loaded = self.find(name)?;
        let is_own_map = loaded.text.is_changed();
        let map = if is_own_map { loaded.text.own_map() } else { loaded.shipped_map() };
        let (columns, code) = (loaded.columns, loaded.text.code_text().to_owned());
        Some(Compiled { columns, code, map: map.map(|map| map.to_json()), is_own_map })
    }

    /// Returns source lines `first` to `last` (from 1, inclusive) of `name`, or fewer at its end; None if unknown.
    pub fn lines(&self, name: &str, first: usize, last: usize) -> Option<Vec<String>> {
        let (loaded, authored) = (self.find(name), self.find_authored(name));
        if let Some(text) = authored.as_ref().and_then(|authored| authored.map.source_content(name)) {
            return Some(between(text, first, last));
        }
        if let Some(loaded) = loaded {
            return Some(between(loaded.text.source_text(), first, last));
        }
        if authored.is_some_and(|authored| !is_in_project_of(&authored.carrier, name)) {
            return None;
        }
        read(name).map(|text| between(&text, first, last))
    }
}

/// The position in the file that was loaded.
fn in_file(loaded: &Loaded, line: u32, column: u32) -> (u32, u32) {
    let column = if line == 1 { column.saturating_sub(loaded.columns).max(1) } else { column };
    let found = loaded.text.own_map().and_then(|map| map.original(line, column));
    found.map_or((line, column), |(_, line, column, _)| (line, column))
}

fn between(text: &str, first: usize, last: usize) -> Vec<String> {
    let skipped = first.saturating_sub(1);
    let lines = text.split('\n').skip(skipped).take(last.saturating_sub(skipped));
    lines.map(|line| line.trim_end_matches('\r').to_owned()).collect()
}

/// Returns whether `source` is in the outermost folder with a package.json around `carrier`; without one, in `carrier`'s
/// folder.
fn is_in_project_of(carrier: &str, source: &str) -> bool {
    let carrier = fs::canonicalize(carrier).unwrap_or_else(|_| carrier.into());
    let Some(folder) = carrier.parent() else { return false };
    let projects =
        folder.ancestors().filter(|folder| folder.parent().is_some() && folder.join("package.json").exists());
    let project = projects.last().unwrap_or(folder);
    fs::canonicalize(source).is_ok_and(|source| source != project && source.starts_with(project))
}

fn read(path: &str) -> Option<String> {
    if !fs::metadata(Path::new(path)).ok()?.is_file() {
        return None; // reading a pipe, for example, might never end
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MOST_READ).read_to_end(&mut bytes).ok()?;
    Some(source_from_bytes(bytes).to_string())
}

// --- operations

/// The texts of the calling engine, and the name in the first argument; None if that is not a string.
fn find_texts(call: &Call<'_>) -> Option<(Arc<Texts>, String)> {
    let name = String::from_utf8(call.utf8(0)?).ok()?;
    Some((call.scope.state.texts::<Texts>()?, name))
}

fn place(call: &Call<'_>) -> (u32, u32) {
    let whole = |index| call.integer(index).clamp(0, u32::MAX.into()) as u32;
    (whole(1), whole(2))
}

fn text_or_null<'s>(scope: &Scope<'s>, text: Option<&str>) -> Local<'s> {
    text.and_then(|text| scope.text(text.as_bytes())).unwrap_or_else(|| scope.null())
}

/// `core_mapPosition(file, line, column)`: [line, column, file]; see `Texts::position`.
fn map_position(call: &Call<'_>) -> bool {
    let (line, column) = place(call);
    let found = find_texts(call).map(|(texts, name)| texts.position(&name, line, column));
    let (line, column, file) = found.unwrap_or((line, column, None));
    let scope = &call.scope;
    let file = text_or_null(scope, file.as_deref());
    call.answer(scope.array(&[scope.number(line.into()), scope.number(column.into()), file]));
    true
}

/// `core_mapName(file, line, column, function)`: null if it is unknown.
fn map_name(call: &Call<'_>) -> bool {
    let (line, column) = place(call);
    let function = String::from_utf8(call.utf8(3).unwrap_or_default()).unwrap_or_default();
    let found = find_texts(call).and_then(|(texts, name)| texts.function_name(&name, line, column, &function));
    call.answer(text_or_null(&call.scope, found.as_deref()));
    true
}

/// `core_sourceLines(file, first, last)`: null for an unknown file; see `Texts::lines`.
fn source_lines(call: &Call<'_>) -> bool {
    let (first, last) = place(call);
    let found = find_texts(call).and_then(|(texts, name)| texts.lines(&name, first as usize, last as usize));
    let scope = &call.scope;
    let shown = |lines: Vec<String>| -> Vec<_> { lines.iter().map(|line| text_or_null(scope, Some(line))).collect() };
    call.answer(found.map_or_else(|| scope.null(), |lines| scope.array(&shown(lines))));
    true
}

/// `core_compiledSource(file)`: [columns before it, code, map or null, whether the map is rt's own].
fn compiled_source(call: &Call<'_>) -> bool {
    let found = find_texts(call).and_then(|(texts, name)| texts.find_compiled(&name));
    let found = found.unwrap_or(Compiled { columns: 0, code: String::new(), map: None, is_own_map: false });
    let scope = &call.scope;
    let (code, map) = (text_or_null(scope, Some(&found.code)), text_or_null(scope, found.map.as_deref()));
    call.answer(scope.array(&[scope.number(found.columns.into()), code, map, scope.boolean(found.is_own_map)]));
    true
}
