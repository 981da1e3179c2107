//! Host functions in Rust, for what JavaScript cannot see itself or calls too often for Python.
//!
//! Each is installed in the host object under its name. All stand in the external references, after the trampoline, so
//! that start-up snapshots may hold them; a snapshot's key covers this list. The list needs no Python: an isolate may
//! be made before the interpreter is (`early`).
use std::sync::OnceLock;
use std::time::Instant;

use super::api::v8;
use super::buffer;
use super::function::{Call, HostOperation, call_python, guarded};
use super::layout::CallbackInfo;
use super::scope::Local;
use super::value::{number_to_js, utf8_to_js};

pub type Callback = unsafe extern "C" fn(&CallbackInfo);
pub type Natives = &'static [(&'static str, Callback)];

const OWN: Natives = &[
    ("now", now),
    ("encodeUtf8", encode_utf8),
    ("copyBytes", copy_bytes),
    ("sameBytes", same_bytes),
    ("decodeUtf8", decode_utf8),
    ("textOf", super::bytes_text::text_of),
    ("writeText", super::bytes_text::write_text),
    ("toBase64", super::bytes_text::to_base64),
    ("fromBase64", super::bytes_text::from_base64),
    ("compareBytes", super::bytes_text::compare_bytes),
    ("findBytes", super::bytes_text::find_bytes),
    ("kindOf", kind_of),
    ("proxyDetails", proxy_details),
    ("promiseDetails", promise_details),
    ("previewEntries", preview_entries),
    ("constructorName", constructor_name),
    ("ownKeys", own_keys),
    ("enqueueMicrotask", enqueue_microtask),
    ("setPrepareStackTrace", set_prepare_stack_trace),
    ("setPromiseHooks", super::promise_hooks::set_promise_hooks),
    ("callBoth", super::console_calls::call_both),
    ("setLazyMaker", super::lazy_values::set_maker),
    ("defineLazyValue", super::lazy_values::define),
    ("structuredClone", super::clone::structured_clone),
    ("cloneBytes", super::clone_views::clone_bytes),
    ("setBufferPrototype", super::clone_views::set_buffer_prototype),
    ("runMicrotasks", run_microtasks),
    ("takeRejections", take_rejections),
    ("setV8Flags", set_v8_flags),
    ("queryObjects", super::heap_query::query_objects),
    ("vmMakeContext", super::vm_contexts::make_context),
    ("vmIsContext", super::vm_contexts::is_context),
    ("vmCompile", super::vm_scripts::compile),
    ("vmRun", super::vm_scripts::run),
    ("vmCache", super::vm_scripts::cache),
    ("vmCompileFunction", super::vm_scripts::compile_function),
    ("vmHooks", super::vm_modules::set_hooks),
    ("vmModule", super::vm_modules::source_module),
    ("vmSyntheticModule", super::vm_modules::synthetic_module),
    ("vmModuleRequests", super::vm_modules::requests),
    ("vmModuleLink", super::vm_modules::link),
    ("vmModuleInstantiate", super::vm_modules::instantiate),
    ("vmModuleEvaluate", super::vm_modules::evaluate),
    ("vmModuleStatus", super::vm_modules::status),
    ("vmModuleError", super::vm_modules::error),
    ("vmModuleNamespace", super::vm_modules::namespace),
    ("vmModuleSetExport", super::vm_modules::set_export),
    ("vmModuleCache", super::vm_modules::cache),
    ("vmModuleAwaits", super::vm_modules::awaits),
    ("httpParserNew", super::http::parser_new),
    ("httpParserAnswers", super::http::parser_answers),
    ("httpParserExecute", super::http::parser_execute),
    ("httpParserFinish", super::http::parser_finish),
    ("httpParserFree", super::http::parser_free),
    ("httpServerListen", super::http_server::listen),
    ("httpServerWatch", super::http_server::watch),
    ("httpServerTurn", super::http_server::turn),
    ("httpServerWrite", super::http_server::write),
    ("httpServerWriteFile", super::http_server_files::write_file),
    ("httpServerControl", super::http_server::control),
    ("httpServerSweep", super::http_server::sweep),
    ("httpServerPeer", super::http_server::peer),
    ("httpServerClose", super::http_server::close),
    ("tlsTake", super::tls::take),
    ("tlsPut", super::tls::put),
];

/// Host functions that need no Python, of this room and of others.
const OPERATIONS: [&[&[(&str, HostOperation)]]; 4] = [
    &[
        crate::event_loop::OPERATIONS,
        super::mapped_files::OPERATIONS,
        super::operations::OPERATIONS,
        super::heap::OPERATIONS,
        super::system_operations::OPERATIONS,
    ],
    &crate::net::OPERATIONS,
    &crate::system::OPERATIONS,
    &[crate::children::OPERATIONS, crate::crypto::OPERATIONS, crate::zlib::OPERATIONS],
];

fn all_operations() -> impl Iterator<Item = &'static (&'static str, HostOperation)> {
    OPERATIONS.iter().copied().flatten().copied().flatten()
}

/// Those of other rooms.
const OFFERED: [&[Natives]; 5] = [
    &[
        super::fatal_report::NATIVES,
        super::collections::NATIVES,
        super::heap_snapshots::NATIVES,
        super::kind_tests::NATIVES,
    ],
    crate::addons::NATIVES,
    crate::event_loop::NATIVES,
    crate::fs::NATIVES,
    crate::sqlite::NATIVES,
];

/// The names of the host functions that need no Python.
pub fn operation_names() -> Vec<&'static str> {
    all_operations().map(|(name, _)| *name).collect()
}

/// What of the host functions called `names` needs no Python, each at its place.
pub fn operations(names: &[String]) -> Vec<Option<HostOperation>> {
    let mut found = vec![None; names.len()];
    for (name, operation) in all_operations() {
        if let Some(place) = names.iter().position(|each| each == name) {
            found[place] = Some(*operation);
        }
    }
    found
}

/// All native functions, in the order of their external references.
pub fn all() -> Vec<(&'static str, Callback)> {
    let offered = OFFERED.iter().copied().flatten().copied().flatten();
    OWN.iter().chain(offered).copied().collect()
}

/// The addresses that snapshots refer to by position; ends in zero.
pub fn external_references() -> &'static [usize] {
    static REFERENCES: OnceLock<Vec<usize>> = OnceLock::new();
    REFERENCES.get_or_init(|| {
        let natives = all().into_iter().map(|(_, function)| function as usize);
        let callbacks = [call_python as *const () as usize, super::lazy_values::made as *const () as usize];
        callbacks.into_iter().chain(natives).chain([0]).collect()
    })
}

fn test(call: &Call<'_>, index: usize, test: unsafe extern "C" fn(super::api::Handle) -> bool) -> bool {
    // SAFETY: a live handle; the tests only look.
    unsafe { test(call.argument(index).handle()) }
}

/// `now()`: milliseconds of the monotonic clock since the first call.
unsafe extern "C" fn now(info: &CallbackInfo) {
    guarded(info, |call| call.answer(number_to_js(&call.scope, clock_ms())));
}

/// The clock of `now()`.
pub fn clock_ms() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3
}

/// `sameBytes(one, other)`: 1 where two buffers hold the same bytes, else 0.
unsafe extern "C" fn same_bytes(info: &CallbackInfo) {
    guarded(info, |call| {
        let (one, other) = (call.argument(0), call.argument(1));
        let is_same = buffer::with_bytes(one, |one| buffer::with_bytes(other, |other| one == other).unwrap_or(false));
        call.answer(super::http::integer(&call.scope, is_same.unwrap_or(false).into()));
    });
}

/// `copyBytes(buffer)`: a copy as a Uint8Array, whose memory is not cleared first.
unsafe extern "C" fn copy_bytes(info: &CallbackInfo) {
    guarded(info, |call| match buffer::with_bytes(call.argument(0), |bytes| buffer::uint8_array(&call.scope, bytes)) {
        Some(Ok(copy)) => call.answer(copy),
        Some(Err(error)) => call.raise(error),
        None => call.throw_type_error("copyBytes takes a buffer"),
    });
}

/// `encodeUtf8(string)`: a Uint8Array; lone surrogates become U+FFFD.
unsafe extern "C" fn encode_utf8(info: &CallbackInfo) {
    guarded(info, |call| {
        if !test(call, 0, v8().is_string) {
            return call.throw_type_error("encodeUtf8 takes a string");
        }
        let text = call.argument(0).handle();
        let isolate = call.scope.isolate;
        // SAFETY: a live string, and an array of as many bytes as V8 says the string takes.
        unsafe {
            let size = (v8().string_utf8_length)(text, isolate);
            if let Some((array, data)) = buffer::new_uint8_array(&call.scope, size) {
                const REPLACE_INVALID: i32 = 2;
                (v8().string_write_utf8)(text, isolate, data, size, REPLACE_INVALID, std::ptr::null_mut());
                call.answer(array);
            }
        }
    });
}

/// `decodeUtf8(bytes)`: a string; invalid sequences become U+FFFD.
unsafe extern "C" fn decode_utf8(info: &CallbackInfo) {
    guarded(info, |call| match buffer::with_bytes(call.argument(0), |bytes| utf8_to_js(&call.scope, bytes, 0)) {
        Some(Ok(text)) => call.answer(text),
        Some(Err(_)) => call.throw_type_error("the string is too long"),
        None => call.throw_type_error("decodeUtf8 takes a buffer"),
    });
}

/// `kindOf(value)`: as `JsObject.kind`, but with kinds of functions, and "proxy" for every proxy; "" for no object.
unsafe extern "C" fn kind_of(info: &CallbackInfo) {
    guarded(info, |call| {
        let is = |check| test(call, 0, check);
        let kind = match () {
            () if !is(v8().is_object) => "",
            () if is(v8().is_proxy) => "proxy", // also one that can be called
            () if is(v8().is_function) => match (is(v8().is_async_function), is(v8().is_generator_function)) {
                (false, false) => "function",
                (true, false) => "async-function",
                (false, true) => "generator-function",
                (true, true) => "async-generator-function",
            },
            () => super::object::kind_of(call.argument(0)),
        };
        call.answer(super::value::literal(&call.scope, kind));
    });
}

fn answer_pair(call: &Call<'_>, first: Local<'_>, second: Option<Local<'_>>) {
    let handles: Vec<_> = [Some(first), second].into_iter().flatten().map(Local::handle).collect();
    // SAFETY: live handles, copied by V8.
    let array = unsafe { call.scope.local((v8().array_new)(call.scope.isolate, handles.as_ptr(), handles.len())) };
    if let Some(array) = array {
        call.answer(array);
    }
}

/// `proxyDetails(value)`: `[target, handler]`, undefined for what is no proxy.
unsafe extern "C" fn proxy_details(info: &CallbackInfo) {
    guarded(info, |call| {
        if test(call, 0, v8().is_proxy) {
            let proxy = call.argument(0).handle();
            // SAFETY: a live proxy.
            let pair = unsafe {
                (call.scope.local((v8().proxy_target)(proxy)), call.scope.local((v8().proxy_handler)(proxy)))
            };
            if let (Some(target), handler) = pair {
                answer_pair(call, target, handler);
            }
        }
    });
}

/// `promiseDetails(promise)`: `[state]` (0 pending) or `[state, result]` (1 fulfilled, 2 rejected).
unsafe extern "C" fn promise_details(info: &CallbackInfo) {
    guarded(info, |call| {
        if test(call, 0, v8().is_promise) {
            let promise = call.argument(0).handle();
            // SAFETY: a live promise; its result may be read once it is settled.
            unsafe {
                let state = (v8().promise_state)(promise);
                let result = if state == 0 { None } else { call.scope.local((v8().promise_result)(promise)) };
                answer_pair(call, number_to_js(&call.scope, state.into()), result);
            }
        }
    });
}

/// `previewEntries(collection)`: `[entries, isKeyValue]` of a map, set, weak one or iterator, which is not advanced.
unsafe extern "C" fn preview_entries(info: &CallbackInfo) {
    guarded(info, |call| {
        if test(call, 0, v8().is_object) {
            let mut is_key_value = false;
            // SAFETY: a live object; the flag outlives the call.
            let entries = unsafe {
                call.scope.local((v8().object_preview_entries)(call.argument(0).handle(), &mut is_key_value))
            };
            if let Some(entries) = entries {
                let roots = call.scope.state.inner().roots.get();
                let flag = call.scope.handle_for(if is_key_value { roots.yes } else { roots.no });
                answer_pair(call, entries, Some(flag));
            }
        }
    });
}

/// `constructorName(object)`: the name of the constructor, without running JavaScript.
unsafe extern "C" fn constructor_name(info: &CallbackInfo) {
    guarded(info, |call| {
        if test(call, 0, v8().is_object) {
            // SAFETY: a live object.
            let name = unsafe { call.scope.local((v8().object_constructor_name)(call.argument(0).handle())) };
            if let Some(name) = name {
                call.answer(name);
            }
        }
    });
}

/// `ownKeys(object, filter)`: own keys that are no array indices; the filter's bits are V8's `PropertyFilter`.
unsafe extern "C" fn own_keys(info: &CallbackInfo) {
    guarded(info, |call| {
        if test(call, 0, v8().is_object) {
            let filter = super::layout::small_integer(call.argument(1).word()).unwrap_or(0);
            let (object, context) = (call.argument(0).handle(), call.scope.context.handle());
            const OWN_ONLY: i32 = 0;
            const SKIP_INDICES: i32 = 1;
            const TO_STRINGS: i32 = 0;
            // SAFETY: live handles; a proxy's trap may throw, and then there is no answer.
            let keys =
                unsafe { (v8().object_property_names)(object, context, OWN_ONLY, filter, SKIP_INDICES, TO_STRINGS) };
            // SAFETY: V8 has just returned it.
            if let Some(keys) = unsafe { call.scope.local(keys) } {
                call.answer(keys);
            }
        }
    });
}

/// `enqueueMicrotask(function)`: what it throws turns up in `Engine.take_uncaught`.
unsafe extern "C" fn enqueue_microtask(info: &CallbackInfo) {
    guarded(info, |call| {
        if !test(call, 0, v8().is_function) {
            return call.throw_type_error("enqueueMicrotask takes a function");
        }
        // SAFETY: a live function.
        unsafe { (v8().enqueue_microtask)(call.scope.isolate, call.argument(0).handle()) };
    });
}

/// `setV8Flags(text)`: flags of V8, as on its command line.
unsafe extern "C" fn set_v8_flags(info: &CallbackInfo) {
    guarded(info, |call| {
        let flags = call.utf8(0).and_then(|text| std::ffi::CString::new(text).ok());
        if let Some(flags) = flags {
            // SAFETY: the text ends in NUL; V8 ignores what it does not know.
            unsafe { (v8().set_flags)(flags.as_ptr()) };
        }
    });
}

/// `setPrepareStackTrace(function)`: `function(error, callSites)` makes every `error.stack`; undefined takes it back.
unsafe extern "C" fn set_prepare_stack_trace(info: &CallbackInfo) {
    guarded(info, |call| {
        let function = test(call, 0, v8().is_function).then(|| call.argument(0));
        super::stack::set_prepare(&call.scope, function);
    });
}

/// `runMicrotasks()`: run those that are queued, and those that they queue.
unsafe extern "C" fn run_microtasks(info: &CallbackInfo) {
    guarded(info, super::plain::run_microtasks);
}

/// `takeRejections()`: `[handledLater, promise, reason, context, ...]` since the last call, or undefined for none.
unsafe extern "C" fn take_rejections(info: &CallbackInfo) {
    guarded(info, |call| {
        if let Some(notes) = super::promise::taken_rejections(&call.scope) {
            call.answer(call.scope.array(&notes));
        }
    });
}
