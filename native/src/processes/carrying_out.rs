//! Executes a decision about one run in this process (`rt_guardian::carry_out`).
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use rt_guardian::carry_out;
use rt_guardian::zygote::Forks;
use rt_wire::decision::Decision;
use rt_wire::outcome::Outcome;

use crate::processes::zygotes::with_forks;

/// See `_native.pyi`.
#[pyfunction(name = "carry_out")]
#[pyo3(signature = (decision, *, zygotes = vec![], become_zygote = None))]
fn carry_out_decision(
    py: Python<'_>,
    decision: &[u8],
    zygotes: Vec<String>,
    become_zygote: Option<Bound<'_, PyAny>>,
) -> PyResult<(i32, i32)> {
    let decision = Decision::decode(decision).ok_or_else(|| PyValueError::new_err("not a decision"))?;
    let outcome = match become_zygote {
        None => py.detach(|| carry_out::carry_out(&decision, &Forks::NONE)),
        // Holds the GIL, as a fork requires; no other thread needs it.
        Some(become_zygote) => {
            with_forks(py, &zygotes, &become_zygote, |forks| carry_out::carry_out(&decision, forks))?
        }
    };
    match outcome.map_err(PyOSError::new_err)? {
        Outcome::Exited(code) => Ok((code, 0)),
        Outcome::Signaled(signal) => Ok((0, signal)),
    }
}

/// See `_native.pyi`.
#[pyfunction]
fn is_decision(bytes: &[u8]) -> bool {
    Decision::decode(bytes).is_some()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(carry_out_decision, module)?)?;
    module.add_function(wrap_pyfunction!(is_decision, module)?)
}
