// Asynchronous resources of an addon, as node:async_hooks hear of them, and what callbacks throw where nobody can catch it: with an
// addon that was made for a version before 10, Node discards it in calls of other threads, with a warning.
#define NAPI_VERSION 8
#include <node_api.h>
#include <pthread.h>
#include <stdlib.h>

#define FUNCTION(name) static napi_value name(napi_env env, napi_callback_info info)
#define ARGUMENTS(n) \
  size_t argc = n;   \
  napi_value argv[n]; \
  napi_get_cb_info(env, info, &argc, argv, NULL, NULL)

static napi_async_context context;

FUNCTION(begin) {
  ARGUMENTS(2);
  napi_value OUTCOME;
  napi_create_int32(env, napi_async_init(env, argv[0], argv[1], &context), &OUTCOME);
  return OUTCOME;
}

FUNCTION(make) {
  ARGUMENTS(2);
  napi_value result = NULL;
  napi_make_callback(env, context, argv[0], argv[1], 0, NULL, &result);
  return result;
}

FUNCTION(end) {
  napi_async_destroy(env, context);
  return NULL;
}

typedef struct { napi_async_work work; napi_ref callback; } work_t;

static void execute(napi_env env, void* data) {}

static void complete(napi_env env, napi_status status, void* data) {
  work_t* own = data;
  napi_value callback, global;
  napi_get_reference_value(env, own->callback, &callback);
  napi_get_global(env, &global);
  napi_call_function(env, global, callback, 0, NULL, NULL);
  napi_delete_reference(env, own->callback);
  napi_delete_async_work(env, own->work);
  free(own);
}

FUNCTION(work) {
  ARGUMENTS(3);
  work_t* own = malloc(sizeof *own);
  napi_create_reference(env, argv[2], 1, &own->callback);
  napi_create_async_work(env, argv[0], argv[1], execute, complete, own, &own->work);
  napi_queue_async_work(env, own->work);
  return NULL;
}

static napi_threadsafe_function safe;

static void* call(void* data) {
  napi_call_threadsafe_function(safe, NULL, napi_tsfn_blocking);
  napi_release_threadsafe_function(safe, napi_tsfn_release);
  return NULL;
}

FUNCTION(elsewhere) {
  ARGUMENTS(3);
  pthread_t thread;
  napi_create_threadsafe_function(env, argv[2], argv[0], argv[1], 0, 1, NULL, NULL, NULL, NULL, &safe);
  pthread_create(&thread, NULL, call, NULL);
  pthread_detach(thread);
  return NULL;
}

NAPI_MODULE_INIT() {
  napi_property_descriptor all[] = {
      {"begin", NULL, begin, NULL, NULL, NULL, napi_default, NULL}, {"make", NULL, make, NULL, NULL, NULL, napi_default, NULL},
      {"end", NULL, end, NULL, NULL, NULL, napi_default, NULL},     {"work", NULL, work, NULL, NULL, NULL, napi_default, NULL},
      {"elsewhere", NULL, elsewhere, NULL, NULL, NULL, napi_default, NULL},
  };
  napi_define_properties(env, exports, 5, all);
  return exports;
}
