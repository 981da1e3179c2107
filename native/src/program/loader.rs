//! The module loader: determines the module of each import, created once for its name (path and query) and the loader it was
//! requested with, and links it with its imports.
//!
//! Files are read in whole graphs (`reading`), and their modules are created natively (`making`). The provider creates all
//! others: data formats, macros, WebAssembly instances, `data:` URLs, modules of hooks. CommonJS runs while it is linked,
//! because the names of its exports are known only afterwards; an exception of it is thrown when the import is evaluated.
//! Linking is reentrant: such a file may require an ES module, even one that is being linked. For a program that sees Node
//! only, CommonJS exports the names that its text shows (`lexed_names`), and runs when it is evaluated.
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;

use super::deferred::without_phase;
use super::life::Life;
use crate::modules::{Question, Table, link};
use crate::resolve::{Kind, Resolution, folder_of};
use crate::v8::{self, Global, ModuleData, Scope};

/// URLs whose content is not in a file.
const INLINE: [&str; 2] = ["data:", "blob:"];
/// The attribute that represents `import source`.
pub const SOURCE: &str = "rt:source";
pub const SCRIPTS: [&str; 4] = ["js", "jsx", "ts", "tsx"];
const DATA: [&str; 11] = ["json", "jsonc", "json5", "toml", "yaml", "text", "file", "md", "xml", "sqlite", SOURCE];

/// Import attributes, by name.
pub type Attributes = [(String, String)];

/// Names of a CommonJS module that have getters, which are read when they are first imported.
pub struct Unread {
    pub names: Vec<String>,
    pub view: Global,
    pub exports: Global,
}

/// The modules of a program, or of its macros.
pub struct Loader {
    pub table: Arc<Table>,
    /// The number of this loader at the provider; 0 is the program's.
    pub number: usize,
    /// Module name -> path and query, unless they are the name and "".
    pub places: RefCell<HashMap<String, (String, String)>>,
    pub unread: RefCell<HashMap<String, Unread>>,
    /// The paths of modules that were created here.
    pub paths: RefCell<HashSet<String>>,
    /// The names of WebAssembly modules.
    pub wasm: RefCell<HashSet<String>>,
    /// The built-in modules that were imported: name, and the array of the names of its exports.
    pub builtins: RefCell<Vec<(String, Global)>>,
    /// With --hot: path -> the paths of the modules that import it.
    pub importers: RefCell<Option<HashMap<String, HashSet<String>>>>,
    /// The program has hooks, so the provider is called for each import.
    pub is_hooked: Cell<bool>,
}

impl Loader {
    pub fn new(table: Arc<Table>, number: usize, follows_importers: bool) -> Rc<Loader> {
        Rc::new(Loader {
            table,
            number,
            places: RefCell::default(),
            unread: RefCell::default(),
            paths: RefCell::default(),
            wasm: RefCell::default(),
            builtins: RefCell::default(),
            importers: RefCell::new(follows_importers.then(HashMap::new)),
            is_hooked: Cell::default(),
        })
    }

    /// Returns (path, query) of the module that is `name` in stack frames.
    pub fn place_of(&self, name: &str) -> (String, String) {
        self.places.borrow().get(name).cloned().unwrap_or_else(|| (name.to_owned(), String::new()))
    }

    /// Returns the paths of the modules that have imported `path`.
    pub fn importers_of(&self, path: &str) -> HashSet<String> {
        self.importers.borrow().as_ref().and_then(|importers| importers.get(path).cloned()).unwrap_or_default()
    }

    fn note_importer(&self, name: &str, importer: &str) {
        if let Some(importers) = &mut *self.importers.borrow_mut() {
            importers.entry(path_of(name).to_owned()).or_default().insert(importer.to_owned());
        }
    }
}

/// The path of a module's name.
pub fn path_of(name: &str) -> &str {
    name.split('?').next().unwrap_or(name)
}

/// The loader of import attributes; unknown values select none.
pub fn loader_of(attributes: &Attributes) -> Option<&str> {
    let kind = attributes.iter().find(|(key, _)| key == "type").map(|(_, kind)| kind.as_str())?;
    (SCRIPTS.contains(&kind) || DATA.contains(&kind)).then_some(kind)
}

/// Whether Node imports the file of a path as a script whatever the attributes of the import.
pub fn is_plain(path: &str) -> bool {
    let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension);
    !is_inline(path) && matches!(extension, Some("js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "tsx" | "jsx"))
}

pub fn is_inline(specifier: &str) -> bool {
    INLINE.iter().any(|scheme| specifier.starts_with(scheme))
}

/// Where specifiers in `importer` are resolved from: in a Blob, from the working folder, as in Bun.
fn seen_from(life: &Life, importer: &str) -> String {
    if importer.starts_with("blob:") { life.working_folder() } else { importer.to_owned() }
}

impl Life {
    /// Returns the module of a file, linked with its imports and ready to be evaluated.
    pub fn instantiate(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        path: &str,
        query: &str,
        attributes: &Attributes,
    ) -> PyResult<Arc<ModuleData>> {
        let root = if loader.is_hooked.get() {
            self.hooked_target(&format!("{path}{query}"), "", attributes)?
        } else {
            if self.traits.is_node && !is_plain(path) {
                self.call_modules("check_main_for_node", (path,))?;
            }
            self.module(loader, scope, path, query, loader_of(attributes))?
        };
        self.ready(loader, scope, root)
    }

    /// Returns the module of `import(specifier)` in `importer`, ready to be evaluated.
    pub fn ready_target(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        specifier: &str,
        importer: &str,
        attributes: &Attributes,
    ) -> PyResult<Arc<ModuleData>> {
        let module = if loader.is_hooked.get() {
            self.hooked_target(specifier, importer, attributes)?
        } else {
            self.unhooked_target(loader, scope, (specifier, importer), attributes, None)?
        };
        let module = self.as_wasm(loader, module, attributes, None)?;
        if !is_inline(specifier) {
            loader.note_importer(&module.name, importer);
        }
        self.ready(loader, scope, module)
    }

    /// Returns the module of `import(specifier)` if it exists and has been evaluated.
    pub fn known_target(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        specifier: &str,
        importer: &str,
        attributes: &Attributes,
    ) -> PyResult<Option<Arc<ModuleData>>> {
        if loader.is_hooked.get() {
            return Ok(None);
        }
        let wanted = loader_of(attributes);
        let known = if is_inline(specifier) {
            self.check_for_node(specifier, attributes)?;
            loader.table.find(specifier, wanted)
        } else {
            let target = self.resolve(specifier, importer, Kind::Import)?;
            if let Some(name) = target.builtin.as_deref().filter(|_| wanted != Some(SOURCE)) {
                let module = self.builtin(loader, scope, name)?;
                return self.ready(loader, scope, module).map(Some);
            }
            let path = target.path.unwrap_or_default();
            self.check_for_node(&path, attributes)?;
            loader.table.find(&format!("{path}{}", target.query), wanted)
        };
        let is_there = |module: &Arc<ModuleData>| {
            let is_wasm = wanted.is_none() && loader.wasm.borrow().contains(&module.name);
            !is_wasm && v8::is_evaluated(scope, module)
        };
        Ok(known.map(|entry| entry.module).filter(is_there))
    }

    /// Return what `specifier` in `importer` means if the program has no hooks; `known` is where it leads, if that is known.
    pub fn unhooked_target(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        (specifier, importer): (&str, &str),
        attributes: &Attributes,
        known: Option<&Resolution>,
    ) -> PyResult<Arc<ModuleData>> {
        if is_inline(specifier) {
            self.check_for_node(specifier, attributes)?;
            return self.inline(loader, specifier, loader_of(attributes));
        }
        let resolved;
        let target = match known {
            Some(target) => target,
            None => {
                resolved = self.resolve(specifier, importer, Kind::Import)?;
                &resolved
            }
        };
        self.of_resolution(loader, scope, specifier, importer, attributes, target)
    }

    fn of_resolution(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        specifier: &str,
        importer: &str,
        attributes: &Attributes,
        target: &Resolution,
    ) -> PyResult<Arc<ModuleData>> {
        let wanted = loader_of(attributes);
        match (&target.builtin, &target.path) {
            (Some(name), _) if wanted == Some(SOURCE) => Err(self.failure("fail_source", (format!("node:{name}"),))),
            (Some(name), _) => self.builtin(loader, scope, name),
            (None, Some(path)) => {
                self.check_for_node(path, attributes)?;
                self.module(loader, scope, path, &target.query, wanted)
            }
            (None, None) => match self.find_loaded(loader, specifier, importer, wanted) {
                Some(module) => Ok(module),
                None => Err(self.failure("fail_import", (specifier, importer))),
            },
        }
    }

    /// Returns the module of a file that has been loaded and does not exist any more, as in Node.
    fn find_loaded(
        &self,
        loader: &Loader,
        specifier: &str,
        importer: &str,
        wanted: Option<&str>,
    ) -> Option<Arc<ModuleData>> {
        if !self.traits.is_node {
            return None;
        }
        let path = match specifier.strip_prefix("./") {
            Some(relative) => folder_of(importer).join(relative),
            None => specifier.strip_prefix("file://")?.into(),
        };
        loader.table.find(path.to_str()?, wanted).map(|entry| entry.module)
    }

    /// Fails if Node refuses an import of `name`, a path or URL, because of its format or its attributes.
    fn check_for_node(&self, name: &str, attributes: &Attributes) -> PyResult<()> {
        if !self.traits.is_node || attributes.is_empty() && is_plain(name) || loader_of(attributes) == Some(SOURCE) {
            return Ok(());
        }
        self.call_modules("check_for_node", (name, attributes.to_vec()))
    }

    // --- linking

    /// Calls `work`, which may run CommonJS, while the imports of the modules in `chain` are linked.
    fn while_linking<R>(&self, chain: &[Arc<ModuleData>], work: impl FnOnce() -> R) -> R {
        if !self.traits.is_node {
            return work();
        }
        let before = self.linking.borrow().len();
        self.linking.borrow_mut().extend(chain.iter().map(|module| module.name.clone()));
        let result = work();
        self.linking.borrow_mut().truncate(before);
        result
    }

    /// Links `root` with its imports, unless that is done.
    pub fn ready(&self, loader: &Loader, scope: &Scope<'_>, root: Arc<ModuleData>) -> PyResult<Arc<ModuleData>> {
        if !v8::is_unlinked(scope, &root)? {
            return Ok(root);
        }
        let defers = self.link_graph(loader, scope, &root)?;
        if v8::is_unlinked(scope, &root)? {
            // CommonJS may have required it meanwhile.
            v8::instantiate(scope, &root, !defers).map_err(|error| self.link_failure(error))?;
        }
        Ok(root)
    }

    /// Determines the module of each request in the graph of `root`. Returns whether any import is deferred.
    pub fn link_graph(&self, loader: &Loader, scope: &Scope<'_>, root: &Arc<ModuleData>) -> PyResult<bool> {
        let deferrals = link(&loader.table, scope, root.clone(), &mut |question| self.child(loader, scope, &question))?;
        let defers = !deferrals.is_empty();
        self.defer(scope, deferrals)?;
        Ok(defers)
    }

    /// Returns the module of a request.
    fn child(&self, loader: &Loader, scope: &Scope<'_>, question: &Question<'_>) -> PyResult<Arc<ModuleData>> {
        let Question { importer, specifier, attributes, target, chain } = question;
        let (path, _) = loader.place_of(&importer.name);
        if let Some(attributes) = without_phase(attributes) {
            let child = self.deferred_target(loader, scope, specifier, &seen_from(self, &path), &attributes)?;
            loader.note_importer(&child.name, &path);
            return Ok(child);
        }
        let asker = Some((importer.name.as_str(), specifier.as_str()));
        if loader.is_hooked.get() {
            let child = self.hooked_target(specifier, &path, attributes)?;
            loader.note_importer(&child.name, &path);
            return self.as_wasm(loader, child, attributes, asker);
        }
        let place = seen_from(self, &path);
        let known = target.filter(|target| place == path && target.failure.is_none());
        let known = known.filter(|_| !self.traits.installs_first());
        let child =
            self.while_linking(chain, || self.unhooked_target(loader, scope, (specifier, &place), attributes, known))?;
        let child = self.as_wasm(loader, child, attributes, asker)?;
        if loader.unread.borrow().contains_key(&child.name) {
            self.read_exports(loader, scope, &child, &importer.name, specifier)?;
        }
        loader.note_importer(&child.name, &path);
        Ok(child)
    }

    /// Returns the module for an import of `module`: the instance of a WebAssembly file, if the import (module, specifier)
    /// needs it.
    pub fn as_wasm(
        &self,
        loader: &Loader,
        module: Arc<ModuleData>,
        attributes: &Attributes,
        asker: Option<(&str, &str)>,
    ) -> PyResult<Arc<ModuleData>> {
        if !loader.wasm.borrow().contains(&module.name) || loader_of(attributes).is_some() {
            return Ok(module);
        }
        let wanted = asker
            .map_or_else(|| vec!["*".to_owned()], |(name, specifier)| self.find_requested_exports(name, specifier));
        let instance = self.ask_for_module("wasm_instance", (loader.number, module.name.clone(), wanted))?;
        Ok(instance.unwrap_or(module))
    }

    /// Returns the exports of `specifier` that the module `importer` imports; `*` means all.
    fn find_requested_exports(&self, importer: &str, specifier: &str) -> Vec<String> {
        match self.texts.find(importer) {
            Some(loaded) => {
                let requested = loaded.text.requested_exports();
                requested.into_iter().filter(|(source, _)| source == specifier).map(|(_, name)| name).collect()
            }
            None => vec!["*".to_owned()],
        }
    }

    /// Reads the exports of CommonJS that `importer` is the first to import.
    fn read_exports(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        child: &Arc<ModuleData>,
        importer: &str,
        specifier: &str,
    ) -> PyResult<()> {
        let requested = self.find_requested_exports(importer, specifier);
        let (wanted, exports, view) = {
            let mut unread = loader.unread.borrow_mut();
            let Some(unread) = unread.get_mut(&child.name) else { return Ok(()) };
            let is_wanted = |name: &String| requested.iter().any(|each| each == name || each == "*");
            let (wanted, left) = std::mem::take(&mut unread.names).into_iter().partition::<Vec<_>, _>(is_wanted);
            unread.names = left;
            (wanted, unread.exports.in_scope(scope)?, unread.view.in_scope(scope)?)
        };
        let names: Vec<_> = wanted.iter().map(|name| self.text(scope, name)).collect::<PyResult<_>>()?;
        let list = scope.array(&names);
        let arguments = [exports.handle(), view.handle(), list.handle()];
        scope.call(self.function(scope, "readForImport")?, &arguments)?;
        if v8::is_evaluated(scope, child) {
            for (name, key) in wanted.iter().zip(names) {
                v8::set_export_of(scope, child, key, scope.get(view, name)?)?;
            }
        }
        Ok(())
    }

    /// Returns the module of a `data:` or `blob:` URL.
    fn inline(&self, loader: &Loader, url: &str, wanted: Option<&str>) -> PyResult<Arc<ModuleData>> {
        let wanted = wanted.filter(|wanted| *wanted == SOURCE);
        match loader.table.find(url, wanted) {
            Some(known) => Ok(known.module),
            None => self.ask_for_a_module("data_url", (loader.number, url, wanted)),
        }
    }

    pub fn hooked_target(&self, specifier: &str, importer: &str, attributes: &Attributes) -> PyResult<Arc<ModuleData>> {
        let attributes: HashMap<String, String> = attributes.iter().cloned().collect();
        self.ask_for_a_module("hooked_target", (specifier, importer, attributes))
    }
}
