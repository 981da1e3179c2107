//! One transformed file, for the module loader.
//!
//! It keeps its source: an unchanged file shares it with `code`, stack traces show its lines, and the source map of a
//! changed file is created from it on first use.
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::PyString;

use super::assume;
use super::deep;
use super::errors::{Lines, SyntaxProblem};
use super::lines;
use super::options::{Options, Request};
use super::passes::macros::FoundCall;
use super::passes::quote;
use super::pipeline::{self, Output};
use super::source_map::Map;
use super::survey::{RequestKind, Survey};

/// A specifier in the file's code.
#[pyclass(frozen, get_all, module = "rt_supervisor._native")]
#[derive(Clone, Debug)]
pub struct ModuleRequest {
    pub specifier: String,
    pub kind: &'static str,
    pub attributes: HashMap<String, String>,
    /// The specifier's position in the source; 0 if the transpiler added it (the JSX runtime).
    pub line: u32,
    pub column: u32,
}

#[pymethods]
impl ModuleRequest {
    fn __repr__(&self) -> String {
        format!("ModuleRequest({:?}, {:?}, line={}, column={})", self.specifier, self.kind, self.line, self.column)
    }
}

/// A call of a macro, for the host to evaluate.
#[pyclass(frozen, get_all, module = "rt_supervisor._native")]
#[derive(Clone, Debug)]
pub struct MacroCall {
    pub specifier: String,
    pub imported: String,
    pub arguments: String,
    pub constants: String,
    pub obstacle: String,
    pub is_dead: bool,
    pub line: u32,
    pub column: u32,
}

/// The result for a file; copies share it.
#[pyclass(frozen, module = "rt_supervisor._native")]
#[derive(Clone)]
pub struct Transformed(Arc<Content>);

impl Deref for Transformed {
    type Target = Content;

    fn deref(&self) -> &Content {
        &self.0
    }
}

pub struct Content {
    request: Arc<Request>,
    options: Arc<Options>,
    source: Arc<str>,
    code: Option<Arc<str>>,
    pub is_module: bool,
    pub survey: Survey,
    requests: Vec<ModuleRequest>,
    problems: Vec<SyntaxProblem>,
    macro_calls: Vec<MacroCall>,
    /// Whether the file could be a module or CommonJS.
    pub is_ambiguous: bool,
    /// Whether the file was not parsed.
    pub is_assumed: bool,
    map: OnceLock<Option<Arc<Map>>>,
}

impl Transformed {
    /// What is wrong with the file, if anything.
    pub fn first_problem(&self) -> Option<&SyntaxProblem> {
        self.problems.first()
    }

    /// Transform a whole file; to be called on a deep stack (`deep::run`).
    pub fn new(source: Arc<str>, request: Arc<Request>, options: Arc<Options>) -> Self {
        let mut output = if deep::is_too_deep(&source) {
            let message = "This file is nested too deeply to run".to_string();
            Output { problems: vec![SyntaxProblem::of_file(&request.path, message)], ..Output::default() }
        } else {
            deep::catch_panic(|| pipeline::run(&source, &request, &options, options.inline_maps)).unwrap_or_else(
                |message| Output {
                    problems: vec![SyntaxProblem::of_file(&request.path, message)],
                    ..Output::default()
                },
            )
        };
        let requests = place_requests(&source, &mut output.survey);
        if output.problems.is_empty() {
            let code = output.code.take();
            output.code = add_reexports(&source, code, &request.reexport);
        }
        let macro_calls = place_macro_calls(&source, output.macro_calls);
        let map = OnceLock::new();
        if let (Some(code), Some(mut made)) = (&mut output.code, output.map) {
            if let Ok(Some(aligned)) = deep::catch_panic(|| lines::align(code, &made, output.is_module)) {
                (*code, made) = aligned;
            }
            code.push_str("\n//# sourceMappingURL=");
            code.push_str(&made.to_data_url());
            let _ = map.set(Some(Arc::new(Map::new(made))));
        }
        Self(Arc::new(Content {
            request,
            options,
            source,
            code: output.code.map(Arc::from),
            is_module: output.is_module,
            survey: output.survey,
            requests,
            problems: output.problems,
            macro_calls,
            is_ambiguous: output.is_ambiguous,
            is_assumed: false,
            map,
        }))
    }

    /// As `new`, but a large file may be taken for CommonJS unparsed (`assume`).
    pub fn trusting(source: Arc<str>, request: Arc<Request>, options: Arc<Options>) -> Self {
        if !assume::is_plain_commonjs(&source, &request, &options) {
            return Self::new(source, request, options);
        }
        Self(Arc::new(Content {
            request,
            options,
            source,
            code: None,
            is_module: false,
            survey: Survey::default(),
            requests: Vec::new(),
            problems: Vec::new(),
            macro_calls: Vec::new(),
            is_ambiguous: true,
            is_assumed: true,
            map: OnceLock::new(),
        }))
    }

    /// The same file without some imports, which turned out to be types.
    pub fn without_imports(&self, imports: Vec<(String, String)>) -> Self {
        let mut request = (*self.request).clone();
        request.erase.extend(imports);
        Self::new(self.source.clone(), Arc::new(request), self.options.clone())
    }

    /// The same module with re-exports: (name, specifier of a module that exports it).
    pub fn reexporting(&self, names: Vec<(String, String)>) -> Self {
        let mut request = (*self.request).clone();
        request.reexport = names;
        Self::new(self.source.clone(), Arc::new(request), self.options.clone())
    }
}

impl Content {
    /// Whether it is an ES module that needs no change: it has no errors and uses no macros.
    pub fn is_plain_module(&self) -> bool {
        self.is_module && !self.is_assumed && self.problems.is_empty() && self.macro_calls.is_empty()
    }

    /// The code before the first line of an ES module that uses CommonJS variables listed in `offered`, unless it
    /// declares its own.
    pub fn commonjs_head(&self, offered: &[&str]) -> Option<String> {
        let names = &self.survey.names;
        let all = [
            (names.require, "require"),
            (names.filename, "__filename"),
            (names.dirname, "__dirname"),
            (names.module, "module"),
            (names.exports, "exports"),
        ];
        let wanted = all.into_iter().filter(|(used, name)| *used && offered.contains(name));
        let wanted: Vec<&str> = wanted.map(|(_, name)| name).collect();
        (!wanted.is_empty()).then(|| format!("const {{{}}} = import.meta.__commonjs; ", wanted.join(",")))
    }

    /// Whether its package says `"type": "module"`.
    pub fn is_in_module_package(&self) -> bool {
        self.request.package_is_module == Some(true)
    }

    pub fn has_macros(&self) -> bool {
        !self.macro_calls.is_empty()
    }

    /// The exports of other modules that it imports or re-exports: (specifier, name), with `*` for all.
    pub fn requested_exports(&self) -> Vec<(String, String)> {
        self.survey.requested_exports()
    }

    /// Whether it has no errors.
    pub fn is_whole(&self) -> bool {
        self.problems.is_empty()
    }

    /// The JavaScript to run.
    pub fn code_text(&self) -> &str {
        self.code.as_ref().unwrap_or(&self.source)
    }

    pub fn requests(&self) -> &[ModuleRequest] {
        &self.requests
    }

    pub fn source_text(&self) -> &str {
        &self.source
    }

    pub fn is_changed(&self) -> bool {
        self.code.is_some()
    }

    /// The map from the code to the source, created on first use; None for an unchanged file.
    pub fn own_map(&self) -> Option<&Arc<Map>> {
        self.map.get_or_init(|| self.make_map()).as_ref()
    }

    /// The map from the source to the original source, for compiled code that refers to one; read on each call.
    pub fn read_shipped_map(&self) -> Option<Map> {
        Map::shipped_with(&self.source, self.request.path.as_ref())
    }

    fn make_map(&self) -> Option<Arc<Map>> {
        self.code.as_ref()?;
        let source_map = deep::run(|| pipeline::run(&self.source, &self.request, &self.options, true).map);
        source_map.ok().flatten().map(|map| Arc::new(Map::new(map)))
    }
}

/// The code with re-exports after its last line, where they move no position.
fn add_reexports(source: &str, code: Option<String>, names: &[(String, String)]) -> Option<String> {
    if names.is_empty() {
        return code;
    }
    let mut code = code.unwrap_or_else(|| source.to_string());
    for (name, specifier) in names {
        let (name, specifier) = (quote::string(name), quote::string(specifier));
        code.push_str(&format!("\nexport {{ {name} }} from {specifier};"));
    }
    Some(code)
}

fn place_requests(source: &str, survey: &mut Survey) -> Vec<ModuleRequest> {
    let found = std::mem::take(&mut survey.requests);
    if found.is_empty() {
        return Vec::new();
    }
    let lines = Lines::new(source);
    found
        .into_iter()
        .map(|request| {
            let is_written = request.end > 0;
            let (line, column) = if is_written { lines.position(request.start) } else { (0, 0) };
            let kind = match request.kind {
                RequestKind::Import => "import",
                RequestKind::ExportFrom => "export",
                RequestKind::Dynamic => "dynamic",
                RequestKind::Require => "require",
                RequestKind::RequireResolve => "resolve",
            };
            let attributes = request.attributes.into_iter().collect();
            ModuleRequest { specifier: request.specifier, kind, attributes, line, column }
        })
        .collect()
}

fn place_macro_calls(source: &str, found: Vec<FoundCall>) -> Vec<MacroCall> {
    if found.is_empty() {
        return Vec::new();
    }
    let lines = Lines::new(source);
    let place = |call: FoundCall| {
        let (line, column) = lines.position(call.start);
        let FoundCall { specifier, imported, arguments, constants, obstacle, is_dead, .. } = call;
        MacroCall { specifier, imported, arguments, constants, obstacle: obstacle.to_string(), is_dead, line, column }
    };
    found.into_iter().map(place).collect()
}

#[pymethods]
impl Transformed {
    #[getter]
    fn path(&self) -> &str {
        &self.request.path
    }

    #[getter]
    fn source<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.source)
    }

    #[getter]
    fn code<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, self.code_text())
    }

    #[getter]
    fn has_changes(&self) -> bool {
        self.is_changed()
    }

    #[getter]
    fn kind(&self) -> &'static str {
        if self.is_module { "module" } else { "commonjs" }
    }

    #[getter]
    fn problems(&self) -> Vec<SyntaxProblem> {
        self.problems.clone()
    }

    #[getter]
    fn macro_calls(&self) -> Vec<MacroCall> {
        self.macro_calls.clone()
    }

    #[getter]
    fn is_ambiguous(&self) -> bool {
        self.is_ambiguous
    }

    /// Whether it was not parsed, but taken for CommonJS that needs no change.
    #[getter]
    fn is_assumed(&self) -> bool {
        self.is_assumed
    }

    #[getter(requests)]
    fn requests_for_python(&self) -> Vec<ModuleRequest> {
        self.requests.clone()
    }

    #[getter]
    fn exports(&self) -> Vec<String> {
        self.survey.exported.clone()
    }

    #[getter]
    fn star_exports(&self) -> Vec<String> {
        self.survey.star_exports.clone()
    }

    #[getter]
    fn commonjs_exports(&self) -> Vec<String> {
        self.survey.cjs_exports.clone()
    }

    #[getter]
    fn commonjs_reexports(&self) -> Vec<String> {
        self.survey.cjs_reexports.clone()
    }

    /// The module-scope names of CommonJS that occur in the code.
    #[getter]
    fn names(&self) -> Vec<&'static str> {
        let names = &self.survey.names;
        [
            (names.require, "require"),
            (names.module, "module"),
            (names.exports, "exports"),
            (names.filename, "__filename"),
            (names.dirname, "__dirname"),
            (names.this, "this"),
        ]
        .into_iter()
        .filter_map(|(used, name)| used.then_some(name))
        .collect()
    }

    #[getter]
    fn has_import_meta(&self) -> bool {
        self.survey.import_meta
    }

    #[getter]
    fn has_top_level_await(&self) -> bool {
        self.survey.top_level_await
    }

    /// The map from `code` to the source, created on first use; None for an unchanged file.
    fn map(&self, py: Python<'_>) -> Option<super::source_map::SourceMap> {
        // Without the GIL throughout, because a thread that waits for another thread's map must not block it.
        let map = py.detach(|| self.own_map().cloned());
        map.map(super::source_map::SourceMap::from)
    }

    fn __repr__(&self) -> String {
        format!("Transformed({:?}, kind={:?}, changed={})", self.request.path, self.kind(), self.code.is_some())
    }
}
