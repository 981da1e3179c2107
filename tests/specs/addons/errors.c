// Errors made and thrown, exceptions that cross the border both ways, and what calls say while one is pending.
#include "probe.h"

FUNCTION(made) {
  ARGUMENTS(2);
  napi_value all, value = NULL;
  napi_create_array(env, &all);
  napi_status status = napi_create_error(env, or_none(env, argv[0]), or_none(env, argv[1]), &value);
  napi_set_element(env, all, 0, OUTCOME(env, status, value));
  status = napi_create_type_error(env, or_none(env, argv[0]), or_none(env, argv[1]), &value);
  napi_set_element(env, all, 1, OUTCOME(env, status, value));
  status = napi_create_range_error(env, or_none(env, argv[0]), or_none(env, argv[1]), &value);
  napi_set_element(env, all, 2, OUTCOME(env, status, value));
  status = node_api_create_syntax_error(env, or_none(env, argv[0]), or_none(env, argv[1]), &value);
  napi_set_element(env, all, 3, OUTCOME(env, status, value));
  return all;
}

FUNCTION(throw_) {
  ARGUMENTS(1);
  napi_throw(env, argv[0]);
  return NULL;
}

FUNCTION(throw_kind) {
  ARGUMENTS(1);
  int32_t kind = 0;
  napi_get_value_int32(env, argv[0], &kind);
  switch (kind) {
    case 0: napi_throw_error(env, "CODE", "an error"); break;
    case 1: napi_throw_type_error(env, NULL, "a type error"); break;
    case 2: napi_throw_range_error(env, "RANGE", "a range error"); break;
    case 3: node_api_throw_syntax_error(env, "SYNTAX", "a syntax error"); break;
    default: return number(env, napi_throw_error(env, NULL, NULL));
  }
  return number(env, 1);
}

static int seen[8];

/** What the last functions saw while an exception was pending. */
FUNCTION(statuses) {
  napi_value all;
  napi_create_array(env, &all);
  for (int index = 0; index < 8; index++) napi_set_element(env, all, index, number(env, seen[index]));
  return all;
}

FUNCTION(throw_twice) {
  seen[0] = napi_throw_error(env, NULL, "first");
  seen[1] = napi_throw_error(env, NULL, "second");
  napi_value value = NULL;
  seen[2] = napi_create_object(env, &value);
  seen[3] = napi_set_named_property(env, value, "a", value);
  bool is_pending = false;
  napi_is_exception_pending(env, &is_pending);
  seen[4] = is_pending;
  return value;
}

FUNCTION(pass_on) {
  ARGUMENTS(1);
  napi_value self_, result = NULL;
  napi_get_undefined(env, &self_);
  napi_status status = napi_call_function(env, self_, argv[0], 0, NULL, &result);
  if (status == napi_ok) return result;
  seen[5] = status;
  seen[6] = napi_call_function(env, self_, argv[0], 0, NULL, &result);
  return NULL;
}

FUNCTION(swallow) {
  ARGUMENTS(1);
  napi_value self_, result = NULL;
  napi_get_undefined(env, &self_);
  napi_status status = napi_call_function(env, self_, argv[0], 0, NULL, &result);
  return OUTCOME(env, status, result);
}

FUNCTION(swap) {
  ARGUMENTS(1);
  napi_value self_, result = NULL, error;
  napi_get_undefined(env, &self_);
  if (napi_call_function(env, self_, argv[0], 0, NULL, &result) == napi_pending_exception) {
    napi_get_and_clear_last_exception(env, &error);
    napi_throw_error(env, "SWAPPED", "another");
  }
  return NULL;
}

FUNCTION(is_error) {
  ARGUMENTS(1);
  bool is_one = false;
  napi_status status = napi_is_error(env, argv[0], &is_one);
  return OUTCOME(env, status, boolean(env, is_one));
}

FUNCTION(none_pending) {
  napi_value value = NULL;
  return OUTCOME(env, napi_get_and_clear_last_exception(env, &value), value);
}

FUNCTION(info_stays) {
  const napi_extended_error_info* last = NULL;
  napi_value value = NULL, all;
  napi_get_named_property(env, number(env, 1), NULL, &value);
  napi_get_last_error_info(env, &last);
  int first = last->error_code;
  napi_get_last_error_info(env, &last);
  int second = last->error_code;
  napi_create_array(env, &all);
  napi_get_last_error_info(env, &last);
  napi_set_element(env, all, 0, number(env, first));
  napi_set_element(env, all, 1, number(env, second));
  napi_set_element(env, all, 2, number(env, last->error_code));
  napi_set_element(env, all, 3, string(env, last->error_message));
  return all;
}

FUNCTION(fatal) {
  ARGUMENTS(1);
  napi_status status = napi_fatal_exception(env, argv[0]);
  return OUTCOME(env, status, NULL);
}

NAPI_MODULE_INIT() {
  PUT(made);
  PUT(throw_);
  PUT(throw_kind);
  PUT(throw_twice);
  PUT(statuses);
  PUT(pass_on);
  PUT(swallow);
  PUT(swap);
  PUT(is_error);
  PUT(none_pending);
  PUT(info_stays);
  PUT(fatal);
  return exports;
}
