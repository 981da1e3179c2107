// The end: cleanup hooks of both kinds, finalizers of what is left, instance data, in their order.
#include "probe.h"

static void say(const char* text) {
  fputs(text, stdout);
  fputc('\n', stdout);
  fflush(stdout);
}

static void hook(void* data) { say(data); }

static void finalize(napi_env env, void* data, void* hint) {
  say(data);
  napi_value value = NULL;
  napi_status status = napi_create_object(env, &value);
  if (status != napi_ok) say("no object");
  status = napi_run_script(env, string(env, "1"), &value);
  printf("script %d\n", status);
  fflush(stdout);
}

static napi_async_cleanup_hook_handle first, second;

static void later(napi_async_cleanup_hook_handle handle, void* data) {
  say(data);
  napi_remove_async_cleanup_hook(handle);
}

FUNCTION(prepare) {
  ARGUMENTS(1);
  napi_ref reference;
  napi_add_env_cleanup_hook(env, hook, "hook 1");
  napi_add_env_cleanup_hook(env, hook, "hook 2");
  napi_add_env_cleanup_hook(env, hook, "removed");
  napi_remove_env_cleanup_hook(env, hook, "removed");
  napi_remove_env_cleanup_hook(env, hook, "never added");
  napi_add_async_cleanup_hook(env, later, "asynchronous 1", &first);
  napi_add_async_cleanup_hook(env, later, "asynchronous 2", &second);
  napi_remove_async_cleanup_hook(second);
  napi_add_env_cleanup_hook(env, hook, "hook 3");
  napi_set_instance_data(env, "instance data", finalize, NULL);
  napi_wrap(env, argv[0], "wrapped", finalize, NULL, NULL);
  napi_create_reference(env, argv[0], 1, &reference);
  napi_add_finalizer(env, argv[0], "finalizer", finalize, NULL, NULL);
  return number(env, napi_remove_async_cleanup_hook(NULL));
}

NAPI_MODULE_INIT() {
  PUT(prepare);
  return exports;
}
