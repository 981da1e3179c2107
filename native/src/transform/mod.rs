//! TypeScript, JSX and flags such as `--define`: turns a source file into the JavaScript to run.
//!
//! `pipeline` does the work, `survey` collects what the module loader needs, `passes` are rt's own changes, `errors`
//! words errors, `lines` moves code to its source's lines for debuggers, `deep` prevents stack overflows, and this file
//! is the border to Python. No file is read here.
mod about_types;
mod assume;
pub mod deep;
mod emit;
mod errors;
mod expected;
mod jsx_members;
mod lines;
mod map_text;
mod module;
mod options;
mod passes;
mod pipeline;
pub mod repl_input;
mod source_comment;
mod source_map;
mod strip;
mod survey;

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::interpreter::class;

pub use errors::{SyntaxProblem, describe};
pub use module::{ModuleRequest, Transformed};
pub use options::{Config, JsxRuntime, JsxRuntimeName, Loader, Options, Request, extension};
pub use passes::defer::PHASE;
pub use source_map::Map;

const LOADERS: &str =
    "js, jsx, ts, tsx, json, jsonc, json5, toml, yaml, text, file, base64, dataurl, wasm, napi, html, css";

/// The flags of a run, checked once.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct TransformOptions {
    pub inner: Arc<Options>,
}

#[pymethods]
impl TransformOptions {
    #[new]
    #[pyo3(signature = (
        *, loaders = None, define = None, drop = None, jsx_runtime = None, jsx_factory = None, jsx_fragment = None,
        jsx_import_source = None, jsx_is_requested = false, jsx_side_effects = false, production = false,
        ignore_dce_annotations = false, inline_maps = false, is_node = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments, one a flag")]
    fn new(
        loaders: Option<HashMap<String, String>>,
        define: Option<Vec<(String, String)>>,
        drop: Option<Vec<String>>,
        jsx_runtime: Option<&str>,
        jsx_factory: Option<String>,
        jsx_fragment: Option<String>,
        jsx_import_source: Option<String>,
        jsx_is_requested: bool,
        jsx_side_effects: bool,
        production: bool,
        ignore_dce_annotations: bool,
        inline_maps: bool,
        is_node: bool,
    ) -> PyResult<Self> {
        let jsx_runtime = match jsx_runtime {
            None => None,
            Some("automatic") => Some(JsxRuntime::Automatic),
            Some("classic") => Some(JsxRuntime::Classic),
            Some(other) => return Err(PyValueError::new_err(format!("invalid jsx runtime \"{other}\""))),
        };
        let mut by_extension = HashMap::new();
        for (extension, loader) in loaders.unwrap_or_default() {
            if Loader::named(&loader).is_none() {
                return Err(PyValueError::new_err(format!("invalid loader \"{loader}\", expected one of:\n{LOADERS}")));
            }
            by_extension.insert(extension.trim_start_matches('.').to_string(), loader);
        }
        let define = pipeline::definitions(define.unwrap_or_default()).map_err(PyValueError::new_err)?;
        let drop = drop.unwrap_or_default().iter().map(|path| path.split('.').map(str::to_string).collect()).collect();
        let inner = Options {
            loaders: by_extension,
            define,
            drop,
            jsx_runtime,
            jsx_factory,
            jsx_fragment,
            jsx_import_source,
            jsx_is_requested,
            jsx_side_effects,
            production,
            ignore_dce_annotations,
            is_node,
            inline_maps,
        };
        Ok(Self { inner: Arc::new(inner) })
    }
}

/// Source text from Python: a str as it is, bytes as UTF-8 with replacement, both without a byte-order mark.
fn source_text(source: &Bound<'_, PyAny>) -> PyResult<Arc<str>> {
    if let Ok(text) = source.cast::<PyString>() {
        let text = text.to_string_lossy();
        Ok(Arc::from(text.strip_prefix('\u{feff}').unwrap_or(&text)))
    } else if let Ok(bytes) = source.cast::<PyBytes>() {
        Ok(source_from_bytes(bytes.as_bytes().to_vec()))
    } else {
        Err(PyTypeError::new_err("source must be str or bytes"))
    }
}

/// Decodes a file's bytes as UTF-8 with replacement, or as UTF-16 if they begin with its byte-order mark, which is removed.
pub fn source_from_bytes(bytes: Vec<u8>) -> Arc<str> {
    let text = decode_utf16(&bytes).unwrap_or_else(|| {
        String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    });
    Arc::from(text.strip_prefix('\u{feff}').unwrap_or(&text))
}

fn decode_utf16(bytes: &[u8]) -> Option<String> {
    let to_unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units: Vec<u16> = bytes.as_chunks().0.iter().map(|pair| to_unit(*pair)).collect();
    Some(String::from_utf16_lossy(&units))
}

/// See `source_from_bytes`.
#[pyfunction]
fn decode_source(bytes: Vec<u8>) -> String {
    source_from_bytes(bytes).to_string()
}

#[pyfunction]
#[pyo3(signature = (
    source, path, options, *, config = None, loader = None, package_type = None, completion = None, macros = None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments")]
fn transform(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    path: String,
    options: &TransformOptions,
    config: Option<&EmitConfig>,
    loader: Option<String>,
    package_type: Option<&str>,
    completion: Option<String>,
    macros: Option<HashMap<usize, String>>,
) -> PyResult<Transformed> {
    let source = source_text(source)?;
    let request = Request {
        path,
        loader,
        config: config.map(|config| config.inner.clone()).unwrap_or_default(),
        erase: Vec::new(),
        reexport: Vec::new(),
        package_is_module: package_type.map(|kind| kind == "module"),
        completion,
        macros: macros.unwrap_or_default(),
    };
    let (request, options) = (Arc::new(request), options.inner.clone());
    if deep::is_shallow(source.as_bytes()) {
        return Ok(py.detach(|| Transformed::new(source, request, options)));
    }
    py.detach(|| deep::run(move || Transformed::new(source, request, options))).map_err(PyValueError::new_err)
}

/// Strip the types from TypeScript, keeping all positions: (code, None), or (None, (message, whether it is
/// TypeScript)).
#[pyfunction]
fn strip_types(py: Python<'_>, source: String) -> (Option<String>, Option<(String, bool)>) {
    let work = move || match strip::strip(&source) {
        Ok(code) => (Some(code), None),
        Err(strip::Refusal::Unsupported(message)) => (None, Some((message.to_owned(), true))),
        Err(strip::Refusal::Invalid(message)) => (None, Some((message, false))),
    };
    py.detach(|| deep::run(work)).unwrap_or_else(|message| (None, Some((message, false))))
}

/// The name of the default loader for an extension; None if there is none.
#[pyfunction]
fn default_loader(path: &str) -> Option<&'static str> {
    Loader::for_extension(options::extension(path))
}

/// The emit options of a tsconfig.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct EmitConfig {
    pub inner: Config,
}

#[pymethods]
impl EmitConfig {
    #[new]
    #[pyo3(signature = (
        *, jsx = None, jsx_factory = None, jsx_fragment = None, jsx_import_source = None,
        experimental_decorators = false, emit_decorator_metadata = false, verbatim_module_syntax = false,
        use_define_for_class_fields = None, strict_null_checks = true
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments, one an option")]
    fn new(
        jsx: Option<&str>,
        jsx_factory: Option<String>,
        jsx_fragment: Option<String>,
        jsx_import_source: Option<String>,
        experimental_decorators: bool,
        emit_decorator_metadata: bool,
        verbatim_module_syntax: bool,
        use_define_for_class_fields: Option<bool>,
        strict_null_checks: bool,
    ) -> Self {
        let inner = Config {
            jsx_runtime: jsx.and_then(JsxRuntimeName::named),
            jsx_factory,
            jsx_fragment,
            jsx_import_source,
            experimental_decorators,
            emit_decorator_metadata,
            verbatim_module_syntax,
            use_define_for_class_fields,
            strict_null_checks,
        };
        Self { inner }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<TransformOptions>(module)?;
    class::<EmitConfig>(module)?;
    class::<Transformed>(module)?;
    class::<module::ModuleRequest>(module)?;
    class::<module::MacroCall>(module)?;
    class::<errors::SyntaxProblem>(module)?;
    class::<errors::Place>(module)?;
    class::<errors::Note>(module)?;
    class::<source_map::SourceMap>(module)?;
    module.add_function(wrap_pyfunction!(decode_source, module)?)?;
    module.add_function(wrap_pyfunction!(transform, module)?)?;
    module.add_function(wrap_pyfunction!(strip_types, module)?)?;
    module.add_function(wrap_pyfunction!(default_loader, module)?)
}
