//! The files of a program: what reading a graph has left of each, by path and the loader that was asked for.
//!
//! Kept in Rust, so that linking finds a module's text and targets without Python.
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rapidhash::RapidHashMap;

use super::graph::{Asked, GraphModule, load};
use crate::interpreter::class;
use crate::resolve::{Engine, Resolution, Resolver};
use crate::transform::{Options, TransformOptions, Transformed};
use crate::v8::{has_spare_threads, with_signals_blocked};

pub const JSON: &str = "json";

/// One file of a graph.
pub struct Record {
    pub path: String,
    pub loader: String,
    pub forced_loader: Option<String>,
    pub transformed: Option<Transformed>,
    /// One for each of `transformed.requests()`, in order; those of `require` and `import()` may say nothing.
    pub targets: Vec<Resolution>,
    pub failure: Option<String>,
    pub data: Option<Vec<u8>>,
}

impl Record {
    /// Whether the file is a module whose imports all lead to files, or to built-in modules; or CommonJS, or JSON.
    fn is_plain(&self) -> bool {
        let Some(text) = &self.transformed else { return self.loader == JSON };
        if !text.is_module {
            return text.is_whole();
        }
        let is_usual = |attributes: &HashMap<String, String>| {
            attributes.is_empty() || attributes.len() == 1 && attributes.get("type").is_some_and(|kind| kind == JSON)
        };
        text.is_plain_module()
            && text
                .requests()
                .iter()
                .zip(&self.targets)
                .filter(|(request, _)| matches!(request.kind, "import" | "export"))
                .all(|(request, target)| {
                    target.failure.is_none() && target.query.is_empty() && is_usual(&request.attributes)
                })
    }
}

type Known = RapidHashMap<String, Vec<Arc<Record>>>;

/// Records of files that could be read; a failure is not remembered.
#[derive(Default)]
pub struct Records {
    by_path: Arc<Mutex<Known>>,
    /// Reads a graph; whoever asks for a record waits until it has ended.
    reader: Mutex<Option<JoinHandle<()>>>,
    is_reading: AtomicBool,
}

impl Records {
    fn lock(&self) -> MutexGuard<'_, Known> {
        if self.is_reading.load(Ordering::Acquire) {
            let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = reader.take().map(JoinHandle::join);
            self.is_reading.store(false, Ordering::Release);
        }
        self.by_path.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn find(&self, path: &str, loader: Option<&str>) -> Option<Arc<Record>> {
        let known = self.lock();
        known.get(path)?.iter().find(|record| record.forced_loader.as_deref() == loader).cloned()
    }

    /// Whether the graph of `path` has been read and holds nothing but plain files and built-in modules.
    pub fn are_plain(&self, path: &str) -> bool {
        let known = self.lock();
        known.contains_key(path) && known.values().flatten().all(|record| record.is_plain())
    }

    /// Read a file and all it imports; the records, that of the file first.
    pub fn read(
        &self,
        path: String,
        engine: Arc<Engine>,
        options: Arc<Options>,
        asked: Asked,
    ) -> Result<Vec<Arc<Record>>, String> {
        let records: Vec<Arc<Record>> = load(vec![path], engine, options, asked)?.into_iter().map(Arc::new).collect();
        keep(self.lock(), &records);
        Ok(records)
    }

    /// Begin to read a script and all it imports, on a thread of its own; false where there is none to be had.
    pub fn begin(&self, path: String, engine: Arc<Engine>, options: Arc<Options>) -> bool {
        if !has_spare_threads() {
            return false;
        }
        let by_path = self.by_path.clone();
        let read = move || {
            let asked =
                Asked { loader: None, follow_require: false, as_script: true, trusting: true, resolves_all: false };
            if let Ok(records) = load(vec![path], engine, options, asked) {
                let records: Vec<Arc<Record>> = records.into_iter().map(Arc::new).collect();
                keep(by_path.lock().unwrap_or_else(PoisonError::into_inner), &records);
            }
        };
        let thread = with_signals_blocked(|| thread::Builder::new().name("rt-reader".into()).spawn(read));
        let Ok(thread) = thread else { return false };
        *self.reader.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        self.is_reading.store(true, Ordering::Release);
        true
    }
}

/// `Records`, as Python sees them.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct ModuleRecords(pub Arc<Records>);

/// Keep what was read: the first record for what is known of its file, the others only of files that nobody knows.
fn keep(mut known: MutexGuard<'_, Known>, records: &[Arc<Record>]) {
    for (index, record) in records.iter().enumerate().filter(|(_, record)| record.failure.is_none()) {
        let same = known.entry(record.path.clone()).or_default();
        match same.iter_mut().find(|each| each.forced_loader == record.forced_loader) {
            None => same.push(record.clone()),
            Some(place) if index == 0 => *place = record.clone(),
            Some(_) => {}
        }
    }
}

#[pymethods]
impl ModuleRecords {
    #[new]
    fn new() -> Self {
        Self(Arc::default())
    }

    #[pyo3(signature = (path, loader = None))]
    fn get(&self, path: &str, loader: Option<&str>) -> Option<GraphModule> {
        self.0.find(path, loader).map(GraphModule)
    }

    /// Read a file and all it imports; the records that are new, that of the file first.
    #[pyo3(signature = (path, resolver, options, *, loader = None, as_script = false, trusting = false, resolves_all = false))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn load(
        &self,
        py: Python<'_>,
        path: String,
        resolver: &Resolver,
        options: &TransformOptions,
        loader: Option<String>,
        as_script: bool,
        trusting: bool,
        resolves_all: bool,
    ) -> PyResult<LoadedGraph> {
        let asked = Asked { loader, follow_require: false, as_script, trusting, resolves_all };
        let (engine, options) = (resolver.engine.clone(), options.inner.clone());
        let read = py.detach(|| self.0.read(path, engine, options, asked));
        read.map(LoadedGraph).map_err(PyRuntimeError::new_err)
    }

    /// Begin to read a script and all it imports, on a thread of its own; False where there is none to be had.
    fn begin(&self, path: String, resolver: &Resolver, options: &TransformOptions) -> bool {
        self.0.begin(path, resolver.engine.clone(), options.inner.clone())
    }

    /// Forget a file, whatever loader it was read with.
    fn forget(&self, path: &str) {
        self.0.lock().remove(path);
    }
}

/// The records of one reading, made for Python one by one.
#[pyclass(frozen, sequence, module = "rt_supervisor._native")]
pub struct LoadedGraph(Vec<Arc<Record>>);

#[pymethods]
impl LoadedGraph {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, index: usize) -> PyResult<GraphModule> {
        let record = self.0.get(index).cloned();
        record.map(GraphModule).ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("no such record"))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<ModuleRecords>(module)?;
    class::<LoadedGraph>(module)
}
