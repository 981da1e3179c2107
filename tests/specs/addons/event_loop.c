// What Node-API addons use of libuv, which has no header in node-api-headers: locks, and calls of the loop from other threads.
#include <pthread.h>
#include <string.h>
#include "events.h"

typedef struct { void* data; void* loop; int type; char rest[104]; } uv_async_t;
typedef struct { _Alignas(8) char bytes[64]; } lock_t;
int uv_async_init(struct uv_loop_s*, uv_async_t*, void (*)(uv_async_t*));
int uv_async_send(uv_async_t*);
void uv_close(uv_async_t*, void (*)(uv_async_t*));
int uv_is_closing(const uv_async_t*);
int uv_is_active(const uv_async_t*);
void uv_ref(uv_async_t*);
void uv_unref(uv_async_t*);
int uv_has_ref(const uv_async_t*);
int uv_mutex_init(lock_t*);
int uv_mutex_init_recursive(lock_t*);
int uv_mutex_trylock(lock_t*);
void uv_mutex_lock(lock_t*);
void uv_mutex_unlock(lock_t*);
void uv_mutex_destroy(lock_t*);
int uv_cond_init(lock_t*);
void uv_cond_signal(lock_t*);
int uv_cond_timedwait(lock_t*, lock_t*, uint64_t);
int uv_sem_init(lock_t*, unsigned);
void uv_sem_post(lock_t*);
void uv_sem_wait(lock_t*);
int uv_sem_trywait(lock_t*);
uint64_t uv_hrtime(void);

static uv_async_t handle, idle;
static lock_t mutex, ended;
static int sum;

static void closed(uv_async_t* which) {
  show(which == &idle ? "idle closed" : "closed", (int)(intptr_t)which->data);
}

static void woken(uv_async_t* which) {
  uv_mutex_lock(&mutex);
  int now = sum;
  uv_mutex_unlock(&mutex);
  if (now < 3000) return; // several sends may come as one
  if (uv_is_closing(which)) return;
  show("sum", now);
  uv_close(which, closed);
  show("closing", uv_is_closing(which));
}

static void* add(void* unused) {
  for (int i = 0; i < 1000; i++) {
    uv_mutex_lock(&mutex);
    sum++;
    uv_mutex_unlock(&mutex);
    uv_async_send(&handle);
  }
  uv_sem_post(&ended);
  return NULL;
}

static napi_value begin(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value function;
  struct uv_loop_s *loop, *again;
  napi_get_cb_info(env, info, &count, &function, NULL, NULL);
  listen_to(env, function);
  napi_get_uv_event_loop(env, &loop);
  napi_get_uv_event_loop(env, &again);
  show("one loop", loop == again && loop != NULL);
  lock_t own, condition;
  show("recursive", uv_mutex_init_recursive(&own));
  uv_mutex_lock(&own);
  show("once more", uv_mutex_trylock(&own));
  uv_mutex_unlock(&own);
  uv_mutex_unlock(&own);
  uv_mutex_destroy(&own);
  show("init", uv_mutex_init(&mutex) || uv_sem_init(&ended, 0) || uv_cond_init(&condition));
  show("nothing to take", uv_sem_trywait(&ended));
  uint64_t before = uv_hrtime();
  uv_mutex_lock(&mutex);
  show("held", uv_mutex_trylock(&mutex));
  show("timed out", uv_cond_timedwait(&condition, &mutex, 3000000));
  show("waited", uv_hrtime() - before >= 3000000);
  uv_mutex_unlock(&mutex);
  handle.data = (void*)7;
  show("async", uv_async_init(loop, &handle, woken));
  show("kept", handle.data == (void*)7 && handle.loop == loop && handle.type == 1);
  show("active", uv_is_active(&handle) && uv_has_ref(&handle) && !uv_is_closing(&handle));
  uv_async_init(loop, &idle, woken);
  uv_unref(&idle); // keeps nothing alive
  show("idle", uv_has_ref(&idle));
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 3; i++) uv_sem_wait(&ended);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return NULL;
}

static napi_value end(napi_env env, napi_callback_info info) {
  uv_close(&idle, closed);
  return NULL;
}

NAPI_MODULE_INIT() {
  napi_value function;
  napi_create_function(env, "begin", NAPI_AUTO_LENGTH, begin, NULL, &function);
  napi_set_named_property(env, exports, "begin", function);
  napi_create_function(env, "end", NAPI_AUTO_LENGTH, end, NULL, &function);
  napi_set_named_property(env, exports, "end", function);
  return exports;
}
