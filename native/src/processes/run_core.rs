//! The run core (`rt_guardian::run`) for Python: a policy in Python drives it turn by turn; see `_native.pyi`.
use std::ffi::{OsStr, OsString, c_int};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use rt_guardian::client::Client;
use rt_guardian::pseudo_terminal::Size;
use rt_guardian::run::{Cleaner, Event, Failure, MakeCleaner, Options, Printer, RemoteEnd, Sink, Stop};
use rt_guardian::terminal::Opened;
use rt_wire::outcome::Outcome;
use rt_wire::plan::{Plan, StepProcess};

use crate::interpreter::class;

create_exception!(
    _native,
    RunStopped,
    PyException,
    "A run that cannot go on; the arguments are the reason and its details."
);

/// See `_native.pyi`.
#[pyclass(unsendable)]
struct RunCore {
    core: rt_guardian::run::RunCore,
    /// What the next turn raises, because the turn before returned the events that came first.
    stop: Option<Stop>,
}

#[pymethods]
impl RunCore {
    #[new]
    #[pyo3(signature = (plan, *, guardian, channel, mark, prints, lists_failures, is_watched, is_driven = false, terminal = None, reports_output = false, make_cleaner = None))]
    #[allow(clippy::too_many_arguments)] // one flat call across the border
    fn new(
        plan: &[u8],
        guardian: i32,
        channel: c_int,
        mark: u64,
        prints: bool,
        lists_failures: bool,
        is_watched: bool,
        is_driven: bool,
        terminal: Option<(u16, u16)>,
        reports_output: bool,
        make_cleaner: Option<Py<PyAny>>,
    ) -> PyResult<RunCore> {
        let client = Client::attach(guardian, Opened(channel), mark);
        let printer = prints.then(|| Printer::new(make_cleaner.map(cleaner_maker)));
        let terminal = terminal.map(size_of);
        let options = Options { printer, lists_failures, is_watched, is_driven, terminal, reports_output };
        let core = rt_guardian::run::RunCore::new(plan_of(plan)?, client, options).map_err(PyOSError::new_err)?;
        Ok(RunCore { core, stop: None })
    }

    fn begin(&mut self, py: Python<'_>) -> PyResult<()> {
        let core = &mut self.core;
        py.detach(|| core.begin()).map_err(stopped)
    }

    fn turn<'py>(
        &mut self,
        py: Python<'py>,
        timeout_s: Option<f64>,
        descriptor: c_int,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        if let Some(stop) = self.stop.take() {
            return Err(stopped(stop));
        }
        let patience = timeout_s.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let core = &mut self.core;
        let went = py.detach(|| core.turn(patience, descriptor));
        let events = core.take_events();
        match went {
            Err(stop) if events.is_empty() => return Err(stopped(stop)),
            went => self.stop = went.err(),
        }
        events.into_iter().map(|event| tuple_of(py, event)).collect()
    }

    fn run(&mut self, py: Python<'_>) -> PyResult<()> {
        let core = &mut self.core;
        py.detach(|| core.run()).map_err(stopped)
    }

    #[getter]
    fn is_finished(&mut self) -> bool {
        self.stop.is_none() && self.core.is_finished()
    }

    #[getter]
    fn is_open(&self) -> bool {
        self.core.is_open()
    }

    #[getter]
    fn has_terminals(&self) -> bool {
        self.core.has_terminals()
    }

    #[getter]
    fn running(&self) -> Vec<u32> {
        self.core.running()
    }

    #[getter]
    fn exit_status(&self) -> u8 {
        self.core.exit_status()
    }

    #[getter]
    fn signal(&self) -> Option<c_int> {
        self.core.signal()
    }

    fn restart(&mut self, tasks: Vec<u32>, plan: Option<&[u8]>, signal: c_int, grace_s: f64) -> PyResult<Vec<u32>> {
        let plan = plan.map(plan_of).transpose()?;
        self.core.restart(&tasks, plan, signal, duration_of(grace_s)).map_err(stopped)
    }

    fn stop(&mut self, signal: c_int, grace_s: f64) {
        self.core.stop(signal, duration_of(grace_s));
    }

    #[pyo3(signature = (task, signal, grace_s, *, is_stop = false))]
    fn end(&mut self, task: u32, signal: c_int, grace_s: f64, is_stop: bool) -> bool {
        self.core.end(task, signal, duration_of(grace_s), is_stop)
    }

    #[pyo3(signature = (task, processes = None))]
    fn start(&mut self, task: u32, processes: Option<&[u8]>) -> PyResult<bool> {
        let decode = |bytes| StepProcess::decode_list(bytes).ok_or_else(|| PyValueError::new_err("not processes"));
        let processes = processes.map(decode).transpose()?.unwrap_or_default();
        self.core.start(task, processes).map_err(stopped)
    }

    fn write_input(&mut self, task: u32, input: &[u8]) -> usize {
        self.core.write_input(task, input)
    }

    fn resize(&mut self, task: u32, rows: u16, columns: u16) {
        self.core.resize(task, size_of((rows, columns)));
    }

    fn mute(&mut self, task: u32, until_failure: bool) {
        self.core.mute(task, until_failure);
    }

    fn skip(&mut self, py: Python<'_>, task: u32, dependency: Option<u32>) -> PyResult<bool> {
        let core = &mut self.core;
        py.detach(|| core.skip(task, dependency)).map_err(stopped)
    }

    fn finish(
        &mut self,
        py: Python<'_>,
        task: u32,
        output: Vec<(usize, c_int, Vec<u8>)>,
        text: &[u8],
    ) -> PyResult<bool> {
        let core = &mut self.core;
        py.detach(|| core.finish(task, output, text.to_vec())).map_err(stopped)
    }

    fn hide_replays(&mut self) {
        self.core.hide_replays();
    }

    fn start_remote(&mut self, task: u32) -> PyResult<bool> {
        self.core.start_remote(task).map_err(stopped)
    }

    fn restart_remote(&mut self, py: Python<'_>, task: u32) -> PyResult<bool> {
        let core = &mut self.core;
        py.detach(|| core.restart_remote(task)).map_err(stopped)
    }

    fn takes_output(&self, task: u32) -> bool {
        self.core.takes_output(task)
    }

    fn remote_output(&mut self, py: Python<'_>, task: u32, stream: c_int, block: &[u8]) -> PyResult<()> {
        let core = &mut self.core;
        py.detach(|| core.remote_output(task, stream, block.to_vec())).map_err(stopped)
    }

    #[allow(clippy::too_many_arguments)] // one flat call across the border
    fn end_remote(
        &mut self,
        py: Python<'_>,
        task: u32,
        code: c_int,
        signal: c_int,
        seconds: f64,
        cpu_seconds: f64,
        peak_bytes: u64,
    ) -> PyResult<bool> {
        let outcome = if signal == 0 { Outcome::Exited(code) } else { Outcome::Signaled(signal) };
        let cpu_us = u64::try_from(duration_of(cpu_seconds).as_micros()).unwrap_or(u64::MAX);
        let end = RemoteEnd { outcome, ran: duration_of(seconds), cpu_us, peak_bytes };
        let core = &mut self.core;
        py.detach(|| core.end_remote(task, end)).map_err(stopped)
    }

    fn write(&mut self, py: Python<'_>, descriptor: c_int, data: &[u8]) -> PyResult<()> {
        let sink = if descriptor == libc::STDERR_FILENO { Sink::Err } else { Sink::Out };
        let core = &mut self.core;
        py.detach(|| core.write(sink, data)).map_err(stopped)
    }

    fn print_failures(&mut self, py: Python<'_>) -> PyResult<()> {
        let core = &mut self.core;
        py.detach(|| core.print_failures()).map_err(stopped)
    }

    fn close(&mut self, py: Python<'_>) {
        let core = &mut self.core;
        py.detach(|| core.close());
    }
}

fn plan_of(bytes: &[u8]) -> PyResult<Plan> {
    Plan::decode(bytes).ok_or_else(|| PyValueError::new_err("not a plan"))
}

fn size_of((rows, columns): (u16, u16)) -> Size {
    Size { rows, columns }
}

fn duration_of(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// Has Python make the cleaners: `make` gets 1 or 2, and returns a function from bytes to bytes or None.
fn cleaner_maker(make: Py<PyAny>) -> MakeCleaner {
    Box::new(move |sink| {
        let descriptor = if sink == Sink::Err { libc::STDERR_FILENO } else { libc::STDOUT_FILENO };
        Python::attach(|py| {
            let clean = make.call1(py, (descriptor,)).unwrap_or_else(|error| {
                error.print(py);
                py.None()
            });
            (!clean.is_none(py)).then(|| cleaner(clean))
        })
    })
}

fn cleaner(clean: Py<PyAny>) -> Cleaner {
    Box::new(move |block| {
        Python::attach(|py| {
            let cleaned = clean.call1(py, (PyBytes::new(py, block),)).and_then(|cleaned| cleaned.extract(py));
            cleaned.unwrap_or_else(|error: PyErr| {
                error.print(py);
                Vec::new()
            })
        })
    })
}

fn stopped(stop: Stop) -> PyErr {
    let text = |bytes: Vec<u8>| OsString::from_vec(bytes);
    match stop {
        Stop::Closed { hung_up } => RunStopped::new_err(("closed", hung_up)),
        Stop::Abandoned => RunStopped::new_err(("abandoned",)),
        Stop::Failed(Failure::Refused { errno, words, path }) => {
            RunStopped::new_err(("refused", errno, text(words), path.map(text)))
        }
        Stop::Failed(Failure::DescriptorLimit) => RunStopped::new_err(("descriptor-limit",)),
        Stop::Failed(Failure::GuardianLost) => RunStopped::new_err(("lost",)),
        Stop::Failed(Failure::GuardianUnanswered) => RunStopped::new_err(("unanswered",)),
        Stop::Failed(Failure::Output { errno }) => RunStopped::new_err(("output", errno)),
    }
}

fn tuple_of(py: Python<'_>, event: Event) -> PyResult<Bound<'_, PyTuple>> {
    match event {
        Event::StepStarted { task, step, pid, at } => ("started", task, step, pid, at).into_pyobject(py),
        Event::Output { task, step, stream, block } => {
            ("output", task, step, stream, PyBytes::new(py, &block)).into_pyobject(py)
        }
        Event::Drained { task, step, stream } => ("drained", task, step, stream).into_pyobject(py),
        Event::StepEnded { task, step, end, at } => {
            let (code, signal) = match end.outcome {
                Outcome::Exited(code) => (code, 0),
                Outcome::Signaled(signal) => (0, signal),
            };
            let cpu_s = end.cpu_us as f64 / 1e6;
            ("ended", task, step, code, signal, end.was_requested, at, end.seconds, cpu_s, end.peak_bytes)
                .into_pyobject(py)
        }
        Event::StepSkipped { task, step, because } => {
            ("skipped", task, step, OsStr::from_bytes(&because)).into_pyobject(py)
        }
        Event::TaskEnded { task, status, is_skipped, at } => {
            ("task-ended", task, status, is_skipped, at).into_pyobject(py)
        }
        Event::Restarted { task } => ("restarted", task).into_pyobject(py),
        Event::Deferred { task } => ("deferred", task).into_pyobject(py),
        Event::Interrupted { signal } => ("interrupted", signal).into_pyobject(py),
        Event::Resized => ("resized",).into_pyobject(py),
    }
}

/// See `_native.pyi`.
#[pyfunction]
fn is_plan(bytes: &[u8]) -> bool {
    Plan::decode(bytes).is_some()
}

/// See `_native.pyi`.
#[pyfunction]
fn available_cpus() -> usize {
    rt_guardian::run::available_cpus()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(available_cpus, module)?)?;
    class::<RunCore>(module)?;
    module.add("RunStopped", module.py().get_type::<RunStopped>())?;
    module.add_function(wrap_pyfunction!(is_plan, module)?)
}
