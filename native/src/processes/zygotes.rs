//! A zygote's Python interface: how the guardian's forks of this interpreter become zygotes, and their orders and answers.
//!
//! `rt_wire::protocol` defines the messages.
use std::ffi::OsString;
use std::os::fd::IntoRawFd;
use std::os::unix::ffi::OsStringExt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyValueError;
use pyo3::ffi::{PyOS_AfterFork_Child, PyOS_AfterFork_Parent, PyOS_BeforeFork};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use rt_guardian::pending::Witness;
use rt_guardian::system;
use rt_guardian::zygote::{Ends, Forks};
use rt_wire::frames::{Frames, frame_of};
use rt_wire::protocol::{Answer, Fork, Kind, Spawn};

/// Calls `act` with fork functions for zygotes of these kinds; each fork calls `become_zygote`.
pub fn with_forks<T>(
    py: Python<'_>,
    kinds: &[String],
    become_zygote: &Bound<'_, PyAny>,
    act: impl FnOnce(&Forks) -> T,
) -> PyResult<T> {
    let kinds: Option<Vec<Kind>> = kinds.iter().map(|name| Kind::from_name(name)).collect();
    let kinds = kinds.ok_or_else(|| PyValueError::new_err("unknown kind of zygote"))?;
    let be = |ends: Ends| {
        let _ = catch_unwind(AssertUnwindSafe(|| {
            // SAFETY: this is the only thread of a process forked after `before`, by the thread that held the GIL.
            unsafe { PyOS_AfterFork_Child() };
            if let Err(error) = be_python(become_zygote, ends) {
                error.print(py);
            }
        }));
    };
    // SAFETY: this thread holds the GIL from before the fork until after it, as in os.fork.
    let (before, after) = (|| unsafe { PyOS_BeforeFork() }, || unsafe { PyOS_AfterFork_Parent() });
    Ok(act(&Forks { kinds: &kinds, before: &before, after: &after, become_zygote: &be }))
}

fn be_python(become_zygote: &Bound<'_, PyAny>, ends: Ends) -> PyResult<()> {
    let place = PyDict::new(become_zygote.py());
    place.set_item("orders", ends.orders.into_raw_fd())?;
    place.set_item("answers", ends.answers.into_raw_fd())?;
    place.set_item("guardian", ends.guardian)?;
    place.set_item("rt", ends.rt)?;
    place.set_item("group", ends.terms.shared_group.unwrap_or(0))?;
    place.set_item("ignored", ends.terms.ignored)?;
    place.set_item("held_back", if ends.terms.shared_group.is_some() { ends.terms.held_back } else { 0 })?;
    become_zygote.call((ends.kind.name(),), Some(&place)).map(drop)
}

/// See `_native.pyi`.
#[pyfunction]
fn zygote_order<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyTuple>> {
    let mut frames = Frames::default();
    frames.feed(data);
    let message = frames.next_message().ok().flatten();
    match message.and_then(|message| Fork::decode(&message)) {
        Some(Fork::Prepare) => ("prepare",).into_pyobject(py),
        Some(Fork::Hold) => ("hold",).into_pyobject(py),
        Some(Fork::Spawn(spawn)) => spawn_tuple(py, *spawn),
        Some(Fork::Long { key, passed }) => ("long", key, passed).into_pyobject(py),
        None => Err(PyValueError::new_err("not an order")),
    }
}

fn spawn_tuple(py: Python<'_>, spawn: Spawn) -> PyResult<Bound<'_, PyTuple>> {
    let own = system::environment();
    let names = own.into_iter().map(|(name, _)| name);
    let removed: Vec<OsString> = names.filter(|name| spawn.omits(name)).map(OsString::from_vec).collect();
    let program: Vec<OsString> = spawn.program.into_iter().map(OsString::from_vec).collect();
    let set = spawn.set.into_iter().map(|(name, value)| (OsString::from_vec(name), OsString::from_vec(value)));
    let set: Vec<(OsString, OsString)> = set.collect();
    let folder = OsString::from_vec(spawn.folder);
    ("spawn", spawn.key, program, set, removed, folder, spawn.has_terminal, spawn.passed).into_pyobject(py)
}

/// See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (kind, key, pid, given = 0))]
fn zygote_answer<'py>(py: Python<'py>, kind: &str, key: u32, pid: i32, given: u64) -> PyResult<Bound<'py, PyBytes>> {
    let answer = match kind {
        "held" => Answer::Held(pid),
        "forked" => Answer::Forked(key, pid),
        "running" => Answer::Running(key, pid, given),
        "unable" => Answer::Unable(key),
        _ => return Err(PyValueError::new_err("unknown kind of answer")),
    };
    Ok(PyBytes::new(py, &frame_of(&answer.encode())))
}

/// See `_native.pyi`.
#[pyfunction]
fn raise_missed(rt: libc::pid_t, watched: u64) -> u64 {
    // SAFETY: it only makes system calls.
    unsafe { Witness::new(rt, watched).raise_missed() }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(zygote_order, module)?)?;
    module.add_function(wrap_pyfunction!(zygote_answer, module)?)?;
    module.add_function(wrap_pyfunction!(raise_missed, module)?)
}
