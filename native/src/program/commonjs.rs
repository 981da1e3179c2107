//! CommonJS without Python: what `rt_supervisor/engine_worker/ops/modules.py` does, for files that are plain.
//!
//! Nothing here decides anything else than Python would. Where something is odd (a file that is wrong, is read again, or needs a
//! loader) nothing is done, and Python, which is started then, does it from the beginning.
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::PyResult;

use super::imports::linked;
use super::life::{Life, not_plain};
use crate::interpreter;
use crate::modules::{Asked, JSON, Record};
use crate::resolve::{Kind, Resolution, folder_of};
use crate::transform::Transformed;
use crate::v8::{self, Call, HostOperation, Local, ModuleData, Scope, module_of_view};

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("modules_resolve", resolve),
    ("modules_loadCommonJs", load),
    ("modules_compileWrapper", compile_wrapper),
    ("modules_requireEsm", require_esm),
];

const PARAMETERS: [&str; 5] = ["exports", "require", "module", "__filename", "__dirname"];
/// What the transpiler makes of `import.meta` in CommonJS.
const IMPORT_META: &str = "__rt_import_meta";
/// JSON files that people write comments in.
const COMMENTED: [&str; 2] = ["tsconfig.json", "jsconfig.json"];
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The program that calls, while it runs without Python.
pub fn alone(call: &Call<'_>) -> Option<Rc<Life>> {
    if interpreter::is_missing() { Life::of(call.scope.state) } else { None }
}

/// Where a specifier leads for `importer`, a folder when it ends in a slash.
pub fn found(life: &Life, specifier: &str, importer: &str, kind: Kind) -> Resolution {
    let folder = folder_of(importer);
    let found = life.resolver.resolve(specifier, folder, kind);
    if found.failure.is_none() {
        return found;
    }
    life.resolver.invalidate(); // the program may have made the file since
    life.resolver.resolve(specifier, folder, kind)
}

/// Whether packages are installed for the files of `folder`: then none is had from a registry (packages/auto_install.py), unless
/// a flag says so, with which no program is run here.
fn has_node_modules(folder: &Path) -> bool {
    folder.ancestors().any(|at| at.join("node_modules").is_dir())
}

/// `modules_resolve(specifier, importer, require, conditions)`: [kind, path, query].
fn resolve(call: &Call<'_>) -> bool {
    let Some(life) = alone(call).filter(|_| call.is_undefined(3)) else { return false };
    let (Some(specifier), Some(importer)) = (call.whole_text(0), call.whole_text(1)) else { return false };
    let found = found(&life, &specifier, &importer, if call.is_true(2) { Kind::Require } else { Kind::Import });
    if found.failure.is_some() && !specifier.starts_with(['.', '/', '#']) && !has_node_modules(folder_of(&importer)) {
        return false; // the package may be had from a registry
    }
    let parts = match (found.builtin, found.failure, found.path) {
        (Some(name), ..) => ["builtin".to_owned(), name, String::new()],
        (_, None, Some(path)) => ["file".to_owned(), path, found.query],
        (_, why, _) => ["failure".to_owned(), why.unwrap_or("module-not-found").to_owned(), String::new()],
    };
    let parts: Option<Vec<_>> = parts.iter().map(|part| call.scope.text(part.as_bytes())).collect();
    parts.map(|parts| call.answer(call.scope.array(&parts))).is_some()
}

/// `modules_loadCommonJs(name)`: [kind, value] of a file for require().
fn load(call: &Call<'_>) -> bool {
    let (Some(life), Some(name)) = (alone(call), call.whole_text(0)) else { return false };
    let path = path_of(&name);
    if life.required.borrow().contains(path) {
        return false; // it may have changed
    }
    let Some(answer) = loaded(&life, &call.scope, path) else { return false };
    life.required.borrow_mut().insert(path.to_owned());
    call.answer(answer);
    true
}

/// The file of a name that may have a query.
fn path_of(name: &str) -> &str {
    if Path::new(name).exists() { name } else { name.split('?').next().unwrap_or(name) }
}

fn loaded<'s>(life: &Life, scope: &Scope<'s>, path: &str) -> Option<Local<'s>> {
    let record = record(life, scope, path).filter(|_| !path.ends_with(".node"))?;
    let Some(transformed) = &record.transformed else {
        let value = json(life, scope, &record)?;
        return Some(scope.array(&[scope.text(b"value")?, value]));
    };
    if !transformed.is_whole() || record.loader == "md" {
        return None;
    }
    if transformed.is_module {
        // One whose kind nothing says may yet turn out to be a script.
        let is_one = !transformed.is_ambiguous
            || life.table.find(path, None).is_some()
            || life.table.compile_plain(scope, path).is_some();
        return is_one.then(|| Some(scope.array(&[scope.text(b"esm")?]))).flatten();
    }
    life.texts.add(path.to_owned(), transformed.clone(), 0);
    if transformed.survey.import_meta {
        let [exports, require, module, filename, dirname] = PARAMETERS;
        let parameters = [exports, require, module, filename, dirname, IMPORT_META];
        let function = life.table.keepers().function(scope, transformed.code_text(), &parameters, path).ok()?;
        return Some(scope.array(&[scope.text(b"function with import.meta")?, function]));
    }
    let fitting = life.fitting.borrow_mut().remove(path);
    let function = match fitting {
        Some(function) => function.in_scope(scope).ok()?,
        None => life.table.keepers().function(scope, transformed.code_text(), &PARAMETERS, path).ok()?,
    };
    Some(scope.array(&[scope.text(b"function")?, function]))
}

/// The record of a script, read if need be.
fn record(life: &Life, scope: &Scope<'_>, path: &str) -> Option<Arc<Record>> {
    const UNCLAIMED: &str = "file";
    let known = life.records.find(path, None);
    let known = known.filter(|record| record.transformed.is_some() || record.loader != UNCLAIMED);
    let record = known.or_else(|| read(life, path, true))?;
    let fits = |text: &Transformed| !text.is_assumed || fits_commonjs(life, scope, path, text);
    (record.failure.is_none() && record.transformed.as_ref().is_none_or(fits)).then_some(record)
}

/// Read a file and all that it imports; None where Python has to say what is wrong with a tsconfig. With `as_script` a file whose
/// extension nobody claims is a script.
pub fn read(life: &Life, path: &str, as_script: bool) -> Option<Arc<Record>> {
    if life.resolver.tsconfig_for(folder_of(path)).is_some_and(|config| !config.problems.is_empty()) {
        return None;
    }
    let asked = Asked { loader: None, follow_require: false, as_script, trusting: true, resolves_all: false };
    let read = life.records.read(path.to_owned(), life.resolver.clone(), life.options.clone(), asked);
    read.ok()?.into_iter().next()
}

/// Compile what was taken for CommonJS unparsed, and keep what is made for who runs it; false if it is something else.
pub fn fits_commonjs(life: &Life, scope: &Scope<'_>, path: &str, text: &Transformed) -> bool {
    if life.fitting.borrow().contains_key(path) || life.required.borrow().contains(path) {
        return true;
    }
    let function = life.table.keepers().function(scope, text.code_text(), &PARAMETERS, path);
    let function = function.map(|function| scope.keep(function));
    function.map(|function| life.fitting.borrow_mut().insert(path.to_owned(), function)).is_ok()
}

/// The value of a JSON file; None for other data, and for what is no JSON.
fn json<'s>(life: &Life, scope: &Scope<'s>, record: &Record) -> Option<Local<'s>> {
    let data = record.data.as_deref().filter(|_| record.loader == JSON)?;
    let name = Path::new(&record.path).file_name()?.to_str()?;
    if COMMENTED.contains(&name) || std::str::from_utf8(data).is_err() {
        return None;
    }
    let text = scope.text(data.strip_prefix(BYTE_ORDER_MARK).unwrap_or(data))?;
    scope.call(life.function(scope, "parseJson").ok()?, &[text.handle()]).ok()
}

/// `modules_compileWrapper(text, filename)`: the function that runs a text as CommonJS.
fn compile_wrapper(call: &Call<'_>) -> bool {
    let (Some(life), Some(source), Some(name)) = (alone(call), call.whole_text(0), call.whole_text(1)) else {
        return false;
    };
    let function = life.table.keepers().function(&call.scope, &source, &PARAMETERS, &name);
    function.map(|function| call.answer(function)).is_ok()
}

/// `modules_requireEsm(name)`: the namespace of an ES module, evaluated.
fn require_esm(call: &Call<'_>) -> bool {
    let (Some(life), Some(name)) = (alone(call), call.whole_text(0)) else { return false };
    match required(&life, &call.scope, &name) {
        Ok(Some(namespace)) => {
            call.answer(namespace);
            true
        }
        Err(error) if life.state.is_ending() => {
            call.end(error);
            true
        }
        _ => false,
    }
}

/// None where Python has to look at it, or to say what is wrong: what was linked and evaluated stays so.
fn required<'s>(life: &Rc<Life>, scope: &Scope<'s>, path: &str) -> PyResult<Option<Local<'s>>> {
    let known = life.table.find(path, None).map(|entry| entry.module);
    let Some(module) = known.or_else(|| life.table.compile_plain(scope, path)) else { return Ok(None) };
    linked(life, scope, &module)?;
    if v8::is_evaluating(scope, &module)? {
        return v8::namespace(scope, &module).map(Some); // what it has so far
    }
    if v8::is_graph_async(scope, &module)? {
        return Ok(None);
    }
    let promise = v8::evaluate(scope, &module)?;
    if scope.is_settled(promise) != Some(true) || scope.rejection(promise).is_some() {
        return Ok(None);
    }
    v8::namespace(scope, &module).map(Some)
}

/// The module of CommonJS, which runs now, or of JSON, for an ES module that imports it. Fails where Python has to look.
pub fn imported(
    life: &Life,
    scope: &Scope<'_>,
    path: &str,
    attributes: &[(String, String)],
) -> PyResult<Arc<ModuleData>> {
    let loader = match attributes {
        [] => None,
        [(key, value)] if key == "type" && value == JSON => Some(JSON),
        _ => return Err(not_plain()),
    };
    if let Some(known) = life.table.find(path, loader) {
        return if known.is_asked_for { Err(not_plain()) } else { Ok(known.module) };
    }
    let record = life.records.find(path, loader).ok_or_else(not_plain)?;
    let put = |module: &Arc<ModuleData>, is_asked_for| {
        let (name, loader) = (path.to_owned(), loader.map(str::to_owned));
        life.table.put(name, loader, module, Some(record.clone()), is_asked_for)
    };
    let Some(transformed) = &record.transformed else {
        let value = json(life, scope, &record).ok_or_else(not_plain)?;
        let viewed = scope.call(life.function(scope, "importView")?, &[value.handle()])?;
        return Ok(put(&view(scope, path, viewed)?, false));
    };
    let is_commonjs = loader.is_none() && !transformed.is_module && transformed.is_whole();
    if !is_commonjs || transformed.is_assumed && !fits_commonjs(life, scope, path, transformed) {
        return Err(not_plain());
    }
    let names = &transformed.survey.cjs_exports;
    let texts: Option<Vec<_>> = names.iter().map(|name| scope.text(name.as_bytes())).collect();
    let (name, names_seen) = (scope.text(path.as_bytes()).ok_or_else(not_plain)?, texts.ok_or_else(not_plain)?);
    let kind = scope.text(if transformed.is_in_module_package() { b"module" } else { b"" }).ok_or_else(not_plain)?;
    let arguments = [name.handle(), scope.array(&names_seen).handle(), kind.handle()];
    match scope.call(life.function(scope, "loadForImport")?, &arguments) {
        Ok(loaded) => {
            let unread = scope.elements(loaded).get(2).map(|unread| scope.elements(*unread));
            if unread.is_some_and(|unread| unread.is_empty()) {
                return Ok(put(&view(scope, path, loaded)?, false));
            }
            // Getters that are read when they are asked for are Python's.
            put(&life.module_of_loaded(scope, path, loaded)?, true);
            Err(not_plain())
        }
        Err(error) if life.state.exited().is_some() || life.state.is_ending() => Err(error),
        Err(error) => {
            put(&life.broken_module(path, error, names)?, false);
            Err(not_plain())
        }
    }
}

/// The module of what `importView` in js/node/module/exports_view.js returns.
fn view(scope: &Scope<'_>, name: &str, viewed: Local<'_>) -> PyResult<Arc<ModuleData>> {
    let [names, source, ..] = scope.elements(viewed)[..] else { return Err(not_plain()) };
    module_of_view(scope, name, &scope.elements(names), source)
}
