//! The functions of the host, which the crate's root installs before the first engine is created.
//!
//! The external references list all natives after the trampoline, so that start-up snapshots may refer to them; a
//! snapshot's key covers their names. The table needs no Python, as an isolate may be created before the interpreter.
use std::sync::OnceLock;

use crate::v8::values::function::{Callback, HostOperation, Natives, call_python};
use crate::v8::values::lazy_values;

/// The operations of one room by name, which need no Python.
pub type Operations = &'static [(&'static str, HostOperation)];

/// What the rooms offer to JavaScript.
#[derive(Clone, Copy)]
pub struct HostTable {
    pub natives: fn() -> Vec<Natives>,
    pub operations: fn() -> Vec<Operations>,
}

static TABLE: OnceLock<HostTable> = OnceLock::new();

/// Installs the table; later calls have no effect.
pub fn install(table: HostTable) {
    let _ = TABLE.set(table);
}

fn table() -> &'static HostTable {
    TABLE.get().expect("the host's functions are installed when this module is loaded")
}

/// All native functions, in the order of their external references.
pub fn natives() -> Vec<(&'static str, Callback)> {
    (table().natives)().into_iter().flatten().copied().collect()
}

/// The operation for each of `names`, in their order.
pub fn operations(names: &[String]) -> Vec<Option<HostOperation>> {
    let mut found = vec![None; names.len()];
    for (name, operation) in (table().operations)().into_iter().flatten() {
        if let Some(place) = names.iter().position(|each| each == name) {
            found[place] = Some(*operation);
        }
    }
    found
}

/// The addresses that snapshots refer to by position; ends in zero.
pub fn external_references() -> &'static [usize] {
    static REFERENCES: OnceLock<Vec<usize>> = OnceLock::new();
    REFERENCES.get_or_init(|| {
        let natives = natives().into_iter().map(|(_, function)| function as usize);
        let callbacks = [call_python as *const () as usize, lazy_values::create_value as *const () as usize];
        callbacks.into_iter().chain(natives).chain([0]).collect()
    })
}
