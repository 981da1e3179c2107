//! What Python hangs on an engine: callables that are asked or told.
use std::cell::RefCell;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::engine::Engine;
use super::inner::Inner;

impl Engine {
    /// Keep a hook in its place.
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
