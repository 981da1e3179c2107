// Objects: properties got, set, listed and defined; arrays; functions called and made; classes.
#include "probe.h"

FUNCTION(get) {
  ARGUMENTS(2);
  napi_value value = NULL;
  return OUTCOME(env, napi_get_property(env, or_none(env, argv[0]), or_none(env, argv[1]), &value), value);
}

FUNCTION(set) {
  ARGUMENTS(3);
  return OUTCOME(env, napi_set_property(env, argv[0], argv[1], argv[2]), NULL);
}

FUNCTION(has) {
  ARGUMENTS(2);
  bool has = false, has_own = false;
  napi_value all;
  napi_create_array(env, &all);
  napi_status status = napi_has_property(env, argv[0], argv[1], &has);
  napi_set_element(env, all, 0, OUTCOME(env, status, boolean(env, has)));
  status = napi_has_own_property(env, argv[0], argv[1], &has_own);
  napi_set_element(env, all, 1, OUTCOME(env, status, boolean(env, has_own)));
  return all;
}

FUNCTION(remove_) {
  ARGUMENTS(2);
  bool is_gone = false;
  napi_status status = napi_delete_property(env, argv[0], argv[1], &is_gone);
  return OUTCOME(env, status, boolean(env, is_gone));
}

FUNCTION(named) {
  ARGUMENTS(1);
  bool has = false;
  napi_value all, value = NULL;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, OUTCOME(env, napi_set_named_property(env, argv[0], "näme", number(env, 1)), NULL));
  napi_status status = napi_has_named_property(env, argv[0], "näme", &has);
  napi_set_element(env, all, 1, OUTCOME(env, status, boolean(env, has)));
  status = napi_get_named_property(env, argv[0], "näme", &value);
  napi_set_element(env, all, 2, OUTCOME(env, status, value));
  napi_set_element(env, all, 3, OUTCOME(env, napi_get_named_property(env, argv[0], NULL, &value), NULL));
  return all;
}

FUNCTION(elements) {
  ARGUMENTS(1);
  bool has = false;
  uint32_t length = 0;
  napi_value all, value = NULL;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, OUTCOME(env, napi_set_element(env, argv[0], 3, number(env, 1)), NULL));
  napi_status status = napi_has_element(env, argv[0], 3, &has);
  napi_set_element(env, all, 1, OUTCOME(env, status, boolean(env, has)));
  status = napi_get_element(env, argv[0], 3, &value);
  napi_set_element(env, all, 2, OUTCOME(env, status, value));
  status = napi_get_array_length(env, argv[0], &length);
  napi_set_element(env, all, 3, OUTCOME(env, status, number(env, length)));
  status = napi_delete_element(env, argv[0], 3, &has);
  napi_set_element(env, all, 4, OUTCOME(env, status, boolean(env, has)));
  status = napi_is_array(env, argv[0], &has);
  napi_set_element(env, all, 5, OUTCOME(env, status, boolean(env, has)));
  return all;
}

FUNCTION(names) {
  ARGUMENTS(4);
  int32_t mode = 0, filter = 0, conversion = 0;
  napi_value all, value = NULL;
  napi_get_value_int32(env, argv[1], &mode);
  napi_get_value_int32(env, argv[2], &filter);
  napi_get_value_int32(env, argv[3], &conversion);
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, OUTCOME(env, napi_get_property_names(env, argv[0], &value), value));
  napi_status status = napi_get_all_property_names(env, argv[0], mode, filter, conversion, &value);
  napi_set_element(env, all, 1, OUTCOME(env, status, value));
  return all;
}

FUNCTION(prototype) {
  ARGUMENTS(1);
  napi_value value = NULL;
  return OUTCOME(env, napi_get_prototype(env, argv[0], &value), value);
}

FUNCTION(closed) {
  ARGUMENTS(2);
  bool seals = false;
  napi_get_value_bool(env, argv[1], &seals);
  return OUTCOME(env, seals ? napi_object_seal(env, argv[0]) : napi_object_freeze(env, argv[0]), NULL);
}

FUNCTION(is_instance) {
  ARGUMENTS(2);
  bool is_one = true;
  napi_status status = napi_instanceof(env, argv[0], argv[1], &is_one);
  return OUTCOME(env, status, boolean(env, is_one));
}

FUNCTION(call) {
  ARGUMENTS(8);
  napi_value value = NULL;
  size_t count = argc < 2 ? 0 : argc - 2;
  return OUTCOME(env, napi_call_function(env, or_none(env, argv[0]), or_none(env, argv[1]), count, argv + 2, &value), value);
}

FUNCTION(make) {
  ARGUMENTS(8);
  napi_value value = NULL;
  return OUTCOME(env, napi_new_instance(env, or_none(env, argv[0]), argc - 1, argv + 1, &value), value);
}

FUNCTION(seen) {
  size_t count = 3;
  napi_value values[3], self, target = NULL, all;
  void* data = NULL;
  napi_get_cb_info(env, info, &count, values, &self, &data);
  napi_get_new_target(env, info, &target);
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, number(env, count));
  for (int index = 0; index < 3; index++) napi_set_element(env, all, index + 1, values[index]);
  napi_set_element(env, all, 4, self);
  napi_set_element(env, all, 5, boolean(env, target != NULL));
  napi_set_element(env, all, 6, string(env, data));
  return all;
}

FUNCTION(define) {
  ARGUMENTS(1);
  napi_property_descriptor all[] = {
      {"value", NULL, NULL, NULL, NULL, number(env, 1), napi_default, NULL},
      {"writable", NULL, NULL, NULL, NULL, number(env, 2), napi_writable, NULL},
      {"usual", NULL, NULL, NULL, NULL, number(env, 3), napi_default_jsproperty, NULL},
      {"method", NULL, seen, NULL, NULL, NULL, napi_default_method, "data of method"},
      {"accessor", NULL, NULL, seen, seen, NULL, napi_enumerable | napi_configurable, "data of accessor"},
      {"getter", NULL, NULL, seen, NULL, NULL, napi_default, NULL},
      {NULL, string(env, "by value"), NULL, NULL, NULL, number(env, 4), napi_enumerable, NULL},
  };
  napi_value results;
  napi_create_array(env, &results);
  napi_set_element(env, results, 0, OUTCOME(env, napi_define_properties(env, argv[0], 7, all), NULL));
  napi_property_descriptor wrong = {NULL, number(env, 1), NULL, NULL, NULL, number(env, 4), napi_default, NULL};
  napi_set_element(env, results, 1, OUTCOME(env, napi_define_properties(env, argv[0], 1, &wrong), NULL));
  napi_set_element(env, results, 2, OUTCOME(env, napi_define_properties(env, argv[0], 1, NULL), NULL));
  return results;
}

FUNCTION(function) {
  napi_value value = NULL, all;
  napi_create_array(env, &all);
  napi_status status = napi_create_function(env, "named and more", 5, seen, "its data", &value);
  napi_set_element(env, all, 0, OUTCOME(env, status, value));
  status = napi_create_function(env, NULL, 0, seen, NULL, &value);
  napi_set_element(env, all, 1, OUTCOME(env, status, value));
  napi_set_element(env, all, 2, OUTCOME(env, napi_create_function(env, "a", 1, NULL, NULL, &value), NULL));
  return all;
}

FUNCTION(construct) {
  ARGUMENTS(1);
  napi_value target;
  napi_get_new_target(env, info, &target);
  if (target == NULL) {
    napi_throw_type_error(env, "ERR_NO_NEW", "new is missing");
    return NULL;
  }
  napi_set_named_property(env, self, "made", argv[0]);
  return self;
}

FUNCTION(define_class) {
  napi_property_descriptor all[] = {
      {"method", NULL, seen, NULL, NULL, NULL, napi_default_method, "data of method"},
      {"accessor", NULL, NULL, seen, seen, NULL, napi_default, "data of accessor"},
      {"constant", NULL, NULL, NULL, NULL, number(env, 7), napi_enumerable, NULL},
      {"create", NULL, seen, NULL, NULL, NULL, napi_default_method | napi_static, "static data"},
      {"COUNT", NULL, NULL, NULL, NULL, number(env, 9), napi_enumerable | napi_static, NULL},
  };
  napi_value made = NULL, results;
  napi_create_array(env, &results);
  napi_status status = napi_define_class(env, "Thing", NAPI_AUTO_LENGTH, construct, NULL, 5, all, &made);
  napi_set_element(env, results, 0, OUTCOME(env, status, made));
  napi_set_element(env, results, 1, OUTCOME(env, napi_define_class(env, "Thing", NAPI_AUTO_LENGTH, NULL, NULL, 0, NULL, &made), NULL));
  napi_set_element(env, results, 2, OUTCOME(env, napi_define_class(env, NULL, 3, construct, NULL, 0, NULL, &made), NULL));
  return results;
}

NAPI_MODULE_INIT() {
  PUT(get);
  PUT(set);
  PUT(has);
  PUT(remove_);
  PUT(named);
  PUT(elements);
  PUT(names);
  PUT(prototype);
  PUT(closed);
  PUT(is_instance);
  PUT(call);
  PUT(make);
  PUT(seen);
  PUT(define);
  PUT(function);
  PUT(define_class);
  return exports;
}
