//! `Loop` for Python: watchers and completions in Python, and running an engine's whole loop.
use std::rc::Rc;
use std::sync::Arc;
use std::thread::ThreadId;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::core::{BeforeWait, Core, Slot};
use super::functions::Functions;
use super::inbox::{Inbox, Task};
use super::output::ProgramOutput;
use crate::interpreter::class;
use crate::v8::{Engine, Global, JsObject, Scope, State, is_stopped, without_gil};

/// The event loop of one program, on the thread that creates it.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct Loop {
    owned: Owned,
    /// The part that any thread may use.
    inbox: Arc<Inbox>,
}

/// The part for the creating thread.
struct Owned {
    core: std::mem::ManuallyDrop<Rc<Core>>,
    thread: ThreadId,
}

// SAFETY: only `core()` gives access to the core, and it refuses other threads; a drop on another thread leaks it.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

impl Owned {
    fn is_here(&self) -> bool {
        std::thread::current().id() == self.thread
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if self.is_here() {
            // SAFETY: this is the only place that drops it.
            unsafe { std::mem::ManuallyDrop::drop(&mut self.core) };
        }
    }
}

impl Loop {
    /// The `Loop` of `core`, which belongs to this thread.
    pub fn of(core: Rc<Core>) -> Loop {
        let inbox = core.inbox.clone();
        let thread = std::thread::current().id();
        Loop { owned: Owned { core: std::mem::ManuallyDrop::new(core), thread }, inbox }
    }

    pub fn core(&self) -> PyResult<&Rc<Core>> {
        if self.owned.is_here() {
            return Ok(&self.owned.core);
        }
        Err(PyRuntimeError::new_err("a loop is used on the thread that made it"))
    }

    fn watch_as(&self, descriptor: i32, slot: Slot, callback: Py<PyAny>) -> PyResult<()> {
        self.core()?.watch(descriptor, slot, Rc::new(callback)).map_err(|error| std::io::Error::from(error).into())
    }
}

#[pymethods]
impl Loop {
    /// `before_wait`, the program's output or a callable, runs before each wait if something was printed since the last
    /// one.
    #[new]
    fn new(before_wait: &Bound<'_, PyAny>) -> Loop {
        Loop::of(Core::new(match before_wait.cast::<ProgramOutput>() {
            Ok(output) => BeforeWait::Output(output.get().0.clone()),
            Err(_) => BeforeWait::Python(before_wait.clone().unbind()),
        }))
    }

    /// Serve `engine`, whose native functions use this loop from now on; `entry` holds the functions that a turn calls.
    fn serve(&self, engine: &Engine, entry: &Bound<'_, JsObject>) -> PyResult<()> {
        let core = self.core()?;
        engine.share().check()?;
        core.serve(entry.get().0.enter(Functions::of)?);
        Ok(())
    }

    /// The number of pending things that keep the program alive.
    #[getter]
    fn get_references(&self) -> PyResult<i64> {
        Ok(self.core()?.references.get())
    }

    #[setter]
    fn set_references(&self, references: i64) -> PyResult<()> {
        self.core()?.references.set(references);
        Ok(())
    }

    /// Calls `callback` in the next turn; any thread may call this once `waker` was called.
    fn complete(&self, callback: Py<PyAny>) {
        if self.owned.is_here() {
            self.inbox.push(Task::Python(callback));
        } else {
            self.inbox.send(Task::Python(callback));
        }
    }

    /// A descriptor; writing a byte to it ends the wait.
    fn waker(&self) -> PyResult<i32> {
        self.core()?.waker()
    }

    /// Ends the next wait at once.
    fn wake(&self) {
        self.inbox.push(Task::Native(Box::new(|_| Ok(()))));
    }

    /// Writes buffered output before the next wait. May be called on any thread.
    fn flush_before_wait(&self) {
        self.inbox.wants_flush.store(true, std::sync::atomic::Ordering::Release);
    }

    /// Calls `callback` in each turn in which `descriptor` is readable or closed.
    fn watch(&self, descriptor: i32, callback: Py<PyAny>) -> PyResult<()> {
        self.watch_as(descriptor, Slot::Readable, callback)
    }

    fn unwatch(&self, descriptor: i32) -> PyResult<()> {
        self.core().map(|core| core.unwatch(descriptor, Slot::Readable))
    }

    /// Calls `callback` in each turn in which `descriptor` is writable or has lost its reader.
    fn watch_writable(&self, descriptor: i32, callback: Py<PyAny>) -> PyResult<()> {
        self.watch_as(descriptor, Slot::Writable, callback)
    }

    fn unwatch_writable(&self, descriptor: i32) -> PyResult<()> {
        self.core().map(|core| core.unwatch(descriptor, Slot::Writable))
    }

    /// Closes `descriptor` with the loop, if the process continues after it.
    fn own(&self, descriptor: i32) -> PyResult<()> {
        self.core().map(|core| core.own(descriptor))
    }

    /// Forget `descriptor`, which is about to be closed.
    fn disown(&self, descriptor: i32) -> PyResult<()> {
        self.core().map(|core| core.disown(descriptor))
    }

    /// Runs one turn: waits if there is something to wait for, and runs callbacks; False when the program is over.
    ///
    /// `alive` is whether JavaScript has something referenced pending, `delay_ms` when its next timer is due
    /// (negative for none).
    fn turn(&self, py: Python<'_>, alive: bool, delay_ms: f64) -> PyResult<bool> {
        let core = self.core()?;
        without_gil(py, || core.turn(alive, delay_ms))
    }

    /// Wait for the pool's work, and end its threads. With `leaves_addons`, native addons are not ended.
    #[pyo3(signature = (*, leaves_addons=false))]
    fn close(&self, py: Python<'_>, leaves_addons: bool) -> PyResult<()> {
        let core = self.core()?;
        if leaves_addons {
            core.forget_closers();
        }
        without_gil(py, || core.close());
        Ok(())
    }
}

/// What running a loop requires of the program.
pub trait Hooks {
    /// The task to run in the next turn when V8 has tasks.
    fn on_tasks(&self) -> Task;
}

/// Runs one engine's loop until nothing is pending or a promise is settled.
pub struct Turning<'a> {
    pub core: &'a Rc<Core>,
    pub functions: &'a Rc<Functions>,
    pub hooks: &'a dyn Hooks,
    pub until: Option<&'a Global>,
}

impl Turning<'_> {
    /// To be called without the GIL.
    pub fn run(&self) -> PyResult<()> {
        while !self.is_done()? {
            let (is_alive, delay_ms) = match self.state().enter(|scope| self.due(scope)) {
                Err(error) if is_stopped(&error) => {
                    self.core.continue_after_stop(Err(error))?;
                    continue;
                }
                due => due?,
            };
            if !self.core.turn(is_alive, delay_ms)? {
                break;
            }
            self.core.continue_after_stop(self.call(&self.functions.immediates))?;
        }
        Ok(())
    }

    fn state(&self) -> &State {
        &self.functions.state
    }

    fn call(&self, function: &Global) -> PyResult<()> {
        self.state().enter(|scope| scope.call(function.in_scope(scope)?, &[]).map(|_| ()))
    }

    fn is_done(&self) -> PyResult<bool> {
        let settled = |promise: &Global| promise.enter(|scope, promise| Ok(scope.is_settled(promise) == Some(true)));
        self.until.map_or(Ok(false), settled)
    }

    /// Runs the due timers; returns whether anything keeps the program alive, and when the loop must turn again.
    fn due(&self, scope: &Scope<'_>) -> PyResult<(bool, f64)> {
        let pending = scope.call(self.functions.timers.in_scope(scope)?, &[])?;
        let (is_alive, mut delay_ms) = unpack(scope.double(pending));
        let is_alive = is_alive || self.core.references.get() > 0 || scope.has_background_work();
        if delay_ms != 0.0 && is_alive && !self.core.is_woken_by_tasks.replace(true) {
            scope.state.wake_by(self.core.waker()?); // first, so that no task is missed
        }
        match scope.state.task_delay_ms() {
            Some(0.0) => {
                // A due task runs even if nothing else is left.
                self.core.inbox.push(self.hooks.on_tasks());
            }
            // A task that is due later does not keep the program alive.
            Some(due_ms) => delay_ms = if delay_ms >= 0.0 { delay_ms.min(due_ms) } else { due_ms },
            None => {}
        }
        Ok((is_alive, delay_ms))
    }
}

/// Unpacks the number of `js/internal/timers.js`: whether something referenced is pending, and the ms until the next
/// timer.
fn unpack(pending: f64) -> (bool, f64) {
    if pending >= -1.0 { (true, pending) } else { (false, -3.0 - pending) }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<Loop>(module)
}
