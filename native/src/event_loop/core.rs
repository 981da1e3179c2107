//! One loop: its watchers, the order of a turn, and what keeps the program alive.
//!
//! A turn waits, then runs completions in their order, then the watchers of ready descriptors; watchers in the `Last`
//! slot come after all others. Watchers are level-triggered: one that leaves data unread is called again. A loop is
//! used on one thread, and holds no borrow during a callback.
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use pyo3::ffi;
use pyo3::prelude::*;
use rt_wire::debug_log;

use crate::interpreter;

use super::functions::Functions;
use super::inbox::{Inbox, Task};
use super::output::Output;
use super::owned_descriptors::{Listener, OwnedDescriptors};
use super::poller::{Poller, READABLE, Ready, WRITABLE};
use super::pool::Pool;
use super::streams::Streams;
use crate::v8::api::allocator;
use crate::v8::heap::statistics;

/// The callback for a descriptor that is ready.
pub trait Watcher {
    fn ready(&self, core: &Rc<Core>) -> PyResult<()>;
}

impl Watcher for Py<PyAny> {
    fn ready(&self, _core: &Rc<Core>) -> PyResult<()> {
        interpreter::attach(|py| self.call0(py).map(|_| ()))
    }
}

impl<F: Fn(&Rc<Core>) -> PyResult<()>> Watcher for F {
    fn ready(&self, core: &Rc<Core>) -> PyResult<()> {
        self(core)
    }
}

/// The condition that a watcher waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    Readable,
    Writable,
    /// Readable, but called after all others of a turn.
    Last,
}

/// The phase of each turn in which a watcher is called (`join_turns`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Before the wait, which does not block.
    Idle,
    /// Before the wait.
    Prepare,
    /// After everything else in the turn.
    Check,
}

/// A number, a phase, and the watcher to call in that phase of every turn.
type InEachTurn = (usize, Phase, Rc<dyn Watcher>);

/// The watchers of one descriptor.
#[derive(Default)]
struct Entry {
    registration: u32,
    waits_for: u8,
    watchers: [Option<Rc<dyn Watcher>>; 3],
}

/// What to run before a wait if something was printed since the last one.
pub enum BeforeWait {
    Output(Arc<Output>),
    Python(Py<PyAny>),
}

pub struct Core {
    pub inbox: Arc<Inbox>,
    /// The number of pending things that keep the program alive.
    pub references: Cell<i64>,
    pub(super) poller: Poller,
    entries: RefCell<HashMap<i32, Entry>>,
    next_registration: Cell<u32>,
    waker: Cell<i32>,
    /// Delivers signals to the program (`system/signals.rs`).
    pub signals: RefCell<Option<Rc<dyn Watcher>>>,
    pub is_woken_by_tasks: Cell<bool>,
    pub functions: RefCell<Option<Rc<Functions>>>,
    before_wait: BeforeWait,
    deferred: RefCell<VecDeque<Rc<dyn Watcher>>>,
    /// In ascending order of their numbers.
    each_turn: RefCell<Vec<InEachTurn>>,
    pool: RefCell<Pool>,
    pub streams: Streams,
    /// Run when the program is over: the pool's work is done, and JavaScript can still be called.
    closers: RefCell<Vec<Closer>>,
    /// The descriptors to close with the loop; not set if the process ends with it.
    pub owned_descriptors: OnceCell<Arc<OwnedDescriptors>>,
    pub oddities: RefCell<Option<Listener>>,
    pub collection_watcher: super::collections::WatcherNumber,
}

pub type Closer = Box<dyn FnOnce(&Rc<Core>)>;

impl Core {
    pub fn new(before_wait: BeforeWait) -> Rc<Core> {
        let inbox = Arc::new(Inbox::new());
        if let BeforeWait::Output(output) = &before_wait {
            output.serve(&inbox);
        }
        Rc::new(Core {
            inbox,
            references: Cell::new(0),
            poller: Poller::default(),
            entries: RefCell::default(),
            next_registration: Cell::new(0),
            waker: Cell::new(-1),
            signals: RefCell::default(),
            is_woken_by_tasks: Cell::new(false),
            functions: RefCell::default(),
            before_wait,
            deferred: RefCell::default(),
            each_turn: RefCell::default(),
            pool: RefCell::default(),
            streams: Streams::default(),
            closers: RefCell::default(),
            owned_descriptors: OnceCell::new(),
            oddities: RefCell::default(),
            collection_watcher: Cell::default(),
        })
    }

    /// A descriptor; writing a byte to it ends the wait.
    pub fn waker(&self) -> PyResult<i32> {
        let (read, write) = self.inbox.pipe().map_err(std::io::Error::from)?;
        if self.waker.replace(read) != read {
            const OF_THE_WAKER: u32 = 0;
            self.poller.set(read, OF_THE_WAKER, 0, READABLE).map_err(std::io::Error::from)?;
        }
        Ok(write)
    }

    /// Calls `watcher` in the next turn.
    pub fn complete(&self, watcher: Rc<dyn Watcher>) {
        self.deferred.borrow_mut().push_back(watcher);
        self.inbox.push(Task::Native(Box::new(|core| {
            let watcher = core.deferred.borrow_mut().pop_front();
            watcher.map_or(Ok(()), |watcher| watcher.ready(core))
        })));
    }

    /// Calls `watcher` in every turn, until `leave_turns` with the returned number, which is never zero.
    pub fn join_turns(&self, phase: Phase, watcher: Rc<dyn Watcher>) -> usize {
        let mut all = self.each_turn.borrow_mut();
        let number = all.last().map_or(1, |(last, ..)| last + 1);
        all.push((number, phase, watcher));
        number
    }

    pub fn leave_turns(&self, number: usize) {
        self.each_turn.borrow_mut().retain(|(known, ..)| *known != number);
    }

    fn call_each(self: &Rc<Self>, phase: Phase) -> PyResult<()> {
        let known = |all: &[InEachTurn]| {
            all.iter().filter(|(_, when, _)| *when == phase).map(|(.., watcher)| watcher.clone()).collect::<Vec<_>>()
        };
        if self.each_turn.borrow().is_empty() {
            return Ok(());
        }
        let watchers = known(&self.each_turn.borrow());
        watchers.into_iter().try_for_each(|watcher| self.continue_after_stop(watcher.ready(self)))
    }

    fn is_spinning(&self) -> bool {
        self.each_turn.borrow().iter().any(|(_, phase, _)| *phase == Phase::Idle)
    }

    pub fn refer(&self, change: i64) {
        self.references.set(self.references.get() + change);
    }

    /// Runs `job` on a thread of the pool; it may send to the inbox.
    pub fn submit(&self, job: super::pool::Job) -> PyResult<()> {
        self.waker()?;
        self.pool.borrow_mut().submit(job);
        Ok(())
    }

    /// Calls `closer` when the loop is closed.
    pub fn at_close(&self, closer: Closer) {
        self.closers.borrow_mut().push(closer);
    }

    pub fn forget_closers(&self) {
        std::mem::forget(self.closers.take());
    }

    /// Wait for the pool's work, drop its results, and end its threads.
    pub fn close(self: &Rc<Self>) {
        let mut pool = std::mem::take(&mut *self.pool.borrow_mut());
        pool.close();
        for closer in self.closers.take() {
            closer(self);
        }
        self.close_owned();
        super::mailboxes::forget(self);
    }

    // --- Descriptors.

    pub fn watch(&self, descriptor: i32, slot: Slot, watcher: Rc<dyn Watcher>) -> rustix::io::Result<()> {
        let old = {
            let mut entries = self.entries.borrow_mut();
            let entry = entries.entry(descriptor).or_default();
            entry.watchers[slot as usize].replace(watcher)
        };
        drop(old);
        let outcome = self.register(descriptor);
        if outcome.is_err() {
            self.unwatch(descriptor, slot);
        }
        outcome
    }

    pub fn unwatch(&self, descriptor: i32, slot: Slot) {
        let watcher = match self.entries.borrow_mut().get_mut(&descriptor) {
            Some(entry) => entry.watchers[slot as usize].take(),
            None => return,
        };
        if watcher.is_some() {
            let _ = self.register(descriptor);
        }
    }

    pub fn is_watched(&self, descriptor: i32, slot: Slot) -> bool {
        self.watcher(descriptor, slot).is_some()
    }

    fn watcher(&self, descriptor: i32, slot: Slot) -> Option<Rc<dyn Watcher>> {
        self.entries.borrow().get(&descriptor)?.watchers[slot as usize].clone()
    }

    fn register(&self, descriptor: i32) -> rustix::io::Result<()> {
        let mut entries = self.entries.borrow_mut();
        let Some(entry) = entries.get_mut(&descriptor) else { return Ok(()) };
        let [readable, writable, last] = &entry.watchers;
        let mut interest = 0;
        if readable.is_some() || last.is_some() {
            interest |= READABLE;
        }
        if writable.is_some() {
            interest |= WRITABLE;
        }
        let was = std::mem::replace(&mut entry.waits_for, interest);
        if was == 0 && interest != 0 {
            let next = self.next_registration.get().wrapping_add(1).max(1);
            self.next_registration.set(next);
            entry.registration = next;
        }
        let registration = entry.registration;
        if interest == 0 {
            entries.remove(&descriptor);
        }
        drop(entries);
        if was == interest { Ok(()) } else { self.poller.set(descriptor, registration, was, interest) }
    }

    /// Calls the watcher that reads `descriptor`, if there is one.
    pub fn notify_reader(self: &Rc<Self>, descriptor: i32) -> PyResult<()> {
        self.watcher(descriptor, Slot::Readable).map_or(Ok(()), |watcher| watcher.ready(self))
    }

    // --- Turns.

    /// Runs one turn: waits if there is something to wait for, and runs what is ready; false when the program is over.
    ///
    /// `is_alive` returns whether JavaScript has something referenced pending, `delay_ms` when its next timer is due
    /// (negative for none). Called without the GIL.
    pub fn turn(self: &Rc<Self>, is_alive: bool, delay_ms: f64) -> PyResult<bool> {
        let is_idle = self.inbox.is_empty();
        if !is_alive && is_idle && self.references.get() <= 0 {
            self.inbox.times.end();
            return Ok(false);
        }
        self.inbox.times.turn();
        self.call_each(Phase::Idle)?;
        self.call_each(Phase::Prepare)?;
        self.flush()?;
        if allocator::should_collect()
            && let Some(functions) = self.functions()
        {
            functions.state.enter(|scope| {
                statistics::collect_young(scope);
                Ok(())
            })?;
        }
        let timeout_ms = match () {
            () if !is_idle || self.is_spinning() || !self.inbox.is_empty() => 0,
            () if delay_ms < 0.0 => i64::MAX,
            () => delay_ms.ceil().min(1e12) as i64,
        };
        let ready = match self.wait(timeout_ms) {
            Ok(ready) => ready,
            Err(rustix::io::Errno::INTR) => {
                self.check_signals()?;
                Vec::new()
            }
            Err(error) => return Err(std::io::Error::from(error).into()),
        };
        debug_log!(Loop, "turn: {} descriptors ready, {} references", ready.len(), self.references.get());
        if ready.iter().any(|each| each.descriptor == self.waker.get()) {
            self.inbox.drain(self.waker.get());
            let signals = self.signals.borrow().clone();
            signals.map_or(Ok(()), |signals| signals.ready(self))?;
        }
        self.run(self.inbox.take())?;
        self.dispatch(&ready)?;
        self.call_each(Phase::Check)?;
        Ok(true)
    }

    /// Writes the program's buffered output, if there is any.
    pub fn flush(&self) -> PyResult<()> {
        if !self.inbox.wants_flush.swap(false, Ordering::AcqRel) {
            return Ok(());
        }
        match &self.before_wait {
            BeforeWait::Output(output) => output.flush(),
            BeforeWait::Python(callback) => interpreter::attach(|py| callback.call0(py).map(|_| ())),
        }
    }

    /// The program's output, if this loop writes it.
    pub fn output(&self) -> Option<&Arc<Output>> {
        match &self.before_wait {
            BeforeWait::Output(output) => Some(output),
            BeforeWait::Python(_) => None,
        }
    }

    /// Runs Python's signal handlers.
    fn check_signals(&self) -> PyResult<()> {
        if interpreter::is_missing() {
            return Ok(()); // no handler is installed
        }
        interpreter::attach(|py| {
            // SAFETY: attached to Python; runs the handlers of pending signals if this is the main thread.
            if unsafe { ffi::PyErr_CheckSignals() } != 0 { Err(PyErr::fetch(py)) } else { Ok(()) }
        })
    }

    fn run(self: &Rc<Self>, tasks: VecDeque<Task>) -> PyResult<()> {
        for task in tasks {
            match task {
                Task::Python(callback) => {
                    self.continue_after_stop(interpreter::attach(|py| callback.call0(py).map(|_| ())))?;
                }
                Task::Native(task) => self.continue_after_stop(task(self))?,
            }
        }
        Ok(())
    }

    fn dispatch(self: &Rc<Self>, ready: &[Ready]) -> PyResult<()> {
        let mut last: Vec<&Ready> = Vec::new();
        for each in ready {
            if self.is_watched(each.descriptor, Slot::Last) {
                last.push(each);
            } else if each.what & READABLE != 0 {
                self.notify(each, Slot::Readable)?;
            }
            if each.what & WRITABLE != 0 {
                self.notify(each, Slot::Writable)?;
            }
        }
        last.into_iter().try_for_each(|each| self.notify(each, Slot::Last))
    }

    fn notify(self: &Rc<Self>, ready: &Ready, slot: Slot) -> PyResult<()> {
        let watcher = {
            let entries = self.entries.borrow();
            let entry = entries.get(&ready.descriptor).filter(|entry| entry.registration == ready.registration);
            entry.and_then(|entry| entry.watchers[slot as usize].clone()) // an earlier watcher may have closed it
        };
        watcher.map_or(Ok(()), |watcher| self.continue_after_stop(watcher.ready(self)))
    }
}
