"""Native addons: small ones in C, compiled here against npm's node-api-headers, print the same under rt and Node 26.

Each family of Node-API functions is one addon and one program that calls it (`tests/specs/addons`). Needs a C
compiler, the headers from npm, and Node 26 for comparison; tests without these are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess

import js_peers as peers
import pytest
from addon_builds import PLAIN, SOURCES, build, compiled, headers
from rig import Box

__all__ = ["build", "headers"]

FAMILIES = sorted(path.stem for path in SOURCES.glob("*.c"))
PATIENCE_S = 120


@pytest.mark.parametrize("family", FAMILIES)
def test_family(build: Box, family: str) -> None:
    compiled(build, family)
    command = [peers.node(), "--expose-gc", f"{family}.cjs"]
    theirs = subprocess.run(command, cwd=build.folder, capture_output=True, text=True, timeout=PATIENCE_S)
    ours = build.run("--expose-gc", f"{family}.cjs")
    assert ours.stdout.decode() == theirs.stdout
    assert (ours.returncode, ours.stderr.decode()) == (theirs.returncode, theirs.stderr)


def output(box: Box, *arguments: str, status: int = 0, **options: object) -> str:
    done = box.run(*arguments, **options)
    assert (done.returncode, done.stderr.decode()) == (status, ""), done.stdout
    return done.stdout.decode()


def test_ways_to_load(build: Box) -> None:
    addon = compiled(build, "plain", PLAIN)
    shutil.copy(addon, build.folder / "other.native")
    build.write({
        "a.cjs": """
            const Module = require('node:module');
            console.log(require('./plain.node').three(), require('./plain').three());
            const target = { exports: {} };
            process.dlopen(target, require.resolve('./plain.node'));
            console.log(target.exports.three(), require('./plain') === require('./plain.node'));
            const own = new Module('x'); own.filename = __filename;
            Module._extensions['.node'](own, require.resolve('./plain.node'));
            console.log(own.exports.three(), process.versions.napi);
        """,
        "b.mjs": """
            import { createRequire } from 'node:module';
            import addon, * as all from './plain.node';
            import { 'module.exports' as whole } from './other.node';
            console.log(addon.three(), whole.three(), Object.keys(all).join(), createRequire(import.meta.url)('./plain.node') === addon);
            for (const name of ['./bad.node', './gone.node']) {
                await import(name).catch(({ code }) => console.log(code));
            }
            console.log((await import('./plain.node')).default === addon, (await import('./plain.node?again')).default.three());
        """,
        "c.cjs": "console.log(require('./other.native').three())",
    })  # fmt: skip
    assert output(build, "a.cjs") == "3 3\n3 true\n3 10\n"
    shutil.copy(addon, build.folder / "other.node")
    build.write({"bad.node": "no library"})
    reported = "3 3 default,module.exports true\nERR_DLOPEN_FAILED\nERR_MODULE_NOT_FOUND\ntrue 3\n"
    assert output(build, "b.mjs") == reported
    assert output(build, "plain.node") == ""  # as the main program
    assert output(build, "--loader", ".native:napi", "c.cjs") == "3\n"


def test_without_addons(build: Box) -> None:
    compiled(build, "plain", PLAIN)
    build.write({
        "a.cjs": "try { require('./plain.node') } catch (error) { console.log(error.code, error.message) }",
    })  # fmt: skip
    build.write({"b.mjs": "await import('./plain.node').catch(({ code, message }) => console.log(code, message))"})
    reported = "ERR_DLOPEN_DISABLED Cannot load native addon because loading addons is disabled.\n"
    assert output(build, "--no-addons", "a.cjs") == reported
    assert output(build, "--no-addons", "b.mjs") == reported


TELL = """
    try { require('./bad.node') } catch (error) {
        console.log(error.code, error.message.replace(__dirname, ''));
    }
"""
INSTEAD = "use a version of the package that is built on Node-API alone, or one in JavaScript or WebAssembly"


@pytest.mark.parametrize(
    ("symbol", "owner"),
    [
        ("_ZN2v87Isolate10GetCurrentEv", "V8's C++, which rt does not offer to addons"),
        ("_ZN4node19GetCurrentEventLoopEPN2v87IsolateE", "Node's C++, which rt does not have"),
        (
            "uv_tcp_init",
            "libuv, of which rt has threads, locks, timers, uv_async_t, uv_poll_t, uv_queue_work and facts of the system alone",
        ),
        ("napi_of_the_future", "a later Node-API than rt's version 10"),
    ],
)
def test_symbols_of_unsupported_interfaces(build: Box, symbol: str, owner: str) -> None:
    compiled(build, "bad", f"{PLAIN}\nextern int {symbol}(void); int use(void) {{ return {symbol}(); }}")
    build.write({"a.cjs": TELL})
    assert output(build, "a.cjs") == f"ERR_DLOPEN_FAILED /bad.node needs {symbol} of {owner}: {INSTEAD}\n"


def test_a_package_with_a_successor_is_named(build: Box) -> None:
    compiled(
        build,
        "bad",
        f"{PLAIN}\nextern int _ZN2v87Isolate10GetCurrentEv(void); int use(void) {{ return _ZN2v87Isolate10GetCurrentEv(); }}",
    )
    place = "node_modules/better-sqlite3/build/Release"
    (build.folder / place).mkdir(parents=True)
    (build.folder / "bad.node").rename(build.folder / place / "better_sqlite3.node")
    build.write({"a.cjs": TELL.replace("./bad", f"./{place}/better_sqlite3")})
    reported = output(build, "a.cjs")
    assert reported.endswith("use better-sqlite3 from version 13 on, which is built on Node-API, or node:sqlite\n"), (
        reported
    )


def test_no_addon(build: Box) -> None:
    compiled(build, "bad", "int nothing(void) { return 0; }")
    build.write({"a.cjs": TELL, "b.cjs": TELL.replace("bad", "text"), "text.node": "no library at all " * 10})
    assert output(build, "a.cjs") == "ERR_DLOPEN_FAILED Module did not self-register: '/bad.node'.\n"
    assert output(build, "b.cjs").startswith("ERR_DLOPEN_FAILED /text.node: invalid ELF header")


def test_an_addon_of_v8(build: Box) -> None:
    compiled(build, "bad", "void node_register_module_v147(void) {}")
    build.write({"a.cjs": TELL})
    reported = f"/bad.node is built on V8's C++, which rt does not offer to addons: {INSTEAD}"
    assert output(build, "a.cjs") == f"ERR_DLOPEN_FAILED {reported}\n"


def test_registration_without_an_entry(build: Box) -> None:
    source = """
        #include "probe.h"
        static napi_module module = {1, 0, "empty.c", NULL, "empty", NULL, {0}};
        __attribute__((constructor)) static void registered(void) { napi_module_register(&module); }
    """
    compiled(build, "bad", source)
    build.write({"a.cjs": TELL})
    assert output(build, "a.cjs") == "undefined Module has no declared entry point.\n"


def test_old_registration(build: Box) -> None:
    registering = PLAIN.replace("NAPI_MODULE_INIT()", "static napi_value begin(napi_env env, napi_value exports)")
    registering += """
        static napi_module module = {1, 0, "old.c", begin, "old", NULL, {0}};
        __attribute__((constructor)) static void registered(void) { napi_module_register(&module); }
    """
    compiled(build, "old", registering)
    build.write({
        "a.cjs": """
            console.log(require('./old.node').three());
            delete require.cache[require.resolve('./old.node')];
            console.log(require('./old.node').three());
            new (require('node:worker_threads').Worker)("console.log(require('./old.node').three())", { eval: true });
        """,
    })  # fmt: skip
    assert output(build, "a.cjs") == "3\n3\n3\n"


def test_exceptions_of_cxx_stay_in_the_program(build: Box) -> None:
    """Node aborts there: it does not catch C++ exceptions that leave an addon."""
    compiled(build, "thrown")
    done = build.run("--expose-gc", "thrown.cjs")
    left = "an exception of C++ left the addon:"
    assert done.stdout.decode().splitlines() == [
        f"standard {left} std::runtime_error: of a string, no less",
        f"derived {left} Derived: from a class of its own",
        f"own {left} Own",
        f"number {left} int",
        f"scoped {left} std::logic_error: in a scope",
        "inside caught",
        f"through {left} std::runtime_error: of a string, no less",
        "through 0",
        f"uncaught {left} std::runtime_error: of a thread",
        f"uncaught {left} std::range_error: of the end, status 9",
        f"uncaught {left} std::runtime_error: of a call",
        f"uncaught {left} std::runtime_error: of a finalizer",
    ]
    assert (done.returncode, done.stderr.decode()) == (0, f"warn: {left} std::runtime_error: of a hook\n")


def test_exceptions_of_a_linked_cxx_library(build: Box) -> None:
    compiled(build, "thrown", None, "-static-libstdc++", "-static-libgcc")
    build.write({"a.cjs": "try { require('./thrown.node').own() } catch (error) { console.log(error.message) }"})
    assert output(build, "a.cjs").startswith("an exception of C++ left the addon: ")


def test_environment_is_found_by_dlsym(build: Box) -> None:
    """Some addons are linked without Node-API and look it up among the process's symbols."""
    source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stddef.h>
        void* napi_register_module_v1(void* env, void* exports) {
          int (*make)(void*, int, void**) = (int (*)(void*, int, void**))dlsym(dlopen(NULL, RTLD_LAZY), "napi_create_int32");
          void* made = NULL;
          make(env, 42, &made);
          return made;
        }
    """
    compiled(build, "looking", source)
    build.write({"a.cjs": "console.log(require('./looking.node'))"})
    assert output(build, "a.cjs", environment=dict(os.environ)) == "42\n"


ABUSE = r"""
#include "probe.h"
#include <pthread.h>

static napi_value kept;
static napi_env first_env;

static void* elsewhere(void* data) {
  napi_value value;
  return (void*)(intptr_t)napi_create_object((napi_env)data, &value);
}

static void at_end(void* data) {
  napi_value value = NULL;
  fprintf(stdout, "%d %d\n", napi_create_object(first_env, &value), napi_run_script(first_env, value, &value));
  fflush(stdout);
}

static void* after_end(void* data) {
  napi_value value = NULL;
  return (void*)(intptr_t)napi_create_object(first_env, &value);
}

__attribute__((destructor)) static void unloaded(void) { after_end(NULL); }

FUNCTION(abuse) {
  ARGUMENTS(1);
  napi_value all, value = NULL;
  int at = 0;
#define TELL(call) napi_set_element(env, all, at++, number(env, call))
  napi_create_array(env, &all);
  TELL(napi_create_object(NULL, &value));
  TELL(napi_create_object(env, NULL));
  TELL(napi_delete_reference(env, (napi_ref)(intptr_t)12345));
  TELL(napi_reference_ref(env, (napi_ref)(intptr_t)-1, NULL));
  TELL(napi_get_reference_value(env, NULL, &value));
  napi_ref reference;
  napi_create_reference(env, argv[0], 1, &reference);
  TELL(napi_delete_reference(env, reference));
  TELL(napi_delete_reference(env, reference));
  TELL(napi_reference_unref(env, reference, NULL));
  napi_deferred deferred;
  napi_create_promise(env, &deferred, &value);
  TELL(napi_resolve_deferred(env, deferred, argv[0]));
  TELL(napi_resolve_deferred(env, deferred, argv[0]));
  TELL(napi_delete_async_work(env, (napi_async_work)&all));
  TELL(napi_queue_async_work(env, (napi_async_work)&all));
  TELL(napi_cancel_async_work(env, (napi_async_work)&all));
  TELL(napi_async_destroy(env, (napi_async_context)&all));
  TELL(napi_close_handle_scope(env, (napi_handle_scope)&all));
  TELL(napi_close_callback_scope(env, (napi_callback_scope)&all));
  TELL(napi_call_threadsafe_function((napi_threadsafe_function)&all, NULL, napi_tsfn_blocking));
  TELL(napi_acquire_threadsafe_function((napi_threadsafe_function)&all));
  TELL(napi_release_threadsafe_function((napi_threadsafe_function)&all, napi_tsfn_release));
  TELL(napi_unref_threadsafe_function(env, (napi_threadsafe_function)&all));
  TELL(napi_remove_async_cleanup_hook((napi_async_cleanup_hook_handle)&all));
  napi_ref wrapping;
  napi_wrap(env, argv[0], NULL, NULL, NULL, NULL);
  TELL(napi_wrap(env, argv[0], NULL, NULL, NULL, &wrapping));
  struct uv_loop_s* loop;
  TELL(napi_get_uv_event_loop(env, &loop));
  pthread_t thread;
  void* status;
  pthread_create(&thread, NULL, elsewhere, env);
  pthread_join(thread, &status);
  TELL((intptr_t)status);
  for (int index = 0; index < 5; index++) {
    napi_handle_scope scope;
    napi_open_handle_scope(env, &scope); // never closed
  }
  first_env = env;
  napi_add_env_cleanup_hook(env, at_end, NULL);
  return all;
}

NAPI_MODULE_INIT() {
  PUT(abuse);
  kept = exports;
  return exports;
}
"""


def test_no_misuse_ends_the_process(build: Box) -> None:
    """Undefined behaviour in Node is an error here; the numbers are Node-API's statuses."""
    compiled(build, "abuse", ABUSE)
    build.write({
        "a.cjs": """
            const { abuse } = require('./abuse.node');
            console.log(abuse({}).join());
            for (let index = 0; index < 1000; index++) abuse({});
            new (require('node:worker_threads').Worker)("require('./abuse.node').abuse({})", { eval: true })
                .on('exit', () => console.log('worker is over'));
        """,
    })  # fmt: skip
    lines = output(build, "a.cjs").splitlines()
    assert lines[0] == "1,1,1,1,1,0,1,1,0,1,1,1,1,1,13,14,16,16,1,1,1,1,0,9"
    # The worker's hook sees its own environment, the main thread's hooks the worker's, which no longer exists.
    assert lines[1:] == ["0 23", "worker is over", *["9 9"] * 1001]


def test_a_terminated_worker_ends_its_addons(build: Box) -> None:
    compiled(build, "plain", PLAIN)
    build.write({
        "a.cjs": """
            const { Worker } = require('node:worker_threads');
            const text = "const { three } = require('./plain.node'); postMessage('ready'); for (;;) three();";
            const worker = new Worker(text.replace('postMessage', "require('node:worker_threads').parentPort.postMessage"), { eval: true });
            worker.on('message', () => worker.terminate().then((status) => console.log('over', status)));
        """,
    })  # fmt: skip
    assert output(build, "a.cjs") == "over 1\n"
