//! The system calls of node:fs: each function is one crossing from JavaScript, without Python.
//!
//! JavaScript (`js/node/fs`) has checked the arguments. Paths are text, or bytes if they are not UTF-8. Each function
//! takes a callback after its arguments: without one, the work is done at once and a failure is thrown; with one, it is
//! done on the loop's pool and the callback receives the error, or null and the value (`request`).
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

/// The functions that JavaScript calls.
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
