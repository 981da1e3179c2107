//! rt's side of the native guardian (`rt_guardian::guardian`): starting one, commands and events.
//!
//! `rt_wire::protocol` defines the messages; `rt_supervisor/vocabulary/protocol.py` represents them as tuples.
use std::ffi::{OsString, c_int};
use std::os::fd::IntoRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use rt_guardian::client;
use rt_guardian::guardian::{self, Terms};
use rt_guardian::spawn::start_error;
use rt_guardian::terminal::Opened;
use rt_wire::frames::{Frames, frame_of};
use rt_wire::protocol::{Kind, Order, Report, Spawn};

use crate::interpreter::class;
use crate::processes::spawn::os_error;
use crate::processes::zygotes::with_forks;

/// Starts a guardian; see `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (*, shared_group, ignored, held_back, mark, threads, grace_ms, zygotes, become_zygote))]
#[allow(clippy::too_many_arguments)] // one flat call from Python
fn start_guardian(
    py: Python<'_>,
    shared_group: Option<i32>,
    ignored: u64,
    held_back: u64,
    mark: u64,
    threads: usize,
    grace_ms: u64,
    zygotes: Vec<String>,
    become_zygote: Bound<'_, PyAny>,
) -> PyResult<(i32, c_int)> {
    let terms = Terms { shared_group, ignored, held_back, mark, threads, grace: Duration::from_millis(grace_ms) };
    let started = with_forks(py, &zygotes, &become_zygote, |forks| guardian::start(terms, forks))?;
    let (pid, channel): (i32, Opened) = started.map_err(|error| os_error(start_error(error, None)))?;
    Ok((pid, channel.into_raw_fd()))
}

/// See `_native.pyi`.
#[pyfunction]
fn await_guardian(py: Python<'_>, pid: i32, mark: u64) {
    py.detach(|| client::await_end(pid, mark));
}

/// See `_native.pyi`.
#[pyfunction]
fn end_guardian(py: Python<'_>, pid: i32, mark: u64) {
    py.detach(|| client::end_everything(pid, mark));
}

/// See `_native.pyi`.
#[pyfunction]
fn prepare_order<'py>(py: Python<'py>, zygote: &str) -> PyResult<Bound<'py, PyBytes>> {
    let kind = Kind::from_name(zygote).ok_or_else(|| PyValueError::new_err("unknown kind of zygote"))?;
    Ok(framed_order(py, &Order::Prepare(kind)))
}

/// See `_native.pyi`.
#[pyfunction]
fn hold_order(py: Python<'_>) -> Bound<'_, PyBytes> {
    framed_order(py, &Order::Hold)
}

fn bytes_of(words: Vec<OsString>) -> Vec<Vec<u8>> {
    words.into_iter().map(OsString::into_vec).collect()
}

fn framed_order<'py>(py: Python<'py>, order: &Order) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &frame_of(&order.encode()))
}

/// See `_native.pyi`.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // one flat call from Python
fn spawn_order<'py>(
    py: Python<'py>,
    key: u32,
    argv: Vec<OsString>,
    direct: Vec<OsString>,
    program: Vec<OsString>,
    changed: Vec<(OsString, OsString)>,
    removed: Vec<OsString>,
    folder: OsString,
    passed: u32,
) -> Bound<'py, PyBytes> {
    let set = changed.into_iter().map(|(name, value)| (name.into_vec(), value.into_vec())).collect();
    let spawn = Spawn {
        key,
        argv: bytes_of(argv),
        direct: bytes_of(direct),
        program: bytes_of(program),
        set,
        removed: bytes_of(removed),
        folder: folder.into_vec(),
        passed,
        ..Spawn::default()
    };
    framed_order(py, &Order::Spawn(Box::new(spawn)))
}

/// See `_native.pyi`.
#[pyfunction]
fn refuse_order<'py>(py: Python<'py>, key: u32, words: &str) -> Bound<'py, PyBytes> {
    framed_order(py, &Order::Refuse(key, words.into()))
}

/// See `_native.pyi`.
#[pyfunction]
fn signal_order<'py>(py: Python<'py>, key: Option<u32>, number: c_int) -> Bound<'py, PyBytes> {
    framed_order(py, &Order::Signal(key, number))
}

/// See `_native.pyi`.
#[pyfunction]
fn kill_order<'py>(py: Python<'py>, key: Option<u32>) -> Bound<'py, PyBytes> {
    framed_order(py, &Order::Kill(key))
}

/// Splits a guardian's output into reports; see `_native.pyi`.
#[pyclass]
#[derive(Default)]
struct ReportReader {
    frames: Frames,
}

#[pymethods]
impl ReportReader {
    #[new]
    fn new() -> ReportReader {
        ReportReader::default()
    }

    fn feed<'py>(&mut self, py: Python<'py>, data: &[u8]) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        self.frames.feed(data);
        let mut reports = Vec::new();
        let wrong = || PyValueError::new_err("not a report");
        while let Some(message) = self.frames.next_message().map_err(|_| wrong())? {
            reports.push(tuple_of(py, Report::decode(&message).ok_or_else(wrong)?)?);
        }
        Ok(reports)
    }
}

fn tuple_of(py: Python<'_>, report: Report) -> PyResult<Bound<'_, PyTuple>> {
    match report {
        Report::Started { key, pid, given } => ("started", key, pid, given).into_pyobject(py),
        Report::Refused { key, errno, words, path } => {
            let path = path.map(OsString::from_vec);
            ("refused", key, errno, std::ffi::OsStr::from_bytes(&words), path).into_pyobject(py)
        }
        Report::Ended { key, status, cpu_us, peak_bytes } => {
            ("ended", key, status, cpu_us as f64 / 1e6, peak_bytes).into_pyobject(py)
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<ReportReader>(module)?;
    module.add_function(wrap_pyfunction!(start_guardian, module)?)?;
    module.add_function(wrap_pyfunction!(await_guardian, module)?)?;
    module.add_function(wrap_pyfunction!(end_guardian, module)?)?;
    module.add_function(wrap_pyfunction!(prepare_order, module)?)?;
    module.add_function(wrap_pyfunction!(hold_order, module)?)?;
    module.add_function(wrap_pyfunction!(spawn_order, module)?)?;
    module.add_function(wrap_pyfunction!(refuse_order, module)?)?;
    module.add_function(wrap_pyfunction!(signal_order, module)?)?;
    module.add_function(wrap_pyfunction!(kill_order, module)?)
}
