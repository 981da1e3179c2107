//! Scripts and functions of `node:vm`, compiled for any context and run in any context, with a time limit.
//!
//! A script belongs to its JavaScript object: the table entry is removed when that object is collected.
use super::contexts::{context_or_main, inside};
use super::errors;
use super::queues;
use super::tables::Tables;
use super::watchdog::Watchdog;
use crate::v8::api::layout::{
    COMPILE_CONSUME_CACHE, COMPILE_DEFAULT, CachedData, CallbackInfo, ORIGIN_IS_SHARED, Source, small_integer,
};
use crate::v8::api::{Handle, Raw, v8};
use crate::v8::values::buffer;
use crate::v8::values::function::{Call, guarded};
use crate::v8::values::scope::{Global, Local, NO_HANDLE, Scope, TryCatch};
use crate::v8::values::signals::breaks;
use crate::v8::values::value::{literal, number_to_js, utf8_to_js};
use crate::v8::values::weak;

/// A source given by the arguments from `first` on: text, name, line, column, cached data, symbol of import().
pub struct Text<'s> {
    text: Local<'s>,
    name: Local<'s>,
    line: i32,
    column: i32,
    cache: Option<Vec<u8>>,
    host_options: Handle,
}

impl<'s> Text<'s> {
    pub fn read(call: &Call<'s>, first: usize) -> Text<'s> {
        let integer = |index: usize| integer(call.argument(first + index));
        let cache = buffer::with_bytes(call.argument(first + 4), <[u8]>::to_vec);
        let symbol = call.argument(first + 5);
        // SAFETY: the handles are live; the array has one element.
        let host_options = unsafe {
            let options = (v8().primitive_array_new)(call.scope.isolate, 1);
            (v8().primitive_array_set)(options, call.scope.isolate, 0, symbol.handle());
            options
        };
        let (text, name) = (call.argument(first), call.argument(first + 1));
        Text { text, name, line: integer(2), column: integer(3), cache, host_options }
    }

    /// Calls `compile` with V8's structure and options; also returns whether the cached data was rejected.
    pub fn compile(&self, flags: i32, compile: impl FnOnce(Raw, i32) -> Handle) -> (Handle, bool) {
        let mut cache = self.cache.as_ref().map(|bytes| CachedData {
            data: bytes.as_ptr(),
            length: bytes.len() as i32,
            rejected: false,
            buffer_policy: 0,
        });
        let cached_data = cache.as_mut().map_or(std::ptr::null_mut(), |data| data as *mut CachedData);
        let options = if cached_data.is_null() { COMPILE_DEFAULT } else { COMPILE_CONSUME_CACHE };
        let mut source = Source {
            source: self.text.handle(),
            resource_name: self.name.handle(),
            line_offset: self.line,
            column_offset: self.column,
            flags: ORIGIN_IS_SHARED | flags,
            source_map_url: NO_HANDLE,
            host_defined_options: self.host_options,
            cached_data,
            rest: [0; 8],
        };
        let script = compile(&mut source as *mut Source as Raw, options);
        // SAFETY: V8 wrote the flag through the pointer during the call.
        (script, !cached_data.is_null() && unsafe { (*cached_data).rejected })
    }

    pub fn has_cache(&self) -> bool {
        self.cache.is_some()
    }
}

pub fn integer(value: Local<'_>) -> i32 {
    // SAFETY: the handle is live and tested to be a number.
    unsafe {
        match small_integer(value.word()) {
            Some(number) => number,
            None if (v8().is_number)(value.handle()) => (v8().number_value)(value.handle()) as i32,
            None => 0,
        }
    }
}

fn number(value: Local<'_>) -> f64 {
    // SAFETY: as in `integer`.
    unsafe { if (v8().is_number)(value.handle()) { (v8().number_value)(value.handle()) } else { -1.0 } }
}

pub fn flag<'s>(scope: &Scope<'s>, value: bool) -> Local<'s> {
    let roots = scope.state.inner().roots.get();
    scope.handle_for(if value { roots.yes } else { roots.no })
}

pub fn undefined<'s>(scope: &Scope<'s>) -> Local<'s> {
    scope.handle_for(scope.state.inner().roots.get().undefined)
}

/// Copies a code cache to a Uint8Array and frees it.
pub fn cache_to_js<'s>(scope: &Scope<'s>, cache: Raw) -> Local<'s> {
    if cache.is_null() {
        return undefined(scope);
    }
    // SAFETY: V8 transfers a CachedData with its buffer; both are freed once, by the functions that match their
    // allocation.
    unsafe {
        let data = &*(cache as *const CachedData);
        let bytes = std::slice::from_raw_parts(data.data, data.length as usize);
        let array = buffer::uint8_array(scope, bytes).unwrap_or_else(|_| undefined(scope));
        (v8().cached_data_end)(cache);
        (v8().operator_delete)(cache);
        array
    }
}

/// Compiles the text of the arguments 1 to 6 in the context of argument 7. Returns the outcome, and whether the cached data was
/// rejected (undefined without such data); None if an error was thrown.
pub fn compile_text<'s>(
    call: &Call<'s>,
    flags: i32,
    compile: impl FnOnce(Raw, i32) -> Handle,
) -> Option<(Local<'s>, Local<'s>)> {
    let scope = &call.scope;
    let text = Text::read(call, 1);
    let context = context_or_main(scope, call.argument(7))?;
    let mut words = Default::default();
    let catcher = TryCatch::open(scope, &mut words);
    let (made, rejected) = inside(context, || text.compile(flags, compile));
    // SAFETY: V8 returned the handle in this scope.
    let Some(made) = (unsafe { scope.local(made) }) else {
        errors::decorate(scope, &catcher);
        catcher.rethrow();
        return None;
    };
    let rejected = if text.has_cache() { flag(scope, rejected) } else { undefined(scope) };
    Some((made, rejected))
}

/// `vmCompile(object, text, name, line, column, cachedData, symbol, context)`: `[id, rejected | undefined,
/// sourceMapURL, sourceURL]`.
pub extern "C" fn compile(info: &CallbackInfo) {
    guarded(info, |call| {
        let scope = &call.scope;
        // SAFETY: the structure is filled in; the context is entered for the compilation.
        let compiled = compile_text(call, 0, |source, options| unsafe {
            (v8().script_compile_unbound)(scope.isolate, source, options, 0)
        });
        let Some((script, rejected)) = compiled else { return };
        let tables = scope.state.slot::<Tables>();
        let id = tables.last_script.get() + 1;
        tables.last_script.set(id);
        tables.scripts.borrow_mut().insert(id, Global::new(scope, script));
        weak::watch(scope, call.argument(0), move |state| {
            let script = state.slot::<Tables>().scripts.borrow_mut().remove(&id);
            state.slot::<Tables>().dead_scripts.borrow_mut().extend(script); // released outside the collector
        });
        tables.dead_scripts.take();
        // SAFETY: the script is live.
        let (map, url) = unsafe {
            let handle = script.handle();
            (scope.local((v8().unbound_source_map)(handle)), scope.local((v8().unbound_source_url)(handle)))
        };
        let or_undefined =
            |value: Option<Local<'_>>| scope.handle_for(value.unwrap_or_else(|| undefined(scope)).word());
        call.answer_list(&[number_to_js(scope, id.into()), rejected, or_undefined(map), or_undefined(url)]);
    });
}

fn script_of<'s>(call: &Call<'s>, index: usize) -> Option<Local<'s>> {
    let tables = call.scope.state.slot::<Tables>();
    let scripts = tables.scripts.borrow();
    scripts.get(&integer(call.argument(index)))?.in_scope(&call.scope).ok()
}

/// `vmRun(id, context, timeout, showsErrors, breaks)`: the completion value; with `breaks`, a SIGINT ends the
/// evaluation.
pub extern "C" fn run(info: &CallbackInfo) {
    guarded(info, |call| {
        let scope = &call.scope;
        let (Some(script), Some(context)) = (script_of(call, 0), context_or_main(scope, call.argument(1))) else {
            return call.throw_type_error("Illegal invocation");
        };
        let shows_errors = call.argument(3).word() == scope.state.inner().roots.get().yes;
        let breaks = call.argument(4).word() == scope.state.inner().roots.get().yes;
        let limits = Limits { ms: number(call.argument(2)), breaks };
        let value = run_limited(scope, limits, shows_errors, || {
            inside(context, || {
                // SAFETY: the handles are live; the context is entered.
                let value = unsafe {
                    let bound = (v8().unbound_bind)(script.handle());
                    scope.local((v8().script_run)(bound, context.handle()))
                }?;
                queues::run(scope, context);
                Some(value)
            })
        });
        if let Some(value) = value {
            call.answer(value);
        }
    });
}

/// What may end an evaluation: a time limit (negative: none), and a SIGINT.
pub struct Limits {
    pub ms: f64,
    pub breaks: bool,
}

/// Runs `work` within limits. `None` if it threw or was ended, which throws an error that reports it.
pub fn run_limited<'s>(
    scope: &Scope<'s>,
    limits: Limits,
    shows_errors: bool,
    work: impl FnOnce() -> Option<Local<'s>>,
) -> Option<Local<'s>> {
    let mut words = Default::default();
    let catcher = TryCatch::open(scope, &mut words);
    let limit_ms = limits.ms;
    let watchdog = (limit_ms >= 0.0).then(|| Watchdog::start(scope, limit_ms));
    let before = limits.breaks.then(|| breaks::begin(scope.state));
    let value = work();
    let is_broken = before.is_some_and(|before| breaks::restore(scope.state, before));
    let is_over = watchdog.is_some_and(|watchdog| watchdog.stop(scope));
    if is_broken && !scope.state.inner().is_terminating.get() {
        drop(catcher);
        // SAFETY: the scope proves the isolate current.
        unsafe { (v8().cancel_terminate)(scope.isolate) };
        errors::throw_coded(scope, "ERR_SCRIPT_EXECUTION_INTERRUPTED", "Script execution was interrupted by `SIGINT`");
        return None;
    }
    if is_over && !scope.state.inner().is_terminating.get() {
        drop(catcher);
        errors::throw_coded(
            scope,
            "ERR_SCRIPT_EXECUTION_TIMEOUT",
            &format!("Script execution timed out after {limit_ms}ms"),
        );
        return None;
    }
    if value.is_none() {
        if shows_errors && !catcher.has_terminated() {
            errors::decorate(scope, &catcher);
        }
        catcher.rethrow();
    }
    value
}

/// `vmCache(id)`: the code compiled so far.
pub extern "C" fn cache(info: &CallbackInfo) {
    guarded(info, |call| {
        if let Some(script) = script_of(call, 0) {
            // SAFETY: the script is live.
            call.answer(cache_to_js(&call.scope, unsafe { (v8().script_cache)(script.handle()) }));
        }
    });
}

fn list(call: &Call<'_>, index: usize) -> Vec<Handle> {
    let array = call.argument(index).handle();
    // SAFETY: the handle is live and tested; the library's own arrays have no getters.
    unsafe {
        if !(v8().is_array)(array) {
            return vec![];
        }
        let context = call.scope.context.handle();
        (0..(v8().array_length)(array)).map(|at| (v8().object_get_index)(array, context, at)).collect()
    }
}

/// `vmCompileFunction(text, name, line, column, cachedData, symbol, context, params, extensions, wantsCache)`:
/// `[function, rejected | undefined, sourceMapURL, cachedData | undefined]`.
pub extern "C" fn compile_function(info: &CallbackInfo) {
    guarded(info, |call| {
        let scope = &call.scope;
        let text = Text::read(call, 0);
        let Some(context) = context_or_main(scope, call.argument(6)) else { return };
        let (params, extensions) = (list(call, 7), list(call, 8));
        let mut words = Default::default();
        let catcher = TryCatch::open(scope, &mut words);
        let (function, rejected) = inside(context, || {
            // SAFETY: the structure is filled in and the handles are live; the context is entered.
            text.compile(0, |source, options| unsafe {
                (v8().function_compile)(
                    context.handle(),
                    source,
                    params.len(),
                    params.as_ptr(),
                    extensions.len(),
                    extensions.as_ptr(),
                    options,
                    0,
                )
            })
        });
        // SAFETY: V8 returned the handle in this scope.
        let Some(function) = (unsafe { scope.local(function) }) else {
            errors::decorate(scope, &catcher);
            return catcher.rethrow();
        };
        drop(catcher);
        let rejected = if text.has_cache() { flag(scope, rejected) } else { undefined(scope) };
        let wants_cache = call.argument(9).word() == scope.state.inner().roots.get().yes;
        // SAFETY: the function is live.
        let (cache, url) = unsafe {
            let cache = if wants_cache { (v8().function_cache)(function.handle()) } else { std::ptr::null_mut() };
            (cache_to_js(scope, cache), function_source_map(scope, function))
        };
        call.answer_list(&[function, rejected, url, cache]);
    });
}

unsafe fn function_source_map<'s>(scope: &Scope<'s>, function: Local<'_>) -> Local<'s> {
    // SAFETY: the function is live; the origin's words are handles of this scope.
    unsafe {
        let mut origin = Default::default();
        (v8().function_origin)(&mut origin, function.handle());
        scope.local(origin.source_map_url as Handle).unwrap_or_else(|| undefined(scope))
    }
}

/// A JavaScript string of `text`.
pub fn text_to_js<'s>(scope: &Scope<'s>, text: &str) -> Local<'s> {
    utf8_to_js(scope, text.as_bytes(), 0).unwrap_or_else(|_| literal(scope, "?"))
}
