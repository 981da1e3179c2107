//! tsconfig.json and jsconfig.json: the parts that change how a program runs.
//!
//! A broken file, or a missing base of one, is reported but never prevents a run. Paths are relative to the file that
//! contains them, as in TypeScript.
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::jsonc::{self, Json};
use crate::files::paths::normalize;
use crate::files::regular::contents;
use crate::transform::{Config, JsxRuntimeName, SyntaxProblem};

/// An entry of `paths`: a pattern with at most one `*`, and the locations to try, in order.
#[derive(Clone, Debug)]
pub struct PathMapping {
    pub pattern: String,
    pub targets: Vec<PathBuf>,
}

#[derive(Clone, Debug, Default)]
pub struct TsConfig {
    pub path: PathBuf,
    pub base_url: Option<PathBuf>,
    pub paths: Option<Vec<PathMapping>>,
    pub emit: Config,
    pub problems: Vec<SyntaxProblem>,
    /// What it depends on: the file, its bases, and where a base that is missing would be.
    pub files: Vec<PathBuf>,
}

/// The longest chain of `extends`.
const LONGEST_CHAIN: usize = 32;

impl TsConfig {
    /// Read a file and everything it extends; `find_package` locates an `extends` that names a package.
    pub fn load(path: &Path, find_package: &dyn Fn(&str, &Path) -> Option<PathBuf>) -> Self {
        let mut config = Self { path: path.to_path_buf(), ..Self::default() };
        let mut loader = Loader {
            find_package,
            root: path.parent().unwrap_or(path).to_path_buf(),
            open: Vec::new(),
            known: HashMap::new(),
            files: Vec::new(),
        };
        let mut settings = Settings::default();
        loader.read(path, &mut settings, &mut config.problems);
        if settings.paths.is_none() {
            loader.read_references(&mut settings, &mut config.problems);
        }
        config.files = loader.files;
        config.base_url = settings.base_url.clone();
        config.emit = settings.emit();
        config.paths = settings.paths.take();
        config
    }

    /// The locations that `paths` gives for a specifier, best pattern first; None if no pattern matches.
    pub fn apply_paths(&self, specifier: &str) -> Option<Vec<PathBuf>> {
        let mappings = self.paths.as_ref()?;
        if let Some(exact) = mappings.iter().find(|mapping| mapping.pattern == specifier) {
            return Some(exact.targets.clone());
        }
        let (mapping, star) = mappings
            .iter()
            .filter_map(|mapping| {
                let (prefix, suffix) = mapping.pattern.split_once('*')?;
                let rest = specifier.strip_prefix(prefix)?.strip_suffix(suffix)?;
                Some((mapping, prefix.len(), rest))
            })
            .max_by_key(|(_, prefix, _)| *prefix)
            .map(|(mapping, _, rest)| (mapping, rest))?;
        let fill = |target: &PathBuf| PathBuf::from(target.to_string_lossy().replacen('*', star, 1));
        Some(mapping.targets.iter().map(fill).collect())
    }
}

/// `compilerOptions` merged along the chain: a file takes precedence over what it extends.
#[derive(Default)]
struct Settings {
    base_url: Option<PathBuf>,
    paths: Option<Vec<PathMapping>>,
    jsx: Option<JsxRuntimeName>,
    jsx_factory: Option<String>,
    jsx_fragment: Option<String>,
    jsx_import_source: Option<String>,
    experimental_decorators: Option<bool>,
    emit_decorator_metadata: Option<bool>,
    verbatim_module_syntax: Option<bool>,
    preserve_value_imports: Option<bool>,
    use_define_for_class_fields: Option<bool>,
    strict_null_checks: Option<bool>,
    strict: Option<bool>,
    references: Vec<PathBuf>,
}

impl Settings {
    fn emit(&self) -> Config {
        Config {
            jsx_runtime: self.jsx,
            jsx_factory: self.jsx_factory.clone(),
            jsx_fragment: self.jsx_fragment.clone(),
            jsx_import_source: self.jsx_import_source.clone(),
            // Metadata is only defined for experimental decorators.
            experimental_decorators: self.experimental_decorators.or(self.emit_decorator_metadata).unwrap_or(false),
            emit_decorator_metadata: self.emit_decorator_metadata.unwrap_or(false),
            verbatim_module_syntax: self.verbatim_module_syntax.or(self.preserve_value_imports).unwrap_or(false),
            use_define_for_class_fields: self.use_define_for_class_fields,
            strict_null_checks: self.strict_null_checks.or(self.strict).unwrap_or(false),
        }
    }

    /// Apply the values of `other`; unset ones leave the present value.
    fn lay_over(&mut self, other: &Settings) {
        fn take<T: Clone>(slot: &mut Option<T>, other: &Option<T>) {
            if other.is_some() {
                slot.clone_from(other);
            }
        }
        take(&mut self.base_url, &other.base_url);
        take(&mut self.paths, &other.paths);
        take(&mut self.jsx, &other.jsx);
        take(&mut self.jsx_factory, &other.jsx_factory);
        take(&mut self.jsx_fragment, &other.jsx_fragment);
        take(&mut self.jsx_import_source, &other.jsx_import_source);
        take(&mut self.experimental_decorators, &other.experimental_decorators);
        take(&mut self.emit_decorator_metadata, &other.emit_decorator_metadata);
        take(&mut self.verbatim_module_syntax, &other.verbatim_module_syntax);
        take(&mut self.preserve_value_imports, &other.preserve_value_imports);
        take(&mut self.use_define_for_class_fields, &other.use_define_for_class_fields);
        take(&mut self.strict_null_checks, &other.strict_null_checks);
        take(&mut self.strict, &other.strict);
        if !other.references.is_empty() {
            self.references.clone_from(&other.references);
        }
    }

    fn apply(&mut self, options: &Json, folder: &Path, root: &Path) {
        let place = |text: &str| {
            let text = text.replace("${configDir}", &root.to_string_lossy());
            normalize(&folder.join(text))
        };
        let flag = |key: &str, slot: &mut Option<bool>| {
            if let Some(value) = options.get(key).and_then(Json::flag) {
                *slot = Some(value);
            }
        };
        let text = |key: &str, slot: &mut Option<String>| {
            if let Some(value) = options.get(key).and_then(Json::text) {
                *slot = Some(value.to_string());
            }
        };
        if let Some(base) = options.get("baseUrl").and_then(Json::text) {
            self.base_url = Some(place(base));
        }
        if let Some(Json::Object(entries)) = options.get("paths") {
            let base = self.base_url.clone().unwrap_or_else(|| folder.to_path_buf());
            let mapping = |(pattern, targets): &(String, Json)| PathMapping {
                pattern: pattern.clone(),
                targets: targets
                    .texts()
                    .iter()
                    .map(|target| target.replace("${configDir}", &root.to_string_lossy()))
                    .map(|target| normalize(&base.join(target)))
                    .collect(),
            };
            self.paths = Some(entries.iter().map(mapping).collect());
        }
        if let Some(jsx) = options.get("jsx").and_then(Json::text).and_then(JsxRuntimeName::named) {
            self.jsx = Some(jsx);
        }
        text("jsxFactory", &mut self.jsx_factory);
        text("jsxFragmentFactory", &mut self.jsx_fragment);
        text("jsxImportSource", &mut self.jsx_import_source);
        flag("experimentalDecorators", &mut self.experimental_decorators);
        flag("emitDecoratorMetadata", &mut self.emit_decorator_metadata);
        flag("verbatimModuleSyntax", &mut self.verbatim_module_syntax);
        flag("preserveValueImports", &mut self.preserve_value_imports);
        flag("useDefineForClassFields", &mut self.use_define_for_class_fields);
        flag("strictNullChecks", &mut self.strict_null_checks);
        flag("strict", &mut self.strict);
    }
}

struct Loader<'f> {
    find_package: &'f dyn Fn(&str, &Path) -> Option<PathBuf>,
    root: PathBuf,
    open: Vec<PathBuf>,
    /// The settings of each file read so far, including its bases, which several files may share.
    known: HashMap<PathBuf, Settings>,
    files: Vec<PathBuf>,
}

impl Loader<'_> {
    /// Apply a file and its bases to `settings`.
    fn read(&mut self, path: &Path, settings: &mut Settings, problems: &mut Vec<SyntaxProblem>) {
        if let Some(known) = self.known.get(path) {
            settings.lay_over(known);
            return;
        }
        let mut own = Settings::default();
        self.read_file(path, &mut own, problems);
        settings.lay_over(&own);
        self.known.insert(path.to_path_buf(), own);
    }

    fn read_file(&mut self, path: &Path, settings: &mut Settings, problems: &mut Vec<SyntaxProblem>) {
        let name = path.to_string_lossy();
        if self.open.iter().any(|open| open == path) || self.open.len() >= LONGEST_CHAIN {
            problems.push(SyntaxProblem::of_file(&name, "This tsconfig extends itself".to_string()));
            return;
        }
        self.files.push(path.to_path_buf());
        let text = match contents(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                problems.push(SyntaxProblem::of_file(&name, format!("Cannot read tsconfig: {error}")));
                return;
            }
        };
        let json = match jsonc::read(text.trim_start_matches('\u{feff}'), &name) {
            Ok(json) => json,
            Err(found) => {
                problems.extend(found);
                return;
            }
        };
        self.open.push(path.to_path_buf());
        let folder = path.parent().unwrap_or(path).to_path_buf();
        for extended in json.get("extends").map(Json::texts).unwrap_or_default() {
            // As in Bun, a missing base is ignored: production installs leave out packages such as `@tsconfig/node22`.
            if let Some(base) = self.locate(&extended, &folder) {
                self.read(&base, settings, problems);
            }
        }
        if let Some(options) = json.get("compilerOptions") {
            settings.apply(options, &folder, &self.root);
        }
        if self.open.len() == 1
            && let Some(Json::List(references)) = json.get("references")
        {
            let paths = references.iter().filter_map(|reference| reference.get("path")?.text());
            settings.references = paths.map(|path| folder.join(path)).collect();
        }
        self.open.pop();
    }

    /// A "solution" file only lists its projects: the first project with `paths` applies.
    fn read_references(&mut self, settings: &mut Settings, problems: &mut Vec<SyntaxProblem>) {
        for reference in std::mem::take(&mut settings.references) {
            let path = if reference.is_dir() { reference.join("tsconfig.json") } else { reference };
            if !path.is_file() {
                continue;
            }
            let mut referenced = Settings::default();
            self.read(&path, &mut referenced, problems);
            if referenced.paths.is_some() {
                *settings = referenced;
                return;
            }
        }
    }

    fn locate(&mut self, extended: &str, folder: &Path) -> Option<PathBuf> {
        let is_path = extended.starts_with('.') || extended.starts_with('/');
        if !is_path {
            return (self.find_package)(extended, folder);
        }
        let base = normalize(&folder.join(extended));
        let mut with_extension = base.clone().into_os_string();
        with_extension.push(".json");
        let tries = [base.clone(), PathBuf::from(with_extension), base.join("tsconfig.json")];
        let found = tries.iter().find(|path| path.is_file()).cloned();
        if found.is_none() {
            self.files.extend(tries);
        }
        found
    }
}
