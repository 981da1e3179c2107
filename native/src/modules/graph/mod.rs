//! Many modules at once: read, transformed and resolved off the GIL by a few threads.
//!
//! Starting from entry files `walk` follows static imports (and, when asked, literal `require` calls) breadth
//! first, each file once. A syntax tree lives only as long as its file is worked on. What a module asks for
//! and does not get is told in its record; nothing here fails as a whole.
mod passed_on;
mod walk;

use std::collections::HashSet;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::resolve::{Resolution, Resolver};
use crate::transform::{TransformOptions, Transformed};
use walk::{Graph, Job, Loaded};

/// One file of the graph.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct GraphModule {
    #[pyo3(get)]
    path: String,
    #[pyo3(get)]
    loader: String,
    #[pyo3(get)]
    forced_loader: Option<String>,
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
    let scripts = if as_script { entries.iter().cloned().collect() } else { HashSet::new() };
    // What is required by a file that nobody parsed is not known.
    let trusts = trusting && !follow_require;
    let graph = Graph::new(resolver.engine.clone(), options.inner.clone(), follow_require, trusts, scripts);
    let entries = entries.into_iter().map(|path| Job { path, loader: loader.clone() }).collect();
    let loaded = py.detach(|| graph.load_all(entries));
    let loaded = loaded.map_err(pyo3::exceptions::PyRuntimeError::new_err)?;
    loaded
        .into_iter()
        .map(|(job, loaded)| {
            let Loaded { loader, transformed, targets, failure, data } = loaded;
            let transformed = transformed.map(|transformed| Py::new(py, transformed)).transpose()?;
            Ok(GraphModule { path: job.path, loader, forced_loader: job.loader, transformed, targets, failure, data })
        })
        .collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GraphModule>()?;
    module.add_function(wrap_pyfunction!(load_graph, module)?)
}
