//! The debugger's door: a server that front ends find through HTTP and talk to through WebSockets.
//!
//! `server` is what Python sees, `turning` the thread behind it, `connection` one client's bytes, `request` what a client
//! asks for and the pages it gets, `asking` the signal that asks for all of it, `frames` the messages of a WebSocket, `sha1` what its handshake needs. It knows nothing
//! of V8: what clients send waits until the engine's thread takes it, who is told that something waits.
use pyo3::prelude::*;

use crate::interpreter::class;

mod asking;
mod connection;
mod frames;
mod request;
mod server;
mod sha1;
mod turning;

pub use asking::when_asked;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<server::InspectorServer>(module)
}
