"""V8's shared library: find it in the wheel, load the prepared copy of it, keep start-up snapshots beside that.

The first start on a machine makes a folder in the user's cache (`preparation.py`): a copy of the library whose own
relocations are resolved (loads in 2 ms, not 25) and ICU's data under the name that ICU maps by itself (0 ms, not 7). All
environments with the same wheel share it. Its files are believed only if they are this user's, of the library's size
and not touched since they were made. Whatever goes wrong with the cache, the wheel's own files do.
"""

from __future__ import annotations

import os
import sys

from .. import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGE = "py_mini_racer"
WHEEL = "mini-racer==0.14.1"
LIBRARY = "libmini_racer.so"
WHEEL_ICU_DATA = "icudtl.dat"
MAPPED_ICU_DATA = "icudt77l.dat"  # the name that this build's ICU looks for
# Changed with everything that a prepared folder's contents depend on besides V8 and the wheel's files.
FORMAT = 2
# The time of change that a prepared copy carries: one that was written to since then has another.
PREPARED_NS = 1_000_000_000 * 1_000_000_000
LARGEST_HEAP_BYTES = 3 << 30
# How V8 runs one program. The room for young objects begins at 4 MB, not 1: a tenth less time for programs that allocate,
# none more for those that do not. One thread beside JavaScript's compiles hot functions and helps to collect garbage: a
# quarter less time for tsc; two did not gain another twentieth.
PROGRAM_FLAGS = "--min-semi-space-size=4"
PROGRAM_THREADS = 1
SMALL_FLAGS = "--optimize-for-size --max-semi-space-size=1"  # --smol, without a thread
_HEAD_SIZE = 4096  # holds the number that a linker gives to each build


def start(flags: str = "", *, threads: int = 0) -> None:
    """Start V8 in this process, from the prepared copy if there is one or can be. `flags` and `threads` are V8's.

    Raises Failed where the wheel is missing or another version.
    """
    wheel = find()
    folder = prepared(wheel)
    try:
        if folder is not None:
            try:
                _native.v8_start(os.path.join(folder, LIBRARY), folder, flags, threads)
                return
            except _native.EngineUnavailable:
                pass  # a cache that may not be executed from, or a copy gone since
        _native.v8_start(os.path.join(wheel, LIBRARY), None, flags, threads)
    except _native.EngineUnavailable as problem:
        from ..errors import Failed

        raise Failed("engine-unavailable", str(problem)) from problem


def find() -> str:
    """The folder of the installed wheel; importing the package would cost more than loading V8. Raises Failed."""
    folder = _installed()
    if folder is not None:
        return folder
    from ..errors import Failed

    raise Failed("engine-missing", f"running JavaScript needs V8: pip install {WHEEL}")


def prepared(wheel: str) -> str | None:
    """The cache folder with the prepared library and ICU's data, made if need be; None where it cannot be had."""
    try:
        library = os.stat(os.path.join(wheel, LIBRARY))
        folder = _folder(wheel, library)
        if _is_ready(folder, library):
            return folder
        from .preparation import make

        return folder if make(folder, wheel) else None
    except OSError:
        return None


def ready_folder() -> str | None:
    """The folder that `start` will load from, if everything is in it."""
    wheel = _installed()
    if wheel is None:
        return None
    try:
        library = os.stat(os.path.join(wheel, LIBRARY))
        folder = _folder(wheel, library)
        return folder if _is_ready(folder, library) else None
    except OSError:
        return None


def heap_limit_bytes() -> int:
    """How large a JavaScript heap may grow: half of the memory, within what V8 can address with short pointers."""
    return min(LARGEST_HEAP_BYTES, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)


def snapshot(stamp: int, build: Callable[[], bytes], *, renew: bool = False) -> str | bytes:
    """A start-up snapshot for `Engine`: the path of the one kept for `stamp`, or the bytes where none can be kept.

    `build` makes it at the first time. `stamp` stands for everything that goes into it. With
    `renew`, for a file that `Engine` refused, it is made anew.
    """
    path = None
    wheel = find()
    try:
        folder = _folder(wheel, os.stat(os.path.join(wheel, LIBRARY)))
        path = _native.snapshot_path(folder, stamp)
        if not renew and _is_ours(os.lstat(path)):
            return path
    except OSError:
        pass
    data = build()
    if path is None:
        return data
    from .preparation import put

    return path if put(path, data) else data


def _installed() -> str | None:
    for entry in sys.path:
        folder = os.path.join(entry, PACKAGE)
        if os.path.exists(os.path.join(folder, LIBRARY)):
            return folder
    return None


def _folder(wheel: str, library: os.stat_result) -> str:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    with open(os.path.join(wheel, LIBRARY), "rb", buffering=0) as file:
        made_of = (FORMAT, _native.v8_version(), library.st_size, file.read(_HEAD_SIZE))
    return os.path.join(home, "rt", "v8", f"{_native.checksum(repr(made_of).encode()):016x}")


def _is_ours(about: os.stat_result) -> bool:
    """Whether it is a regular file of this user that nobody else may write to."""
    is_regular = about.st_mode & 0o170000 == 0o100000
    return is_regular and about.st_uid == os.geteuid() and not about.st_mode & 0o022


def _is_ready(folder: str, library: os.stat_result) -> bool:
    is_current = _is_current(os.path.join(folder, LIBRARY), library)
    return is_current and os.path.exists(os.path.join(folder, MAPPED_ICU_DATA))


def _is_current(path: str, source: os.stat_result) -> bool:
    try:
        about = os.lstat(path)
    except OSError:
        return False
    return _is_ours(about) and (about.st_size, about.st_mtime_ns) == (source.st_size, PREPARED_NS)
