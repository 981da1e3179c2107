//! The files of a program that have been read, by path and requested loader: transformed text, targets of imports, data.
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rapidhash::RapidHashMap;

use super::graph::{GraphModule, GraphOptions, load};
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
    /// One target for each of `transformed.requests()`, in order; those of `require` and `import()` may be empty.
    pub targets: Vec<Resolution>,
    pub failure: Option<String>,
    pub data: Option<Vec<u8>>,
}

type Known = RapidHashMap<String, Vec<Arc<Record>>>;

/// Records of files that could be read; failures are not stored.
#[derive(Default)]
pub struct Records {
    by_path: Arc<Mutex<Known>>,
    /// The thread that reads a graph; every access to the records waits until it has ended.
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

    /// Reads a file and its imports; returns the records, that of the file first.
    pub fn read(
        &self,
        path: String,
        engine: Arc<Engine>,
        options: Arc<Options>,
        graph_options: GraphOptions,
    ) -> Result<Vec<Arc<Record>>, String> {
        let records: Vec<Arc<Record>> =
            load(vec![path], engine, options, graph_options)?.into_iter().map(Arc::new).collect();
        keep(self.lock(), &records);
        Ok(records)
    }

    /// Removes a file, whatever loader it was read with.
    pub fn forget(&self, path: &str) {
        self.lock().remove(path);
    }

    /// Begins to read a script and its imports on another thread. Returns false if no thread can be started.
    pub fn begin(&self, path: String, engine: Arc<Engine>, options: Arc<Options>) -> bool {
        if !has_spare_threads() {
            return false;
        }
        let by_path = self.by_path.clone();
        let read = move || {
            let graph_options = GraphOptions {
                loader: None,
                follow_require: false,
                as_script: true,
                trusting: true,
                resolves_all: false,
            };
            if let Ok(records) = load(vec![path], engine, options, graph_options) {
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

/// `Records` for Python.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct ModuleRecords(pub Arc<Records>);

/// Stores records: the first one replaces an older one of its file, the others only fill gaps.
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

    /// Reads a file and its imports; returns the records, that of the file first.
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
        let graph_options = GraphOptions { loader, follow_require: false, as_script, trusting, resolves_all };
        let (engine, options) = (resolver.engine.clone(), options.inner.clone());
        let read = py.detach(|| self.0.read(path, engine, options, graph_options));
        read.map(LoadedGraph).map_err(PyRuntimeError::new_err)
    }

    /// Begins to read a script and its imports on another thread. Returns False if no thread can be started.
    fn begin(&self, path: String, resolver: &Resolver, options: &TransformOptions) -> bool {
        self.0.begin(path, resolver.engine.clone(), options.inner.clone())
    }

    /// Removes a file, whatever loader it was read with.
    fn forget(&self, path: &str) {
        self.0.forget(path);
    }
}

/// The records of one graph, converted for Python one by one.
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
