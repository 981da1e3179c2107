//! One specifier to one file, as Node resolves it with what users of this command line expect on top.
//!
//! oxc_resolver knows packages (exports, imports, conditions, symlinks); here are the order of things around
//! it: built-in names, file URLs, tsconfig paths, `.js` that means `.ts`. The host words the errors; this
//! file says which kind each one is.
mod jsonc;
mod packages;
mod tsconfig;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use oxc_resolver::{ResolveError, ResolveOptions};
use pyo3::prelude::*;

use crate::paths::percent_decode;
use crate::transform::{EmitConfig, SyntaxProblem};
pub use tsconfig::TsConfig;

pub const DEFAULT_EXTENSIONS: [&str; 10] =
    [".tsx", ".ts", ".jsx", ".cts", ".cjs", ".js", ".mjs", ".mts", ".json", ".node"];

/// What TypeScript authors write, and what the file is called.
const WRITTEN_FOR: [(&str, &[&str]); 4] =
    [(".js", &[".ts", ".tsx"]), (".mjs", &[".mts"]), (".cjs", &[".cts"]), (".jsx", &[".tsx"])];

/// Where a specifier leads, or why nowhere.
#[pyclass(frozen, get_all, module = "rt_supervisor._native")]
#[derive(Clone, Debug, Default)]
pub struct Resolution {
    pub path: Option<String>,
    /// `?query` and `#fragment` as written.
    pub query: String,
    /// The canonical name of a built-in module, without `node:`.
    pub builtin: Option<String>,
    /// Why there is no path: a stable word, see `_native.pyi`.
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

/// Which conditions a request sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Import,
    Require,
}

/// The resolver proper; safe to use from many threads.
pub struct Engine {
    import: oxc_resolver::Resolver,
    require: oxc_resolver::Resolver,
    builtins: HashSet<String>,
    extensions: Vec<String>,
    tsconfig_override: Option<PathBuf>,
    /// The tsconfig that rules a folder, for every folder asked about.
    tsconfigs: RwLock<HashMap<PathBuf, Option<Arc<TsConfig>>>>,
    package_types: packages::PackageTypes,
}

pub struct Settings {
    pub conditions: Vec<String>,
    pub main_fields: Vec<String>,
    pub extensions: Vec<String>,
    pub preserve_symlinks: bool,
    pub tsconfig_override: Option<PathBuf>,
    pub builtins: HashSet<String>,
    pub addons: bool,
}

impl Engine {
    pub fn new(settings: Settings) -> Self {
        let conditions = |own: &str| {
            let mut names: Vec<String> = ["rt", "bun", "node"].map(str::to_string).into();
            names.extend(settings.addons.then(|| "node-addons".to_string()));
            names.extend(settings.conditions.iter().cloned());
            names.push(own.to_string());
            names.push("module-sync".to_string());
            names
        };
        let options = ResolveOptions {
            condition_names: conditions("import"),
            extensions: settings.extensions.clone(),
            main_fields: settings.main_fields.clone(),
            symlinks: !settings.preserve_symlinks,
            ..ResolveOptions::default()
        };
        let import = oxc_resolver::Resolver::new(options.clone());
        let require = import.clone_with_options(ResolveOptions { condition_names: conditions("require"), ..options });
        Self {
            import,
            require,
            builtins: settings.builtins,
            extensions: settings.extensions,
            tsconfig_override: settings.tsconfig_override,
            tsconfigs: RwLock::default(),
            package_types: packages::PackageTypes::default(),
        }
    }

    /// Resolves for a file in `folder`.
    pub fn resolve(&self, specifier: &str, folder: &Path, kind: Kind) -> Resolution {
        if let Some(name) = specifier.strip_prefix("node:") {
            return match self.builtin(name).or_else(|| self.builtin(specifier)) {
                Some(name) => Resolution::builtin(name),
                None => Resolution::failed("unknown-builtin", specifier),
            };
        }
        if let Some(name) = self.builtin(specifier) {
            return Resolution::builtin(name);
        }
        if specifier.starts_with("file:") {
            return match file_url(specifier) {
                Some((path, query)) => self.resolve_path(&path, query, kind),
                None => Resolution::failed("invalid-specifier", "not a file URL of this machine"),
            };
        }
        let is_path = is_path(specifier);
        if !is_path && let Some(found) = self.resolve_by_tsconfig(specifier, folder, kind) {
            return found;
        }
        match self.lookup(folder, specifier, kind) {
            Ok(found) => found,
            Err(error) if is_path => self
                .resolve_written_for(folder, specifier, kind)
                .unwrap_or_else(|| classify(error, specifier, is_path, self)),
            Err(error) => classify(error, specifier, is_path, self),
        }
    }

    fn builtin<'s>(&self, name: &'s str) -> Option<&'s str> {
        self.builtins.contains(name).then(|| name.strip_prefix("node:").unwrap_or(name))
    }

    fn lookup(&self, folder: &Path, specifier: &str, kind: Kind) -> Result<Resolution, ResolveError> {
        let resolver = if kind == Kind::Import { &self.import } else { &self.require };
        let found = resolver.resolve(folder, specifier)?;
        let query = format!("{}{}", found.query().unwrap_or(""), found.fragment().unwrap_or(""));
        Ok(Resolution::file(found.path(), query))
    }

    fn resolve_path(&self, path: &str, query: String, kind: Kind) -> Resolution {
        // `?` and `#` of a decoded URL belong to the file's name.
        let exact = Path::new(path);
        if exact.is_file() {
            let real = if self.import.options().symlinks { exact.canonicalize().ok() } else { None };
            return Resolution::file(real.as_deref().unwrap_or(exact), query);
        }
        match self.lookup(Path::new("/"), path, kind) {
            Ok(found) => Resolution { query, ..found },
            Err(error) => classify(error, path, true, self),
        }
    }

    /// `./x.js` that is written as `x.ts`.
    fn resolve_written_for(&self, folder: &Path, specifier: &str, kind: Kind) -> Option<Resolution> {
        let (path, rest) = specifier.split_at(specifier.find(['?', '#']).unwrap_or(specifier.len()));
        let (written, files) = WRITTEN_FOR.iter().find(|(written, _)| path.ends_with(written))?;
        let stem = path.strip_suffix(written)?;
        files.iter().find_map(|file| self.lookup(folder, &format!("{stem}{file}{rest}"), kind).ok())
    }

    fn resolve_by_tsconfig(&self, specifier: &str, folder: &Path, kind: Kind) -> Option<Resolution> {
        let config = self.tsconfig_for(folder)?;
        let (path, query) = specifier.split_at(specifier.find('?').unwrap_or(specifier.len()));
        let try_place = |place: &Path| {
            let place = format!("{}{query}", place.to_string_lossy());
            let found = self.lookup(Path::new("/"), &place, kind).ok();
            found.or_else(|| self.resolve_written_for(Path::new("/"), &place, kind))
        };
        if let Some(places) = config.mapped(path)
            && let Some(found) = places.iter().find_map(|place| try_place(place))
        {
            return Some(found);
        }
        let base = config.base_url.as_ref().filter(|_| !path.starts_with('#'))?;
        try_place(&base.join(path))
    }

    /// The tsconfig that rules the files of a folder: the override, else the nearest one outside node_modules.
    pub fn tsconfig_for(&self, folder: &Path) -> Option<Arc<TsConfig>> {
        if let Some(known) = self.tsconfigs.read().ok().and_then(|known| known.get(folder).cloned()) {
            return known;
        }
        let find_package = |name: &str, folder: &Path| {
            let tries = [name.to_string(), format!("{name}.json"), format!("{name}/tsconfig.json")];
            let json = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "json");
            tries.iter().find_map(|name| {
                self.require.resolve(folder, name).ok().map(oxc_resolver::Resolution::into_path_buf).filter(json)
            })
        };
        let found = if let Some(path) = &self.tsconfig_override {
            match self.known(path) {
                Some(known) => known,
                None => Some(Arc::new(TsConfig::load(path, &find_package))),
            }
        } else {
            let own = ["tsconfig.json", "jsconfig.json"].iter().map(|name| folder.join(name));
            let is_inside_modules = folder.components().any(|part| part.as_os_str() == "node_modules");
            match own.filter(|_| !is_inside_modules).find(|path| path.is_file()) {
                Some(path) => Some(Arc::new(TsConfig::load(&path, &find_package))),
                None => folder.parent().and_then(|parent| self.tsconfig_for(parent)),
            }
        };
        if let Ok(mut known) = self.tsconfigs.write() {
            if let Some(path) = &self.tsconfig_override {
                known.insert(path.clone(), found.clone());
            }
            known.insert(folder.to_path_buf(), found.clone());
        }
        found
    }

    fn known(&self, path: &Path) -> Option<Option<Arc<TsConfig>>> {
        self.tsconfigs.read().ok().and_then(|known| known.get(path).cloned())
    }

    pub fn package_is_module(&self, folder: &Path) -> Option<bool> {
        self.package_types.is_module(folder)
    }

    pub fn invalidate(&self) {
        self.import.clear_cache();
        self.package_types.clear();
        if let Ok(mut known) = self.tsconfigs.write() {
            known.clear();
        }
    }
}

fn is_path(specifier: &str) -> bool {
    matches!(specifier, "." | "..") || ["./", "../", "/"].iter().any(|start| specifier.starts_with(start))
}

/// `a` and `@s/a` name a package, `a/b` something in it.
fn is_package_name(specifier: &str) -> bool {
    let slashes = specifier.matches('/').count();
    slashes == 0 || slashes == 1 && specifier.starts_with('@')
}

fn classify(error: ResolveError, specifier: &str, is_path: bool, engine: &Engine) -> Resolution {
    let detail = error.to_string();
    let failure = match error {
        // `"#x": "node:path"` of a package's imports leads out of the file system.
        ResolveError::NotFound(wanted) if wanted != specifier => {
            let name = wanted.strip_prefix("node:").unwrap_or(&wanted);
            if let Some(name) = engine.builtin(name) {
                return Resolution::builtin(name);
            }
            if is_path || !is_package_name(specifier) { "module-not-found" } else { "package-not-found" }
        }
        ResolveError::PackagePathNotExported { .. } => "not-exported",
        ResolveError::PackageImportNotDefined(..) => "import-not-defined",
        ResolveError::InvalidPackageTarget(..) => "invalid-package-target",
        ResolveError::InvalidPackageConfig(_)
        | ResolveError::InvalidPackageConfigDefault(_)
        | ResolveError::InvalidPackageConfigDirectory(_)
        | ResolveError::Json(_) => "invalid-package-config",
        ResolveError::InvalidModuleSpecifier(..) | ResolveError::Specifier(_) => "invalid-specifier",
        ResolveError::IOError(_) => "unreadable",
        _ if !is_path && !specifier.starts_with('#') && is_package_name(specifier) => "package-not-found",
        _ => "module-not-found",
    };
    Resolution::failed(failure, detail)
}

/// The path and the query of a file URL.
fn file_url(url: &str) -> Option<(String, String)> {
    let rest = url.strip_prefix("file:")?;
    let rest = match rest.strip_prefix("//") {
        Some(with_host) => with_host.strip_prefix("localhost").filter(|r| r.starts_with('/')).unwrap_or(with_host),
        None => rest,
    };
    let (path, query) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    path.starts_with('/').then_some(())?;
    let bytes = percent_decode(path);
    if bytes.contains(&0) {
        return None;
    }
    Some((String::from_utf8(bytes).ok()?, query.to_string()))
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
        tsconfig_override = None, addons = true
    ))]
    fn new(
        builtins: Option<HashSet<String>>,
        conditions: Option<Vec<String>>,
        main_fields: Option<Vec<String>>,
        extensions: Option<Vec<String>>,
        preserve_symlinks: bool,
        tsconfig_override: Option<PathBuf>,
        addons: bool,
    ) -> Self {
        let strings = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let settings = Settings {
            conditions: conditions.unwrap_or_default(),
            main_fields: main_fields.unwrap_or_else(|| strings(&["main", "module"])),
            extensions: extensions.unwrap_or_else(|| strings(&DEFAULT_EXTENSIONS)),
            preserve_symlinks,
            tsconfig_override,
            builtins: builtins.unwrap_or_default(),
            addons,
        };
        Self { engine: Arc::new(Engine::new(settings)) }
    }

    /// Resolves `specifier` for the file `importer` (a folder when it ends in a slash).
    #[pyo3(signature = (specifier, importer, *, require = false))]
    fn resolve(&self, py: Python<'_>, specifier: &str, importer: &str, require: bool) -> Resolution {
        let kind = if require { Kind::Require } else { Kind::Import };
        py.detach(|| {
            let folder = folder_of(importer);
            let found = self.engine.resolve(specifier, folder, kind);
            if found.failure.is_none() {
                return found;
            }
            // A program may have made the file since: what is known to be missing is looked for once more.
            self.engine.invalidate();
            self.engine.resolve(specifier, folder, kind)
        })
    }

    /// The tsconfig that rules a file, None when there is none.
    fn tsconfig(&self, py: Python<'_>, path: &str) -> Option<RulingConfig> {
        let config = py.detach(|| self.engine.tsconfig_for(folder_of(path)))?;
        Some(RulingConfig { config })
    }

    /// The `type` of the package that a file belongs to, None when its package.json does not say.
    fn package_type(&self, py: Python<'_>, path: &str) -> Option<&'static str> {
        let is_module = py.detach(|| self.engine.package_is_module(folder_of(path)))?;
        Some(if is_module { "module" } else { "commonjs" })
    }

    /// Forgets what is known about the file system (watch mode, after a change).
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

/// A tsconfig as far as it changes how a file runs.
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
    fn emit(&self) -> EmitConfig {
        EmitConfig { inner: self.config.emit.clone() }
    }

    #[getter]
    fn problems(&self) -> Vec<SyntaxProblem> {
        self.config.problems.clone()
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Resolver>()?;
    module.add_class::<Resolution>()?;
    module.add_class::<RulingConfig>()
}
