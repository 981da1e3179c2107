// What runs inside the collector where an addon has chosen so (node_api_basic_finalize), strings over an addon's own memory, and
// callback scopes with a context.
#define NAPI_VERSION 2147483647
#define NAPI_EXPERIMENTAL
#define NODE_API_EXPERIMENTAL_NO_WARNING
#include <node_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where the headers have it is not the same in each of their versions.
napi_status node_api_post_finalizer(node_api_basic_env env, napi_finalize finalize, void* data, void* hint);

#define FUNCTION(name) static napi_value name(napi_env env, napi_callback_info info)
#define ARGUMENTS(n)  \
  size_t argc = n;    \
  napi_value argv[n]; \
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL)

static int finalized;
static int posted;

static napi_value number(napi_env env, int value) {
  napi_value made;
  napi_create_int32(env, value, &made);
  return made;
}

static void afterwards(napi_env env, void* data, void* hint) {
  napi_value object;
  if (napi_create_object(env, &object) == napi_ok) posted++;
}

static void let_go(node_api_basic_env env, void* data, void* hint) {
  void* known;
  uint32_t version;
  napi_get_instance_data(env, &known);
  napi_get_version(env, &version);
  finalized++;
  node_api_post_finalizer(env, afterwards, NULL, NULL);
}

static void wrong(node_api_basic_env env, void* data, void* hint) {
  napi_value object;
  napi_create_object((napi_env)env, &object);
}

static void free_text(node_api_basic_env env, void* data, void* hint) {
  free(data);
  finalized++;
}

FUNCTION(count) { return number(env, finalized); }
FUNCTION(count_posted) { return number(env, posted); }

FUNCTION(watch) {
  ARGUMENTS(1);
  napi_add_finalizer(env, argv[0], NULL, let_go, NULL, NULL);
  return NULL;
}

FUNCTION(wrap) {
  ARGUMENTS(1);
  napi_wrap(env, argv[0], NULL, let_go, NULL, NULL);
  return NULL;
}

FUNCTION(fail) {
  ARGUMENTS(1);
  napi_add_finalizer(env, argv[0], NULL, wrong, NULL, NULL);
  return NULL;
}

static napi_value copied_outcome(napi_env env, napi_status status, bool is_copied, napi_value text) {
  napi_value all;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, number(env, status));
  napi_set_element(env, all, 1, number(env, is_copied));
  if (status == napi_ok) napi_set_element(env, all, 2, text);
  return all;
}

FUNCTION(latin) {
  ARGUMENTS(1);
  int32_t size;
  napi_get_value_int32(env, argv[0], &size);
  char* text = malloc(size + 1);
  memset(text, 0xe4, size);
  text[size] = 0;
  bool is_copied = true;
  napi_value made;
  napi_status status = node_api_create_external_string_latin1(env, text, size % 2 ? (size_t)size : NAPI_AUTO_LENGTH, free_text, NULL, &made, &is_copied);
  return copied_outcome(env, status, is_copied, made);
}

FUNCTION(wide) {
  ARGUMENTS(1);
  int32_t size;
  napi_get_value_int32(env, argv[0], &size);
  char16_t* text = malloc(2 * (size + 1));
  for (int index = 0; index < size; index++) text[index] = 0x4e2d;
  text[size] = 0;
  bool is_copied = true;
  napi_value made;
  napi_status status = node_api_create_external_string_utf16(env, text, size % 2 ? (size_t)size : NAPI_AUTO_LENGTH, free_text, NULL, &made, &is_copied);
  return copied_outcome(env, status, is_copied, made);
}

static napi_async_context context;

FUNCTION(begin) {
  ARGUMENTS(2);
  napi_async_init(env, argv[0], argv[1], &context);
  return NULL;
}

/** Call a function in so many scopes; not all of them are closed. */
FUNCTION(within) {
  ARGUMENTS(3);
  int32_t depth, closed;
  napi_get_value_int32(env, argv[1], &depth);
  napi_get_value_int32(env, argv[2], &closed);
  napi_callback_scope scopes[8];
  napi_value global, object, result = NULL;
  napi_get_global(env, &global);
  napi_create_object(env, &object);
  for (int index = 0; index < depth; index++) napi_open_callback_scope(env, object, context, &scopes[index]);
  napi_status status = napi_call_function(env, global, argv[0], 0, NULL, &result);
  for (int index = depth; index > depth - closed; index--) napi_close_callback_scope(env, scopes[index - 1]);
  return status == napi_ok ? number(env, status) : NULL;
}

FUNCTION(end) {
  napi_async_destroy(env, context);
  return NULL;
}

FUNCTION(make) {
  ARGUMENTS(4);
  napi_value result = NULL;
  napi_make_callback(env, NULL, argv[0], argv[1], argc - 2, argv + 2, &result);
  return result;
}

#define METHOD(name) {#name, NULL, name, NULL, NULL, NULL, napi_default, NULL}

NAPI_MODULE_INIT() {
  napi_property_descriptor all[] = {METHOD(count), METHOD(count_posted), METHOD(watch), METHOD(wrap),   METHOD(fail), METHOD(latin),
                                    METHOD(wide),  METHOD(begin),        METHOD(end),   METHOD(within), METHOD(make)};
  napi_define_properties(env, exports, sizeof all / sizeof *all, all);
  return exports;
}
