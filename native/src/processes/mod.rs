//! Processes: guardians and zygotes, starting children, input typed during a start, notifying a guardian of the end.
use pyo3::prelude::*;

mod carrying_out;
mod fork;
mod guarding;
mod last_words;
mod marked;
mod run_core;
mod spawn;
mod terminal;
mod zygotes;

pub use last_words::notify_of_end;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    carrying_out::register(module)?;
    fork::register(module)?;
    guarding::register(module)?;
    marked::register(module)?;
    run_core::register(module)?;
    terminal::register(module)?;
    spawn::register(module)?;
    zygotes::register(module)
}
