//! Reads and resolves the files of a program for its loader: in whole graphs, each file once.
//!
//! Failures are not cached: a program may create the file and try again.
use std::path::Path;
use std::sync::Arc;

use pyo3::prelude::*;

use super::life::Life;
use crate::modules::{GraphOptions, Record};
use crate::resolve::{Kind, Resolution, folder_of};
use crate::transform::Transformed;
use crate::v8::Scope;

/// The parameters of the function that runs CommonJS.
pub const PARAMETERS: [&str; 5] = ["exports", "require", "module", "__filename", "__dirname"];
/// The loader of a file whose extension has none.
const UNCLAIMED: &str = "file";
const NOT_THERE: [&str; 2] = ["package-not-found", "module-not-found"];

/// The options of a program that concern its loader.
#[derive(Default)]
pub struct Traits {
    /// When missing packages are installed.
    pub install: Install,
    /// The provider follows which files are loaded: for --hot, or for a watching rt.
    pub is_followed: bool,
    pub is_hot: bool,
    /// Preloads may register hooks, and run the main module in their own way.
    pub has_preloads: bool,
    /// The program sees Node only: its loader refuses what Node's refuses.
    pub is_node: bool,
}

/// When packages that are missing are installed.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub enum Install {
    Never,
    /// Where the project has no `node_modules` at all.
    #[default]
    WithoutNodeModules,
    /// If the package is not installed.
    Missing,
    /// Before `node_modules` is searched.
    First,
}

impl Install {
    /// The values of `--install`.
    pub fn from_name(name: &str) -> Option<Install> {
        Some(match name {
            "disable" => Install::Never,
            "auto" => Install::WithoutNodeModules,
            "fallback" => Install::Missing,
            "force" => Install::First,
            _ => return None,
        })
    }
}

impl Traits {
    pub fn installs_first(&self) -> bool {
        self.install == Install::First
    }

    /// Returns whether the loader handles every import, including those of plain modules.
    pub fn asks_always(&self) -> bool {
        self.is_hot || self.installs_first()
    }
}

/// Returns whether `folder` or one above it has a `node_modules`.
fn has_node_modules(folder: &Path) -> bool {
    folder.ancestors().any(|at| at.join("node_modules").is_dir())
}

impl Life {
    /// Resolves `specifier` for `importer`, a folder if it ends with a slash.
    pub fn resolve(&self, specifier: &str, importer: &str, kind: Kind) -> PyResult<Resolution> {
        if !self.traits.installs_first() {
            let found = self.find(specifier, importer, kind);
            if !self.is_for_provider(&found, specifier, importer) {
                return Ok(found);
            }
        }
        self.ask_modules(|_, modules| {
            let found = modules.call_method1("resolve", (specifier, importer, kind == Kind::Require))?;
            Ok(found.cast::<Resolution>()?.get().clone())
        })
    }

    /// Like `resolve`, without packages that may be installed.
    pub fn find(&self, specifier: &str, importer: &str, kind: Kind) -> Resolution {
        let (folder, resolver) = (folder_of(importer), self.resolver());
        let found = resolver.resolve(specifier, folder, kind);
        if found.failure.is_none() {
            return found;
        }
        resolver.invalidate(); // the program may have created the file since
        resolver.resolve(specifier, folder, kind)
    }

    /// Returns whether the provider handles a failure: it may install the package, follows files that may be created, or knows
    /// Node's rules for the targets of packages.
    pub fn is_for_provider(&self, found: &Resolution, specifier: &str, importer: &str) -> bool {
        let Some(failure) = found.failure else { return false };
        let is_missing = NOT_THERE.contains(&failure) && !specifier.starts_with(['.', '/', '#']);
        let may_install = || match self.traits.install {
            Install::Never => false,
            Install::WithoutNodeModules => !has_node_modules(folder_of(importer)),
            Install::Missing | Install::First => true,
        };
        let is_of_package = !specifier.starts_with(['.', '/']) && !specifier.contains(':');
        self.traits.is_followed || is_missing && may_install() || self.traits.is_node && is_of_package
    }

    /// Returns the record of a file, after reading it and its imports. Fails with their errors.
    ///
    /// With `as_script`, a file whose extension has no loader is a script.
    pub fn record(
        &self,
        scope: &Scope<'_>,
        path: &str,
        loader: Option<&str>,
        as_script: bool,
    ) -> PyResult<Arc<Record>> {
        let known = self.records.find(path, loader);
        let fits = |record: &Arc<Record>| !as_script || record.transformed.is_some() || record.loader != UNCLAIMED;
        let record = match known.filter(fits) {
            Some(known) => known,
            None => self.load(path, loader, as_script, true)?,
        };
        if let Some(failure) = &record.failure {
            return Err(self.failure("fail_reading", (path, failure)));
        }
        match &record.transformed {
            Some(text) if text.is_assumed && !self.fits_commonjs(scope, path, text) => {
                self.load(path, loader, as_script, false)
            }
            _ => Ok(record),
        }
    }

    /// Reads a file and its imports. With `trusting`, files that are assumed to be CommonJS are not parsed.
    fn load(&self, path: &str, loader: Option<&str>, as_script: bool, trusting: bool) -> PyResult<Arc<Record>> {
        self.report_config(path)?;
        let is_followed = self.traits.is_followed;
        let options = GraphOptions {
            loader: loader.map(str::to_owned),
            follow_require: false,
            as_script,
            trusting,
            resolves_all: is_followed,
        };
        let read = self.records.read(path.to_owned(), self.resolver(), self.options(), options);
        let records = read.map_err(pyo3::exceptions::PyRuntimeError::new_err)?;
        if is_followed {
            self.report_loaded(&records)?;
        }
        records.into_iter().next().ok_or_else(super::making::unexpected)
    }

    /// Returns the record of a script that was assumed to be CommonJS, after parsing it; None if it cannot be read any more.
    pub fn parsed(&self, path: &str) -> PyResult<Option<Arc<Record>>> {
        let record = self.load(path, None, true, false)?;
        Ok(record.failure.is_none().then_some(record))
    }

    /// Reports the problems of a file's tsconfig to the program, once.
    pub fn report_config(&self, path: &str) -> PyResult<()> {
        let config = self.resolver().tsconfig_for(folder_of(path));
        if config.is_some_and(|config| !config.problems.is_empty()) {
            self.call_modules("report_config", (path,))?;
        }
        Ok(())
    }

    /// Reads a file again at its next use; resolutions stay.
    pub fn read_again(&self, path: &str) {
        self.records.forget(path);
        self.fitting.borrow_mut().remove(path);
        self.fits.borrow_mut().remove(path);
    }

    /// Returns whether the engine accepts a file that was assumed to be CommonJS; keeps the compiled function for `load`.
    pub fn fits_commonjs(&self, scope: &Scope<'_>, path: &str, text: &Transformed) -> bool {
        if self.fits.borrow().contains(path) {
            return true;
        }
        let Ok(function) = self.table().code_caches().function(scope, text.code_text(), &PARAMETERS, path) else {
            return false;
        };
        self.fitting.borrow_mut().insert(path.to_owned(), scope.keep(function));
        self.fits.borrow_mut().insert(path.to_owned());
        true
    }

    /// Fails with the first error of a script.
    pub fn check_whole(&self, text: &Transformed) -> PyResult<()> {
        if text.is_whole() { Ok(()) } else { Err(self.failure("fail_script", (text.clone(),))) }
    }
}
