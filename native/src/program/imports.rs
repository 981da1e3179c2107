//! `import()` without Python: what `rt_supervisor/engine_worker/modules/imports.py` does, for modules that are plain.
//!
//! A module that is there already answers at once; any other is loaded in a turn of the loop of its own. What turns out to be odd
//! there is Python's to load, and to refuse.
use std::rc::Rc;
use std::sync::Arc;

use pyo3::PyResult;

use super::commonjs;
use super::life::{Life, not_plain};
use crate::event_loop::{Core, Watcher};
use crate::interpreter;
use crate::resolve::Kind;
use crate::v8::{self, Global, Local, ModuleData, Scope};

/// An import() whose module is loaded in a later turn.
struct Load {
    specifier: String,
    importer: String,
    path: String,
    answer: Global,
}

/// The promise of an import() in the code of `referrer`; None where Python has to answer, with nothing done.
pub fn begin<'s>(life: &Rc<Life>, scope: &Scope<'s>, specifier: &str, referrer: &str) -> PyResult<Option<Local<'s>>> {
    let folder = || std::env::current_dir().ok()?.to_str().map(|folder| format!("{folder}/"));
    // Code without a file is at home in the working folder: new Function, vm, the timers' strings.
    let importer = if referrer.starts_with('/') { Some(referrer.to_owned()) } else { folder() };
    let Some(importer) = importer.filter(|_| !specifier.starts_with("data:")) else { return Ok(None) };
    let found = commonjs::found(life, specifier, &importer, Kind::Import);
    if found.failure.is_some() || !found.query.is_empty() {
        return Ok(None);
    }
    let (Some(name), Some(place)) = (scope.text(specifier.as_bytes()), scope.text(importer.as_bytes())) else {
        return Ok(None);
    };
    let answer = importing(life, scope, "begin", &[name, place])?;
    let known = match (&found.builtin, &found.path) {
        (Some(name), _) => Some(life.builtin(scope, name)?),
        (None, Some(path)) => life.table.find(path, None).map(|entry| entry.module),
        (None, None) => None,
    };
    let is_there = |module: &Arc<ModuleData>| found.builtin.is_some() || v8::is_evaluated(scope, module);
    match (known.filter(is_there), found.path) {
        (Some(module), _) => {
            linked(life, scope, &module)?;
            evaluate(life, scope, answer, &module)?;
        }
        (None, path) => {
            let (specifier, path) = (specifier.to_owned(), path.unwrap_or_default());
            life.core.complete(Rc::new(Load { specifier, importer, path, answer: scope.keep(answer) }));
        }
    }
    scope.get(answer, "promise").map(Some)
}

impl Watcher for Load {
    fn ready(&self, _core: &Rc<Core>) -> PyResult<()> {
        let Some(life) = Life::of(self.answer.state()) else { return Ok(()) };
        life.state.enter(|scope| {
            let answer = self.answer.in_scope(scope)?;
            // Hooks that came meanwhile are Python's.
            let loaded = if interpreter::is_missing() { loaded(&life, scope, &self.path) } else { Ok(None) };
            match loaded {
                Ok(Some(module)) => evaluate(&life, scope, answer, &module),
                Err(error) if life.state.exited().is_some() || v8::is_end(&error) => Err(error),
                _ => life.load_import(scope, &self.specifier, &self.importer, answer),
            }
        })?;
        life.invoke("drain")
    }
}

/// The module of a file, ready to be evaluated; fails, or is None, where Python has to load it.
fn loaded(life: &Rc<Life>, scope: &Scope<'_>, path: &str) -> PyResult<Option<Arc<ModuleData>>> {
    if life.records.find(path, None).is_none() && commonjs::read(life, path, false).is_none() {
        return Ok(None);
    }
    let known = life.table.find(path, None).filter(|entry| !entry.is_asked_for).map(|entry| entry.module);
    let module = match known.or_else(|| life.table.compile_plain(scope, path)) {
        Some(module) => module,
        None => commonjs::imported(life, scope, path, &[])?,
    };
    linked(life, scope, &module)?;
    Ok(Some(module))
}

/// Link a module with all it imports, unless that was done.
pub fn linked(life: &Rc<Life>, scope: &Scope<'_>, module: &Arc<ModuleData>) -> PyResult<()> {
    if v8::is_unlinked(scope, module)? {
        crate::modules::link(&life.table, scope, module.clone(), &mut |question| life.answer(scope, &question))?;
        if v8::is_unlinked(scope, module)? {
            v8::instantiate(scope, module)?; // CommonJS may have required it meanwhile
        }
    }
    Ok(())
}

fn evaluate(life: &Life, scope: &Scope<'_>, answer: Local<'_>, module: &Arc<ModuleData>) -> PyResult<()> {
    // One that is being evaluated waits for this import: it gets what there is.
    let is_now = v8::is_evaluating(scope, module)?;
    let evaluated = if is_now { scope.undefined() } else { v8::evaluate(scope, module)? };
    let namespace = v8::namespace(scope, module)?;
    importing(life, scope, "evaluated", &[answer, evaluated, namespace, scope.boolean(is_now)]).map(|_| ())
}

/// Call a function of js/node/module/import_answers.js.
fn importing<'s>(life: &Life, scope: &Scope<'s>, what: &str, values: &[Local<'_>]) -> PyResult<Local<'s>> {
    let what = scope.text(what.as_bytes()).ok_or_else(not_plain)?;
    let arguments: Vec<_> = std::iter::once(what.handle()).chain(values.iter().map(|value| value.handle())).collect();
    scope.call(life.function(scope, "importing")?, &arguments)
}
