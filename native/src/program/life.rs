//! The life of one program, however it was started: main module, event loop, exit handlers, end.
//!
//!     begun --`run`: main module, then the loop until nothing is pending--> over --`end`: output, caches, children--> exit status
//!
//! What native code cannot do is asked of the program's provider (`provider`), which Python supplies. Native code owns the
//! order of events; the provider is called at fixed points of it.
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;

use super::commonjs;
use crate::children;
use crate::event_loop::{Core, Functions, Hooks, Output, Task, Turning};
use crate::modules::{Keepers, Question, Records, Table, Texts, link};
use crate::resolve;
use crate::transform::Options;
use crate::v8::promise;
use crate::v8::tasks;
use crate::v8::{self, Global, Local, ModuleData, Scope, State};

/// The status of a program whose top-level await nothing can settle.
const DEADLOCK_STATUS: i32 = 13;

/// What a life is made of.
pub struct Parts {
    pub state: Arc<State>,
    pub core: Rc<Core>,
    pub output: Arc<Output>,
    pub records: Arc<Records>,
    pub texts: Arc<Texts>,
    pub keepers: Arc<Keepers>,
    pub resolver: Arc<resolve::Engine>,
    pub options: Arc<Options>,
}

pub struct Life {
    /// The absolute path of the main file; empty for evaluated code.
    pub main: String,
    pub state: Arc<State>,
    pub core: Rc<Core>,
    pub output: Arc<Output>,
    pub records: Arc<Records>,
    pub texts: Arc<Texts>,
    pub table: Arc<Table>,
    /// The path of the snapshot that the engine was made from, where Python did not make it.
    pub snapshot: RefCell<Option<String>>,
    /// The runtime's object of functions that the host calls.
    pub entry: Global,
    pub resolver: Arc<resolve::Engine>,
    pub options: Arc<Options>,
    /// The files of CommonJS that were read here.
    pub required: RefCell<HashSet<String>>,
    /// CommonJS that was compiled to see whether it is.
    pub fitting: RefCell<HashMap<String, Global>>,
    /// The built-in modules that were imported: name, and the array of the names of its exports.
    pub builtins: RefCell<Vec<(String, Global)>>,
    /// Python's object, once it is attached.
    pub provider: RefCell<Option<Py<PyAny>>>,
    /// A debugger may listen: the provider hears of the first statement and of the end.
    pub is_debugged: Cell<bool>,
    /// The process ends with the program, so that native addons run no cleanup hooks where the program leaves by itself.
    leaves_addons: bool,
    /// The modules, with their promises, whose top-level await was pending when nothing was left to do.
    unsettled: RefCell<Vec<(Arc<ModuleData>, Global)>>,
}

impl Life {
    /// Make the life of the program of an engine; it can be found with `of` until the engine is closed.
    pub fn new(parts: Parts, main: String, leaves_addons: bool) -> PyResult<Rc<Life>> {
        let Parts { state, core, output, records, texts, keepers, resolver, options } = parts;
        let (entry, functions) = state.enter(|scope| {
            let entry = scope.get(scope.get(scope.global(), "__rt")?, "entry")?;
            Ok((scope.keep(entry), Functions::of(scope, entry)?))
        })?;
        core.serve(functions);
        let table = Arc::new(Table::new(state.clone(), records.clone(), texts.clone(), keepers));
        let life = Rc::new(Life {
            main,
            state,
            core,
            output,
            records,
            texts,
            table,
            snapshot: RefCell::default(),
            entry,
            resolver,
            options,
            required: RefCell::default(),
            fitting: RefCell::default(),
            builtins: RefCell::default(),
            provider: RefCell::default(),
            is_debugged: Cell::default(),
            leaves_addons,
            unsettled: RefCell::default(),
        });
        life.state.keep_program(life.clone());
        Ok(life)
    }

    /// The program of an engine.
    pub fn of(state: &State) -> Option<Rc<Life>> {
        state.program()
    }

    // --- from the main module to the end

    /// Run the main module, then the loop until nothing is pending; return the exit status.
    pub fn run(self: &Rc<Self>) -> PyResult<i32> {
        self.attempt(|| self.run_main())?;
        self.spin(None)?;
        while self.asks("beforeExit")? {
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
            self.warn_of_unsettled(unsettled)?; // any other status is one that the program has chosen
        }
        Ok(status)
    }

    fn is_alive(&self) -> PyResult<bool> {
        Ok(self.asks("isAlive")?
            || self.core.references.get() > 0
            || self.state.enter(|scope| Ok(scope.has_background_work()))?)
    }

    /// Do `action`; an error of it is the program's uncaught error.
    fn attempt(&self, action: impl FnOnce() -> PyResult<()>) -> PyResult<()> {
        match action() {
            Err(error) if self.state.exited().is_some() => return Err(error),
            Err(error) => self.tell_uncaught(error)?,
            Ok(()) => {}
        }
        self.invoke("drain")
    }

    /// Run the program's exit handlers and return its status.
    pub fn exit_status(&self, is_deadlock: bool) -> PyResult<i32> {
        let status = self.state.enter(|scope| {
            let status = if is_deadlock { scope.number(DEADLOCK_STATUS.into()) } else { scope.undefined() };
            let answer = scope.call(self.function(scope, "exit")?, &[status.handle()])?;
            Ok(scope.double(answer) as i32)
        });
        match (status, self.state.exited()) {
            (Err(_), Some(status)) => Ok(status), // a listener has called process.exit()
            (status, _) => status,
        }
    }

    /// Write out what the program printed and compiled, end its children, and return the exit status. `may_run`: JavaScript can
    /// still run.
    pub fn end(&self, outcome: PyResult<i32>, may_run: bool) -> PyResult<i32> {
        let ended = self.close_down(outcome, may_run).or_else(|error| self.explain_end(error, may_run));
        let released = if self.provider.borrow().is_some() { self.tell("release") } else { Ok(()) };
        children::end_guarded();
        released.and(ended)
    }

    fn close_down(&self, outcome: PyResult<i32>, may_run: bool) -> PyResult<i32> {
        let (status, has_left) = match (outcome, self.state.exited()) {
            (Ok(status), None) => (status, false),
            (_, Some(status)) => (status, true),
            (Err(error), None) if may_run => self.status_of(error)?,
            (Err(error), None) => return Err(error),
        };
        self.output.flush()?;
        self.table.keepers().keep(&self.state);
        v8::library_code::keep(&self.state);
        if self.is_debugged.get() {
            self.tell("end_debugging")?;
        }
        if has_left && self.leaves_addons {
            self.core.forget_closers();
        }
        self.core.close();
        Ok(status)
    }

    // --- the main module

    fn run_main(self: &Rc<Self>) -> PyResult<()> {
        if self.provider.borrow().is_some() {
            return self.tell("run_main");
        }
        let path = &self.main;
        let text = self.records.find(path, None).and_then(|record| record.transformed.clone());
        if let Some(text) = text.filter(|text| !text.is_module) {
            let has_run = self.state.enter(|scope| {
                if text.is_assumed && !commonjs::fits_commonjs(self, scope, path, &text) {
                    return Ok(false);
                }
                let name = scope.text(path.as_bytes()).ok_or_else(not_plain)?;
                scope.call(self.function(scope, "runMain")?, &[name.handle()]).map(|_| true)
            })?;
            return if has_run { Ok(()) } else { self.tell("run_main") };
        }
        let linked = self.state.enter(|scope| {
            let Some(root) = self.table.compile_plain(scope, path) else { return Ok(None) };
            let mut ask = |question: Question<'_>| self.answer(scope, &question);
            let linked = link(&self.table, scope, root.clone(), &mut ask).and_then(|()| v8::instantiate(scope, &root));
            match linked {
                // CommonJS has ended the program.
                Err(error) if self.state.exited().is_some() || v8::is_end(&error) => Err(error),
                linked => Ok(linked.is_ok().then_some(root)),
            }
        })?;
        match linked {
            Some(root) => self.evaluate(&root),
            None => self.tell("run_main"),
        }
    }

    /// Evaluate a linked module and turn the loop until it is done; what it throws is uncaught.
    pub fn evaluate(&self, module: &Arc<ModuleData>) -> PyResult<()> {
        if self.is_debugged.get() {
            self.tell("before_first")?;
        }
        let promise = self.state.enter(|scope| v8::evaluate(scope, module).map(|promise| scope.keep(promise)))?;
        if is_pending(&promise)? {
            self.invoke("turning")?;
        }
        self.invoke("drain")?;
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

    /// The module that a request means which is no plain file. Fails where Python has to look.
    pub fn answer(&self, scope: &Scope<'_>, question: &Question<'_>) -> PyResult<Arc<ModuleData>> {
        let found = match question.target {
            Some(target) => target.clone(),
            None => commonjs::found(self, &question.specifier, &question.importer.name, resolve::Kind::Import),
        };
        if let Some(path) = found.path.as_deref().filter(|_| found.query.is_empty()) {
            return commonjs::imported(self, scope, path, &question.attributes);
        }
        let name = found.builtin.filter(|_| question.attributes.is_empty()).ok_or_else(not_plain)?;
        self.builtin(scope, &name)
    }

    /// The module of a built-in one.
    pub fn builtin(&self, scope: &Scope<'_>, name: &str) -> PyResult<Arc<ModuleData>> {
        let label = format!("node:{name}");
        if let Some(known) = self.table.find(&label, None) {
            return Ok(known.module);
        }
        let id = scope.text(name.as_bytes()).ok_or_else(not_plain)?;
        let parts = scope.elements(scope.call(self.function(scope, "builtin")?, &[id.handle()])?);
        let [names, view] = parts[..] else { return Err(not_plain()) };
        let module = v8::module_of_view(scope, &label, &scope.elements(names), view)?;
        self.builtins.borrow_mut().push((name.to_owned(), scope.keep(names)));
        Ok(self.table.put(label, None, &module, None, false))
    }

    pub fn fill_meta(&self, scope: &Scope<'_>, name: &str, meta: Local<'_>) -> PyResult<bool> {
        let path = scope.text(name.as_bytes()).ok_or_else(not_plain)?;
        let (query, is_main) = (scope.text(b"").expect("a text"), scope.boolean(name == self.main));
        let arguments = [meta.handle(), path.handle(), query.handle(), is_main.handle()];
        scope.call(self.function(scope, "meta")?, &arguments)?;
        let common = scope.call(self.function(scope, "commonJsScope")?, &[path.handle(), is_main.handle()])?;
        scope.define_hidden(meta, "__commonjs", common);
        Ok(true)
    }

    // --- turning the loop

    /// Turn the loop until nothing is pending, or `until` is settled.
    fn spin(&self, until: Option<&Global>) -> PyResult<()> {
        let functions = self.core.functions().expect("served since it was made");
        Turning { core: &self.core, functions: &functions, hooks: self, until }.run()
    }

    /// Turn the loop until `promise` is settled, or nothing is pending that could settle it.
    pub fn settle(&self, promise: &Global) -> PyResult<()> {
        if !is_pending(promise)? {
            return Ok(());
        }
        self.invoke("drain")?;
        self.spin(Some(promise))
    }

    /// Run what V8 has to do: callbacks of FinalizationRegistry, of Atomics.waitAsync, garbage collection.
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

    // --- calling the runtime

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

/// Whether a value is a promise that is not settled.
fn is_pending(promise: &Global) -> PyResult<bool> {
    promise.enter(|scope, promise| Ok(scope.is_settled(promise) == Some(false)))
}

pub fn not_plain() -> PyErr {
    pyo3::exceptions::PyLookupError::new_err("Python has to look at it")
}
