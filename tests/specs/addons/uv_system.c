// What libuv tells of the system. Declared here as its header does: that is not among Node-API's.
#include "probe.h"

typedef struct { void* handle; char* error; } uv_lib_t;
typedef struct { int64_t seconds; int32_t part; } uv_time_t;
int uv_os_getpid(void);
int uv_os_getppid(void);
int uv_os_getenv(const char*, char*, size_t*);
int uv_os_setenv(const char*, const char*);
int uv_os_unsetenv(const char*);
int uv_os_gethostname(char*, size_t*);
int uv_os_homedir(char*, size_t*);
int uv_os_tmpdir(char*, size_t*);
int uv_cwd(char*, size_t*);
int uv_exepath(char*, size_t*);
unsigned uv_available_parallelism(void);
uint64_t uv_get_total_memory(void);
uint64_t uv_get_free_memory(void);
int uv_resident_set_memory(size_t*);
int uv_getrusage(long*);
int uv_uptime(double*);
void uv_loadavg(double*);
int uv_gettimeofday(uv_time_t*);
int uv_clock_gettime(int, uv_time_t*);
int uv_translate_sys_error(int);
int uv_dlopen(const char*, uv_lib_t*);
int uv_dlsym(uv_lib_t*, const char*, void**);
void uv_dlclose(uv_lib_t*);
const char* uv_dlerror(const uv_lib_t*);
char* uv_err_name_r(int, char*, size_t);
char* uv_strerror_r(int, char*, size_t);

static napi_value told_text(napi_env env, int status, size_t size, const char* text) {
  napi_value all;
  napi_create_array(env, &all);
  napi_set_element(env, all, 0, number(env, status));
  napi_set_element(env, all, 1, number(env, size));
  napi_set_element(env, all, 2, string(env, status == 0 ? text : NULL));
  return all;
}

#define TEXT(name)                                \
  FUNCTION(name) {                                \
    ARGUMENTS(1);                                 \
    double given;                                 \
    napi_get_value_double(env, argv[0], &given);  \
    char text[4096] = "";                         \
    size_t size = given;                          \
    int status = uv_##name(text, &size);          \
    return told_text(env, status, size, text);    \
  }
TEXT(os_gethostname)
TEXT(os_homedir)
TEXT(os_tmpdir)
TEXT(cwd)

FUNCTION(variables) {
  napi_value all;
  int at = 0;
  char text[8] = "";
  size_t size = sizeof text;
  napi_create_array(env, &all);
#define TELL(value) napi_set_element(env, all, at++, value)
  TELL(number(env, uv_os_setenv("RT_PROBE", "1234567")));
  TELL(told_text(env, uv_os_getenv("RT_PROBE", text, &size), size, text));
  size = 7;
  TELL(told_text(env, uv_os_getenv("RT_PROBE", text, &size), size, text));
  size = 0;
  TELL(number(env, uv_os_getenv("RT_PROBE", text, &size)));
  TELL(number(env, uv_os_getenv(NULL, text, &size)));
  TELL(number(env, uv_os_setenv(NULL, "a")));
  TELL(number(env, uv_os_setenv("a=b", "a")));
  TELL(number(env, uv_os_unsetenv("RT_PROBE")));
  size = sizeof text;
  TELL(number(env, uv_os_getenv("RT_PROBE", text, &size)));
  return all;
}

FUNCTION(facts) {
  napi_value all;
  int at = 0;
  size_t resident = 0, size = 4096;
  double uptime = 0, averages[3] = {-1, -1, -1};
  long usage[18] = {0};
  uv_time_t now, clock;
  char path[4096];
  napi_create_array(env, &all);
  TELL(number(env, uv_os_getpid()));
  TELL(number(env, uv_os_getppid()));
  TELL(number(env, uv_available_parallelism()));
  TELL(number(env, uv_get_total_memory()));
  TELL(boolean(env, uv_get_free_memory() > 1 << 20));
  TELL(boolean(env, uv_resident_set_memory(&resident) == 0 && resident > 1 << 20));
  TELL(boolean(env, uv_uptime(&uptime) == 0 && uptime > 0));
  uv_loadavg(averages);
  TELL(boolean(env, averages[0] >= 0 && averages[2] >= 0));
  TELL(boolean(env, uv_getrusage(usage) == 0 && usage[4] > 1000));
  TELL(boolean(env, uv_gettimeofday(&now) == 0 && uv_clock_gettime(1, &clock) == 0 && clock.seconds - now.seconds < 2));
  TELL(number(env, uv_gettimeofday(NULL)));
  TELL(number(env, uv_clock_gettime(0, NULL)));
  TELL(number(env, uv_clock_gettime(7, &clock)));
  TELL(number(env, uv_translate_sys_error(2)));
  TELL(number(env, uv_translate_sys_error(-2)));
  TELL(boolean(env, uv_exepath(path, &size) == 0 && path[0] == '/' && strlen(path) == size));
  size = 3;
  TELL(told_text(env, uv_exepath(path, &size), size, ""));
  return all;
}

FUNCTION(libraries) {
  napi_value all;
  int at = 0;
  uv_lib_t library;
  void* found = NULL;
  char text[8];
  napi_create_array(env, &all);
  TELL(number(env, uv_dlopen("/no/such/library", &library)));
  TELL(string(env, uv_dlerror(&library)));
  uv_dlclose(&library);
  TELL(number(env, uv_dlopen("libc.so.6", &library)));
  TELL(string(env, uv_dlerror(&library)));
  TELL(number(env, uv_dlsym(&library, "strlen", &found)));
  TELL(boolean(env, found != NULL));
  TELL(number(env, uv_dlsym(&library, "no_such_name", &found)));
  uv_dlclose(&library);
  TELL(string(env, uv_err_name_r(-2, text, sizeof text)));
  TELL(string(env, uv_strerror_r(-2, text, sizeof text)));
  TELL(string(env, uv_err_name_r(-2, text, 3)));
  return all;
}

NAPI_MODULE_INIT() {
  PUT(os_gethostname);
  PUT(os_homedir);
  PUT(os_tmpdir);
  PUT(cwd);
  PUT(variables);
  PUT(facts);
  PUT(libraries);
  return exports;
}
