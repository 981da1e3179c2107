// What comes from other threads: promises, work on the pool, functions that threads call, callbacks with a context.
#include "probe.h"
#include <pthread.h>
#include <unistd.h>

// --- promises

static napi_deferred deferred;

FUNCTION(promise) {
  napi_value value = NULL;
  return OUTCOME(env, napi_create_promise(env, &deferred, &value), value);
}

FUNCTION(settle) {
  ARGUMENTS(2);
  bool resolves = false;
  napi_get_value_bool(env, argv[0], &resolves);
  napi_status status = resolves ? napi_resolve_deferred(env, deferred, argv[1]) : napi_reject_deferred(env, deferred, argv[1]);
  return OUTCOME(env, status, NULL);
}

FUNCTION(is_promise) {
  ARGUMENTS(1);
  bool is_one = false;
  napi_status status = napi_is_promise(env, argv[0], &is_one);
  return OUTCOME(env, status, boolean(env, is_one));
}

// --- work

typedef struct {
  napi_async_work work;
  napi_ref callback;
  int input, output;
  bool throws;
} Task;

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void execute(napi_env env, void* data) {
  Task* task = data;
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  task->output = task->input * 2;
}

static void complete(napi_env env, napi_status status, void* data) {
  Task* task = data;
  napi_value callback, self, values[2];
  napi_get_reference_value(env, task->callback, &callback);
  napi_get_undefined(env, &self);
  values[0] = number(env, status);
  values[1] = number(env, task->output);
  bool throws = task->throws;
  napi_delete_reference(env, task->callback);
  napi_delete_async_work(env, task->work);
  free(task);
  napi_call_function(env, self, callback, 2, values, NULL);
  if (throws) napi_throw_error(env, NULL, "from complete");
}

static Task* latest;

FUNCTION(work) {
  ARGUMENTS(3);
  Task* task = calloc(1, sizeof(Task));
  napi_get_value_int32(env, argv[0], &task->input);
  napi_create_reference(env, argv[1], 1, &task->callback);
  if (argc > 2) napi_get_value_bool(env, argv[2], &task->throws);
  napi_create_async_work(env, NULL, string(env, "work"), execute, complete, task, &task->work);
  latest = task;
  return OUTCOME(env, napi_queue_async_work(env, task->work), NULL);
}

FUNCTION(close_gate) {
  pthread_mutex_lock(&gate);
  return NULL;
}

FUNCTION(open_gate) {
  pthread_mutex_unlock(&gate);
  return NULL;
}

FUNCTION(cancel) {
  return number(env, napi_cancel_async_work(env, latest->work));
}

FUNCTION(wrong_work) {
  napi_value all;
  napi_async_work made = NULL;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, OUTCOME(env, napi_create_async_work(env, NULL, string(env, "a"), NULL, complete, NULL, &made), NULL));
  napi_set_element(env, all, 1, OUTCOME(env, napi_create_async_work(env, NULL, string(env, "a"), execute, complete, NULL, NULL), NULL));
  napi_set_element(env, all, 2, OUTCOME(env, napi_delete_async_work(env, NULL), NULL));
  return all;
}

// --- functions that threads call

typedef struct {
  napi_threadsafe_function function;
  int count, threads;
  bool blocks;
  pthread_t ids[8];
} Calls;

static int finalized = 0;
static int refused = 0;

static void* call_often(void* data) {
  Calls* calls = data;
  for (int index = 0; index < calls->count; index++) {
    napi_status status = napi_call_threadsafe_function(
        calls->function, (void*)(intptr_t)(index + 1), calls->blocks ? napi_tsfn_blocking : napi_tsfn_nonblocking);
    if (status == napi_queue_full) {
      __sync_fetch_and_add(&refused, 1);
      index--;
      usleep(100);
    } else if (status != napi_ok) {
      return NULL;
    }
  }
  napi_release_threadsafe_function(calls->function, napi_tsfn_release);
  return NULL;
}

static void call_js(napi_env env, napi_value callback, void* context, void* data) {
  if (env == NULL) return;
  napi_value self, value = number(env, (double)(intptr_t)data);
  napi_get_undefined(env, &self);
  napi_call_function(env, self, callback, 1, &value, NULL);
}

static void calls_over(napi_env env, void* data, void* hint) {
  Calls* calls = data;
  for (int index = 0; index < calls->threads; index++) pthread_join(calls->ids[index], NULL);
  finalized++;
  free(calls);
}

static Calls* open_calls;

FUNCTION(threads) {
  ARGUMENTS(6);
  Calls* calls = calloc(1, sizeof(Calls));
  int32_t most = 0;
  bool is_plain = false;
  napi_get_value_int32(env, argv[1], &calls->threads);
  napi_get_value_int32(env, argv[2], &calls->count);
  napi_get_value_int32(env, argv[3], &most);
  napi_get_value_bool(env, argv[4], &calls->blocks);
  napi_get_value_bool(env, argv[5], &is_plain);
  napi_status status = napi_create_threadsafe_function(
      env, argv[0], NULL, string(env, "calls"), most, calls->threads, calls, calls_over, calls, is_plain ? NULL : call_js,
      &calls->function);
  if (status != napi_ok) return OUTCOME(env, status, NULL);
  open_calls = calls;
  for (int index = 0; index < calls->threads; index++) pthread_create(&calls->ids[index], NULL, call_often, calls);
  return OUTCOME(env, status, NULL);
}

FUNCTION(own_calls) {
  ARGUMENTS(1);
  Calls* calls = calloc(1, sizeof(Calls));
  napi_status status = napi_create_threadsafe_function(
      env, argv[0], NULL, string(env, "own"), 2, 1, calls, calls_over, calls, call_js, &calls->function);
  open_calls = calls;
  napi_value all;
  napi_create_array(env, &all);
  int at = 0;
  napi_set_element(env, all, at++, number(env, status));
  void* context = NULL;
  napi_get_threadsafe_function_context(calls->function, &context);
  napi_set_element(env, all, at++, boolean(env, context == calls));
  for (int index = 0; index < 3; index++) {
    status = napi_call_threadsafe_function(calls->function, (void*)(intptr_t)(index + 1), napi_tsfn_nonblocking);
    napi_set_element(env, all, at++, number(env, status));
  }
  napi_set_element(env, all, at++, number(env, napi_acquire_threadsafe_function(calls->function)));
  napi_set_element(env, all, at++, number(env, napi_release_threadsafe_function(calls->function, napi_tsfn_release)));
  return all;
}

FUNCTION(abort_calls) {
  ARGUMENTS(1);
  napi_value all;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, number(env, napi_release_threadsafe_function(open_calls->function, napi_tsfn_abort)));
  napi_set_element(env, all, 1, number(env, napi_acquire_threadsafe_function(open_calls->function)));
  return all;
}

FUNCTION(release_calls) {
  return number(env, napi_release_threadsafe_function(open_calls->function, napi_tsfn_release));
}

FUNCTION(unref_calls) {
  return number(env, napi_unref_threadsafe_function(env, open_calls->function));
}

FUNCTION(ref_calls) {
  return number(env, napi_ref_threadsafe_function(env, open_calls->function));
}

FUNCTION(counts) {
  napi_value all;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, number(env, finalized));
  napi_set_element(env, all, 1, boolean(env, refused > 0));
  return all;
}

FUNCTION(wrong_calls) {
  ARGUMENTS(1);
  napi_threadsafe_function made;
  napi_value all;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, OUTCOME(env, napi_create_threadsafe_function(env, NULL, NULL, string(env, "a"), 0, 1, NULL, NULL, NULL, NULL, &made), NULL));
  napi_set_element(env, all, 1, OUTCOME(env, napi_create_threadsafe_function(env, argv[0], NULL, string(env, "a"), 0, 0, NULL, NULL, NULL, NULL, &made), NULL));
  napi_set_element(env, all, 2, OUTCOME(env, napi_create_threadsafe_function(env, number(env, 1), NULL, string(env, "a"), 0, 1, NULL, NULL, NULL, NULL, &made), NULL));
  return all;
}

// --- callbacks with a context

FUNCTION(make_callback) {
  ARGUMENTS(3);
  napi_async_context context;
  napi_value all, value = NULL;
  napi_create_array(env, &all);
  napi_status status = napi_async_init(env, NULL, string(env, "callback"), &context);
  napi_set_element(env, all, 0, OUTCOME(env, status, NULL));
  status = napi_make_callback(env, context, argv[0], argv[1], argc - 2, argv + 2, &value);
  napi_set_element(env, all, 1, OUTCOME(env, status, value));
  napi_set_element(env, all, 2, OUTCOME(env, napi_async_destroy(env, context), NULL));
  status = napi_make_callback(env, NULL, argv[0], argv[1], argc - 2, argv + 2, &value);
  napi_set_element(env, all, 3, OUTCOME(env, status, value));
  return all;
}

FUNCTION(callback_scope) {
  ARGUMENTS(1);
  napi_async_context context;
  napi_callback_scope scope;
  napi_value all, self_;
  napi_create_array(env, &all);
  napi_get_undefined(env, &self_);
  napi_async_init(env, NULL, string(env, "scope"), &context);
  napi_set_element(env, all, 0, OUTCOME(env, napi_open_callback_scope(env, NULL, context, &scope), NULL));
  napi_call_function(env, self_, argv[0], 0, NULL, NULL);
  napi_set_element(env, all, 1, OUTCOME(env, napi_close_callback_scope(env, scope), NULL));
  napi_async_destroy(env, context);
  return all;
}

NAPI_MODULE_INIT() {
  PUT(promise);
  PUT(settle);
  PUT(is_promise);
  PUT(work);
  PUT(close_gate);
  PUT(open_gate);
  PUT(cancel);
  PUT(wrong_work);
  PUT(threads);
  PUT(own_calls);
  PUT(abort_calls);
  PUT(release_calls);
  PUT(unref_calls);
  PUT(ref_calls);
  PUT(counts);
  PUT(wrong_calls);
  PUT(make_callback);
  PUT(callback_scope);
  return exports;
}
