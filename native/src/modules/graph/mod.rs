//! Loads many modules at once: reads, transforms and resolves them on a few threads, without the GIL.
//!
//! Starting from entry files, `walk` follows static imports (and, on request, literal `require` calls) breadth first, each
//! file once. A syntax tree lives only while its file is processed. An import that does not resolve is recorded; the graph as a
//! whole never fails.
mod passed_on;
mod shared_namespaces;
mod walk;

use std::collections::HashSet;
use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::records::Record;
use crate::interpreter::class;
use crate::resolve::{Engine, Resolution, Resolver};
use crate::transform::{Options, TransformOptions, Transformed};
use walk::{Graph, Job, Loaded};

/// One file of the graph.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct GraphModule(pub Arc<Record>);

#[pymethods]
impl GraphModule {
    #[getter]
    fn path(&self) -> &str {
        &self.0.path
    }

    #[getter]
    fn loader(&self) -> &str {
        &self.0.loader
    }

    #[getter]
    fn forced_loader(&self) -> Option<&str> {
        self.0.forced_loader.as_deref()
    }

    #[getter]
    fn transformed(&self) -> Option<Transformed> {
        self.0.transformed.clone()
    }

    /// One target for each of `transformed.requests`, in order.
    #[getter]
    fn targets(&self) -> Vec<Resolution> {
        self.0.targets.clone()
    }

    #[getter]
    fn failure(&self) -> Option<&str> {
        self.0.failure.as_deref()
    }

    /// The contents of a file that is not a script.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.0.data.as_ref().map(|data| PyBytes::new(py, data))
    }

    fn __repr__(&self) -> String {
        let Record { path, loader, failure, .. } = &*self.0;
        format!("GraphModule({path:?}, loader={loader:?}, failure={failure:?})")
    }
}

#[pyfunction]
#[pyo3(signature = (entries, resolver, options, *, loader = None, follow_require = false, as_script = false, trusting = false))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments")]
fn load_graph(
    py: Python<'_>,
    entries: Vec<String>,
    resolver: &Resolver,
    options: &TransformOptions,
    loader: Option<String>,
    follow_require: bool,
    as_script: bool,
    trusting: bool,
) -> PyResult<Vec<GraphModule>> {
    let graph_options = GraphOptions { loader, follow_require, as_script, trusting, resolves_all: true };
    let (engine, options) = (resolver.engine.clone(), options.inner.clone());
    let loaded = py.detach(|| load(entries, engine, options, graph_options)).map_err(PyRuntimeError::new_err)?;
    Ok(loaded.into_iter().map(|record| GraphModule(Arc::new(record))).collect())
}

/// The options for reading a graph.
pub struct GraphOptions {
    pub loader: Option<String>,
    pub follow_require: bool,
    pub as_script: bool,
    pub trusting: bool,
    /// Also resolve `require` and `import()`.
    pub resolves_all: bool,
}

/// Loads everything reachable from the entries; does not need the GIL.
pub fn load(
    entries: Vec<String>,
    engine: Arc<Engine>,
    options: Arc<Options>,
    graph_options: GraphOptions,
) -> Result<Vec<Record>, String> {
    let GraphOptions { loader, follow_require, as_script, trusting, resolves_all } = graph_options;
    let scripts = if as_script { entries.iter().cloned().collect() } else { HashSet::new() };
    // The `require` calls of an unparsed file are unknown.
    let trusts = trusting && !follow_require;
    let graph = Graph::new(engine, options, follow_require, trusts, resolves_all, scripts);
    let loaded = graph.load_all(entries.into_iter().map(|path| Job { path, loader: loader.clone() }).collect())?;
    let record = |(job, loaded): (Job, Loaded)| {
        let Loaded { loader, transformed, targets, failure, data } = loaded;
        Record { path: job.path, loader, forced_loader: job.loader, transformed, targets, failure, data }
    };
    Ok(loaded.into_iter().map(record).collect())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<GraphModule>(module)?;
    module.add_function(wrap_pyfunction!(load_graph, module)?)
}
