// Primitive values both ways, strings in three encodings, BigInts, symbols, dates, coercion, scripts.
#include "probe.h"

FUNCTION(kind) {
  ARGUMENTS(1);
  napi_valuetype type = 99;
  napi_status status = napi_typeof(env, argv[0], &type);
  return OUTCOME(env, status, number(env, type));
}

FUNCTION(numbers) {
  ARGUMENTS(1);
  napi_value all;
  napi_create_array(env, &all);
  double d = -1;
  int32_t i = -1;
  uint32_t u = 1;
  int64_t l = -1;
  bool b = false;
  napi_status status = napi_get_value_double(env, argv[0], &d);
  napi_set_element(env, all, 0, OUTCOME(env, status, number(env, d)));
  status = napi_get_value_int32(env, argv[0], &i);
  napi_set_element(env, all, 1, OUTCOME(env, status, number(env, i)));
  status = napi_get_value_uint32(env, argv[0], &u);
  napi_set_element(env, all, 2, OUTCOME(env, status, number(env, u)));
  status = napi_get_value_int64(env, argv[0], &l);
  napi_set_element(env, all, 3, OUTCOME(env, status, number(env, (double)l)));
  status = napi_get_value_bool(env, argv[0], &b);
  napi_set_element(env, all, 4, OUTCOME(env, status, boolean(env, b)));
  return all;
}

FUNCTION(made) {
  napi_value all, value;
  napi_create_array(env, &all);
  int at = 0;
  napi_create_int32(env, INT32_MIN, &value), napi_set_element(env, all, at++, value);
  napi_create_uint32(env, UINT32_MAX, &value), napi_set_element(env, all, at++, value);
  napi_create_int64(env, INT64_MAX, &value), napi_set_element(env, all, at++, value);
  napi_create_double(env, 0.1, &value), napi_set_element(env, all, at++, value);
  napi_create_bigint_int64(env, INT64_MIN, &value), napi_set_element(env, all, at++, value);
  napi_create_bigint_uint64(env, UINT64_MAX, &value), napi_set_element(env, all, at++, value);
  uint64_t words[] = {1, 2, 3};
  napi_create_bigint_words(env, 1, 3, words, &value), napi_set_element(env, all, at++, value);
  napi_get_undefined(env, &value), napi_set_element(env, all, at++, value);
  napi_get_null(env, &value), napi_set_element(env, all, at++, value);
  napi_get_boolean(env, true, &value), napi_set_element(env, all, at++, value);
  napi_create_string_utf8(env, "h\xc3\xa4llo\0x", 8, &value), napi_set_element(env, all, at++, value);
  napi_create_string_utf8(env, "a\xff\xe2\x82", NAPI_AUTO_LENGTH, &value), napi_set_element(env, all, at++, value);
  napi_create_string_latin1(env, "h\xe4llo", NAPI_AUTO_LENGTH, &value), napi_set_element(env, all, at++, value);
  napi_create_string_utf16(env, (const char16_t*)u"h\u00e4\xd83d\xde00", 4, &value), napi_set_element(env, all, at++, value);
  napi_create_string_utf8(env, NULL, 0, &value), napi_set_element(env, all, at++, value);
  node_api_create_property_key_utf8(env, "key", 3, &value), napi_set_element(env, all, at++, value);
  node_api_create_property_key_latin1(env, "key", 3, &value), napi_set_element(env, all, at++, value);
  node_api_create_property_key_utf16(env, (const char16_t*)u"key", 3, &value), napi_set_element(env, all, at++, value);
  node_api_symbol_for(env, "shared", NAPI_AUTO_LENGTH, &value), napi_set_element(env, all, at++, value);
  return all;
}

FUNCTION(wrongly_made) {
  napi_value all, value;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, OUTCOME(env, napi_create_string_utf8(env, NULL, 3, &value), NULL));
  napi_set_element(env, all, 1, OUTCOME(env, napi_create_string_utf8(env, "a", (size_t)INT32_MAX + 1, &value), NULL));
  napi_set_element(env, all, 2, OUTCOME(env, napi_create_string_utf8(env, "a", 1, NULL), NULL));
  napi_set_element(env, all, 3, OUTCOME(env, napi_create_double(env, 1, NULL), NULL));
  napi_set_element(env, all, 4, OUTCOME(env, napi_create_symbol(env, number(env, 1), &value), NULL));
  napi_set_element(env, all, 5, OUTCOME(env, napi_create_bigint_words(env, 0, 1u << 30, (uint64_t*)&all, &value), NULL));
  napi_set_element(env, all, 6, OUTCOME(env, napi_typeof(env, NULL, NULL), NULL));
  return all;
}

FUNCTION(texts) {
  ARGUMENTS(2);
  uint32_t size = 0;
  napi_get_value_uint32(env, argv[1], &size);
  char bytes[64];
  char16_t units[64];
  napi_value all, text;
  size_t length = 77;
  napi_create_array(env, &all);
  memset(bytes, 'x', sizeof bytes);
  napi_status status = napi_get_value_string_utf8(env, argv[0], bytes, size, &length);
  napi_set_element(env, all, 0, OUTCOME(env, status, number(env, length)));
  if (status == napi_ok) napi_create_string_latin1(env, bytes, size < 6 ? 6 : size, &text), napi_set_element(env, all, 1, text);
  memset(bytes, 'x', sizeof bytes);
  status = napi_get_value_string_latin1(env, argv[0], bytes, size, &length);
  napi_set_element(env, all, 2, OUTCOME(env, status, number(env, length)));
  if (status == napi_ok) napi_create_string_latin1(env, bytes, size < 6 ? 6 : size, &text), napi_set_element(env, all, 3, text);
  memset(units, 0x70, sizeof units);
  status = napi_get_value_string_utf16(env, argv[0], units, size, &length);
  napi_set_element(env, all, 4, OUTCOME(env, status, number(env, length)));
  if (status == napi_ok) napi_create_string_utf16(env, units, size < 6 ? 6 : size, &text), napi_set_element(env, all, 5, text);
  for (int index = 0; index < 3; index++) {
    length = 77;
    status = index == 0   ? napi_get_value_string_utf8(env, argv[0], NULL, 0, &length)
             : index == 1 ? napi_get_value_string_latin1(env, argv[0], NULL, 0, &length)
                          : napi_get_value_string_utf16(env, argv[0], NULL, 0, &length);
    napi_set_element(env, all, 6 + index, OUTCOME(env, status, number(env, length)));
  }
  return all;
}

FUNCTION(bigints) {
  ARGUMENTS(1);
  napi_value all;
  napi_create_array(env, &all);
  int64_t l = 0;
  uint64_t u = 0, words[8];
  bool is_lossless = false;
  napi_value made = NULL;
  napi_status status = napi_get_value_bigint_int64(env, argv[0], &l, &is_lossless);
  if (status == napi_ok) napi_create_bigint_int64(env, l, &made);
  napi_set_element(env, all, 0, OUTCOME(env, status, made));
  napi_set_element(env, all, 1, boolean(env, is_lossless));
  status = napi_get_value_bigint_uint64(env, argv[0], &u, &is_lossless);
  if (status == napi_ok) napi_create_bigint_uint64(env, u, &made);
  napi_set_element(env, all, 2, OUTCOME(env, status, made));
  napi_set_element(env, all, 3, boolean(env, is_lossless));
  size_t count = 0;
  int sign = 9;
  status = napi_get_value_bigint_words(env, argv[0], NULL, &count, NULL);
  napi_set_element(env, all, 4, OUTCOME(env, status, number(env, count)));
  count = 8;
  status = napi_get_value_bigint_words(env, argv[0], &sign, &count, words);
  if (status == napi_ok) napi_create_bigint_words(env, sign, count, words, &made);
  napi_set_element(env, all, 5, OUTCOME(env, status, made));
  return all;
}

FUNCTION(coerced) {
  ARGUMENTS(1);
  napi_value all, value;
  napi_create_array(env, &all);
  napi_status status = napi_coerce_to_bool(env, or_none(env, argv[0]), &value);
  napi_set_element(env, all, 0, OUTCOME(env, status, value));
  status = napi_coerce_to_number(env, or_none(env, argv[0]), &value);
  napi_set_element(env, all, 1, OUTCOME(env, status, value));
  status = napi_coerce_to_string(env, or_none(env, argv[0]), &value);
  napi_set_element(env, all, 2, OUTCOME(env, status, value));
  status = napi_coerce_to_object(env, or_none(env, argv[0]), &value);
  napi_set_element(env, all, 3, OUTCOME(env, status, value));
  return all;
}

FUNCTION(equal) {
  ARGUMENTS(2);
  bool is_equal = false;
  napi_status status = napi_strict_equals(env, argv[0], argv[1], &is_equal);
  return OUTCOME(env, status, boolean(env, is_equal));
}

FUNCTION(dates) {
  ARGUMENTS(1);
  napi_value all, date = NULL;
  bool is_date = false;
  double time = 0;
  napi_create_array(env, &all);
  napi_status status = napi_is_date(env, argv[0], &is_date);
  napi_set_element(env, all, 0, OUTCOME(env, status, boolean(env, is_date)));
  status = napi_get_date_value(env, argv[0], &time);
  napi_set_element(env, all, 1, OUTCOME(env, status, number(env, time)));
  status = napi_create_date(env, 1e12, &date);
  napi_set_element(env, all, 2, OUTCOME(env, status, date));
  return all;
}

FUNCTION(script) {
  ARGUMENTS(1);
  napi_value value = NULL;
  return OUTCOME(env, napi_run_script(env, argv[0], &value), value);
}

FUNCTION(symbol) {
  ARGUMENTS(1);
  napi_value value = NULL;
  return OUTCOME(env, napi_create_symbol(env, or_none(env, argv[0]), &value), value);
}

FUNCTION(version) {
  uint32_t version;
  const napi_node_version* node;
  napi_get_version(env, &version);
  napi_get_node_version(env, &node);
  napi_value all;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, number(env, version));
  napi_set_element(env, all, 1, number(env, node->major));
  napi_set_element(env, all, 2, string(env, node->release));
  return all;
}

NAPI_MODULE_INIT() {
  PUT(kind);
  PUT(numbers);
  PUT(made);
  PUT(wrongly_made);
  PUT(texts);
  PUT(bigints);
  PUT(coerced);
  PUT(equal);
  PUT(dates);
  PUT(script);
  PUT(symbol);
  PUT(version);
  return exports;
}
