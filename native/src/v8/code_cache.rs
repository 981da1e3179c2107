//! V8's code cache of functions and modules that are compiled here: consumed while a text is compiled, made of what has been
//! compiled of it by the time somebody asks.
//!
//! V8 rejects code of another version of itself or made under other flags. Of the text it compares only the length: who
//! hands code over has made sure that it belongs to the text.
use std::sync::Arc;

use super::api::{Raw, v8};
use super::layout::CachedData;
use super::module_graph::Data;
use super::scope::{Global, Local, Scope};

enum Form {
    Function,
    Module,
}

/// What the code of a text can be had from.
pub struct CodeOwner {
    value: Global,
    form: Form,
}

impl CodeOwner {
    pub fn of_function(scope: &Scope<'_>, function: Local<'_>) -> CodeOwner {
        CodeOwner { value: Global::new(scope, function), form: Form::Function }
    }

    /// Of a module that is not evaluated yet.
    fn of_module(scope: &Scope<'_>, module: Local<'_>) -> Option<CodeOwner> {
        // SAFETY: a live module of source text; V8 returns a handle of this scope.
        let unbound = unsafe { scope.local((v8().module_unbound)(module.handle())) }?;
        Some(CodeOwner { value: Global::new(scope, unbound), form: Form::Module })
    }

    /// The code compiled so far; None where V8 makes none of it (asm.js).
    pub fn code(&self) -> Option<Vec<u8>> {
        let made = self.value.enter(|_, value| {
            // SAFETY: a live handle of the kind that each function takes.
            Ok(copied(unsafe {
                match self.form {
                    Form::Function => (v8().function_cache)(value.handle()),
                    Form::Module => (v8().module_cache)(value.handle()),
                }
            }))
        });
        made.ok().flatten()
    }
}

/// Copy a code cache that V8 has made, and free it.
fn copied(cache: Raw) -> Option<Vec<u8>> {
    if cache.is_null() {
        return None;
    }
    // SAFETY: V8 hands over a CachedData with its buffer; both are freed once, by the functions they came from.
    unsafe {
        let data = &*(cache as *const CachedData);
        let bytes = std::slice::from_raw_parts(data.data, data.length as usize).to_vec();
        (v8().cached_data_end)(cache);
        (v8().operator_delete)(cache);
        Some(bytes)
    }
}

/// What the code of a module can be had from that is not evaluated yet.
pub fn owner_of_module(scope: &Scope<'_>, made: &Arc<Data>) -> Option<CodeOwner> {
    scope.nested(|scope| CodeOwner::of_module(scope, made.module.in_scope(scope).ok()?))
}
