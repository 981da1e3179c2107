//! V8's code cache for functions and modules compiled here: consumed when a text is compiled, created later from
//! everything compiled by then.
//!
//! V8 rejects code of another version or other flags. Of the text it compares only the length, so the caller must
//! ensure that the code belongs to the text.
use std::sync::Arc;

use super::graph::Data;
use crate::v8::api::layout::CachedData;
use crate::v8::api::{Raw, v8};
use crate::v8::values::scope::{Global, Local, Scope};

enum Form {
    Function,
    Module,
}

/// Something whose compiled code can be read.
pub struct CodeOwner {
    value: Global,
    form: Form,
}

impl CodeOwner {
    pub fn of_function(scope: &Scope<'_>, function: Local<'_>) -> CodeOwner {
        CodeOwner { value: Global::new(scope, function), form: Form::Function }
    }

    /// The owner for a module that is not evaluated yet.
    fn of_module(scope: &Scope<'_>, module: Local<'_>) -> Option<CodeOwner> {
        // SAFETY: the module is live and made from source text; V8 returns a handle of this scope.
        let unbound = unsafe { scope.local((v8().module_unbound)(module.handle())) }?;
        Some(CodeOwner { value: Global::new(scope, unbound), form: Form::Module })
    }

    /// The code compiled so far; None if V8 cannot cache it (asm.js).
    pub fn code(&self) -> Option<Vec<u8>> {
        let cache = self.value.enter(|_, value| {
            // SAFETY: the handle is live and of the type that each function takes.
            Ok(copy_and_free(unsafe {
                match self.form {
                    Form::Function => (v8().function_cache)(value.handle()),
                    Form::Module => (v8().module_cache)(value.handle()),
                }
            }))
        });
        cache.ok().flatten()
    }
}

/// Copies and frees a code cache that V8 created.
fn copy_and_free(cache: Raw) -> Option<Vec<u8>> {
    if cache.is_null() {
        return None;
    }
    // SAFETY: V8 transfers a CachedData with its buffer; both are freed once, by the functions that match their
    // allocation.
    unsafe {
        let data = &*(cache as *const CachedData);
        let bytes = std::slice::from_raw_parts(data.data, data.length as usize).to_vec();
        (v8().cached_data_end)(cache);
        (v8().operator_delete)(cache);
        Some(bytes)
    }
}

/// The owner of the code of a module that is not evaluated yet.
pub fn owner_of_module(scope: &Scope<'_>, made: &Arc<Data>) -> Option<CodeOwner> {
    scope.nested(|scope| CodeOwner::of_module(scope, made.module.in_scope(scope).ok()?))
}
