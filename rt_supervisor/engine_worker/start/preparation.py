"""The folder of V8's prepared files in the user's cache: created at the first start, bounded in size.

Files are written atomically, by renaming, so that concurrent starts neither wait for each other nor see incomplete
files.
"""

from __future__ import annotations

import os

from ... import _native
from .library import LIBRARY, MAPPED_ICU_DATA, PREPARED_NS, WHEEL_ICU_DATA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

KEPT_FOLDERS = 3  # one for each version of V8, 84 MB each
KEPT_SNAPSHOTS = 8  # one for each version of rt or of its JavaScript, 1.3 MB each
_SNAPSHOT = ".snapshot"
_PARTS = ".parts"  # the parts of a snapshot, one for each folder of rt's JavaScript (`native/src/files/stamps.rs`)
_CODE = ".code"  # V8's code of the runtime's files, one for each snapshot (`native/src/v8/modules/library_code.rs`)


def make(folder: str, wheel: str) -> bool:
    """Fill `folder` from the files of the wheel; False if another process is filling it. Raises OSError."""
    _make_room(folder)
    lock = os.path.join(folder, "making")
    descriptor = _acquire(lock)
    if descriptor is None:
        return False
    try:
        _native.cache_copy(
            os.path.join(wheel, WHEEL_ICU_DATA), os.path.join(folder, MAPPED_ICU_DATA), mtime_ns=PREPARED_NS
        )
        _native.prelink(os.path.join(wheel, LIBRARY), os.path.join(folder, LIBRARY), mtime_ns=PREPARED_NS)
    finally:
        _remove(lock)
        os.close(descriptor)
    _forget_old(os.path.dirname(folder), folder)
    return True


def _make_room(folder: str) -> None:
    """Create the folder, replacing anything else at its path: this part of the cache belongs to rt."""
    parent = os.path.dirname(folder)
    for place in (parent, folder):
        if os.path.lexists(place) and (os.path.islink(place) or not os.path.isdir(place)):
            os.unlink(place)
        _make_folder(place)
        if not os.access(place, os.R_OK | os.W_OK | os.X_OK):
            os.chmod(place, 0o700)


def _make_folder(place: str) -> None:
    """Create `place` and its missing parents, accessible to this user only whatever the umask, so that it is
    trusted."""
    try:
        os.mkdir(place, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        _make_folder(os.path.dirname(place))
        os.mkdir(place, 0o700)


def _acquire(lock: str) -> int | None:
    """Acquire the lock file; the system releases it when its process dies."""
    import fcntl

    for _ in range(2):
        try:
            flags = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
            descriptor = os.open(lock, flags, 0o600)
        except OSError:
            _remove(lock)  # a folder, a link, or not accessible
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        except OSError:
            os.close(descriptor)
            return None
    return None


def put(path: str, data: bytes) -> bool:
    """Cache a snapshot; return whether that was possible."""
    try:
        _make_room(os.path.dirname(path))
        _native.cache_put(path, data, is_durable=True)
        _forget_old_snapshots(os.path.dirname(path))
        return True
    except OSError:
        return False


def _forget_old(parent: str, current: str) -> None:
    folders = _newest_first(os.path.join(parent, name) for name in os.listdir(parent))
    for folder in folders[KEPT_FOLDERS:]:
        if folder != current:
            _remove(folder)


def _forget_old_snapshots(folder: str) -> None:
    for kind in (_SNAPSHOT, _PARTS, _CODE):
        paths = _newest_first(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(kind))
        for path in paths[KEPT_SNAPSHOTS:]:
            _remove(path)


def _newest_first(paths: Iterable[str]) -> list[str]:
    """Return the existing paths, most recently changed first; other processes may remove some meanwhile."""
    times = {}
    for path in paths:
        try:
            times[path] = os.lstat(path).st_mtime
        except OSError:
            continue
    return sorted(times, key=times.__getitem__, reverse=True)


def _remove(path: str) -> None:
    """Remove a file, or a folder with its contents."""
    try:
        os.unlink(path)
    except IsADirectoryError:
        import shutil

        shutil.rmtree(path, ignore_errors=True)
    except OSError:
        return
