//! The table of host functions: what the rooms offer to JavaScript, gathered in one place.
//!
//! The binding installs the table in every context and knows none of the rooms. Programs and modules offer their
//! operations for each engine instead.
mod runtime;

use crate::v8::{HostTable, Natives, Operations, install_host_table};

/// Host functions that need no Python.
const OPERATIONS: [&[Operations]; 4] = [
    &[
        runtime::OPERATIONS,
        crate::children::OPERATIONS,
        crate::crypto::OPERATIONS,
        crate::event_loop::OPERATIONS,
        crate::zlib::OPERATIONS,
    ],
    &crate::net::OPERATIONS,
    &crate::system::OPERATIONS,
    &crate::v8::OPERATIONS,
];

/// Functions that V8 calls directly.
const NATIVES: [&[Natives]; 7] = [
    crate::v8::NATIVES,
    crate::http::NATIVES,
    crate::addons::NATIVES,
    crate::event_loop::NATIVES,
    crate::fs::NATIVES,
    crate::repl::NATIVES,
    crate::sqlite::NATIVES,
];

/// Install the table in the binding, before anything starts V8.
pub fn install() {
    install_host_table(HostTable { natives: || NATIVES.concat(), operations: || OPERATIONS.concat() });
}

/// The names of the host functions that need no Python.
pub fn operation_names() -> Vec<&'static str> {
    OPERATIONS.iter().copied().flatten().copied().flatten().map(|(name, _)| *name).collect()
}
