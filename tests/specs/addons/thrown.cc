// Exceptions of C++ that leave an addon: from functions, finalizers, works, calls of other threads and hooks.
#define NAPI_VERSION 10
#include <node_api.h>

#include <stdexcept>
#include <string>
#include <thread>

#define FUNCTION(name) static napi_value name(napi_env env, napi_callback_info info)

struct Own {};
struct Derived : std::runtime_error {
  using std::runtime_error::runtime_error;
};

static napi_value text_of(napi_env env, const char* text) {
  napi_value made;
  napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &made);
  return made;
}

FUNCTION(standard) {
  std::string text = "of a string"; // its destructor runs
  throw std::runtime_error(text + ", no less");
}

FUNCTION(derived) { throw Derived("from a class of its own"); }
FUNCTION(own) { throw Own(); }
FUNCTION(number) { throw 5; }

FUNCTION(scoped) {
  napi_handle_scope scope; // never closed
  napi_open_handle_scope(env, &scope);
  throw std::logic_error("in a scope");
}

FUNCTION(inside) {
  try {
    throw std::runtime_error("seen by the addon only");
  } catch (const std::exception&) {
    return text_of(env, std::uncaught_exceptions() == 0 ? "caught" : "one is under way still");
  }
}

// Calls its argument: the exception that it was left with, or the status.
FUNCTION(through) {
  size_t count = 1;
  napi_value function, global, result;
  napi_get_cb_info(env, info, &count, &function, nullptr, nullptr);
  napi_get_global(env, &global);
  napi_status status = napi_call_function(env, global, function, 0, nullptr, &result);
  if (status == napi_pending_exception)
    napi_get_and_clear_last_exception(env, &result);
  else
    napi_create_int32(env, status, &result);
  return result;
}

FUNCTION(wrap) {
  napi_value object;
  auto finalize = [](napi_env, void*, void*) { throw std::runtime_error("of a finalizer"); };
  napi_create_object(env, &object);
  napi_wrap(env, object, nullptr, finalize, nullptr, nullptr);
  return nullptr;
}

static napi_async_work work;

FUNCTION(works) {
  auto execute = [](napi_env, void*) { throw std::runtime_error("of a thread"); };
  auto complete = [](napi_env env, napi_status status, void*) {
    napi_delete_async_work(env, work);
    throw std::range_error("of the end, status " + std::to_string(status));
  };
  napi_create_async_work(env, nullptr, text_of(env, "work"), execute, complete, nullptr, &work);
  napi_queue_async_work(env, work);
  return nullptr;
}

static napi_threadsafe_function safe;

FUNCTION(calls) {
  auto call = [](napi_env, napi_value, void*, void*) { throw std::runtime_error("of a call"); };
  napi_create_threadsafe_function(env, nullptr, nullptr, text_of(env, "call"), 0, 1, nullptr, nullptr, nullptr, call, &safe);
  std::thread([] {
    napi_call_threadsafe_function(safe, nullptr, napi_tsfn_blocking);
    napi_release_threadsafe_function(safe, napi_tsfn_release);
  }).detach();
  return nullptr;
}

FUNCTION(hook) {
  napi_add_env_cleanup_hook(env, [](void*) { throw std::runtime_error("of a hook"); }, nullptr);
  return nullptr;
}

NAPI_MODULE_INIT() {
  const struct {
    const char* name;
    napi_callback call;
  } all[] = {{"standard", standard}, {"derived", derived}, {"own", own},     {"number", number}, {"scoped", scoped}, {"inside", inside},
             {"through", through},   {"wrap", wrap},       {"works", works}, {"calls", calls},   {"hook", hook}};
  for (const auto& each : all) {
    napi_value made;
    napi_create_function(env, each.name, NAPI_AUTO_LENGTH, each.call, nullptr, &made);
    napi_set_named_property(env, exports, each.name, made);
  }
  return exports;
}
