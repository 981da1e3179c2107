// Calls one function of the program with (what, number) for each event of the loop; `listen_to` says which function.
#include "probe.h"

static napi_env the_env;
static napi_ref listener;

static void listen_to(napi_env env, napi_value function) {
  the_env = env;
  if (listener == NULL) napi_create_reference(env, function, 1, &listener);
}

static void show(const char* what, int number) {
  napi_handle_scope scope;
  napi_value function, global, arguments[2];
  napi_open_handle_scope(the_env, &scope);
  napi_get_reference_value(the_env, listener, &function);
  napi_get_global(the_env, &global);
  napi_create_string_utf8(the_env, what, NAPI_AUTO_LENGTH, &arguments[0]);
  napi_create_int32(the_env, number, &arguments[1]);
  napi_make_callback(the_env, NULL, global, function, 2, arguments, NULL);
  napi_close_handle_scope(the_env, scope);
}
