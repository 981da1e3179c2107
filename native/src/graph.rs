//! Many modules at once: read, transformed and resolved off the GIL by a few threads.
//!
//! Starting from entry files it follows static imports (and, when asked, literal `require` calls) breadth
//! first, each file once. A syntax tree lives only as long as its file is worked on. What a module asks for
//! and does not get is told in its record; nothing here fails as a whole.
use std::collections::{HashMap, HashSet, VecDeque};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::resolve::{Engine, Kind, Resolution, Resolver, folder_of};
use crate::transform::{
    Loader, ModuleRequest, Options, Request, TransformOptions, Transformed, deep, source_from_bytes,
};

/// More threads than this wait for each other's files.
const MOST_THREADS: usize = 4;
/// How many modules a type may be passed on through.
const LONGEST_CHAIN: usize = 16;

/// One file of the graph.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct GraphModule {
    #[pyo3(get)]
    path: String,
    #[pyo3(get)]
    loader: String,
    #[pyo3(get)]
    transformed: Option<Py<Transformed>>,
    /// One for each of `transformed.requests`, in order.
    #[pyo3(get)]
    targets: Vec<Resolution>,
    #[pyo3(get)]
    failure: Option<String>,
    data: Option<Vec<u8>>,
}

#[pymethods]
impl GraphModule {
    /// The bytes of a file that is no script.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.data.as_ref().map(|data| PyBytes::new(py, data))
    }

    fn __repr__(&self) -> String {
        format!("GraphModule({:?}, loader={:?}, failure={:?})", self.path, self.loader, self.failure)
    }
}

/// What a thread leaves of a file.
struct Loaded {
    loader: String,
    transformed: Option<Transformed>,
    targets: Vec<Resolution>,
    failure: Option<String>,
    data: Option<Vec<u8>>,
}

/// A file, and the loader its importer insists on (`with { type: "text" }`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Job {
    path: String,
    loader: Option<String>,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Job>,
    seen: HashSet<Job>,
    done: HashMap<Job, Loaded>,
    busy: usize,
    threads: usize,
}

struct Graph {
    engine: Arc<Engine>,
    options: Arc<Options>,
    follows_require: bool,
    state: Mutex<State>,
    changed: Condvar,
}

impl Graph {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One thread's share; it starts another one when there is more to do than it can.
    fn work<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        loop {
            let mut state = self.lock();
            let job = loop {
                if let Some(job) = state.queue.pop_front() {
                    break job;
                }
                if state.busy == 0 {
                    self.changed.notify_all();
                    return;
                }
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            };
            state.busy += 1;
            if !state.queue.is_empty() && state.threads < MOST_THREADS {
                state.threads += 1;
                self.start_thread(scope);
            }
            drop(state);
            let loaded = self.load(&job);
            let wanted = self.wanted(&loaded);
            let mut state = self.lock();
            for job in wanted {
                if state.seen.insert(job.clone()) {
                    state.queue.push_back(job);
                }
            }
            state.done.insert(job, loaded);
            state.busy -= 1;
            self.changed.notify_all();
        }
    }

    fn start_thread<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let builder = thread::Builder::new().name("rt-graph".to_string()).stack_size(deep::STACK_BYTES);
        // Without room for another one those that run do its share; it stays counted, so nobody tries again.
        let _ = builder.spawn_scoped(scope, || self.work(scope));
    }

    fn load(&self, job: &Job) -> Loaded {
        let by_path = self.options.loader_name(&job.path);
        let loader = job.loader.as_deref().or(by_path).unwrap_or("jsx").to_string();
        let failed = |failure: String| Loaded {
            loader: loader.clone(),
            transformed: None,
            targets: Vec::new(),
            failure: Some(failure),
            data: None,
        };
        let bytes = match std::fs::read(&job.path) {
            Ok(bytes) => bytes,
            Err(error) => return failed(read_failure(&error)),
        };
        if Loader::named(&loader) == Some(Loader::Data) {
            return Loaded { loader, transformed: None, targets: Vec::new(), failure: None, data: Some(bytes) };
        }
        let folder = folder_of(&job.path);
        let config = self.engine.tsconfig_for(folder).map(|config| config.emit.clone()).unwrap_or_default();
        let request = Request {
            path: job.path.clone(),
            loader: job.loader.clone(),
            config,
            package_is_module: self.engine.package_is_module(folder),
            ..Request::default()
        };
        let transformed = Transformed::new(source_from_bytes(bytes), Arc::new(request), self.options.clone());
        let targets = transformed.requests().iter().map(|request| self.resolve(request, folder)).collect();
        Loaded { loader, transformed: Some(transformed), targets, failure: None, data: None }
    }

    fn resolve(&self, request: &ModuleRequest, folder: &Path) -> Resolution {
        let kind = if matches!(request.kind, "require" | "resolve") { Kind::Require } else { Kind::Import };
        self.engine.resolve(&request.specifier, folder, kind)
    }

    /// The files a loaded one leads to.
    fn wanted(&self, loaded: &Loaded) -> Vec<Job> {
        let Some(transformed) = &loaded.transformed else { return Vec::new() };
        let requests = transformed.requests().iter().zip(&loaded.targets);
        requests
            .filter(|(request, _)| match request.kind {
                "import" | "export" => true,
                "require" => self.follows_require,
                _ => false,
            })
            .filter_map(|(request, target)| {
                let loader = request.attributes.get("type").filter(|name| Loader::named(name).is_some()).cloned();
                Some(Job { path: target.path.clone()?, loader })
            })
            .collect()
    }

    /// Transforms anew the TypeScript modules that pass on what other TypeScript modules do not have: types.
    fn erase_types(&self) {
        let mut done = std::mem::take(&mut self.lock().done);
        // What one module passes on another may pass on too: a few rounds reach the end of every chain.
        for _ in 0..LONGEST_CHAIN {
            let erased: Vec<(Job, Vec<(String, String)>)> =
                done.iter().filter_map(|(job, loaded)| Some((job.clone(), types_passed_on(loaded, &done)?))).collect();
            if erased.is_empty() {
                break;
            }
            for (job, imports) in erased {
                let transformed = done.get(&job).and_then(|loaded| loaded.transformed.as_ref());
                let Some(transformed) = transformed.map(|transformed| transformed.without(imports)) else { continue };
                let folder = folder_of(&job.path);
                let targets = transformed.requests().iter().map(|request| self.resolve(request, folder)).collect();
                if let Some(loaded) = done.get_mut(&job) {
                    loaded.transformed = Some(transformed);
                    loaded.targets = targets;
                }
            }
        }
        self.lock().done = done;
    }

    /// All that was loaded, breadth first from the entries, whatever order the threads took.
    fn in_order(&self, entries: Vec<Job>) -> Vec<(Job, Loaded)> {
        let mut done = std::mem::take(&mut self.lock().done);
        let mut queue: VecDeque<Job> = entries.into();
        let mut ordered = Vec::with_capacity(done.len());
        while let Some(job) = queue.pop_front() {
            if let Some(loaded) = done.remove(&job) {
                queue.extend(self.wanted(&loaded));
                ordered.push((job, loaded));
            }
        }
        ordered
    }
}

/// The imports that a module exports again although their TypeScript modules do not export them.
fn types_passed_on(loaded: &Loaded, done: &HashMap<Job, Loaded>) -> Option<Vec<(String, String)>> {
    let transformed = loaded.transformed.as_ref().filter(|_| is_typescript(loaded))?;
    let mut missing = Vec::new();
    for (specifier, name) in transformed.survey.passed_on() {
        let target = transformed.requests().iter().zip(&loaded.targets);
        let target = target.filter(|(request, _)| request.specifier == specifier).find_map(|(_, to)| to.path.clone());
        let Some(path) = target else { continue };
        if exports_name(&Job { path, loader: None }, &name, done, 0) == Some(false) {
            missing.push((specifier, name));
        }
    }
    (!missing.is_empty()).then_some(missing)
}

/// Whether a TypeScript module exports a name; None when that cannot be told.
fn exports_name(job: &Job, name: &str, done: &HashMap<Job, Loaded>, depth: usize) -> Option<bool> {
    let loaded = done.get(job).filter(|loaded| is_typescript(loaded) && depth < LONGEST_CHAIN)?;
    let transformed = loaded.transformed.as_ref().filter(|transformed| transformed.is_module)?;
    if transformed.survey.exported.iter().any(|known| known == name) {
        return Some(true);
    }
    for star in &transformed.survey.star_exports {
        let requests = transformed.requests().iter().zip(&loaded.targets);
        let target = requests.filter(|(request, _)| request.specifier == *star).find_map(|(_, to)| to.path.clone());
        if exports_name(&Job { path: target?, loader: None }, name, done, depth + 1)? {
            return Some(true);
        }
    }
    Some(false)
}

fn is_typescript(loaded: &Loaded) -> bool {
    Loader::named(&loaded.loader).is_some_and(Loader::is_typescript)
}

fn read_failure(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "no such file".to_string(),
        ErrorKind::PermissionDenied => "permission denied".to_string(),
        ErrorKind::IsADirectory => "is a directory".to_string(),
        _ => error.to_string(),
    }
}

#[pyfunction]
#[pyo3(signature = (entries, resolver, options, *, follow_require = false))]
fn load_graph(
    py: Python<'_>,
    entries: Vec<String>,
    resolver: &Resolver,
    options: &TransformOptions,
    follow_require: bool,
) -> PyResult<Vec<GraphModule>> {
    let graph = Graph {
        engine: resolver.engine.clone(),
        options: options.inner.clone(),
        follows_require: follow_require,
        state: Mutex::default(),
        changed: Condvar::new(),
    };
    let jobs: Vec<Job> = entries.into_iter().map(|path| Job { path, loader: None }).collect();
    let loaded = py.detach(|| {
        {
            let mut state = graph.lock();
            let unique: Vec<Job> = jobs.iter().filter(|job| state.seen.insert((*job).clone())).cloned().collect();
            state.queue.extend(unique);
            state.threads = 1;
        }
        let run = || {
            thread::scope(|scope| graph.work(scope));
            graph.erase_types();
            graph.in_order(jobs)
        };
        deep::run(run)
    });
    let loaded = loaded.map_err(pyo3::exceptions::PyRuntimeError::new_err)?;
    loaded
        .into_iter()
        .map(|(job, loaded)| {
            let Loaded { loader, transformed, targets, failure, data } = loaded;
            let transformed = transformed.map(|transformed| Py::new(py, transformed)).transpose()?;
            Ok(GraphModule { path: job.path, loader, transformed, targets, failure, data })
        })
        .collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GraphModule>()?;
    module.add_function(wrap_pyfunction!(load_graph, module)?)
}
