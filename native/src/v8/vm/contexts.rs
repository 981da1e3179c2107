//! Contexts of `node:vm`: each has a global object whose properties are those of the program's object (the sandbox).
//!
//! A sandbox and its context refer to each other inside V8's heap, so both are collected together: the sandbox holds
//! the context's global proxy in a private property, the context holds the sandbox in its embedder data.
use super::interceptors;
use super::queues;
use super::tables::Tables;
use crate::v8::api::layout::{
    CallbackInfo, EMBEDDER_IMPORTS, EMBEDDER_QUEUE, EMBEDDER_SANDBOX, EMBEDDER_WASM, maybe_bool,
};
use crate::v8::api::{Handle, v8};
use crate::v8::values::function::{Call, guarded};
use crate::v8::values::scope::calling;
use crate::v8::values::scope::{Local, NO_HANDLE, Scope};
use crate::v8::values::value::literal;

/// The private key under which a sandbox, or the global object of a context without one, holds the global proxy.
fn key<'s>(scope: &Scope<'s>) -> Local<'s> {
    // SAFETY: the scope proves the isolate current; the string is live.
    unsafe {
        let name = literal(scope, "rt.vm.context").handle();
        scope.local((v8().private_for_api)(scope.isolate, name)).expect("a private symbol")
    }
}

/// The context of a contextified object.
pub fn context_of<'s>(scope: &Scope<'s>, object: Local<'_>) -> Option<Local<'s>> {
    // SAFETY: the handles are live and tested before use as objects; private properties run no JavaScript.
    unsafe {
        if !(v8().is_object)(object.handle()) {
            return None;
        }
        let global = (v8().object_get_private)(object.handle(), scope.context.handle(), key(scope).handle());
        if global.is_null() || !(v8().is_object)(global) {
            return None;
        }
        scope.local((v8().object_creation_context)(global, scope.isolate))
    }
}

/// As `context_of`; `undefined` and `null` mean the program's own context.
pub fn context_or_main<'s>(scope: &Scope<'s>, object: Local<'_>) -> Option<Local<'s>> {
    let roots = scope.state.inner().roots.get();
    if object.word() == roots.undefined || object.word() == roots.null {
        return Some(scope.handle_for(scope.context.word()));
    }
    context_of(scope, object)
}

/// Calls `work` with `context` as the current context.
pub fn inside<R>(context: Local<'_>, work: impl FnOnce() -> R) -> R {
    struct Leave(Handle);
    impl Drop for Leave {
        fn drop(&mut self) {
            // SAFETY: exits the context that was entered below.
            unsafe { (v8().context_exit)(self.0) };
        }
    }
    // SAFETY: the context is live and belongs to the current isolate.
    unsafe { (v8().context_enter)(context.handle()) };
    let _leave = Leave(context.handle());
    work()
}

/// V8's callback before it compiles WebAssembly: whether the context allows it. The program's own always does.
pub unsafe extern "C" fn allows_wasm(context: Handle, _source: Handle) -> bool {
    // SAFETY: V8 passes a live context.
    let (scope, context) = unsafe { (calling(), Local::new(context).expect("a context")) };
    if is_programs(&scope, context) {
        return true;
    }
    // SAFETY: `make_context` created the context with this field.
    let allows = unsafe { scope.local((v8().context_embedder_data)(context.handle(), EMBEDDER_WASM)) };
    allows.is_none_or(|allows| allows.word() != scope.state.inner().roots.get().no)
}

fn is_programs(scope: &Scope<'_>, context: Local<'_>) -> bool {
    context.is(scope.context)
}

/// `vmMakeContext(sandbox | undefined, allowsStrings, allowsWasm, hasOwnMicrotasks, symbol of import() | undefined)`:
/// the sandbox, or the new global object if there is none.
pub extern "C" fn make_context(info: &CallbackInfo) {
    guarded(info, |call| {
        let scope = &call.scope;
        let roots = scope.state.roots();
        let tables = scope.state.slot::<Tables>();
        let sandbox = call.argument(0);
        let is_vanilla = sandbox.word() == roots.undefined;
        let template = if is_vanilla { NO_HANDLE } else { interceptors::template(scope) };
        let n = std::ptr::null_mut();
        // SAFETY: the handles are live; a null template and a null queue select V8's defaults. The queue is deleted
        // with its context.
        unsafe {
            const EXPLICIT: i32 = 0;
            let has_queue = call.argument(3).word() == roots.yes;
            let queue = if has_queue { (v8().microtask_queue_new)(scope.isolate, EXPLICIT) } else { n };
            let depth = tables.contexts_in_the_making.get();
            tables.contexts_in_the_making.set(depth + 1);
            let context = (v8().context_new)(scope.isolate, n, template, NO_HANDLE, n, n, queue, n, n, n, n);
            let context = scope.local(context);
            if let Some(context) = context {
                hide_break_iterator(scope, context.handle());
            }
            tables.contexts_in_the_making.set(depth);
            let Some(context) = context else {
                if has_queue {
                    (v8().microtask_queue_delete)(queue);
                }
                return call.throw_type_error("V8 made no context");
            };
            let handle = context.handle();
            let global = scope.local((v8().context_global)(handle)).expect("a context has a global object");
            let object = if is_vanilla { global } else { sandbox };
            (v8().context_set_security_token)(handle, (v8().context_security_token)(scope.context.handle()));
            (v8().context_set_embedder_data)(handle, EMBEDDER_SANDBOX, object.handle());
            (v8().context_set_embedder_data)(handle, EMBEDDER_WASM, call.argument(2).handle());
            (v8().context_set_embedder_data)(handle, EMBEDDER_IMPORTS, call.argument(4).handle());
            (v8().context_set_embedder_data)(handle, EMBEDDER_QUEUE, (v8().integer_new)(scope.isolate, 0));
            if call.argument(1).word() == roots.no {
                forbid_code(scope, handle);
            }
            (v8().object_set_private)(object.handle(), scope.context.handle(), key(scope).handle(), global.handle());
            if has_queue {
                queues::adopt(scope, context, queue);
            }
            call.answer(object);
        }
    });
}

/// Deletes V8's precursor of `Intl.Segmenter` from a new context, as Node does.
fn hide_break_iterator(scope: &Scope<'_>, context: Handle) {
    // SAFETY: the handles are live; `Intl` is a data property of a context that has run no program yet.
    unsafe {
        let global = (v8().context_global)(context);
        let Some(intl) = scope.local((v8().object_get)(global, context, literal(scope, "Intl").handle())) else {
            return;
        };
        if (v8().is_object)(intl.handle()) {
            let _ = (v8().object_delete)(intl.handle(), context, literal(scope, "v8BreakIterator").handle());
        }
    }
}

/// Makes `eval` and `Function` throw in `context`.
fn forbid_code(scope: &Scope<'_>, context: Handle) {
    let text = literal(scope, "Code generation from strings disallowed for this context");
    // SAFETY: the handles are live.
    unsafe {
        (v8().context_allow_code)(context, false);
        (v8().context_code_message)(context, text.handle());
    }
}

/// `vmDisallowCode()`: as `forbid_code`, in the context of the engine.
pub extern "C" fn disallow_code(info: &CallbackInfo) {
    guarded(info, |call: &Call<'_>| forbid_code(&call.scope, call.scope.context.handle()));
}

/// `vmIsContext(object)`.
pub extern "C" fn is_context(info: &CallbackInfo) {
    guarded(info, |call: &Call<'_>| {
        let roots = call.scope.state.inner().roots.get();
        // SAFETY: the handles are live, and the first is an object (the caller tested); private properties run no
        // JavaScript.
        let known = unsafe {
            let object = call.argument(0).handle();
            maybe_bool((v8().object_has_private)(object, call.scope.context.handle(), key(&call.scope).handle()))
        };
        call.answer(call.scope.handle_for(if known == Some(true) { roots.yes } else { roots.no }));
    });
}
