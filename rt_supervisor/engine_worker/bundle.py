"""The runtime's own JavaScript: one start-up snapshot of what every program needs, and the other files one by one.

Every file of `js/` is a CommonJS-shaped body that `js/bootstrap.js` knows under its name. What `js/runtime.js` requires as
it loads runs while the snapshot is built, so that a program finds it ready; the rest is compiled when first required: a
snapshot of everything would cost each start a millisecond.
"""

from __future__ import annotations

import os
import sys

from .. import _native
from . import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

JS_FOLDER = os.path.join(os.path.dirname(__file__), "js")
OPERATION_NAMES = os.path.join(os.path.dirname(__file__), "ops", "names.py")
BOOTSTRAP = "bootstrap.js"
PREFIX = "rt:"
PARAMETERS = ("exports", "require", "module", "host")
# What every program runs before its own first line and after its last: compiled whole while the snapshot is made. All
# other functions are compiled when they are first called.
RUN_BY_ALL = frozenset(
    (
        "builtins",
        "console",
        "inspect_rt_format",
        "process",
        "process_environment",
        "rt_global",
        "runtime",
        "timers",
        "warnings",
    )
)


def start_ahead() -> None:
    """Begin to start V8 and an engine of the kept snapshot on another thread, where all that is needed lies ready."""
    folder = library.ready_folder()
    if folder is not None:
        _native.v8_start_ahead(
            os.path.join(folder, library.LIBRARY),
            folder,
            library.PROGRAM_FLAGS,
            library.PROGRAM_THREADS,
            sources=JS_FOLDER,
            names=OPERATION_NAMES,
            heap_limit_bytes=library.heap_limit_bytes(),
        )


def make_engine(host: Callable[[str], Any], *, is_small: bool = False) -> _native.Engine:
    """Start V8 and an engine with the runtime in it; `is_small` for less memory. Raises Failed."""
    kept: str | bytes | None = _native.v8_wait_ahead()
    if kept is None:  # else V8 is started, and looking for its files would only find them again
        kept = _kept_snapshot()
        if is_small:
            library.start(library.SMALL_FLAGS)
        else:
            library.start(library.PROGRAM_FLAGS, threads=library.PROGRAM_THREADS)
    limit = library.heap_limit_bytes()
    try:
        return _native.Engine(kept, host=host, heap_limit_bytes=limit)
    except ValueError:  # a damaged file
        return _native.Engine(_kept_snapshot(renew=True), host=host, heap_limit_bytes=limit)


def _kept_snapshot(*, renew: bool = False) -> str | bytes:
    return library.snapshot(_native.stamp(JS_FOLDER, OPERATION_NAMES), _build_elsewhere, renew=renew)


def _build() -> bytes:
    from .ops import names

    library.start()
    files = sorted(name for name in os.listdir(JS_FOLDER) if name.endswith(".js"))
    scripts = [(PREFIX + "bootstrap", _source(BOOTSTRAP))]
    for name in files:
        if name != BOOTSTRAP:
            module = name.removesuffix(".js")
            head = f"__rt.define({module!r}, function ({', '.join(PARAMETERS)}) {{ "
            scripts.append((PREFIX + module, f"{head}{_source(name)}\n}});"))
    scripts.append((PREFIX + "start", "__rt.require('runtime'); __rt.forgetUnused();"))
    return _native.build_snapshot(scripts, names.ALL, eager={PREFIX + module for module in RUN_BY_ALL})


def library_module(engine: _native.Engine, name: str) -> _native.JsFunction:
    """Return the body of a module that is not in the snapshot."""
    return engine.compile_function(_source(f"{name}.js"), PARAMETERS, PREFIX + name)


def _source(name: str) -> str:
    with open(os.path.join(JS_FOLDER, name), encoding="utf-8") as file:
        return file.read()


def print_snapshot() -> None:
    """Write a snapshot to standard output: the whole work of the process that `_build_elsewhere` starts."""
    data = _build()
    with os.fdopen(1, "wb", closefd=False) as out:
        out.write(data)


def _build_elsewhere() -> bytes:
    """Return a snapshot made by another process: V8 wants one of its own for it, and this one may have threads."""
    import subprocess

    code = f"from {__name__} import print_snapshot; print_snapshot()"
    done = subprocess.run([sys.executable, "-P", "-c", code], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise RuntimeError("the start-up snapshot could not be made")
    return done.stdout
