// What the addons of the tests share: a function of Node-API's is called, and its outcome is returned as
// [status, value, message of the last error, message of the exception that was pending].
#define NAPI_VERSION 10
#include <node_api.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTION(name) static napi_value name(napi_env env, napi_callback_info info)
#define ARGUMENTS(n)                                                     \
  size_t argc = n;                                                       \
  napi_value argv[n];                                                    \
  napi_value self;                                                       \
  napi_get_cb_info(env, info, &argc, argv, &self, NULL);                 \
  (void)self
#define PUT(name)                                                              \
  do {                                                                         \
    napi_value put;                                                            \
    napi_create_function(env, #name, NAPI_AUTO_LENGTH, name, NULL, &put);      \
    napi_set_named_property(env, exports, #name, put);                         \
  } while (0)

/** NULL for null: for calls with something missing. */
static inline napi_value or_none(napi_env env, napi_value value) {
  napi_valuetype type;
  if (napi_typeof(env, value, &type) == napi_ok && type == napi_null) return NULL;
  return value;
}

static inline napi_value number(napi_env env, double value) {
  napi_value made;
  napi_create_double(env, value, &made);
  return made;
}

static inline napi_value string(napi_env env, const char* text) {
  napi_value made = NULL;
  if (text == NULL) napi_get_null(env, &made);
  else napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &made);
  return made;
}

static inline napi_value boolean(napi_env env, bool value) {
  napi_value made;
  napi_get_boolean(env, value, &made);
  return made;
}

/** The call comes before its outcome is looked at. */
#define OUTCOME(env, call, value)                \
  ({                                          \
    napi_status outcome_status = (call);         \
    outcome(env, outcome_status, value);         \
  })

static inline napi_value outcome(napi_env env, napi_status status, napi_value value) {
  const napi_extended_error_info* last = NULL;
  napi_get_last_error_info(env, &last);
  const char* message = last->error_message;
  napi_value all, exception;
  bool is_pending = false;
  napi_is_exception_pending(env, &is_pending);
  if (is_pending) napi_get_and_clear_last_exception(env, &exception);
  else napi_get_undefined(env, &exception);
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, number(env, status));
  if (status == napi_ok && value != NULL) napi_set_element(env, all, 1, value);
  else napi_set_element(env, all, 1, string(env, NULL));
  napi_set_element(env, all, 2, string(env, message));
  napi_set_element(env, all, 3, exception);
  return all;
}
