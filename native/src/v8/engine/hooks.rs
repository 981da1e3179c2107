//! Hooks of an engine: Python callables that the engine calls.
use std::cell::RefCell;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::class::Engine;
use crate::v8::values::inner::Inner;

impl Engine {
    /// Replaces a hook.
    pub(super) fn set_hook(
        &self,
        hook: Option<Bound<'_, PyAny>>,
        place: impl Fn(&Inner) -> &RefCell<Option<Py<PyAny>>>,
    ) -> PyResult<()> {
        self.state.check_interrupted()?;
        drop(place(self.state.inner()).replace(Engine::callable(hook)?));
        Ok(())
    }

    pub(super) fn callable(hook: Option<Bound<'_, PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        match hook {
            Some(hook) if !hook.is_callable() => Err(PyValueError::new_err("a hook is a callable or None")),
            hook => Ok(hook.map(Bound::unbind)),
        }
    }
}
