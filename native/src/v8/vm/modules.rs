//! Modules of `node:vm`: SourceTextModule and SyntheticModule, created, linked and evaluated by JavaScript
//! (`js/node/vm`).
//!
//! JavaScript identifies a module by a number. The entry is removed when the JavaScript object of the module is
//! collected; V8 keeps the module itself as long as another imports it.
use std::sync::Arc;

use super::contexts::{context_or_main, inside};
use super::queues;
use super::scripts::{Limits, cache_to_js, compile_text, flag, integer, run_limited, undefined};
use super::tables::Tables;
use crate::v8::api::layout::{CallbackInfo, ORIGIN_IS_MODULE, Span, maybe_bool};
use crate::v8::api::{Handle, Raw, v8};
use crate::v8::modules::graph::{Data, ModuleEntry, enter_into_table, find, forget_links, resolve};
use crate::v8::modules::import_hooks::{EVALUATION, phase_of, promise_of, resolve_source};
use crate::v8::modules::script_hooks;
use crate::v8::values::function::{Call, guarded};
use crate::v8::values::scope::calling;
use crate::v8::values::scope::{Local, NO_HANDLE};
use crate::v8::values::value::number_to_js;
use crate::v8::values::weak;

const UNLINKED: i32 = 0;

fn adopt(call: &Call<'_>, module: Local<'_>) -> i32 {
    let scope = &call.scope;
    let tables = scope.state.slot::<Tables>();
    let id = tables.last_script.get() + 1;
    tables.last_script.set(id);
    let data = Data::new(scope, module, String::new(), None);
    data.vm_id.set(id);
    enter_into_table(scope, data.hash, ModuleEntry::Known(Arc::downgrade(&data)));
    tables.modules.borrow_mut().insert(id, data);
    weak::watch(scope, call.argument(0), move |state| {
        let module = state.slot::<Tables>().modules.borrow_mut().remove(&id);
        state.slot::<Tables>().dead_modules.borrow_mut().extend(module); // released outside the collector
    });
    drop(tables.dead_modules.take());
    id
}

/// `vmModule(object, text, name, line, column, cachedData, symbol, context)`: `[id, rejected | undefined, sourceMapURL]`.
pub extern "C" fn source_module(info: &CallbackInfo) {
    guarded(info, |call| {
        let scope = &call.scope;
        // SAFETY: the structure is filled in; the context is entered for the compilation.
        let compiled = compile_text(call, ORIGIN_IS_MODULE, |source, options| unsafe {
            (v8().module_compile)(scope.isolate, source, options, 0)
        });
        let Some((module, rejected)) = compiled else { return };
        let id = adopt(call, module);
        // SAFETY: the module is live.
        let url = unsafe { scope.local((v8().module_source_map)((v8().module_unbound)(module.handle()))) };
        call.answer_list(&[number_to_js(scope, id.into()), rejected, url.unwrap_or_else(|| undefined(scope))]);
    });
}

/// `vmSyntheticModule(object, name, context, names)`: its number.
pub extern "C" fn synthetic_module(info: &CallbackInfo) {
    guarded(info, |call| {
        let scope = &call.scope;
        let Some(context) = context_or_main(scope, call.argument(2)) else { return };
        let names = call.argument(3).handle();
        // SAFETY: the library passes a list of strings; the callback has V8's signature.
        let module = unsafe {
            let main = scope.context.handle();
            let names: Vec<Handle> =
                (0..(v8().array_length)(names)).map(|at| (v8().object_get_index)(names, main, at)).collect();
            let span = Span { data: names.as_ptr(), size: names.len() };
            let name = call.argument(1).handle();
            inside(context, || {
                scope.local((v8().module_synthetic)(scope.isolate, name, &span, evaluate_synthetic as Raw))
            })
        };
        if let Some(module) = module {
            call.answer(number_to_js(scope, adopt(call, module).into()));
        }
    });
}

/// V8's evaluation steps of a synthetic module: calls JavaScript's `evaluate` with the module's number.
unsafe extern "C" fn evaluate_synthetic(_context: Handle, module: Handle) -> Handle {
    // SAFETY: V8 passes a live module.
    let (scope, module) = unsafe { (calling(), Local::new(module).expect("a module")) };
    let id = find(&scope, module).map_or(0, |data| data.vm_id.get());
    script_hooks::call(&scope, script_hooks::EVALUATE, &[number_to_js(&scope, id.into()).handle()])
        .map_or(NO_HANDLE, Local::handle)
}

fn module_of<'s>(call: &Call<'s>) -> Option<(Arc<Data>, Local<'s>)> {
    let data = call.scope.state.slot::<Tables>().modules.borrow().get(&integer(call.argument(0))).cloned()?;
    let module = data.module.in_scope(&call.scope).ok()?;
    Some((data, module))
}

fn with_module(info: &CallbackInfo, work: impl FnOnce(&Call<'_>, &Arc<Data>, Local<'_>)) {
    guarded(info, |call| match module_of(call) {
        Some((data, module)) => work(call, &data, module),
        None => call.throw_type_error("Illegal invocation"),
    });
}

/// `vmModuleRequests(id)`: for each request its specifier, its attributes (flat: key, value …) and V8's number for its
/// phase.
pub extern "C" fn requests(info: &CallbackInfo) {
    with_module(info, |call, _, module| {
        let scope = &call.scope;
        let mut values = vec![];
        // SAFETY: the handles are live: a module with requests, each with flat attributes of three entries.
        unsafe {
            let requests = (v8().module_requests)(module.handle());
            for index in 0..(v8().fixed_array_length)(requests) {
                let request = (v8().fixed_array_get)(requests, index);
                let attributes = (v8().request_attributes)(request);
                let flat: Vec<Handle> = (0..(v8().fixed_array_length)(attributes))
                    .filter(|at| at % 3 != 2)
                    .map(|at| (v8().fixed_array_get)(attributes, at))
                    .collect();
                let flat = (v8().array_new)(scope.isolate, flat.as_ptr(), flat.len());
                values.extend(scope.local((v8().request_specifier)(request)));
                values.extend(scope.local(flat));
                values.push(number_to_js(scope, scope.local(request).map_or(EVALUATION, phase_of).into()));
            }
        }
        call.answer_list(&values);
    });
}

/// `vmModuleLink(id, ids)`: sets the module for each request, in order.
pub extern "C" fn link(info: &CallbackInfo) {
    with_module(info, |call, data, _| {
        let ids = call.argument(1).handle();
        let tables = call.scope.state.slot::<Tables>();
        // SAFETY: the library passes a list of numbers.
        let linked: Vec<Arc<Data>> = unsafe {
            (0..(v8().array_length)(ids))
                .filter_map(|at| call.scope.local((v8().object_get_index)(ids, call.scope.context.handle(), at)))
                .filter_map(|id| tables.modules.borrow().get(&integer(id)).cloned())
                .collect()
        };
        data.links.replace(linked);
    });
}

/// `vmModuleInstantiate(id, context)`.
pub extern "C" fn instantiate(info: &CallbackInfo) {
    with_module(info, |call, data, module| {
        let Some(context) = context_or_main(&call.scope, call.argument(1)) else { return };
        // SAFETY: the handles are live; the callback has the signature of the by-index form.
        let done = inside(context, || unsafe {
            (v8().module_instantiate)(module.handle(), context.handle(), resolve as Raw, resolve_source as Raw)
        });
        if maybe_bool(done).is_some() {
            forget_links(data);
        }
    });
}

/// `vmModuleEvaluate(id, context, timeout, breaks)`: a promise.
pub extern "C" fn evaluate(info: &CallbackInfo) {
    with_module(info, |call, _, module| {
        let scope = &call.scope;
        let Some(context) = context_or_main(scope, call.argument(1)) else { return };
        let limit = integer(call.argument(2));
        let breaks = call.argument(3).word() == scope.state.inner().roots.get().yes;
        let value = run_limited(scope, Limits { ms: limit.into(), breaks }, true, || {
            inside(context, || {
                // SAFETY: the handles are live; the module is instantiated (JavaScript has checked).
                let mut value = unsafe { scope.local((v8().module_evaluate)(module.handle(), context.handle())) }?;
                if queues::queue_of(scope, context).is_some() {
                    // Reactions to a promise of that context wait in its queue, which is not run later.
                    // SAFETY: V8 returned the handle in this scope.
                    value = unsafe { scope.local(promise_of(scope, scope.context, value)) }?;
                }
                queues::run(scope, context);
                Some(scope.handle_for(value.word()))
            })
        });
        if let Some(value) = value {
            call.answer(value);
        }
    });
}

/// `vmModuleStatus(id)`: V8's number.
pub extern "C" fn status(info: &CallbackInfo) {
    with_module(info, |call, _, module| {
        // SAFETY: the module is live.
        let status = unsafe { (v8().module_status)(module.handle()) };
        call.answer(number_to_js(&call.scope, status.into()));
    });
}

/// `vmModuleError(id)`; the module is errored.
pub extern "C" fn error(info: &CallbackInfo) {
    with_module(info, |call, _, module| {
        // SAFETY: the module is live and has an exception (JavaScript has checked).
        if let Some(error) = unsafe { call.scope.local((v8().module_exception)(module.handle())) } {
            call.answer(error);
        }
    });
}

/// `vmModuleNamespace(id)`; the module is instantiated.
pub extern "C" fn namespace(info: &CallbackInfo) {
    with_module(info, |call, _, module| {
        // SAFETY: the module is live and instantiated (JavaScript has checked).
        if let Some(namespace) = unsafe { call.scope.local((v8().module_namespace)(module.handle())) } {
            call.answer(namespace);
        }
    });
}

/// `vmModuleSetExport(id, name, value)`.
pub extern "C" fn set_export(info: &CallbackInfo) {
    with_module(info, |call, _, module| {
        let (name, value) = (call.argument(1).handle(), call.argument(2).handle());
        // SAFETY: the handles are live; the module is synthetic and instantiated.
        unsafe { (v8().module_set_export)(module.handle(), call.scope.isolate, name, value) };
    });
}

/// `vmModuleCache(id)`: its code cache.
pub extern "C" fn cache(info: &CallbackInfo) {
    with_module(info, |call, _, module| {
        // SAFETY: the module is live and made from source text.
        let cache = unsafe { (v8().module_cache)((v8().module_unbound)(module.handle())) };
        call.answer(cache_to_js(&call.scope, cache));
    });
}

/// `vmModuleAwaits(id, inGraph)`: whether it uses top-level await; with `inGraph`, it or anything that it imports.
pub extern "C" fn awaits(info: &CallbackInfo) {
    with_module(info, |call, _, module| {
        let in_graph = call.argument(1).word() == call.scope.state.inner().roots.get().yes;
        // SAFETY: the module is live, and its graph is read only once it is instantiated.
        let awaits = unsafe {
            match in_graph {
                true if (v8().module_status)(module.handle()) > UNLINKED => (v8().module_is_async)(module.handle()),
                true => false,
                false => (v8().module_has_await)(module.handle()),
            }
        };
        call.answer(flag(&call.scope, awaits));
    });
}
