//! The system side of node:os and node:process, without Python: processors, interfaces, users, priorities, sending
//! signals, the working directory, the title.
//!
//! Each function is a host operation that does everything natively. `facts` has those that only read numbers.
use crate::event_loop::Core;
use crate::fs::Failure;
use crate::v8::{Call, HostOperation};

mod facts;
mod interfaces;
mod process;
mod processors;
mod report;
mod signals;
mod users;

pub use signals::reinstall_handlers;

pub const OPERATIONS: [&[(&str, HostOperation)]; 7] = [
    facts::OPERATIONS,
    interfaces::OPERATIONS,
    process::OPERATIONS,
    processors::OPERATIONS,
    report::OPERATIONS,
    signals::OPERATIONS,
    users::OPERATIONS,
];

/// Writes the program's buffered output; false if that has ended the program.
pub fn flush(call: &Call<'_>) -> bool {
    let core = call.scope.state.beside::<Core>();
    let flushed = core.as_ref().and_then(|core| core.output()).map_or(Ok(()), |output| output.flush());
    flushed.map_err(|problem| call.end(problem)).is_ok()
}

/// Throws the error of the last system call.
fn throw_last(call: &Call<'_>, syscall: &'static str) -> bool {
    throw(call, &Failure::last(syscall))
}

fn throw(call: &Call<'_>, failure: &Failure) -> bool {
    call.throw(failure.to_js(&call.scope));
    true
}
