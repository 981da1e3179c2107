//! The resolver: the steps before, around and after a lookup in packages.
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, RwLock};

use oxc_resolver::{ResolveError, ResolveOptions};
use rapidhash::RapidHashMap;
use rt_wire::debug_log;

use super::disk::Disk;
use super::folders::{Folders, Watch};
use super::packages::PackageTypes;
use super::tsconfig::TsConfig;
use super::{Resolution, specifier};
use crate::files::paths::percent_decode;
use crate::files::regular::contents;

pub const DEFAULT_EXTENSIONS: [&str; 10] =
    [".tsx", ".ts", ".jsx", ".cts", ".cjs", ".js", ".mjs", ".mts", ".json", ".node"];

pub const DEFAULT_MAIN_FIELDS: [&str; 2] = ["main", "module"];

/// Packages ship compiled files, often beside their sources. JavaScript therefore comes first, beginning with the
/// importer's kind of module.
const PACKAGE_EXTENSIONS: [(Kind, [&str; 10]); 2] = [
    (Kind::Import, [".mjs", ".jsx", ".mts", ".js", ".cjs", ".tsx", ".ts", ".cts", ".json", ".node"]),
    (Kind::Require, [".jsx", ".cjs", ".js", ".mjs", ".mts", ".tsx", ".ts", ".cts", ".json", ".node"]),
];

/// Extensions that TypeScript authors write, and those of the actual files.
const WRITTEN_FOR: [(&str, &[&str]); 4] =
    [(".js", &[".ts", ".tsx"]), (".mjs", &[".mts"]), (".cjs", &[".cts"]), (".jsx", &[".tsx", ".ts"])];

/// The conditions of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Import,
    Require,
}

/// The resolver; may be used by many threads.
pub struct Engine {
    import: Lookups,
    require: Lookups,
    builtins: HashSet<String>,
    pub extensions: Vec<String>,
    /// An import names the file itself, and `require` adds Node's extensions only.
    is_node: bool,
    /// For a program that sees Node only: the lookups of files inside packages and through their `imports`, for both kinds of
    /// request.
    exact: [OnceLock<Box<Lookup>>; 2],
    tsconfig_override: Option<PathBuf>,
    /// The tsconfig for each folder looked up so far.
    tsconfigs: RwLock<RapidHashMap<PathBuf, Option<Arc<TsConfig>>>>,
    package_types: PackageTypes,
    folders: Arc<Folders>,
    /// Every lookup holds it for reading: the cache may only be cleared between lookups.
    gate: RwLock<()>,
}

type Lookup = oxc_resolver::ResolverGeneric<Disk>;

/// The lookups for one kind of request: in a project's own folders, and inside packages.
struct Lookups {
    own: Lookup,
    packages: Lookup,
    /// The lookup for a folder if those fail: fields that apply only after the folder's index.
    behind_index: Option<OnceLock<Box<Lookups>>>,
}

impl Lookups {
    fn new(own: Lookup, kind: Kind) -> Self {
        let (_, extensions) = PACKAGE_EXTENSIONS.iter().find(|(known, _)| *known == kind).expect("both kinds");
        let extensions = extensions.iter().map(ToString::to_string).collect();
        let packages = own.clone_with_options(ResolveOptions { extensions, ..own.options().clone() });
        Self { own, packages, behind_index: None }
    }

    /// The same with all default fields for a package's main file.
    fn with_default_main_fields(&self) -> Self {
        let main_fields: Vec<String> = DEFAULT_MAIN_FIELDS.iter().map(ToString::to_string).collect();
        let changed = |lookup: &Lookup| {
            let options = ResolveOptions { main_fields: main_fields.clone(), ..lookup.options().clone() };
            lookup.clone_with_options(options)
        };
        Self { own: changed(&self.own), packages: changed(&self.packages), behind_index: None }
    }

    fn resolve(&self, folder: &Path, specifier: &str) -> Result<oxc_resolver::Resolution, ResolveError> {
        let found = self.of(folder, specifier).resolve(folder, specifier);
        match (&found, &self.behind_index) {
            (Err(_), Some(later)) if specifier::may_be_folder(specifier) => {
                let later = later.get_or_init(|| Box::new(self.with_default_main_fields()));
                later.of(folder, specifier).resolve(folder, specifier).or(found)
            }
            _ => found,
        }
    }

    fn of(&self, folder: &Path, specifier: &str) -> &Lookup {
        let is_inside = if specifier::is_path(specifier) {
            !specifier.starts_with('/') && is_inside_packages(folder) || is_inside_packages(Path::new(specifier))
        } else {
            !specifier.starts_with('#') || is_inside_packages(folder)
        };
        if is_inside { &self.packages } else { &self.own }
    }
}

fn is_inside_packages(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "node_modules")
}

pub struct Settings {
    pub conditions: Vec<String>,
    pub main_fields: Vec<String>,
    pub extensions: Vec<String>,
    pub preserve_symlinks: bool,
    pub tsconfig_override: Option<PathBuf>,
    pub builtins: HashSet<String>,
    pub addons: bool,
    /// The program sees Node only: the conditions of rt and Bun do not apply.
    pub is_node: bool,
    /// Absolute folders with shared packages, searched after all `node_modules`: those of NODE_PATH.
    pub global_folders: Vec<String>,
}

/// The folders that NODE_PATH lists, as absolute paths.
pub fn global_folders(node_path: &str) -> Vec<String> {
    let folders = node_path.split(':').filter(|folder| !folder.is_empty());
    folders.filter_map(|folder| Some(std::path::absolute(folder).ok()?.to_str()?.to_owned())).collect()
}

impl Engine {
    /// The settings of a program without flags, in the environment of this process.
    pub fn plain(builtins: HashSet<String>, is_node: bool) -> Self {
        let strings = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        Self::new(Settings {
            conditions: Vec::new(),
            main_fields: strings(&DEFAULT_MAIN_FIELDS),
            extensions: strings(&DEFAULT_EXTENSIONS),
            preserve_symlinks: false,
            tsconfig_override: None,
            builtins,
            addons: true,
            is_node,
            global_folders: global_folders(&std::env::var("NODE_PATH").unwrap_or_default()),
        })
    }

    pub fn new(settings: Settings) -> Self {
        let conditions = |own: &str| {
            let runtimes: &[&str] = if settings.is_node { &["node"] } else { &["rt", "bun", "node"] };
            let mut names: Vec<String> = runtimes.iter().map(ToString::to_string).collect();
            names.extend(settings.addons.then(|| "node-addons".to_string()));
            names.extend(settings.conditions.iter().cloned());
            names.push(own.to_string());
            names.push("module-sync".to_string());
            names
        };
        // `module` is for bundlers: unless it was requested, a package without `main` resolves to its index, as in
        // Node.
        let is_default = settings.main_fields == DEFAULT_MAIN_FIELDS;
        let main_fields = &settings.main_fields[..if is_default { 1 } else { settings.main_fields.len() }];
        let options = ResolveOptions {
            condition_names: conditions("import"),
            extensions: settings.extensions.clone(),
            main_fields: main_fields.to_vec(),
            symlinks: !settings.preserve_symlinks,
            modules: std::iter::once("node_modules".to_string()).chain(settings.global_folders).collect(),
            node_path: false, // the program's environment counts, not the process's
            ..ResolveOptions::default()
        };
        let folders = Arc::new(Folders::default());
        let import = Lookup::new_with_file_system(Disk { folders: folders.clone() }, options.clone());
        let require = import.clone_with_options(ResolveOptions { condition_names: conditions("require"), ..options });
        let lookups = |own, kind| Lookups { behind_index: is_default.then(OnceLock::new), ..Lookups::new(own, kind) };
        Self {
            import: lookups(import, Kind::Import),
            require: lookups(require, Kind::Require),
            builtins: settings.builtins,
            extensions: settings.extensions,
            is_node: settings.is_node,
            exact: [OnceLock::new(), OnceLock::new()],
            tsconfig_override: settings.tsconfig_override,
            tsconfigs: RwLock::default(),
            package_types: PackageTypes::default(),
            folders,
            gate: RwLock::default(),
        }
    }

    /// Resolve for a file in `folder`.
    pub fn resolve(&self, specifier: &str, folder: &Path, kind: Kind) -> Resolution {
        let _lookup = self.gate.read();
        let found = self.resolve_once(specifier, folder, kind);
        let found = if self.is_node { refuse_guesses(found, specifier, folder, kind) } else { found };
        debug_log!(Resolver, "{specifier} in {}: {}", folder.display(), found.shown());
        found
    }

    fn resolve_once(&self, specifier: &str, folder: &Path, kind: Kind) -> Resolution {
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
            return match specifier::file_url(specifier) {
                Some((path, query)) => self.resolve_path(&path, query, kind),
                None => Resolution::failed("invalid-specifier", "not a file URL of this machine"),
            };
        }
        let is_path = specifier::is_path(specifier);
        if !is_path && let Some(found) = self.resolve_by_tsconfig(specifier, folder, kind) {
            return found;
        }
        match self.lookup(folder, specifier, kind) {
            Ok(found) => found,
            Err(error) if is_path => self
                .resolve_authored(folder, specifier, kind)
                .or_else(|| self.resolve_decoded(folder, specifier, kind))
                .unwrap_or_else(|| classify(error, specifier, is_path, self)),
            // Inside a package too: its exports apply to the file that is looked up instead.
            Err(error) => self
                .resolve_authored(folder, specifier, kind)
                .or_else(|| self.resolve_manifest(folder, specifier))
                .unwrap_or_else(|| classify(error, specifier, is_path, self)),
        }
    }

    fn builtin<'s>(&self, name: &'s str) -> Option<&'s str> {
        self.builtins.contains(name).then(|| name.strip_prefix("node:").unwrap_or(name))
    }

    fn lookup(&self, folder: &Path, specifier: &str, kind: Kind) -> Result<Resolution, ResolveError> {
        let lookups = if kind == Kind::Import { &self.import } else { &self.require };
        // `..` is a folder, even if a file with that name and an extension lies beside it.
        let as_folder = specifier::is_folder(specifier).then(|| format!("{specifier}/"));
        let specifier = specifier::without_parents(as_folder.as_deref().unwrap_or(specifier));
        let names_file = || !specifier::is_path(&specifier) && !specifier::is_package_name(&specifier);
        let is_exact = specifier.starts_with('#') || kind == Kind::Import && names_file();
        let found = if self.is_node && is_exact {
            self.exact[kind as usize].get_or_init(|| make_exact(&lookups.own)).resolve(folder, &specifier)?
        } else {
            lookups.resolve(folder, &specifier)?
        };
        let found = match misplaced_below(found.path()).filter(|_| !specifier::is_path(&specifier)) {
            Some(outer) if folder.starts_with(outer.join("node_modules")) => lookups.resolve(outer, &specifier)?,
            _ => found,
        };
        let query = format!("{}{}", found.query().unwrap_or(""), found.fragment().unwrap_or(""));
        Ok(Resolution::file(found.path(), query))
    }

    fn resolve_path(&self, path: &str, query: String, kind: Kind) -> Resolution {
        // `?` and `#` of a decoded URL belong to the file name.
        let exact = Path::new(path);
        if exact.is_file() {
            return self.real_file(exact, query);
        }
        match self.lookup(Path::new("/"), path, kind) {
            Ok(found) => Resolution { query, ..found },
            Err(error) => classify(error, path, true, self),
        }
    }

    fn real_file(&self, path: &Path, query: String) -> Resolution {
        let real = if self.import.own.options().symlinks { path.canonicalize().ok() } else { None };
        Resolution::file(real.as_deref().unwrap_or(path), query)
    }

    /// Resolve `package/package.json`, which the `exports` of the package need not list, as in Bun.
    fn resolve_manifest(&self, folder: &Path, specifier: &str) -> Option<Resolution> {
        let name = specifier.strip_suffix("/package.json")?;
        if self.is_node || !specifier::is_package_name(name) {
            return None;
        }
        let packages = &self.import.own.options().modules;
        let places = packages.iter().flat_map(|packages| folder.ancestors().map(move |at| at.join(packages)));
        let path = places.map(|place| place.join(specifier)).find(|path| path.is_file())?;
        Some(self.real_file(&path, String::new()))
    }

    /// Resolve `./x.js` to `x.ts`.
    fn resolve_authored(&self, folder: &Path, specifier: &str, kind: Kind) -> Option<Resolution> {
        let (path, rest) = specifier.split_at(specifier.find(['?', '#']).unwrap_or(specifier.len()));
        let (written, files) = WRITTEN_FOR.iter().find(|(written, _)| path.ends_with(written))?;
        let stem = path.strip_suffix(written)?;
        files.iter().find_map(|file| self.lookup(folder, &format!("{stem}{file}{rest}"), kind).ok())
    }

    /// Resolve a URL-encoded import such as `./caf%C3%A9.js`. Unlike in Node, a file with that literal name comes
    /// first.
    fn resolve_decoded(&self, folder: &Path, specifier: &str, kind: Kind) -> Option<Resolution> {
        let (path, query) = specifier.split_at(specifier.find(['?', '#']).unwrap_or(specifier.len()));
        if kind != Kind::Import || !path.contains('%') {
            return None;
        }
        let decoded = String::from_utf8(percent_decode(path)).ok().filter(|path| !path.contains('\0'))?;
        let found = self.resolve_path(folder.join(decoded).to_str()?, query.to_string(), kind);
        found.path.is_some().then_some(found)
    }

    fn resolve_by_tsconfig(&self, specifier: &str, folder: &Path, kind: Kind) -> Option<Resolution> {
        let config = self.ruling_config(folder)?;
        let (path, query) = specifier.split_at(specifier.find('?').unwrap_or(specifier.len()));
        let try_place = |place: &Path| {
            let place = format!("{}{query}", place.to_string_lossy());
            let found = self.lookup(Path::new("/"), &place, kind).ok();
            found.or_else(|| self.resolve_authored(Path::new("/"), &place, kind))
        };
        if let Some(places) = config.apply_paths(path)
            && let Some(found) = places.iter().find_map(|place| try_place(place))
        {
            return Some(found);
        }
        let base = config.base_url.as_ref().filter(|_| !path.starts_with('#'))?;
        try_place(&base.join(path))
    }

    /// The tsconfig for files in a folder: the override, otherwise the nearest one outside node_modules.
    pub fn tsconfig_for(&self, folder: &Path) -> Option<Arc<TsConfig>> {
        let _lookup = self.gate.read();
        self.ruling_config(folder)
    }

    fn ruling_config(&self, folder: &Path) -> Option<Arc<TsConfig>> {
        if let Some(known) = self.tsconfigs.read().ok().and_then(|known| known.get(folder).cloned()) {
            return known;
        }
        let find_package = |name: &str, folder: &Path| {
            let tries = [name.to_string(), format!("{name}.json"), format!("{name}/tsconfig.json")];
            let json = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "json");
            tries.iter().find_map(|name| {
                self.require.own.resolve(folder, name).ok().map(oxc_resolver::Resolution::into_path_buf).filter(json)
            })
        };
        let found = if let Some(path) = &self.tsconfig_override {
            match self.known(path) {
                Some(known) => known,
                None => Some(Arc::new(TsConfig::load(path, &find_package))),
            }
        } else {
            let own = ["tsconfig.json", "jsconfig.json"].iter().map(|name| folder.join(name));
            let is_inside_modules = is_inside_packages(folder);
            match own.filter(|_| !is_inside_modules).find(|path| path.is_file()) {
                Some(path) => Some(Arc::new(TsConfig::load(&path, &find_package))),
                None => folder.parent().and_then(|parent| self.ruling_config(parent)),
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

    /// Held while reading a graph: folders in which many files are looked up are then listed as a whole.
    pub fn watch_folders(&self) -> Watch<'_> {
        self.folders.watch()
    }

    pub fn invalidate(&self) {
        let _nobody_looks = self.gate.write();
        self.folders.forget();
        self.import.own.clear_cache();
        self.package_types.clear();
        if let Ok(mut known) = self.tsconfigs.write() {
            known.clear();
        }
    }
}

/// The lookup that finds no folder, and adds no extension except those of TypeScript.
fn make_exact(own: &Lookup) -> Box<Lookup> {
    let extensions = NOT_NODE.iter().map(ToString::to_string).collect();
    let options =
        ResolveOptions { extensions, main_files: Vec::new(), main_fields: Vec::new(), ..own.options().clone() };
    Box::new(own.clone_with_options(options))
}

/// What Node adds to a name that `require` resolves.
const NODE_ENDINGS: [&str; 7] = ["", ".js", ".json", ".node", "/index.js", "/index.json", "/index.node"];
/// Files that Node's loader does not find by any other name, but that programs of Node do not have either.
const NOT_NODE: [&str; 5] = [".ts", ".tsx", ".mts", ".cts", ".jsx"];

fn nearest_manifest(folder: &Path) -> Option<Vec<u8>> {
    folder.ancestors().find_map(|at| contents(&at.join("package.json")).ok())
}

fn mentions_null(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"null").is_some()
}

/// Returns the folder whose node_modules contains a node_modules with `path`. Files in that folder are not searched there, which
/// the resolver does.
fn misplaced_below(path: &Path) -> Option<&Path> {
    path.to_str()?.split_once("/node_modules/node_modules/").map(|(outer, _)| Path::new(outer))
}

/// Whether `path` is a file in a node_modules folder, which only `require` finds by its name.
fn is_lone_file(path: &Path, specifier: &str) -> bool {
    path.parent().and_then(Path::file_name).is_some_and(|folder| folder == "node_modules")
        && path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(specifier))
}

/// Replaces a file that Node's rules do not find for a relative or absolute specifier with a failure. TypeScript is
/// exempt.
fn refuse_guesses(found: Resolution, specifier: &str, folder: &Path, kind: Kind) -> Resolution {
    let Some(path) = found.path.as_deref() else { return found };
    if specifier.starts_with('#') && nearest_manifest(folder).is_some_and(|text| mentions_null(&text)) {
        // In `imports`, null ends the search; the resolver continues with the next condition.
        return Resolution::failed("import-not-defined", specifier);
    }
    if let Some((exact, _)) = specifier::file_url(specifier)
        && kind == Kind::Import
        && !NOT_NODE.iter().any(|extension| path.ends_with(extension))
    {
        let is_there = Path::new(&exact).is_file();
        return if is_there { found } else { Resolution::failed("module-not-found", specifier) };
    }
    if kind == Kind::Import && specifier::is_package_name(specifier) && is_lone_file(Path::new(path), specifier) {
        return Resolution::failed("package-not-found", specifier);
    }
    if !specifier::is_path(specifier) || NOT_NODE.iter().any(|extension| path.ends_with(extension)) {
        return found;
    }
    let exact = |written: &str| {
        let base = folder.join(written);
        let is_there = |ending: &str| Path::new(&format!("{}{ending}", base.display())).is_file();
        match kind {
            Kind::Import => is_there(""),
            // A folder's package.json may name any file.
            Kind::Require => base.join("package.json").is_file() || NODE_ENDINGS.iter().any(|ending| is_there(ending)),
        }
    };
    let (written, _) = specifier.split_at(specifier.find(['?', '#']).unwrap_or(specifier.len()));
    let decoded = percent_decode(written);
    let is_decoded = exact(&String::from_utf8_lossy(&decoded));
    if is_decoded || kind == Kind::Require && (exact(specifier) || exact(written)) {
        return found;
    }
    Resolution::failed("module-not-found", specifier)
}

fn classify(error: ResolveError, specifier: &str, is_path: bool, engine: &Engine) -> Resolution {
    let detail = error.to_string();
    let failure = match error {
        // `"#x": "node:path"` in a package's imports refers to a built-in module.
        ResolveError::NotFound(wanted) if wanted != specifier => {
            let name = wanted.strip_prefix("node:").unwrap_or(&wanted);
            if let Some(name) = engine.builtin(name) {
                return Resolution::builtin(name);
            }
            if is_path || !specifier::is_package_name(specifier) { "module-not-found" } else { "package-not-found" }
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
        _ if !is_path && !specifier.starts_with('#') && specifier::is_package_name(specifier) => "package-not-found",
        _ => "module-not-found",
    };
    // rt's replacement for a package that is not installed. `rt:sqlite` does not stand for a package of that name.
    if failure == "package-not-found" && specifier == "ws" && engine.builtins.contains("rt:ws") {
        return Resolution::builtin("rt:ws");
    }
    Resolution::failed(failure, detail)
}
