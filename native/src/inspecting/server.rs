//! `InspectorServer` for Python: it listens (or connects) at once, and serves on a separate thread once started.
use std::collections::BTreeMap;
use std::io::{PipeReader, PipeWriter, Write};
use std::net::{TcpListener, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::connection::Connection;
use super::request::Page;
use super::stream::{Listener, Stream};
use super::turning::{Command, Event, Shared, Turning};

/// A server for the front ends of one engine.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct InspectorServer {
    shared: Arc<Shared>,
    port: u16,
    waker: PipeWriter,
    unstarted: Mutex<Option<(Side, PipeReader)>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// Where clients come from.
enum Side {
    Listening(Listener),
    /// rt is connected to its only client.
    Connected(Stream),
}

impl InspectorServer {
    fn at(side: Side) -> PyResult<InspectorServer> {
        let port = match &side {
            Side::Listening(listener) => {
                listener.set_nonblocking()?;
                listener.port()?
            }
            Side::Connected(_) => 0,
        };
        let (reader, waker) = std::io::pipe()?;
        rustix::io::ioctl_fionbio(&reader, true).map_err(std::io::Error::from)?;
        rustix::io::ioctl_fionbio(&waker, true).map_err(std::io::Error::from)?;
        let unstarted = Mutex::new(Some((side, reader)));
        Ok(InspectorServer { shared: Arc::default(), port, waker, unstarted, thread: Mutex::default() })
    }

    fn command(&self, command: Command) {
        self.shared.commands().push(command);
        // A full pipe wakes the thread as well.
        let _ = (&self.waker).write(&[0]);
    }
}

#[pymethods]
impl InspectorServer {
    /// Listen on `port` (0: any) of `host`. Raises OSError, or ValueError for an unknown host.
    #[new]
    fn new(py: Python<'_>, host: &str, port: u16) -> PyResult<InspectorServer> {
        let name = host.trim_start_matches('[').trim_end_matches(']');
        let found = py.detach(|| (name, port).to_socket_addrs().map(Vec::from_iter));
        let addresses = found.map_err(|error| PyValueError::new_err(error.to_string()))?;
        InspectorServer::at(Side::Listening(Listener::Tcp(TcpListener::bind(addresses.as_slice())?)))
    }

    /// Listen on the Unix socket `path`. Raises OSError.
    #[staticmethod]
    fn at_socket(path: PathBuf) -> PyResult<InspectorServer> {
        InspectorServer::at(Side::Listening(Listener::at_socket(&path)?))
    }

    /// Connect to a front end that listens on the Unix socket `path`. Raises OSError.
    #[staticmethod]
    fn connected_to(py: Python<'_>, path: PathBuf) -> PyResult<InspectorServer> {
        let stream = py.detach(|| UnixStream::connect(path))?;
        InspectorServer::at(Side::Connected(Stream::Unix(stream)))
    }

    #[getter]
    fn port(&self) -> u16 {
        self.port
    }

    /// Start serving. `on_event()` is called on the server's thread when there are events to take.
    #[pyo3(signature = (on_event, *, local, path, title, url, browser, protocol, assets, is_listed))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn start(
        &self,
        on_event: Py<PyAny>,
        local: String,
        path: String,
        title: String,
        url: String,
        browser: String,
        protocol: String,
        assets: PathBuf,
        is_listed: bool,
    ) -> PyResult<()> {
        let unstarted = self.unstarted.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (side, waker) = unstarted.ok_or_else(|| PyRuntimeError::new_err("the server was started already"))?;
        let shared = self.shared.clone();
        let notify = Box::new(move || {
            // The process may be ending, when no one needs the event.
            let _ = Python::try_attach(|py| on_event.call0(py).map_err(|error| error.write_unraisable(py, None)));
        });
        let is_local_socket = matches!(side, Side::Listening(Listener::Unix(..)));
        let page = Page { path, title, url, browser, protocol, assets, is_listed, is_local_socket };
        let work = move || {
            let connections = BTreeMap::new();
            let mut turning =
                Turning { listener: None, waker, page, local, shared: &shared, notify, connections, next: 1 };
            match side {
                Side::Listening(listener) => turning.listener = Some(listener),
                Side::Connected(stream) => turning.add(stream, Connection::outgoing),
            }
            turning.run();
        };
        let thread = std::thread::Builder::new().name("inspector".to_owned()).stack_size(512 << 10);
        let thread = crate::v8::with_signals_blocked(|| thread.spawn(work))?;
        self.thread.lock().unwrap_or_else(PoisonError::into_inner).replace(thread);
        Ok(())
    }

    /// The oldest event: ("connected", client, ""), ("message", client, text) or ("disconnected", client, ""). None if
    /// there is none; with `wait`, only after the server has ended.
    #[pyo3(signature = (*, wait=false))]
    fn take(&self, py: Python<'_>, wait: bool) -> Option<(&'static str, u64, String)> {
        let event = py.detach(|| {
            let mut events = self.shared.events();
            while wait && events.waiting.is_empty() && !events.is_over {
                events = self.shared.arrived.wait(events).unwrap_or_else(PoisonError::into_inner);
            }
            let event = events.waiting.pop_front();
            if event.is_none() {
                events.is_notified = false;
            }
            event
        })?;
        Some(match event {
            Event::Connected(client) => ("connected", client, String::new()),
            Event::Message(client, text) => ("message", client, text),
            Event::Disconnected(client) => ("disconnected", client, String::new()),
        })
    }

    /// Send `text` to a client; does nothing if the client has disconnected.
    fn send(&self, client: u64, text: String) {
        self.command(Command::Send(client, text));
    }

    /// Accept no more clients; connected ones stay.
    fn stop_listening(&self) {
        self.command(Command::StopListening);
    }

    /// Stop listening, send pending output, close all connections, and wait for the thread.
    fn close(&self, py: Python<'_>) {
        self.unstarted.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.command(Command::End);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = py.detach(|| thread.join());
        }
    }
}
