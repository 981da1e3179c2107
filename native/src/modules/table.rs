//! The modules of one program, each once for its name (path and query) and the loader it was requested with.
//!
//! Plain modules are compiled here, from the records of their files. The loader (`program`) creates and inserts all others.
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use rapidhash::RapidHashMap;
use rt_wire::debug_log;

use super::code_caches::CodeCaches;
use super::positions;
use super::records::{Record, Records};
use super::texts::Texts;
use crate::interpreter::class;
use crate::resolve::Resolution;
use crate::transform::Transformed;
use crate::v8::{self, ModuleData, Scope, State};

#[derive(Clone)]
pub struct Entry {
    loader: Option<String>,
    pub module: Arc<ModuleData>,
    /// The file it was made from, until the module is linked.
    pub record: Option<Arc<Record>>,
    /// The loader handles every import of it: CommonJS whose exports are read on demand, and WebAssembly.
    pub is_requested: bool,
}

/// The CommonJS variables that a module may use.
pub const MODULE_NAMES: &[&str] = &["require", "__filename", "__dirname"];

type Known = RapidHashMap<String, Vec<Entry>>;

pub struct Table {
    records: Arc<Records>,
    texts: Arc<Texts>,
    known: Mutex<Known>,
    asks_always: AtomicBool,
    /// Modules have no CommonJS variables, as in Node.
    is_node: bool,
    code_caches: Arc<CodeCaches>,
}

impl Table {
    pub fn new(
        engine: Arc<State>,
        records: Arc<Records>,
        texts: Arc<Texts>,
        code_caches: Arc<CodeCaches>,
        is_node: bool,
    ) -> Table {
        engine.keep_texts(texts.clone());
        engine.offer(positions::OPERATIONS);
        Table { records, texts, known: Mutex::default(), asks_always: AtomicBool::new(false), is_node, code_caches }
    }

    /// Makes `link` call the loader for every request, even for plain modules.
    pub fn ask_always(&self, is_wanted: bool) {
        self.asks_always.store(is_wanted, Ordering::Relaxed);
    }

    /// Removes the modules of `paths`, with any query.
    pub fn take_out(&self, paths: &HashSet<String>) -> RemovedModules {
        let mut known = self.lock();
        let is_meant = |name: &String| paths.contains(name.split('?').next().unwrap_or_default());
        let names: Vec<String> = known.keys().filter(|name| is_meant(name)).cloned().collect();
        RemovedModules(names.into_iter().filter_map(|name| known.remove_entry(&name)).collect())
    }

    /// Removes the modules with a name.
    pub fn forget(&self, name: &str) {
        self.lock().remove(name);
    }

    /// The names of the files that have been evaluated.
    pub fn evaluated_files(&self, scope: &Scope<'_>) -> Vec<String> {
        let known = self.lock();
        let is_evaluated = |entries: &[Entry]| entries.iter().any(|entry| v8::is_evaluated(scope, &entry.module));
        let files = known.iter().filter(|(name, entries)| name.starts_with('/') && is_evaluated(entries));
        let mut names: Vec<String> = files.map(|(name, _)| name.clone()).collect();
        names.sort_unstable();
        names
    }

    /// The module with a name that has been evaluated.
    pub fn find_evaluated(&self, scope: &Scope<'_>, name: &str) -> Option<Arc<ModuleData>> {
        let known = self.lock();
        let found = known.get(name)?.iter().find(|entry| v8::is_evaluated(scope, &entry.module))?;
        Some(found.module.clone())
    }

    /// The names of all modules.
    pub fn names(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    /// Restores the modules that `take_out` removed, replacing those made since.
    pub fn put_back(&self, removed: &RemovedModules) {
        let mut known = self.lock();
        for (name, entries) in &removed.0 {
            let now = known.entry(name.clone()).or_default();
            now.retain(|entry| entries.iter().all(|old| old.loader != entry.loader));
            now.extend(entries.iter().cloned());
        }
    }

    /// Inserts a module, unless there is one already. Returns the one that is in the table then.
    pub fn put(
        &self,
        name: String,
        loader: Option<String>,
        module: &Arc<ModuleData>,
        record: Option<Arc<Record>>,
        is_requested: bool,
    ) -> Arc<ModuleData> {
        let mut known = self.lock();
        let entries = known.entry(name).or_default();
        if let Some(there) = entries.iter().find(|entry| entry.loader == loader) {
            return there.module.clone();
        }
        entries.push(Entry { loader, module: module.clone(), record, is_requested });
        module.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn asks_always(&self) -> bool {
        self.asks_always.load(Ordering::Relaxed)
    }

    pub fn code_caches(&self) -> &Arc<CodeCaches> {
        &self.code_caches
    }

    pub fn find(&self, name: &str, loader: Option<&str>) -> Option<Entry> {
        let known = self.lock();
        known.get(name)?.iter().find(|entry| entry.loader.as_deref() == loader).cloned()
    }

    /// The file that `module` was made from.
    pub fn record_of(&self, module: &Arc<ModuleData>) -> Option<Arc<Record>> {
        let known = self.lock();
        let entry = known.get(&module.name)?.iter().find(|entry| Arc::ptr_eq(&entry.module, module))?;
        entry.record.clone()
    }

    /// Drops the record of `module`, which is linked: its requests are not resolved again.
    pub fn forget_record(&self, module: &Arc<ModuleData>) {
        if let Some(entries) = self.lock().get_mut(&module.name) {
            for entry in entries.iter_mut().filter(|entry| Arc::ptr_eq(&entry.module, module)) {
                entry.record = None;
            }
        }
    }

    /// The text that gives a module the CommonJS variables in `names` that it uses.
    pub fn head_of(&self, text: &Transformed, names: &[&str]) -> Option<String> {
        if self.is_node { None } else { text.commonjs_head(names) }
    }

    /// Compiles the module of a plain file. Returns None if the loader has to create it.
    pub fn compile_plain(&self, scope: &Scope<'_>, path: &str) -> Option<Arc<ModuleData>> {
        let record = self.records.find(path, None)?;
        let text = record.transformed.as_ref().filter(|text| text.is_plain_module())?;
        if self.texts.holds(path) {
            return None;
        }
        let compiled = |source: &str| self.code_caches.module(scope, source, path);
        let headed = self.head_of(text, MODULE_NAMES).and_then(|head| {
            let module = compiled(&format!("{head}{}", text.code_text()))?;
            Some((module, head.len() as u32))
        });
        let (module, columns) = match headed {
            Some(headed) => headed,
            None => (compiled(text.code_text())?, 0),
        };
        debug_log!(Loader, "{path}: created as a plain module");
        self.texts.add(path.to_owned(), text.clone(), columns);
        let entry = Entry { loader: None, module: module.clone(), record: Some(record), is_requested: false };
        self.lock().entry(path.to_owned()).or_default().push(entry);
        Some(module)
    }

    /// The module of a request that resolves to `target`, if it is known or plain.
    pub fn plain_target(&self, scope: &Scope<'_>, target: &Resolution) -> Option<Arc<ModuleData>> {
        let found = match (&target.path, &target.builtin) {
            (Some(path), _) if target.query.is_empty() => self.find(path, None),
            (None, Some(name)) => self.find(&format!("node:{name}"), None),
            _ => return None,
        };
        match found {
            Some(entry) => (!entry.is_requested).then_some(entry.module),
            None => self.compile_plain(scope, target.path.as_deref()?),
        }
    }
}

/// The modules that `Table::take_out` removed.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct RemovedModules(Vec<(String, Vec<Entry>)>);

impl RemovedModules {
    /// The paths of the files that they were made from.
    pub fn paths(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(name, _)| name.split('?').next().unwrap_or_default().to_owned())
    }
}

#[pymethods]
impl RemovedModules {
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name.as_str()).collect()
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<RemovedModules>(module)
}
