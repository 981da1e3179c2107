//! The debugger's server, which front ends find through HTTP and talk to through WebSockets.
//!
//! `server` is its Python class, `turning` its thread, `stream` its sockets, `connection` one client's bytes, `request`
//! a client's request and the pages, `assets` the files of the debugger's page, `asking` the signal that starts it,
//! `frames` the messages, `sha1` the hash of the handshake. It knows nothing of V8: messages wait until the engine's
//! thread takes them, and that thread is notified.
use pyo3::prelude::*;

use crate::interpreter::class;

mod asking;
mod assets;
mod connection;
mod frames;
mod request;
mod server;
mod sha1;
mod stream;
mod turning;

pub use asking::call_on_signal;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<server::InspectorServer>(module)
}
