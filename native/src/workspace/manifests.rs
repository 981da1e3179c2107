//! Reads package.json files: the fields that rt needs, or the place and the reason of an error.
//!
//! Files are opened without blocking (a FIFO is refused), and many are read in parallel without the GIL.
//! `manifest_text.rs` parses the text.
use rt_guardian::system::error_text;
use std::ffi::OsStr;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::files::regular::contents;
use crate::interpreter::class;
use crate::workspace::manifest_text::{Fields, Misread, Pairs, parse};

/// Fewer files are read faster than threads start.
const FILES_PER_THREAD: usize = 64;
const MOST_THREADS: usize = 4;

/// The fields of a manifest in the order of `Fields`, in types that Python's `marshal` can store.
type Plain = (Option<String>, Option<String>, Option<String>, Pairs, Pairs, Vec<String>, Pairs, Option<Vec<String>>);

/// A package.json that was read. `folder` is the part of `path` before the file name.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct Manifest {
    path: PathBuf,
    fields: Fields,
}

#[pymethods]
impl Manifest {
    #[new]
    fn new(path: PathBuf, fields: Plain) -> Self {
        let (name, version, main, scripts, config, dependencies, ranges, workspaces) = fields;
        Self { path, fields: Fields { name, version, main, scripts, config, dependencies, ranges, workspaces } }
    }

    /// The arguments of the constructor.
    fn plain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Fields { name, version, main, scripts, config, dependencies, ranges, workspaces } = &self.fields;
        let (scripts, config, ranges) = (scripts.clone(), config.clone(), ranges.clone());
        let fields = (name, version, main, scripts, config, dependencies, ranges, workspaces);
        (self.path.as_os_str(), fields).into_pyobject(py)
    }

    #[getter]
    fn path(&self) -> &OsStr {
        self.path.as_os_str()
    }

    #[getter]
    fn folder(&self) -> &OsStr {
        self.path.parent().unwrap_or(Path::new("/")).as_os_str()
    }

    #[getter]
    fn name(&self) -> Option<&str> {
        self.fields.name.as_deref()
    }

    #[getter]
    fn version(&self) -> Option<&str> {
        self.fields.version.as_deref()
    }

    #[getter]
    fn main(&self) -> Option<&str> {
        self.fields.main.as_deref()
    }

    #[getter]
    fn scripts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &self.fields.scripts)
    }

    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &self.fields.config)
    }

    #[getter]
    fn dependencies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.fields.dependencies)
    }

    #[getter]
    fn ranges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &self.fields.ranges)
    }

    #[getter]
    fn workspaces<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.fields.workspaces.as_ref().map(|patterns| PyTuple::new(py, patterns)).transpose()
    }

    fn script(&self, name: &str) -> Option<&str> {
        self.fields.scripts.iter().find(|(key, _)| key == name).map(|(_, command)| command.as_str())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.path == other.path && self.fields == other.fields
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.path.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("Manifest({:?}, name={:?})", self.path, self.fields.name)
    }
}

fn dictionary<'py>(py: Python<'py>, pairs: &Pairs) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    for (key, value) in pairs {
        result.set_item(key, value)?;
    }
    Ok(result)
}

/// A package.json that could not be read. `line` and `column` are 1-based; 0 if the error has no position.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct ManifestProblem {
    path: PathBuf,
    #[pyo3(get)]
    line: usize,
    #[pyo3(get)]
    column: usize,
    #[pyo3(get)]
    reason: String,
    #[pyo3(get)]
    missing: bool,
}

#[pymethods]
impl ManifestProblem {
    #[getter]
    fn path(&self) -> &OsStr {
        self.path.as_os_str()
    }

    fn __str__(&self) -> String {
        self.to_string()
    }

    fn __repr__(&self) -> String {
        format!("ManifestProblem({self})")
    }
}

impl fmt::Display for ManifestProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(out, "{}: {}", self.path.display(), self.reason),
            line => write!(out, "{}:{line}:{}: {}", self.path.display(), self.column, self.reason),
        }
    }
}

impl ManifestProblem {
    pub fn about(path: PathBuf, reason: String) -> Self {
        Self { path, line: 0, column: 0, reason, missing: false }
    }

    pub fn is_missing(&self) -> bool {
        self.missing
    }
}

pub type Reading = Result<Manifest, ManifestProblem>;

/// Reads `paths`; returns one result for each, in their order.
#[pyfunction]
fn read_manifests<'py>(py: Python<'py>, paths: Vec<PathBuf>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let readings = py.detach(|| read_all(paths));
    readings
        .into_iter()
        .map(|reading| match reading {
            Ok(manifest) => Ok(Bound::new(py, manifest)?.into_any()),
            Err(problem) => Ok(Bound::new(py, problem)?.into_any()),
        })
        .collect()
}

/// `read_manifests` without Python.
pub fn read_all(paths: Vec<PathBuf>) -> Vec<Reading> {
    let threads = (paths.len() / FILES_PER_THREAD).clamp(1, MOST_THREADS);
    if threads == 1 {
        return paths.into_iter().map(read).collect();
    }
    let share = paths.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let read_chunk = |chunk: &[PathBuf]| chunk.iter().cloned().map(read).collect::<Vec<_>>();
        let workers: Vec<_> = paths
            .chunks(share)
            .map(|chunk| {
                let thread = std::thread::Builder::new();
                thread.spawn_scoped(scope, move || read_chunk(chunk)).map_err(|_| read_chunk(chunk))
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| match worker {
                Ok(worker) => worker.join().expect("a reader does not panic"),
                Err(read_here) => read_here, // no thread is available
            })
            .collect()
    })
}

fn read(path: PathBuf) -> Reading {
    match contents(&path) {
        Err(error) => {
            use std::io::ErrorKind::{NotADirectory, NotFound};
            let missing = matches!(error.kind(), NotFound | NotADirectory);
            let reason = error_text(&error);
            Err(ManifestProblem { path, line: 0, column: 0, reason, missing })
        }
        Ok(bytes) => match parse(&bytes) {
            Ok(fields) => Ok(Manifest { path, fields }),
            Err(Misread { line, column, reason }) => {
                Err(ManifestProblem { path, line, column, reason, missing: false })
            }
        },
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<Manifest>(module)?;
    class::<ManifestProblem>(module)?;
    module.add_function(wrap_pyfunction!(read_manifests, module)?)
}
