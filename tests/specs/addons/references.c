// What addons keep: wraps, references, externals, type tags, finalizers, handle scopes, instance data.
#include "probe.h"

static int finalized = 0;
static int last = 0;

static void count(napi_env env, void* data, void* hint) {
  finalized++;
  last = (int)(intptr_t)data + (int)(intptr_t)hint;
}

FUNCTION(wrap) {
  ARGUMENTS(2);
  int32_t kind = 0;
  napi_get_value_int32(env, argv[1], &kind);
  napi_ref reference = NULL;
  void* data = (void*)(intptr_t)40;
  napi_status status = kind == 0   ? napi_wrap(env, argv[0], data, count, (void*)(intptr_t)2, NULL)
                       : kind == 1 ? napi_wrap(env, argv[0], data, NULL, NULL, NULL)
                       : kind == 2 ? napi_wrap(env, argv[0], data, count, NULL, &reference)
                                   : napi_wrap(env, argv[0], data, NULL, NULL, &reference);
  return OUTCOME(env, status, NULL);
}

FUNCTION(unwrap) {
  ARGUMENTS(1);
  void* data = NULL;
  napi_status status = napi_unwrap(env, argv[0], &data);
  return OUTCOME(env, status, number(env, (double)(intptr_t)data));
}

FUNCTION(remove_wrap) {
  ARGUMENTS(1);
  void* data = NULL;
  napi_status status = napi_remove_wrap(env, argv[0], &data);
  return OUTCOME(env, status, number(env, (double)(intptr_t)data));
}

FUNCTION(finalizers) {
  napi_value all;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, number(env, finalized));
  napi_set_element(env, all, 1, number(env, last));
  finalized = 0;
  return all;
}

FUNCTION(add_finalizer) {
  ARGUMENTS(1);
  return OUTCOME(env, napi_add_finalizer(env, argv[0], (void*)(intptr_t)5, count, (void*)(intptr_t)6, NULL), NULL);
}

static napi_ref kept;

FUNCTION(keep) {
  ARGUMENTS(2);
  uint32_t initial = 0;
  napi_get_value_uint32(env, argv[1], &initial);
  return OUTCOME(env, napi_create_reference(env, or_none(env, argv[0]), initial, &kept), NULL);
}

FUNCTION(kept_value) {
  napi_value value = NULL;
  napi_status status = napi_get_reference_value(env, kept, &value);
  return OUTCOME(env, status, value);
}

FUNCTION(ref) {
  uint32_t number_of = 99;
  napi_status status = napi_reference_ref(env, kept, &number_of);
  return OUTCOME(env, status, number(env, number_of));
}

FUNCTION(unref) {
  uint32_t number_of = 99;
  napi_status status = napi_reference_unref(env, kept, &number_of);
  return OUTCOME(env, status, number(env, number_of));
}

FUNCTION(let_go) {
  napi_status status = napi_delete_reference(env, kept);
  kept = NULL;
  return OUTCOME(env, status, NULL);
}

FUNCTION(external) {
  napi_value value = NULL;
  return OUTCOME(env, napi_create_external(env, (void*)(intptr_t)77, count, NULL, &value), value);
}

FUNCTION(external_value) {
  ARGUMENTS(1);
  void* data = NULL;
  napi_valuetype type = 99;
  napi_typeof(env, argv[0], &type);
  napi_status status = napi_get_value_external(env, argv[0], &data);
  napi_value all;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, OUTCOME(env, status, number(env, (double)(intptr_t)data)));
  napi_set_element(env, all, 1, number(env, type));
  return all;
}

static const napi_type_tag tags[] = {{1, 2}, {1, 3}, {0, 0}, {5, 0}};

FUNCTION(tag) {
  ARGUMENTS(2);
  uint32_t which = 0;
  napi_get_value_uint32(env, argv[1], &which);
  return OUTCOME(env, napi_type_tag_object(env, argv[0], &tags[which]), NULL);
}

FUNCTION(check_tag) {
  ARGUMENTS(2);
  uint32_t which = 0;
  bool fits = true;
  napi_get_value_uint32(env, argv[1], &which);
  napi_status status = napi_check_object_type_tag(env, argv[0], &tags[which], &fits);
  return OUTCOME(env, status, boolean(env, fits));
}

FUNCTION(scopes) {
  ARGUMENTS(1);
  napi_value all, value = NULL, escaped = NULL;
  napi_create_array(env, &all);
  napi_handle_scope scope;
  for (int index = 0; index < 100000; index++) {
    napi_open_handle_scope(env, &scope);
    napi_create_object(env, &value);
    napi_close_handle_scope(env, scope);
  }
  napi_escapable_handle_scope escapable;
  napi_open_escapable_handle_scope(env, &escapable);
  napi_create_string_utf8(env, "escaped", NAPI_AUTO_LENGTH, &value);
  napi_status first = napi_escape_handle(env, escapable, value, &escaped);
  napi_status second = napi_escape_handle(env, escapable, value, &value);
  napi_close_escapable_handle_scope(env, escapable);
  napi_set_element(env, all, 0, number(env, first));
  napi_set_element(env, all, 1, number(env, second));
  napi_set_element(env, all, 2, escaped);
  napi_set_element(env, all, 3, argv[0]);
  return all;
}

FUNCTION(instance) {
  ARGUMENTS(1);
  void* data = NULL;
  napi_get_instance_data(env, &data);
  napi_value before = number(env, (double)(intptr_t)data);
  double next = 0;
  napi_get_value_double(env, argv[0], &next);
  napi_set_instance_data(env, (void*)(intptr_t)next, count, NULL);
  return before;
}

FUNCTION(memory) {
  int64_t before = 0, after = 0;
  napi_status status = napi_adjust_external_memory(env, 1 << 20, &before);
  napi_adjust_external_memory(env, -(1 << 20), &after);
  return OUTCOME(env, status, number(env, (double)(before - after)));
}

FUNCTION(file) {
  const char* name = NULL;
  napi_status status = node_api_get_module_file_name(env, &name);
  return OUTCOME(env, status, string(env, name));
}

NAPI_MODULE_INIT() {
  PUT(wrap);
  PUT(unwrap);
  PUT(remove_wrap);
  PUT(finalizers);
  PUT(add_finalizer);
  PUT(keep);
  PUT(kept_value);
  PUT(ref);
  PUT(unref);
  PUT(let_go);
  PUT(external);
  PUT(external_value);
  PUT(tag);
  PUT(check_tag);
  PUT(scopes);
  PUT(instance);
  PUT(memory);
  PUT(file);
  return exports;
}
