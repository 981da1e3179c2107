//! The functions of the runtime that the loop calls, and calls of JavaScript from a turn.
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;

use super::core::Core;
use crate::v8::{Global, Local, Scope, State, is_stopped};

/// The functions of `js/boot/runtime.js` that a turn calls.
pub struct Functions {
    pub state: Arc<State>,
    pub timers: Global,
    pub immediates: Global,
    pub completions: Global,
    pub call: Global,
    pub output_closed: Global,
    pub stopped: Global,
}

impl Functions {
    /// The functions of `entry`, the runtime's object of functions for the host.
    pub fn of(scope: &Scope<'_>, entry: Local<'_>) -> PyResult<Functions> {
        let keep = |name: &str| Ok::<Global, PyErr>(scope.keep(scope.get(entry, name)?));
        Ok(Functions {
            state: scope.state.share(),
            timers: keep("timers")?,
            immediates: keep("immediates")?,
            completions: keep("completions")?,
            call: keep("call")?,
            output_closed: keep("outputClosed")?,
            stopped: keep("stopped")?,
        })
    }
}

impl Core {
    pub fn functions(&self) -> Option<Rc<Functions>> {
        self.functions.borrow().clone()
    }

    /// Serve the engine of `functions`, whose native functions use this loop from now on.
    pub fn serve(self: &Rc<Self>, functions: Functions) {
        functions.state.clone().keep_beside(self.clone());
        self.functions.replace(Some(Rc::new(functions)));
    }

    /// Reports to the program that nothing reads its standard output any more.
    pub fn report_closed_output(&self) -> PyResult<()> {
        let Some(functions) = self.functions() else { return Ok(()) };
        functions.state.enter(|scope| scope.call(functions.output_closed.in_scope(scope)?, &[]).map(|_| ()))
    }

    /// Continues after `outcome` if a debugger has ended the callback: what it left undone is completed, the rest of the turn runs.
    pub fn continue_after_stop(&self, mut outcome: PyResult<()>) -> PyResult<()> {
        let Some(functions) = self.functions() else { return outcome };
        while outcome.as_ref().is_err_and(is_stopped) {
            outcome = functions.state.enter(|scope| scope.call(functions.stopped.in_scope(scope)?, &[]).map(|_| ()));
        }
        outcome
    }

    /// Calls the program's `callback`, followed by ticks and microtasks.
    pub fn call(&self, callback: &Global, arguments: &[Argument<'_>]) -> PyResult<()> {
        let Some(functions) = self.functions() else { return Ok(()) };
        functions.state.enter(|scope| {
            let mut values = vec![callback.in_scope(scope)?];
            for argument in arguments {
                values.push(argument(scope)?);
            }
            let handles: Vec<_> = values.iter().map(|value| value.handle()).collect();
            scope.call(functions.call.in_scope(scope)?, &handles).map(|_| ())
        })
    }
}

/// Creates one argument of a call in the given scope.
pub type Argument<'a> = &'a dyn for<'s> Fn(&Scope<'s>) -> PyResult<Local<'s>>;
