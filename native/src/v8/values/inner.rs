//! The owner thread's part of an engine: the tables of its host, and what V8's callbacks need.
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;

use super::function::{HostFunction, HostOperation};
use super::scope::{Global, Local, Scope};
use super::slots::Slots;
use super::state::State;
use super::weak::Watch;
use crate::v8::api::Handle;

/// Decides, given the present limit in bytes, how to continue with a nearly full heap.
pub type NearHeapLimit = fn(&State, usize) -> Option<usize>;

/// The steps of closing an engine, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closing {
    /// The inspector and its sessions, which use everything else.
    Inspector,
    /// The task runner.
    Tasks,
    /// Microtask queues, which contexts use until then.
    Queues,
}

/// Closes a room's state of an engine.
pub type Closer = fn(&State);

/// Answers `import(specifier)` in the code of a referrer, with import attributes, by a promise.
pub type NativeImport = Rc<dyn for<'s> Fn(&Scope<'s>, &str, &str, Vec<(String, String)>) -> PyResult<Local<'s>>>;
/// Fills in the `import.meta` of a module.
pub type ImportMeta = Rc<dyn Fn(&Scope<'_>, &str, Local<'_>) -> PyResult<()>>;

/// The owner thread's part. Handles that are raw words here die with the isolate.
#[derive(Default)]
pub struct Inner {
    /// How many calls into JavaScript are on the stack.
    pub depth: Cell<u32>,
    /// Whether V8 is in an interrupt, so no JavaScript may run.
    pub is_interrupted: Cell<bool>,
    /// Whether the isolate stays entered, because none was current when it was created.
    pub is_resident: Cell<bool>,
    /// Whether a termination was requested that has not reached the outermost call.
    pub is_terminating: Cell<bool>,
    /// The exception of the outermost call when the termination reaches it.
    pub pending: RefCell<Option<PyErr>>,
    pub roots: Cell<Roots>,
    /// The persistent handles of `Global`s, while the heap is to be stored: it may have none then.
    pub globals: RefCell<Option<HashSet<usize>>>,
    pub functions: RefCell<Vec<Option<Rc<HostFunction>>>>,
    pub free_functions: RefCell<Vec<usize>>,
    /// For each of `functions`, the operation that needs no Python, if any.
    pub operations: RefCell<Vec<Option<HostOperation>>>,
    /// Names of the host functions: the first entries of `functions`.
    pub names: RefCell<Vec<String>>,
    pub resolve_host: RefCell<Option<Py<PyAny>>>,
    pub convert_exception: RefCell<Option<Py<PyAny>>>,
    pub on_abandoned: RefCell<Option<Py<PyAny>>>,
    pub on_import: RefCell<Option<Py<PyAny>>>,
    pub on_import_meta: RefCell<Option<Py<PyAny>>>,
    /// Fills in an `import.meta` while there is no `on_import_meta`.
    pub native_import_meta: RefCell<Option<ImportMeta>>,
    pub native_import: RefCell<Option<NativeImport>>,
    /// The exit status with which the program ended itself without Python.
    pub exiting: Cell<Option<i32>>,
    /// The same, once none of its JavaScript is on the stack.
    pub exited: Cell<Option<i32>>,
    /// State that higher rooms store with this engine.
    pub slots: Slots,
    /// Called when the engine closes, while its isolate still exists.
    pub closers: RefCell<BTreeMap<Closing, Closer>>,
    /// Asked when the heap is nearly full: the new limit, or None to terminate JavaScript.
    pub near_heap_limit: Cell<Option<NearHeapLimit>>,
    /// Whether a debugger or a profiler is attached.
    pub is_inspected: Cell<bool>,
    pub rejections: RefCell<Vec<super::promise::Note>>,
    pub promise_hooks: RefCell<super::promise_hooks::Hooks>,
    /// The function that makes the value of a lazy property.
    pub lazy_maker: RefCell<Option<Global>>,
    pub uncaught: RefCell<Vec<(usize, usize)>>,
    pub prepare_stack_trace: Cell<usize>,
    pub exception_key: Cell<usize>,
    pub exceptions: RefCell<HashMap<u32, Py<PyAny>>>,
    pub next_exception: Cell<u32>,
    pub watches: RefCell<HashMap<u64, Watch>>,
    pub next_watch: Cell<u64>,
    pub finalized: RefCell<Vec<Py<PyAny>>>,
    /// Holders of Python objects whose JavaScript side was collected: see `State::let_go`.
    pub let_go: RefCell<Vec<Box<dyn std::any::Any>>>,
    pub tasks: RefCell<Option<super::tasks::Watch>>,
    /// The event loop, for the host's native functions.
    pub beside: RefCell<Option<Rc<dyn std::any::Any>>>,
    /// The program that runs in the engine.
    pub program: RefCell<Option<Rc<dyn std::any::Any>>>,
    /// The loaded texts and their source maps.
    pub texts: RefCell<Option<Arc<dyn std::any::Any + Send + Sync>>>,
    /// The shared data of native addons.
    pub addons: RefCell<Option<Rc<dyn std::any::Any>>>,
}

impl Inner {
    /// Notes a new persistent handle of a `Global`.
    pub fn note_global(&self, handle: Handle) {
        if let Some(globals) = self.globals.borrow_mut().as_mut() {
            globals.insert(handle as usize);
        }
    }

    /// Forgets one that is released.
    pub fn forget_global(&self, handle: Handle) {
        if let Some(globals) = self.globals.borrow_mut().as_mut() {
            globals.remove(&(handle as usize));
        }
    }

    /// Releases everything; the engine is no longer used.
    pub fn let_everything_go(&self) {
        self.functions.take();
        self.names.take();
        self.resolve_host.take();
        self.convert_exception.take();
        self.on_abandoned.take();
        self.on_import.take();
        self.on_import_meta.take();
        self.native_import_meta.take();
        self.native_import.take();
        self.promise_hooks.take();
        self.lazy_maker.take();
        self.exceptions.take();
        self.watches.take();
        self.finalized.take();
        self.let_go.take();
        self.pending.take();
        self.slots.clear();
        self.beside.take();
        self.program.take();
        self.texts.take();
        self.addons.take();
    }
}

/// The tagged words of the read-only roots, which never move.
#[derive(Default, Clone, Copy)]
pub struct Roots {
    pub undefined: usize,
    pub null: usize,
    pub yes: usize,
    pub no: usize,
}
