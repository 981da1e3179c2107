"""The runtime's JavaScript: a start-up snapshot of the part that every program needs, and the other files one by one.

Every file of `js/` is a CommonJS function body that `js/boot/bootstrap.js` registers under its path (`node/fs/sync`),
which is the argument of `require`: floor, folders and name, without `.js`. The files that `js/boot/runtime.js` requires
while it loads run when the snapshot is built. All others are compiled when they are first required, because a snapshot
of everything would add a millisecond to each start. Their code cache is stored beside the snapshot
(`native/src/v8/modules/library_code.rs`).
"""

from __future__ import annotations

import os
import sys

from ... import _native
from . import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_ENGINE_WORKER = os.path.dirname(os.path.dirname(__file__))
JS_FOLDER = os.path.join(_ENGINE_WORKER, "js")
OPERATION_NAMES = os.path.join(_ENGINE_WORKER, "ops", "names.py")
# The snapshot that a wheel contains (`packaging/rt_build.py`).
PACKAGED_SNAPSHOT = os.path.join(os.path.dirname(__file__), "library.snapshot")
BOOTSTRAP = "boot/bootstrap"
RUNTIME = "boot/runtime"
PREFIX = "rt:"
PARAMETERS = ("exports", "require", "module", "host")
# The code that every program runs before its first line and after its last: compiled eagerly for the snapshot. All
# other functions are compiled when they are first called.
RUN_BY_ALL = frozenset(
    (
        "boot/runtime",
        "boot/uncaught",
        "internal/inspect/rt_format",
        "internal/timer_heap",
        "internal/timers",
        "node/module/builtins",
        "node/process/environment",
        "node/process/process",
        "node/process/warnings",
        "rt/global",
        "web/console/console",
    )
)


def start_ahead() -> None:
    """Start V8 and an engine from the cached snapshot on another thread, if everything it needs is in the cache."""
    if _native.v8_is_ahead():  # the launcher has started it
        return
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


def make_engine(
    host: Callable[[str], Any], *, is_small: bool = False, heap_limit_bytes: int | None = None, flags: str = ""
) -> _native.Engine:
    """Start V8 and return an engine that contains the runtime; `is_small` uses less memory. Raises Failed.

    `heap_limit_bytes` replaces `library.heap_limit_bytes`; `flags` are further ones of V8.
    """
    source = _start(is_small=is_small, flags=flags)
    snapshot.use(source)
    return snapshot.engine(host, heap_limit_bytes or library.heap_limit_bytes())


def make_engine_to_store(host: Callable[[str], Any], flags: str) -> _native.Engine:
    """Start V8 and return an engine that contains the runtime, and whose heap can be stored. Raises Failed."""
    source = _start(flags=flags)
    snapshot.use(source)
    return _native.Engine(source, host=host, heap_limit_bytes=library.heap_limit_bytes(), creates_snapshot=True)


def make_engine_of_heap(
    host: Callable[[str], Any], heap: bytes, *, heap_limit_bytes: int | None, flags: str
) -> _native.Engine:
    """Start V8 and return an engine with a stored heap. Raises Failed, and ValueError for one that cannot be used."""
    snapshot.use(_start(flags=flags))
    if not _native.snapshot_is_current(heap, JS_FOLDER, OPERATION_NAMES):
        raise ValueError("the sources have changed")
    return _native.Engine(heap, host=host, heap_limit_bytes=heap_limit_bytes or library.heap_limit_bytes())


def _start(*, is_small: bool = False, flags: str = "") -> str | bytes:
    """Start V8 and return the runtime's snapshot. Raises Failed."""
    _native.use_library(JS_FOLDER)
    source: str | bytes | None = _native.v8_wait_ahead()
    if source is None:  # otherwise V8 has already been started
        source = _cached_snapshot()
        if is_small:
            library.start(f"{library.SMALL_FLAGS} {flags}")
        else:
            library.start(f"{library.PROGRAM_FLAGS} {flags}", threads=library.PROGRAM_THREADS)
    return source


def make_another(host: Callable[[str], Any], heap_limit_bytes: int | None = None) -> _native.Engine:
    """Return another engine on the calling thread, in a process that has one. Raises Failed."""
    return snapshot.engine(host, heap_limit_bytes or library.heap_limit_bytes())


class ProcessSnapshot:
    """The snapshot of all engines of this process: the path of a file, or bytes."""

    def __init__(self) -> None:
        self._source: str | bytes | None = None  # located at its first use

    def use(self, source: str | bytes) -> None:
        self._source = source

    def engine(self, host: Callable[[str], Any], heap_limit_bytes: int) -> _native.Engine:
        if self._source is None:
            self._source = _cached_snapshot()
        try:
            return _native.Engine(self._source, host=host, heap_limit_bytes=heap_limit_bytes)
        except (ValueError, OSError):  # the file is missing, damaged, or no longer readable by this user
            self._source = _cached_snapshot(renew=True)
            return _native.Engine(self._source, host=host, heap_limit_bytes=heap_limit_bytes)

    def hold(self) -> None:
        """Read the file into memory, because it may soon become unreadable."""
        if isinstance(self._source, str):
            try:
                with open(self._source, "rb") as file:
                    self._source = file.read()
            except OSError:
                return


snapshot = ProcessSnapshot()


def _cached_snapshot(*, renew: bool = False) -> str | bytes:
    obtain = _build_elsewhere if renew else _obtain
    return library.snapshot(_native.stamp(JS_FOLDER, OPERATION_NAMES), obtain, renew=renew)


def _obtain() -> bytes:
    """Return the packaged snapshot if it was made of the present sources, otherwise a new one."""
    try:
        with open(PACKAGED_SNAPSHOT, "rb") as file:
            data = file.read()
    except OSError:
        return _build_elsewhere()
    return data if _native.snapshot_is_current(data, JS_FOLDER, OPERATION_NAMES) else _build_elsewhere()


def write_packaged_snapshot() -> None:
    """Make the snapshot that a wheel contains. As in any first start, V8's prepared copy is created if it is missing.

    Raises Failed or OSError.
    """
    data = _build_elsewhere()
    with open(PACKAGED_SNAPSHOT, "wb") as file:
        file.write(data)


def _build() -> bytes:
    from ..ops import names

    library.start(prepares=False)  # the parent creates the prepared copy meanwhile
    scripts = [(PREFIX + BOOTSTRAP, _source(BOOTSTRAP))]
    for module in module_names():
        if module != BOOTSTRAP:
            head = f"__rt.define({module!r}, function ({', '.join(PARAMETERS)}) {{ "
            scripts.append((PREFIX + module, f"{head}{_source(module)}\n}});"))
    scripts.append((PREFIX + "start", f"__rt.require({RUNTIME!r}); __rt.forgetUnused();"))
    eager = {PREFIX + module for module in RUN_BY_ALL}
    return _native.build_snapshot(scripts, names.ALL, eager=eager, sources=(JS_FOLDER, OPERATION_NAMES))


def library_module(engine: _native.Engine, name: str) -> _native.JsFunction:
    """Return the function body of a module that is not in the snapshot."""
    return engine.compile_function(_source(name), PARAMETERS, PREFIX + name)


def module_names() -> list[str]:
    """Return the names of all files of `js/` as arguments of `require`, sorted."""
    names = []
    for folder, _, files in os.walk(JS_FOLDER):
        below = os.path.relpath(folder, JS_FOLDER)
        names += [os.path.normpath(f"{below}/{file.removesuffix('.js')}") for file in files if file.endswith(".js")]
    return sorted(names)


def _source(name: str) -> str:
    with open(os.path.join(JS_FOLDER, f"{name}.js"), encoding="utf-8") as file:
        return file.read()


def print_snapshot() -> None:
    """Write a snapshot to standard output: the entry point of the process that `_build_elsewhere` starts."""
    from ...vocabulary.errors import Failed

    try:
        data = _build()
    except Failed:
        os._exit(1)  # the parent fails in the same way, and reports it
    with os.fdopen(1, "wb", closefd=False) as out:
        out.write(data)


def check_snapshot() -> None:
    """Start an engine from the snapshot on standard input: the entry point of the process that checks it."""
    from ...vocabulary.errors import Failed

    with os.fdopen(0, "rb", closefd=False) as given:
        data = given.read()
    try:
        library.start()
        _native.Engine(data, host=lambda name: print, heap_limit_bytes=library.heap_limit_bytes())
    except (Failed, ValueError, OSError):
        os._exit(1)
    os._exit(0)


def _build_elsewhere() -> bytes:
    """Return a snapshot made by another process: V8 requires a separate process for it, and this one may have threads.

    A snapshot that V8 cannot read would crash every start, so it is tried once in a third process before it is stored.
    """
    import subprocess

    for _ in range(_MOST_SNAPSHOTS):
        building = subprocess.Popen(_python("print_snapshot"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        with building:
            library.prepared(library.find())
            data, _ = building.communicate()
        if building.returncode != 0:
            library.start()  # raises Failed if V8 cannot start at all
            raise RuntimeError("the start-up snapshot could not be made")
        if can_start(data):
            return data
    raise RuntimeError("V8 cannot read the start-up snapshots that it makes")


_MOST_SNAPSHOTS = 8


def can_start(data: bytes) -> bool:
    """Return whether V8 can read a snapshot, which may end the process that tries."""
    import subprocess

    return subprocess.run(_python("check_snapshot"), input=data, stderr=subprocess.DEVNULL).returncode == 0


def _python(function: str) -> list[str]:
    """Return the command of a process that runs one function of this module; this process records the dependencies."""
    # Development builds have other native modules, which only an interpreter of theirs loads.
    interpreter = getattr(sys, "rt_interpreter", sys.executable)
    return [interpreter, "-P", "-X", "rt-helper", "-c", f"from {__name__} import {function}; {function}()"]
