"""The runtime's own JavaScript as one start-up snapshot: which files, in what order, and under which key it is kept.

Every file of `js/` is a CommonJS-shaped body that `js/bootstrap.js` defines under its name; bodies run when first
required, those named in `EAGER` while the snapshot is built, so that a program finds them ready.
"""

from __future__ import annotations

import os

from .. import _native
from . import library

JS_FOLDER = os.path.join(os.path.dirname(__file__), "js")
OPERATION_NAMES = os.path.join(os.path.dirname(__file__), "ops", "names.py")
BOOTSTRAP = "bootstrap.js"
PREFIX = "rt:"
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
    if folder is None:
        return
    path = library.snapshot_path(folder, _key())
    if os.path.exists(path):
        _native.v8_start_ahead(
            os.path.join(folder, library.LIBRARY),
            folder,
            library.PROGRAM_FLAGS,
            library.PROGRAM_THREADS,
            snapshot=path,
            heap_limit_bytes=library.heap_limit_bytes(),
        )


def snapshot() -> str | bytes:
    """Return the snapshot for `Engine`, kept in the cache or made now by a forked process: V8 is started afterwards."""
    return library.snapshot(_key(), lambda: _in_child(_build))


def _key() -> bytes:
    names = os.stat(OPERATION_NAMES)
    return repr((_native.stamp(JS_FOLDER), names.st_size, names.st_mtime_ns)).encode()


def _build() -> bytes:
    from .ops import names

    library.start()
    files = sorted(name for name in os.listdir(JS_FOLDER) if name.endswith(".js"))
    scripts = [(PREFIX + "bootstrap", _source(BOOTSTRAP))]
    for name in files:
        if name != BOOTSTRAP:
            module = name.removesuffix(".js")
            head = f"__rt.define({module!r}, function (exports, require, module, host) {{ "
            scripts.append((PREFIX + module, f"{head}{_source(name)}\n}});"))
    scripts.append((PREFIX + "start", "__rt.require('runtime');"))
    return _native.build_snapshot(scripts, names.ALL, eager={PREFIX + module for module in RUN_BY_ALL})


def _source(name: str) -> str:
    with open(os.path.join(JS_FOLDER, name), encoding="utf-8") as file:
        return file.read()


def _in_child(build: object) -> bytes:
    """Return what `build` returns in a forked process: V8 wants a process of its own for making a snapshot."""
    assert callable(build)
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(read)
            with os.fdopen(write, "wb") as pipe:
                pipe.write(build())
            status = 0
        except BaseException as problem:
            os.write(2, f"rt: cannot make the start-up snapshot: {problem!r}\n".encode())
        finally:
            os._exit(status)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0:
        raise RuntimeError("the start-up snapshot could not be made")
    return data
