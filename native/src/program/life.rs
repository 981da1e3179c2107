//! The life of one program without Python: its engine, its modules, its loop, its end.
//!
//! What is not plain is Python's: before the first line of the program runs, `run` gives the process up to the interpreter;
//! later, whoever needs Python has it started (`adoption`), and this goes on.
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;

use super::adoption;
use super::commonjs;
use super::compile_cache;
use super::entrance::CommandLine;
use super::imports;
use super::kept::{self, Kept};
use super::start_values::start_values;
use crate::children;
use crate::event_loop::{BeforeWait, Core, Functions, Hooks, Output, Task, Turning};
use crate::interpreter;
use crate::modules::{Keepers, KeptCode, Question, Records, Table, Texts, link};
use crate::resolve::{self, folder_of};
use crate::transform::Options;
use crate::v8::{self, Global, Local, ModuleData, Scope, State, ahead, early, promise, tasks};

/// Variables with which a program is Python's: resolving looks in further folders, V8's code is kept.
const NEEDING_PYTHON: [&str; 2] = ["NODE_PATH", "NODE_COMPILE_CACHE"];
/// The status of a program whose top-level await nothing can settle.
const DEADLOCK_STATUS: i32 = 13;

pub struct Life {
    pub kept: Kept,
    pub line: CommandLine,
    pub state: Arc<State>,
    pub core: Rc<Core>,
    pub output: Arc<Output>,
    pub records: Arc<Records>,
    pub texts: Arc<Texts>,
    pub table: Arc<Table>,
    pub snapshot: String,
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
    /// Python's half, once it is there.
    pub worker: RefCell<Option<Py<PyAny>>>,
}

thread_local! {
    static LIFE: RefCell<Option<Rc<Life>>> = const { RefCell::new(None) };
}

/// The program of this thread.
pub fn current() -> Option<Rc<Life>> {
    LIFE.with_borrow(Clone::clone)
}

/// Run the program that the launcher wants run and return its exit status; None where nothing was done, and Python runs it.
pub fn run(line: CommandLine) -> Option<i32> {
    let descriptor = early::take_program()?;
    let line = line.copied(); // a program that changes its title writes over the words
    let kept = Kept::read(descriptor, &line.read())?;
    let resolver = Arc::new(resolve::Engine::plain(kept.builtins.clone()));
    let production = std::env::var_os("NODE_ENV").is_some_and(|it| it == "production");
    let options = Arc::new(Options { production, ..Options::default() });
    if NEEDING_PYTHON.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty())) {
        return None;
    }
    let records = Arc::new(Records::default());
    if !records.begin(kept.entry.clone(), resolver.clone(), options.clone()) {
        return None;
    }
    if !is_plain(&records, &kept, &resolver) {
        interpreter::tell_need("a file is not plain");
        kept.note_need(kept::ALWAYS);
        return None;
    }
    let snapshot = ahead::wait()?;
    take_usual_signals();
    children::is_guarded_by(&kept.called);
    let fresh = ahead::take_made()?;
    interpreter::do_without(adoption::start, leave);
    let Ok(life) = Life::new(kept, line, fresh, snapshot, records, (resolver, options)) else {
        interpreter::is_started(); // it will be: the engine is made anew, and says what is wrong
        return None;
    };
    LIFE.set(Some(life.clone()));
    let outcome = life.begin().and_then(|()| life.run());
    Some(life.end(outcome))
}

/// End the process from inside JavaScript.
fn leave(status: i32) {
    if let Some(life) = current() {
        let _ = life.output.flush();
    }
    children::end_guarded();
    // SAFETY: ends the process.
    unsafe { libc::_exit(status) };
}

/// Whether all files of the graph are plain, so that they need no Python to be linked.
fn is_plain(records: &Records, kept: &Kept, resolver: &resolve::Engine) -> bool {
    let config = resolver.tsconfig_for(folder_of(&kept.entry));
    let is_script = records.find(&kept.entry, None).is_some_and(|record| record.transformed.is_some());
    is_script && config.is_none_or(|config| config.problems.is_empty()) && records.are_plain(&kept.entry)
}

/// Undo what a careless parent and the launcher leave: blocked signals, and SIGCHLD ignored. As the interpreter, ignore what
/// a write to a closed pipe, or beyond a limit, would end the process with.
fn take_usual_signals() {
    use rt_guardian::signals;
    signals::act(libc::SIGCHLD, libc::SIG_DFL);
    signals::act(libc::SIGPIPE, libc::SIG_IGN);
    signals::act(libc::SIGXFSZ, libc::SIG_IGN);
    signals::hold(libc::SIG_SETMASK, 0);
}

impl Life {
    fn new(
        kept: Kept,
        line: CommandLine,
        fresh: v8::Fresh,
        snapshot: String,
        records: Arc<Records>,
        (resolver, options): (Arc<resolve::Engine>, Arc<Options>),
    ) -> PyResult<Rc<Life>> {
        let state = State::new(fresh.isolate);
        v8::open(&state, fresh, None, Vec::new(), "")?;
        state.offer(commonjs::OPERATIONS);
        state.offer(compile_cache::OPERATIONS);
        let output = Output::new();
        let core = Core::new(BeforeWait::Output(output.clone()));
        let (entry, functions) = state.enter(|scope| {
            let entry = scope.get(scope.get(scope.global(), "__rt")?, "entry")?;
            Ok((scope.keep(entry), Functions::of(scope, entry)?))
        })?;
        core.serve(functions);
        let texts = Arc::new(Texts::default());
        let keepers = Arc::new(Keepers::new(Some(KeptCode::of(&kept.entry, true))));
        let table = Arc::new(Table::new(state.clone(), records.clone(), texts.clone(), keepers));
        Ok(Rc::new(Life {
            kept,
            line,
            state,
            core,
            output,
            records,
            texts,
            table,
            snapshot,
            entry,
            resolver,
            options,
            required: RefCell::default(),
            fitting: RefCell::default(),
            builtins: RefCell::default(),
            worker: RefCell::default(),
        }))
    }

    /// Start the runtime's half.
    fn begin(self: &Rc<Self>) -> PyResult<()> {
        let own = Rc::downgrade(self);
        let fill = move |scope: &Scope<'_>, name: &str, meta: Local<'_>| {
            own.upgrade().map_or(Ok(false), |life| life.fill_meta(scope, name, meta))
        };
        self.state.set_native_import_meta(Rc::new(fill));
        let own = Rc::downgrade(self);
        self.state.set_native_import(Rc::new(move |scope, specifier, referrer| {
            own.upgrade().map_or(Ok(None), |life| imports::begin(&life, scope, specifier, referrer))
        }));
        self.state.enter(|scope| {
            let values = start_values(scope, self.function(scope, "parseJson")?, &self.kept)?;
            scope.call(self.function(scope, "start")?, &[values.handle()]).map(|_| ())
        })?;
        adoption::heed_debug_signal(self)
    }

    // --- the life of the program

    fn run(self: &Rc<Self>) -> PyResult<i32> {
        let unsettled = self.run_main()?;
        self.spin(None)?;
        loop {
            if !self.asks("beforeExit")? {
                break;
            }
            let is_alive = self.asks("isAlive")?
                || self.core.references.get() > 0
                || self.state.enter(|scope| Ok(scope.has_background_work()))?;
            if !is_alive && self.state.task_delay_ms() != Some(0.0) {
                break;
            }
            self.spin(None)?;
        }
        let left = unsettled.filter(|(_, promise)| matches!(is_settled(promise), Ok(false)));
        let is_deadlock = left.is_some() || adoption::has_unsettled()?;
        let status = self.exit_status(is_deadlock)?;
        if is_deadlock && status == DEADLOCK_STATUS {
            adoption::tell_unsettled(left.map(|(module, _)| module))?; // else the program means to end so
        }
        Ok(status)
    }

    /// Tell the program of its end and return its status.
    fn exit_status(&self, is_deadlock: bool) -> PyResult<i32> {
        let told = self.state.enter(|scope| {
            let status = if is_deadlock { scope.number(DEADLOCK_STATUS.into()) } else { scope.undefined() };
            let answer = scope.call(self.function(scope, "exit")?, &[status.handle()])?;
            Ok(scope.double(answer) as i32)
        });
        match told {
            Err(_) if self.state.exited().is_some() => Ok(self.state.exited().unwrap_or_default()),
            told => told,
        }
    }

    /// Write out what was printed, end what is left, and return the exit status.
    fn end(self: &Rc<Self>, outcome: PyResult<i32>) -> i32 {
        let exited = self.state.exited();
        let is_plain = interpreter::is_missing() && (outcome.is_ok() || exited.is_some());
        if is_plain && self.output.flush().is_ok() {
            self.table.keepers().keep(&self.state);
            v8::library_code::keep(&self.state);
            if exited.is_some() {
                self.core.forget_closers();
            }
            self.core.close();
            children::end_guarded();
            return exited.or(outcome.ok()).unwrap_or_default();
        }
        adoption::end(outcome)
    }

    /// Run the main module; it, and its promise, where that is still pending when nothing is left to do.
    fn run_main(self: &Rc<Self>) -> PyResult<Option<(Arc<ModuleData>, Global)>> {
        let path = &self.kept.entry;
        let text = self.records.find(path, None).and_then(|record| record.transformed.clone());
        if let Some(text) = text.filter(|text| !text.is_module) {
            let has_run = self.state.enter(|scope| {
                if text.is_assumed && !commonjs::fits_commonjs(self, scope, path, &text) {
                    return Ok(false);
                }
                let name = scope.text(path.as_bytes()).ok_or_else(not_plain)?;
                scope.call(self.function(scope, "runMain")?, &[name.handle()]).map(|_| true)
            })?;
            return if has_run { self.invoke("drain") } else { adoption::run_main() }.map(|()| None);
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
        let Some(root) = linked else { return adoption::run_main().map(|()| None) };
        let promise = self.state.enter(|scope| v8::evaluate(scope, &root).map(|promise| scope.keep(promise)))?;
        if !is_settled(&promise)? {
            self.invoke("turning")?;
        }
        self.invoke("drain")?;
        self.spin(Some(&promise))?;
        if !is_settled(&promise)? {
            return Ok(Some((root, promise)));
        }
        self.state.enter(|scope| match scope.rejection(promise.in_scope(scope)?) {
            Some(reason) => {
                let origin = scope.text(b"unhandledRejection").expect("a short text");
                scope.call(self.function(scope, "uncaught")?, &[reason.handle(), origin.handle()]).map(|_| None)
            }
            None => {
                let namespace = v8::namespace(scope, &root)?;
                scope.call(self.function(scope, "serveDefault")?, &[namespace.handle()]).map(|_| None)
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

    fn fill_meta(&self, scope: &Scope<'_>, name: &str, meta: Local<'_>) -> PyResult<bool> {
        let path = scope.text(name.as_bytes()).ok_or_else(not_plain)?;
        let (query, is_main) = (scope.text(b"").expect("a text"), scope.boolean(name == self.kept.entry));
        let arguments = [meta.handle(), path.handle(), query.handle(), is_main.handle()];
        scope.call(self.function(scope, "meta")?, &arguments)?;
        let common = scope.call(self.function(scope, "commonJsScope")?, &[path.handle(), is_main.handle()])?;
        scope.define_hidden(meta, "__commonjs", common);
        Ok(true)
    }

    // --- turning the loop

    fn spin(&self, until: Option<&Global>) -> PyResult<()> {
        let functions = self.core.functions().expect("served since it was made");
        Turning { core: &self.core, functions: &functions, hooks: self, until }.run()
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
        Task::Native(Box::new(|_| current().map_or(Ok(()), |life| life.run_tasks())))
    }
}

fn is_settled(promise: &Global) -> PyResult<bool> {
    promise.enter(|scope, promise| Ok(scope.is_settled(promise) == Some(true)))
}

pub fn not_plain() -> PyErr {
    pyo3::exceptions::PyLookupError::new_err("Python has to look at it")
}
