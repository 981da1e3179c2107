"""Prepares the interpreter of a debug build, or of a build with AddressSanitizer, before rt starts in it.

No installed rt contains this package. `prepare` preloads the sanitizer's runtime by executing the interpreter again, and
installs the tracepoints of Python (`tracepoints`). `run_python` makes an interpreter of a prepared process. With
RT_DEBUG_LEAKS=1, LeakSanitizer searches for leaks when the process ends (packaging/development/leak_search.c).
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

_FOLDER = Path(__file__).parent
_PRELOAD = "LD_PRELOAD"
_LEAKS = "RT_DEBUG_LEAKS"
_ALLOCATOR = "PYTHONMALLOC"
# Leaks: the search is opt-in, because it takes seconds. Signal handlers: V8 handles SIGSEGV of WebAssembly. The order of
# libraries: the runtime is preloaded.
_DEFAULTS = "detect_leaks={}:allow_user_segv_handler=1:detect_stack_use_after_return=0:verify_asan_link_order=0"
# rt ends without finalisation, and searches itself.
_LEAK_DEFAULTS = "leak_check_at_exit=0:print_suppressions=0"


def prepare(interpreter: str, runtime: str | None, *, traces: bool) -> None:
    """Prepare this process.

    `interpreter` is the command of `run_python`, which rt starts where it needs another interpreter; `runtime` is the
    sanitizer's library, if rt was built with it.
    """
    if runtime is not None:
        _preload(runtime)
    sys.rt_interpreter = interpreter  # type: ignore[attr-defined]
    if traces:
        from .tracepoints import install

        install()


def run_python(words: list[str]) -> None:
    """Run `[-P] [-X OPTION] FILE`, `-c CODE` or `-m MODULE`, with arguments, as the interpreter does."""
    while words[0] in ("-P", "-X"):
        if words.pop(0) == "-X":
            sys._xoptions[words.pop(0)] = True
    if words[0] in ("-c", "-m"):
        sys.argv = words[:1] + words[2:]
        if words[0] == "-m":
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            exec(words[1], {"__name__": "__main__"})
    else:
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")


def _preload(runtime: str) -> None:
    """Execute the interpreter again with `runtime` preloaded; in the second process, hide that from children."""
    preloaded = os.environ.get(_PRELOAD, "").split(":")
    searches_leaks = os.environ.get(_LEAKS) == "1"
    if runtime not in preloaded:
        os.environ[_PRELOAD] = ":".join([runtime, *filter(None, preloaded)])
        _set_options("ASAN_OPTIONS", _DEFAULTS.format(int(searches_leaks)), "suppressions.txt")
        _set_options("LSAN_OPTIONS", _LEAK_DEFAULTS, "leak_suppressions.txt")
        if searches_leaks:
            os.environ.setdefault(_ALLOCATOR, "malloc")  # pointers within Python's arenas are not searched
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    rest = ":".join(path for path in preloaded if path and path != runtime)
    if rest:
        os.environ[_PRELOAD] = rest
    else:
        del os.environ[_PRELOAD]
    if searches_leaks and os.environ.get(_ALLOCATOR) == "malloc":
        del os.environ[_ALLOCATOR]


def _set_options(variable: str, defaults: str, suppressions: str) -> None:
    """Add rt's defaults to the options of a sanitizer; those that are set prevail."""
    mine = f"{defaults}:suppressions={_FOLDER / suppressions}"
    os.environ[variable] = ":".join(filter(None, [mine, os.environ.get(variable)]))
