//! The life of one program, however it was started: main module, event loop, exit handlers, end.
//!
//!     begun --`run`: main module, then the loop until nothing is pending--> over --`end`: output, caches, children--> exit status
//!
//! The program's provider (`provider`), which Python supplies, does what native code cannot. Native code owns the order of
//! events and calls the provider at fixed points of it.
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;

use super::deferred::Deferred;
use super::loader::{Loader, is_inline};
use super::reading::Traits;
use super::{commonjs, compile_cache, repl};
use crate::children;
use crate::event_loop::{Core, Functions, Hooks, Output, Task, Turning};
use crate::interpreter;
use crate::modules::{CodeCaches, Records, Table, Texts};
use crate::resolve;
use crate::transform::Options;
use crate::v8::promise;
use crate::v8::tasks;
use crate::v8::{self, Global, Local, ModuleData, Scope, State};

/// The exit status of a program whose top-level await will never settle.
const DEADLOCK_STATUS: i32 = 13;

/// The parts of a life.
pub struct Parts {
    pub state: Arc<State>,
    pub core: Rc<Core>,
    pub output: Arc<Output>,
    pub records: Arc<Records>,
    pub texts: Arc<Texts>,
    pub code_caches: Arc<CodeCaches>,
    pub resolver: Arc<resolve::Engine>,
    pub options: Arc<Options>,
    pub traits: Traits,
}

/// A module and the one around it that also exports `__esModule`.
type RequiredModule = (Arc<ModuleData>, Arc<ModuleData>);

pub struct Life {
    /// The absolute path of the main file; empty for evaluated code.
    pub main: String,
    pub state: Arc<State>,
    pub core: Rc<Core>,
    pub output: Arc<Output>,
    pub records: Arc<Records>,
    pub texts: Arc<Texts>,
    /// The path of the snapshot that the engine was made from, unless Python made the engine.
    pub snapshot: RefCell<Option<String>>,
    /// The runtime's object of functions for the host.
    pub entry: Global,
    resolver: RefCell<Arc<resolve::Engine>>,
    options: RefCell<Arc<Options>>,
    pub traits: Traits,
    /// The loader of the program, and that of its macros.
    loaders: RefCell<Vec<Rc<Loader>>>,
    /// The working folder at the start, with a slash.
    folder: String,
    /// The path of the main module, which evaluated code has too.
    pub main_name: RefCell<String>,
    /// The CommonJS files that were required.
    pub required: RefCell<HashSet<String>>,
    /// Files that were assumed to be CommonJS without parsing, and are.
    pub fits: RefCell<HashSet<String>>,
    /// The functions compiled from them to find out, until they run.
    pub fitting: RefCell<HashMap<String, Global>>,
    /// The modules that were required, and those around them that also export `__esModule`.
    pub facades: RefCell<HashMap<*const ModuleData, RequiredModule>>,
    /// The names of the modules whose imports are being linked, the outermost first, if the program sees Node only.
    pub linking: RefCell<Vec<String>>,
    pub deferred: Deferred,
    /// Python's object, once it is attached.
    pub provider: RefCell<Option<Py<PyAny>>>,
    /// A debugger may listen, so the provider is called before the first statement and at the end.
    pub is_debugged: Cell<bool>,
    /// The process ends with the program, so cleanup hooks of native addons are skipped after `process.exit`.
    leaves_addons: bool,
    /// The modules, with their promises, whose top-level await was pending when nothing was left to do.
    unsettled: RefCell<Vec<(Arc<ModuleData>, Global)>>,
}

impl Life {
    /// Creates the life of an engine's program, which `of` returns until the engine is closed.
    pub fn new(parts: Parts, main: String, leaves_addons: bool) -> PyResult<Rc<Life>> {
        let Parts { state, core, output, records, texts, code_caches, resolver, options, traits } = parts;
        let (entry, functions) = state.enter(|scope| {
            let entry = scope.get(scope.get(scope.global(), "__rt")?, "entry")?;
            Ok((scope.keep(entry), Functions::of(scope, entry)?))
        })?;
        core.serve(functions);
        state.offer(commonjs::OPERATIONS);
        state.offer(compile_cache::OPERATIONS);
        state.offer(repl::OPERATIONS);
        let table = Arc::new(Table::new(state.clone(), records.clone(), texts.clone(), code_caches, traits.is_node));
        table.ask_always(traits.asks_always());
        let loader = Loader::new(table, 0, traits.is_hot);
        let life = Rc::new(Life {
            folder: std::env::current_dir().map_or_else(|_| "/".to_owned(), |folder| format!("{}/", folder.display())),
            main_name: RefCell::new(main.clone()),
            main,
            state,
            core,
            output,
            records,
            texts,
            snapshot: RefCell::default(),
            entry,
            resolver: RefCell::new(resolver),
            options: RefCell::new(options),
            traits,
            loaders: RefCell::new(vec![loader]),
            required: RefCell::default(),
            fits: RefCell::default(),
            fitting: RefCell::default(),
            facades: RefCell::default(),
            linking: RefCell::default(),
            deferred: Deferred::default(),
            provider: RefCell::default(),
            is_debugged: Cell::default(),
            leaves_addons,
            unsettled: RefCell::default(),
        });
        life.state.keep_program(life.clone());
        life.answer_engine();
        Ok(life)
    }

    /// The program of an engine.
    pub fn of(state: &State) -> Option<Rc<Life>> {
        state.program()
    }

    // --- from the main module to the end

    /// Runs the main module, then the loop until nothing is pending; returns the exit status.
    pub fn run(self: &Rc<Self>) -> PyResult<i32> {
        self.attempt(|| self.run_main())?;
        if self.traits.is_hot {
            self.call("begin_hot")?;
        }
        self.spin(None)?;
        while self.wants_more()? {
            if !self.is_alive()? && self.state.task_delay_ms() != Some(0.0) {
                break;
            }
            self.spin(None)?;
        }
        let unsettled = self.unsettled.take().into_iter().filter(|(_, promise)| is_pending(promise).unwrap_or(false));
        let unsettled: Vec<_> = unsettled.map(|(module, _)| module).collect();
        let is_deadlock = !unsettled.is_empty();
        let status = self.exit_status(is_deadlock)?;
        if is_deadlock && status == DEADLOCK_STATUS {
            self.warn_of_unsettled(unsettled)?; // the program has set any other status itself
        }
        Ok(status)
    }

    /// Calls the listeners of `beforeExit`; returns whether more work may be pending.
    fn wants_more(&self) -> PyResult<bool> {
        match self.asks("beforeExit") {
            Err(error) if v8::is_stopped(&error) => self.core.continue_after_stop(Err(error)).map(|()| true),
            answer => answer,
        }
    }

    fn is_alive(&self) -> PyResult<bool> {
        Ok(self.asks("isAlive")?
            || self.core.references.get() > 0
            || self.state.enter(|scope| Ok(scope.has_background_work()))?)
    }

    /// Calls `action`; an error of it is an uncaught error of the program.
    fn attempt(&self, action: impl FnOnce() -> PyResult<()>) -> PyResult<()> {
        match action() {
            Err(error) if self.is_over() => return Err(error),
            Err(error) if v8::is_stopped(&error) => return self.core.continue_after_stop(Err(error)),
            Err(error) => self.report_uncaught(error)?,
            Ok(()) => {}
        }
        self.invoke("drain")
    }

    /// Runs the program's exit handlers and returns its status.
    pub fn exit_status(&self, is_deadlock: bool) -> PyResult<i32> {
        let status = self.state.enter(|scope| {
            let status = if is_deadlock { scope.number(DEADLOCK_STATUS.into()) } else { scope.undefined() };
            let answer = scope.call(self.function(scope, "exit")?, &[status.handle()])?;
            Ok(scope.double(answer) as i32)
        });
        match (status, self.state.exited()) {
            (Err(_), Some(status)) => Ok(status), // a listener has called process.exit()
            (Err(error), None) if v8::is_stopped(&error) => Ok(0), // a debugger has ended the listeners
            (status, _) => status,
        }
    }

    /// Writes the program's output and compiled code, ends its children, and returns the exit status. `may_run` is whether
    /// JavaScript can still run.
    pub fn end(&self, outcome: PyResult<i32>, may_run: bool) -> PyResult<i32> {
        let ended = self.close_down(outcome, may_run).or_else(|error| self.explain_end(error, may_run));
        let released = if self.provider.borrow().is_some() { self.call("release") } else { Ok(()) };
        children::end_guarded();
        released.and(ended)
    }

    fn close_down(&self, outcome: PyResult<i32>, may_run: bool) -> PyResult<i32> {
        let (status, has_left) = match (outcome, self.state.exited()) {
            (Ok(status), None) => (status, false),
            (_, Some(status)) => (status, true),
            (Err(error), None) if may_run || is_exit(&error) => self.status_of(error)?,
            (Err(error), None) => return Err(error),
        };
        self.output.flush()?;
        self.table().code_caches().save(&self.state);
        v8::library_code::keep(&self.state);
        if self.is_debugged.get() {
            self.call("end_debugging")?;
        }
        if has_left && self.leaves_addons {
            self.core.forget_closers();
        }
        self.core.close();
        Ok(status)
    }

    // --- the main module

    fn run_main(&self) -> PyResult<()> {
        if self.is_debugged.get() {
            self.call("ready_to_run")?;
        }
        if self.main.is_empty() {
            // Begun without Python, it is the REPL, which its start values have scheduled.
            return if self.provider.borrow().is_some() { self.call("run_code") } else { Ok(()) };
        }
        let module = self.state.enter(|scope| {
            if is_inline(&self.main) {
                return self.ready_target(&self.loader(), scope, &self.main, &self.working_folder(), &[]).map(Some);
            }
            let has_preloads = self.traits.has_preloads;
            if has_preloads {
                let name = self.text(scope, &self.main)?;
                let answer = scope.call(self.function(scope, "runsOwnMain")?, &[name.handle()])?;
                if scope.is_true(answer) {
                    return Ok(None);
                }
            }
            self.report_config(&self.main)?;
            self.load_main(scope, &self.main, false, has_preloads)
        })?;
        module.map_or(Ok(()), |module| self.evaluate(&module))
    }

    /// Evaluates a linked module and turns the loop until it is done; its exceptions are uncaught.
    pub fn evaluate(&self, module: &Arc<ModuleData>) -> PyResult<()> {
        if self.is_debugged.get() {
            self.call("before_first")?;
        }
        let promise = self.state.enter(|scope| v8::evaluate(scope, module).map(|promise| scope.keep(promise)))?;
        if is_pending(&promise)? {
            self.invoke("turning")?;
        }
        self.invoke("drainAfterModule")?;
        if is_pending(&promise)? {
            self.spin(Some(&promise))?;
        }
        if is_pending(&promise)? {
            self.unsettled.borrow_mut().push((module.clone(), promise));
            return Ok(());
        }
        self.state.enter(|scope| match scope.rejection(promise.in_scope(scope)?) {
            Some(reason) => {
                let origin = scope.text(b"unhandledRejection").expect("a short text");
                scope.call(self.function(scope, "uncaught")?, &[reason.handle(), origin.handle()]).map(|_| ())
            }
            None => {
                let namespace = v8::namespace(scope, module)?;
                scope.call(self.function(scope, "serveDefault")?, &[namespace.handle()]).map(|_| ())
            }
        })
    }

    // --- turning the loop

    /// Turns the loop until nothing is pending, or `until` is settled.
    fn spin(&self, until: Option<&Global>) -> PyResult<()> {
        let functions = self.core.functions().expect("served since it was made");
        Turning { core: &self.core, functions: &functions, hooks: self, until }.run()
    }

    /// Turns the loop until `promise` is settled, or nothing is pending that could settle it.
    pub fn settle(&self, promise: &Global) -> PyResult<()> {
        if !is_pending(promise)? {
            return Ok(());
        }
        self.invoke("drain")?;
        self.spin(Some(promise))
    }

    /// Runs V8's tasks: callbacks of FinalizationRegistry and Atomics.waitAsync, garbage collection.
    fn run_tasks(&self) -> PyResult<()> {
        while self.state.enter(tasks::pump)? {
            self.state.enter(|scope| {
                for value in promise::take_uncaught_values(scope) {
                    scope.call(self.function(scope, "uncaught")?, &[value.handle()])?;
                }
                Ok(())
            })?;
            self.invoke("drain")?;
        }
        Ok(())
    }

    // --- the loader

    /// The working folder with a slash, from which code without a file is resolved.
    pub fn working_folder(&self) -> String {
        match std::env::current_dir() {
            Ok(folder) => format!("{}/", folder.display()),
            Err(_) => self.folder.clone(), // it was removed
        }
    }

    pub fn loader(&self) -> Rc<Loader> {
        self.loaders.borrow()[0].clone()
    }

    pub fn table(&self) -> Arc<Table> {
        self.loaders.borrow()[0].table.clone()
    }

    /// Returns a loader by its number; macros have a separate one.
    pub fn find_loader(&self, number: usize) -> Rc<Loader> {
        let mut loaders = self.loaders.borrow_mut();
        while loaders.len() <= number {
            let code_caches = loaders[0].table.code_caches().clone();
            let table = Table::new(
                self.state.clone(),
                self.records.clone(),
                self.texts.clone(),
                code_caches,
                self.traits.is_node,
            );
            let loader = Loader::new(Arc::new(table), loaders.len(), false);
            loaders.push(loader);
        }
        loaders[number].clone()
    }

    pub fn resolver(&self) -> Arc<resolve::Engine> {
        self.resolver.borrow().clone()
    }

    pub fn options(&self) -> Arc<Options> {
        self.options.borrow().clone()
    }

    /// Changes how files are resolved and transformed from now on.
    pub fn change_files(&self, resolver: Arc<resolve::Engine>, options: Arc<Options>) {
        self.resolver.replace(resolver);
        self.options.replace(options);
    }

    /// Returns whether the program is ending, so that no JavaScript may run after a failure.
    pub fn is_over(&self) -> bool {
        self.state.exited().is_some() || self.state.is_ending()
    }

    // --- calling the runtime

    pub fn text<'s>(&self, scope: &Scope<'s>, text: &str) -> PyResult<Local<'s>> {
        scope.text(text.as_bytes()).ok_or_else(|| pyo3::exceptions::PyMemoryError::new_err("a text is too long"))
    }

    pub fn function<'s>(&self, scope: &Scope<'s>, name: &str) -> PyResult<Local<'s>> {
        scope.get(self.entry.in_scope(scope)?, name)
    }

    pub fn invoke(&self, name: &str) -> PyResult<()> {
        self.state.enter(|scope| scope.call(self.function(scope, name)?, &[]).map(|_| ()))
    }

    fn asks(&self, name: &str) -> PyResult<bool> {
        self.state.enter(|scope| {
            let answer = scope.call(self.function(scope, name)?, &[])?;
            Ok(scope.is_true(answer))
        })
    }
}

impl Hooks for Life {
    fn on_tasks(&self) -> Task {
        let state = Arc::downgrade(&self.state);
        Task::Native(Box::new(move |_| {
            let life = state.upgrade().and_then(|state| Life::of(&state));
            life.map_or(Ok(()), |life| life.run_tasks())
        }))
    }
}

/// Returns whether a value is a pending promise.
fn is_pending(promise: &Global) -> PyResult<bool> {
    promise.enter(|scope, promise| Ok(scope.is_settled(promise) == Some(false)))
}

/// Returns whether `error` is the program's own exit, after which no JavaScript runs.
fn is_exit(error: &PyErr) -> bool {
    interpreter::attach(|py| error.is_instance_of::<PySystemExit>(py))
}
