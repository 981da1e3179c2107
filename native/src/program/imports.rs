//! `import()` and `import.meta`: the engine's callbacks while modules run.
//!
//! An import of a loaded module is answered in a microtask; any other is loaded in a turn of the loop, without JavaScript on
//! the stack, so that its macros may wait. Programs that see Node only have no macros; CommonJS is loaded in a microtask there.
use std::rc::Rc;
use std::sync::Arc;

use pyo3::PyResult;

use super::deferred::without_phase;
use super::life::Life;
use super::loader::{Loader, SOURCE, is_inline, is_plain};
use crate::event_loop::{Core, Watcher};
use crate::resolve::Kind;
use crate::v8::{self, Global, Local, ModuleData, Scope};

/// Used instead of a loader for the instances of WebAssembly files in the table of modules (`modules/wasm.py`).
const INSTANCE: &str = "instance";

/// What `import.meta` has for a module that begins with `Content::commonjs_head`.
const COMMONJS: &str = "__commonjs";

/// An import() whose module is loaded in a later turn.
struct Load {
    specifier: String,
    importer: String,
    attributes: Vec<(String, String)>,
    answer: Global,
}

impl Life {
    /// Sets the callbacks for this program's modules.
    pub fn answer_engine(self: &Rc<Self>) {
        let own = Rc::downgrade(self);
        self.state.set_native_import_meta(Rc::new(move |scope, module, meta| {
            own.upgrade().map_or(Ok(()), |life| life.fill_meta(scope, module, meta))
        }));
        let own = Rc::downgrade(self);
        self.state.set_native_import(Rc::new(move |scope, specifier, referrer, attributes| {
            let life = own.upgrade().ok_or_else(super::making::unexpected)?;
            life.import(scope, specifier, referrer, attributes)
        }));
    }

    /// Returns the promise of an import() in the code of `referrer`.
    fn import<'s>(
        &self,
        scope: &Scope<'s>,
        specifier: &str,
        referrer: &str,
        attributes: Vec<(String, String)>,
    ) -> PyResult<Local<'s>> {
        let loader = self.loader();
        let (place, _) = loader.place_of(referrer);
        let is_known = place.starts_with('/')
            || place.starts_with("data:")
            || loader.is_hooked.get() && self.has_hooked(&place)?;
        // Code without a file is resolved from the working folder: new Function, vm, strings in timers, Blobs.
        let importer = if is_known { place } else { self.working_folder() };
        let is_source = attributes.iter().any(|(key, value)| key == "type" && value == SOURCE);
        let is_deferred = without_phase(&attributes).is_some();
        let names =
            [self.text(scope, specifier)?, self.text(scope, &importer)?, scope.boolean(is_source || is_deferred)];
        let answer = self.importing(scope, "begin", &names)?;
        let known = match is_deferred {
            true => Ok(None),
            false => self.known_target(&loader, scope, specifier, &importer, &attributes),
        };
        match known {
            Ok(Some(module)) => self.answer_import(scope, answer, &module)?,
            Ok(None) if attributes.is_empty() && self.is_commonjs_for_node(scope, specifier, &importer) => {
                self.importing(scope, "soon", &[answer, names[0], names[1]])?;
            }
            Ok(None) => {
                let (specifier, answer) = (specifier.to_owned(), scope.keep(answer));
                self.core.complete(Rc::new(Load { specifier, importer, attributes, answer }));
            }
            Err(error) if self.is_over() => return Err(error),
            Err(error) => self.reject_import(scope, answer, error)?,
        }
        scope.get(answer, "promise")
    }

    /// Whether an import leads to CommonJS in a program that sees Node only: Node loads it before it runs the next ticks.
    fn is_commonjs_for_node(&self, scope: &Scope<'_>, specifier: &str, importer: &str) -> bool {
        if !self.traits.is_node || self.loader().is_hooked.get() || is_inline(specifier) {
            return false;
        }
        let Ok(target) = self.resolve(specifier, importer, Kind::Import) else { return false };
        let Some(path) = target.path.filter(|path| is_plain(path)) else { return false };
        let record = self.record(scope, &path, None, false);
        record.is_ok_and(|record| record.transformed.as_ref().is_some_and(|text| !text.is_module))
    }

    /// Loads the module of an import() without attributes and settles its promise.
    pub fn load_import_now(
        &self,
        scope: &Scope<'_>,
        answer: Local<'_>,
        specifier: String,
        importer: String,
    ) -> PyResult<()> {
        self.load_import(scope, &Load { specifier, importer, attributes: Vec::new(), answer: scope.keep(answer) })
    }

    /// Evaluates a module for an import(), and settles its promise afterwards.
    fn answer_import(&self, scope: &Scope<'_>, answer: Local<'_>, module: &Arc<ModuleData>) -> PyResult<()> {
        // A module that is being evaluated waits for this import: it gets the exports so far.
        let is_now = v8::is_evaluating(scope, module)?;
        let evaluated = if is_now { scope.undefined() } else { v8::evaluate(scope, module)? };
        let namespace = v8::namespace(scope, module)?;
        self.importing(scope, "evaluated", &[answer, evaluated, namespace, scope.boolean(is_now)]).map(|_| ())
    }

    /// Calls a function of js/node/module/import_answers.js.
    fn importing<'s>(&self, scope: &Scope<'s>, what: &str, values: &[Local<'_>]) -> PyResult<Local<'s>> {
        let what = self.text(scope, what)?;
        let arguments: Vec<_> =
            std::iter::once(what.handle()).chain(values.iter().map(|value| value.handle())).collect();
        scope.call(self.function(scope, "importing")?, &arguments)
    }

    fn fill_meta(&self, scope: &Scope<'_>, module: &str, meta: Local<'_>) -> PyResult<()> {
        let loader = self.loader();
        let (path, query) = loader.place_of(module);
        let is_main = scope.boolean(path == *self.main_name.borrow());
        let (name, query) = (self.text(scope, &path)?, self.text(scope, &query)?);
        let arguments = [meta.handle(), name.handle(), query.handle(), is_main.handle()];
        scope.call(self.function(scope, "meta")?, &arguments)?;
        if let Some(instance) = loader.table.find(module, Some(INSTANCE)) {
            let namespace = v8::namespace(scope, &instance.module)?;
            let words = [self.text(scope, "fill")?, meta, self.text(scope, module)?, namespace];
            scope.call(self.function(scope, "wasm")?, &words.map(|word| word.handle()))?;
        }
        let Some(loaded) = self.texts.find(module) else { return Ok(()) };
        if loaded.columns > 0 {
            let arguments = [meta, self.text(scope, COMMONJS)?, name, is_main].map(|value| value.handle());
            scope.call(self.function(scope, "lend")?, &arguments)?;
        }
        Ok(())
    }

    fn load_import(&self, scope: &Scope<'_>, load: &Load) -> PyResult<()> {
        let Load { specifier, importer, attributes, answer } = load;
        let answer = answer.in_scope(scope)?;
        let loader: &Loader = &self.loader();
        let loaded = match without_phase(attributes) {
            Some(attributes) => self.ready_view(loader, scope, specifier, importer, &attributes),
            None => self.ready_target(loader, scope, specifier, importer, attributes),
        };
        match loaded.and_then(|module| self.answer_import(scope, answer, &module)) {
            Err(error) if !self.is_over() => self.reject_import(scope, answer, error),
            loaded => loaded,
        }
    }
}

impl Watcher for Load {
    fn ready(&self, _core: &Rc<Core>) -> PyResult<()> {
        let Some(life) = Life::of(self.answer.state()) else { return Ok(()) };
        life.state.enter(|scope| life.load_import(scope, self))?;
        life.invoke("drainAfterModule")
    }
}
