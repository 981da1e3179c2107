// ArrayBuffers, typed arrays, DataViews and Buffers: made, looked at, written to, detached.
#include "probe.h"

static int finalized = 0;

static void let_go(napi_env env, void* data, void* hint) {
  finalized += *(int*)hint;
  free(data);
}

static int weight = 3;

static void* bytes(size_t size) {
  unsigned char* made = malloc(size);
  for (size_t index = 0; index < size; index++) made[index] = (unsigned char)(index + 1);
  return made;
}

FUNCTION(array_buffer) {
  ARGUMENTS(1);
  double size = 0;
  napi_get_value_double(env, argv[0], &size);
  void* data = NULL;
  napi_value value = NULL;
  napi_status status = napi_create_arraybuffer(env, (size_t)size, &data, &value);
  if (status == napi_ok && size > 1) ((unsigned char*)data)[1] = 9;
  return OUTCOME(env, status, value);
}

FUNCTION(external_array_buffer) {
  napi_value value = NULL;
  napi_status status = napi_create_external_arraybuffer(env, bytes(4), 4, let_go, &weight, &value);
  return OUTCOME(env, status, value);
}

FUNCTION(array_buffer_info) {
  ARGUMENTS(1);
  void* data = NULL;
  size_t size = 99;
  napi_status status = napi_get_arraybuffer_info(env, argv[0], &data, &size);
  if (status == napi_ok && size > 0) ((unsigned char*)data)[0] += 1;
  bool is_one = false, is_detached = false;
  napi_is_arraybuffer(env, argv[0], &is_one);
  napi_is_detached_arraybuffer(env, argv[0], &is_detached);
  napi_value all;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, OUTCOME(env, status, number(env, size)));
  napi_set_element(env, all, 1, boolean(env, is_one));
  napi_set_element(env, all, 2, boolean(env, is_detached));
  return all;
}

FUNCTION(detach) {
  ARGUMENTS(1);
  return OUTCOME(env, napi_detach_arraybuffer(env, argv[0]), NULL);
}

FUNCTION(typed_array) {
  ARGUMENTS(4);
  int32_t type = 0, length = 0, offset = 0;
  napi_get_value_int32(env, argv[0], &type);
  napi_get_value_int32(env, argv[1], &length);
  napi_get_value_int32(env, argv[3], &offset);
  napi_value value = NULL;
  return OUTCOME(env, napi_create_typedarray(env, type, length, argv[2], offset, &value), value);
}

FUNCTION(typed_array_info) {
  ARGUMENTS(1);
  napi_typedarray_type type = 99;
  size_t length = 99, offset = 99;
  void* data = NULL;
  napi_value buffer = NULL, all;
  bool is_one = false;
  napi_create_array(env, &all);
  napi_status status = napi_get_typedarray_info(env, argv[0], &type, &length, &data, &buffer, &offset);
  napi_set_element(env, all, 0, OUTCOME(env, status, buffer));
  napi_set_element(env, all, 1, number(env, type));
  napi_set_element(env, all, 2, number(env, length));
  napi_set_element(env, all, 3, number(env, offset));
  if (status == napi_ok && length > 0) napi_set_element(env, all, 4, number(env, *(unsigned char*)data));
  napi_is_typedarray(env, argv[0], &is_one);
  napi_set_element(env, all, 5, boolean(env, is_one));
  return all;
}

FUNCTION(data_view) {
  ARGUMENTS(3);
  int32_t length = 0, offset = 0;
  napi_get_value_int32(env, argv[0], &length);
  napi_get_value_int32(env, argv[2], &offset);
  napi_value value = NULL;
  return OUTCOME(env, napi_create_dataview(env, length, argv[1], offset, &value), value);
}

FUNCTION(data_view_info) {
  ARGUMENTS(1);
  size_t length = 99, offset = 99;
  void* data = NULL;
  napi_value buffer = NULL, all;
  bool is_one = false;
  napi_create_array(env, &all);
  napi_status status = napi_get_dataview_info(env, argv[0], &length, &data, &buffer, &offset);
  napi_set_element(env, all, 0, OUTCOME(env, status, buffer));
  napi_set_element(env, all, 1, number(env, length));
  napi_set_element(env, all, 2, number(env, offset));
  napi_is_dataview(env, argv[0], &is_one);
  napi_set_element(env, all, 3, boolean(env, is_one));
  return all;
}

FUNCTION(buffer) {
  ARGUMENTS(1);
  int32_t size = 0;
  napi_get_value_int32(env, argv[0], &size);
  void* data = NULL;
  napi_value value = NULL;
  napi_status status = napi_create_buffer(env, size, &data, &value);
  if (status == napi_ok && size > 0) memset(data, 7, size);
  return OUTCOME(env, status, value);
}

FUNCTION(buffer_copy) {
  void* data = NULL;
  napi_value value = NULL;
  napi_status status = napi_create_buffer_copy(env, 5, "bytes", &data, &value);
  if (status == napi_ok) ((char*)data)[0] = 'B';
  return OUTCOME(env, status, value);
}

FUNCTION(external_buffer) {
  napi_value value = NULL;
  return OUTCOME(env, napi_create_external_buffer(env, 6, bytes(6), let_go, &weight, &value), value);
}

FUNCTION(buffer_of) {
  ARGUMENTS(3);
  int32_t offset = 0, size = 0;
  napi_get_value_int32(env, argv[1], &offset);
  napi_get_value_int32(env, argv[2], &size);
  napi_value value = NULL;
  return OUTCOME(env, node_api_create_buffer_from_arraybuffer(env, argv[0], offset, size, &value), value);
}

FUNCTION(buffer_info) {
  ARGUMENTS(1);
  bool is_one = false;
  void* data = NULL;
  size_t length = 0;
  napi_value all;
  napi_create_array(env, &all);
  napi_status status = napi_is_buffer(env, argv[0], &is_one);
  napi_set_element(env, all, 0, OUTCOME(env, status, boolean(env, is_one)));
  if (!is_one) return all;
  status = napi_get_buffer_info(env, argv[0], &data, &length);
  napi_set_element(env, all, 1, OUTCOME(env, status, number(env, length)));
  if (length > 0) napi_set_element(env, all, 2, number(env, *(unsigned char*)data));
  return all;
}

FUNCTION(external_texts) {
  bool is_copied = false;
  napi_value all, value = NULL;
  napi_create_array(env, &all);
  napi_status status = node_api_create_external_string_latin1(env, strdup("latin \xe4"), NAPI_AUTO_LENGTH, let_go, &weight, &value, &is_copied);
  napi_set_element(env, all, 0, OUTCOME(env, status, value));
  char16_t* text = malloc(8);
  memcpy(text, u"utf\u20ac", 8);
  status = node_api_create_external_string_utf16(env, text, 4, let_go, &weight, &value, &is_copied);
  napi_set_element(env, all, 1, OUTCOME(env, status, value));
  return all;
}

FUNCTION(finalizers) {
  napi_value all = number(env, finalized);
  finalized = 0;
  return all;
}

NAPI_MODULE_INIT() {
  PUT(array_buffer);
  PUT(external_array_buffer);
  PUT(array_buffer_info);
  PUT(detach);
  PUT(typed_array);
  PUT(typed_array_info);
  PUT(data_view);
  PUT(data_view_info);
  PUT(buffer);
  PUT(buffer_copy);
  PUT(external_buffer);
  PUT(buffer_of);
  PUT(buffer_info);
  PUT(external_texts);
  PUT(finalizers);
  return exports;
}
