//! A program's event loop: it waits for all events on behalf of one engine, on that engine's thread.
//!
//! `core` waits with epoll and determines the order of a turn; `inbox` is the only entry for other threads, `pool` has
//! the threads for blocking work. `streams` and `listening` read, write and accept natively; a turn that only completes
//! native work never enters Python. `turning` is the Python side. Nothing here belongs to the process: every engine has
//! its own loop, which its callbacks find through the engine's state.
use pyo3::prelude::*;

use crate::v8::Natives;

mod collections;
mod core;
mod descriptors;
mod environments;
mod functions;
mod inbox;
mod later;
mod listening;
mod mailboxes;
mod output;
mod owned_descriptors;
mod poller;
mod pool;
mod streams;
mod times;
mod turning;
mod waiting;

pub use self::core::{BeforeWait, Core, Phase, Slot, Watcher};
pub use self::owned_descriptors::OwnedDescriptors;
pub use functions::Functions;
pub use inbox::{Inbox, Task};
pub use later::{Answer, submit, with_core};
pub use output::{OPERATIONS, Output, ProgramOutput};
pub use poller::borrowed;
pub use streams::read_decoded;
pub use turning::{Hooks, Loop, Turning};

/// The functions that JavaScript calls.
pub const NATIVES: &[Natives] = &[
    streams::NATIVES,
    listening::NATIVES,
    later::NATIVES,
    owned_descriptors::NATIVES,
    mailboxes::NATIVES,
    environments::NATIVES,
    collections::NATIVES,
    times::NATIVES,
];

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    output::register(module)?;
    turning::register(module)
}
