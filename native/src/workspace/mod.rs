//! The content of a workspace: manifests read in bulk with error positions, the packages of its patterns, globs.
use pyo3::prelude::*;

pub mod env_text;
mod git_index;
mod glob_extensions;
mod glob_negation;
mod globs;
mod listed_files;
pub mod manifest_text;
mod manifests;
mod packages;
mod versions;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    env_text::register(module)?;
    git_index::register(module)?;
    globs::register(module)?;
    listed_files::register(module)?;
    manifests::register(module)?;
    packages::register(module)?;
    versions::register(module)
}
