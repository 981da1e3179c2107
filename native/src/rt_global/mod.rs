//! Native parts of the `RT` global and of Web APIs: colours, hashes, passwords, YAML, legacy text encodings.
use pyo3::prelude::*;

mod colors;
mod encodings;
mod hashes;
mod passwords;
mod yaml;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    colors::register(module)?;
    encodings::register(module)?;
    hashes::register(module)?;
    passwords::register(module)?;
    yaml::register(module)
}
