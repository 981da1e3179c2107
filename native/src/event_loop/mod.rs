//! A program's event loop: what waits for the world on behalf of one engine, on that engine's thread.
//!
//! `core` waits with epoll and says what runs when; `inbox` is the one door for other threads, `pool` the threads that
//! do what would block. `streams` and `listening` read, write and accept natively; a turn that completes native work
//! only never enters Python. `turning` is what Python sees. There is nothing of the process here: every engine has a
//! loop of its own, found from inside its callbacks through the engine's state.
use pyo3::prelude::*;

use crate::v8::Natives;

mod belongings;
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
mod poller;
mod pool;
mod streams;
mod times;
mod turning;
mod waiting;

pub use self::belongings::Belongings;
pub use self::core::{BeforeWait, Core, Phase, Slot, Watcher};
pub use functions::Functions;
pub use inbox::{Inbox, Task};
pub use later::{Answer, submit, with_core};
pub use output::{OPERATIONS, Output, ProgramOutput};
pub use poller::borrowed;
pub use turning::{Hooks, Loop, Turning};

/// The functions that JavaScript calls.
pub const NATIVES: &[Natives] = &[
    streams::NATIVES,
    listening::NATIVES,
    later::NATIVES,
    belongings::NATIVES,
    mailboxes::NATIVES,
    environments::NATIVES,
    collections::NATIVES,
    times::NATIVES,
];

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    output::register(module)?;
    turning::register(module)
}
