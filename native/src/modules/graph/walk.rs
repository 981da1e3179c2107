//! Reads, transforms and resolves files on a few threads, breadth first, each once.
use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

use rapidhash::{RapidHashMap, RapidHashSet};

use crate::files::permission::may_load;
use crate::files::regular;
use crate::resolve::{Engine, Kind, Resolution, folder_of};
use crate::transform::{Loader, ModuleRequest, Options, Request, Transformed, deep, extension, source_from_bytes};

/// More threads would only wait for each other's files.
const MOST_THREADS: usize = 4;
/// The most files that a thread takes from the queue at once.
const LARGEST_SHARE: usize = 16;
/// The imports of a file are queued in batches of this size, so that the first are read while the next are resolved.
const BATCH_SIZE: usize = 64;
/// The longest string that the engine supports.
const LARGEST_FILE: u64 = 512 << 20;
/// The loader of a file that is not read, only its name is used.
const FILE: &str = "file";
const NOT_REGULAR: &str = "not a regular file";

/// The result of loading a file.
pub struct Loaded {
    pub loader: String,
    pub transformed: Option<Transformed>,
    pub targets: Vec<Resolution>,
    pub failure: Option<String>,
    pub data: Option<Vec<u8>>,
}

/// A file, and the loader that its importer requires (`with { type: "text" }`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Job {
    pub path: String,
    pub loader: Option<String>,
}

/// The result of each file.
pub type Done = RapidHashMap<Job, Loaded>;

#[derive(Default)]
pub struct State {
    queue: VecDeque<Job>,
    seen: RapidHashSet<Job>,
    pub done: Done,
    busy: usize,
    waiting: usize,
    threads: usize,
}

pub struct Graph {
    engine: Arc<Engine>,
    options: Arc<Options>,
    follows_require: bool,
    /// Large files of packages may be assumed to be CommonJS without parsing.
    trusts: bool,
    /// Also resolve requests that are only made at run time.
    resolves_all: bool,
    /// Files that are scripts whatever their extension.
    scripts: HashSet<String>,
    state: Mutex<State>,
    /// Notified when there is more work, and when all work is done.
    changed: Condvar,
    /// The content of the only entry, if it has been read already.
    entry: Mutex<Option<Vec<u8>>>,
    has_entry: AtomicBool,
}

impl State {
    fn want(&mut self, jobs: Vec<Job>) {
        for job in jobs {
            if self.seen.insert(job.clone()) {
                self.queue.push_back(job);
            }
        }
    }
}

impl Graph {
    pub fn new(
        engine: Arc<Engine>,
        options: Arc<Options>,
        follows_require: bool,
        trusts: bool,
        resolves_all: bool,
        scripts: HashSet<String>,
    ) -> Self {
        Self {
            engine,
            options,
            follows_require,
            trusts,
            resolves_all: resolves_all || follows_require,
            scripts,
            state: Mutex::default(),
            changed: Condvar::new(),
            entry: Mutex::default(),
            has_entry: AtomicBool::new(false),
        }
    }

    /// Loads everything that the entries lead to, in an order that does not depend on the threads.
    pub fn load_all(&self, entries: Vec<Job>) -> Result<Vec<(Job, Loaded)>, String> {
        let _folders = self.engine.watch_folders();
        self.want(entries.clone());
        // A program of one small file needs no other thread.
        if let [job] = entries.as_slice()
            && self.loader_of(job) != FILE
            && let Ok(bytes) = self.read(&job.path)
        {
            if deep::is_shallow(&bytes) {
                self.lock().queue.clear();
                let loaded = self.load_bytes(job, bytes, &mut |_| {});
                self.want(self.imported_files(&loaded));
                self.lock().done.insert(job.clone(), loaded);
                if self.lock().queue.is_empty() {
                    return Ok(self.in_order(entries));
                }
            } else {
                // A pipe can only be read once.
                *self.entry.lock().unwrap_or_else(PoisonError::into_inner) = Some(bytes);
                self.has_entry.store(true, Ordering::Release);
            }
        }
        self.lock().threads = 1;
        deep::run(|| {
            thread::scope(|scope| self.work(scope));
            self.erase_types();
            self.share_namespaces();
            self.in_order(entries)
        })
    }

    fn want(&self, jobs: Vec<Job>) {
        self.lock().want(jobs);
    }

    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The work of one thread: a few files at a time, so that threads rarely contend for the lock.
    fn work<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let mut batch: Vec<Job> = Vec::new();
        loop {
            let mut state = self.lock();
            while state.queue.is_empty() {
                if state.busy == 0 {
                    self.changed.notify_all();
                    return;
                }
                state.waiting += 1;
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.waiting -= 1;
            }
            let share = (state.queue.len() / (2 * MOST_THREADS)).clamp(1, LARGEST_SHARE);
            batch.extend(state.queue.drain(..share));
            state.busy += 1;
            self.call_for_help(state, scope);
            let mut loaded = Vec::with_capacity(batch.len());
            for job in batch.drain(..) {
                let each = self.load(&job, &mut |jobs| {
                    let mut state = self.lock();
                    state.want(jobs);
                    self.call_for_help(state, scope);
                });
                loaded.push((job, self.imported_files(&each), each));
            }
            let mut state = self.lock();
            for (job, wanted, each) in loaded {
                state.want(wanted);
                state.done.insert(job, each);
            }
            state.busy -= 1;
        }
    }

    /// Makes another thread take files from the queue: a waiting one, or a new one.
    fn call_for_help<'scope>(&'scope self, mut state: MutexGuard<'_, State>, scope: &'scope Scope<'scope, '_>) {
        if state.queue.is_empty() {
            return;
        }
        if state.waiting > 0 {
            self.changed.notify_one();
        } else if state.threads < MOST_THREADS {
            state.threads += 1;
            self.start_thread(scope);
        }
    }

    fn start_thread<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let builder = thread::Builder::new().name("rt-graph".to_string()).stack_size(deep::STACK_BYTES);
        // If no thread can be started, the running ones do its work. It stays counted, so that starting is not retried.
        let _ = builder.spawn_scoped(scope, || self.work(scope));
    }

    fn loader_of(&self, job: &Job) -> String {
        let unclaimed = || {
            let is_script = extension(&job.path).is_empty() || self.scripts.contains(&job.path);
            if is_script { "tsx" } else { FILE }
        };
        let by_path = || self.options.loader_name(&job.path).unwrap_or_else(unclaimed);
        job.loader.as_deref().unwrap_or_else(by_path).to_string()
    }

    /// `report` receives the imports of a file, as they are found.
    fn load(&self, job: &Job, report: &mut dyn FnMut(Vec<Job>)) -> Loaded {
        let loader = self.loader_of(job);
        let nothing =
            |failure| Loaded { loader: loader.clone(), transformed: None, targets: Vec::new(), failure, data: None };
        if loader == FILE {
            return nothing(None);
        }
        let entry = self.has_entry.swap(false, Ordering::AcqRel);
        let entry = entry.then(|| self.entry.lock().unwrap_or_else(PoisonError::into_inner).take()).flatten();
        match entry.map_or_else(|| self.read(&job.path), Ok) {
            Ok(bytes) => self.load_bytes(job, bytes, report),
            Err(failure) => nothing(Some(failure)),
        }
    }

    /// Reads a file. Does not wait for a pipe or a device, unless a pipe is the script to run.
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if !may_load(path.as_bytes()) {
            return Err("access denied".to_string());
        }
        let is_script = self.scripts.contains(path);
        if is_script && std::fs::metadata(path).is_ok_and(|about| about.file_type().is_fifo()) {
            return std::fs::read(path).map_err(|error| read_failure(&error));
        }
        read_regular(path)
    }

    fn load_bytes(&self, job: &Job, bytes: Vec<u8>, report: &mut dyn FnMut(Vec<Job>)) -> Loaded {
        let loader = self.loader_of(job);
        if Loader::named(&loader) == Some(Loader::Data) {
            return Loaded { loader, transformed: None, targets: Vec::new(), failure: None, data: Some(bytes) };
        }
        let folder = folder_of(&job.path);
        let config = self.engine.tsconfig_for(folder).map(|config| config.emit.clone()).unwrap_or_default();
        let request = Request {
            path: job.path.clone(),
            loader: Some(loader.clone()),
            config,
            package_is_module: self.engine.package_is_module(folder),
            ..Request::default()
        };
        let make = if self.trusts { Transformed::trusting } else { Transformed::new };
        let transformed = make(source_from_bytes(bytes), Arc::new(request), self.options.clone());
        let mut targets = Vec::with_capacity(transformed.requests().len());
        for requests in transformed.requests().chunks(BATCH_SIZE) {
            let from = targets.len();
            targets.extend(requests.iter().map(|request| self.resolve(request, folder)));
            if transformed.requests().len() > BATCH_SIZE {
                report(self.leads_to(requests, &targets[from..]));
            }
        }
        Loaded { loader, transformed: Some(transformed), targets, failure: None, data: None }
    }

    /// Resolves a request, unless it only matters at run time.
    pub fn resolve(&self, request: &ModuleRequest, folder: &Path) -> Resolution {
        if !self.resolves_all && !matches!(request.kind, "import" | "export") {
            return Resolution::default();
        }
        let kind = if matches!(request.kind, "require" | "resolve") { Kind::Require } else { Kind::Import };
        self.engine.resolve(&request.specifier, folder, kind)
    }

    /// The files that a loaded one imports.
    fn imported_files(&self, loaded: &Loaded) -> Vec<Job> {
        let Some(transformed) = &loaded.transformed else { return Vec::new() };
        self.leads_to(transformed.requests(), &loaded.targets)
    }

    fn leads_to(&self, requests: &[ModuleRequest], targets: &[Resolution]) -> Vec<Job> {
        let requests = requests.iter().zip(targets);
        requests
            .filter(|(request, _)| match request.kind {
                "import" | "export" => true,
                "require" => self.follows_require,
                _ => false,
            })
            .filter_map(|(request, target)| job_of(request, target))
            .collect()
    }

    /// All results, breadth first from the entries, independent of the order in which threads finished.
    fn in_order(&self, entries: Vec<Job>) -> Vec<(Job, Loaded)> {
        let mut done = std::mem::take(&mut self.lock().done);
        let mut queue: VecDeque<Job> = entries.into();
        let mut ordered = Vec::with_capacity(done.len());
        while let Some(job) = queue.pop_front() {
            if let Some(loaded) = done.remove(&job) {
                queue.extend(self.imported_files(&loaded));
                ordered.push((job, loaded));
            }
        }
        ordered
    }
}

/// The file that a request leads to.
pub fn job_of(request: &ModuleRequest, target: &Resolution) -> Option<Job> {
    Some(Job { path: target.path.clone()?, loader: requested_loader(request) })
}

/// The loader that a request's attributes require.
pub fn requested_loader(request: &ModuleRequest) -> Option<String> {
    request.attributes.get("type").filter(|name| Loader::named(name).is_some()).cloned()
}

fn read_regular(path: &str) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| read_failure(&error);
    let mut file = match regular::open(Path::new(path)) {
        Err(error) if error.raw_os_error() == Some(libc::ENXIO) => return Err(NOT_REGULAR.to_string()), // a socket
        opened => opened.map_err(failed)?,
    };
    let about = file.metadata().map_err(failed)?;
    if !about.is_file() && !about.is_dir() {
        return Err(NOT_REGULAR.to_string());
    }
    if about.len() > LARGEST_FILE {
        return Err("larger than 512 MiB".to_string());
    }
    read_sized(&mut file, about.len()).map_err(failed)
}

/// Reads a file of about `size` bytes.
fn read_sized(file: &mut File, size: u64) -> std::io::Result<Vec<u8>> {
    // With a spare byte, one read is enough: a short read of a regular file means its end.
    let mut bytes = vec![0; usize::try_from(size).unwrap_or(0).saturating_add(1)];
    let length = loop {
        match file.read(&mut bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => break read?,
        }
    };
    bytes.truncate(length);
    if length as u64 != size {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn read_failure(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "no such file".to_string(),
        ErrorKind::PermissionDenied => "permission denied".to_string(),
        ErrorKind::IsADirectory => "is a directory".to_string(),
        _ => error.to_string(),
    }
}
