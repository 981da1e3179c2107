//! What node:fs asks of the system: each function is one crossing from JavaScript, without Python.
//!
//! Arguments were checked by JavaScript (`js/node/fs`). Paths are text, or bytes where they are no UTF-8. Each function
//! takes a callback after its arguments: without it the work is done at once and its failure thrown; with it the work is
//! done on the loop's pool and the callback gets the error, or null and the value (`request`).
use pyo3::prelude::*;

use crate::v8::Natives;

mod copying;
mod data;
mod failure;
mod folders;
mod open_folders;
mod owners;
mod permission;
mod reading;
mod request;
mod status;
mod trees;
mod words;
mod writing;

pub use failure::Failure;
pub use words::of as error_words;

/// What every engine is to know of this.
pub const NATIVES: &[Natives] = &[
    copying::NATIVES,
    data::NATIVES,
    folders::NATIVES,
    open_folders::NATIVES,
    owners::NATIVES,
    permission::NATIVES,
    reading::NATIVES,
    status::NATIVES,
    trees::NATIVES,
    writing::NATIVES,
];

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    words::register(module)
}
