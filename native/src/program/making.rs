//! Creates modules: from the record of a file, from CommonJS that has run, for built-in modules; the provider creates all
//! others.
use std::path::Path;
use std::sync::Arc;

use pyo3::prelude::*;
use rt_wire::debug_log;

use super::life::Life;
use super::loader::{Loader, SCRIPTS, SOURCE, Unread};
use crate::modules::{JSON, MODULE_NAMES, Record};
use crate::transform::Transformed;
use crate::v8::{self, JsModule, Local, ModuleData, Scope};

/// The CommonJS variables that evaluated code may use.
pub const CODE_NAMES: &[&str] = &["require", "__filename", "__dirname", "module", "exports"];
/// JSON files that usually have comments, which the provider reads. Comments in a package.json are rare, so it is parsed here
/// first.
const COMMENTED: [&str; 2] = ["tsconfig.json", "jsconfig.json"];
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const ADDON: &str = "napi";
const WASM: &str = "wasm";

impl Life {
    /// Returns the module of a file, creating it if necessary.
    pub fn module(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        path: &str,
        query: &str,
        wanted: Option<&str>,
    ) -> PyResult<Arc<ModuleData>> {
        let name = format!("{path}{query}");
        let table = &loader.table;
        if let Some(known) = table.find(&name, wanted) {
            return Ok(known.module);
        }
        if query.is_empty()
            && wanted.is_none()
            && !table.asks_always()
            && let Some(made) = table.compile_plain(scope, path)
        {
            return Ok(made);
        }
        let put = |module: &Arc<ModuleData>, record: Option<Arc<Record>>, is_requested| {
            table.put(name.clone(), wanted.map(str::to_owned), module, record, is_requested)
        };
        if wanted == Some(SOURCE) {
            if self.record(scope, path, None, false)?.loader != WASM {
                return Err(self.failure("fail_source", (name,))); // not even evaluated
            }
            self.module(loader, scope, path, query, None)?;
            let made = self.ask_for_a_module("wasm_source", (loader.number, name.clone()))?;
            return Ok(put(&made, None, false));
        }
        if let Some(kind) = wanted.filter(|wanted| !SCRIPTS.contains(wanted)) {
            let known = self.records.find(path, wanted);
            let data = known.as_ref().and_then(|record| record.data.as_deref());
            let made = self.of_requested_data(scope, &name, path, kind, data)?;
            return Ok(put(&made, None, false));
        }
        if !query.is_empty() && (loader.paths.borrow().contains(path) || table.find(path, None).is_some()) {
            self.read_again(path); // the same file by another name: it may have changed
        }
        loader.paths.borrow_mut().insert(path.to_owned());
        let record = self.record(scope, path, wanted, false)?;
        debug_log!(Loader, "{name}: created with the loader {}", record.loader);
        let made = self.of_record(loader, scope, &name, path, query, &record)?;
        // CommonJS that ran meanwhile may also have created it.
        let is_requested = loader.unread.borrow().contains_key(&name) || record.loader == WASM;
        Ok(put(&made, Some(record), is_requested))
    }

    fn of_record(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        name: &str,
        path: &str,
        query: &str,
        record: &Arc<Record>,
    ) -> PyResult<Arc<ModuleData>> {
        if record.loader == ADDON {
            return self.of_addon(scope, name, path);
        }
        if record.loader == WASM {
            self.call_modules("add_wasm", (loader.number, name, record.data.as_deref().map(<[u8]>::to_vec)))?;
        }
        let Some(text) = &record.transformed else {
            return self.of_data(scope, name, path, &record.loader, record.data.as_deref());
        };
        if !text.is_module && text.is_whole() && self.traits.is_node {
            return self.of_later_commonjs(scope, name, path, text);
        }
        self.check_whole(text)?;
        if !text.is_module {
            return self.of_commonjs(loader, scope, name, text);
        }
        let expanded;
        let text = if text.has_macros() {
            expanded = self.expand_macros(record)?;
            &expanded
        } else {
            text
        };
        let compiled = self.compiled(loader, scope, text, (path, query), name, MODULE_NAMES);
        match compiled {
            Err(_) if text.is_ambiguous && !self.is_over() && self.fits_commonjs(scope, path, text) => {
                if self.traits.is_node {
                    return self.of_later_commonjs(scope, name, path, text);
                }
                self.of_commonjs(loader, scope, name, text)
            }
            compiled => compiled,
        }
    }

    /// Returns the unlinked module of a script, which may use the CommonJS variables in `names`.
    pub fn compiled(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        text: &Transformed,
        (path, query): (&str, &str),
        name: &str,
        names: &[&str],
    ) -> PyResult<Arc<ModuleData>> {
        if path != name {
            loader.places.borrow_mut().insert(name.to_owned(), (path.to_owned(), query.to_owned()));
        }
        let code_caches = loader.table.code_caches();
        if let Some(head) = loader.table.head_of(text, names)
            && let Some(module) = code_caches.module(scope, &format!("{head}{}", text.code_text()), name)
        {
            self.texts.add(name.to_owned(), text.clone(), head.len() as u32);
            return Ok(module);
        }
        self.texts.add(name.to_owned(), text.clone(), 0);
        match code_caches.module(scope, text.code_text(), name) {
            Some(module) => Ok(module),
            None => Err(self.failure("fail_module", (text.code_text(), name))),
        }
    }

    /// Returns the module of CommonJS that runs when the module is evaluated, as in Node: its exports are those that its text
    /// shows.
    fn of_later_commonjs(
        &self,
        scope: &Scope<'_>,
        name: &str,
        path: &str,
        text: &Transformed,
    ) -> PyResult<Arc<ModuleData>> {
        let known = self.lexed_names(scope, path, text)?;
        let names: Vec<_> = known.iter().map(|name| self.text(scope, name)).collect::<PyResult<_>>()?;
        let arguments = [self.text(scope, name)?, scope.array(&names)].map(|each| each.handle());
        let viewed = scope.call(self.function(scope, "runForImport")?, &arguments)?;
        self.of_view(scope, name, viewed)
    }

    fn of_commonjs(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        name: &str,
        text: &Transformed,
    ) -> PyResult<Arc<ModuleData>> {
        let known = &text.survey.cjs_exports;
        let names: Vec<_> = known.iter().map(|name| self.text(scope, name)).collect::<PyResult<_>>()?;
        let kind = if text.is_in_module_package() { "module" } else { "" };
        let arguments =
            [self.text(scope, name)?, scope.array(&names), self.text(scope, kind)?].map(|each| each.handle());
        match scope.call(self.function(scope, "loadForImport")?, &arguments) {
            Ok(loaded) => self.read_loaded(loader, scope, name, loaded),
            Err(error) if self.is_over() => Err(error),
            Err(error) => self.create_failing(name, error, known.clone()),
        }
    }

    /// Returns the module of CommonJS that has run: `loaded` is [names, view, names that have not been read, exports].
    fn read_loaded(
        &self,
        loader: &Loader,
        scope: &Scope<'_>,
        name: &str,
        loaded: Local<'_>,
    ) -> PyResult<Arc<ModuleData>> {
        let parts = scope.elements(loaded);
        if let [_, view, unread, exports] = parts[..] {
            let names: Vec<_> = scope
                .elements(unread)
                .into_iter()
                .map(|name| String::from_utf8_lossy(&scope.utf8(name)).into_owned())
                .collect();
            if !names.is_empty() {
                let unread = Unread { names, view: scope.keep(view), exports: scope.keep(exports) };
                loader.unread.borrow_mut().insert(name.to_owned(), unread);
            }
        }
        self.of_view(scope, name, loaded)
    }

    /// Returns the module of a native addon, whose default export is the result of `require`.
    fn of_addon(&self, scope: &Scope<'_>, name: &str, path: &str) -> PyResult<Arc<ModuleData>> {
        match scope.call(self.function(scope, "importAddon")?, &[self.text(scope, path)?.handle()]) {
            Ok(viewed) => self.of_view(scope, name, viewed),
            Err(error) if self.is_over() => Err(error),
            Err(error) => self.create_failing(name, error, Vec::new()),
        }
    }

    /// Returns a module for CommonJS that threw: it throws the same exception when it is evaluated, after its predecessors.
    fn create_failing(&self, name: &str, error: PyErr, known: Vec<String>) -> PyResult<Arc<ModuleData>> {
        self.ask_modules(|py, modules| {
            let made = modules.call_method1("broken_module", (name, error.into_value(py), known))?;
            Ok(made.cast::<JsModule>()?.get().data().clone())
        })
    }

    /// Return the module of a file for an import that says what it holds. JSON then has only a default export, as in the
    /// standard.
    fn of_requested_data(
        &self,
        scope: &Scope<'_>,
        name: &str,
        path: &str,
        kind: &str,
        data: Option<&[u8]>,
    ) -> PyResult<Arc<ModuleData>> {
        if kind != JSON {
            return self.of_data(scope, name, path, kind, data);
        }
        let value = if self.traits.is_node && name == path {
            // Shared with `require`, as in Node.
            scope.call(self.function(scope, "requiredJson")?, &[self.text(scope, path)?.handle()])?
        } else {
            match self.json(scope, path, kind, data) {
                Some(value) => value,
                None => self.data_value(scope, path, kind, data)?,
            }
        };
        let viewed = scope.call(self.function(scope, "defaultView")?, &[value.handle()])?;
        self.of_view(scope, name, viewed)
    }

    fn of_data(
        &self,
        scope: &Scope<'_>,
        name: &str,
        path: &str,
        kind: &str,
        data: Option<&[u8]>,
    ) -> PyResult<Arc<ModuleData>> {
        if kind == ADDON {
            return self.of_addon(scope, name, path);
        }
        match self.json(scope, path, kind, data) {
            Some(value) => self.of_value(scope, name, value),
            None => self.ask_for_a_module("data_module", (name, path, kind, data.map(<[u8]>::to_vec))),
        }
    }

    /// Returns the module whose default export is `value`.
    fn of_value(&self, scope: &Scope<'_>, name: &str, value: Local<'_>) -> PyResult<Arc<ModuleData>> {
        let viewed = scope.call(self.function(scope, "importView")?, &[value.handle()])?;
        self.of_view(scope, name, viewed)
    }

    /// Returns the module for a result of `importView` in js/node/module/exports_view.js: [names, object to read them from].
    pub fn of_view(&self, scope: &Scope<'_>, name: &str, viewed: Local<'_>) -> PyResult<Arc<ModuleData>> {
        let parts = scope.elements(viewed);
        let (names, source) = (parts.first().copied(), parts.get(1).copied());
        let (names, source) = names.zip(source).ok_or_else(unexpected)?;
        v8::module_of_view(scope, name, &scope.elements(names), source)
    }

    /// Returns the value of a JSON file; None for other data, and for malformed JSON.
    pub fn json<'s>(&self, scope: &Scope<'s>, path: &str, kind: &str, data: Option<&[u8]>) -> Option<Local<'s>> {
        let data = data.filter(|_| kind == JSON)?;
        let file = Path::new(path).file_name()?.to_str()?;
        if COMMENTED.contains(&file) || std::str::from_utf8(data).is_err() {
            return None;
        }
        let text = scope.text(data.strip_prefix(BYTE_ORDER_MARK).unwrap_or(data))?;
        scope.call(self.function(scope, "parseJson").ok()?, &[text.handle()]).ok()
    }

    /// Returns a built-in module.
    pub fn builtin(&self, loader: &Loader, scope: &Scope<'_>, name: &str) -> PyResult<Arc<ModuleData>> {
        let label = format!("node:{name}");
        if let Some(known) = loader.table.find(&label, None) {
            return Ok(known.module);
        }
        let viewed = scope.call(self.function(scope, "builtin")?, &[self.text(scope, name)?.handle()])?;
        let module = self.of_view(scope, &label, viewed)?;
        let names = scope.elements(viewed)[0];
        loader.builtins.borrow_mut().push((name.to_owned(), scope.keep(names)));
        Ok(loader.table.put(label, None, &module, None, false))
    }

    /// Updates the exports of the built-in modules that were imported from the objects that `require` returns.
    pub fn synchronize_builtins(&self, loader: &Loader, scope: &Scope<'_>) -> PyResult<()> {
        let count = loader.builtins.borrow().len();
        for index in 0..count {
            let (name, names) = {
                let builtins = loader.builtins.borrow();
                (builtins[index].0.clone(), builtins[index].1.in_scope(scope)?)
            };
            let Some(known) = loader.table.find(&format!("node:{name}"), None) else { continue };
            if !v8::is_evaluated(scope, &known.module) {
                continue; // it reads them when it is evaluated
            }
            let arguments = [self.text(scope, &name)?.handle(), names.handle()];
            let values = scope.call(self.function(scope, "builtinValues")?, &arguments)?;
            for (name, value) in scope.elements(names).into_iter().zip(scope.elements(values)) {
                v8::set_export_of(scope, &known.module, name, value)?;
            }
        }
        Ok(())
    }
}

pub fn unexpected() -> PyErr {
    pyo3::exceptions::PyRuntimeError::new_err("the runtime's JavaScript has returned something unexpected")
}
