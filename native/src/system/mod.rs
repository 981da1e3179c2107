//! What node:os and node:process ask of the system and change of the process, without Python: processors, interfaces, users,
//! priorities, signals sent, the folder, the title.
//!
//! Each function is a host operation that does the whole of it: Python has none of these. `system/facts.rs` has what only reads a number.
use crate::event_loop::Core;
use crate::fs::Failure;
use crate::v8::{Call, HostOperation};

mod facts;
mod interfaces;
mod process;
mod processors;
mod signals;
mod users;

pub use signals::catch_again;

pub const OPERATIONS: [&[(&str, HostOperation)]; 6] = [
    facts::OPERATIONS,
    interfaces::OPERATIONS,
    process::OPERATIONS,
    processors::OPERATIONS,
    signals::OPERATIONS,
    users::OPERATIONS,
];

/// Write out what the program has printed; false where that has ended the program.
pub fn flush(call: &Call<'_>) -> bool {
    let core = call.scope.state.beside::<Core>();
    let flushed = core.as_ref().and_then(|core| core.output()).map_or(Ok(()), |output| output.flush());
    flushed.map_err(|problem| call.end(problem)).is_ok()
}

/// Throw what the last system call has failed with.
fn throw_last(call: &Call<'_>, syscall: &'static str) -> bool {
    throw(call, &Failure::last(syscall))
}

fn throw(call: &Call<'_>, failure: &Failure) -> bool {
    call.throw(failure.to_js(&call.scope));
    true
}
