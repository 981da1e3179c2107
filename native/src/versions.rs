//! Versions and ranges as npm reads them, for `RT.semver`; the grammar is nodejs-semver's.
use nodejs_semver::{Range, Version};
use pyo3::prelude::*;

#[pyfunction]
fn satisfies(version: &str, range: &str) -> bool {
    match (Version::parse(version), Range::parse(range)) {
        (Ok(version), Ok(range)) => version.satisfies(&range),
        _ => false,
    }
}

/// -1, 0 or 1; None where one of them is no version.
#[pyfunction]
fn compare_versions(left: &str, right: &str) -> Option<i8> {
    let (left, right) = (Version::parse(left).ok()?, Version::parse(right).ok()?);
    Some(left.cmp(&right) as i8)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(satisfies, module)?)?;
    module.add_function(wrap_pyfunction!(compare_versions, module)?)
}
