//! The tests of `node:util/types`, which V8 answers from a value's internal slots.
use crate::v8::api::layout::CallbackInfo;
use crate::v8::api::v8;
use crate::v8::values::function::Natives;
use crate::v8::values::function::guarded;

macro_rules! tests {
    ($($name:literal $function:ident: $($check:ident)|+;)*) => {
        pub const NATIVES: Natives = &[$(($name, $function)),*];
        $(extern "C" fn $function(info: &CallbackInfo) {
            guarded(info, |call| {
                let handle = call.argument(0).handle();
                // SAFETY: the handle is live; the test has no side effects.
                let is_one = unsafe { $((v8().$check)(handle))||+ };
                call.answer(call.scope.boolean(is_one));
            });
        })*
    };
}

tests! {
    "isArgumentsObject" arguments: is_arguments;
    "isArrayBuffer" array_buffer: is_array_buffer;
    "isAsyncFunction" async_function: is_async_function;
    "isBigIntObject" bigint_object: is_bigint_object;
    "isBooleanObject" boolean_object: is_boolean_object;
    "isDate" date: is_date;
    "isExternal" external: is_external;
    "isGeneratorFunction" generator_function: is_generator_function;
    "isGeneratorObject" generator_object: is_generator;
    "isMap" map: is_map;
    "isMapIterator" map_iterator: is_map_iterator;
    "isModuleNamespaceObject" namespace: is_module_namespace;
    "isNativeError" native_error: is_native_error;
    "isNumberObject" number_object: is_number_object;
    "isPromise" promise: is_promise;
    "isProxy" proxy: is_proxy;
    "isRegExp" reg_exp: is_reg_exp;
    "isSet" set: is_set;
    "isSetIterator" set_iterator: is_set_iterator;
    "isSharedArrayBuffer" shared_array_buffer: is_shared_array_buffer;
    "isStringObject" string_object: is_string_object;
    "isSymbolObject" symbol_object: is_symbol_object;
    "isWeakMap" weak_map: is_weak_map;
    "isWeakSet" weak_set: is_weak_set;
    "isAnyArrayBuffer" any_array_buffer: is_array_buffer | is_shared_array_buffer;
    "isBoxedPrimitive" boxed_primitive:
        is_number_object | is_string_object | is_boolean_object | is_symbol_object | is_bigint_object;
    "isDataView" data_view: is_data_view;
}
