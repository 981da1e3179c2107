//! Primitive values, from undefined to BigInt, in both directions, with coercion and comparison; also dates and
//! scripts.
use crate::v8::api::layout::small_integer;
use crate::v8::api::rare::more;
use crate::v8::api::v8;

use super::env::{api, check, place, require, store};
use super::types::{Done, Status, Value};

const UNDEFINED: i32 = 0;
const NULL: i32 = 1;
const BOOLEAN: i32 = 2;
const NUMBER: i32 = 3;
const STRING: i32 = 4;
const SYMBOL: i32 = 5;
const OBJECT: i32 = 6;
const FUNCTION: i32 = 7;
const EXTERNAL: i32 = 8;
const BIGINT: i32 = 9;

/// The value of a number.
fn number(value: Value) -> Result<f64, Status> {
    require(value)?;
    // SAFETY: the handle is live and tested to be a number.
    unsafe {
        if let Some(small) = small_integer(*value) {
            return Ok(small.into());
        }
        check((v8().is_number)(value), Status::NumberExpected)?;
        Ok((v8().number_value)(value))
    }
}

/// ECMAScript's ToInt32 and ToUint32, as bits.
fn wrap_to_u32(number: f64) -> u32 {
    if !number.is_finite() {
        return 0;
    }
    let whole = number.trunc();
    if whole.abs() < 9.0e18 {
        return whole as i64 as u32;
    }
    whole.rem_euclid(4_294_967_296.0) as u64 as u32
}

fn bigint(value: Value) -> Done {
    require(value)?;
    // SAFETY: the handle is live; the test has no side effects.
    check(unsafe { (v8().is_bigint)(value) }, Status::BigIntExpected)
}

api! {
    plain fn napi_typeof(env, value: Value, result: *mut i32) {
        require(value)?;
        place(result)?;
        let word = *value;
        let roots = env.scope().state.roots();
        *result = match () {
            () if small_integer(word).is_some() || (v8().is_number)(value) => NUMBER,
            () if (v8().is_bigint)(value) => BIGINT,
            () if (v8().is_string)(value) => STRING,
            () if (v8().is_function)(value) => FUNCTION,
            () if (v8().is_external)(value) => EXTERNAL,
            () if (v8().is_object)(value) => OBJECT,
            () if (more().is_boolean)(value) => BOOLEAN,
            () if word == roots.undefined => UNDEFINED,
            () if (v8().is_symbol)(value) => SYMBOL,
            () if word == roots.null => NULL,
            () => return Err(Status::InvalidArg),
        };
    }

    plain fn napi_get_undefined(env, result: *mut Value) {
        *place(result)? = env.undefined();
    }

    plain fn napi_get_null(env, result: *mut Value) {
        *place(result)? = env.scope().null().handle();
    }

    plain fn napi_get_boolean(env, value: bool, result: *mut Value) {
        *place(result)? = env.scope().boolean(value).handle();
    }

    plain fn napi_get_global(env, result: *mut Value) {
        *place(result)? = (v8().context_global)(env.context());
    }

    plain fn napi_create_double(env, value: f64, result: *mut Value) {
        *place(result)? = (v8().number_new)(env.isolate, value);
    }

    plain fn napi_create_int32(env, value: i32, result: *mut Value) {
        *place(result)? = (v8().integer_new)(env.isolate, value);
    }

    plain fn napi_create_uint32(env, value: u32, result: *mut Value) {
        *place(result)? = (v8().integer_from_unsigned)(env.isolate, value);
    }

    plain fn napi_create_int64(env, value: i64, result: *mut Value) {
        *place(result)? = (v8().number_new)(env.isolate, value as f64);
    }

    plain fn napi_get_value_double(_env, value: Value, result: *mut f64) {
        require(value)?;
        place(result)?;
        *result = number(value)?;
    }

    plain fn napi_get_value_int32(_env, value: Value, result: *mut i32) {
        require(value)?;
        place(result)?;
        *result = wrap_to_u32(number(value)?) as i32;
    }

    plain fn napi_get_value_uint32(_env, value: Value, result: *mut u32) {
        require(value)?;
        place(result)?;
        *result = wrap_to_u32(number(value)?);
    }

    plain fn napi_get_value_int64(_env, value: Value, result: *mut i64) {
        require(value)?;
        place(result)?;
        let number = number(value)?;
        *result = if number.is_finite() { number as i64 } else { 0 };
    }

    plain fn napi_get_value_bool(env, value: Value, result: *mut bool) {
        require(value)?;
        place(result)?;
        check((more().is_boolean)(value), Status::BooleanExpected)?;
        *result = *value == env.scope().boolean(true).word();
    }

    plain fn napi_create_bigint_int64(env, value: i64, result: *mut Value) {
        *place(result)? = (more().bigint_new)(env.isolate, value);
    }

    plain fn napi_create_bigint_uint64(env, value: u64, result: *mut Value) {
        *place(result)? = (more().bigint_new_unsigned)(env.isolate, value);
    }

    running fn napi_create_bigint_words(env, sign: i32, count: usize, words: *const u64, result: *mut Value) {
        place(words.cast_mut())?;
        place(result)?;
        check(count <= i32::MAX as usize, Status::InvalidArg)?;
        let made = (v8().bigint_from_words)(env.context(), sign, count as i32, words);
        *result = env.some(made, Status::GenericFailure)?;
    }

    plain fn napi_get_value_bigint_int64(_env, value: Value, result: *mut i64, is_lossless: *mut bool) {
        require(value)?;
        place(result)?;
        place(is_lossless)?;
        bigint(value)?;
        *result = (more().bigint_int64)(value, is_lossless);
    }

    plain fn napi_get_value_bigint_uint64(_env, value: Value, result: *mut u64, is_lossless: *mut bool) {
        require(value)?;
        place(result)?;
        place(is_lossless)?;
        bigint(value)?;
        *result = (more().bigint_uint64)(value, is_lossless);
    }

    plain fn napi_get_value_bigint_words(_env, value: Value, sign: *mut i32, count: *mut usize, words: *mut u64) {
        require(value)?;
        place(count)?;
        bigint(value)?;
        let mut known = (*count).min(i32::MAX as usize) as i32;
        if sign.is_null() && words.is_null() {
            known = (v8().bigint_word_count)(value);
        } else {
            place(sign)?;
            place(words)?;
            (v8().bigint_to_words)(value, sign, &mut known, words);
        }
        *count = known as usize;
    }

    running fn napi_coerce_to_bool(env, value: Value, result: *mut Value) {
        require(value)?;
        *place(result)? = (v8().to_boolean)(value, env.isolate);
    }

    running fn napi_coerce_to_number(env, value: Value, result: *mut Value) {
        require(value)?;
        place(result)?;
        *result = require((more().to_number)(value, env.context())).map_err(|_| Status::NumberExpected)?;
    }

    running fn napi_coerce_to_string(env, value: Value, result: *mut Value) {
        require(value)?;
        place(result)?;
        *result = require((v8().to_string)(value, env.context())).map_err(|_| Status::StringExpected)?;
    }

    running fn napi_coerce_to_object(env, value: Value, result: *mut Value) {
        require(value)?;
        place(result)?;
        *result = require((more().to_object)(value, env.context())).map_err(|_| Status::ObjectExpected)?;
    }

    running fn napi_strict_equals(_env, one: Value, other: Value, result: *mut bool) {
        require(one)?;
        require(other)?;
        *place(result)? = (more().strict_equals)(one, other);
    }

    running fn napi_create_date(env, time: f64, result: *mut Value) {
        place(result)?;
        *result = env.some((v8().date_new)(env.context(), time), Status::GenericFailure)?;
    }

    plain fn napi_is_date(_env, value: Value, result: *mut bool) {
        require(value)?;
        *place(result)? = (v8().is_date)(value);
    }

    running fn napi_get_date_value(_env, value: Value, result: *mut f64) {
        require(value)?;
        place(result)?;
        check((v8().is_date)(value), Status::DateExpected)?;
        *result = (more().date_value)(value);
    }

    running fn napi_run_script(env, script: Value, result: *mut Value) {
        require(script)?;
        place(result)?;
        check((v8().is_string)(script), Status::StringExpected)?;
        let compiled = (more().script_compile_text)(env.context(), script, std::ptr::null_mut());
        let compiled = require(compiled).map_err(|_| Status::GenericFailure)?;
        let made = (v8().script_run)(compiled, env.context());
        *result = require(made).map_err(|_| Status::GenericFailure)?;
    }

    basic fn napi_get_version(_env, result: *mut u32) {
        *place(result)? = super::types::VERSION;
    }

    basic fn napi_adjust_external_memory(env, change: i64, result: *mut i64) {
        place(result)?;
        store(result, (more().adjust_memory)(env.isolate, change));
    }
}
