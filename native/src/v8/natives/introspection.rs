//! Properties of values that JavaScript itself cannot read: kinds, the state of proxies and promises, entries of weak collections.
use crate::v8::api::layout::{self, CallbackInfo};
use crate::v8::api::v8;
use crate::v8::values::function::{Call, Natives, guarded};
use crate::v8::values::object;
use crate::v8::values::scope::Local;
use crate::v8::values::value::{literal, number_to_js};

pub const NATIVES: Natives = &[
    ("constructorName", constructor_name),
    ("kindOf", kind_of),
    ("ownKeys", own_keys),
    ("previewEntries", preview_entries),
    ("promiseDetails", promise_details),
    ("proxyDetails", proxy_details),
];

/// `kindOf(value)`: as `JsObject.kind`, but with kinds of functions, and "proxy" for every proxy; "" if the value is
/// not an object.
extern "C" fn kind_of(info: &CallbackInfo) {
    guarded(info, |call| {
        let is = |check| call.is(0, check);
        let kind = match () {
            () if !is(v8().is_object) => "",
            () if is(v8().is_proxy) => "proxy", // callable proxies included
            () if is(v8().is_function) => match (is(v8().is_async_function), is(v8().is_generator_function)) {
                (false, false) => "function",
                (true, false) => "async-function",
                (false, true) => "generator-function",
                (true, true) => "async-generator-function",
            },
            () => object::kind_of(call.argument(0)),
        };
        call.answer(literal(&call.scope, kind));
    });
}

fn answer_pair(call: &Call<'_>, first: Local<'_>, second: Option<Local<'_>>) {
    let handles: Vec<_> = [Some(first), second].into_iter().flatten().map(Local::handle).collect();
    // SAFETY: the handles are live, and V8 copies them.
    let array = unsafe { call.scope.local((v8().array_new)(call.scope.isolate, handles.as_ptr(), handles.len())) };
    if let Some(array) = array {
        call.answer(array);
    }
}

/// `proxyDetails(value)`: `[target, handler]`; undefined if the value is not a proxy.
extern "C" fn proxy_details(info: &CallbackInfo) {
    guarded(info, |call| {
        if call.is(0, v8().is_proxy) {
            let proxy = call.argument(0).handle();
            // SAFETY: the proxy is live.
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
extern "C" fn promise_details(info: &CallbackInfo) {
    guarded(info, |call| {
        if call.is(0, v8().is_promise) {
            let promise = call.argument(0).handle();
            // SAFETY: the promise is live; its result is read only once it is settled.
            unsafe {
                let state = (v8().promise_state)(promise);
                let result = if state == 0 { None } else { call.scope.local((v8().promise_result)(promise)) };
                answer_pair(call, number_to_js(&call.scope, state.into()), result);
            }
        }
    });
}

/// `previewEntries(collection)`: `[entries, isKeyValue]` of a map, a set, a weak collection or an iterator, without
/// advancing it.
extern "C" fn preview_entries(info: &CallbackInfo) {
    guarded(info, |call| {
        if call.is(0, v8().is_object) {
            let mut is_key_value = false;
            // SAFETY: the object is live; the flag outlives the call.
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
extern "C" fn constructor_name(info: &CallbackInfo) {
    guarded(info, |call| {
        if call.is(0, v8().is_object) {
            // SAFETY: the object is live.
            let name = unsafe { call.scope.local((v8().object_constructor_name)(call.argument(0).handle())) };
            if let Some(name) = name {
                call.answer(name);
            }
        }
    });
}

/// `ownKeys(object, filter)`: own keys except array indices; the filter's bits are V8's `PropertyFilter`.
extern "C" fn own_keys(info: &CallbackInfo) {
    guarded(info, |call| {
        if call.is(0, v8().is_object) {
            let filter = layout::small_integer(call.argument(1).word()).unwrap_or(0);
            let (object, context) = (call.argument(0).handle(), call.scope.context.handle());
            const OWN_ONLY: i32 = 0;
            const SKIP_INDICES: i32 = 1;
            const TO_STRINGS: i32 = 0;
            // SAFETY: the handles are live; if a proxy's trap throws, there is no result.
            let keys =
                unsafe { (v8().object_property_names)(object, context, OWN_ONLY, filter, SKIP_INDICES, TO_STRINGS) };
            // SAFETY: V8 returned the handle in this scope.
            if let Some(keys) = unsafe { call.scope.local(keys) } {
                call.answer(keys);
            }
        }
    });
}
