//! Resolving a specifier to a file as in Node, with the extensions that users of this command line expect.
//!
//! oxc_resolver handles packages (exports, imports, conditions, symlinks); this room handles the order of steps around
//! it: built-in names, file URLs, tsconfig paths, `.js` for `.ts`. The host words the errors; this room classifies
//! them.
mod disk;
mod engine;
mod folders;
mod jsonc;
mod packages;
mod specifier;
mod tsconfig;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::prelude::*;

use crate::interpreter::class;
use crate::transform::{EmitConfig, SyntaxProblem};
use engine::{DEFAULT_EXTENSIONS, DEFAULT_MAIN_FIELDS, Settings};
pub use engine::{Engine, Kind};
use tsconfig::TsConfig;

/// The result of resolving a specifier, or the reason for a failure.
#[pyclass(frozen, get_all, module = "rt_supervisor._native")]
#[derive(Clone, Debug, Default)]
pub struct Resolution {
    pub path: Option<String>,
    /// `?query` and `#fragment` as written.
    pub query: String,
    /// The canonical name of a built-in module, without `node:`.
    pub builtin: Option<String>,
    /// Why there is no path: a stable identifier, see `_native.pyi`.
    pub failure: Option<&'static str>,
    pub detail: String,
}

impl Resolution {
    fn file(path: &Path, query: String) -> Self {
        Self { path: Some(path.to_string_lossy().into_owned()), query, ..Self::default() }
    }

    fn builtin(name: &str) -> Self {
        Self { builtin: Some(name.to_string()), ..Self::default() }
    }

    /// What it leads to, for debug logs.
    fn shown(&self) -> &str {
        let failure = || self.failure.unwrap_or("nothing");
        self.path.as_deref().or(self.builtin.as_deref()).unwrap_or_else(failure)
    }

    fn failed(failure: &'static str, detail: impl Into<String>) -> Self {
        Self { failure: Some(failure), detail: detail.into(), ..Self::default() }
    }
}

#[pymethods]
impl Resolution {
    fn __repr__(&self) -> String {
        match (&self.path, &self.builtin, self.failure) {
            (Some(path), _, _) => format!("Resolution({:?})", format!("{path}{}", self.query)),
            (_, Some(builtin), _) => format!("Resolution(builtin={builtin:?})"),
            _ => format!("Resolution(failure={:?}, detail={:?})", self.failure.unwrap_or(""), self.detail),
        }
    }
}

#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct Resolver {
    pub engine: Arc<Engine>,
}

#[pymethods]
impl Resolver {
    #[new]
    #[pyo3(signature = (
        *, builtins = None, conditions = None, main_fields = None, extensions = None, preserve_symlinks = false,
        tsconfig_override = None, addons = true, is_node = false, global_folders = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        builtins: Option<HashSet<String>>,
        conditions: Option<Vec<String>>,
        main_fields: Option<Vec<String>>,
        extensions: Option<Vec<String>>,
        preserve_symlinks: bool,
        tsconfig_override: Option<PathBuf>,
        addons: bool,
        is_node: bool,
        global_folders: Option<Vec<String>>,
    ) -> Self {
        let strings = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let settings = Settings {
            conditions: conditions.unwrap_or_default(),
            main_fields: main_fields.unwrap_or_else(|| strings(&DEFAULT_MAIN_FIELDS)),
            extensions: extensions.unwrap_or_else(|| strings(&DEFAULT_EXTENSIONS)),
            preserve_symlinks,
            tsconfig_override,
            builtins: builtins.unwrap_or_default(),
            addons,
            is_node,
            global_folders: global_folders.unwrap_or_default(),
        };
        Self { engine: Arc::new(Engine::new(settings)) }
    }

    /// Resolve `specifier` for the file `importer` (a folder if it ends in a slash).
    #[pyo3(signature = (specifier, importer, *, require = false))]
    fn resolve(&self, py: Python<'_>, specifier: &str, importer: &str, require: bool) -> Resolution {
        let kind = if require { Kind::Require } else { Kind::Import };
        py.detach(|| {
            let folder = folder_of(importer);
            let found = self.engine.resolve(specifier, folder, kind);
            if found.failure.is_none() {
                return found;
            }
            // The program may have created the file since, so a missing file is looked up once more.
            self.engine.invalidate();
            self.engine.resolve(specifier, folder, kind)
        })
    }

    /// The tsconfig for a file; None if there is none.
    fn tsconfig(&self, py: Python<'_>, path: &str) -> Option<RulingConfig> {
        let config = py.detach(|| self.engine.tsconfig_for(folder_of(path)))?;
        Some(RulingConfig { config })
    }

    /// The `type` of a file's package; None if its package.json has none.
    fn package_type(&self, py: Python<'_>, path: &str) -> Option<&'static str> {
        let is_module = py.detach(|| self.engine.package_is_module(folder_of(path)))?;
        Some(if is_module { "module" } else { "commonjs" })
    }

    /// Clear cached knowledge of the file system (in watch mode, after a change).
    fn invalidate(&self) {
        self.engine.invalidate();
    }

    #[getter]
    fn extensions(&self) -> Vec<String> {
        self.engine.extensions.clone()
    }
}

pub fn folder_of(importer: &str) -> &Path {
    match importer.strip_suffix('/') {
        Some(folder) => Path::new(if folder.is_empty() { "/" } else { folder }),
        None => Path::new(importer).parent().unwrap_or(Path::new("/")),
    }
}

/// The parts of a tsconfig that change how a file runs.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct RulingConfig {
    config: Arc<TsConfig>,
}

#[pymethods]
impl RulingConfig {
    #[getter]
    fn path(&self) -> String {
        self.config.path.to_string_lossy().into_owned()
    }

    #[getter]
    fn files(&self) -> Vec<String> {
        self.config.files.iter().map(|path| path.to_string_lossy().into_owned()).collect()
    }

    #[getter]
    fn emit(&self) -> EmitConfig {
        EmitConfig { inner: self.config.emit.clone() }
    }

    #[getter]
    fn problems(&self) -> Vec<SyntaxProblem> {
        self.config.problems.clone()
    }
}

/// See `_native.pyi`.
#[pyfunction]
fn global_folders(node_path: &str) -> Vec<String> {
    engine::global_folders(node_path)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(global_folders, module)?)?;
    class::<Resolver>(module)?;
    class::<Resolution>(module)?;
    class::<RulingConfig>(module)?;
    jsonc::register(module)
}
