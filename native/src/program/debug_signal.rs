//! SIGUSR1 makes a program listen for a debugger, even while it is idle or runs JavaScript that never ends.
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

use super::life::Life;
use crate::event_loop::Task;
use crate::inspecting::call_on_signal;
use crate::interpreter;
use crate::v8::State;
use crate::v8::interrupt;

/// A signal has arrived, and the program does not listen yet. Signals concern one program of the process.
static IS_PENDING: AtomicBool = AtomicBool::new(false);

impl Life {
    pub fn listen_on_signal(&self) -> PyResult<()> {
        self.core.waker()?;
        let (inbox, state) = (self.core.inbox.clone(), self.state.clone());
        let request = move || {
            IS_PENDING.store(true, Ordering::Release);
            let in_turn = state.clone();
            inbox.send(Task::Native(Box::new(move |_| {
                listen(&in_turn);
                Ok(())
            })));
            interrupt::request(&state, interrupt::Action::Native(listen));
            state.is_open()
        };
        Ok(call_on_signal(Box::new(request))?)
    }
}

/// Listens, once for each signal; runs on the engine's thread.
fn listen(state: &State) {
    if !IS_PENDING.swap(false, Ordering::AcqRel) {
        return;
    }
    let Some(life) = Life::of(state) else { return };
    if let Err(error) = life.call("listen") {
        interpreter::attach(|py| error.write_unraisable(py, None));
    }
}
