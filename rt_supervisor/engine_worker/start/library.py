"""V8's shared library: finds it in the wheel, loads its prepared copy, and caches start-up snapshots beside the copy.

The first start on a machine creates a folder in the user's cache (`preparation.py`): a copy of the library with its own
relocations resolved (loads in 2 ms instead of 25), and ICU's data under the name that ICU maps itself (0 ms instead of
7). All environments with the same wheel share it. Its files are used only if they and all folders above them belong to
this user, have the expected size and have not been modified. If the cache fails in any way, the wheel's own files are
used.
"""

from __future__ import annotations

import os
import sys

from ... import _native
from ...start.cache_folder import cache_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGE = "py_mini_racer"
WHEEL = "mini-racer==0.14.1"
LIBRARY = "libmini_racer.so"
WHEEL_ICU_DATA = "icudtl.dat"
MAPPED_ICU_DATA = "icudt77l.dat"  # the name that this build of ICU searches for
# Changed with everything that a prepared folder's contents depend on besides V8 and the wheel's files.
FORMAT = 3
# The mtime of a prepared copy; any other value shows that it was modified.
PREPARED_NS = 1_000_000_000 * 1_000_000_000
LARGEST_HEAP_BYTES = 3 << 30
# Pointers of this V8 are compressed: all heaps of a process share 4 GB of addresses. Beyond this limit it aborts.
ADDRESSABLE_HEAP_BYTES = 4000 << 20
SMALLEST_HEAP_BYTES = 16 << 20
# V8's flags for one program. The young generation starts at 4 MB instead of 1, which makes programs that allocate a
# tenth faster, and others no slower. One background thread compiles hot functions and helps to collect garbage: tsc
# takes a quarter less time; two threads did not gain another twentieth.
PROGRAM_FLAGS = "--min-semi-space-size=4"
PROGRAM_THREADS = 1
SMALL_FLAGS = "--optimize-for-size --max-semi-space-size=1"  # --smol, without a thread
_HEAD_SIZE = 4096  # contains the build ID


def start(flags: str = "", *, threads: int = 0, prepares: bool = True) -> None:
    """Start V8 in this process, from the prepared copy if it exists or, with `prepares`, can be created. `flags` and
    `threads` are V8's.

    Raises Failed if the wheel is missing or has another version.
    """
    wheel = find()
    folder = prepared(wheel) if prepares else ready_folder()
    try:
        if folder is not None:
            try:
                _native.v8_start(os.path.join(folder, LIBRARY), folder, flags, threads)
                return
            except _native.EngineUnavailable:
                pass  # the cache is on a noexec mount, or the copy was removed
        _native.v8_start(os.path.join(wheel, LIBRARY), None, flags, threads)
    except _native.EngineUnavailable as problem:
        from ...vocabulary.errors import Failed

        raise Failed("engine-unavailable", str(problem)) from problem


def find() -> str:
    """Return the folder of the installed wheel; importing the package would take longer than loading V8. Raises
    Failed."""
    folder = _installed()
    if folder is not None:
        return folder
    from ...vocabulary.errors import Failed

    raise Failed("engine-missing", f"running JavaScript needs V8: pip install {WHEEL}")


def prepared(wheel: str) -> str | None:
    """Return the cache folder with the prepared library and ICU's data, created if missing; None if that fails."""
    try:
        folder = _folder(wheel)
        if folder is None or _is_ready(folder, wheel):
            return folder
        from .preparation import make

        return folder if make(folder, wheel) else None
    except OSError:
        return None


def ready_folder() -> str | None:
    """Return the folder that `start` will load from, if it is complete."""
    wheel = _installed()
    if wheel is None:
        return None
    try:
        folder = _folder(wheel)
        return folder if folder is not None and _is_ready(folder, wheel) else None
    except OSError:
        return None


def heap_limit_bytes() -> int:
    """Return the maximum size of a JavaScript heap: half of the memory that this process may use, within what V8
    can address with compressed pointers.
    """
    return _native.largest_heap_bytes(LARGEST_HEAP_BYTES)


def heap_bytes_of(percentage: float) -> int:
    """Return a part of the memory that a heap could have: what this process may use, within what V8 can address."""
    usable = 2 * _native.largest_heap_bytes(ADDRESSABLE_HEAP_BYTES)
    return int(min(usable, ADDRESSABLE_HEAP_BYTES) * percentage / 100)


def possible_heap_bytes(wanted: int) -> int:
    """Return the limit for a program that requests `wanted` bytes: at most what V8 can address, at least what it needs to start."""
    return max(SMALLEST_HEAP_BYTES, min(wanted, ADDRESSABLE_HEAP_BYTES))


def snapshot(stamp: int, build: Callable[[], bytes], *, renew: bool = False) -> str | bytes:
    """Return a start-up snapshot for `Engine`: the path of the one cached for `stamp`, or bytes if none can be cached.

    `build` creates it the first time. `stamp` identifies everything that it depends on. With `renew`, for a file that
    `Engine` rejected, it is created again and returned as bytes.
    """
    path = None
    wheel = find()
    try:
        folder = _folder(wheel)
        path = _native.snapshot_path(folder, stamp) if folder is not None else None
        if path is not None and not renew and os.path.lexists(path):
            return path
    except OSError:
        pass
    data = build()
    if path is not None:
        from .preparation import put

        if put(path, data) and not renew:
            return path
    return data


def _installed() -> str | None:
    for entry in sys.path:
        folder = os.path.join(entry, PACKAGE)
        if os.path.exists(os.path.join(folder, LIBRARY)):
            return folder
    return None


def _folder(wheel: str) -> str | None:
    """Return the cache folder for that wheel, existing or not; None if the cache is disabled. Raises OSError."""
    parent = cache_folder("v8")
    if parent is None:
        return None
    with open(os.path.join(wheel, LIBRARY), "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        made_of = (FORMAT, _native.v8_version(), size, file.read(_HEAD_SIZE))
    folder = os.path.join(parent, f"{_native.checksum(repr(made_of).encode()):016x}")
    return folder if _native.cache_flaw(folder) is None else None


def _is_ready(folder: str, wheel: str) -> bool:
    """Return whether the cached files are unmodified: a write would have changed their mtime."""
    pairs = ((LIBRARY, LIBRARY), (MAPPED_ICU_DATA, WHEEL_ICU_DATA))
    return all(
        _native.cache_holds(os.path.join(folder, kept), os.stat(os.path.join(wheel, source)).st_size, PREPARED_NS)
        for kept, source in pairs
    )
