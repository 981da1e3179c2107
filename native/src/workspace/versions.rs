//! npm's versions and ranges: the versions of a package that satisfy a range.
use std::cmp::Reverse;

use nodejs_semver::{Range, Version};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The versions that satisfy `range`, newest first; invalid versions satisfy nothing. Raises ValueError for an invalid
/// range.
#[pyfunction]
fn satisfying_versions(py: Python<'_>, range: &str, versions: Vec<String>) -> PyResult<Vec<String>> {
    let wanted = range.trim();
    let wanted = Range::parse(if wanted.is_empty() { "*" } else { wanted })
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(py.detach(|| {
        let mut found: Vec<(Version, String)> = versions
            .into_iter()
            .filter_map(|text| Some((Version::parse(&text).ok()?, text)))
            .filter(|(version, _)| wanted.satisfies(version))
            .collect();
        found.sort_by_key(|(version, _)| Reverse(version.clone()));
        found.into_iter().map(|(_, text)| text).collect()
    }))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(satisfying_versions, module)?)
}
