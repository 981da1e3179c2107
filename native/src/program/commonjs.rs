//! CommonJS: the loader's operations for `js/node/module/commonjs.js`, and the main module.
//!
//! An operation that returns false is left to the provider: `rt_supervisor/engine_worker/ops/modules.py`.
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::PyResult;

use super::deferred;
use super::life::Life;
use super::reading::PARAMETERS;
use crate::event_loop::{Core, Watcher};
use crate::resolve::Kind;
use crate::v8::{self, Call, HostOperation, Local, ModuleData, Scope};

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("modules_resolve", resolve),
    ("modules_loadCommonJs", |call| answer_with(call, load)),
    ("modules_compileWrapper", |call| call.exact_text(0).is_some() && answer_with(call, compile_wrapper)),
    ("modules_requireEsm", |call| answer_with(call, require_esm)),
    ("modules_evaluatedFiles", |call| answer_with(call, evaluated_files)),
    ("modules_evaluated", |call| answer_with(call, evaluated)),
    ("modules_forget", |call| answer_with(call, forget)),
    ("modules_importDeferred", |call| answer_with(call, import_deferred)),
    ("modules_deferredTarget", |call| answer_with(call, deferred::target)),
    ("modules_evaluateDeferred", |call| answer_with(call, deferred::evaluate)),
    ("modules_loadImport", |call| answer_with(call, load_import)),
    ("modules_runMain", |call| answer_with(call, |life, call| run_later(life, call, false))),
    ("modules_runMainModule", |call| answer_with(call, |life, call| run_later(life, call, true))),
    ("modules_synchronizeBuiltins", |call| answer_with(call, synchronize_builtins)),
];

/// The module around one that require() loads; both requests lead to that.
const FACADE: &str = "export * from \"module\"; export { default } from \"module\"; export const __esModule = true;";

/// The transpiler's replacement for `import.meta` in CommonJS.
const IMPORT_META: &str = "__rt_import_meta";

/// Sets the call's result to that of `work`, or throws its error.
fn answer_with<'s>(call: &Call<'s>, work: fn(&Rc<Life>, &Call<'s>) -> PyResult<Local<'s>>) -> bool {
    let Some(life) = Life::of(call.scope.state) else { return false };
    match work(&life, call) {
        Ok(value) => call.answer(value),
        Err(error) if life.state.is_ending() => call.end(error),
        Err(error) => call.raise(error),
    }
    true
}

/// The text of an argument; a lone surrogate in it becomes U+FFFD.
fn text_of(call: &Call<'_>, index: usize) -> String {
    String::from_utf8_lossy(&call.utf8(index).unwrap_or_default()).into_owned()
}

/// `modules_resolve(specifier, importer, require, conditions)`: [kind, path, query].
fn resolve(call: &Call<'_>) -> bool {
    let Some(life) = Life::of(call.scope.state).filter(|life| call.is_undefined(3) && !life.traits.installs_first())
    else {
        return false;
    };
    let (specifier, importer) = (text_of(call, 0), text_of(call, 1));
    let found = life.find(&specifier, &importer, if call.is_true(2) { Kind::Require } else { Kind::Import });
    if life.is_for_provider(&found, &specifier, &importer) {
        return false;
    }
    let parts = match (found.builtin, found.failure, found.path) {
        (Some(name), ..) => ["builtin".to_owned(), name, String::new()],
        (_, None, Some(path)) => ["file".to_owned(), path, found.query],
        (_, why, _) => ["failure".to_owned(), why.unwrap_or("module-not-found").to_owned(), String::new()],
    };
    let parts: Option<Vec<_>> = parts.iter().map(|part| call.scope.text(part.as_bytes())).collect();
    parts.map(|parts| call.answer(call.scope.array(&parts))).is_some()
}

/// The file of a module's name, which may have a query and a fragment.
pub fn file_of(name: &str) -> &str {
    if Path::new(name).exists() { name } else { name.split(['?', '#']).next().unwrap_or(name) }
}

/// `modules_loadCommonJs(name)`: [kind, value] of a file for require().
fn load<'s>(life: &Rc<Life>, call: &Call<'s>) -> PyResult<Local<'s>> {
    let (scope, name) = (&call.scope, text_of(call, 0));
    let path = file_of(&name);
    let answer = |kind: &str, value: Option<Local<'s>>| {
        let kind = life.text(scope, kind)?;
        Ok(scope.array(&[Some(kind), value].into_iter().flatten().collect::<Vec<_>>()))
    };
    // Removed from require.cache, or required with another query: the file may have changed.
    let is_again = !life.required.borrow_mut().insert(path.to_owned());
    if is_again {
        life.read_again(path);
    }
    if path.ends_with(".node") {
        return answer("addon", Some(life.text(scope, path)?));
    }
    let record = life.record(scope, path, None, true)?;
    match record.loader.as_str() {
        "napi" => return answer("addon", Some(life.text(scope, path)?)),
        "md" | "text" => return answer("esm", None), // as for `import`: the content is the default export
        _ => {}
    }
    let Some(text) = &record.transformed else {
        let data = record.data.as_deref();
        let value = match life.json(scope, path, &record.loader, data) {
            Some(value) => value,
            None => life.data_value(scope, path, &record.loader, data)?,
        };
        return answer("value", Some(value));
    };
    life.check_whole(text)?;
    if text.is_module && !life.is_sloppy(scope, path, text) {
        if is_again && text.is_ambiguous {
            life.table().take_out(&[path.to_owned()].into()); // CommonJS in Node, which runs again
        }
        return answer("esm", None);
    }
    life.texts.add(path.to_owned(), text.clone(), 0);
    if text.survey.import_meta {
        let [exports, require, module, filename, dirname] = PARAMETERS;
        let parameters = [exports, require, module, filename, dirname, IMPORT_META];
        let function = life.function_of(scope, text.code_text(), &parameters, path)?;
        return answer("function with import.meta", Some(function));
    }
    let fitting = life.fitting.borrow_mut().remove(path);
    let function = match fitting {
        Some(function) => function.in_scope(scope)?,
        None => life.function_of(scope, text.code_text(), &PARAMETERS, path)?,
    };
    answer("function", Some(function))
}

/// `modules_compileWrapper(text, filename)`: the function that runs a text as CommonJS.
fn compile_wrapper<'s>(life: &Rc<Life>, call: &Call<'s>) -> PyResult<Local<'s>> {
    life.function_of(&call.scope, &text_of(call, 0), &PARAMETERS, &text_of(call, 1))
}

/// `modules_requireEsm(name, requirer, loading)`: the namespace of an ES module, evaluated. For a program that sees Node only,
/// `loading` are the CommonJS files that are running, which none of its imports may be.
fn require_esm<'s>(life: &Rc<Life>, call: &Call<'s>) -> PyResult<Local<'s>> {
    let (scope, name, loader) = (&call.scope, text_of(call, 0), life.loader());
    let path = file_of(&name);
    if life.traits.is_node {
        life.check_cycle(scope, call, &name)?;
    }
    // Hooks have already been called for the file.
    let module = life.module(&loader, scope, path, &name[path.len()..], None)?;
    let module = life.ready(&loader, scope, module)?;
    life.require_now(scope, &module)
}

/// `modules_evaluatedFiles()`: the names of all modules of files that have been evaluated.
fn evaluated_files<'s>(life: &Rc<Life>, call: &Call<'s>) -> PyResult<Local<'s>> {
    let names = life.table().evaluated_files(&call.scope);
    let names: Vec<Local<'s>> = names.iter().filter_map(|name| call.scope.text(name.as_bytes())).collect();
    Ok(call.scope.array(&names))
}

/// `modules_evaluated(name)`: the namespace of a module that has been evaluated; undefined if there is none.
fn evaluated<'s>(life: &Rc<Life>, call: &Call<'s>) -> PyResult<Local<'s>> {
    match life.table().find_evaluated(&call.scope, &text_of(call, 0)) {
        Some(module) => v8::namespace(&call.scope, &module),
        None => Ok(call.scope.undefined()),
    }
}

/// `modules_forget(name)`: the module is read, created and evaluated again when it is next imported or required.
fn forget<'s>(life: &Rc<Life>, call: &Call<'s>) -> PyResult<Local<'s>> {
    let name = text_of(call, 0);
    let path = file_of(&name);
    life.facades.borrow_mut().clear();
    life.table().forget(&name);
    life.loader().paths.borrow_mut().insert(path.to_owned());
    life.read_again(path);
    Ok(call.scope.undefined())
}

/// `modules_importDeferred(specifier, importer, attributes)`: the namespace of CommonJS that is imported by `import defer`,
/// evaluated. The attributes are a flat array of names and values.
fn import_deferred<'s>(life: &Rc<Life>, call: &Call<'s>) -> PyResult<Local<'s>> {
    let (scope, specifier, importer) = (&call.scope, text_of(call, 0), text_of(call, 1));
    let texts: Vec<String> = scope
        .elements(call.argument(2))
        .into_iter()
        .map(|text| String::from_utf8_lossy(&scope.utf8(text)).into_owned())
        .collect();
    let attributes: Vec<(String, String)> =
        texts.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
    let module = life.ready_target(&life.loader(), scope, &specifier, &importer, &attributes)?;
    life.evaluate_now(scope, &module)
}

/// `modules_loadImport(answer, specifier, importer)`: loads the module of an `import()` and settles its promise.
fn load_import<'s>(life: &Rc<Life>, call: &Call<'s>) -> PyResult<Local<'s>> {
    life.load_import_now(&call.scope, call.argument(0), text_of(call, 1), text_of(call, 2))?;
    Ok(call.scope.undefined())
}

/// `modules_synchronizeBuiltins()`
fn synchronize_builtins<'s>(life: &Rc<Life>, call: &Call<'s>) -> PyResult<Local<'s>> {
    life.synchronize_builtins(&life.loader(), &call.scope)?;
    Ok(call.scope.undefined())
}

/// `modules_runMain(path)`, `modules_runMainModule(path)`: run a file as the main module, called by JavaScript. CommonJS runs
/// immediately, an ES module in a later turn of the loop.
fn run_later<'s>(life: &Rc<Life>, call: &Call<'s>, is_module: bool) -> PyResult<Local<'s>> {
    if let Some(module) = life.load_main(&call.scope, &text_of(call, 0), is_module, true)? {
        let state = life.state.clone();
        life.core.complete(Rc::new(Main { module, state }));
    }
    Ok(call.scope.undefined())
}

/// Whether `path` is inside a file, which a preload reads, such as that of Yarn Plug'n'Play.
fn is_in_archive(path: &str) -> bool {
    !Path::new(path).exists() && Path::new(path).ancestors().skip(1).any(Path::is_file)
}

struct Main {
    module: Arc<ModuleData>,
    state: Arc<v8::State>,
}

impl Watcher for Main {
    fn ready(&self, _core: &Rc<Core>) -> PyResult<()> {
        Life::of(&self.state).map_or(Ok(()), |life| life.evaluate(&self.module))
    }
}

impl Life {
    /// Runs a main file that is CommonJS; otherwise returns its module, to be evaluated. Also returns None for a file that
    /// needs WASI and has run.
    pub fn load_main(
        &self,
        scope: &Scope<'_>,
        path: &str,
        is_module: bool,
        may_be_hooked: bool,
    ) -> PyResult<Option<Arc<ModuleData>>> {
        let name = self.text(scope, path)?;
        if !is_module && may_be_hooked && is_in_archive(path) {
            return scope.call(self.function(scope, "runMain")?, &[name.handle()]).map(|_| None);
        }
        let loader = self.loader();
        let is_commonjs = match self.record(scope, path, None, true) {
            Ok(record) => record.transformed.as_ref().is_some_and(|text| !text.is_module && text.is_whole()),
            Err(_) if loader.is_hooked.get() && self.traits.is_node => false, // hooks may know the name
            Err(error) => return Err(error),
        };
        let runs_by_require = || -> PyResult<bool> {
            if is_commonjs || !may_be_hooked {
                return Ok(is_commonjs);
            }
            let answer = scope.call(self.function(scope, "isHookedMain")?, &[name.handle()])?;
            Ok(scope.is_true(answer))
        };
        if !is_module && runs_by_require()? {
            return scope.call(self.function(scope, "runMain")?, &[name.handle()]).map(|_| None);
        }
        let module = self.instantiate(&loader, scope, path, "", &[])?;
        if loader.wasm.borrow().contains(&module.name) {
            return self.ask_for_module("wasm_main", (path,));
        }
        Ok(Some(module))
    }

    /// Compiles the function that runs CommonJS. Fails with a syntax error that has its location.
    fn function_of<'s>(&self, scope: &Scope<'s>, code: &str, parameters: &[&str], path: &str) -> PyResult<Local<'s>> {
        let compiled = self.table().code_caches().function(scope, code, parameters, path);
        compiled.map_err(|error| self.add_location(error, true))
    }

    /// Evaluates a linked module for require() and returns its namespace.
    pub fn evaluate_now<'s>(&self, scope: &Scope<'s>, module: &Arc<ModuleData>) -> PyResult<Local<'s>> {
        if v8::is_evaluating(scope, module)? {
            return v8::namespace(scope, module); // a cycle: the module requires itself, and gets its exports so far
        }
        let awaits = || self.failure("fail_async", (module.name.clone(),));
        if (self.traits.is_node || !v8::is_evaluated(scope, module)) && v8::is_graph_async(scope, module)? {
            return Err(awaits());
        }
        let promise = v8::evaluate(scope, module)?;
        if let Some(reason) = scope.rejection(promise) {
            return Err(self.thrown(scope, reason)?);
        }
        if scope.is_settled(promise) == Some(false) {
            return Err(awaits());
        }
        v8::namespace(scope, module)
    }

    /// Evaluates a linked module for require() and returns its namespace; with a default export, that of a module around it which
    /// also exports `__esModule`, for which compiled code looks.
    pub fn require_now<'s>(&self, scope: &Scope<'s>, module: &Arc<ModuleData>) -> PyResult<Local<'s>> {
        let namespace = self.evaluate_now(scope, module)?;
        if v8::is_evaluating(scope, module)? {
            return Ok(namespace);
        }
        let needs = scope.call(self.function(scope, "needsFacade")?, &[namespace.handle()])?;
        if !scope.is_true(needs) {
            return Ok(namespace);
        }
        let known = self.facades.borrow().get(&Arc::as_ptr(module)).cloned();
        let facade = match known {
            Some((_, facade)) => facade,
            None => {
                let (made, _) =
                    v8::compile_known(scope, FACADE, &module.name, None).ok_or_else(super::making::unexpected)?;
                let count = made.requests(scope)?.map_or(0, |requests| requests.len());
                made.link(vec![module.clone(); count]);
                v8::instantiate(scope, &made, true)?;
                v8::evaluate(scope, &made)?;
                self.facades.borrow_mut().insert(Arc::as_ptr(module), (module.clone(), made.clone()));
                made
            }
        };
        v8::namespace(scope, &facade)
    }

    /// Returns whether a file of unknown kind has syntax that is an error in strict code, so that it must be a script.
    fn is_sloppy(&self, scope: &Scope<'_>, path: &str, text: &crate::transform::Transformed) -> bool {
        text.is_ambiguous
            && self.table().find(path, None).is_none()
            && v8::compile_known(scope, text.code_text(), path, None).is_none()
            && self.fits_commonjs(scope, path, text)
    }
}
