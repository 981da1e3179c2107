//! Chooses where V8's code of a program's own files is stored: in its compile cache if it has one, otherwise in rt's cache of
//! the program, otherwise nowhere.
//!
//! A cache looks up the code of a text before it is compiled, and receives the outcome afterwards.
mod python;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use pyo3::PyResult;
use rt_wire::debug_log;

pub use self::python::{PyCodeCaches, register};
use super::code_store::CodeStore;
use super::compile_cache::Cache;
use super::executed_source;
use crate::v8::{
    CodeOwner, Local, ModuleData, Scope, State, compile_function_with_code, compile_known, owner_of_module,
};

/// How a text is compiled.
#[derive(Clone, Copy)]
pub enum Form<'a> {
    Module,
    /// The body of a CommonJS function with these parameters.
    Function(&'a [&'a str]),
}

/// A text to compile; `name` is the path of its file.
pub struct Text<'a> {
    pub form: Form<'a>,
    pub name: &'a str,
    pub source: &'a str,
}

/// Returns whether the code that was looked up was used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Accepted,
    Rejected,
    Missing,
}

pub trait CodeCache {
    /// What a lookup carries over to `on_compiled`.
    type Lookup;

    /// Looks up the code of a text.
    fn look_up(&self, scope: &Scope<'_>, text: &Text<'_>) -> (Option<Cow<'_, [u8]>>, Self::Lookup);

    /// Called after the text was compiled; `owner` returns the object whose code can be serialized.
    fn on_compiled(
        &self,
        scope: &Scope<'_>,
        lookup: Self::Lookup,
        outcome: Outcome,
        owner: impl FnOnce() -> Option<CodeOwner>,
    );
}

/// The code caches of one program; the engine's thread uses them.
pub struct CodeCaches {
    cache: OnceLock<Cache>,
    store: Option<CodeStore>,
}

impl CodeCaches {
    pub fn new(store: Option<CodeStore>) -> CodeCaches {
        CodeCaches { cache: OnceLock::new(), store }
    }

    /// The compile cache of the program.
    pub fn cache(&self) -> Option<&Cache> {
        self.cache.get()
    }

    /// Uses `cache` from now on; the first one stays.
    pub fn use_cache(&self, cache: Cache) {
        drop(self.cache.set(cache));
    }

    /// Compiles an ES module without the GIL. Returns None if the text is not a module.
    pub fn module(&self, scope: &Scope<'_>, source: &str, name: &str) -> Option<Arc<ModuleData>> {
        executed_source::store(name, source);
        match (self.cache_for(name), self.store_for(name)) {
            (Some(cache), _) => module_with(cache, scope, source, name),
            (None, Some(store)) => module_with(store, scope, source, name),
            (None, None) => compile_known(scope, source, name, None).map(|(module, _)| module),
        }
    }

    /// Compiles a CommonJS function with `source` as its body, without the GIL.
    pub fn function<'s>(&self, scope: &Scope<'s>, source: &str, params: &[&str], name: &str) -> PyResult<Local<'s>> {
        debug_log!(Loader, "{name}: compiled as CommonJS");
        executed_source::store(name, source);
        match (self.cache_for(name), self.store_for(name)) {
            (Some(cache), _) => function_with(cache, scope, source, params, name),
            (None, Some(store)) => function_with(store, scope, source, params, name),
            (None, None) => compile_function_with_code(scope, source, params, name, None).map(|(function, _)| function),
        }
    }

    fn cache_for(&self, name: &str) -> Option<&Cache> {
        self.cache.get().filter(|_| is_file(name))
    }

    fn store_for(&self, name: &str) -> Option<&CodeStore> {
        self.store.as_ref().filter(|_| is_file(name))
    }

    /// Writes what the program has compiled, for its next runs. Must be called last.
    pub fn save(&self, state: &State) {
        if let Some(cache) = self.cache.get() {
            cache.write_all();
        }
        if let Some(store) = &self.store {
            store.save(state);
        }
    }
}

/// Returns whether the name of a text is a file's path.
fn is_file(name: &str) -> bool {
    name.starts_with('/')
}

fn module_with(cache: &impl CodeCache, scope: &Scope<'_>, source: &str, name: &str) -> Option<Arc<ModuleData>> {
    let (code, lookup) = cache.look_up(scope, &Text { form: Form::Module, name, source });
    let (module, was_rejected) = compile_known(scope, source, name, code.as_deref())?;
    cache.on_compiled(scope, lookup, Outcome::of(code.is_some(), was_rejected), || owner_of_module(scope, &module));
    Some(module)
}

fn function_with<'s>(
    cache: &impl CodeCache,
    scope: &Scope<'s>,
    source: &str,
    params: &[&str],
    name: &str,
) -> PyResult<Local<'s>> {
    let (code, lookup) = cache.look_up(scope, &Text { form: Form::Function(params), name, source });
    let (function, was_rejected) = compile_function_with_code(scope, source, params, name, code.as_deref())?;
    let owner = || Some(CodeOwner::of_function(scope, function));
    cache.on_compiled(scope, lookup, Outcome::of(code.is_some(), was_rejected), owner);
    Ok(function)
}

impl Outcome {
    fn of(was_found: bool, was_rejected: bool) -> Outcome {
        match (was_found, was_rejected) {
            (false, _) => Outcome::Missing,
            (true, true) => Outcome::Rejected,
            (true, false) => Outcome::Accepted,
        }
    }
}
