// What Node-API addons use of libuv's loop, which has no header in node-api-headers: timers, descriptors, turns, work on the pool
// and threads. The sizes are those of uv.h.
#include <pthread.h>
#include <unistd.h>
#include "events.h"

typedef struct { _Alignas(8) void* data; void* loop; int type; char rest[160]; } uv_t;
typedef struct { _Alignas(8) void* data; int type; char rest[128]; } uv_work_t;
typedef struct { unsigned flags; size_t stack_size; } options_t;
typedef void (*uv_cb)(uv_t*);
void uv_close(uv_t*, uv_cb);
int uv_is_active(const uv_t*), uv_is_closing(const uv_t*), uv_has_ref(const uv_t*), uv_handle_get_type(const uv_t*);
void uv_unref(uv_t*), uv_ref(uv_t*);
struct uv_loop_s* uv_handle_get_loop(const uv_t*);
int uv_timer_init(struct uv_loop_s*, uv_t*), uv_timer_start(uv_t*, uv_cb, uint64_t, uint64_t), uv_timer_stop(uv_t*), uv_timer_again(uv_t*);
void uv_timer_set_repeat(uv_t*, uint64_t);
uint64_t uv_timer_get_repeat(const uv_t*), uv_timer_get_due_in(const uv_t*);
int uv_idle_init(struct uv_loop_s*, uv_t*), uv_idle_start(uv_t*, uv_cb), uv_idle_stop(uv_t*);
int uv_check_init(struct uv_loop_s*, uv_t*), uv_check_start(uv_t*, uv_cb), uv_check_stop(uv_t*);
int uv_prepare_init(struct uv_loop_s*, uv_t*), uv_prepare_start(uv_t*, uv_cb), uv_prepare_stop(uv_t*);
int uv_poll_init(struct uv_loop_s*, uv_t*, int), uv_poll_start(uv_t*, int, void (*)(uv_t*, int, int)), uv_poll_stop(uv_t*);
int uv_queue_work(struct uv_loop_s*, uv_work_t*, void (*)(uv_work_t*), void (*)(uv_work_t*, int)), uv_cancel(void*);
int uv_thread_create(pthread_t*, void (*)(void*), void*), uv_thread_create_ex(pthread_t*, const options_t*, void (*)(void*), void*);
int uv_thread_join(pthread_t*), uv_thread_equal(const pthread_t*, const pthread_t*);
pthread_t uv_thread_self(void);
void uv_once(pthread_once_t*, void (*)(void)), uv_sleep(unsigned);
int uv_key_create(pthread_key_t*), uv_barrier_init(pthread_barrier_t*, unsigned), uv_barrier_wait(pthread_barrier_t*);
void uv_key_set(pthread_key_t*, void*), uv_key_delete(pthread_key_t*), uv_barrier_destroy(pthread_barrier_t*);
void* uv_key_get(pthread_key_t*);
const char *uv_strerror(int), *uv_err_name(int);
void uv_loop_set_data(struct uv_loop_s*, void*);
void* uv_loop_get_data(struct uv_loop_s*);
uint64_t uv_now(struct uv_loop_s*);
struct uv_loop_s* uv_default_loop(void);

static struct uv_loop_s* loop;
static uv_t timer, repeating, forgotten, idle, check, prepare, reader, writer;
static uv_work_t works[8];
static int ends[2], rounds, turns, worked;
static pthread_barrier_t barrier, gate;
static pthread_key_t key;

static napi_value remember(napi_env env, napi_callback_info info) {
  ARGUMENTS(1);
  listen_to(env, argv[0]);
  napi_get_uv_event_loop(env, &loop);
  return NULL;
}

static void again(uv_t* which);
static void closed(uv_t* which) {
  show("closed", which->type);
  if (which == &timer) uv_timer_start(&repeating, again, 1, 1);
}

// Timers.

static void once(uv_t* which) {
  show("rang", uv_is_active(which));
  uv_close(which, closed);
}

static void again(uv_t* which) {
  show("again", ++rounds);
  if (rounds == 2) uv_timer_set_repeat(which, 2);
  if (rounds < 3) return;
  show("repeat", (int)uv_timer_get_repeat(which));
  uv_timer_stop(which);
  show("stopped", uv_is_active(which));
  show("anew", uv_timer_again(which) || !uv_is_active(which));
  uv_close(which, closed);
}

FUNCTION(timers) {
  remember(env, info);
  show("init", uv_timer_init(loop, &timer) || uv_timer_init(loop, &repeating) || uv_timer_init(loop, &forgotten));
  show("type", uv_handle_get_type(&timer));
  show("loop", uv_handle_get_loop(&timer) == loop);
  show("idle", uv_is_active(&timer) || !uv_has_ref(&timer));
  show("nothing to do again", uv_timer_again(&timer));
  show("no callback", uv_timer_start(&timer, NULL, 1, 0));
  uv_timer_start(&timer, once, 0, 0);
  uv_timer_start(&forgotten, once, 3600000, 0);
  uv_unref(&forgotten); // the program ends without it
  uint64_t due = uv_timer_get_due_in(&forgotten);
  show("due", due > 3000000 && due <= 3600000);
  return NULL;
}

// Once a turn.

static void turned(uv_t* which) {
  if (which == &idle) turns |= 1;
  if (which == &prepare) turns |= 2;
  if (which != &check || turns != 3) return;
  show("turned", turns);
  uv_idle_stop(&idle);
  show("idle stopped", uv_is_active(&idle));
  uv_close(&idle, closed);
  uv_prepare_stop(&prepare);
  uv_close(&prepare, closed);
  uv_close(&check, closed);
}

FUNCTION(each_turn) {
  remember(env, info);
  uv_idle_init(loop, &idle);
  uv_check_init(loop, &check);
  uv_prepare_init(loop, &prepare);
  show("types", idle.type * 10000 + prepare.type * 100 + check.type);
  show("started", uv_idle_start(&idle, turned) || uv_check_start(&check, turned) || uv_prepare_start(&prepare, turned));
  show("started twice", uv_check_start(&check, turned));
  show("active", uv_is_active(&idle) && uv_is_active(&check) && uv_is_active(&prepare));
  return NULL;
}

// Descriptors.

static void readable(uv_t* which, int status, int events) {
  char text[8] = "";
  int length = (int)read(ends[0], text, sizeof text - 1);
  show(text, events * 10 + status);
  if (length > 0) return;
  uv_poll_stop(which);
  show("no more", uv_is_active(which));
  close(ends[0]);
  uv_close(which, closed);
}

static void writable(uv_t* which, int status, int events) {
  show("writable", events * 10 + status);
  uv_close(which, closed);
  int written = (int)write(ends[1], "hello", 5);
  show("written", written);
  close(ends[1]);
}

FUNCTION(descriptors) {
  remember(env, info);
  show("pipe", pipe(ends));
  show("no descriptor", uv_poll_init(loop, &reader, 12345));
  show("poll", uv_poll_init(loop, &reader, ends[0]) || uv_poll_init(loop, &writer, ends[1]));
  show("start", uv_poll_start(&reader, 1, readable) || uv_poll_start(&writer, 2, writable));
  return NULL;
}

// The pool.

static void work(uv_work_t* which) {
  if (which < &works[4]) uv_barrier_wait(&gate); // every thread of the pool is busy
  __atomic_add_fetch(&worked, 1, __ATOMIC_SEQ_CST);
}

static void after(uv_work_t* which, int status) {
  static int done;
  if (status != 0) show(uv_err_name(status), (int)(which - works));
  if (++done == 6) show("worked", worked);
}

FUNCTION(pool) {
  remember(env, info);
  uv_barrier_init(&gate, 5);
  for (int i = 0; i < 4; i++) uv_queue_work(loop, &works[i], work, after);
  uv_queue_work(loop, &works[4], work, after);
  uv_queue_work(loop, &works[5], work, after);
  show("cancelled", uv_cancel(&works[5]));
  uv_barrier_wait(&gate);
  return NULL;
}

// Threads.

static pthread_t seen;
static int initialised;
static void initialise(void) { initialised++; }
static void run(void* data) {
  static pthread_once_t guard = PTHREAD_ONCE_INIT;
  uv_once(&guard, initialise);
  seen = uv_thread_self();
  uv_key_set(&key, data);
  uv_sleep(1);
  *(int*)data = uv_key_get(&key) == data;
  uv_barrier_wait(&barrier);
}

FUNCTION(threads) {
  remember(env, info);
  pthread_t plain, sized;
  int one = 0, other = 0;
  options_t options = {1, 100000};
  show("key", uv_key_create(&key) || uv_barrier_init(&barrier, 3));
  show("create", uv_thread_create(&plain, run, &one) || uv_thread_create_ex(&sized, &options, run, &other));
  int last = uv_barrier_wait(&barrier);
  show("barrier", last == 0 || last == 1);
  show("join", uv_thread_join(&plain) || uv_thread_join(&sized));
  pthread_t self = uv_thread_self();
  show("ran", one && other && uv_key_get(&key) == NULL);
  show("once", initialised);
  show("equal", uv_thread_equal(&self, &self) && !uv_thread_equal(&self, &seen));
  uv_key_delete(&key);
  uv_barrier_destroy(&barrier);
  return NULL;
}

FUNCTION(texts) {
  remember(env, info);
  show(uv_strerror(-2), 0);
  show(uv_err_name(-2), 0);
  show(uv_err_name(-125), uv_strerror(-2) != NULL);
  uv_loop_set_data(loop, &loop);
  show("data", uv_loop_get_data(loop) == &loop);
  uv_loop_set_data(loop, NULL);
  show("now", uv_now(loop) > 0);
  show("default", uv_default_loop() == loop);
  return NULL;
}

NAPI_MODULE_INIT() {
  PUT(timers);
  PUT(each_turn);
  PUT(descriptors);
  PUT(pool);
  PUT(threads);
  PUT(texts);
  return exports;
}
